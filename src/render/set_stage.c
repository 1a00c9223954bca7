/* The stage of a rendered picture, put together. */
#include <math.h>

#include "render/set_parts.h"

static double longest(const rill_bounds *b)
{
    return fmax(fmax(b->high.x - b->low.x, b->high.y - b->low.y), b->high.z - b->low.z);
}

/* The lowest floor; without any, somewhat below everything: what floats then casts its shadow there. */
static double ground_height(const rill_stage_set *set, const rill_bounds *bounds)
{
    double height = INFINITY;
    for (uint32_t i = 0; set->scene && i < set->scene->boundary_count; i++) {
        const rill_shape shape = rill_set_boundary(set, i);
        if (set->scene->boundaries[i].solid) continue;
        height = fmin(height, shape.kind == RILL_SHAPE_BOX ? shape.from.z : shape.center.z - shape.radius);
    }
    return isfinite(height) ? height : bounds->low.z - 0.25 * longest(bounds);
}

static rill_status light_set(rill_set_work *work, rill_error *err)
{
    const rill_picture *map = work->options->environment;
    rill_sky sky = rill_look_sky(work->options->look, work->options->azimuth);
    if (map) {
        sky = rill_sky_default(RILL_SKY_MAP);
        sky.map = map->rgb;
        sky.map_width = map->width;
        sky.map_height = map->height;
    }
    return rill_stage_set_sky(work->stage, &sky, err);
}

static rill_status work_start(rill_set_work *work, rill_error *err)
{
    const rill_stage_set *set = &work->set;
    rill_bounds bounds;
    if (!set->position || set->position->type != RILL_F32 || set->position->lanes < 3 ||
        set->position->count < set->frame->count)
        return rill_fail(err, RILL_BAD_FILE, "The frame holds no particle positions.");
    if (!(set->frame->diameter > 0 && isfinite(set->frame->diameter)))
        return rill_fail(err, RILL_BAD_FILE,
                         "The frame does not say how large its particles are, so no surface can be made.");
    rill_status status = rill_set_bounds(set, &bounds, err);
    if (status) return status;
    work->middle = rill_vec3_scale(rill_vec3_add(bounds.low, bounds.high), 0.5);
    work->size = longest(&bounds);
    work->cube = set->frame->diameter * cbrt((double)set->frame->count + 1);
    work->ground = ground_height(set, &bounds);
    work->glass = work->options->glass ? 0.012 * work->size : 0;
    work->stage = rill_stage_create(err);
    return work->stage ? RILL_OK : err ? err->status : RILL_NO_MEMORY;
}

rill_status rill_set_build(const rill_frame_file *frame, const rill_scene *scene, const rill_set_options *options,
                           rill_stage **stage, rill_set_report *report, rill_error *err)
{
    rill_set_report ignored;
    rill_set_work work = {.set = {.frame = frame, .position = rill_frame_array(frame, "position"), .scene = scene},
                          .options = options,
                          .report = report ? report : &ignored};
    *stage = NULL;
    *work.report = (rill_set_report){0};
    work.set.shift = rill_vec3_sub(scene->origin, frame->origin);
    rill_status status = work_start(&work, err);
    if (!status) status = light_set(&work, err);
    if (!status) status = rill_set_add_solids(&work, err);
    if (!status) status = rill_set_add_liquids(&work, err);
    if (!status) status = rill_stage_commit(work.stage, err);
    if (status) rill_stage_free(work.stage);
    else *stage = work.stage;
    return status;
}
