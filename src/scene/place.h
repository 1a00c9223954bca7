/* Places: where a value of a scene was written, for errors that point at it. */
#ifndef RILL_SCENE_PLACE_H
#define RILL_SCENE_PLACE_H

#include "rill/base.h"

/* Where a value was written: a file's line and column (0: nowhere in particular), or a setting. */
typedef struct rill_place {
    const char *label;
    const char *setting; /* NULL: in the file */
    unsigned line, column;
} rill_place;

/* Fails with "label:line:column: ..." or "setting '...': ...". */
rill_status rill_place_fail(const rill_place *place, rill_error *err, const char *format, ...) RILL_PRINTF(3, 4);
rill_status rill_place_no_memory(rill_error *err);

#endif
