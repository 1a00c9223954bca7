/* The walls' own pressure against a slow twin, and what it is for: layers, pressures and levels beside walls. */
#include "tests/densities.h"
#include "tests/wall_twin.h"

/* ---- a slow twin ---- */

static rill_scene two_fluids(void)
{
    rill_scene scene = small_dam();
    strcpy(scene.solver.kind, "dfsph");
    rill_fluid oil = scene.fluids[0];
    strcpy(oil.name, "oil");
    oil.density = 700;
    assert_int_equal(rill_scene_add_fluid(&scene, &oil, NULL), RILL_OK);
    rill_fill top = box_fill((rill_vec3){0, 0, 0.6}, (rill_vec3){0.4, 0.4, 0.75}, (rill_vec3){0, 0, 0});
    top.fluid = 1;
    assert_int_equal(rill_scene_add_fill(&scene, &top, NULL), RILL_OK);
    scene.boundaries[0].motion = (rill_motion){.amplitude = {0.02, 0, 0}, .period = 0.3, .sides = RILL_SIDE_HIGH_X};
    return scene;
}

/* Copies of what the twin needs. */
static plain_liquid plain_of(const rill_sph *sph, double *copy)
{
    const rill_fields *liquid = &sph->liquid.fields;
    const float *x = rill_field_f32(liquid, FIELD_POSITION), *v = rill_field_f32(liquid, FIELD_VELOCITY);
    const float *mean = rill_field_f32(liquid, (uint32_t)rill_fields_find(liquid, "wall_mean"));
    const uint32_t *fluid = rill_field_u32(liquid, FIELD_FLUID), n = liquid->count;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 3; k++) copy[3 * i + k] = x[4 * i + k], copy[3 * (n + i) + k] = v[4 * i + k];
        copy[6 * n + i] = mean[i];
        copy[7 * n + i] = sph->rest_density[fluid[i]];
    }
    return (plain_liquid){n, copy, copy + 3 * n, copy + 6 * n, copy + 7 * n};
}

static void walls_press_as_their_twin(void **state)
{
    (void)state;
    for (unsigned width = 4; width <= 16; width *= 2) {
        if (!rill_fluid_ops_for(width)) continue;
        rill_scene scene = two_fluids();
        rill_world *world = world_of(&scene, 2, width);
        steps(world, 40, NULL);
        rill_sph *sph = &world->sph;
        assert_int_equal(rill_world_refresh(world, NULL), RILL_OK);
        rill_step_context step = {
            .sph = sph, .dt = 1e-3, .last_dt = 1e-3, .between = 2e-3, .bodies = world->bodies,
            .body_count = world->body_count};
        sph->wall_weight = 1;
        assert_int_equal(rill_sph_search(sph, world->ops, rill_clock_due(world), NULL), RILL_OK);
        sum_densities(world);
        world->walls->begin(world->walls_state, &step);
        const uint32_t walls = sph->walls.fields.count, n = sph->liquid.fields.count;
        const float *push = rill_field_f32(&sph->walls.fields, WALL_PUSH);
        double *copy = malloc(8 * (size_t)n * sizeof *copy), most = 0, off = 0;
        const plain_liquid liquid = plain_of(sph, copy);
        for (uint32_t b = 0; b < walls; b++) {
            const double right = wall_pressure_twin(sph, b, &liquid, step.dt, step.between);
            most = fmax(most, right);
            off = fmax(off, fabs(push[4 * (size_t)b + 3] - right));
        }
        /* The walls of a dam of 0.75 m. */
        assert_true(most > 1000 && most < 20000);
        if (off > 1e-4 * most) fail_msg("width %u: a wall's pressure is %g Pa off, of %g", width, off, most);

        /* And on the liquid. */
        float *a = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION);
        for (size_t k = 0; k < 4 * (size_t)n; k++) a[k] = 0;
        world->walls->push(world->walls_state, &step);
        most = off = 0;
        for (uint32_t i = 0; i < n; i++) {
            double right[3] = {0, 0, 0};
            for (uint32_t b = 0; b < walls; b++)
                wall_push_twin(sph, b, push[4 * (size_t)b + 3], liquid.x + 3 * i, liquid.rest[i], right);
            for (int k = 0; k < 3; k++) {
                most = fmax(most, fabs(right[k]));
                off = fmax(off, fabs(a[4 * (size_t)i + (size_t)k] - right[k]));
            }
        }
        assert_true(most > 5);
        if (off > 1e-4 * most) fail_msg("width %u: a wall's push is %g m/s2 off, of %g", width, off, most);
        free(copy);
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

/* ---- still water beside walls ---- */

typedef struct tank {
    int wide, deep;
    double viscosity, seconds;
    double pressure; /* how far the layers' may be off; few particles of a narrow tank lie far from its sides */
} tank;

/* Figures of the last quarter of a run. */
typedef struct beside {
    double layer[2], count[2], share[2]; /* height in d, and pressure over its weight: of the two lowest layers */
    double edge, edges;                  /* the same pressure where two walls meet */
    double level;
    double rms[2]; /* of the second and the last quarter, of sqrt(gH) */
    double energy; /* the most that it is above its start, of m g H */
} beside;

static const double d = 0.02;

static void read_layers(beside *b, const rill_world *world, const tank *t)
{
    const rill_frame f = rill_world_frame(world);
    const double side = t->wide * d, height = t->deep * d;
    for (size_t i = 0; i < f.count; i++) {
        const float *x = f.position + 4 * i;
        const double one = fmin(x[0], side - x[0]) / d, other = fmin(x[1], side - x[1]) / d, z = x[2] / d;
        const double share = f.pressure[i] / (1000 * 9.81 * (height - x[2]));
        if (z < 0.78 && fmin(one, other) < 0.78) b->edge += share, b->edges++;
        const int layer = z < 0.78 ? 0 : z > 1 && z < 1.95 ? 1 : -1;
        if (layer < 0 || fmin(one, other) < 2.5) continue;
        b->layer[layer] += z;
        b->share[layer] += share;
        b->count[layer]++;
    }
}

static beside still_beside_walls(const char *solver, const tank *t)
{
    rill_scene scene = water_scene(d);
    strcpy(scene.solver.kind, solver);
    scene.fluids[0].viscosity_kind = t->viscosity > 0 ? RILL_VISCOSITY_LAPLACIAN : RILL_VISCOSITY_NONE;
    scene.fluids[0].viscosity = t->viscosity;
    const double side = t->wide * d, height = t->deep * d;
    add_box_fill(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){side, side, height}, (rill_vec3){0, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){side, side, height + 8 * d});
    rill_world *world = world_of(&scene, 2, 0);
    const double weight = 1000 * side * side * height * 9.81 * height;
    beside b = {.energy = -INFINITY};
    double start = NAN, squares[4] = {0}, counts[4] = {0}, samples = 0;
    while (rill_world_time(world) < t->seconds) {
        const rill_report r = steps(world, 1, NULL);
        const double energy = (r.kinetic + r.potential) / weight;
        if (isnan(start)) start = energy;
        const int quarter = (int)fmin(4 * r.time / t->seconds, 3);
        squares[quarter] += 2 * r.kinetic / weight;
        counts[quarter]++;
        assert_int_equal(r.lost, 0);
        if (quarter < 3 || r.step % 9) continue; /* PCISPH swings from step to step */
        b.energy = fmax(b.energy, energy - start);
        read_layers(&b, world, t);
        b.level += 2 * r.potential / weight - 1;
        samples++;
    }
    for (int k = 0; k < 2; k++) b.layer[k] /= b.count[k], b.share[k] /= b.count[k];
    b.edge /= b.edges;
    b.level /= samples;
    for (int k = 0; k < 2; k++) b.rms[k] = sqrt(squares[1 + 2 * k] / counts[1 + 2 * k]);
    print_message("%s, %d x %d x %d, viscosity %g: layer at %.3f d, pressures %.3f and %.3f of their weight, %.3f in "
                  "edges, level %+.2f %%, rms %.2f then %.2f %% of sqrt(gH), energy %+.4f\n",
                  solver, t->wide, t->wide, t->deep, t->viscosity, b.layer[0], b.share[0], b.share[1], b.edge,
                  100 * b.level, 100 * b.rms[0], 100 * b.rms[1], b.energy);
    rill_world_destroy(world);
    rill_scene_free(&scene);
    return b;
}

