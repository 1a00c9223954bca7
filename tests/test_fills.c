/* Fills that overlap are found by a sweep; its slow twin compares every particle with every other fill. Jitter moves
 * particles off the lattice, by the seed alone. label: small */
#include "tests/scenes.h"

#include "base/random.h"

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
                    for (int k = 0; k < 3; k++)
                        r2 += pow((double)x[a][4 * i + (uint32_t)k] - x[b][4 * j + (uint32_t)k], 2);
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

/* ---- jitter ---- */

static rill_world *jittered(double jitter, uint32_t seed, unsigned threads)
{
    rill_scene scene = small_dam();
    scene.fills[0].jitter = jitter;
    scene.seed = seed;
    rill_world *world = world_of(&scene, threads, 0);
    rill_scene_free(&scene);
    return world;
}

static uint64_t hash_of(double jitter, uint32_t seed, unsigned threads)
{
    rill_world *world = jittered(jitter, seed, threads);
    steps(world, 3, NULL);
    const uint64_t hash = rill_world_hash(world);
    rill_world_destroy(world);
    return hash;
}

static void seed_chooses_the_places(void **state)
{
    (void)state;
    assert_true(hash_of(0.1, 1, 1) == hash_of(0.1, 1, 3));
    assert_true(hash_of(0.1, 1, 1) != hash_of(0.1, 2, 1));
    assert_true(hash_of(0, 1, 1) == hash_of(0, 2, 1));
}

/* The place of the particle with an id along an axis. */
static double place_of(const rill_frame *frame, uint64_t id, uint32_t axis)
{
    for (size_t i = 0; i < frame->count; i++)
        if (frame->id[i] == id) return frame->position[4 * i + axis];
    return NAN;
}

/* Evenly up to its size along each axis, which is a third of its square in the mean. */
static void places_are_spread_evenly(void **state)
{
    (void)state;
    const double jitter = 0.2;
    rill_world *plain = jittered(0, 1, 1), *moved = jittered(jitter, 1, 1);
    const rill_frame from = rill_world_frame(plain), to = rill_world_frame(moved);
    assert_true(from.count == to.count && from.count > 500);
    for (uint32_t a = 0; a < 3; a++) {
        double sum = 0, squares = 0, most = 0;
        for (uint64_t id = 0; id < from.count; id++) {
            const double d = (place_of(&to, id, a) - place_of(&from, id, a)) / from.diameter;
            sum += d;
            squares += d * d;
            most = fmax(most, fabs(d));
        }
        const double n = from.count;
        assert_true(most <= jitter * (1 + 1e-4) && most > 0.98 * jitter);
        assert_true(fabs(sum / n) < 4 * jitter / sqrt(3 * n));
        assert_true(fabs(squares / n / (jitter * jitter / 3) - 1) < 4 / sqrt(n));
    }
    rill_world_destroy(plain);
    rill_world_destroy(moved);
}

/* What is saved holds the seed, and a world that goes on from it draws the same numbers. */
static void seed_is_saved(void **state)
{
    (void)state;
    rill_world *saved = jittered(0.1, 7, 1), *other = jittered(0.1, 1, 1);
    rill_snapshot *s = rill_snapshot_take(saved, NULL);
    assert_non_null(s);
    assert_int_equal(rill_world_load(other, rill_snapshot_state(s), NULL), RILL_OK);
    assert_int_equal(rill_world_scene(other)->seed, 7);
    assert_true(rill_world_hash(other) == rill_world_hash(saved));
    rill_snapshot_free(s);
    rill_world_destroy(saved);
    rill_world_destroy(other);
}

static void too_much_jitter_is_refused(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_error err = {0};
    scene.fills[0].jitter = 0.3;
    assert_int_equal(rill_scene_check(&scene, &err), RILL_BAD_INPUT);
    assert_string_equal(err.text, "fill.0.jitter must lie between 0 and 0.2, but is 0.3.");
    rill_scene_free(&scene);
}

/* Numbers of neighbouring keys are as good as independent: every pair of bins of two of them is hit as often. */
static void keys_give_independent_numbers(void **state)
{
    (void)state;
    enum { BINS = 16, DRAWS = 64000 };
    for (int differ = 0; differ < 4; differ++) {
        uint32_t hits[BINS][BINS] = {0};
        for (uint32_t n = 0; n < DRAWS; n++) {
            rill_random_key key = {n % 10, n / 10, n % 7, RILL_RANDOM_JITTER}, next = key;
            next.seed += differ == 0;
            next.id += differ == 1;
            next.step += differ == 2;
            const double a = rill_random(&key, 0), b = rill_random(&next, differ == 3);
            assert_true(a >= 0 && a < 1 && b >= 0 && b < 1);
            hits[(int)(a * BINS)][(int)(b * BINS)]++;
        }
        double chi2 = 0;
        const double mean = (double)DRAWS / (BINS * BINS);
        for (int a = 0; a < BINS; a++)
            for (int b = 0; b < BINS; b++) chi2 += pow(hits[a][b] - mean, 2) / mean;
        /* 255 degrees of freedom: 255 +- 22.6 */
        if (!(chi2 > 165 && chi2 < 345)) fail_msg("keys that differ in part %d: chi2 is %g", differ, chi2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_chooses_the_places),    cmocka_unit_test(places_are_spread_evenly),
        cmocka_unit_test(seed_is_saved),              cmocka_unit_test(too_much_jitter_is_refused),
        cmocka_unit_test(keys_give_independent_numbers),
        cmocka_unit_test(sweep_finds_what_the_twin_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
