/* The stage of a rendered picture, put together from a frame and its scene. */
#include <math.h>

#include "geom/geometry.h"
#include "render/set_parts.h"

rill_stage_options rill_stage_options_default(rill_look look)
{
    return (rill_stage_options){.look = look,
                                .glass = rill_look_has_glass(look),
                                .azimuth = -62,
                                .camera = rill_camera_default(),
                                .aspect = 16.0 / 9};
}

static double longest(const rill_bounds *b)
{
    return fmax(fmax(b->high.x - b->low.x, b->high.y - b->low.y), b->high.z - b->low.z);
}

static bool has_floor(const rill_scene *scene)
{
    for (uint32_t i = 0; i < scene->boundary_count; i++)
        if (!scene->boundaries[i].solid || rill_geometry_of(&scene->boundaries[i].shape)->unbounded) return true;
    return false;
}

void rill_set_make_room(const rill_scene *scene, rill_bounds *view)
{
    if (!has_floor(scene)) view->low.z -= 0.2 * longest(view);
}

/* The lowest floor there is; a ball of glass stands on its outside. */
static double ground_height(const rill_set_work *work, const rill_bounds *view)
{
    const rill_scene *scene = work->set.scene;
    double height = INFINITY;
    for (uint32_t i = 0; i < scene->boundary_count; i++) {
        const rill_shape shape = rill_set_boundary(&work->set, i);
        const rill_geometry *g = rill_geometry_of(&shape);
        const rill_bounds bounds = rill_shape_bounds(&shape);
        /* A level plane is the ground itself. */
        if (g->unbounded && bounds.high.z < INFINITY) height = fmin(height, bounds.high.z);
        if (rill_set_is_solid(scene, i)) continue;
        height = fmin(height, g->sided && !shape.rotate.given ? bounds.low.z : bounds.low.z - work->glass);
    }
    return isfinite(height) ? height : view->low.z;
}

static rill_status light_set(rill_set_work *work, rill_error *err)
{
    const rill_picture *map = work->options->map;
    rill_sky sky = rill_look_sky(work->options->look, work->options->azimuth);
    if (work->options->light == RILL_LIGHT_LAMPS) return rill_set_add_lamps(work, err);
    if (work->options->light == RILL_LIGHT_MAP) {
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
    rill_bounds view;
    if (!set->position || set->position->type != RILL_F32 || set->position->lanes < 3 ||
        set->position->count < set->frame->count)
        return rill_fail(err, RILL_BAD_FILE, "The frame holds no particle positions.");
    if (!(set->frame->diameter > 0 && isfinite(set->frame->diameter)))
        return rill_fail(err, RILL_BAD_FILE,
                         "The frame does not say how large its particles are, so no surface can be made.");
    if (work->options->view) view = *work->options->view;
    else {
        const rill_status status = rill_set_bounds(set, &view, err);
        if (status) return status;
        rill_set_make_room(set->scene, &view);
    }
    work->middle = rill_vec3_scale(rill_vec3_add(view.low, view.high), 0.5);
    work->top = view.high.z;
    work->size = longest(&view);
    work->report->far = rill_set_far_count(set);
    work->cube = set->frame->diameter * cbrt((double)set->frame->count + 1);
    work->glass = work->options->glass ? 0.012 * work->size : 0;
    work->ground = ground_height(work, &view);
    work->stage = rill_stage_create(err);
    return work->stage ? RILL_OK : err ? err->status : RILL_NO_MEMORY;
}

rill_status rill_stage_of_frame(const rill_frame_file *frame, const rill_scene *scene,
                                const rill_stage_options *options, rill_stage **stage, rill_stage_report *report,
                                rill_error *err)
{
    rill_stage_report ignored;
    rill_set_work work = {.set = {.frame = frame, .position = rill_frame_file_array(frame, "position"), .scene = scene},
                          .options = options,
                          .report = report ? report : &ignored};
    *stage = NULL;
    *work.report = (rill_stage_report){0};
    work.set.shift = rill_vec3_sub(scene->origin, frame->origin);
    rill_status status = work_start(&work, err);
    if (!status) status = light_set(&work, err);
    if (!status) work.report->white = rill_set_white(&work);
    work.report->clamp = 12 * work.report->white;
    if (!status) status = rill_set_add_ground(&work, err);
    if (!status) status = rill_set_add_solids(&work, err);
    if (!status) status = rill_set_add_liquids(&work, err);
    if (!status) status = rill_stage_commit(work.stage, err);
    if (status) rill_stage_free(work.stage);
    else *stage = work.stage;
    return status;
}
