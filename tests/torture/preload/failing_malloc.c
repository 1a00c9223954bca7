/* Preloaded into the program: one of its allocations fails, or all from one on,
 * the libraries' among them. Allocations count from the start of main.
 *
 * RILL_FAIL_IN     name of the program; others, such as a child, are left alone
 * RILL_FAIL_AT     which allocation fails, counted from 1; 0 for none
 * RILL_FAIL_REST   1: all later ones fail, too
 * RILL_FAIL_COUNT  a file that gets the number of allocations at the end, then the
 *                  first one of each place: of each chain of calls that leads to one */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The C library's own, under the names it keeps for this. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum { PLACES_MAX = 1 << 16, CALLS_MAX = 48 };
typedef struct place {
    atomic_ulong chain; /* hash of the calls; 0: free */
    long first;         /* allocation */
} place;

static atomic_long done;
static long fail_at;
static bool fail_rest, active;
static const char *count_path;
static place places[PLACES_MAX];
static _Thread_local bool noting; /* allocations neither count nor fail */
static int (*real_main)(int count, char **words, char **environment);

/* Notes the place of allocation `number` where it is new. */
static void place_note(long number)
{
    if (noting) return;
    noting = true; /* finding the calls may allocate */
    void *calls[CALLS_MAX];
    const int depth = backtrace(calls, CALLS_MAX);
    noting = false;
    unsigned long chain = 14695981039346656037u;
    for (int i = 0; i < depth; i++) chain = (chain ^ (unsigned long)calls[i]) * 1099511628211u;
    chain += !chain;
    for (unsigned long k = chain; k < chain + PLACES_MAX; k++) {
        place *at = &places[k % PLACES_MAX];
        unsigned long seen = 0;
        if (atomic_compare_exchange_strong(&at->chain, &seen, chain)) at->first = number;
        if (!seen || seen == chain) return;
    }
}

static bool fails(void)
{
    if (!active || noting) return false;
    const long number = atomic_fetch_add(&done, 1) + 1;
    if (count_path) place_note(number);
    if (!fail_at || (fail_rest ? number < fail_at : number != fail_at)) return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return fails() ? NULL : __libc_realloc(block, size);
}

void *reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, bytes);
}

void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    void *made = memalign(alignment, size);
    if (!made) return ENOMEM;
    *block = made;
    return 0;
}

/* While it loads a library the C library's own allocations succeed: glibc 2.36 crashes where it cannot keep the record
 * of a failed load, and Embree looks for libraries that need not be there. */
void *dlopen(const char *file, int mode)
{
    void *(*open)(const char *, int);
    *(void **)&open = dlsym(RTLD_NEXT, "dlopen");
    const bool before = noting;
    noting = true;
    void *library = open(file, mode);
    noting = before;
    return library;
}

static void count_write(void)
{
    active = false;
    FILE *file = count_path ? fopen(count_path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", atomic_load(&done));
    for (int k = 0; k < PLACES_MAX; k++)
        if (places[k].first) fprintf(file, "%ld\n", places[k].first);
    fclose(file);
}

static int counted_main(int count, char **words, char **environment)
{
    const char *name = getenv("RILL_FAIL_IN"), *at = getenv("RILL_FAIL_AT"), *rest = getenv("RILL_FAIL_REST");
    fail_at = at ? atol(at) : 0;
    fail_rest = rest && atol(rest);
    if (name && !strcmp(name, program_invocation_short_name)) {
        count_path = getenv("RILL_FAIL_COUNT");
        atexit(count_write);
        active = true;
    }
    return real_main(count, words, environment);
}

/* The C library starts the program by this; loading it is over by then. */
int __libc_start_main(int (*main)(int, char **, char **), int count, char **words, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

int __libc_start_main(int (*main)(int, char **, char **), int count, char **words, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    int (*start)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return start(counted_main, count, words, init, fini, rtld_fini, stack_end);
}