static void within(const char *what, double value, double least, double most)
{
    if (!(value >= least && value <= most))
        fail_msg("%s is %g; it should lie between %g and %g", what, value, least, most);
}

static void layers_lie_where_they_belong(void **state)
{
    (void)state;
    static const tank tanks[] = {{15, 20, 0.005, 3, 0.03}, {12, 48, 0, 3, 0.03}, {8, 64, 0.005, 4, 0.05}};
    /* The few iterations of position based fluids leave liquid compressed, so its level sinks and its pressures are
     * low. */
    static const struct {
        const char *name;
        double pressure, edge, layer, level;
    } solvers[] = {{"dfsph", 0, 0.95, 0.43, 0.007},
                   {"iisph", 0, 0.95, 0.43, 0.007},
                   {"pcisph", 0.02, 0.95, 0.43, 0.007},
                   {"wcsph", 0, 0.95, 0.43, 0.009}, /* it is compressed by a quarter of a percent */
                   {"pbf", 0.05, 0.92, 0.38, 0.055}};
    const bool slow = too_slow_for("layers after three seconds");
    for (size_t s = 0; s < 5 && !slow; s++)
        for (size_t k = 0; k < (s ? 1 : sizeof tanks / sizeof *tanks); k++) {
            const double off = tanks[k].pressure + solvers[s].pressure;
            const beside b = still_beside_walls(solvers[s].name, &tanks[k]);
            within("the height of the first layer", b.layer[0], solvers[s].layer, 0.55);
            within("the pressure of the first layer", b.share[0], 1 - off, 1 + off);
            within("the pressure of the second layer", b.share[1], 1 - off, 1 + off);
            within("the pressure in edges", b.edge, solvers[s].edge, 1.03);
            within("the level", b.level, -solvers[s].level, 0.007);
            /* Nothing feeds it. */
            within("the energy above its start", b.energy, -fmax(0.01, 0.5 * solvers[s].level), 1.5e-3);
            within("what is left of the motion", b.rms[1] / b.rms[0], 0, 1.05);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walls_press_as_their_twin),
                                       cmocka_unit_test(layers_lie_where_they_belong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
