/* What the files of rill plot share: scripts for gnuplot, and running it. */
#ifndef RILL_APP_PLOT_PARTS_H
#define RILL_APP_PLOT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "rill/chart.h"

/* Parts of a whole side by side, one stack for each of several things. */
enum { PLOT_STACKS_MAX = 16, PLOT_LAYERS_MAX = 12 };

typedef struct plot_stacks {
    char name[64]; /* of the files */
    char title[RILL_CHART_TEXT], note[RILL_CHART_TEXT], unit[96];
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
plot_writer plot_chart_write;  /* of a rill_chart */
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
