/* Every pass of every method does what it declares, and the proof of that can fail. */
#include "tests/promises.h"

#include <ftw.h>

#include "rill/store.h"

/* ---- a scene for every pass ---- */

static rill_scene still_dam(const char *solver)
{
    return dam_with(solver, 0.05);
}

/* A dam whose liquid carries its density along. */
static rill_scene carried(const char *solver)
{
    rill_scene scene = dam_with(solver, 0.05);
    scene.solver.density = RILL_DENSITY_CONTINUITY;
    scene.solver.diffusion = 0.1;
    return scene;
}

/* Two fluids of two viscosities in a channel, one side of which moves, in wind. */
static rill_scene stirred(const char *solver)
{
    rill_scene scene = two_fluids_with(solver);
    scene.fluids[1].viscosity = 0.5;
    scene.boundaries[0].slip = 0;
    scene.boundaries[0].motion = (rill_motion){.amplitude = {0, 0.02, 0}, .period = 0.3, .sides = RILL_SIDE_HIGH_Y};
    scene.air.coefficient = 0.5;
    scene.air.density = 1.2;
    scene.shifting = 0.5;
    scene.vorticity = 0.1;
    scene.solver.negative_pressure = true;
    scene.solver.iterations_pbf = 2;
    rill_probe floor = rill_probe_default();
    strcpy(floor.kind, "force");
    floor.patch_given = 1;
    floor.patch_to = (rill_vec3){0.3, 0.4, 0};
    assert_int_equal(rill_scene_add_probe(&scene, &floor, NULL), RILL_OK);
    return scene;
}

static rill_scene tense(const char *solver, rill_tension_kind kind)
{
    rill_scene scene = two_fluids_with(solver);
    for (uint32_t f = 0; f < 2; f++) {
        scene.fluids[f].tension_kind = kind;
        scene.fluids[f].tension = 0.1 * (1 + f);
        scene.fluids[f].adhesion = kind == RILL_TENSION_COHESION ? 0.5 : 0;
    }
    return scene;
}

static rill_scene cohesion(const char *solver)
{
    return tense(solver, RILL_TENSION_COHESION);
}

static rill_scene colour(const char *solver)
{
    return tense(solver, RILL_TENSION_COLOUR);
}

static rill_scene thick(const char *solver)
{
    rill_scene scene = two_fluids_with(solver);
    scene.boundaries[0].slip = 0;
    for (uint32_t f = 0; f < 2; f++) {
        scene.fluids[f].viscosity_kind = RILL_VISCOSITY_IMPLICIT;
        scene.fluids[f].viscosity = 1 + f;
    }
    return scene;
}

/* A thick drop that nothing holds. */
static rill_scene loose(const char *solver)
{
    rill_scene scene = water_scene(0.05);
    strcpy(scene.solver.kind, solver);
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_IMPLICIT;
    scene.fluids[0].viscosity = 1;
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){0.3, 0.3, 0.5}, (rill_vec3){0, 0, 0});
    add_box_fill(&scene, (rill_vec3){0, 0.3, 0}, (rill_vec3){0.3, 0.6, 0.5}, (rill_vec3){0, 0, -1});
    return scene;
}

/* Some of its particles once more, far above, that belong to another owner. */
static void add_copies(rill_world *world, uint32_t count)
{
    rill_set *liquid = &world->sph.liquid;
    const uint32_t first = liquid->fields.count;
    assert_int_equal(rill_set_append_copies(liquid, count, 1, NULL), RILL_OK);
    float *x = rill_field_f32(&liquid->fields, FIELD_POSITION);
    for (uint32_t i = 0; i < count; i++) {
        for (size_t a = 0; a < 3; a++) x[4 * (size_t)(first + i) + a] = x[4 * (size_t)i + a] + (a == 2 ? 2 : 0);
        rill_field_u64(&liquid->fields, FIELD_ID)[first + i] = 1000000 + i;
    }
}

typedef rill_scene make_scene(const char *solver);

static const struct {
    const char *solver;
    make_scene *make;
} cases[] = {
    {"dfsph", still_dam}, {"iisph", still_dam}, {"pcisph", still_dam}, {"pbf", still_dam}, {"wcsph", still_dam},
    {"dfsph", stirred},   {"iisph", stirred},   {"pcisph", stirred},   {"pbf", stirred},   {"wcsph", stirred},
    {"wcsph", carried},   {"dfsph", cohesion},  {"wcsph", cohesion},   {"dfsph", colour},  {"pbf", colour},
    {"dfsph", thick},     {"wcsph", thick},     {"dfsph", loose},
};

/* Whole steps, one cut short among them, and a look between steps; ends where a pass was found to lie. */
static void take_steps(rill_world *world, const pass_proof *all)
{
    for (int k = 0; k < 3 && !all->broken[0]; k++) {
        const double until = world->clock.time + 0.1 * world->clock.dt;
        const rill_controls cut = {.until = k == 1 ? until : 0};
        rill_error err = {0};
        if (rill_step(world, &cut, NULL, &err)) fail_msg("%s", err.text);
    }
    rill_move_stats stats;
    assert_int_equal(rill_world_measure(world, &stats, NULL), RILL_OK);
}

