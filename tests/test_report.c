/* The report as a table: what columns there are, and that access by name, report.csv, JSON and docs/run.md agree.
 * label: small, one thread */
#include "test_run.h"

#include "frame/table_read.h"
#include "world/world.h"

/* The summary of the program, without the rest of it. */
#include "apps/rill/json.c"
#include "apps/rill/tables.c"

static bool same_column(const rill_column *a, const rill_column *b)
{
    return !strcmp(a->name, b->name) && !strcmp(a->unit, b->unit) && a->type == b->type && a->over_run == b->over_run &&
           !strcmp(a->about, b->about);
}

/* Each has all it takes, and no name means two things. */
static void test_columns_are_described(void **state)
{
    (void)state;
    const rill_column *column, *other;
    const char *method, *other_method;
    for (uint32_t i = 0; (column = rill_column_known(i, &method)); i++) {
        assert_true(*column->name && column->unit && strlen(column->about) > 5);
        assert_int_equal(column->about[strlen(column->about) - 1], '.');
        for (const char *c = column->name; *c; c++) assert_true((*c >= 'a' && *c <= 'z') || *c == '_');
        for (uint32_t k = 0; (other = rill_column_known(k, &other_method)); k++) {
            if (strcmp(other->name, column->name) || k == i) continue;
            if (!method || !other_method) fail_msg("%s is a column of every world and of a method", column->name);
            if (!same_column(column, other)) fail_msg("%s is described in two ways", column->name);
        }
    }
}

static rill_world *world_with(const char *solver, bool implicit)
{
    rill_scene scene = dam_scene();
    strcpy(scene.solver.kind, solver);
    if (implicit) {
        scene.fluids[0].viscosity_kind = RILL_VISCOSITY_IMPLICIT;
        scene.fluids[0].viscosity = 0.1;
    }
    return world_from(scene);
}

/* A few steps into a folder; the report is the last step's. */
static rill_report run_steps(rill_world *world, const char *folder)
{
    rill_error err = {0};
    rill_report report = {0};
    rill_run *run = rill_run_create(folder, world, &err);
    if (!run) fail_msg("%s", err.text);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(rill_step(world, NULL, &report, &err), RILL_OK);
        assert_int_equal(rill_run_write_report(run, world, &report, &err), RILL_OK);
    }
    assert_int_equal(rill_run_close(run, &err), RILL_OK);
    return report;
}

/* The last row of report.csv holds what the report says by name and by index, in the order of the world's columns. */
static void check_file(const rill_world *world, const rill_report *report, const char *folder)
{
    size_t size;
    char *text = file_get(path_of(folder, "report.csv"), &size);
    rill_table_data table;
    assert_int_equal(rill_table_data_parse("report.csv", text, size, &table, NULL), RILL_OK);
    const rill_column *column;
    uint32_t count = 0;
    for (; (column = rill_world_column(world, count)); count++) {
        assert_true(count < table.column_count);
        assert_string_equal(table.names[count], column->name);
        const double value = rill_report_value(world, report, column->name),
                     read = table.columns[count][table.rows - 1];
        assert_true(value == rill_report_value_at(world, report, count));
        if (column->type == RILL_COLUMN_WORD) continue;
        if (!(fabs(value - read) <= 1e-5 * fabs(value)))
            fail_msg("%s is %g, the file says %g", column->name, value, read);
    }
    assert_int_equal(count, table.column_count);
    assert_true(isnan(rill_report_value(world, report, "no_such_column")));
    assert_true(isnan(rill_report_value_at(world, report, count)));
    rill_table_data_free(&table);
    free(text);
}

static void test_file_has_every_column(void **state)
{
    for (uint32_t i = 0; rill_solver_name(i); i++) {
        for (int implicit = 0; implicit < 2; implicit++) {
            char name[64];
            snprintf(name, sizeof name, "%s_%d", rill_solver_name(i), implicit);
            rill_world *world = world_with(rill_solver_name(i), implicit);
            const rill_report report = run_steps(world, path_of(*state, name));
            check_file(world, &report, path_of(*state, name));
            assert_true(rill_report_value(world, &report, "density_error_max") > 0);
            assert_int_equal(isnan(rill_report_value(world, &report, "viscosity_error")), !implicit);
            assert_int_equal(isnan(rill_report_value(world, &report, "divergence_error")),
                             strcmp(rill_solver_name(i), "dfsph") != 0);
            rill_world_destroy(world);
        }
    }
}

/* ---- a method of one's own ---- */

enum { PUSHES, PUSH };
static const rill_column own_columns[] = {
    [PUSHES] = {"pushes", "", RILL_COLUMN_COUNT, RILL_OVER_SUM, "How often it pushed."},
    [PUSH] = {"push", "J", RILL_COLUMN_NUMBER, RILL_OVER_MEAN, "How hard."},
    {0},
};

