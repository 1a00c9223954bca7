/* Making a world from a scene. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "world/world.h"

static void add_fields(rill_world *world)
{
    static const rill_field_def defs[FIELD_COUNT - SET_FIELDS] = {
        [FIELD_FLUID - SET_FIELDS] = {"fluid", "", RILL_FIELD_U32, 1, 1, RILL_STATE, .in = 0},
        [FIELD_ACCELERATION - SET_FIELDS] = {"acceleration", "m/s2", RILL_FIELD_F32, 4, 3, RILL_SCRATCH, .in = 0},
        [FIELD_COMPRESSION - SET_FIELDS] = {"compression", "", RILL_FIELD_F32, 1, 1, RILL_SCRATCH, .birth = {1}},
        [FIELD_PRESSURE - SET_FIELDS] = {"pressure", "Pa", RILL_FIELD_F32, 1, 1, RILL_DERIVED, .in = 0},
        [FIELD_DENSITY - SET_FIELDS] = {"density", "kg/m3", RILL_FIELD_F32, 1, 1, RILL_DERIVED, .in = 0},
        [FIELD_CARRIED - SET_FIELDS] = {"compression_carried", "", RILL_FIELD_F32, 1, 1, RILL_SCRATCH,
                                        .in = FIELD_VELOCITY + 1, .lane = 3},
        [FIELD_KICKED -
            SET_FIELDS] = {"velocity_kicked", "m/s", RILL_FIELD_F32, 4, 3, RILL_SCRATCH, .in = FIELD_ACCELERATION + 1},
    };
    rill_fields *fields = &world->sph.liquid.fields;
    rill_set_begin(&world->sph.liquid);
    rill_walls_begin(&world->sph);
    for (uint32_t f = SET_FIELDS; f < FIELD_COUNT; f++) rill_fields_add(fields, &defs[f - SET_FIELDS]);
    world->start_field = rill_fields_add(
        fields, &(rill_field_def){"velocity_start", "m/s", RILL_FIELD_F32, 4, 3, RILL_SCRATCH, .late = true});
}

static rill_status set_constants(rill_world *world, rill_error *err)
{
    const rill_scene *scene = &world->scene;
    rill_sph *sph = &world->sph;
    const double d = scene->particle_diameter;
    sph->diameter = d;
    sph->support = scene->support * d;
    sph->kernel = scene->kernel;
    sph->wall_weight = 1;
    const double lattice = rill_kernel_lattice_sum(rill_kernel_of_density(scene->kernel), sph->support, d);
    const double factor = scene->fluids[0].mass_factor;
    sph->volume = factor > 0 ? factor * d * d * d : 1 / lattice;
    sph->fluid_count = scene->fluid_count;
    sph->rest_density = rill_calloc(scene->fluid_count, sizeof *sph->rest_density);
    sph->viscosity = rill_calloc(scene->fluid_count, sizeof *sph->viscosity);
    sph->tension = rill_calloc(scene->fluid_count, sizeof *sph->tension);
    sph->adhesion = rill_calloc(scene->fluid_count, sizeof *sph->adhesion);
    if (!sph->rest_density || !sph->viscosity || !sph->tension || !sph->adhesion)
        return rill_memory_fail(err, 16 * scene->fluid_count, "the fluids");
    for (uint32_t f = 0; f < scene->fluid_count; f++) {
        sph->rest_density[f] = (float)scene->fluids[f].density;
    }
    sph->viscosity_kind = scene->fluids[0].viscosity_kind;
    const double from[3] = {scene->domain_from.x, scene->domain_from.y, scene->domain_from.z};
    const double to[3] = {scene->domain_to.x, scene->domain_to.y, scene->domain_to.z};
    sph->grid = rill_grid_make(sph->support, scene->periodic, from, to);
    rill_world_tune(world); /* forces ask for these numbers to know whether they act */
    return RILL_OK;
}

double rill_scene_density_error(const rill_scene *scene)
{
    const rill_solver *solver = rill_solver_find(scene->solver.kind, RILL_VARIANT_BASE);
    return scene->solver.density_error > 0 || !solver ? scene->solver.density_error : solver->density_error;
}

static rill_status choose_solver(rill_world *world, rill_error *err)
{
    const char *kind = world->scene.solver.kind;
    world->solver = rill_solver_find(kind, world->ops->variant);
    const rill_status status = world->solver->create(&world->sph, &world->scene, &world->solver_state, err);
    return status ? status : rill_report_add_columns(world, world->solver->columns, &world->solver_first_value, err);
}

