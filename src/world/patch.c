/* What the liquid does to parts of bodies, for the probes that ask. */
#include "physics/boundary/patch.h"

#include <string.h>

#include "world/world.h"

bool rill_probe_has_patch(const rill_probe *probe)
{
    return probe->patch_given && (!strcmp(probe->kind, "force") || !strcmp(probe->kind, "torque"));
}

rill_status rill_patches_create(rill_world *world, rill_error *err)
{
    const rill_scene *scene = &world->scene;
    const double d = scene->particle_diameter;
    world->patches = rill_calloc((size_t)scene->probe_count + 1, sizeof *world->patches);
    if (!world->patches) return rill_memory_fail(err, scene->probe_count * sizeof *world->patches, "the probes");
    for (uint32_t i = 0; i < scene->probe_count; i++) {
        const rill_probe *p = &scene->probes[i];
        if (!rill_probe_has_patch(p)) continue;
        world->patches[world->patch_count++] = (rill_patch){.body = p->body,
                                                            .from = p->patch_from,
                                                            .to = p->patch_to,
                                                            .diameter = d,
                                                            .reach = scene->support * d};
    }
    return RILL_OK;
}

static rill_sum *sums_of(const rill_world *world, rill_sum *sums, uint32_t patch)
{
    return sums + (size_t)RILL_REACTION_SUMS * (world->body_count + patch);
}

/* Momentum and angular momentum about the centre of a body, into two lots of four. */
static void add(rill_sum_four four[2], rill_vec3 centre, rill_vec3 at, rill_vec3 p)
{
    const rill_vec3 turn = rill_cross(rill_vec3_sub(at, centre), p);
    rill_sum_four_add(&four[0], (const double[4]){p.x, p.y, p.z, turn.x});
    rill_sum_four_add(&four[1], (const double[4]){turn.y, turn.z, 0, 0});
}

static void begin(rill_sum_four four[2])
{
    const rill_sum none[4] = {0};
    four[0] = four[1] = rill_sum_four_begin(none);
}

static void end(const rill_sum_four four[2], rill_sum *sums)
{
    for (int k = 0; k < RILL_REACTION_SUMS; k++) rill_sum_merge(&sums[k], rill_sum_four_get(&four[k / 4], k % 4));
}

void rill_patches_note(const rill_world *world, uint32_t body, rill_vec3 at, rill_vec3 given, rill_sum *sums)
{
    for (uint32_t k = 0; k < world->patch_count; k++) {
        const rill_body *b = &world->bodies[body];
        if (world->patches[k].body != body) continue;
        rill_sum_four four[2];
        begin(four);
        add(four, rill_body_centre(b), at, rill_patch_part(&world->patches[k], b, at, given));
        end(four, sums_of(world, sums, k));
    }
}

void rill_patches_take(rill_world *world, double dt)
{
    for (uint32_t k = 0; k < world->patch_count; k++)
        rill_reaction_take(sums_of(world, world->sph.runner.more_total, k), dt, &world->patches[k].force,
                           &world->patches[k].torque);
}

typedef struct job {
    const rill_world *world;
    double share;
} job;

/* The momentum that a body gave to a particle in this step. */
static rill_vec3 given_to(const job *j, uint32_t i, uint32_t body)
{
    const rill_sph *sph = &j->world->sph;
    const rill_touches *t = &sph->touches;
    const size_t width = j->world->ops->width, group = i / width, lane = i % width;
    const double mass = sph->rest_density[rill_field_u32(&sph->liquid.fields, FIELD_FLUID)[i]] * sph->volume;
    rill_vec3 sum = {0, 0, 0};
    for (uint32_t row = t->first[group]; row < t->first[group + 1]; row++) {
        const float *v = t->part[TOUCH_GIVEN] + 3 * width * row + lane;
        if (t->body[row] == body) sum = rill_vec3_add(sum, (rill_vec3){v[0], v[width], v[2 * width]});
    }
    return rill_vec3_scale(sum, j->share * mass);
}

static void react_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    const rill_world *world = j->world;
    const rill_sph *sph = &world->sph;
    const float *position = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    for (uint32_t k = 0; k < world->patch_count; k++) {
        const rill_patch *patch = &world->patches[k];
        const rill_body *body = &world->bodies[patch->body];
        const rill_vec3 centre = rill_body_centre(body);
        rill_sum_four four[2];
        begin(four);
        for (uint32_t i = block->begin; i < block->end; i++) {
            const float *x = position + 4 * (size_t)i;
            if (!rill_patch_near(patch, x) || !rill_set_owns(&sph->liquid, i)) continue;
            const rill_vec3 at = {x[0], x[1], x[2]}, given = given_to(j, i, patch->body);
            if (given.x != 0 || given.y != 0 || given.z != 0)
                add(four, centre, at, rill_patch_part(patch, body, at, given));
        }
        end(four, sums_of(world, block->more, k));
    }
}

void rill_patches_react(rill_world *world, const rill_step_context *step, double share)
{
    if (!world->patch_count) return;
    job j = {world, share};
    const rill_pass react = {"patch_react", react_body,
                             FIELD_BIT(FIELD_POSITION) | FIELD_BIT(FIELD_FLUID) | FIELD_BIT(FIELD_OWNER) |
                                 USES_TOUCHES | USES_GIVEN,
                             0, RILL_MORE_SUMS};
    for (uint32_t k = 0; k < world->patch_count; k++)
        world->patches[k].force = world->patches[k].torque = (rill_vec3){0, 0, 0};
    rill_step_run(step, &react, &j);
    rill_patches_take(world, step->dt);
}
