/* The ground: what it is made of, and how it lies. */
#include <math.h>

#include "render/gravel.h"
#include "render/set_parts.h"

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

static rill_status ground_material(rill_set_work *work, uint32_t *id, rill_error *err)
{
    const rill_set_options *o = work->options;
    rill_picture gravel = {0};
    rill_material m = rill_look_ground(o->look, work->size);
    if (o->ground == RILL_GROUND_CHECKS) m.pattern = RILL_PATTERN_CHECKS;
    else if (o->ground == RILL_GROUND_TEXTURE) texture_set(&m, o->texture, work->size);
    else if (o->look == RILL_LOOK_RIVER) {
        if (!rill_gravel_make(&gravel))
            return rill_fail(err, RILL_NO_MEMORY, "There is no memory left for the ground.");
        texture_set(&m, &gravel, 1.1 * work->size);
    }
    const rill_status status = rill_stage_add_material(work->stage, &m, id, err);
    rill_picture_free(&gravel);
    return status;
}

/* ---- the disc ---- */

/* So wide that its end is hidden by distance. Its colour turns on the way into that of the distance, so that what
 * stands in the middle stands out as before the backdrop of a studio. */
enum { RINGS = 24, SPOKES = 64, VERTICES = (RINGS + 1) * SPOKES, TRIANGLES = SPOKES - 2 + 2 * RINGS * SPOKES };
static const double near_size = 0.32, far_size = 2, end_size = 300; /* radii, in sizes of the scene */

static void ring_fill(const rill_set_work *work, int ring, const float distant[3], float *position, float *colour)
{
    const double share = ring / (RINGS - 1.0), turned = share < 1 ? share * share * (3 - 2 * share) : 1;
    const double radius = work->size * (ring < RINGS ? near_size * pow(far_size / near_size, share) : end_size);
    for (int i = 0; i < SPOKES; i++) {
        const double angle = 2 * M_PI * i / SPOKES;
        position[3 * i] = (float)(work->middle.x + radius * cos(angle));
        position[3 * i + 1] = (float)(work->middle.y + radius * sin(angle));
        position[3 * i + 2] = (float)work->ground;
        for (int k = 0; k < 3; k++) colour[3 * i + k] = (float)(1 + turned * ((double)distant[k] - 1));
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
    float position[3 * VERTICES], colour[3 * VERTICES], distant[3] = {1, 1, 1};
    uint32_t triangle[3 * TRIANGLES], id = 0;
    if (work->options->ground != RILL_GROUND_TEXTURE) rill_look_distance(work->options->look, distant);
    const rill_status status = ground_material(work, &id, err);
    for (int i = 0; i <= RINGS; i++) ring_fill(work, i, distant, position + 3 * i * SPOKES, colour + 3 * i * SPOKES);
    triangles_fill(triangle);
    const rill_triangles disc = {.vertex_count = VERTICES, .triangle_count = TRIANGLES, .position = position,
                                 .colour = colour, .triangle = triangle};
    return status ? status : rill_stage_add_triangles(work->stage, &disc, id, err);
}
