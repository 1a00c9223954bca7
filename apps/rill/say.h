/* What the program says: errors of one sentence, and numbers people can read. */
#ifndef RILL_APP_SAY_H
#define RILL_APP_SAY_H

#include <stddef.h>
#include <stdint.h>

#include <stdbool.h>

#include "rill/base.h"

/* "rill: sentence" on stderr; returns the exit code given, so that callers can `return say_error(...)`. */
int say_error(int exit_code, const char *format, ...) RILL_PRINTF(2, 3);

/* Whether an exit code other than 0 was told so. */
bool say_has_failed(void);

/* The program as it was called, quoted where it must be, so that hints work when pasted. */
const char *say_program(void);

/* The library's sentence, and the exit code of its status. */
int say_failure(const rill_error *err);
/* Likewise of a file that the user made: what is wrong in it is the user's mistake, not the machine's. */
int say_bad_file(const rill_error *err);

/* Readable numbers, each in a small buffer that the caller can use in one expression. */
typedef struct say_text {
    char text[48];
} say_text;
say_text say_count(uint64_t count);     /* 1 234 567 */
say_text say_many(uint64_t count, const char *noun); /* 1 particle, 2 particles */
say_text say_bytes(uint64_t bytes);     /* 1.4 GB */
say_text say_duration(double seconds);  /* 2 min 5 s */
say_text say_length(double metres);     /* 20 mm */

#endif
