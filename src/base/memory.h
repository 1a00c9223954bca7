/* Aligned memory. */
#ifndef RILL_BASE_MEMORY_H
#define RILL_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "rill/base.h"

enum { RILL_ALIGNMENT = 64 };

/* Zeroed, aligned to a cache line, on huge pages where the block is large.
 * NULL when there is none. Free with rill_memory_free. */
void *rill_memory_alloc(size_t bytes);
/* The same with whatever it holds: what is never touched costs nothing. */
void *rill_memory_alloc_raw(size_t bytes);
void rill_memory_free(void *block);

/* A growable buffer whose contents need not survive growth. */
typedef struct rill_buffer {
    void *data;
    size_t bytes;
} rill_buffer;

/* Makes room for at least `bytes`, with a little headroom. False when there is no memory; the buffer then stays. */
bool rill_buffer_reserve(rill_buffer *buffer, size_t bytes);
void rill_buffer_free(rill_buffer *buffer);

rill_status rill_memory_fail(rill_error *err, size_t bytes, const char *what);

#endif
