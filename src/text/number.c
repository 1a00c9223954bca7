/* Decimal numbers out of text that may be anything, hundreds of millions of
 * them: no locale, no copies, never past the end. */
#include "text/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

bool rill_number_read_count(const char **at, const char *end, uint64_t *count)
{
    const char *c = *at;
    *count = 0;
    if (!is_digit(c, end)) return false;
    for (; is_digit(c, end); c++) {
        const uint64_t digit = (uint64_t)(*c - '0');
        if (*count > (UINT64_MAX - digit) / 10) return false;
        *count = 10 * *count + digit;
    }
    *at = c;
    return true;
}

/* nan and inf, as programs print them. */
static bool word_read(const char **at, const char *end, double *number)
{
    static const struct {
        const char *word;
        int length;
        double number;
    } words[] = {{"infinity", 8, INFINITY}, {"inf", 3, INFINITY}, {"nan", 3, NAN}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (end - *at < words[i].length || strncasecmp(*at, words[i].word, (size_t)words[i].length)) continue;
        *at += words[i].length;
        *number = words[i].number;
        return true;
    }
    return false;
}

/* e-12, E+3, and d as Fortran has it; nothing when no digit follows. */
static int exponent_read(const char **at, const char *end)
{
    const char *c = *at;
    int exponent = 0;
    bool negative = false;
    if (c == end || (*c != 'e' && *c != 'E' && *c != 'd' && *c != 'D')) return 0;
    if (++c < end && (*c == '+' || *c == '-')) negative = *c++ == '-';
    if (!is_digit(c, end)) return 0;
    for (; is_digit(c, end); c++)
        if (exponent < 10000) exponent = 10 * exponent + (*c - '0');
    *at = c;
    return negative ? -exponent : exponent;
}

/* Up to 22 a power of ten is a double exactly. */
static double scale(uint64_t digits, int tens)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!digits) return 0;
    if (tens >= 0 && tens <= 22) return (double)digits * powers[tens];
    if (tens < 0 && tens >= -22) return (double)digits / powers[-tens];
    return (double)((long double)digits * powl(10, tens));
}

bool rill_number_read(const char **at, const char *end, double *number)
{
    const char *c = *at;
    bool negative = false, any = false;
    uint64_t digits = 0;
    int tens = 0;
    if (c < end && (*c == '+' || *c == '-')) negative = *c++ == '-';
    for (bool point = false; c < end; c++) {
        if (*c == '.' && !point) {
            point = true;
            continue;
        }
        if (!is_digit(c, end)) break;
        any = true;
        if (digits < 1000000000000000000u) {
            digits = 10 * digits + (uint64_t)(*c - '0');
            tens -= point;
        } else {
            tens += !point;
        }
    }
    if (any) *number = scale(digits, tens + exponent_read(&c, end));
    else if (!word_read(&c, end, number)) return false;
    if (negative) *number = -*number;
    *at = c;
    return true;
}

rill_digits rill_number_digits(double value)
{
    rill_digits digits;
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits.text, sizeof digits.text, "%.*g", precision, value);
        if (strtod(digits.text, NULL) == value) break;
    }
    return digits;
}
