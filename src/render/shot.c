/* Quick pictures: a frame as shaded spheres or as a surface, with a legend, into a PNG. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/light.h"
#include "render/png_file.h"
#include "render/shot_parts.h"

/* Every pixel is the mean of 2 x 2 samples. */
enum { SAMPLES = 2, SIZE_MIN = 64, SIZE_MAX_PIXELS = 8192, SHADOW_SIZE = 1536 };

rill_shot rill_shot_default(void)
{
    return (rill_shot){.width = 1280, .height = 720, .colour = RILL_SHOT_SPEED, .azimuth = -62, .elevation = 22,
                       .legend = true};
}

typedef struct picture {
    const rill_shot *shot;
    rill_stage_set set;
    rill_mesh surface;
    rill_paint paint;
    rill_legend legend;
    char notes[160];
    rill_canvas canvas, shadow;
    rill_view view, lamp;
    float *light;
    rill_pixels pixels;
} picture;

static rill_status shot_check(const rill_frame_file *frame, const rill_shot *shot, rill_error *err)
{
    if (shot->width < SIZE_MIN || shot->height < SIZE_MIN || shot->width > SIZE_MAX_PIXELS ||
        shot->height > SIZE_MAX_PIXELS)
        return rill_fail(err, RILL_BAD_INPUT,
                         "A picture of %" PRIu32 " x %" PRIu32 " is outside %d to %d pixels a side.", shot->width,
                         shot->height, SIZE_MIN, SIZE_MAX_PIXELS);
    if ((unsigned)shot->colour > RILL_SHOT_FLUID)
        return rill_fail(err, RILL_BAD_INPUT, "There is no colouring of pictures with the number %d.",
                         (int)shot->colour);
    if (!isfinite(shot->azimuth) || !(fabs(shot->elevation) <= 90))
        return rill_fail(err, RILL_BAD_INPUT, "The camera's elevation must lie between -90 and 90 degrees.");
    if (!rill_vec3_finite(shot->from) || !rill_vec3_finite(shot->to))
        return rill_fail(err, RILL_BAD_INPUT, "The box that a picture shows must have numbers for corners.");
    if (!isfinite(shot->low) || !isfinite(shot->high) || shot->low > shot->high)
        return rill_fail(err, RILL_BAD_INPUT, "The range of the legend must run from a lower to a higher number.");
    const rill_array *position = rill_frame_file_array(frame, "position");
    if (!position || position->type != RILL_F32 || position->lanes < 3 || position->count < frame->count)
        return rill_fail(err, RILL_BAD_FILE, "The frame holds no particle positions.");
    return RILL_OK;
}

static void legend_fill(picture *p)
{
    static const struct {
        const char *title, *unit;
    } titles[] = {[RILL_SHOT_SPEED] = {"speed", "m/s"},
                  [RILL_SHOT_DENSITY] = {"density", "kg/m³"},
                  [RILL_SHOT_PRESSURE] = {"pressure", "Pa"},
                  [RILL_SHOT_FLUID] = {"fluid", ""}};
    char count[32], far[64] = "";
    const uint32_t left_out = rill_set_far_count(&p->set);
    rill_legend_count(left_out, count, sizeof count);
    if (left_out) snprintf(far, sizeof far, ", %s too far away to be shown", count);
    rill_legend_count(p->set.frame->count, count, sizeof count);
    snprintf(p->notes, sizeof p->notes, "t = %.3f s   %s particle%s%s", p->set.frame->time, count,
             p->set.frame->count == 1 ? "" : "s", far);
    p->legend = (rill_legend){.title = titles[p->shot->colour].title,
                              .unit = titles[p->shot->colour].unit,
                              .low = p->paint.low,
                              .high = p->paint.high,
                              .palette = p->shot->colour == RILL_SHOT_FLUID ? NULL : &p->paint.palette,
                              .names = p->paint.fluid_names,
                              .colours = p->paint.fluid_colours,
                              .name_count = p->paint.fluid_count,
                              .heading = p->set.scene ? p->set.scene->name : "rill",
                              .notes = p->notes};
}

static rill_rect frame_rect(const picture *p)
{
    double text = rill_legend_text_size(p->shot->width, p->shot->height);
    double side = 2.6 * text, top = side, right = side;
    if (p->shot->legend) {
        top = 7.4 * text;
        right = rill_legend_width(&p->legend, p->shot->width, p->shot->height) + 2 * text;
    }
    /* A picture too small for its legend still shows the water. */
    right = fmin(right, 0.45 * p->shot->width);
    top = fmin(top, 0.3 * p->shot->height);
    return (rill_rect){side * SAMPLES, top * SAMPLES, (p->shot->width - right) * SAMPLES,
                       (p->shot->height - side) * SAMPLES};
}

static rill_status memory_get(picture *p, rill_error *err)
{
    uint32_t width = p->shot->width * SAMPLES, height = p->shot->height * SAMPLES;
    p->light = rill_malloc((size_t)width * height * 3 * sizeof *p->light);
    p->pixels = (rill_pixels){p->shot->width, p->shot->height, NULL};
    p->pixels.rgb = rill_malloc((size_t)p->shot->width * p->shot->height * 3);
    if (p->light && p->pixels.rgb && rill_canvas_create(&p->canvas, width, height, true) &&
        rill_canvas_create(&p->shadow, SHADOW_SIZE, SHADOW_SIZE, false))
        return RILL_OK;
    return rill_fail(err, RILL_NO_MEMORY,
                     "There is not enough memory for a picture of %" PRIu32 " x %" PRIu32 " pixels.", p->shot->width,
                     p->shot->height);
}

