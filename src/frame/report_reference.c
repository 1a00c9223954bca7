/* The part of docs/run.md about the columns of report.csv and probes.csv, from the tables of the report and of the
 * probes themselves. */
#include <errno.h>
#include <string.h>

#include "rill/frames.h"

static const char *over_run_word(rill_over_run over)
{
    static const char *const words[] = {[RILL_OVER_NONE] = "", [RILL_OVER_LAST] = "last", [RILL_OVER_MEAN] = "mean",
                                        [RILL_OVER_MAX] = "largest", [RILL_OVER_SUM] = "sum"};
    return words[over];
}

static void row_write(FILE *out, const rill_column *column)
{
    fprintf(out, "| `%s` | %s | %s | ", column->name, column->unit, over_run_word(column->over_run));
}

/* A column that several methods have stands where the first of them has it. */
static bool is_first(const rill_column *column)
{
    uint32_t i = 0;
    while (strcmp(rill_column_known(i, NULL)->name, column->name)) i++;
    return rill_column_known(i, NULL) == column;
}

static void methods_write(FILE *out, const rill_column *column)
{
    const rill_column *other;
    const char *method, *separator = "";
    for (uint32_t i = 0; (other = rill_column_known(i, &method)); i++) {
        if (!method || strcmp(other->name, column->name)) continue;
        fprintf(out, "%s`%s`", separator, method);
        separator = ", ";
    }
}

/* A kind whose columns depend on the quantity comes once for each. */
static void probes_write(FILE *out)
{
    const char *kind;
    fputs("\nProbes have columns in probes.csv, by the probe's name and an ending:\n\n"
          "| probe | column | unit | what |\n| --- | --- | --- | --- |\n", out);
    for (uint32_t k = 0; (kind = rill_probe_kind(k)); k++) {
        const rill_column *before = NULL;
        for (int of = RILL_DENSITY; of <= RILL_VELOCITY; of++) {
            rill_probe probe = rill_probe_default();
            snprintf(probe.kind, sizeof probe.kind, "%s", kind);
            probe.of = (rill_quantity)of;
            const rill_column *column = rill_probe_column(&probe, 0);
            if (column == before) break;
            before = column;
            for (uint32_t v = 0; (column = rill_probe_column(&probe, v)); v++)
                fprintf(out, "| `%s` | `NAME%s` | %s | %s |\n", kind, column->name, column->unit, column->about);
        }
    }
}

rill_status rill_report_reference(FILE *out, rill_error *err)
{
    const rill_column *column;
    const char *method;
    fputs("| column | unit | of a run | what |\n| --- | --- | --- | --- |\n", out);
    for (uint32_t i = 0; (column = rill_column_known(i, &method)); i++) {
        if (method) continue;
        row_write(out, column);
        fprintf(out, "%s |\n", column->about);
    }
    fputs("\nSolvers and forces have columns of their own, which follow `particles` where the run has the method:\n\n"
          "| column | unit | of a run | method | what |\n| --- | --- | --- | --- | --- |\n", out);
    for (uint32_t i = 0; (column = rill_column_known(i, &method)); i++) {
        if (!method || !is_first(column)) continue;
        row_write(out, column);
        methods_write(out, column);
        fprintf(out, " | %s |\n", column->about);
    }
    probes_write(out);
    if (fflush(out) || ferror(out))
        return rill_fail(err, RILL_IO_FAILED, "The reference of reports could not be written: %s.", strerror(errno));
    return RILL_OK;
}
