/* What a test leaves out, and why: tools/run-tests lists it after the tests. */
#ifndef RILL_TESTS_LEAVE_OUT_H
#define RILL_TESTS_LEAVE_OUT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

static inline void leave_out(const char *what)
{
    print_message("left out: %s\n", what);
}

/* Sanitizers and Valgrind make the same work ten times slower. */
static inline bool slow_build(void)
{
    return getenv("RILL_SLOW_BUILD") != NULL;
}

/* Whether to leave this out because the build is slow. */
static inline bool too_slow_for(const char *what)
{
    if (slow_build()) print_message("left out: %s; this build is too slow\n", what);
    return slow_build();
}

#endif
