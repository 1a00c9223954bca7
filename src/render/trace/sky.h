/* Light from afar: a picture of all directions with a table to draw them from
 * by brightness, and a sun apart. */
#ifndef RILL_RENDER_TRACE_SKY_H
#define RILL_RENDER_TRACE_SKY_H

#include "render/trace/vec.h"
#include "rill/render.h"

typedef struct rill_heaven {
    uint32_t width, height; /* 0: black */
    float *pixel;           /* red, green, blue and nothing */
    bool even;              /* rows are even in height, not in angle: as fine at the horizon, quicker, coarser above */
    float turn;             /* of the picture, as a share of a full turn */
    uint32_t block;         /* pixels along an edge of the cells that are drawn; few of them stay in the cache */
    uint32_t across, down;  /* cells */
    float *chance;          /* of each cell's directions, per solid angle */
    float *column, *row;    /* sums of the chance along each row of cells, and of the rows' */
    uint16_t *column_guide, *row_guide; /* where in the sums to begin looking */
    float *height_at;       /* edges of the rows of cells: sine of the angle above the horizon */
    v3 sun;                 /* towards it */
    v3 sun_light;           /* radiance; zero: no sun */
    float sun_depth;        /* 1 - cosine of the sun's radius */
    v3 irradiance;          /* on a level sheet that faces up, the sun's included */
} rill_heaven;

/* A column of the picture, which goes round. */
static inline uint32_t rill_heaven_wrap(int32_t x, uint32_t width)
{
    return (uint32_t)(x < 0 ? x + (int32_t)width : x >= (int32_t)width ? x - (int32_t)width : x);
}

/* Light from the direction, the sun left out, and how likely it would be drawn. */
v3 rill_heaven_at(const rill_heaven *sky, v3 direction, float *pdf);
v3 rill_heaven_draw(const rill_heaven *sky, float u, float v, v3 *light, float *pdf);

static inline bool rill_heaven_has_sun(const rill_heaven *sky)
{
    return sky->sun_light.x > 0 || sky->sun_light.y > 0 || sky->sun_light.z > 0;
}

/* By the chord, which keeps its digits for so small an angle: |d - s|^2 = 2 (1 - cos). */
static inline bool rill_heaven_is_sun(const rill_heaven *sky, v3 direction)
{
    const v3 chord = v3_sub(direction, sky->sun);
    return v3_dot(chord, chord) < 2 * sky->sun_depth;
}

static inline float rill_heaven_sun_pdf(const rill_heaven *sky)
{
    return 1 / (2 * RILL_PI_F * sky->sun_depth);
}
v3 rill_heaven_draw_sun(const rill_heaven *sky, float u, float v);

rill_status rill_heaven_make(const rill_sky *sky, rill_heaven *heaven, rill_error *err);
void rill_heaven_free(rill_heaven *heaven);

/* ---- daylight (preetham.c) ---- */

typedef struct rill_daylight {
    double perez[3][5];   /* A to E for luminance Y, x and y */
    double zenith[3], base[3]; /* values at the zenith, and of Perez's function there */
    rill_vec3 sun;
} rill_daylight;
void rill_daylight_make(double turbidity, rill_vec3 sun, rill_daylight *day);

/* Radiance of the sky in kcd/m2 in a direction above the horizon, linear red, green and blue. */
void rill_daylight_at(const rill_daylight *day, rill_vec3 direction, double rgb[3]);

/* Irradiance of the sun on a sheet that faces it, in klx. */
void rill_daylight_sun(double turbidity, double cosine, double rgb[3]);

#endif
