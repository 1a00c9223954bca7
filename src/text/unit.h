/* Numbers with units: what kind of quantity a text is, and its value in SI. */
#ifndef RILL_TEXT_UNIT_H
#define RILL_TEXT_UNIT_H

#include <stdbool.h>
#include <stddef.h>

/* The largest numbers of a scene, by what they measure. Passes work in single precision, which ends at 3e38: these
 * leave room for squares and for the products that passes form, and nothing that flows comes near them. */
#define RILL_MOST_LENGTH 1e9       /* m */
#define RILL_MOST_TIME 1e12        /* s */
#define RILL_MOST_SPEED 1e9        /* m/s */
#define RILL_MOST_SEED 1000000000
#define RILL_MOST_ACCELERATION 1e9 /* m/s2 */
#define RILL_MOST_DENSITY 1e9      /* kg/m3 */
#define RILL_MOST_VISCOSITY 1e9    /* m2/s */
#define RILL_MOST_RATE 1e9         /* 1/s */
#define RILL_MOST_TENSION 1e9      /* N/m */
#define RILL_MOST_ANGLE 1e9        /* rad */
#define RILL_MOST_SPIN 1e9         /* rad/s */
#define RILL_MOST_PLAIN 1e9

typedef enum rill_dimension {
    RILL_PLAIN, /* a plain number or a share, such as 0.5 or 50 % */
    RILL_LENGTH,
    RILL_TIME,
    RILL_SPEED,
    RILL_ACCELERATION,
    RILL_MASS_DENSITY,
    RILL_KINEMATIC_VISCOSITY,
    RILL_RATE,
    RILL_SURFACE_TENSION,
    RILL_ANGLE,
    RILL_SPIN,
    RILL_ANY_DIMENSION /* whatever the text says */
} rill_dimension;

const char *rill_unit_noun(rill_dimension dimension);    /* "a length" */
const char *rill_unit_symbol(rill_dimension dimension);  /* "m"; "" for a plain number */
const char *rill_unit_example(rill_dimension dimension); /* "27 mm" */

double rill_unit_most(rill_dimension dimension);         /* the largest that a scene may hold, in SI */

/* Reads all of text as a number with or without a unit; without one it is
 * taken as SI. `d` stands for scale.diameter metres, and is refused where that
 * is 0; a dynamic viscosity is divided by scale.density where a kinematic one is
 * wanted and the density is known. On failure `why` holds the rest of a sentence about the parameter, such
 * as "wants a length, but '5 ms' is a time". */
typedef struct rill_unit_scale {
    double diameter; /* m; 0: not known */
    double density;  /* kg/m3; 0: not known */
} rill_unit_scale;
bool rill_unit_read(const char *text, rill_dimension wanted, rill_unit_scale scale, double *value, char *why,
                    size_t size);

#endif
