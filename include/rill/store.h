/* Files that are whole or not there. A file that is written has a temporary name in
 * the same folder until it is on the disk, and is renamed then: whoever reads it, and
 * whatever happens to the machine, finds the old one or the new one. Nothing is ever
 * written through a symbolic link, and no FIFO or device is waited for. In librill.
 * Pointers must not be NULL unless a comment says so; err always may be. */
#ifndef RILL_STORE_H
#define RILL_STORE_H

#include <stdio.h>

#include "rill/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the name of an unfinished file ends. */
#define RILL_STORE_TEMPORARY ".tmp"

/* A file that is being written. rill_store_open fills it. */
typedef struct rill_store {
    char *path, *temporary;
    FILE *file;  /* to write to, with rill_store_write, with rill_store_print or by other means */
    int trouble; /* errno of the first write that failed */
    uint64_t room[4]; /* for members to come; 0 */
} rill_store;

/* Opens the file under its temporary name. A link at either name is not followed: the rename replaces it. */
RILL_API rill_status rill_store_open(rill_store *store, const char *path, rill_error *err);

/* Writing does not fail at once: the first trouble is kept, and commit tells it. */
RILL_API void rill_store_write(rill_store *store, const void *data, size_t size);
RILL_API void rill_store_print(rill_store *store, const char *format, ...) RILL_PRINTF(2, 3);

/* One of these ends a store that was opened: the file gets its name, or leaves nothing. */
RILL_API rill_status rill_store_commit(rill_store *store, rill_error *err);
RILL_API void rill_store_discard(rill_store *store);

/* Removes what killed processes left of unfinished files: of those that were to become `path`, or of all in a folder
 * where `path` ends in a slash. What another process is writing stays. */
RILL_API void rill_store_sweep(const char *path);

/* A file from one block of memory. */
RILL_API rill_status rill_store_put(const char *path, const void *data, size_t size, rill_error *err);

/* The whole of a file of at most so many bytes, for rill_free, with a zero byte after it. A path that is wrong, and
 * what is no file (a folder, a FIFO, a device), is RILL_BAD_INPUT. */
RILL_API rill_status rill_store_get(const char *path, size_t most, char **data, size_t *size, rill_error *err);

#ifdef __cplusplus
}
#endif
#endif
