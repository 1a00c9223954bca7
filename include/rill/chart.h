/* The figures of a run as charts: curves over time with titles, axes and notes, for any
 * program that draws. `rill plot` draws these with gnuplot. In librill_frames. Pointers
 * must not be NULL unless a comment says so; err always may be. */
#ifndef RILL_CHART_H
#define RILL_CHART_H

#include "rill/frames.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RILL_CURVES_MAX = 7, RILL_CHART_TEXT = 320 };

/* Okabe and Ito's colours, which people see apart whatever their eyes; yellow is too faint on white. */
enum {
    RILL_CHART_BLUE = 0x0072b2,
    RILL_CHART_RED = 0xd55e00,
    RILL_CHART_GREEN = 0x009e73,
    RILL_CHART_ORANGE = 0xe69f00,
    RILL_CHART_SKY = 0x56b4e9,
    RILL_CHART_PINK = 0xcc79a7,
    RILL_CHART_GREY = 0x999999
};
RILL_API unsigned rill_chart_colour(size_t index); /* one of them for each of several curves */

typedef enum rill_curve_style {
    RILL_CURVE_LINE,
    RILL_CURVE_FAINT,
    RILL_CURVE_STRONG,
    RILL_CURVE_POINTS
} rill_curve_style;

typedef struct rill_curve {
    char label[96];
    double *values;   /* NaN: a gap */
    const double *at; /* where they lie along the chart's axis; NULL: at the chart's times */
    size_t rows;      /* how many, where they have places of their own */
    unsigned colour;  /* 0xRRGGBB */
    rill_curve_style style;
    bool right;       /* belongs to the axis on the right */
    uint64_t room[4]; /* for members to come; 0 */
} rill_curve;

/* A level drawn across the chart: a tolerance, a limit. */
typedef struct rill_chart_level {
    char label[96];
    double value;
    uint64_t room[4]; /* for members to come; 0 */
} rill_chart_level;

typedef struct rill_chart {
    char name[64]; /* of a file */
    char title[RILL_CHART_TEXT], note[RILL_CHART_TEXT];
    char unit[96], right_unit[96]; /* what stands along the axes */
    char along[96];                /* what stands along the axis below; empty: time */
    const double *time;            /* s; of the source */
    size_t rows;
    rill_curve curves[RILL_CURVES_MAX];
    size_t curve_count;
    rill_chart_level level;
    bool has_level;
    double decades;   /* the axis is logarithmic where the values span more than this factor; 0: never */
    bool from_zero;   /* it begins at zero, where it is not logarithmic */
    uint64_t room[8]; /* for members to come; 0 */
} rill_chart;
RILL_API void rill_chart_free(rill_chart *chart); /* its values */

/* What all charts of a run are made from, and what they had to do without. */
typedef struct rill_chart_source {
    rill_scene scene;
    rill_table_data report, probes;
    rill_error probes_trouble;    /* why probes.csv could not be read; status 0: it could, or the scene has no probes */
    char absent[RILL_CHART_TEXT]; /* columns the report does not have, found out as charts are made */
    char idle[RILL_CHART_TEXT];   /* charts without meaning for the solver, as well */
    bool no_memory;               /* for the chart being made */
    uint64_t room[8];             /* for members to come; 0 */
} rill_chart_source;

/* The scene, report.csv and probes.csv of a run. The source is to be freed where it was read and is empty otherwise. */
RILL_API rill_status rill_run_read_charts(const char *folder, rill_chart_source *source, rill_error *err);
RILL_API void rill_chart_source_free(rill_chart_source *source);

/* The chart of this index; its name is empty past the last. One without curves is not worth drawing. */
RILL_API rill_status rill_chart_make(rill_chart_source *source, size_t index, rill_chart *chart, rill_error *err);

/* The unit of a column of the report, and the text of an axis for it, as "density error (%)". */
RILL_API const char *rill_chart_unit(const char *column);
RILL_API void rill_chart_axis(char *axis, size_t size, const char *column);

#ifdef __cplusplus
}
#endif
#endif
