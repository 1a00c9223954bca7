/* The parts of `rill compare`: a row for each solver, the table, the plots. */
#ifndef RILL_APP_COMPARE_PARTS_H
#define RILL_APP_COMPARE_PARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "paths.h"
#include "plot_parts.h"
#include "rill/frames.h"

enum { COMPARE_MAX = RILL_CURVES_MAX };

/* What one solver did. Figures of a solver that did not take a step are NaN. */
typedef struct compare_row {
    const char *solver;
    path_text folder;           /* its run */
    char reason[480];           /* why it did not come to its end; empty: it did */
    rill_table_data report;          /* a row a step */
    double start_energy, start_volume, end_volume; /* J, m3; before the first step */
    double steps, simulated;    /* s */
    double iterations_mean, iterations_max; /* a step, of all its loops */
    double density_mean, density_max;       /* of the iterations for density alone */
    double divergence_mean, divergence_max; /* of those for divergence */
    double limit_hits;          /* steps that ended at the limit of iterations */
    double error_mean, error_max, error_worst; /* compression, %: mean over steps, worst step, worst particle */
    double wall;                /* s, all of it */
    double phases[RILL_PHASE_MAX], write; /* s */
    double kinetic, potential, energy_change, energy_percent; /* J at the end; the sum's change */
    double volume_drift;        /* % */
    double lost;                /* particles outside every container at the end */
} compare_row;

typedef struct compare {
    rill_scene scene; /* as the first solver got it */
    path_text folder;
    bool said; /* what is compared */
    uint64_t particles;
    unsigned threads;
    compare_row rows[COMPARE_MAX];
    size_t count;
    bool drawn; /* there are plots */
} compare;

/* Fills the figures of a row from its report; without steps they are NaN. */
void compare_row_fill(compare_row *row);

/* The table as text people read, also as markdown; as CSV; as JSON. */
void compare_print(const compare *c, FILE *out);
void compare_put_markdown(const compare *c, FILE *out);
void compare_put_csv(const compare *c, FILE *out);
void compare_put_json(const compare *c, FILE *out);

/* Draws the plots into the folder; false when that could not be, which has been said. */
int compare_draw(compare *c);

#endif
