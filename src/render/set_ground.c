/* The ground: what it is made of, and how it lies. */
#include <math.h>

#include "render/gravel.h"
#include "render/set_parts.h"
#include "render/trace/stage.h"
#include "text/pi.h"

/* ---- the material ---- */

static void texture_set(rill_material *m, const rill_picture *texture, double size)
{
    m->pattern = RILL_PATTERN_TEXTURE;
    m->pattern_size = size;
    m->texture = texture->rgb;
    m->texture_width = texture->width;
    m->texture_height = texture->height;
    for (int k = 0; k < 3; k++) m->colour[k] = 1;
}

/* What of light a pattern sends back: in the mean, as it looks from afar, and where it is brightest. */
typedef struct shade {
    double mean[3], brightest[3];
} shade;

static shade shade_of(const rill_material *m)
{
    const bool texture = m->pattern == RILL_PATTERN_TEXTURE, checks = m->pattern == RILL_PATTERN_CHECKS;
    const size_t count = texture ? (size_t)m->texture_width * m->texture_height : checks ? 2 : 1;
    shade s = {0};
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < count; i++) {
            const double colour = (double)(texture ? m->texture[3 * i + k] : i ? m->second[k] : m->colour[k]);
            s.mean[k] += colour / (double)count;
            s.brightest[k] = fmax(s.brightest[k], colour);
        }
    return s;
}

static rill_status ground_material(rill_set_work *work, uint32_t *id, shade *own, rill_error *err)
{
    const rill_stage_options *o = work->options;
    rill_picture gravel = {0};
    rill_material m = rill_look_ground(o->look, work->size);
    if (o->ground == RILL_GROUND_CHECKS) m.pattern = RILL_PATTERN_CHECKS;
    else if (o->ground == RILL_GROUND_TEXTURE) texture_set(&m, o->texture, work->size);
    else if (o->look == RILL_LOOK_RIVER) {
        if (!rill_gravel_make(&gravel))
            return rill_fail(err, RILL_NO_MEMORY, "There is no memory left for the ground.");
        texture_set(&m, &gravel, 1.1 * work->size);
    }
    *own = shade_of(&m);
    const rill_status status = rill_stage_add_material(work->stage, &m, id, err);
    rill_picture_free(&gravel);
    return status;
}

/* ---- the disc ---- */

/* So wide that its end is hidden by distance. Its colour turns on the way into that of the distance, so that what
 * stands in the middle stands out as before the backdrop of a studio, and then into what is seen at the horizon, so
 * that there is no line between them. Radii are in sizes of the scene. */
enum { RINGS = 64, SPOKES = 64, VERTICES = (RINGS + 1) * SPOKES, TRIANGLES = SPOKES - 2 + 2 * RINGS * SPOKES };
static const double first_size = 0.32, last_size = 200, end_size = 3000;

typedef struct ground_plan {
    double distant[3];         /* what its colour is multiplied by in the distance, */
    double near, far;          /* into which it turns between these, */
    double mist, end;          /* and between these into the horizon */
    shade own;                 /* its own colour */
    float horizon[SPOKES][3];  /* light seen there */
} ground_plan;

/* Lamps leave the distance dark enough. */
static void plan_make(const rill_set_work *work, ground_plan *plan)
{
    const bool lamps = work->options->light == RILL_LIGHT_LAMPS;
    float distant[3] = {1, 1, 1};
    if (work->options->ground != RILL_GROUND_TEXTURE && !lamps) rill_look_distance(work->options->look, distant);
    for (int k = 0; k < 3; k++) plan->distant[k] = (double)distant[k];
    plan->near = 0.32, plan->far = 2;
    plan->mist = lamps ? 0.6 : 4, plan->end = lamps ? 5 : 80;
    for (int i = 0; i < SPOKES; i++) {
        enum { PARTS = 8 };
        v3 sum = v3_all(0);
        for (int j = 0; j < PARTS; j++) {
            const double angle = 2 * RILL_PI * (i + (j + 0.5) / PARTS - 0.5) / SPOKES;
            const v3 way = {(float)cos(angle), (float)sin(angle), 0};
            float ignored;
            sum = v3_add(sum, rill_heaven_at(&work->stage->heaven, way, &ignored));
        }
        for (int k = 0; k < 3; k++) plan->horizon[i][k] = (&sum.x)[k] / PARTS;
    }
}

/* From 0 to 1 between two radii, evenly in their logarithm, softly at both ends. */
static double turned_at(double radius, double from, double to)
{
    const double s = fmin(fmax(log(radius / from) / log(to / from), 0), 1);
    return s * s * (3 - 2 * s);
}

static void ring_fill(const rill_set_work *work, int ring, const ground_plan *plan, float *position, float *colour)
{
    const double size = ring < RINGS ? first_size * pow(last_size / first_size, ring / (RINGS - 1.0)) : end_size;
    const double turned = turned_at(size, plan->near, plan->far), mist = turned_at(size, plan->mist, plan->end);
    for (int i = 0; i < SPOKES; i++) {
        const double angle = 2 * RILL_PI * i / SPOKES, radius = size * work->size;
        const rill_vec3 at = {work->middle.x + radius * cos(angle), work->middle.y + radius * sin(angle), work->ground};
        double light[3];
        rill_set_irradiance(work, at, light);
        for (int k = 0; k < 3; k++) {
            const double own = 1 + turned * (plan->distant[k] - 1), white = light[k] / RILL_PI;
            const double mean = plan->own.mean[k], wanted = white > 0 ? (double)plan->horizon[i][k] / white : mean;
            /* Nothing sends back more than it gets. */
            const double misty = mean > 0 ? fmin(wanted / mean, 0.95 / plan->own.brightest[k]) : 1;
            position[3 * i + k] = (float)rill_vec3_get(&at, k);
            colour[3 * i + k] = (float)(own + mist * (misty - own));
        }
    }
}

/* The innermost ring is filled, and each of the others joined to the one inside it. */
static void triangles_fill(uint32_t *t)
{
    for (uint32_t i = 1; i + 1 < SPOKES; i++, t += 3) t[0] = 0, t[1] = i, t[2] = i + 1;
    for (uint32_t i = 0; i < RINGS * SPOKES; i++, t += 6) {
        const uint32_t next = i % SPOKES + 1 < SPOKES ? i + 1 : i + 1 - SPOKES;
        t[0] = i, t[1] = i + SPOKES, t[2] = next;
        t[3] = next, t[4] = i + SPOKES, t[5] = next + SPOKES;
    }
}

rill_status rill_set_add_ground(rill_set_work *work, rill_error *err)
{
    float position[3 * VERTICES], colour[3 * VERTICES];
    uint32_t triangle[3 * TRIANGLES], id = 0;
    ground_plan plan = {0};
    const rill_status status = ground_material(work, &id, &plan.own, err);
    if (status) return status;
    plan_make(work, &plan);
    for (int i = 0; i <= RINGS; i++) ring_fill(work, i, &plan, position + 3 * i * SPOKES, colour + 3 * i * SPOKES);
    triangles_fill(triangle);
    const rill_triangles disc = {.vertex_count = VERTICES, .triangle_count = TRIANGLES, .position = position,
                                 .colour = colour, .triangle = triangle};
    return rill_stage_add_triangles(work->stage, &disc, id, err);
}