/* ---- the passes that there are ---- */

static char known[4000]; /* each between spaces */

/* The names in the definitions of passes: `rill_pass NAME = {"name"`. */
static int note_definitions(const char *path, const struct stat *about, int type)
{
    (void)about;
    char *text = NULL;
    size_t size;
    if (type != FTW_F) return 0;
    assert_int_equal(rill_store_get(path, 1 << 24, &text, &size, NULL), RILL_OK);
    for (const char *s = text; (s = strstr(s, "rill_pass "));) {
        char name[60] = "";
        s += strlen("rill_pass ");
        if (sscanf(s, "%*[a-z_] = { \"%59[^\"]\"", name) != 1) continue;
        char word[64];
        snprintf(word, sizeof word, " %s ", name);
        if (strstr(known, word)) fail_msg("two passes are called %s", name);
        assert_true(strlen(known) + strlen(word) < sizeof known);
        strcat(known, word);
    }
    free(text);
    return 0;
}

/* Fails with the first word of a list that is not in the other. */
static void all_in(const char *words, const char *list, const char *what)
{
    char name[62], word[64];
    for (int length; sscanf(words, " %61s%n", name, &length) == 1; words += length) {
        snprintf(word, sizeof word, " %s ", name);
        if (!strstr(list, word)) fail_msg("pass %s %s", name, what);
    }
}

static void every_pass_keeps_its_word(void **state)
{
    (void)state;
    static pass_proof all;
    static char seen[4000];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rill_scene scene = cases[i].make(cases[i].solver);
        rill_world *world = world_of(&scene, 2, 0);
        if (cases[i].make == stirred || cases[i].make == loose) add_copies(world, 100);
        prove_passes(world, &all);
        take_steps(world, &all);
        if (all.broken[0]) fail_msg("%s (scene %zu, %s)", all.broken, i, cases[i].solver);
        assert_true(strlen(seen) + strlen(all.names) < sizeof seen);
        char name[62];
        int length;
        for (const char *s = all.names; sscanf(s, " %61s%n", name, &length) == 1; s += length) {
            char word[64];
            snprintf(word, sizeof word, " %s ", name);
            if (!strstr(seen, word)) strcat(seen, word);
        }
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
    assert_int_equal(ftw("src", note_definitions, 16), 0);
    all_in(known, seen, "is in no scene of this test");
    all_in(seen, known, "is not found in the sources");
}

/* ---- passes that lie ---- */

/* Adds one to the pressure of its first particle, changes that of another block, or takes a value from there. */
typedef struct lie {
    const rill_fields *fields;
    enum { LIE_OWN, LIE_OTHER, LIE_GATHER, LIE_SUM } kind;
} lie;

static void lying_body(void *context, const rill_pass_block *block)
{
    const lie *l = context;
    float *p = rill_field_f32(l->fields, FIELD_PRESSURE), *rho = rill_field_f32(l->fields, FIELD_DENSITY);
    const uint32_t n = l->fields->count, next = block->end < n ? block->end : 0;
    if (l->kind == LIE_OWN) p[block->begin] += 1;
    if (l->kind == LIE_OTHER) p[next] = 1;
    if (l->kind == LIE_GATHER) p[block->begin] = rho[next];
    if (l->kind == LIE_SUM) block->tally->counts[0] += p[block->begin] >= 0;
}

/* What the proof says of a pass of this kind that declares this. */
static const char *verdict(rill_world *world, int kind, rill_mask reads, rill_mask gathers, rill_mask writes)
{
    static pass_proof all;
    rill_runner *runner = &world->sph.runner;
    lie l = {&world->sph.liquid.fields, kind};
    const rill_pass pass = {"liar", lying_body, reads, gathers, writes};
    prove_passes(world, &all);
    rill_pass_run(runner, &world->sph.liquid.fields, &pass, &l,
                  rill_runner_blocks(runner, world->sph.liquid.fields.count));
    runner->hook = NULL;
    return all.broken;
}

