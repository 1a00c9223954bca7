/* Tables of runs: read back as numbers, and cut back when a run goes on. */
#include <math.h>

#include "frame/table.h"
#include "frame/table_read.h"
#include "fuzz.h"

static const char header[] = "step,time,dt\n";
static const char *const words[] = {"step,time,dt\n", "\n",          "\r\n", ",",   "\"",   "\"a,b\"", "time", ",time,",
                                    "1,0.1,0.1\n",    "2,0.2,0.1\n", "nan",  "inf", "1e31", "#",       " ",    "\t"};

/* What is kept is a part from the start, in whole lines, and cutting it again changes nothing. */
static void cut_try(const char *text, size_t size)
{
    for (uint64_t step = 0; step < 4; step++) {
        const size_t keep = rill_table_cut(text, size, header, step == 3 ? UINT64_MAX : step);
        FUZZ_CHECK(keep <= size && (!keep || text[keep - 1] == '\n'), "%zu of %zu bytes are kept", keep, size);
        FUZZ_CHECK(rill_table_cut(text, keep, header, step == 3 ? UINT64_MAX : step) == keep,
                   "a cut table is cut again");
    }
}

static void parse_try(const char *text, size_t size)
{
    rill_table_data table;
    rill_error err = {0};
    const rill_status status = rill_table_data_parse("input", text, size, &table, &err);
    FUZZ_CHECK(!status || *err.text, "refused without a word");
    if (status) return;
    const double *time = rill_table_data_column(&table, "time");
    FUZZ_CHECK(time, "a table without times was taken");
    for (size_t i = 0; i < table.rows; i++)
        FUZZ_CHECK(isfinite(time[i]) && (!i || time[i] >= time[i - 1]), "times are out of order");
    double sum = 0;
    for (size_t k = 0; k < table.column_count; k++)
        for (size_t i = 0; i < table.rows; i++) sum += table.columns[k][i];
    FUZZ_CHECK(isnan(sum) || fabs(sum) < 1e38, "a number is out of bounds");
    rill_table_data_free(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size);
    cut_try(text, size);
    parse_try(text, size);
    free(text);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    return fuzz_text_mutate(data, size, most, &random, words, sizeof words / sizeof *words);
}
