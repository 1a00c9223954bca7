/* Aligned memory. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

enum { HUGE_PAGE = 2 << 20 };

void *rill_memory_alloc(size_t bytes)
{
    const bool large = bytes >= 4 * (size_t)HUGE_PAGE;
    const size_t align = large ? HUGE_PAGE : RILL_ALIGNMENT;
    if (bytes > SIZE_MAX - align) return NULL;
    const size_t rounded = bytes ? (bytes + align - 1) / align * align : align;
    void *block = aligned_alloc(align, rounded);
    if (!block) return NULL;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    /* Gathers touch many pages at once; small pages would miss the TLB. */
    if (large) madvise(block, rounded, MADV_HUGEPAGE);
#endif
    memset(block, 0, rounded);
    return block;
}

void rill_memory_free(void *block)
{
    free(block);
}

bool rill_buffer_reserve(rill_buffer *buffer, size_t bytes)
{
    if (bytes <= buffer->bytes) return true;
    const size_t wanted = buffer->bytes ? bytes + bytes / 8 : bytes;
    void *data = rill_memory_alloc(wanted);
    if (!data) return false;
    rill_memory_free(buffer->data);
    buffer->data = data;
    buffer->bytes = wanted;
    return true;
}

void rill_buffer_free(rill_buffer *buffer)
{
    rill_memory_free(buffer->data);
    *buffer = (rill_buffer){0};
}

rill_status rill_memory_fail(rill_error *err, size_t bytes, const char *what)
{
    return rill_fail(err, RILL_NO_MEMORY, "There is no memory for %s (%.1f MB); use fewer particles or a larger machine.",
                     what, (double)bytes / 1e6);
}
