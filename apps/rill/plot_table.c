/* rill plot: a table of a run folder. */
#include <stdint.h>
#include <stdlib.h>

#include "paths.h"
#include "plot_parts.h"
#include "rill/store.h"

rill_status plot_table_read(const char *run, const char *name, rill_table_data *table, rill_error *err)
{
    path_text path = path_join(run, name);
    char *text = NULL;
    size_t size;
    *table = (rill_table_data){0};
    rill_status status = rill_store_get(path.text, SIZE_MAX, &text, &size, err);
    if (!status) status = rill_table_parse(path.text, text, size, table, err);
    free(text);
    return status;
}
