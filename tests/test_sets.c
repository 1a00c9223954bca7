/* Sets of particles that grow and shrink, worlds without particles, and sums that do not depend on their grouping. */
#include "tests/variants.h"

#include <stdio.h>

/* ---- sums ---- */

/* Numbers of all sizes and signs, keyed. */
static double number_at(uint64_t key, int spread)
{
    const double unit = (double)(rill_hash_mix(key * 0x9e3779b97f4a7c15u + 1) >> 11) / 0x1p53 - 0.5;
    return ldexp(unit, (int)(rill_hash_mix(key + 77) % (uint64_t)(2 * spread + 1)) - spread);
}

/* The sum of `count` numbers, those of each run of `step` added up apart, in this or the other order. */
static double grouped(uint32_t count, uint32_t step, bool backwards, int spread)
{
    rill_sum total = {0};
    for (uint32_t first = 0; first < count; first += step) {
        const rill_sum none[4] = {0};
        rill_sum_four part = rill_sum_four_begin(none);
        for (uint32_t i = first; i < first + step && i < count; i++)
            rill_sum_four_add(&part, (const double[4]){number_at(backwards ? count - 1 - i : i, spread)});
        rill_sum_merge(&total, rill_sum_four_get(&part, 0));
    }
    return rill_sum_value(&total);
}

static void sums_do_not_depend_on_the_grouping(void **state)
{
    (void)state;
    static const int spreads[] = {0, 3, 20, 60, 300};
    for (size_t k = 0; k < sizeof spreads / sizeof *spreads; k++) {
        const uint32_t count = 20011;
        const double expected = grouped(count, count, false, spreads[k]);
        double largest = 0;
        long double plain = 0;
        for (uint32_t i = 0; i < count; i++) {
            plain += number_at(i, spreads[k]);
            largest = fmax(largest, fabs(number_at(i, spreads[k])));
        }
        for (uint32_t step = 1; step < 3000; step = 3 * step + 1)
            for (int backwards = 0; backwards < 2; backwards++)
                if (grouped(count, step, backwards, spreads[k]) != expected)
                    fail_msg("groups of %u give %.17g, not %.17g", step, grouped(count, step, backwards, spreads[k]),
                             expected);
        if (fabs(expected - (double)plain) > 1e-5 * largest) fail_msg("%.17g, not %.17g", expected, (double)plain);
    }
}

static void sums_are_right_at_their_ends(void **state)
{
    (void)state;
    const rill_sum none[4] = {0};
    rill_sum_four s = rill_sum_four_begin(none);
    rill_sum_four_add(&s, (const double[4]){0, 1, 1e290, NAN});
    rill_sum_four_add(&s, (const double[4]){0, 0x1p-23, -1e290, 1});
    const double expected[4] = {0, 1 + 0x1p-23, 0, INFINITY};
    for (int k = 0; k < 4; k++) {
        const rill_sum sum = rill_sum_four_get(&s, k);
        assert_true(rill_sum_value(&sum) == expected[k]);
    }
}

/* ---- growing and shrinking ---- */

static void sets_grow_and_shrink(void **state)
{
    (void)state;
    rill_set set = {0};
    rill_set_begin(&set);
    const uint32_t born = rill_fields_add(
        &set.fields, &(rill_field_def){.name = "born", .unit = "", .lanes = 1, .used = 1, .birth = {3}});
    bool gone[3000];
    uint32_t moves = 0;
    void *last = NULL;
    for (uint32_t round = 0; round < 1000; round++) {
        assert_int_equal(rill_set_append(&set, 3, NULL), RILL_OK);
        moves += set.fields.data[born] != last;
        last = set.fields.data[born];
        for (uint32_t i = set.fields.count - 3; i < set.fields.count; i++) {
            assert_true(rill_field_f32(&set.fields, born)[i] == 3);
            assert_true(rill_field_f32(&set.fields, FIELD_VELOCITY)[4 * (size_t)i + 3] == 1);
            rill_field_f32(&set.fields, FIELD_POSITION)[4 * (size_t)i] =
                (float)rill_field_u64(&set.fields, FIELD_ID)[i];
        }
        /* One of three goes again. */
        for (uint32_t i = 0; i < set.fields.count; i++) gone[i] = i + 2 == set.fields.count;
        rill_set_remove(&set, gone);
    }
    assert_true(moves < 25); /* room grows by half at least */
    assert_int_equal(set.fields.count, 2000);
    assert_int_equal(set.own, 2000);
    assert_true(set.next_id == 3000);
    for (uint32_t i = 0; i < 2000; i++) {
        const uint64_t id = i / 2 * 3 + i % 2 * 2; /* in order, and none given twice */
        assert_true(rill_field_u64(&set.fields, FIELD_ID)[i] == id);
        assert_true(rill_field_f32(&set.fields, FIELD_POSITION)[4 * (size_t)i] == (float)id);
    }
    rill_set_free(&set);
}

