/* Decimal numbers in text, whatever the locale. */
#ifndef RILL_TEXT_NUMBER_H
#define RILL_TEXT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Reads a decimal number with a point and moves behind it; false when there is none. */
bool rill_number_read(const char **at, const char *end, double *number);

/* The same for a whole number that is not negative. */
bool rill_number_read_count(const char **at, const char *end, uint64_t *count);

/* The shortest decimal that reads back to the same double; needs the plain locale. */
typedef struct rill_digits {
    char text[32];
} rill_digits;
rill_digits rill_number_digits(double value);

#endif
