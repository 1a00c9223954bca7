/* Files that are whole or not there, and tables that are cut back to a step.
 * label: small, one thread */
#include "test_frame.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <sys/mount.h>

#include "frame/table.h"
#include "text/string.h"

static int limit_setup(void **state)
{
    signal(SIGXFSZ, SIG_IGN);
    return folder_make(state);
}

static int limit_teardown(void **state)
{
    disk_limit(RLIM_INFINITY);
    return folder_drop(state);
}

static void test_put_and_get(void **state)
{
    const char *path = path_of(*state, "a.bin");
    size_t size;
    assert_int_equal(rill_store_put(path, "one\0two", 7, NULL), RILL_OK);
    char *bytes = file_get(path, &size);
    assert_int_equal(size, 7);
    assert_memory_equal(bytes, "one\0two", 8);
    free(bytes);
    assert_int_equal(rill_store_put(path, "three", 5, NULL), RILL_OK);
    bytes = file_get(path, &size);
    assert_string_equal(bytes, "three");
    free(bytes);
    assert_int_equal(folder_count(*state, ""), 1);
}

static void test_not_there_before_commit(void **state)
{
    const char *path = path_of(*state, "a.bin");
    rill_store store;
    assert_int_equal(rill_store_open(&store, path, NULL), RILL_OK);
    rill_store_print(&store, "%d %g\n", 7, 1.5);
    assert_false(file_exists(path));
    assert_int_equal(folder_count(*state, RILL_STORE_TEMPORARY), 1);
    rill_store_discard(&store);
    assert_int_equal(folder_count(*state, ""), 0);
    assert_int_equal(rill_store_open(&store, path, NULL), RILL_OK);
    rill_store_print(&store, "%d %g\n", 7, 1.5);
    assert_int_equal(rill_store_commit(&store, NULL), RILL_OK);
    char *text = file_get(path, NULL);
    assert_string_equal(text, "7 1.5\n");
    free(text);
}

/* A host's locale must not put commas into numbers. */
static void test_numbers_in_any_locale(void **state)
{
    (void)state;
    const char *found = NULL, *names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) found = setlocale(LC_NUMERIC, names[i]);
    char *text = rill_string_make("%.2f", 1.25);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(text, "1.25");
    free(text);
    if (!found) {
        leave_out("locales with a decimal comma, none of which is installed");
        skip();
    }
}

static void check_no_room(const char *folder, size_t size)
{
    const char *path = path_of(folder, "old.bin"), *fresh = path_of(folder, "new.bin");
    char *block = calloc(1, size);
    rill_error err = {0};
    assert_int_equal(rill_store_put(path, block, size, &err), RILL_IO_FAILED);
    check_sentence(&err);
    assert_non_null(strstr(err.text, "make room"));
    assert_int_equal(rill_store_put(fresh, block, size, &err), RILL_IO_FAILED);
    assert_false(file_exists(fresh));
    assert_int_equal(folder_count(folder, RILL_STORE_TEMPORARY), 0);
    free(block);
    char *text = file_get(path, NULL);
    assert_string_equal(text, "old");
    free(text);
}

static void test_no_room_leaves_the_old(void **state)
{
    static const size_t sizes[] = {10001, 100000, 5000000};
    assert_int_equal(rill_store_put(path_of(*state, "old.bin"), "old", 3, NULL), RILL_OK);
    disk_limit(10000);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) check_no_room(*state, sizes[i]);
}

/* The real thing, where the test may mount a small disk. */
static void test_full_disk(void **state)
{
    const char *disk = path_of(*state, "disk");
    assert_int_equal(mkdir(disk, 0777), 0);
    if (mount("tmpfs", disk, "tmpfs", 0, "size=64k") != 0) {
        leave_out("a disk that is full, since none can be mounted");
        skip();
    }
    int saved = rill_store_put(path_of(disk, "old.bin"), "old", 3, NULL) == RILL_OK;
    char *block = calloc(1, 200000);
    rill_error err = {0};
    rill_status status = rill_store_put(path_of(disk, "old.bin"), block, 200000, &err);
    char *text = file_get(path_of(disk, "old.bin"), NULL);
    int names = folder_count(disk, "");
    umount(disk);
    free(block);
    assert_true(saved);
    assert_int_equal(status, RILL_IO_FAILED);
    assert_non_null(strstr(err.text, strerror(ENOSPC)));
    assert_string_equal(text, "old");
    assert_int_equal(names, 1);
    free(text);
}

static void check_keeps(const char *path, const char *expected)
{
    char *text = file_get(path, NULL);
    assert_string_equal(text, expected);
    free(text);
}