/* ---- copies of others ---- */

/* Water far away from a dam, fast and high, that stands for particles of another machine. */
static void add_copies(rill_world *world)
{
    rill_set *liquid = &world->sph.liquid;
    const uint32_t first = liquid->fields.count, count = 200;
    assert_int_equal(rill_set_append_copies(liquid, count, 1, NULL), RILL_OK);
    for (uint32_t i = 0; i < count; i++) {
        float *x = rill_field_f32(&liquid->fields, FIELD_POSITION) + 4 * (size_t)(first + i);
        const float place[3] = {(float)(i % 10) * 0.04f + 0.01f, (float)(i / 10) * 0.04f - 3, 1.5f};
        for (int a = 0; a < 3; a++) x[a] = place[a];
        rill_field_f32(&liquid->fields, FIELD_VELOCITY)[4 * (size_t)(first + i) + 2] = 3;
        rill_field_u64(&liquid->fields, FIELD_ID)[first + i] = 5000000 + i;
    }
    /* The furthest of all. */
    float *x = rill_field_f32(&liquid->fields, FIELD_POSITION) + 4 * (size_t)first;
    x[0] = 5, x[1] = 0.2f;
}

static void drop_copies(rill_set *set)
{
    bool *gone = calloc(set->fields.count, 1);
    assert_non_null(gone);
    for (uint32_t i = 0; i < set->fields.count; i++) gone[i] = !rill_set_owns(set, i);
    rill_set_remove(set, gone);
    free(gone);
}

static void add_probe(rill_scene *scene, const char *kind)
{
    rill_probe probe = rill_probe_default();
    snprintf(probe.kind, sizeof probe.kind, "%s", kind);
    snprintf(probe.name, sizeof probe.name, "%s", kind);
    probe.at = (rill_vec3){0.2, 0.2, 0.2};
    probe.radius = 5;
    probe.min_neighbours = 0;
    assert_int_equal(rill_scene_add_probe(scene, &probe, NULL), RILL_OK);
}

/* What a report says of the liquid. */
static void same_reports(const rill_world *world, const rill_report *a, const rill_report *b)
{
    for (uint32_t c = 0; rill_world_column(world, c); c++) {
        const rill_column *column = rill_world_column(world, c);
        const double x = rill_report_value_at(world, a, c), y = rill_report_value_at(world, b, c);
        if (strstr(column->name, "seconds") || x == y) continue;
        fail_msg("%s with %s is %.17g with copies and %.17g without", column->name, world->solver->name, y, x);
    }
    for (uint32_t v = 0; v < a->probe_value_count; v++)
        if (a->probe_values[v] != b->probe_values[v])
            fail_msg("probe %s is %g with copies and %g without", rill_world_probe_name(world, v), b->probe_values[v],
                     a->probe_values[v]);
}

/* Copies are neighbours and nothing else: steps, reports and probes of a world are the same with and without them. */
static void copies_are_not_counted(void **state)
{
    (void)state;
    for (uint32_t s = 0; rill_solver_name(s); s++) {
        rill_scene scene = small_dam();
        snprintf(scene.solver.kind, sizeof scene.solver.kind, "%s", rill_solver_name(s));
        if (s == 0) scene.fluids[0].viscosity_kind = RILL_VISCOSITY_IMPLICIT, scene.fluids[0].viscosity = 0.1;
        static const char *const probes[] = {"front", "height", "kinetic", "potential", "volume"};
        for (size_t p = 0; p < sizeof probes / sizeof *probes; p++) add_probe(&scene, probes[p]);
        rill_world *alone = world_of(&scene, 2, 0), *with = world_of(&scene, 2, 0);
        add_copies(with);
        assert_int_equal(with->sph.liquid.own, alone->sph.liquid.fields.count);
        for (int k = 0; k < 5; k++) {
            const rill_report a = steps(alone, 1, NULL), b = steps(with, 1, NULL);
            assert_true(with->sph.liquid.due.particles == alone->sph.liquid.own);
            same_reports(alone, &a, &b);
        }
        assert_int_equal(with->sph.liquid.fields.count, alone->sph.liquid.fields.count + 200);
        drop_copies(&with->sph.liquid);
        assert_int_equal(with->sph.liquid.own, with->sph.liquid.fields.count);
        assert_true(rill_world_hash(with) == rill_world_hash(alone));
        rill_world_destroy(with);
        rill_world_destroy(alone);
        rill_scene_free(&scene);
    }
}

