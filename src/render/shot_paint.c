/* The colour of each particle, and the range of the scale. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/shot_parts.h"

enum { SAMPLE_MAX = 100000 };

static const struct {
    const char *name, *array;
    rill_array_type type;
    uint32_t lanes;
} sources[] = {
    [RILL_SHOT_SPEED] = {"speed", "velocity", RILL_F32, 3},
    [RILL_SHOT_DENSITY] = {"density", "density", RILL_F32, 1},
    [RILL_SHOT_PRESSURE] = {"pressure", "pressure", RILL_F32, 1},
    [RILL_SHOT_FLUID] = {"fluid", "fluid", RILL_U32, 1},
};

static double value_at(const rill_paint *paint, uint32_t i)
{
    const float *v = (const float *)paint->array->data + (size_t)i * paint->array->stride;
    if (paint->colour != RILL_SHOT_SPEED) return (double)v[0];
    return sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2]);
}

static uint32_t fluid_at(const rill_paint *paint, uint32_t i)
{
    return ((const uint32_t *)paint->array->data)[(size_t)i * paint->array->stride];
}

double rill_paint_share(const rill_paint *paint, uint32_t particle)
{
    double share = (value_at(paint, particle) - paint->low) / (paint->high - paint->low);
    /* The negated comparison sends NaN to the low end. */
    return !(share > 0) ? 0 : fmin(share, 1);
}

uint32_t rill_paint_at(const rill_paint *paint, uint32_t particle)
{
    if (paint->colour == RILL_SHOT_FLUID) {
        uint32_t fluid = fluid_at(paint, particle);
        return fluid < paint->fluid_count ? paint->fluid_colours[fluid] : rill_palette_distinct(fluid);
    }
    return rill_palette_at(&paint->palette, rill_paint_share(paint, particle));
}

static int value_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double rill_paint_quantile(double *values, size_t count, double share)
{
    qsort(values, count, sizeof *values, value_compare);
    return values[(size_t)(share * (double)(count - 1) + 0.5)];
}

/* Rounds the range outwards to the legend's own ticks, and opens a range that has no width. */
static void range_round(rill_paint *paint)
{
    double size = fmax(fabs(paint->low), fabs(paint->high)), least = fmax(size * 1e-3, 1e-6);
    if (paint->high - paint->low < least) {
        double middle = (paint->low + paint->high) / 2;
        /* Still water is a speed of nought on a scale up to one, not noise blown up. */
        paint->low = paint->colour == RILL_SHOT_SPEED ? 0 : middle - 5 * least;
        paint->high = paint->colour == RILL_SHOT_SPEED ? fmax(size, 1) : middle + 5 * least;
    }
    double step = rill_legend_step(paint->low, paint->high, 8);
    paint->low = floor(paint->low / step + 1e-6) * step;
    paint->high = ceil(paint->high / step - 1e-6) * step;
}

static rill_status range_find(const rill_frame_file *frame, rill_paint *paint, rill_error *err)
{
    uint32_t every = frame->count / SAMPLE_MAX + 1;
    double *values = rill_malloc((frame->count / every + 1) * sizeof *values);
    if (!values) return rill_fail(err, RILL_NO_MEMORY, "There is no memory left to draw the frame.");
    size_t count = 0;
    for (uint32_t i = 0; i < frame->count; i += every) {
        double v = value_at(paint, i);
        if (isfinite(v)) values[count++] = v;
    }
    paint->low = paint->high = 0;
    if (count) {
        /* Spray is a few particles at several times the speed of the rest; it shares the last colour. */
        paint->high = rill_paint_quantile(values, count, paint->colour == RILL_SHOT_SPEED ? 0.99 : 0.997);
        paint->low = paint->colour == RILL_SHOT_SPEED ? 0 : values[(size_t)(0.003 * (double)(count - 1))];
        if (paint->colour == RILL_SHOT_PRESSURE) paint->low = fmin(paint->low, 0);
    }
    rill_free(values);
    range_round(paint);
    return RILL_OK;
}

static rill_status fluids_find(const rill_frame_file *frame, const rill_scene *scene, rill_paint *paint,
                               rill_error *err)
{
    uint32_t count = scene ? scene->fluid_count : 0;
    for (uint32_t i = 0; i < frame->count && !scene; i++) {
        uint32_t fluid = fluid_at(paint, i);
        if (fluid >= count && fluid < 1000) count = fluid + 1;
    }
    paint->fluid_count = count;
    paint->fluid_colours = rill_calloc(count + 1, sizeof *paint->fluid_colours);
    paint->fluid_names = rill_calloc(count + 1, sizeof *paint->fluid_names);
    paint->name_store = rill_calloc(count + 1, RILL_NAME_SIZE);
    if (!paint->fluid_colours || !paint->fluid_names || !paint->name_store)
        return rill_fail(err, RILL_NO_MEMORY, "There is no memory left to draw the frame.");
    for (uint32_t i = 0; i < count; i++) {
        char *name = paint->name_store + (size_t)i * RILL_NAME_SIZE;
        if (scene) snprintf(name, RILL_NAME_SIZE, "%s", scene->fluids[i].name);
        else snprintf(name, RILL_NAME_SIZE, "fluid %u", i);
        paint->fluid_names[i] = name;
        paint->fluid_colours[i] = scene ? scene->fluids[i].colour : rill_palette_distinct(i);
    }
    return RILL_OK;
}

rill_status rill_paint_create(const rill_frame_file *frame, const rill_scene *scene, const rill_shot *shot,
                              rill_paint *paint, rill_error *err)
{
    *paint = (rill_paint){.colour = shot->colour, .palette = rill_palette_for(shot->colour)};
    if ((size_t)shot->colour >= sizeof sources / sizeof *sources)
        return rill_fail(err, RILL_BAD_INPUT, "Colour %d is not speed, density, pressure or fluid.", (int)shot->colour);
    const char *array = sources[shot->colour].array;
    paint->array = rill_frame_file_array(frame, array);
    if (!paint->array)
        return rill_fail(err, RILL_BAD_INPUT,
                         "The frame holds no %s to colour by; write it with output.fields, or colour by speed.", array);
    if (paint->array->type != sources[shot->colour].type || paint->array->lanes < sources[shot->colour].lanes ||
        paint->array->count < frame->count)
        return rill_fail(err, RILL_BAD_FILE, "The frame's %s has another shape than a particle array.", array);
    if (shot->colour == RILL_SHOT_FLUID) return fluids_find(frame, scene, paint, err);
    if (shot->low == shot->high) return range_find(frame, paint, err);
    paint->low = shot->low;
    paint->high = shot->high;
    return RILL_OK;
}

void rill_paint_free(rill_paint *paint)
{
    rill_free(paint->fluid_colours);
    rill_free(paint->fluid_names);
    rill_free(paint->name_store);
    *paint = (rill_paint){0};
}