static rill_status choose_walls(rill_world *world, rill_error *err)
{
    world->walls = rill_wall_method_of(world->ops->variant);
    return world->walls->create(&world->sph, &world->walls_state, err);
}

static rill_status choose_forces(rill_world *world, rill_error *err)
{
    uint32_t all = 0;
    while (rill_force_at(all, world->ops->variant)) all++;
    world->forces = rill_calloc(all + 1, sizeof *world->forces);
    if (!world->forces) return rill_memory_fail(err, all * sizeof *world->forces, "the forces");
    for (uint32_t f = 0; f < all; f++) {
        const rill_force *method = rill_force_at(f, world->ops->variant);
        if (!method->active(&world->sph, &world->scene)) continue;
        rill_world_force *force = &world->forces[world->force_count];
        if (method->create) {
            const rill_status status = method->create(&world->sph, &world->scene, &force->state, err);
            if (status) return status;
        }
        force->method = method;
        world->force_count++;
        const rill_status status = rill_report_add_columns(world, method->columns, &force->first_value, err);
        if (status) return status;
    }
    return RILL_OK;
}

/* How many particles all fills have. */
static rill_status count_fills(const rill_world *world, const rill_guard *room, uint64_t *total, rill_error *err)
{
    const rill_scene *scene = &world->scene;
    *total = 0;
    for (uint32_t f = 0; f < scene->fill_count; f++) {
        uint64_t count;
        const rill_status status = rill_world_fill_count(world, room, &scene->fills[f], &count, err);
        if (status) return status;
        if (!count)
            return rill_fail(err, RILL_BAD_INPUT,
                             "Scene %s has no particles in fill.%u: it holds none of diameter %g m inside the walls.",
                             scene->name, f, scene->particle_diameter);
        *total += count;
    }
    return RILL_OK;
}

/* Places the particles; first[f] is the id of fill f's first. */
static rill_status fill_world(rill_world *world, uint32_t *first, rill_error *err)
{
    const rill_scene *scene = &world->scene;
    uint64_t total = 0;
    rill_guard room = {0};
    rill_status status = rill_fill_room(scene, world->bodies, &room, err);
    if (!status) status = count_fills(world, &room, &total, err);
    if (!status) status = rill_world_append(world, total, err);
    for (uint32_t f = 0, next = 0; f < scene->fill_count && !status; f++) {
        first[f] = next;
        next = rill_world_fill_put(world, &room, &scene->fills[f], next);
    }
    rill_guard_free(&room);
    return status;
}

static rill_status populate(rill_world *world, rill_error *err)
{
    uint32_t *first = rill_calloc(world->scene.fill_count + 1, sizeof *first);
    if (!first) return rill_memory_fail(err, 4 * world->scene.fill_count, "the fills");
    rill_status status = fill_world(world, first, err);
    first[world->scene.fill_count] = world->sph.liquid.fields.count;
    if (!status) status = rill_overlap_of_shapes(world, first, err);
    if (!status) status = rill_world_make_walls(world, 0, err);
    if (!status) status = rill_sph_sort(&world->sph, world->ops, err);
    if (!status) status = rill_sph_search(&world->sph, world->ops, rill_clock_due(world), err);
    if (!status) status = rill_overlap_of_particles(world, first, err);
    if (!status) rill_world_set_densities(world, 0);
    rill_free(first);
    return status;
}

static rill_status choose_threads(rill_world *world, const rill_options *options, rill_error *err)
{
    rill_scheduler scheduler = {0};
    if (options->scheduler) {
        scheduler = *options->scheduler;
    } else {
        world->threads = rill_threads_create(options->threads, err);
        if (!world->threads) return options->threads > RILL_THREADS_MAX ? RILL_BAD_INPUT : RILL_NO_MEMORY;
        scheduler = rill_threads_scheduler(world->threads);
    }
    if (!scheduler.workers || !scheduler.parallel_for)
        return rill_fail(err, RILL_BAD_INPUT, "The scheduler needs at least one worker and a parallel_for.");
    rill_status status = rill_runner_create(&world->sph.runner, &scheduler, err);
    if (!status) status = rill_lists_create(&world->sph.lists, scheduler.workers, err);
    if (!status) status = rill_lists_create(&world->sph.wall_lists, scheduler.workers, err);
    return status ? status : rill_lists_create(&world->sph.liquid_lists, scheduler.workers, err);
}

