/* The one way to files. Written ones are either whole or not there: they get a temporary name in the same folder, are
 * brought to the disk, then renamed. Nothing is ever written through a symbolic link, and no FIFO or device is waited
 * for. */
#ifndef RILL_BASE_STORE_H
#define RILL_BASE_STORE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "rill/base.h"

/* Everything here stores numbers as they lie in memory and declares them little-endian. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "frames and exports are written on little-endian machines");

#define RILL_STORE_TEMPORARY ".tmp" /* how the name of an unfinished file ends */

typedef struct rill_store {
    char *path, *temporary;
    FILE *file;
    int trouble; /* errno of the first write that failed */
} rill_store;

/* The file under its temporary name. A link at either name is never followed: the rename replaces it. */
rill_status rill_store_open(rill_store *store, const char *path, rill_error *err);

/* Writing never fails at once: the first trouble is kept and commit tells it. */
void rill_store_write(rill_store *store, const void *data, size_t size);
void rill_store_print(rill_store *store, const char *format, ...) RILL_PRINTF(2, 3);
void rill_store_print_list(rill_store *store, const char *format, va_list args) RILL_PRINTF(2, 0);

/* Exactly one of these ends a store that was opened. */
rill_status rill_store_commit(rill_store *store, rill_error *err);
void rill_store_discard(rill_store *store);

/* Removes what killed processes left of unfinished files: those that were to become `path`, or all in a folder where
 * `path` ends in a slash. What another process is writing stays. */
void rill_store_sweep(const char *path);

/* open(), for a file that stays open and grows or is locked: -1 with ELOOP where the path is a link, ENXIO where it is
 * no file. */
int rill_store_open_plain(const char *path, int flags);

/* A file from one block of memory. */
rill_status rill_store_put(const char *path, const void *data, size_t size, rill_error *err);

/* The whole of a file of at most this many bytes, to be freed, with a zero byte after it. A path that is wrong, and
 * what is no file (a folder, a FIFO, a device), is RILL_BAD_INPUT. */
rill_status rill_store_get(const char *path, size_t most, char **data, size_t *size, rill_error *err);

/* Makes renames and new names in the folder of a file last. 0 or an errno. */
int rill_store_sync_folder(const char *path);

/* The sentence for a file that cannot be written. */
rill_status rill_store_fail(rill_error *err, const char *path, int number);

#endif