/* One row more than there is room for is refused, in a sentence, in every kind of build. */
static void too_many_fields_are_refused(void **state)
{
    (void)state;
    rill_set set = {0};
    rill_error err = {0};
    rill_set_begin(&set);
    for (int f = SET_FIELDS; f < RILL_FIELDS_MAX; f++) rill_fields_add_real(&set.fields, "more", "", 1, 1, RILL_STATE);
    assert_int_equal(rill_set_append(&set, 1, &err), RILL_OK);
    rill_fields_add_real(&set.fields, "last", "", 1, 1, RILL_STATE);
    assert_int_equal(rill_set_append(&set, 100, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "fields"));
    rill_set_free(&set);
}

/* The order in memory follows from places and ids alone, not from what was done before. */
static void order_does_not_know_history(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_world *straight = world_of(&scene, 2, 0), *stirred = world_of(&scene, 2, 0);
    steps(straight, 10, NULL);
    steps(stirred, 10, NULL);
    /* The particles of one world are put into another order. */
    rill_fields *fields = &stirred->sph.liquid.fields;
    uint32_t *order = malloc(fields->count * sizeof *order);
    for (uint32_t i = 0; i < fields->count; i++) order[i] = (uint32_t)((i * 7919ull + 13) % fields->count);
    assert_true(fields->count % 7919 != 0);
    const rill_mask rows = rill_fields_until(fields, RILL_STATE);
    assert_int_equal(rill_fields_reorder(fields, order, rows, &stirred->sph.runner.scheduler, NULL), RILL_OK);
    free(order);
    assert_int_equal(bits_after(straight, 10), bits_after(stirred, 10));
    const rill_frame a = rill_world_frame(straight), b = rill_world_frame(stirred);
    assert_memory_equal(a.id, b.id, a.count * sizeof *a.id);
    rill_world_destroy(straight);
    rill_world_destroy(stirred);
    rill_scene_free(&scene);
}

/* ---- worlds that lose and gain particles ---- */

/* Takes away every particle with x beyond a limit, and puts new ones above. */
static void exchange(rill_world *world)
{
    rill_set *liquid = &world->sph.liquid;
    bool *gone = calloc(liquid->fields.count, 1);
    for (uint32_t i = 0; i < liquid->fields.count; i++)
        gone[i] = rill_field_f32(&liquid->fields, FIELD_POSITION)[4 * (size_t)i] > 0.3f;
    rill_set_remove(liquid, gone);
    free(gone);
    const uint32_t first = liquid->fields.count;
    assert_int_equal(rill_set_append(liquid, 27, NULL), RILL_OK);
    for (uint32_t k = 0; k < 27; k++) {
        float *x = rill_field_f32(&liquid->fields, FIELD_POSITION) + 4 * (size_t)(first + k);
        x[0] = 0.6f + 0.05f * (float)(k % 3), x[1] = 0.1f + 0.05f * (float)(k / 3 % 3),
        x[2] = 0.6f + 0.05f * (float)(k / 9);
    }
}

static void worlds_lose_and_gain_particles(void **state)
{
    (void)state;
    for (uint32_t s = 0; rill_solver_name(s); s++) {
        rill_scene scene = small_dam();
        strcpy(scene.solver.kind, rill_solver_name(s));
        rill_world *world = world_of(&scene, 2, 0), *again = world_of(&scene, 3, 0);
        steps(world, 10, NULL);
        const uint64_t before = steps(world, 1, NULL).particles;
        exchange(world);
        const rill_report report = steps(world, 10, NULL);
        assert_true(report.particles < before && report.particles > 27 && !report.lost);
        /* A state with another number of particles than the scene fills in. */
        rill_snapshot *saved = rill_snapshot_take(world, NULL);
        assert_non_null(saved);
        assert_int_equal(rill_world_load(again, rill_snapshot_state(saved), NULL), RILL_OK);
        rill_snapshot_free(saved);
        assert_int_equal(bits_after(world, 10), bits_after(again, 10));
        assert_true(world->sph.liquid.next_id == again->sph.liquid.next_id);
        rill_world_destroy(world);
        rill_world_destroy(again);
        rill_scene_free(&scene);
    }
}