/* A link in the way of a file is replaced, in the way of a table it is refused: what it leads to is never written. */
static void test_links_are_not_followed(void **state)
{
    const char *victim = path_of(*state, "victim"), *link = path_of(*state, "link");
    char temporary[200];
    rill_error err = {0};
    rill_table table;
    file_put(victim, "mine", 4);
    assert_int_equal(symlink(victim, link), 0);
    snprintf(temporary, sizeof temporary, "%s.%ld" RILL_STORE_TEMPORARY, link, (long)getpid());
    assert_int_equal(symlink(victim, temporary), 0);
    assert_int_equal(rill_table_create(&table, link, "step\n", &err), RILL_IO_FAILED);
    assert_int_equal(rill_table_resume(&table, link, "step\n", 0, &err), RILL_BAD_FILE);
    check_keeps(victim, "mine");
    assert_int_equal(rill_store_put(link, "new", 3, &err), RILL_OK);
    check_keeps(victim, "mine");
    check_keeps(link, "new");
    file_put(victim, "step\n", 5);
    unlink(link);
    assert_int_equal(symlink(victim, link), 0);
    assert_int_equal(rill_table_resume(&table, link, "step\n", 0, &err), RILL_IO_FAILED);
    assert_non_null(strstr(err.text, "symbolic link"));
    unlink(link);
    assert_int_equal(mkfifo(link, 0600), 0);
    errno = 0;
    assert_int_equal(rill_store_open_plain(link, O_RDWR), -1);
    assert_int_equal(errno, ENXIO);
}

/* Leftovers of killed processes go, what is being written and what only looks alike stays. */
static void test_leftovers_are_swept(void **state)
{
    rill_store open;
    file_put(path_of(*state, "a.png.12345.tmp"), "x", 1);
    file_put(path_of(*state, "b.png.12345.tmp"), "x", 1);
    file_put(path_of(*state, "a.png.tmp"), "x", 1);
    assert_int_equal(rill_store_open(&open, path_of(*state, "a.png"), NULL), RILL_OK);
    rill_store_sweep(path_of(*state, "a.png"));
    assert_false(file_exists(path_of(*state, "a.png.12345.tmp")));
    assert_true(file_exists(path_of(*state, "b.png.12345.tmp")));
    rill_store_sweep(path_of(*state, ""));
    assert_false(file_exists(path_of(*state, "b.png.12345.tmp")));
    assert_true(file_exists(path_of(*state, "a.png.tmp")));
    assert_int_equal(rill_store_commit(&open, NULL), RILL_OK);
    assert_true(file_exists(path_of(*state, "a.png")));
}

static void test_places_that_take_no_file(void **state)
{
    rill_error err = {0};
    file_put(path_of(*state, "file"), "", 0);
    assert_int_equal(rill_store_put(path_of(*state, "file/a"), "x", 1, &err), RILL_IO_FAILED);
    check_sentence(&err);
    assert_int_equal(rill_store_put(path_of(*state, "none/a"), "x", 1, &err), RILL_IO_FAILED);
    assert_non_null(strstr(err.text, strerror(ENOENT)));
    assert_int_equal(mkdir(path_of(*state, "folder"), 0777), 0);
    assert_int_equal(rill_store_put(path_of(*state, "folder"), "x", 1, &err), RILL_IO_FAILED);
    check_sentence(&err);
    assert_int_equal(folder_count(*state, RILL_STORE_TEMPORARY), 0);
}

#define HEADER "step,time,value\n"

static void test_cut(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t step;
        const char *kept; /* NULL: not a table of ours */
    } cases[] = {
        {HEADER, 5, HEADER},
        {HEADER "1,0.1,7\n2,0.2,8\n3,0.3,9\n", 2, HEADER "1,0.1,7\n2,0.2,8\n"},
        {HEADER "1,0.1,7\n2,0.2,8\n", 2, HEADER "1,0.1,7\n2,0.2,8\n"},
        {HEADER "1,0.1,7\n2,0.2,8\n", 9, HEADER "1,0.1,7\n2,0.2,8\n"},
        {HEADER "1,0.1,7\n2,0.2,8\n", 0, HEADER},
        {HEADER "0,0,7\n1,0.1,7\n", 0, HEADER "0,0,7\n"},
        {HEADER "1,0.1,7\n2,0.2", 2, HEADER "1,0.1,7\n"},      /* torn */
        {HEADER "1,0.1,7\n2,0.2\n", 2, HEADER "1,0.1,7\n"},    /* a column is missing */
        {HEADER "1,0.1,7\n,0.2,8\n", 2, HEADER "1,0.1,7\n"},   /* no step */
        {HEADER "1,0.1,7\n1,0.1,7\n", 2, HEADER "1,0.1,7\n"},  /* twice */
        {HEADER "99,0.1,7\n1,0.1,7\n", 20, HEADER},
        {HEADER "18446744073709551617,0.1,7\n", 20, HEADER},   /* more than 64 bits */
        {"step,time,other\n1,0,0\n", 9, NULL},
        {"step,ti", 9, NULL},
        {"", 9, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t kept = rill_table_cut(cases[i].text, strlen(cases[i].text), HEADER, cases[i].step);
        size_t expected = cases[i].kept ? strlen(cases[i].kept) : 0;
        if (kept != expected) fail_msg("case %zu keeps %zu bytes instead of %zu", i, kept, expected);
    }
}

