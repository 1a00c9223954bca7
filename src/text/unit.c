/* Units as products of powers of metre, second, kilogram and radian. Factors
 * are kept as a multiplier and a divisor, so that 27 mm is 27/1000 rounded once
 * and equals 0.027 to the bit. */
#include "text/unit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rill/text.h"
#include "text/chars.h"
#include "text/locale.h"
#include "text/pi.h"

typedef struct powers {
    int length, time, mass, angle;
} powers;

typedef struct kind {
    powers powers;
    const char *noun, *symbol, *example;
    double most; /* the largest that a scene may hold */
} kind;

/* The first rows are the dimensions a parameter can have; the rest only serve to name what was given. */
static const kind kinds[] = {
    [RILL_PLAIN] = {{0, 0, 0, 0}, "a plain number", "", "0.5", RILL_MOST_PLAIN},
    [RILL_LENGTH] = {{1, 0, 0, 0}, "a length", "m", "27 mm", RILL_MOST_LENGTH},
    [RILL_TIME] = {{0, 1, 0, 0}, "a time", "s", "5 ms", RILL_MOST_TIME},
    [RILL_SPEED] = {{1, -1, 0, 0}, "a speed", "m/s", "30 m/s", RILL_MOST_SPEED},
    [RILL_ACCELERATION] = {{1, -2, 0, 0}, "an acceleration", "m/s2", "9.81 m/s2", RILL_MOST_ACCELERATION},
    [RILL_MASS_DENSITY] = {{-3, 0, 1, 0}, "a density", "kg/m3", "998 kg/m3", RILL_MOST_DENSITY},
    [RILL_KINEMATIC_VISCOSITY] = {{2, -1, 0, 0}, "a kinematic viscosity", "m2/s", "1e-6 m2/s",
                                  RILL_MOST_VISCOSITY},
    [RILL_RATE] = {{0, -1, 0, 0}, "a rate", "1/s", "30 Hz", RILL_MOST_RATE},
    [RILL_SURFACE_TENSION] = {{0, -2, 1, 0}, "a surface tension", "N/m", "0.072 N/m", RILL_MOST_TENSION},
    [RILL_ANGLE] = {{0, 0, 0, 1}, "an angle", "rad", "20 deg", RILL_MOST_ANGLE},
    [RILL_SPIN] = {{0, -1, 0, 1}, "an angular speed", "rad/s", "60 rpm", RILL_MOST_SPIN},
    [RILL_ANY_DIMENSION] = {{99, 99, 99, 99}, "a number", "", "0.5", RILL_MOST_PLAIN},
    {{0, 0, 1, 0}, "a mass", "kg", "", 0},
    {{2, 0, 0, 0}, "an area", "m2", "", 0},
    {{3, 0, 0, 0}, "a volume", "m3", "", 0},
    {{-1, -2, 1, 0}, "a pressure", "Pa", "", 0},
    {{-1, -1, 1, 0}, "a dynamic viscosity", "Pa*s", "", 0},
    {{1, -2, 1, 0}, "a force", "N", "", 0},
    {{2, -2, 1, 0}, "an energy", "J", "", 0},
};

typedef struct unit {
    const char *symbol;
    double multiply, divide;
    powers powers;
} unit;

static const unit units[] = {
    {"m", 1, 1, {1, 0, 0, 0}},
    {"km", 1e3, 1, {1, 0, 0, 0}},
    {"dm", 1, 10, {1, 0, 0, 0}},
    {"cm", 1, 100, {1, 0, 0, 0}},
    {"mm", 1, 1e3, {1, 0, 0, 0}},
    {"um", 1, 1e6, {1, 0, 0, 0}},
    {"\u00b5m", 1, 1e6, {1, 0, 0, 0}},
    {"\u03bcm", 1, 1e6, {1, 0, 0, 0}},
    {"nm", 1, 1e9, {1, 0, 0, 0}},
    {"s", 1, 1, {0, 1, 0, 0}},
    {"ms", 1, 1e3, {0, 1, 0, 0}},
    {"us", 1, 1e6, {0, 1, 0, 0}},
    {"\u00b5s", 1, 1e6, {0, 1, 0, 0}},
    {"\u03bcs", 1, 1e6, {0, 1, 0, 0}},
    {"min", 60, 1, {0, 1, 0, 0}},
    {"h", 3600, 1, {0, 1, 0, 0}},
    {"Hz", 1, 1, {0, -1, 0, 0}},
    {"kHz", 1e3, 1, {0, -1, 0, 0}},
    {"fps", 1, 1, {0, -1, 0, 0}},
    {"kg", 1, 1, {0, 0, 1, 0}},
    {"g", 1, 1e3, {0, 0, 1, 0}},
    {"mg", 1, 1e6, {0, 0, 1, 0}},
    {"t", 1e3, 1, {0, 0, 1, 0}},
    {"l", 1, 1e3, {3, 0, 0, 0}},
    {"L", 1, 1e3, {3, 0, 0, 0}},
    {"ml", 1, 1e6, {3, 0, 0, 0}},
    {"N", 1, 1, {1, -2, 1, 0}},
    {"mN", 1, 1e3, {1, -2, 1, 0}},
    {"J", 1, 1, {2, -2, 1, 0}},
    {"Pa", 1, 1, {-1, -2, 1, 0}},
    {"mPa", 1, 1e3, {-1, -2, 1, 0}},
    {"kPa", 1e3, 1, {-1, -2, 1, 0}},
    {"MPa", 1e6, 1, {-1, -2, 1, 0}},
    {"bar", 1e5, 1, {-1, -2, 1, 0}},
    {"St", 1, 1e4, {2, -1, 0, 0}},
    {"cSt", 1, 1e6, {2, -1, 0, 0}},
    {"P", 1, 10, {-1, -1, 1, 0}},
    {"cP", 1, 1e3, {-1, -1, 1, 0}},
    {"rad", 1, 1, {0, 0, 0, 1}},
    {"deg", RILL_PI, 180, {0, 0, 0, 1}},
    {"\u00b0", RILL_PI, 180, {0, 0, 0, 1}},
    {"rpm", RILL_PI, 30, {0, -1, 0, 1}},
    {"%", 1, 100, {0, 0, 0, 0}},
};

