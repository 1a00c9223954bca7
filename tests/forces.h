/* Forces one at a time, on particles out of order, for their slow twins. */
#ifndef RILL_TESTS_FORCES_H
#define RILL_TESTS_FORCES_H

#include "tests/pairs.h"
#include "tests/pass_proof.h"
#include "tests/scenes.h"
#include "tests/variants.h"

static inline float noise(float size)
{
    return size * ((float)(rand() % 20001) * 1e-4f - 1);
}

/* Moves every particle by up to `size` diameters, gives it a velocity, and finds neighbours and densities again. */
static inline void shake(rill_world *world, float size, float speed)
{
    rill_sph *s = &world->sph;
    float *x = rill_field_f32(&s->liquid.fields, FIELD_POSITION),
          *v = rill_field_f32(&s->liquid.fields, FIELD_VELOCITY);
    srand(7);
    for (size_t i = 0; i < s->liquid.fields.count; i++)
        for (size_t k = 0; k < 3; k++) {
            x[4 * i + k] = rill_grid_wrap(&s->grid, (int)k, x[4 * i + k] + noise(size * (float)s->diameter));
            v[4 * i + k] = noise(speed);
        }
    find_neighbours(world);
}

/* The acceleration by the force of this name alone, four floats a particle. */
static inline const float *force_alone(rill_world *world, const char *name, double dt)
{
    rill_sph *s = &world->sph;
    float *a = rill_field_f32(&s->liquid.fields, FIELD_ACCELERATION);
    memset(a, 0, 16 * (size_t)s->liquid.fields.count);
    double values[RILL_METHOD_VALUES_MAX] = {0};
    rill_solve_result result = {.values = values};
    const rill_step_context step = {.sph = s, .dt = dt, .last_dt = dt, .sound_speed = world->sound_speed};
    for (uint32_t f = 0; f < world->force_count; f++) {
        const rill_world_force *force = &world->forces[f];
        if (strcmp(force->method->name, name)) continue;
        assert_int_equal(force->method->apply(force->state, &step, &result, NULL), RILL_OK);
        return a;
    }
    fail_msg("the world has no force %s", name);
    return NULL;
}

static inline void place_of(const rill_sph *s, size_t i, double x[3])
{
    for (size_t k = 0; k < 3; k++) x[k] = rill_field_f32(&s->liquid.fields, FIELD_POSITION)[4 * i + k];
}

/* The largest difference of fast and slow accelerations, as a share of the largest of them. */
static inline double difference(const rill_sph *s, const float *fast, const double *slow)
{
    double worst = 0, most = 0;
    for (size_t i = 0; i < s->liquid.fields.count; i++)
        for (size_t k = 0; k < 3; k++) {
            worst = fmax(worst, fabs(fast[4 * i + k] - slow[3 * i + k]));
            most = fmax(most, fabs(slow[3 * i + k]));
        }
    assert_true(most > 0);
    return worst / most;
}

/* The sum of all forces, as a share of the sum of their sizes. */
static inline double net_force(const rill_sph *s, const float *a)
{
    double sum[3] = {0}, size = 0;
    for (size_t i = 0; i < s->liquid.fields.count; i++) {
        const double rho = s->rest_density[rill_field_u32(&s->liquid.fields, FIELD_FLUID)[i]];
        for (size_t k = 0; k < 3; k++) sum[k] += rho * a[4 * i + k];
        size += rho * sqrt(pow(a[4 * i], 2) + pow(a[4 * i + 1], 2) + pow(a[4 * i + 2], 2));
    }
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / size;
}

/* Every pass writes only the fields it declares. */
static inline void check_words(const rill_scene *scene)
{
    rill_world *world = world_of(scene, 2, 0);
    prove_steps(world, 2);
    rill_world_destroy(world);
}

#endif
