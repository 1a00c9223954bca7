/* A scene from memory: what is taken reads back from what is written of it, and
 * a small one becomes a world that steps without NaN. */
#ifndef RILL_TORTURE_SCENE_H
#define RILL_TORTURE_SCENE_H

#include <math.h>

#include "fuzz.h"
#include "geom/geometry.h"
#include "rill/rill.h"
#include "rill/scene_text.h"

enum { FUZZ_PARTICLES = 300, FUZZ_WALLS = 5000, FUZZ_STEPS = 3, FUZZ_ITERATIONS = 20 };

/* The scene as text; free it. */
static inline char *scene_text(const rill_scene *scene, size_t *size)
{
    char *text = NULL;
    rill_error err = {0};
    FILE *out = open_memstream(&text, size);
    const rill_status status = rill_scene_write(scene, out, &err);
    fclose(out);
    FUZZ_CHECK(!status, "a scene that was read cannot be written: %s", err.text);
    return text;
}

static inline void scene_again(const rill_scene *scene)
{
    size_t size, again_size;
    rill_scene again;
    rill_error err = {0};
    char *text = scene_text(scene, &size);
    const rill_status status = rill_scene_parse(text, size, "written", NULL, 0, &again, &err);
    FUZZ_CHECK(!status, "a written scene is refused: %s\n%s", err.text, text);
    char *again_text = scene_text(&again, &again_size);
    FUZZ_CHECK(size == again_size && !memcmp(text, again_text, size), "a scene changed:\n%s\nto:\n%s", text,
               again_text);
    free(text);
    free(again_text);
    rill_scene_free(&again);
}

static inline double shape_extent(const rill_shape *s, double diameter, bool area)
{
    const rill_geometry *g = rill_geometry_of(s);
    if (!g || g->unbounded) return 0; /* as large as what is around it; the estimate knows */
    const rill_bounds b = rill_shape_bounds(s);
    const double x = (b.high.x - b.low.x) / diameter + 1, y = (b.high.y - b.low.y) / diameter + 1,
                 z = (b.high.z - b.low.z) / diameter + 1;
    return area ? 2 * (x * y + y * z + z * x) : x * y * z;
}

/* Few enough particles to try the scene thousands of times. */
static inline bool scene_is_small(const rill_scene *scene)
{
    rill_estimate estimate;
    double places = 0, walls = 0;
    for (uint32_t i = 0; i < scene->fill_count; i++)
        places += shape_extent(&scene->fills[i].shape, scene->particle_diameter, false);
    for (uint32_t i = 0; i < scene->boundary_count; i++)
        walls += shape_extent(&scene->boundaries[i].shape, scene->particle_diameter, true);
    if (!(places < 1e4 && walls < 1e4) || rill_scene_estimate(scene, &estimate, NULL)) return false;
    return estimate.particles <= FUZZ_PARTICLES && estimate.boundary_particles <= FUZZ_WALLS;
}

static inline void frame_check(const rill_world *world)
{
    const rill_frame frame = rill_world_frame(world);
    for (size_t i = 0; i < 4 * (size_t)frame.count; i++)
        FUZZ_CHECK(i % 4 == 3 || (isfinite(frame.position[i]) && isfinite(frame.velocity[i])),
                   "particle %zu is not finite and no trouble is told", i / 4);
}

static inline void scene_step(rill_scene *scene)
{
    const rill_options options = {.threads = 1};
    rill_error err = {0};
    if (scene->solver.iterations_max > FUZZ_ITERATIONS) scene->solver.iterations_max = FUZZ_ITERATIONS;
    if (scene->solver.iterations_min > FUZZ_ITERATIONS) scene->solver.iterations_min = 0;
    if (scene->solver.iterations_pbf > FUZZ_ITERATIONS) scene->solver.iterations_pbf = FUZZ_ITERATIONS;
    rill_world *world = rill_world_create(scene, &options, &err);
    FUZZ_CHECK(world || *err.text, "a world is refused without a word");
    bool good = world;
    if (good) frame_check(world);
    for (int i = 0; good && i < FUZZ_STEPS; i++) {
        rill_report report;
        good = rill_step(world, NULL, &report, &err) == RILL_OK && report.trouble == RILL_TROUBLE_NONE;
        if (good) frame_check(world);
    }
    rill_world_destroy(world);
}

static inline void scene_try(const char *text, size_t size, const char *const *settings, size_t count, uint32_t choice)
{
    rill_scene scene;
    rill_error err = {0};
    const rill_status status = rill_scene_parse(text, size, "input", settings, count, &scene, &err);
    FUZZ_CHECK(!status || *err.text, "refused without a word");
    if (!status) {
        scene_again(&scene);
        if (!rill_scene_check(&scene, NULL) && choice % 4 == 0 && scene_is_small(&scene)) scene_step(&scene);
    }
    rill_scene_free(&scene);
}

#endif