const char *rill_unit_noun(rill_dimension dimension)
{
    return kinds[dimension].noun;
}

const char *rill_unit_symbol(rill_dimension dimension)
{
    return kinds[dimension].symbol;
}

double rill_unit_most(rill_dimension dimension)
{
    return kinds[dimension].most;
}

const char *rill_unit_example(rill_dimension dimension)
{
    return kinds[dimension].example;
}

static bool powers_equal(powers a, powers b)
{
    return a.length == b.length && a.time == b.time && a.mass == b.mass && a.angle == b.angle;
}

static const char *powers_noun(powers p)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (powers_equal(kinds[i].powers, p)) return kinds[i].noun;
    return "of another kind";
}

/* What a unit's text comes to. */
typedef struct scale {
    double multiply, divide;
    powers powers;
} scale;

/* Takes a symbol and its power off the front of the text; false when there is none that is known. */
static bool scale_factor(const char **text, int direction, double diameter, scale *s)
{
    const char *start = *text, *end = start;
    while (*end == '%' || isalpha((unsigned char)*end) || (unsigned char)*end >= 0x80) {
        /* Superscript 2 and 3 and the middle dot belong to the grammar, not to the symbol. */
        if (!strncmp(end, "\u00b2", 2) || !strncmp(end, "\u00b3", 2) || !strncmp(end, "\u00b7", 2)) break;
        end++;
    }
    const size_t length = (size_t)(end - start);
    unit found = {.symbol = NULL};
    if (length == 1 && *start == 'd' && diameter > 0) found = (unit){"d", diameter, 1, {1, 0, 0, 0}};
    for (size_t i = 0; i < sizeof units / sizeof *units && length; i++)
        if (strlen(units[i].symbol) == length && !memcmp(units[i].symbol, start, length)) found = units[i];
    if (!found.symbol) return false;

    int power = 1;
    if (!strncmp(end, "\u00b2", 2)) power = 2, end += 2;
    else if (!strncmp(end, "\u00b3", 2)) power = 3, end += 2;
    else if (end[0] == '^' && end[1] >= '1' && end[1] <= '9') power = end[1] - '0', end += 2;
    else if (end[0] >= '1' && end[0] <= '9') power = end[0] - '0', end += 1;
    if (isdigit((unsigned char)*end)) return false;
    for (int i = 0; i < power; i++) {
        s->multiply *= direction > 0 ? found.multiply : found.divide;
        s->divide *= direction > 0 ? found.divide : found.multiply;
    }
    power *= direction;
    s->powers.length += power * found.powers.length;
    s->powers.time += power * found.powers.time;
    s->powers.mass += power * found.powers.mass;
    s->powers.angle += power * found.powers.angle;
    *text = end;
    return true;
}

/* Takes what joins two factors off the front of the text: a product, a quotient, or the gap of "Pa s". What a quotient
 * divides by may stand in brackets. False when the text goes on in no such way. */
static bool scale_join(const char **text, int *direction, bool *inside)
{
    const char *at = *text + strspn(*text, " ");
    if (*at == '/' && !*inside) {
        *direction = -1;
        at += 1 + strspn(at + 1, " ");
        *inside = *at == '(';
        at += *inside;
    } else if (*at == '*' || !strncmp(at, "\u00b7", 2)) {
        at += *at == '*' ? 1 : 2;
        if (!*inside) *direction = 1;
    } else if (at == *text || (*direction < 0 && !*inside)) {
        return false; /* "kg/m s" has two meanings */
    }
    *text = at + strspn(at, " ");
    return true;
}