static rill_status own_apply(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err)
{
    (void)self, (void)step, (void)err;
    result->values[PUSHES]++;
    result->values[PUSH] = 0.25;
    result->limit_hit = true;
    return RILL_OK;
}

/* Its rows are all it takes for by-name access, report.csv and the summary. */
static void test_a_method_brings_its_columns(void **state)
{
    static const rill_force own = {.name = "own", .columns = own_columns, .apply = own_apply};
    rill_world *world = world_with("iisph", true);
    rill_world_force *force = &world->forces[world->force_count++];
    force->method = &own;
    assert_int_equal(rill_report_add_columns(world, own.columns, &force->first_value, NULL), RILL_OK);
    const char *folder = path_of(*state, "own");
    const rill_report report = run_steps(world, folder);
    check_file(world, &report, folder);
    assert_true(rill_report_value(world, &report, "push") == 0.25);
    assert_true(rill_report_value(world, &report, "pushes") >= 1);
    assert_true(rill_report_value(world, &report, "iterations_density") >= 1);
    assert_true(report.limit_hit && rill_report_value(world, &report, "limit_hit") == 1);

    rill_summary summary = {0};
    for (int i = 0; i < 3; i++) rill_summary_add(&summary, world, &report);
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    json j = json_start(out);
    json_open(&j, NULL, '{');
    report_put(&j, &summary);
    json_close(&j, '}');
    fclose(out);
    assert_non_null(strstr(text, "\"push_mean_j\": 0.25"));
    assert_non_null(strstr(text, "\"pushes\": 3"));
    assert_non_null(strstr(text, "\"iteration_limit_hits\": 3"));
    assert_non_null(strstr(text, "\"iterations_divergence_mean\": 0"));
    assert_non_null(strstr(text, "\"divergence_error_mean_percent\": null"));
    free(text);
    rill_world_destroy(world);
}

static void test_too_many_columns(void **state)
{
    (void)state;
    rill_world *world = dam_world();
    rill_error err = {0};
    uint32_t first = 0;
    for (int i = 0; i < 20 && !err.status; i++) rill_report_add_columns(world, own_columns, &first, &err);
    assert_int_equal(err.status, RILL_BAD_INPUT);
    assert_int_equal(world->value_count, RILL_METHOD_VALUES_MAX);
    check_sentence(&err);
    rill_world_destroy(world);
}

/* The summary made from the file is the one made from the steps. */
static void test_summaries_agree(void **state)
{
    const char *folder = path_of(*state, "run");
    rill_world *world = dam_world();
    rill_run *run = rill_run_create(folder, world, NULL);
    rill_summary steps = {0}, file;
    for (int i = 0; i < 5; i++) {
        rill_report report;
        assert_int_equal(rill_step(world, NULL, &report, NULL), RILL_OK);
        assert_int_equal(rill_run_write_report(run, world, &report, NULL), RILL_OK);
        rill_summary_add(&steps, world, &report);
    }
    assert_int_equal(rill_run_close(run, NULL), RILL_OK);
    assert_int_equal(rill_run_read_summary(folder, &file, NULL), RILL_OK);
    assert_int_equal(file.rows, 5);
    assert_int_equal(file.count, steps.count);
    for (uint32_t i = 0; i < steps.count; i++) {
        const double a = rill_summary_value_at(&steps, i), b = rill_summary_value(&file, steps.columns[i]->name);
        if (steps.columns[i]->type == RILL_COLUMN_WORD) continue;
        if (!(fabs(a - b) <= 1e-5 * fabs(a))) fail_msg("%s: %g by steps, %g by the file", steps.columns[i]->name, a, b);
    }
    rill_world_destroy(world);
}

/* docs/run.md has what the table says. To write it again: make docs. */
static void test_docs_are_current(void **state)
{
    (void)state;
    char *expected;
    size_t size;
    FILE *out = open_memstream(&expected, &size);
    assert_int_equal(rill_report_reference(out, NULL), RILL_OK);
    fclose(out);
    char *docs = file_get("docs/run.md", NULL), *at = strstr(docs, "<!-- columns");
    assert_non_null(at);
    at = strchr(at, '\n') + 1;
    char *end = strstr(at, "<!-- end of columns");
    assert_non_null(end);
    *end = '\0';
    assert_string_equal(at, expected);
    free(docs);
    free(expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_are_described),
        cmocka_unit_test_setup_teardown(test_file_has_every_column, folder_make, folder_drop),
        cmocka_unit_test_setup_teardown(test_a_method_brings_its_columns, folder_make, folder_drop),
        cmocka_unit_test(test_too_many_columns),
        cmocka_unit_test_setup_teardown(test_summaries_agree, folder_make, folder_drop),
        cmocka_unit_test(test_docs_are_current),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
