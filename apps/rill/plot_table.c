/* rill plot: a table of a run folder. */
#include <stdint.h>
#include <stdlib.h>

#include "base/store.h"
#include "command.h"
#include "paths.h"
#include "plot_parts.h"
#include "say.h"

int plot_table_read(const char *run, const char *name, rill_table_data *table)
{
    path_text path = path_join(run, name);
    rill_error err = {0};
    char *text;
    size_t size;
    *table = (rill_table_data){0};
    if (rill_store_get(path.text, SIZE_MAX, &text, &size, &err)) return say_failure(&err);
    rill_status status = rill_table_parse(path.text, text, size, table, &err);
    free(text);
    return status ? say_failure(&err) : EXIT_FINE;
}
