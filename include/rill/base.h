/* Status, errors, plain vectors and the hooks a host program may replace.
 * The library never prints, exits or aborts: what goes wrong outside it comes
 * back as a status and a full sentence in a rill_error. In librill, which needs libc,
 * libm and POSIX threads. Pointers must not be NULL unless a comment says so; err
 * always may be. */
#ifndef RILL_BASE_H
#define RILL_BASE_H

#include <stddef.h>
#include <stdint.h>

#define RILL_VERSION_MAJOR 0
#define RILL_VERSION_MINOR 1
#define RILL_VERSION_PATCH 0
#define RILL_VERSION "0.1.0"

#if defined(__GNUC__)
#define RILL_API __attribute__((visibility("default")))
#define RILL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define RILL_API
#define RILL_PRINTF(fmt, args)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that was linked; RILL_VERSION is that of the headers. */
RILL_API const char *rill_version(void);

/* Whose trouble it is: the caller's input, or the machine's. */
typedef enum rill_status {
    RILL_OK = 0,
    RILL_BAD_INPUT, /* a scene, file or argument that makes no sense */
    RILL_NO_MEMORY, /* the machine has too little memory */
    RILL_IO_FAILED, /* a file could not be read or written */
    RILL_BAD_FILE,  /* a file is damaged or of another format */
    RILL_TROUBLE,   /* the simulation produced a NaN or a runaway and the scene says stop */
    RILL_CANCELLED  /* a callback of the host said stop */
} rill_status;

/* Filled where a call fails, and left as it was where it does not. */
typedef struct rill_error {
    rill_status status;
    char text[480]; /* one sentence: what is wrong, where, what to do */
} rill_error;

/* Fills err and returns status, so that callers can write
 * `return rill_fail(err, RILL_BAD_INPUT, "...")`. */
RILL_API rill_status rill_fail(rill_error *err, rill_status status, const char *format, ...) RILL_PRINTF(3, 4);

typedef struct rill_vec3 {
    double x, y, z;
} rill_vec3;

/* A box along the axes. */
typedef struct rill_bounds {
    rill_vec3 low, high;
} rill_bounds;

/* ---- memory ---- */

/* Where the library takes its memory from, for all its parts and for as long as the process lives. All three functions
 * are called from several threads at once and keep to what malloc, realloc and free promise: blocks are aligned for any
 * type, NULL means that there is no memory, which the library survives. alloc is never asked for 0 bytes, realloc and
 * free are never given NULL. What other libraries take for themselves (libc's streams, zlib, libyaml, libpng, Embree)
 * is not among it. */
typedef struct rill_allocator {
    void *(*alloc)(void *user, size_t bytes);
    void *(*realloc)(void *user, void *block, size_t bytes);
    void (*free)(void *user, void *block);
    void *user;
} rill_allocator;

/* To be called before any other function of rill, and not while another thread is in one: a block must go back to where
 * it came from. The struct is copied. NULL, as at first: malloc, calloc, realloc and free. */
RILL_API void rill_allocator_set(const rill_allocator *allocator);

/* Frees what the library hands out as a block of memory, such as a text or a list of numbers. NULL is fine. */
RILL_API void rill_free(void *block);

/* What the library itself calls: for blocks that it is to free, such as the arrays of a frame that is made by hand. */
RILL_API void *rill_malloc(size_t bytes);
RILL_API void *rill_calloc(size_t count, size_t size); /* zeroed */
RILL_API void *rill_realloc(void *block, size_t bytes);

/* ---- threads ---- */

/* Replaces the built-in pool of threads: call body(context, i, worker) once for
 * every i in [0, count), in any order, on any thread, and return when all are
 * done. worker is in [0, workers) and unique among the calls running at one
 * time. The results do not depend on how the work is spread. */
typedef void rill_loop_body(void *context, size_t i, unsigned worker);
typedef struct rill_scheduler {
    void (*parallel_for)(void *user, size_t count, rill_loop_body *body, void *context);
    void *user;
    unsigned workers;
} rill_scheduler;

#ifdef __cplusplus
}
#endif
#endif
