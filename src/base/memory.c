/* Aligned memory. */
#include "base/memory.h"

#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

enum { PAGE = 4096, HUGE_PAGE = 2 << 20, COLOURS = 61 };

/* Large blocks begin on a page, huge ones on a huge page. Arrays that are read
 * side by side would then compete for the same sets of the cache, so each begins
 * some lines further in, by its address. The block's true start is kept in front
 * of it. */
static void *allocate(size_t bytes, bool zeroed)
{
    const bool large = bytes >= 16 * PAGE, huge = bytes >= 4 * (size_t)HUGE_PAGE;
    const size_t align = huge ? HUGE_PAGE : large ? PAGE : RILL_ALIGNMENT;
    const size_t front = large ? (COLOURS + 1) * RILL_ALIGNMENT : RILL_ALIGNMENT;
    if (bytes > SIZE_MAX - 2 * align - front) return NULL;
    const size_t rounded = (bytes + front + align - 1) / align * align;
    char *block = rill_malloc(rounded + align - 1);
    if (!block) return NULL;
    char *start = block + (align - (uintptr_t)block % align) % align;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    /* Gathers touch many pages at once; small pages would miss the TLB. */
    if (huge) madvise(start, rounded, MADV_HUGEPAGE);
#endif
    if (zeroed) memset(start, 0, rounded);
    const size_t colour = large ? 7 * ((uintptr_t)start / align) % COLOURS : 0;
    char *data = start + (1 + colour) * RILL_ALIGNMENT;
    memcpy(data - sizeof block, &block, sizeof block);
    return data;
}

void *rill_memory_alloc(size_t bytes)
{
    return allocate(bytes, true);
}

void *rill_memory_alloc_raw(size_t bytes)
{
    return allocate(bytes, false);
}

void rill_memory_free(void *data)
{
    if (!data) return;
    void *block;
    memcpy(&block, (char *)data - sizeof block, sizeof block);
    rill_free(block);
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
    return rill_fail(err, RILL_NO_MEMORY,
                     "There is no memory for %s (%.1f MB); use fewer particles or a larger machine.", what,
                     (double)bytes / 1e6);
}