static void check_text(const char *path, const char *expected)
{
    char *text = file_get(path, NULL);
    assert_string_equal(text, expected);
    free(text);
}

static void rows_add(rill_table *table, int from, int to)
{
    for (int i = from; i <= to; i++) {
        rill_table_print(table, "%d,%g", i, i * 0.5);
        rill_table_print(table, ",%d", i * i);
        assert_int_equal(rill_table_end_row(table, NULL), RILL_OK);
    }
}

static void test_table_goes_on(void **state)
{
    const char *path = path_of(*state, "t.csv");
    rill_table table;
    assert_int_equal(rill_table_create(&table, path, HEADER, NULL), RILL_OK);
    rows_add(&table, 1, 4);
    check_text(path, HEADER); /* rows wait in memory */
    assert_int_equal(rill_table_flush(&table, true, NULL), RILL_OK);
    rows_add(&table, 5, 5);
    rill_table_close(&table); /* as if killed: row 5 never reached the file */
    check_text(path, HEADER "1,0.5,1\n2,1,4\n3,1.5,9\n4,2,16\n");
    assert_int_equal(rill_table_resume(&table, path, HEADER, 2, NULL), RILL_OK);
    check_text(path, HEADER "1,0.5,1\n2,1,4\n");
    rows_add(&table, 3, 3);
    assert_int_equal(rill_table_flush(&table, false, NULL), RILL_OK);
    rill_table_close(&table);
    check_text(path, HEADER "1,0.5,1\n2,1,4\n3,1.5,9\n");
}

static void test_table_begun_when_missing_or_torn(void **state)
{
    const char *path = path_of(*state, "t.csv");
    rill_table table;
    rill_error err = {0};
    assert_int_equal(rill_table_resume(&table, path, HEADER, 2, NULL), RILL_OK);
    rill_table_close(&table);
    check_text(path, HEADER);
    file_put(path, "step,ti", 7); /* killed while the header was written */
    assert_int_equal(rill_table_resume(&table, path, HEADER, 2, NULL), RILL_OK);
    rill_table_close(&table);
    check_text(path, HEADER);
    file_put(path, "a,b\n1,2\n", 8);
    assert_int_equal(rill_table_resume(&table, path, HEADER, 2, &err), RILL_BAD_FILE);
    check_sentence(&err);
    check_text(path, "a,b\n1,2\n");
}

/* What did not fit goes out later, without a gap and without a repeat. */
static void test_table_on_a_full_disk(void **state)
{
    const char *path = path_of(*state, "t.csv");
    rill_table table;
    rill_error err = {0};
    assert_int_equal(rill_table_create(&table, path, HEADER, NULL), RILL_OK);
    rows_add(&table, 1, 2);
    disk_limit(strlen(HEADER) + 11);
    assert_int_equal(rill_table_flush(&table, false, &err), RILL_IO_FAILED);
    check_sentence(&err);
    rows_add(&table, 3, 3);
    disk_limit(RLIM_INFINITY);
    assert_int_equal(rill_table_flush(&table, false, &err), RILL_OK);
    rill_table_close(&table);
    check_text(path, HEADER "1,0.5,1\n2,1,4\n3,1.5,9\n");
}

static void test_long_table_flushes_itself(void **state)
{
    const char *path = path_of(*state, "t.csv");
    rill_table table;
    size_t size;
    assert_int_equal(rill_table_create(&table, path, HEADER, NULL), RILL_OK);
    rows_add(&table, 1, 20000);
    char *text = file_get(path, &size);
    assert_true(size > 100000);
    free(text);
    assert_true(table.room < 500000);
    rill_table_close(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_put_and_get, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_not_there_before_commit, folder_make, folder_drop),
        cmocka_unit_test(test_numbers_in_any_locale),
        cmocka_unit_test_setup_teardown(test_no_room_leaves_the_old, limit_setup, limit_teardown),
        cmocka_unit_test_setup_teardown(test_full_disk, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_links_are_not_followed, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_leftovers_are_swept, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_places_that_take_no_file, folder_make, folder_drop),
        cmocka_unit_test(test_cut),
        cmocka_unit_test_setup_teardown(test_table_goes_on, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_table_begun_when_missing_or_torn, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_table_on_a_full_disk, limit_setup, limit_teardown),
        cmocka_unit_test_setup_teardown(test_long_table_flushes_itself, folder_make, folder_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
