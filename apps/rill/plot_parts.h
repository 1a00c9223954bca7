/* What the files of rill plot share: a table read back, a chart, and gnuplot. */
#ifndef RILL_APP_PLOT_PARTS_H
#define RILL_APP_PLOT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "rill/files.h"

/* A table of a run, as numbers. Cells that are no numbers are NaN. */
typedef struct plot_table {
    char **names;
    double **columns; /* as many numbers each as there are rows */
    size_t column_count, rows;
    size_t damaged; /* rows left out: torn, or out of order */
    bool torn;      /* the last line has no end */
} plot_table;

/* Reads a file of a run folder; a failure has been said and is the exit code. */
int plot_table_read(const char *run, const char *name, plot_table *table);
void plot_table_free(plot_table *table);
const double *plot_table_column(const plot_table *table, const char *name); /* NULL: not there */

enum { PLOT_CURVES_MAX = 7, PLOT_TEXT_SIZE = 320 };

typedef enum plot_style { PLOT_LINE, PLOT_FAINT, PLOT_STRONG, PLOT_POINTS } plot_style;

typedef struct plot_curve {
    char label[96];
    double *values;
    unsigned colour; /* 0xRRGGBB */
    plot_style style;
    bool right; /* belongs to the axis on the right */
} plot_curve;

/* A level drawn across the chart: a tolerance, a limit. */
typedef struct plot_level {
    char label[96];
    double value;
} plot_level;

typedef struct plot_chart {
    char name[64]; /* of the files */
    char title[PLOT_TEXT_SIZE], note[PLOT_TEXT_SIZE];
    char unit[96], right_unit[96]; /* what stands along the axes */
    const double *time;            /* s */
    size_t rows;
    plot_curve curves[PLOT_CURVES_MAX];
    size_t curve_count;
    plot_level level;
    bool has_level;
    double decades; /* the axis is logarithmic where the values span more than this factor; 0: never */
    bool from_zero; /* it begins at zero, where it is not logarithmic */
} plot_chart;

void plot_chart_free(plot_chart *chart);

/* What all charts of a run are made from, and what they had to do without. */
typedef struct plot_source {
    const rill_scene *scene;
    plot_table report, probes;
    bool has_probes;
    char absent[PLOT_TEXT_SIZE]; /* columns the report does not have */
    char idle[PLOT_TEXT_SIZE];   /* charts without meaning for the solver */
    bool no_memory;
} plot_source;

/* Fills the chart of this index. False past the last; a chart without curves is not to be drawn. */
bool plot_chart_make(plot_source *source, size_t index, plot_chart *chart);

typedef enum plot_format { PLOT_PNG = 1, PLOT_SVG = 2 } plot_format;

/* The script that makes gnuplot write the picture to its output. */
void plot_script_write(FILE *out, const plot_chart *chart, plot_format format, unsigned width, unsigned height);

/* Runs gnuplot on a script and returns what it wrote, to be freed. A failure has been said and is the exit code. */
int plot_gnuplot(const char *script, size_t script_size, const char *what, char **picture, size_t *size);

#endif