/* The proof that passes keep their word must be able to fail. */
static void a_lying_pass_is_found(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *world = world_of(&scene, 1, 0);
    steps(world, 1, NULL);
    const rill_mask p = FIELD_BIT(FIELD_PRESSURE), rho = FIELD_BIT(FIELD_DENSITY), v = FIELD_BIT(FIELD_VELOCITY);
    assert_string_equal(verdict(world, LIE_OWN, p, 0, p), "");
    assert_non_null(strstr(verdict(world, LIE_OWN, p, 0, rho), "changes pressure"));
    assert_non_null(strstr(verdict(world, LIE_OWN, v, 0, p), "does not declare"));
    assert_non_null(strstr(verdict(world, LIE_OTHER, p, 0, p), "pressure"));
    assert_string_equal(verdict(world, LIE_GATHER, p, rho, p), "");
    assert_non_null(strstr(verdict(world, LIE_GATHER, p | rho, 0, p), "does not declare"));
    assert_string_equal(verdict(world, LIE_SUM, p, 0, RILL_SUMS), "");
    assert_non_null(strstr(verdict(world, LIE_SUM, 0, 0, RILL_SUMS), "sums differ"));
    assert_non_null(strstr(verdict(world, LIE_SUM, p, 0, 0), "changes sums"));
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* Passes of the engine that keep something to themselves. */
static void what_is_not_declared_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *solver;
        make_scene *make;
        planted_lie lie;
    } lies[] = {
        {"dfsph", still_dam, {"neighbours", .reads = USES_MISSING}},
        {"dfsph", still_dam, {"neighbours", .gathers = USES_AXES}},
        {"dfsph", still_dam, {"neighbours", .gathers = USES_WALL_AXES}},
        {"dfsph", still_dam, {"neighbours", .writes = USES_MISSING}},
        {"dfsph", still_dam, {"neighbours", .writes = RILL_SUMS}},
        {"dfsph", still_dam, {"neighbours", .writes = USES_LISTS}},
        {"dfsph", still_dam, {"neighbours", .writes = USES_WALL_LISTS}},
        {"dfsph", still_dam, {"density", .reads = USES_LISTS}},
        {"dfsph", still_dam, {"density", .reads = USES_TOUCHES}},
        {"dfsph", still_dam, {"touch_count", .reads = USES_WALL_LISTS}},
        {"dfsph", still_dam, {"touch_count", .writes = USES_TOUCH_COUNTS}},
        {"dfsph", still_dam, {"touch", .gathers = USES_WALL_PLACES}},
        {"dfsph", still_dam, {"touch", .writes = USES_TOUCHES}},
        {"dfsph", still_dam, {"touch", .writes = USES_WALL_FACTORS}},
        {"dfsph", still_dam, {"touch_react", .reads = USES_GIVEN}},
        {"dfsph", still_dam, {"touch_react", .writes = RILL_MORE_SUMS}},
        {"dfsph", stirred, {"patch_react", .reads = USES_GIVEN}},
        {"dfsph", stirred, {"patch_react", .writes = RILL_MORE_SUMS}},
        {"dfsph", still_dam, {"density", .gathers = FIELD_BIT(FIELD_POSITION)}},
        {"dfsph", still_dam, {"density", .writes = USES_FACTORS}},
        {"dfsph", still_dam, {"dfsph_begin", .reads = USES_FACTORS}},
        {"dfsph", still_dam, {"dfsph_begin", .reads = USES_TOUCHES}},
        {"dfsph", still_dam, {"dfsph_begin", .writes = USES_WEIGHTS}},
        {"dfsph", still_dam, {"dfsph_push", .reads = USES_WEIGHTS}},
        {"dfsph", still_dam, {"dfsph_test", .writes = RILL_SUMS}},
        {"dfsph", still_dam, {"dfsph_test", .reads = USES_TOUCHES}},
        {"dfsph", still_dam, {"dfsph_apply", .writes = USES_GIVEN}},
        {"pbf", stirred, {"pbf_displace", .reads = USES_TOUCHES}},
        {"pbf", stirred, {"pbf_displace", .reads = USES_TOUCH_PUSH}},
        {"pbf", stirred, {"pbf_measure", .reads = USES_LISTS}},
        {"pbf", stirred, {"pbf_measure", .reads = ~(rill_mask)0, .gathers = ~(rill_mask)0}},
        {"wcsph", carried, {"pair_factors", .reads = FIELD_BIT(FIELD_COMPRESSION)}},
        {"dfsph", still_dam, {"walls_look", .gathers = USES_AXES}},
        {"dfsph", still_dam, {"walls_look", .writes = USES_LIQUID_LISTS}},
        {"dfsph", still_dam, {"walls_press", .reads = USES_LIQUID_LISTS}},
        {"dfsph", still_dam, {"walls_press", .gathers = USES_LIQUID}},
        {"dfsph", still_dam, {"walls_press", .writes = FIELD_BIT(WALL_PUSH)}},
        {"dfsph", still_dam, {"walls_gather", .gathers = USES_WALL_PUSH}},
        {"dfsph", still_dam, {"walls_push", .reads = USES_TOUCH_PUSH}},
        {"dfsph", still_dam, {"shorten", .reads = FIELD_BIT(FIELD_VELOCITY)}},
        {"dfsph", still_dam, {"move", .reads = FIELD_BIT(FIELD_POSITION)}},
    };
    static pass_proof all;
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        rill_scene scene = lies[i].make(lies[i].solver);
        rill_world *world = world_of(&scene, 2, 0);
        prove_passes(world, &all);
        all.lie = lies[i].lie;
        take_steps(world, &all);
        char start[64];
        snprintf(start, sizeof start, "Pass %s ", all.lie.pass);
        if (strncmp(all.broken, start, strlen(start)) != 0)
            fail_msg("lie %zu of %s: '%s'", i, all.lie.pass, all.broken);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pass_keeps_its_word),
        cmocka_unit_test(a_lying_pass_is_found),
        cmocka_unit_test(what_is_not_declared_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
