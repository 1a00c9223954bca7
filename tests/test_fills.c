/* Fills that overlap are found by a sweep; its slow twin compares every particle with every other fill. label: small */
#include "tests/scenes.h"

enum { FILLS = 9, ROUNDS = 300 };
static const double D = 0.05;

static double chance(uint32_t *seed, double low, double high)
{
    *seed = *seed * 1664525u + 1013904223u;
    return low + (high - low) * (*seed >> 8) / 16777216.0;
}

/* A few boxes and balls, most of them apart. */
static rill_fill fill_random(uint32_t *seed)
{
    rill_fill fill = rill_fill_default();
    const rill_vec3 at = {chance(seed, 0, 3), chance(seed, 0, 1), chance(seed, 0, 1)};
    if (chance(seed, 0, 1) < 0.4) {
        fill.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = at, .radius = chance(seed, 0.06, 0.2)};
    } else {
        fill.shape.from = at;
        fill.shape.to = (rill_vec3){at.x + chance(seed, 0.06, 0.5), at.y + chance(seed, 0.06, 0.3),
                                    at.z + chance(seed, 0.06, 0.3)};
    }
    return fill;
}

/* The particles of one fill alone; free() them. */
static float *particles_of(const rill_fill *fill, uint32_t *count)
{
    rill_scene scene = water_scene(D);
    rill_scene_add_fill(&scene, fill, NULL);
    rill_world *world = world_of(&scene, 1, 0);
    const rill_frame frame = rill_world_frame(world);
    float *position = malloc(frame.count * 4 * sizeof *position);
    memcpy(position, frame.position, frame.count * 4 * sizeof *position);
    *count = frame.count;
    rill_world_destroy(world);
    rill_scene_free(&scene);
    return position;
}

static bool is_inside(const rill_shape *s, const float *x)
{
    const double p[3] = {x[0], x[1], x[2]}, c[3] = {s->center.x, s->center.y, s->center.z};
    const double low[3] = {s->from.x, s->from.y, s->from.z}, high[3] = {s->to.x, s->to.y, s->to.z};
    double r2 = 0;
    bool box = true;
    for (int a = 0; a < 3; a++) {
        r2 += (p[a] - c[a]) * (p[a] - c[a]);
        box = box && p[a] > low[a] + 0.5 * D && p[a] < high[a] - 0.5 * D;
    }
    return s->kind == RILL_SHAPE_SPHERE ? sqrt(r2) < s->radius - 0.5 * D : box;
}

static bool twin_overlaps(const rill_fill *fills)
{
    float *x[FILLS];
    uint32_t count[FILLS];
    bool found = false;
    for (int f = 0; f < FILLS; f++) x[f] = particles_of(&fills[f], &count[f]);
    for (int a = 0; a < FILLS; a++)
        for (int b = 0; b < FILLS; b++)
            for (uint32_t i = 0; a != b && i < count[a]; i++) {
                found = found || is_inside(&fills[b].shape, x[a] + 4 * i);
                for (uint32_t j = 0; j < count[b] && !found; j++) {
                    double r2 = 0;
                    for (int k = 0; k < 3; k++) r2 += pow((double)x[a][4 * i + (uint32_t)k] - x[b][4 * j + (uint32_t)k], 2);
                    found = r2 < 0.25 * D * D;
                }
            }
    for (int f = 0; f < FILLS; f++) free(x[f]);
    return found;
}

static void sweep_finds_what_the_twin_finds(void **state)
{
    (void)state;
    int overlaps = 0;
    uint32_t seed = 5;
    for (int round = 0; round < ROUNDS; round++) {
        rill_scene scene = water_scene(D);
        for (int f = 0; f < FILLS; f++) {
            const rill_fill fill = fill_random(&seed);
            rill_scene_add_fill(&scene, &fill, NULL);
        }
        rill_error err = {0};
        const bool wanted = twin_overlaps(scene.fills);
        rill_world *world = rill_world_create(&scene, &(rill_options){.threads = 1}, &err);
        if (wanted != !world) fail_msg("round %d: %s, but the twin says otherwise", round, world ? "apart" : err.text);
        if (!world) assert_non_null(strstr(err.text, "overlaps fill."));
        overlaps += wanted;
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
    assert_true(overlaps > ROUNDS / 10 && overlaps < ROUNDS * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweep_finds_what_the_twin_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
