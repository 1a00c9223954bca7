/* Tables of runs read back: cells with quotes in any place, rows that are torn, texts that are anything.
 * label: small, one thread */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame/table_read.h"
#include "text/csv.h"

static void test_cells(void **state)
{
    (void)state;
    static const struct {
        const char *row;
        size_t count;
        const char *cells[6];
    } cases[] = {
        {"", 1, {""}},
        {",", 2, {"", ""}},
        {"a,b,c", 3, {"a", "b", "c"}},
        {"\"a,b\",c", 2, {"a,b", "c"}},
        {"x\"a,\"b,c,d,e\"", 2, {"x\"a", "b,c,d,e"}},
        {"x\"a,b\"c,d", 3, {"x\"a", "b\"c", "d"}},
        {"\"a", 1, {"\"a"}},
        {"\"a,b", 2, {"\"a", "b"}},
        {"\"\",\"\"", 2, {"", ""}},
        {"\"a\"\"b,c\",d", 2, {"a\"\"b,c", "d"}},
        {"\"a\"rest,b", 2, {"a", "b"}},
        {"\"", 1, {"\""}},
        {"\"\"\"", 1, {"\"\"\""}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = cases[i].row, *end = at + strlen(at);
        rill_csv_cell cell;
        if (rill_csv_count(at, end) != cases[i].count)
            fail_msg("case %zu has %zu cells instead of %zu", i, rill_csv_count(at, end), cases[i].count);
        for (size_t c = 0; c < cases[i].count; c++) {
            assert_true(rill_csv_next(&at, end, &cell));
            if (!rill_csv_is(cell, cases[i].cells[c]))
                fail_msg("case %zu, cell %zu is '%.*s'", i, c, (int)cell.size, cell.text);
        }
        assert_false(rill_csv_next(&at, end, &cell));
    }
}

/* The text is copied to a block of its own size, so that reading past it is found. */
static rill_status parse(const char *text, size_t size, rill_table_data *data, rill_error *err)
{
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    rill_status status = rill_table_data_parse("t.csv", copy, size, data, err);
    free(copy);
    return status;
}

static void test_rows(void **state)
{
    (void)state;
    static const char text[] =
        "step,time,\"a,b\"\r\n1,0.5,7\r\n2,0.25,8\nx\"a,\"b,c,d,e\"\n\n3,1,\n4,1.5,1e40\n5,2,9,9\n6,2";
    rill_table_data data;
    assert_int_equal(parse(text, sizeof text - 1, &data, NULL), RILL_OK);
    assert_int_equal(data.column_count, 3);
    assert_string_equal(data.names[2], "a,b");
    assert_int_equal(data.rows, 3);
    assert_int_equal(data.damaged, 4);
    assert_true(data.torn);
    const double *time = rill_table_data_column(&data, "time"), *value = rill_table_data_column(&data, "a,b");
    assert_true(time[0] == 0.5 && time[1] == 1 && time[2] == 1.5);
    assert_true(value[0] == 7 && isnan(value[1]) && isnan(value[2]));
    assert_null(rill_table_data_column(&data, "none"));
    rill_table_data_free(&data);
}

static void test_no_tables(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "step,time", "a,b\n1,2\n", "\n", "\"time,x\n1,2\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        rill_table_data data;
        rill_error err = {0};
        assert_int_equal(parse(texts[i], strlen(texts[i]), &data, &err), RILL_BAD_FILE);
        assert_true(strncmp(err.text, "t.csv ", 6) == 0 && !data.names && !data.columns);
    }
}

/* Every byte of a table replaced by every byte that means something, and every length of it. */
static void test_damage(void **state)
{
    (void)state;
    static const char whole[] = "step,time,\"p,q\"\n1,0.1,2\n2,0.2,3\n", bytes[] = "\",\n\r\0x9";
    for (size_t at = 0; at < sizeof whole - 1; at++) {
        for (size_t b = 0; b < sizeof bytes - 1; b++) {
            char text[sizeof whole];
            memcpy(text, whole, sizeof text);
            text[at] = bytes[b];
            rill_table_data data;
            if (parse(text, sizeof whole - 1, &data, NULL)) continue;
            assert_true(data.rows + data.damaged <= 4);
            rill_table_data_free(&data);
        }
        rill_table_data cut;
        if (!parse(whole, at, &cut, NULL)) rill_table_data_free(&cut);
    }
}

/* Many columns and many lines must not take the product of both in memory. */
static void test_wide_and_long(void **state)
{
    (void)state;
    enum { HALF = 1 << 20 };
    char *text = malloc(2 * HALF + 5);
    assert_non_null(text);
    memcpy(text, "time", 4);
    memset(text + 4, ',', HALF);
    memset(text + 4 + HALF, '\n', HALF);
    rill_table_data data;
    assert_int_equal(rill_table_data_parse("t.csv", text, 2 * HALF + 4, &data, NULL), RILL_OK);
    assert_int_equal(data.column_count, HALF + 1);
    assert_int_equal(data.rows, 0);
    assert_int_equal(data.damaged, HALF - 1);
    rill_table_data_free(&data);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),      cmocka_unit_test(test_rows),
        cmocka_unit_test(test_no_tables),  cmocka_unit_test(test_damage),
        cmocka_unit_test(test_wide_and_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