/* The lamp stands high, to the left of the camera and a little behind it. */
static rill_vec3 lamp_direction(const rill_view *view)
{
    rill_vec3 d = rill_vec3_scale(view->right, 0.55);
    rill_vec3 level = {view->forward.x, view->forward.y, 0};
    d = rill_vec3_add(d, rill_vec3_scale(level, 0.45));
    return rill_vec3_add(d, (rill_vec3){0, 0, -1});
}

static rill_status picture_draw(picture *p, rill_error *err)
{
    rill_bounds bounds;
    rill_status status = rill_set_bounds(&p->set, &bounds, err);
    if (!status) status = memory_get(p, err);
    if (status) return status;
    const rill_vec3 asked = rill_vec3_sub(p->shot->to, p->shot->from);
    if (rill_vec3_length(asked) > 0) bounds = (rill_bounds){p->shot->from, p->shot->to};
    p->view = rill_view_frame(&bounds, p->shot->azimuth, p->shot->elevation, frame_rect(p));
    p->lamp = rill_view_parallel(&bounds, lamp_direction(&p->view), SHADOW_SIZE);
    rill_set_draw(&p->set, &p->paint, &p->canvas, &p->view, true);
    rill_set_draw(&p->set, &p->paint, &p->shadow, &p->lamp, false);

    double d = p->set.frame->diameter, texel = 1 / p->lamp.scale;
    rill_light_setup setup = {.view = &p->view,
                              .shadow = &p->shadow,
                              .lamp = &p->lamp,
                              .reach = 5 * d,
                              .bias = fmax(0.8 * d, 6 * texel)};
    rill_light_apply(&p->canvas, &setup, p->light);
    double width = fmax(1.2, rill_legend_text_size(p->shot->width, p->shot->height) / 11) * SAMPLES;
    rill_set_wires(&p->set, &p->canvas, &p->view, width, p->light);
    rill_light_resolve(p->light, p->pixels.width, p->pixels.height, SAMPLES, p->pixels.rgb);
    if (p->shot->legend) rill_legend_draw(&p->legend, &p->pixels);
    return RILL_OK;
}

static void picture_free(picture *p)
{
    rill_paint_free(&p->paint);
    rill_mesh_free(&p->surface);
    rill_canvas_free(&p->canvas);
    rill_canvas_free(&p->shadow);
    rill_free(p->light);
    rill_free(p->pixels.rgb);
}

/* Everything but the box to look at and the pixels. */
static rill_status picture_start(picture *p, const rill_frame_file *frame, const rill_scene *scene,
                                 const rill_shot *shot, rill_error *err)
{
    rill_status status = shot_check(frame, shot, err);
    if (status) return status;
    *p = (picture){.shot = shot,
                   .set = {.frame = frame, .position = rill_frame_file_array(frame, "position"), .scene = scene}};
    if (scene) p->set.shift = rill_vec3_sub(scene->origin, frame->origin);
    return rill_paint_create(frame, scene, shot, &p->paint, err);
}

static rill_status picture_make(picture *p, rill_error *err)
{
    rill_status status = RILL_OK;
    if (p->shot->surface) {
        status = rill_shot_surface_make(&p->set, &p->paint, &p->surface, err);
        p->set.surface = &p->surface;
    }
    if (status) return status;
    legend_fill(p);
    return picture_draw(p, err);
}

rill_status rill_shot_draw(const rill_frame_file *frame, const rill_scene *scene, const rill_shot *shot, uint8_t *rgb,
                           rill_error *err)
{
    picture p = {0};
    rill_status status = picture_start(&p, frame, scene, shot, err);
    if (!status) status = picture_make(&p, err);
    if (!status) memcpy(rgb, p.pixels.rgb, (size_t)shot->width * shot->height * 3);
    picture_free(&p);
    return status;
}

rill_status rill_shot_write(const rill_frame_file *frame, const rill_scene *scene, const rill_shot *shot,
                            const char *path, rill_error *err)
{
    picture p = {0};
    rill_status status = picture_start(&p, frame, scene, shot, err);
    if (!status) status = picture_make(&p, err);
    if (!status) status = rill_pixels_write(&p.pixels, path, err);
    picture_free(&p);
    return status;
}

static rill_vec3 least(rill_vec3 a, rill_vec3 b)
{
    return (rill_vec3){fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)};
}

static rill_vec3 most(rill_vec3 a, rill_vec3 b)
{
    return (rill_vec3){fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)};
}

rill_status rill_shot_widen(const rill_frame_file *frame, const rill_scene *scene, bool first, rill_shot *shot,
                            rill_error *err)
{
    picture p = {0};
    rill_bounds bounds;
    rill_shot own = *shot;
    own.low = own.high = 0;
    own.from = own.to = (rill_vec3){0, 0, 0};
    rill_status status = picture_start(&p, frame, scene, &own, err);
    if (!status) status = rill_set_bounds(&p.set, &bounds, err);
    if (!status) {
        shot->from = first ? bounds.low : least(shot->from, bounds.low);
        shot->to = first ? bounds.high : most(shot->to, bounds.high);
        shot->low = first ? p.paint.low : fmin(shot->low, p.paint.low);
        shot->high = first ? p.paint.high : fmax(shot->high, p.paint.high);
    }
    picture_free(&p);
    return status;
}
