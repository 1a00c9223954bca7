/* Media of a stage as pictures build it: on any way through tank, liquid and drops every medium is left as often as it
 * was entered. */
#include "traces.h"

#include "base/hash.h"
#include "render/set_parts.h"
#include "run/threads.h"
#include "text/pi.h"

enum { SIDE = 8, BLOCK = SIDE * SIDE * SIDE, DROPS = 60, COUNT = BLOCK + DROPS };

static double number_of(uint64_t a, uint64_t b)
{
    return (double)(rill_hash_add(rill_hash_add(3, a), b) >> 40) / 0x1p24;
}

/* A block of particles in a corner of a tank of glass, and drops about, many of them at its walls. */
static rill_stage *tank_stage(double d)
{
    static float position[COUNT][4];
    rill_array arrays[] = {{.name = "position", .type = RILL_F32, .lanes = 3, .stride = 4, .count = COUNT,
                            .particle = true, .data = position}};
    const rill_frame_file frame = {.diameter = d, .count = COUNT, .state = {arrays, 1}};
    rill_scene scene = water_scene(d);
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){1, 0.4, 0.8});
    for (int i = 0; i < BLOCK; i++) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        for (int k = 0; k < 3; k++) position[i][k] = (float)((at[k] + 0.5) * d);
    }
    for (uint64_t i = 0; i < DROPS; i++) {
        float *p = position[BLOCK + i];
        p[0] = (float)(0.5 + 0.5 * number_of(i, 0));
        p[1] = (float)(i % 2 ? 0.3 * d : 0.4 - 0.3 * d);
        p[2] = (float)(0.1 + 0.6 * number_of(i, 1));
    }
    rill_error err = {0};
    rill_stage *stage = NULL;
    rill_threads *pool = rill_threads_create(1, &err);
    const rill_scheduler scheduler = rill_threads_scheduler(pool);
    const rill_stage_options options = {.look = RILL_LOOK_CLEAR, .glass = true, .scheduler = &scheduler};
    fine(rill_stage_of_frame(&frame, &scene, &options, &stage, NULL, &err), &err);
    rill_threads_destroy(pool);
    rill_scene_free(&scene);
    return stage;
}

typedef struct walk {
    bool balanced;
    int crossed;
} walk;

/* Straight on through all boundaries, to the sky or to something that is not clear. */
static walk walk_through(const rill_stage *stage, v3 o, v3 d)
{
    rill_media inside = {0};
    walk w = {.balanced = true};
    for (struct RTCRayHit ray;; w.crossed++) {
        rill_hit hit;
        rill_ray_set(&ray, o, d, INFINITY);
        if (!rill_ray_meets(stage, &ray)) break;
        rill_hit_take(stage, &ray, &hit);
        if (!hit.matter->medium) return w;
        if (hit.front) rill_media_enter(&inside, hit.matter->medium, stage->media);
        else w.balanced &= rill_media_leave(&inside, hit.matter->medium, stage->media);
        o = rill_hit_leave(&hit, d);
    }
    w.balanced &= inside.count == 0;
    return w;
}

static void media_balance(void **state)
{
    (void)state;
    rill_stage *stage = tank_stage(0.05);
    const uint64_t ways = slow_build() ? 5000 : 200000;
    uint64_t lost = 0, crossed = 0;
    for (uint64_t i = 0; i < ways; i++) {
        /* From all around to some place in the tank or its walls, of which every third is a corner or an edge. */
        v3 to = {(float)(1.04 * number_of(i, 1) - 0.02), (float)(0.44 * number_of(i, 2) - 0.02),
                 (float)(0.8 * number_of(i, 3))};
        if (i % 3 == 0) to.x = (float)(number_of(i, 4) < 0.5 ? -0.006 : 1.006);
        if (i % 3 == 0) to.y = (float)(number_of(i, 5) < 0.5 ? -0.006 : 0.406);
        const double z = 2 * number_of(i, 6) - 1, r = sqrt(1 - z * z), phi = 2 * RILL_PI * number_of(i, 7);
        const v3 d = {(float)(r * cos(phi)), (float)(r * sin(phi)), (float)z};
        const walk w = walk_through(stage, v3_along(to, -5, d), d);
        lost += !w.balanced;
        crossed += (uint64_t)w.crossed;
    }
    assert_true(crossed > 2 * ways);
    if (lost > ways / 5000) fail_msg("On %u of %u ways media were lost.", (unsigned)lost, (unsigned)ways);
    rill_stage_free(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(media_balance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
