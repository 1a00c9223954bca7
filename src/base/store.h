/* The one way to files: rill/store.h, and what only the library needs of it. */
#ifndef RILL_BASE_STORE_H
#define RILL_BASE_STORE_H

#include <stdarg.h>
#include <stdbool.h>

#include "rill/store.h"

/* Everything here stores numbers as they lie in memory and declares them little-endian. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "frames and exports are written on little-endian machines");

void rill_store_print_list(rill_store *store, const char *format, va_list args) RILL_PRINTF(2, 0);

/* open(), for a file that stays open and grows or is locked: -1 with ELOOP where the path is a link, ENXIO where it is
 * no file. */
int rill_store_open_plain(const char *path, int flags);

/* Makes renames and new names in the folder of a file last. 0 or an errno. */
int rill_store_sync_folder(const char *path);

/* The sentence for a file that cannot be written. */
rill_status rill_store_fail(rill_error *err, const char *path, int number);

#endif