/* A world without particles steps, is saved, restarts and can be filled later. */
static void worlds_may_be_empty(void **state)
{
    (void)state;
    for (uint32_t s = 0; rill_solver_name(s); s++) {
        rill_scene scene = small_dam();
        scene.fill_count = 0;
        scene.shifting = 0.1;
        scene.vorticity = 0.1;
        strcpy(scene.solver.kind, rill_solver_name(s));
        rill_world *world = world_of(&scene, 2, 0), *again = world_of(&scene, 2, 0);
        const rill_report report = steps(world, 3, NULL);
        assert_true(report.particles == 0 && report.kinetic == 0 && report.time > 0);
        rill_snapshot *saved = rill_snapshot_take(world, NULL);
        assert_non_null(saved);
        assert_int_equal(rill_world_load(again, rill_snapshot_state(saved), NULL), RILL_OK);
        rill_snapshot_free(saved);
        assert_true(rill_world_time(again) == rill_world_time(world));
        assert_int_equal(bits_after(world, 2), bits_after(again, 2));
        exchange(world);
        assert_true(steps(world, 5, NULL).particles == 27);
        rill_world_destroy(world);
        rill_world_destroy(again);
        scene.fill_count = 1;
        rill_scene_free(&scene);
    }
}

/* Ids beyond what doubles tell apart are saved and loaded; a state with the short ids of old is refused by name. */
static void ids_have_64_bits(void **state)
{
    (void)state;
    const uint64_t far = ((uint64_t)1 << 60) + 1;
    rill_scene scene = small_dam();
    rill_error err = {0};
    rill_world *world = world_of(&scene, 1, 0), *again = world_of(&scene, 1, 0);
    world->sph.liquid.next_id = far;
    exchange(world);
    rill_state views;
    assert_int_equal(rill_world_views(world, true, &views, NULL), RILL_OK);
    if (rill_world_load(again, &views, &err)) fail_msg("%s", err.text);
    assert_true(again->sph.liquid.next_id == world->sph.liquid.next_id && again->sph.liquid.next_id > far);
    assert_true(rill_world_hash(world) == rill_world_hash(again));
    for (uint32_t i = 0; i < views.count; i++)
        if (!strcmp(views.arrays[i].name, "id")) views.arrays[i].type = RILL_U32;
    assert_int_equal(rill_world_load(again, &views, &err), RILL_BAD_FILE);
    assert_non_null(strstr(err.text, "ids of 32 bits"));
    rill_state_free(&views);
    world->sph.liquid.next_id = UINT64_MAX;
    assert_int_equal(rill_world_views(world, true, &views, NULL), RILL_OK);
    assert_int_equal(rill_world_load(again, &views, &err), RILL_BAD_FILE);
    assert_non_null(strstr(err.text, "18446744073709551615"));
    rill_state_free(&views);
    rill_world_destroy(world);
    rill_world_destroy(again);
    rill_scene_free(&scene);
}

/* A name that does not fit is refused, not cut. */
static void long_names_are_refused(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    rill_error err = {0};
    rill_state views;
    rill_world *world = world_of(&scene, 1, 0);
    rill_fields_add_real(&world->sph.liquid.fields, "a_name_that_no_file_of_frames_has_room_for", "", 1, 1, RILL_STATE);
    assert_int_equal(rill_world_views(world, true, &views, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "a_name_that_no_file"));
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_do_not_depend_on_the_grouping), cmocka_unit_test(sums_are_right_at_their_ends),
        cmocka_unit_test(sets_grow_and_shrink),               cmocka_unit_test(copies_are_not_counted),
        cmocka_unit_test(too_many_fields_are_refused),        cmocka_unit_test(order_does_not_know_history),
        cmocka_unit_test(worlds_lose_and_gain_particles),     cmocka_unit_test(worlds_may_be_empty),
        cmocka_unit_test(ids_have_64_bits),                   cmocka_unit_test(long_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