static rill_status build(rill_world *world, const rill_options *options, rill_error *err)
{
    rill_scene_snap(&world->scene);
    rill_identity_of(&world->scene, world->identity);
    world->scene_hash = rill_scene_hash(&world->scene);
    rill_status status = choose_threads(world, options, err);
    if (!status) status = set_constants(world, err);
    if (status) return status;
    add_fields(world);
    status = choose_solver(world, err);
    if (!status) status = choose_walls(world, err);
    if (!status) status = choose_forces(world, err);
    if (status) return status;
    world->body_count = world->scene.boundary_count;
    status = rill_patches_create(world, err);
    if (status) return status;
    status = rill_runner_more_sums(&world->sph.runner,
                                   RILL_REACTION_SUMS * (world->body_count + world->patch_count), err);
    if (status) return status;
    world->bodies = rill_calloc(world->body_count + 1, sizeof *world->bodies);
    world->samples = rill_calloc(world->body_count + 1, sizeof *world->samples);
    world->wall_first = rill_calloc(world->body_count + 1, sizeof *world->wall_first);
    world->moves = rill_calloc(world->body_count + 1, sizeof *world->moves);
    if (!world->bodies || !world->samples || !world->wall_first || !world->moves)
        return rill_memory_fail(err, world->body_count * sizeof *world->bodies, "the bodies");
    rill_bodies_place(&world->scene, world->bodies);
    rill_world_tune(world);
    status = rill_controls_create(world, err);
    if (!status) status = populate(world, err);
    if (!status) status = rill_probes_create(world, err);
    if (status) return status;
    rill_move_stats stats;
    status = rill_world_measure(world, &stats, err);
    if (status) return status;
    world->clock.speed = stats.speed;
    world->clock.acceleration = rill_vec3_length(world->scene.gravity);
    world->clock.head = rill_world_expected_head(&world->scene);
    rill_world_log(world, "Scene %s has %u particles and %u wall particles; %u threads, vectors of %u.",
                   world->scene.name, world->sph.liquid.fields.count, world->sph.walls.fields.count,
                   world->sph.runner.scheduler.workers, world->ops->width);
    return status;
}

rill_world *rill_world_create_with(const rill_fluid_ops *ops, const rill_scene *scene, const rill_options *options,
                                   rill_error *err)
{
    if (rill_scene_check(scene, err)) return NULL;
    /* On a cache line, as the tally within it asks for. */
    rill_world *world = rill_memory_alloc(sizeof *world);
    if (!world) {
        rill_memory_fail(err, sizeof *world, "a world");
        return NULL;
    }
    world->ops = ops;
    world->log = options->log;
    world->log_user = options->log_user;
    rill_status status = rill_scene_copy(&world->scene, scene, err);
    if (!status) status = build(world, options, err);
    if (!status) return world;
    rill_world_destroy(world);
    return NULL;
}

rill_options rill_options_default(void)
{
    return (rill_options){0};
}

rill_controls rill_controls_default(void)
{
    return (rill_controls){0};
}

rill_body_target rill_body_target_default(void)
{
    return (rill_body_target){.rotation = {1, 0, 0, 0}};
}

rill_body_control rill_body_control_default(void)
{
    return (rill_body_control){0};
}

rill_new_particles rill_new_particles_default(void)
{
    return (rill_new_particles){0};
}

rill_world *rill_world_create(const rill_scene *scene, const rill_options *options, rill_error *err)
{
    const rill_options plain = {0};
    if (!options) options = &plain;
    const rill_fluid_ops *ops = rill_fluid_ops_for(options->simd_width);
    if (ops) return rill_world_create_with(ops, scene, options, err);
    rill_fail(err, RILL_BAD_INPUT, "This machine or build has no vectors of width %u; leave it at 0.",
              options->simd_width);
    return NULL;
}

void rill_world_log(const rill_world *world, const char *format, ...)
{
    if (!world->log) return;
    char sentence[480];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    world->log(world->log_user, sentence);
}

void rill_world_destroy(rill_world *world)
{
    if (!world) return;
    if (world->solver) world->solver->destroy(world->solver_state);
    if (world->walls) world->walls->destroy(world->walls_state);
    for (uint32_t f = 0; f < world->force_count; f++)
        if (world->forces[f].method->destroy) world->forces[f].method->destroy(world->forces[f].state);
    rill_sph_free(&world->sph);
    rill_scene_free(&world->scene);
    rill_free(world->forces);
    rill_free(world->changes);
    rill_wall_samples_free(world);
    rill_free(world->wall_first);
    rill_free(world->moves);
    rill_free(world->names);
    rill_threads_destroy(world->threads);
    rill_guard_free(&world->guard);
    rill_free(world->bodies);
    rill_free(world->steered);
    rill_free(world->patches);
    rill_free(world->probe_values);
    rill_free(world->probe_names);
    rill_memory_free(world);
}
