/* A small frame and its scene, for tests of rendered pictures. */
#ifndef RILL_TESTS_RENDER_SAMPLE_H
#define RILL_TESTS_RENDER_SAMPLE_H

#include <stdio.h>

#include "render/set_parts.h"
#include "rill/frames.h"
#include "rill/scene_text.h"
#include "run/threads.h"
#include "scenes.h"

enum { SIDE = 8, COUNT = SIDE * SIDE * SIDE, WIDTH = 64, HEIGHT = 48 };

/* A block of 8 x 8 x 8 particles in the low corner of a tank, and one that flies alone. */
typedef struct sample {
    float position[COUNT + 1][4];
    uint32_t fluid[COUNT + 1];
    rill_array arrays[2];
    rill_frame_file frame;
    rill_scene scene;
    rill_threads *pool;
    rill_scheduler scheduler;
} sample;

static inline void array_set(rill_array *a, const char *name, rill_array_type type, uint32_t lanes, uint32_t stride,
                      void *data)
{
    *a = (rill_array){.type = type, .lanes = lanes, .stride = stride, .count = COUNT + 1, .particle = true};
    a->data = data;
    snprintf(a->name, sizeof a->name, "%s", name);
}

static inline int sample_make(void **state)
{
    sample *s = calloc(1, sizeof *s);
    const double d = 0.05;
    for (int i = 0; i < COUNT; i++) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        for (int k = 0; k < 3; k++) s->position[i][k] = (float)((at[k] + 0.5) * d);
    }
    s->position[COUNT][0] = 0.8f, s->position[COUNT][1] = 0.2f, s->position[COUNT][2] = 0.6f;
    array_set(&s->arrays[0], "position", RILL_F32, 3, 4, s->position);
    array_set(&s->arrays[1], "fluid", RILL_U32, 1, 1, s->fluid);
    s->frame = (rill_frame_file){.diameter = d, .count = COUNT + 1, .state = {s->arrays, 2}};
    s->scene = water_scene(d);
    add_tank(&s->scene, (rill_vec3){0, 0, 0}, (rill_vec3){1, 0.4, 0.8});
    s->pool = rill_threads_create(2, NULL);
    s->scheduler = rill_threads_scheduler(s->pool);
    *state = s;
    return 0;
}

static inline int sample_free(void **state)
{
    sample *s = *state;
    rill_threads_destroy(s->pool);
    rill_scene_free(&s->scene);
    free(s);
    return 0;
}

static inline rill_stage_options options_of(const sample *s, rill_look look)
{
    return (rill_stage_options){
        .look = look, .glass = rill_look_has_glass(look), .azimuth = -62, .scheduler = &s->scheduler};
}

#define SAMPLE_TEST(name) cmocka_unit_test_setup_teardown(name, sample_make, sample_free)

#endif
