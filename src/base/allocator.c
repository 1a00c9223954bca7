/* Where the library's memory comes from. In a file of its own, which no other library copies: there is one hook in a
 * process. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rill/base.h"

/* Set before anything else is called, and only read from then on. Without functions: libc's. */
static rill_allocator hook;

void rill_allocator_set(const rill_allocator *allocator)
{
    hook = allocator ? *allocator : (rill_allocator){0};
}

/* No block has no bytes: some allocators would give NULL for it. */
static size_t at_least_one(size_t bytes)
{
    return bytes + !bytes;
}

/* The hook's block, or NULL with the errno that libc's functions leave. */
static void *checked(void *block)
{
    if (!block) errno = ENOMEM;
    return block;
}

void *rill_malloc(size_t bytes)
{
    if (!hook.alloc) return malloc(at_least_one(bytes));
    return checked(hook.alloc(hook.user, at_least_one(bytes)));
}

void *rill_calloc(size_t count, size_t size)
{
    if (!hook.alloc) return calloc(at_least_one(count), at_least_one(size));
    void *block = size && count > SIZE_MAX / size ? NULL : hook.alloc(hook.user, at_least_one(count * size));
    if (block) memset(block, 0, count * size);
    return checked(block);
}

void *rill_realloc(void *block, size_t bytes)
{
    if (!hook.alloc) return realloc(block, at_least_one(bytes));
    if (!block) return rill_malloc(bytes);
    return checked(hook.realloc(hook.user, block, at_least_one(bytes)));
}

void rill_free(void *block)
{
    if (!block) return;
    if (hook.alloc) hook.free(hook.user, block);
    else free(block);
}