/* Reads "kg/m3", "m^2/s", "1/s", "Pa*s", "kg/(m s)"; the empty text is a plain number. */
static bool scale_read(const char *text, double diameter, scale *s)
{
    *s = (scale){.multiply = 1, .divide = 1};
    if (!*text) return true;
    int direction = 1;
    bool inside = false;
    if (text[0] == '1') {
        text++;
        if (!scale_join(&text, &direction, &inside) || direction > 0) return false;
    }
    for (int factors = 0; factors < 8; factors++) {
        if (!scale_factor(&text, direction, diameter, s)) return false;
        if (inside && *text == ')') inside = false, text++;
        if (!*text) return !inside;
        if (!scale_join(&text, &direction, &inside)) return false;
    }
    return false;
}

/* The end of the decimal number at the start of text; text itself when there
 * is none. strtod alone would take hexadecimal, "inf" and "nan" as well. */
static const char *number_end(const char *text)
{
    const char *at = text + (*text == '+' || *text == '-');
    size_t digits = strspn(at, "0123456789");
    at += digits;
    if (*at == '.') {
        const size_t decimals = strspn(at + 1, "0123456789");
        digits += decimals;
        at += 1 + decimals;
    }
    if (!digits) return text;
    if (*at == 'e' || *at == 'E') {
        const char *power = at + 1 + (at[1] == '+' || at[1] == '-');
        const size_t power_digits = strspn(power, "0123456789");
        if (power_digits) at = power + power_digits;
    }
    return at;
}

/* True for the spellings of NaN and infinity that YAML and C know. */
static bool is_not_finite(const char *text)
{
    text += *text == '+' || *text == '-';
    text += *text == '.';
    return !strcasecmp(text, "nan") || !strcasecmp(text, "inf") || !strcasecmp(text, "infinity");
}

static bool fail_number(const char *text, rill_dimension wanted, char *why, size_t size)
{
    if (!*text)
        snprintf(why, size, "is empty, but wants %s, such as %s", rill_unit_noun(wanted), rill_unit_example(wanted));
    else if (is_not_finite(text))
        snprintf(why, size, "wants a finite number, but is '%s'", rill_chars_excerpt(text).text);
    else
        snprintf(why, size, "wants %s, but '%s' is not a number", rill_unit_noun(wanted),
                 rill_chars_excerpt(text).text);
    return false;
}

static bool fail_unit(const char *text, const char *symbol, rill_dimension wanted, char *why, size_t size)
{
    if (!strcmp(symbol, "d"))
        snprintf(why, size, "cannot be given in particle diameters, as in '%s'", rill_chars_excerpt(text).text);
    else
        snprintf(why, size, "wants %s, such as %s, but '%s' in '%s' is not a known unit", rill_unit_noun(wanted),
                 rill_unit_example(wanted), rill_chars_excerpt(symbol).text, rill_chars_excerpt(text).text);
    return false;
}

static const powers dynamic_viscosity = {-1, -1, 1, 0};

bool rill_unit_read(const char *text, rill_dimension wanted, rill_unit_scale known, double *value, char *why,
                    size_t size)
{
    const char *end = number_end(text);
    if (end == text) return fail_number(text, wanted, why, size);
    const double number = strtod(text, NULL);
    const char *symbol = end + strspn(end, " \t");
    scale s;
    if (!scale_read(symbol, known.diameter, &s)) return fail_unit(text, symbol, wanted, why, size);
    if (wanted == RILL_KINEMATIC_VISCOSITY && known.density > 0 && powers_equal(s.powers, dynamic_viscosity)) {
        s.powers = kinds[wanted].powers;
        s.divide *= known.density;
    }
    if (*symbol && wanted != RILL_ANY_DIMENSION && !powers_equal(s.powers, kinds[wanted].powers)) {
        snprintf(why, size, "wants %s, but '%s' is %s", rill_unit_noun(wanted), rill_chars_excerpt(text).text,
                 powers_noun(s.powers));
        return false;
    }
    *value = number * s.multiply / s.divide;
    if (isfinite(*value)) return true;
    snprintf(why, size, "wants a finite number, but '%s' is too large", rill_chars_excerpt(text).text);
    return false;
}

rill_status rill_unit_parse(const char *text, const char *in, double *value, rill_error *err)
{
    char why[200];
    int wanted = 0;
    while (wanted < RILL_ANY_DIMENSION && strcmp(kinds[wanted].symbol, in)) wanted++;
    if (wanted == RILL_ANY_DIMENSION)
        return rill_fail(err, RILL_BAD_INPUT, "cannot be in '%s', which is no unit here", in);
    rill_locale locale = rill_locale_begin();
    const bool good = rill_unit_read(text, (rill_dimension)wanted, (rill_unit_scale){0}, value, why, sizeof why);
    rill_locale_end(&locale);
    return good ? RILL_OK : rill_fail(err, RILL_BAD_INPUT, "%s", why);
}
