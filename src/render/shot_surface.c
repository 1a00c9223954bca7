/* The closed surface of a frame in a picture, coloured by what its particles carry. */
#include <math.h>

#include "render/shot_parts.h"
#include "run/threads.h"

/* Fluids carry their colours, everything else its place in the range; each particle's is within bounds, so one that is
 * not a number stains nothing around it. */
static void value_fill(const rill_paint *paint, uint32_t particle, uint32_t lanes, float *value)
{
    if (lanes == 1) {
        *value = (float)rill_paint_share(paint, particle);
        return;
    }
    uint32_t colour = rill_paint_at(paint, particle);
    for (uint32_t k = 0; k < 3; k++) value[k] = (float)(colour >> (16 - 8 * k) & 255) / 255;
}

static rill_status particles_take(const rill_stage_set *set, const rill_paint *paint, rill_particles *p,
                                  rill_error *err)
{
    const uint32_t lanes = paint->colour == RILL_SHOT_FLUID ? 3 : 1, count = set->frame->count;
    *p = (rill_particles){.diameter = set->frame->diameter};
    if (set->scene && set->scene->fluid_count) p->volume = set->scene->fluids[0].mass_factor * pow(p->diameter, 3);
    p->position = rill_malloc((size_t)count * 3 * sizeof *p->position + 1);
    p->values = rill_calloc(1, sizeof *p->values);
    if (p->values) {
        *p->values = (rill_values){.name = "colour", .lanes = lanes};
        p->values->data = rill_malloc((size_t)count * lanes * sizeof *p->values->data + 1);
        p->value_count = 1;
    }
    if (!p->position || !p->values || !p->values->data)
        return rill_fail(err, RILL_NO_MEMORY, "There is no memory left to draw the frame.");
    for (uint32_t i = 0; i < count; i++) {
        rill_vec3 at = rill_set_particle(set, i);
        if (!rill_set_is_near(set, at)) continue;
        float *to = p->position + 3 * p->count;
        to[0] = (float)at.x, to[1] = (float)at.y, to[2] = (float)at.z;
        value_fill(paint, i, lanes, p->values->data + lanes * p->count++);
    }
    return RILL_OK;
}

rill_status rill_shot_surface_make(const rill_stage_set *set, const rill_paint *paint, rill_mesh *mesh,
                                   rill_error *err)
{
    static const char *const values[] = {"colour"};
    if (!(set->frame->diameter > 0 && isfinite(set->frame->diameter)))
        return rill_fail(err, RILL_BAD_FILE,
                         "The frame does not say how large its particles are, so no surface can be made.");
    rill_particles particles;
    rill_status status = particles_take(set, paint, &particles, err);
    /* Without a pool one thread does it all, to the same bits. */
    rill_threads *pool = status ? NULL : rill_threads_create(0, NULL);
    rill_scheduler scheduler = {0};
    if (pool) scheduler = rill_threads_scheduler(pool);
    rill_surface_options options = rill_surface_default();
    options.field = RILL_SURFACE_ANISOTROPIC;
    options.smooth = 5;
    options.values = values;
    options.value_count = 1;
    options.scheduler = pool ? &scheduler : NULL;
    if (!status) status = rill_surface_make(&particles, &options, mesh, NULL, err);
    rill_threads_destroy(pool);
    rill_particles_free(&particles);
    return status;
}

static uint32_t vertex_colour(const rill_mesh *mesh, const rill_paint *paint, uint32_t vertex)
{
    const rill_values *v = &mesh->values[0];
    if (v->lanes == 1) return rill_palette_at(&paint->palette, (double)v->data[vertex]);
    uint32_t colour = 0;
    for (uint32_t k = 0; k < 3; k++) {
        float level = v->data[3 * (size_t)vertex + k] * 255 + 0.5f;
        colour = colour << 8 | (uint32_t)fminf(fmaxf(level, 0), 255);
    }
    return colour;
}

static rill_vec3 vector_at(const float *data, uint32_t vertex)
{
    const float *v = data + 3 * (size_t)vertex;
    return (rill_vec3){(double)v[0], (double)v[1], (double)v[2]};
}

void rill_shot_surface_draw(const rill_mesh *mesh, const rill_paint *paint, rill_canvas *canvas, const rill_view *view)
{
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        rill_corner corners[3];
        for (int i = 0; i < 3; i++) {
            uint32_t vertex = mesh->triangle[3 * t + (size_t)i];
            corners[i] = (rill_corner){vector_at(mesh->position, vertex), vector_at(mesh->normal, vertex),
                                       canvas->samples ? vertex_colour(mesh, paint, vertex) : 0};
        }
        rill_canvas_triangle(canvas, view, corners, RILL_MATERIAL_LIQUID);
    }
}
