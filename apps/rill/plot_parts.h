/* What the files of rill plot share: a table of a run, a chart, and gnuplot. */
#ifndef RILL_APP_PLOT_PARTS_H
#define RILL_APP_PLOT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "rill/frames.h"

enum { PLOT_CURVES_MAX = 7, PLOT_TEXT_SIZE = 320 };

/* Okabe and Ito's colours, which people see apart whatever their eyes; yellow is too faint on white. */
enum {
    BLUE = 0x0072b2,
    RED = 0xd55e00,
    GREEN = 0x009e73,
    ORANGE = 0xe69f00,
    SKY = 0x56b4e9,
    PINK = 0xcc79a7,
    GREY = 0x999999
};
unsigned plot_colour(size_t index); /* one of them for each of several curves */

typedef enum plot_style { PLOT_LINE, PLOT_FAINT, PLOT_STRONG, PLOT_POINTS } plot_style;

typedef struct plot_curve {
    char label[96];
    double *values;
    const double *at; /* where they lie along the chart's axis; NULL: at the chart's times */
    size_t rows;      /* how many, where they have places of their own */
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
    char along[96];                /* what stands along the axis below; empty: time */
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
    rill_table_data report, probes;
    bool has_probes;
    char absent[PLOT_TEXT_SIZE]; /* columns the report does not have */
    char idle[PLOT_TEXT_SIZE];   /* charts without meaning for the solver */
    bool no_memory;
} plot_source;

/* The unit of a column of the report, and the text of an axis for it, as "density error (%)". */
const char *plot_unit(const char *column);
void plot_axis(char *axis, size_t size, const char *column);

/* Fills the chart of this index. False past the last; a chart without curves is not to be drawn. */
bool plot_chart_make(plot_source *source, size_t index, plot_chart *chart);

/* Parts of a whole side by side, one stack for each of several things. */
enum { PLOT_STACKS_MAX = 16, PLOT_LAYERS_MAX = 12 };

typedef struct plot_stacks {
    char name[64]; /* of the files */
    char title[PLOT_TEXT_SIZE], note[PLOT_TEXT_SIZE], unit[96];
    const char *labels[PLOT_STACKS_MAX], *layers[PLOT_LAYERS_MAX];
    double heights[PLOT_STACKS_MAX][PLOT_LAYERS_MAX];
    size_t count, layer_count;
} plot_stacks;


typedef enum plot_format { PLOT_PNG = 1, PLOT_SVG = 2 } plot_format;

typedef struct plot_sheet {
    plot_format format;
    unsigned width, height; /* pixels */
} plot_sheet;

/* Writes the script that makes gnuplot write a picture to its output. */
typedef void plot_writer(FILE *out, const void *what, const plot_sheet *sheet);
plot_writer plot_chart_write;  /* of a plot_chart */
plot_writer plot_stacks_write; /* of plot_stacks */

/* What the scripts share: the kind of picture, and title and note above it. */
void plot_sheet_write(FILE *out, const plot_sheet *sheet, const char *title, const char *note);
void plot_text_write(FILE *out, const char *text); /* a string as gnuplot takes it */

/* Draws something in each format of a set into a folder, and names the files on `drawn`, which may be NULL. A failure
 * has been said and is the exit code. */
typedef struct plot_target {
    const char *folder;
    unsigned formats, width, height;
    FILE *drawn;
} plot_target;
int plot_draw(const plot_target *target, const char *name, plot_writer *write, const void *what);

/* Whether gnuplot is there; says so and returns an exit code where it is not. */
int plot_check(void);

/* Runs gnuplot on a script and returns the whole picture it drew, to be freed. A failure has been said and is the exit
 * code. */
int plot_gnuplot(const char *script, size_t script_size, plot_format format, const char *what, char **picture,
                 size_t *size);

#endif
