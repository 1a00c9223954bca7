/* Searching and summing: the two phases every step begins with. */
#include "fluid/sph.h"

#include <string.h>

#include "text/pi.h"

RILL_VARIANTS_DECLARE(const rill_fluid_ops, rill_fluid_ops);
static const rill_fluid_ops *const variants[] = RILL_VARIANTS_LIST(rill_fluid_ops);

static bool machine_has(rill_variant variant)
{
#if defined(RILL_HAVE_X86_VARIANTS)
    if (variant >= RILL_VARIANT_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512cd");
    if (variant == RILL_VARIANT_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#endif
    return variant == RILL_VARIANT_BASE;
}

const rill_fluid_ops *rill_fluid_ops_of(rill_variant variant)
{
    return (size_t)variant < sizeof variants / sizeof *variants && machine_has(variant) ? variants[variant] : NULL;
}

const rill_fluid_ops *rill_fluid_ops_for(unsigned width)
{
    static const rill_variant best_first[] = {RILL_VARIANT_AVX512, RILL_VARIANT_AVX2, RILL_VARIANT_AVX512X16,
                                              RILL_VARIANT_BASE};
    for (size_t i = 0; i < sizeof best_first / sizeof *best_first; i++) {
        const rill_fluid_ops *ops = rill_fluid_ops_of(best_first[i]);
        if (ops && (!width || ops->width == width)) return ops;
    }
    return NULL;
}

rill_status rill_sph_sort(rill_sph *sph, const rill_fluid_ops *ops, rill_error *err)
{
    return rill_set_sort(&sph->liquid, &sph->grid, ops->cells, RILL_STATE, &sph->runner.scheduler, err);
}

rill_status rill_sph_sort_all(rill_sph *sph, const rill_fluid_ops *ops, rill_error *err)
{
    return rill_set_sort(&sph->liquid, &sph->grid, ops->cells, RILL_DERIVED, &sph->runner.scheduler, err);
}

/* ---- the search ---- */

typedef struct search {
    rill_list_job fluid, walls;
    rill_list_build *build;
    uint32_t block;   /* particles of a block */
    uint8_t *missing; /* for every block, which of its lists are yet to be built */
} search;

enum { MISSING_FLUID = 1, MISSING_WALLS = 2 };

/* What the search tallies. */
enum { COUNT_PAIRS, COUNT_WALL_PAIRS, COUNT_FAILED };

/* The lists of a block among one of both sets; what fails although there is room has no memory. */
static void search_among(const search *s, const rill_list_job *among, uint8_t which, const rill_pass_block *block)
{
    uint8_t *missing = &s->missing[block->begin / s->block];
    uint64_t *pairs = &block->tally->counts[which == MISSING_FLUID ? COUNT_PAIRS : COUNT_WALL_PAIRS];
    if (!(*missing & which)) return;
    if (s->build(among, block->begin, block->end, block->worker, pairs)) *missing ^= which;
    else if (!rill_lists_full(among->lists)) block->tally->counts[COUNT_FAILED]++;
}

static void search_block(void *context, const rill_pass_block *block)
{
    const search *s = context;
    search_among(s, &s->fluid, MISSING_FLUID, block);
    search_among(s, &s->walls, MISSING_WALLS, block);
}

/* Searches these blocks. */
static rill_status search_run(rill_sph *sph, search *s, rill_blocks blocks, rill_error *err)
{
    const rill_pass pass = {"neighbours", search_block, USES_MISSING | FIELD_BIT(FIELD_OWNER),
                            USES_AXES | USES_WALL_AXES, USES_MISSING | USES_LISTS | USES_WALL_LISTS | RILL_SUMS};
    rill_pass_run(&sph->runner, &sph->liquid.fields, &pass, s, blocks);
    const uint64_t *found = sph->runner.total.counts;
    sph->lists.pairs += found[COUNT_PAIRS];
    sph->wall_lists.pairs += found[COUNT_WALL_PAIRS];
    if (!found[COUNT_FAILED]) return RILL_OK;
    return rill_memory_fail(err, rill_lists_bytes(&sph->lists) + rill_lists_bytes(&sph->wall_lists),
                            "the neighbour lists");
}

/* About how many neighbours a particle inside the liquid has, with room for disorder. */
static double expected_neighbours(const rill_sph *sph)
{
    const double reach = sph->support / sph->diameter;
    return 1.3 * (4.0 / 3 * RILL_PI * reach * reach * reach);
}

static bool search_full(const rill_sph *sph)
{
    return rill_lists_full(&sph->lists) || rill_lists_full(&sph->wall_lists);
}

/* Lists that found no room are built again in larger buffers. */
static rill_status search_missing(rill_sph *sph, search *s, uint32_t blocks, rill_error *err)
{
    uint32_t *list = rill_memory_alloc_raw((blocks + 1) * sizeof *list);
    rill_status status = list ? RILL_OK : rill_memory_fail(err, blocks * sizeof *list, "the neighbour search");
    while (!status && search_full(sph)) {
        uint32_t count = 0;
        for (uint32_t b = 0; b < blocks; b++)
            if (s->missing[b]) list[count++] = b;
        if (rill_lists_full(&sph->lists)) status = rill_lists_grow(&sph->lists, err);
        if (!status && rill_lists_full(&sph->wall_lists)) status = rill_lists_grow(&sph->wall_lists, err);
        if (!status) status = search_run(sph, s, (rill_blocks){count, list, 0}, err);
    }
    rill_memory_free(list);
    return status;
}

static rill_search_set search_set(const rill_set *set)
{
    return (rill_search_set){&set->cells, set->axis[0], set->axis[1], set->axis[2],
                             rill_field_u32(&set->fields, FIELD_OWNER)};
}

/* ---- walls look at the liquid ---- */

typedef struct look {
    rill_list_job job;
    rill_list_build *build;
} look;

static void look_block(void *context, const rill_pass_block *block)
{
    const look *l = context;
    if (l->build(&l->job, block->begin, block->end, block->worker, &block->tally->counts[COUNT_PAIRS])) return;
    if (!rill_lists_full(l->job.lists)) block->tally->counts[COUNT_FAILED]++;
}

/* The liquid near every wall particle. Lists find no room in the first steps if at all, so then all are built again. */
static rill_status search_from_walls(rill_sph *sph, const rill_fluid_ops *ops, rill_error *err)
{
    rill_lists *lists = &sph->liquid_lists;
    const uint32_t count = sph->walls.fields.count;
    look l = {{&sph->grid, search_set(&sph->walls), search_set(&sph->liquid), false, lists}, ops->list_build};
    const rill_pass pass = {"walls_look", look_block, 0, USES_AXES | USES_WALL_AXES, USES_LIQUID_LISTS | RILL_SUMS};
    rill_status status = rill_lists_begin(lists, count, ops->width, 0, err);
    while (!status) {
        rill_pass_run(&sph->runner, &sph->walls.fields, &pass, &l, rill_runner_blocks(&sph->runner, count));
        if (sph->runner.total.counts[COUNT_FAILED])
            return rill_memory_fail(err, rill_lists_bytes(lists), "the neighbour lists");
        if (!rill_lists_full(lists)) break;
        status = rill_lists_grow(lists, err);
        if (!status) status = rill_lists_begin(lists, count, ops->width, 0, err);
    }
    return status;
}

rill_status rill_sph_search(rill_sph *sph, const rill_fluid_ops *ops, rill_blocks blocks, rill_error *err)
{
    const uint32_t count = sph->liquid.fields.count, all = rill_runner_blocks(&sph->runner, count).count;
    rill_status status = rill_lists_begin(&sph->lists, count, ops->width, expected_neighbours(sph), err);
    if (!status) status = rill_lists_begin(&sph->wall_lists, count, ops->width, 0, err);
    if (status) return status;
    if (!rill_buffer_reserve(&sph->missing, all + 1)) return rill_memory_fail(err, all, "the neighbour search");
    memset(sph->missing.data, 0, all);
    for (uint32_t b = 0; b < blocks.count; b++)
        ((uint8_t *)sph->missing.data)[blocks.list ? blocks.list[b] : b] = MISSING_FLUID | MISSING_WALLS;
    const rill_search_set fluid = search_set(&sph->liquid), walls = search_set(&sph->walls);
    search s = {
        .fluid = {&sph->grid, fluid, fluid, true, &sph->lists},
        .walls = {&sph->grid, fluid, walls, false, &sph->wall_lists},
        .build = ops->list_build,
        .block = sph->runner.block,
        .missing = sph->missing.data,
    };
    status = search_run(sph, &s, blocks, err);
    if (!status && search_full(sph)) status = search_missing(sph, &s, all, err);
    return status ? status : search_from_walls(sph, ops, err);
}

void rill_sph_density(rill_sph *sph, const rill_fluid_ops *ops, rill_blocks blocks, bool keep_compression)
{
    rill_density_job job = {sph, keep_compression};
    const rill_mask D = FIELD_BIT(FIELD_COMPRESSION), x = FIELD_BIT(FIELD_POSITION);
    const rill_mask reads = x | USES_LISTS, writes = FIELD_BIT(FIELD_CARRIED) | USES_FACTORS;
    const rill_pass density = {"density", ops->density, reads | USES_TOUCHES, x, writes | D};
    const rill_pass factors = {"pair_factors", ops->density, reads | D, x, writes};
    rill_pass_run(&sph->runner, &sph->liquid.fields, keep_compression ? &factors : &density, &job, blocks);
}

/* So much of a buffer is taken. */
static size_t taken_of(size_t used, size_t room)
{
    return used < room ? used : room;
}

/* The pieces of a set's lists: who neighbours whom, ... */
static uint32_t who_pieces(const rill_lists *lists, unsigned width, uint32_t bit, const char *name, rill_beside *to)
{
    const size_t counts = lists->group ? (size_t)lists->groups * width : 0;
    const uint32_t word = sizeof *lists->count;
    const uint32_t place = sizeof *lists->group;
    to[0] = (rill_beside){name, bit, lists->group, (size_t)lists->groups * place, place, width, 0};
    to[1] = (rill_beside){name, bit, lists->count, counts * word, word, 1, 0};
    to[2] = (rill_beside){name, bit, lists->places, 2 * taken_of(lists->places_used, lists->places_room), 2, 0, 0};
    return 3;
}

/* ... and a number or two for each pair. */
static uint32_t list_pieces(const rill_lists *lists, unsigned width, uint32_t bit, const char *name, rill_beside *to)
{
    const size_t entries = taken_of(lists->entries_used, lists->entries_room);
    who_pieces(lists, width, bit, name, to);
    const bool wall = bit == BESIDE_WALL_LISTS;
    to[3] = (rill_beside){wall ? "the factors of wall pairs" : "the pair factors",
                          wall ? BESIDE_WALL_FACTORS : BESIDE_FACTORS, lists->factors, 4 * entries, 4, 0, 0xff};
    if (!lists->weights) return 4;
    to[4] = (rill_beside){"the pair weights", BESIDE_WEIGHTS, lists->weights, 2 * entries, 2, 0, 0xff};
    return 5;
}

static uint32_t axis_pieces(const rill_set *set, uint32_t bit, const char *name, rill_beside *to)
{
    for (int a = 0; a < 3; a++) {
        const size_t bytes = set->axis[a] ? set->fields.count * sizeof(float) : 0;
        to[a] = (rill_beside){name, bit, set->axis[a], bytes, sizeof(float), bit == BESIDE_AXES, 0xff};
    }
    return 3;
}

/* The rows that say what bodies do to the liquid. */
static uint32_t touch_pieces(const rill_touches *t, unsigned width, rill_beside *to)
{
    static const char *const names[TOUCH_PARTS] = {"the sums of touches", "the push of bodies", "the hold of bodies",
                                                   "the pull of bodies", "what bodies gave"};
    static const uint32_t bits[TOUCH_PARTS] = {BESIDE_TOUCHES, BESIDE_TOUCH_PUSH, BESIDE_TOUCHES, BESIDE_TOUCHES,
                                               BESIDE_GIVEN};
    uint32_t n = 0;
    const uint32_t word = sizeof *t->count;
    to[n++] = (rill_beside){"the counts of touches", BESIDE_TOUCH_COUNTS, t->count, (size_t)t->groups * word, word,
                            width, 0x7f};
    to[n++] = (rill_beside){"the bodies of touches", BESIDE_TOUCHES, t->body, (size_t)t->rows * word, word, 0, 0x7f};
    for (int part = 0; part < TOUCH_PARTS; part++) {
        const uint32_t element = rill_touch_numbers[part] * width * (uint32_t)sizeof(float);
        if (t->part[part])
            to[n++] = (rill_beside){names[part], bits[part], t->part[part], (size_t)t->rows * element, element, 0,
                                    0xff};
    }
    return n;
}

uint32_t rill_sph_beside(const rill_sph *sph, unsigned width, rill_beside *to)
{
    uint32_t n = list_pieces(&sph->lists, width, BESIDE_LISTS, "the lists of neighbours", to);
    n += list_pieces(&sph->wall_lists, width, BESIDE_WALL_LISTS, "the lists of wall particles", to + n);
    n += who_pieces(&sph->liquid_lists, width, BESIDE_LIQUID_LISTS, "the lists of liquid near walls", to + n);
    n += axis_pieces(&sph->liquid, BESIDE_AXES, "the places by axis", to + n);
    n += axis_pieces(&sph->walls, BESIDE_WALL_AXES, "the places of wall particles by axis", to + n);
    const size_t bytes = 16 * (size_t)sph->walls.fields.count;
    to[n++] = (rill_beside){"the places of wall particles", BESIDE_WALL_PLACES, rill_walls_position(sph), bytes, 4, 0,
                            0xff};
    to[n++] = (rill_beside){"the motion of wall particles", BESIDE_WALL_MOTION, rill_walls_velocity(sph), bytes, 4, 0,
                            0xff};
    to[n++] = (rill_beside){"the push of wall particles", BESIDE_WALL_PUSH,
                            rill_field_f32(&sph->walls.fields, WALL_PUSH), bytes, 4, 0, 0xff};
    to[n++] = (rill_beside){"the bodies of wall particles", BESIDE_WALL_BODIES,
                            rill_field_u32(&sph->walls.fields, WALL_BODY), bytes / 4, 4, 0, 0x7f};
    n += touch_pieces(&sph->touches, width, to + n);
    const uint32_t blocks = rill_runner_blocks(&sph->runner, sph->liquid.fields.count).count;
    to[n++] = (rill_beside){"what is missing of lists", BESIDE_MISSING, sph->missing.data,
                            blocks < sph->missing.bytes ? blocks : sph->missing.bytes, 1, sph->runner.block, 0xff};
    return n;
}

static void begin_walls(rill_set *walls)
{
    rill_fields *fields = &walls->fields;
    rill_set_begin(walls);
    rill_fields_add_name(fields, FIELD_POSITION, 3, "psi", "", 1);
    rill_fields_add_name(fields, FIELD_VELOCITY, 3, "behind", "m", 1);
    rill_fields_add_real(fields, "wall_push", "", 4, 4, RILL_SCRATCH);
    rill_fields_add(fields, &(rill_field_def){"wall_body", "", RILL_FIELD_U32, 1, 1, RILL_STATE, .in = 0});
    rill_fields_add(
        fields, &(rill_field_def){"wall_acceleration", "m/s2", RILL_FIELD_F32, 4, 3, RILL_STATE, .late = true});
}

/* What is made again in every step has no place in a part. */
static void leave_out_scratch(rill_fields *fields)
{
    for (uint32_t f = 0; f < fields->field_count; f++)
        if (fields->defs[f].lifetime == RILL_SCRATCH) fields->defs[f].late = true;
}

void rill_walls_begin(rill_sph *sph)
{
    begin_walls(&sph->walls);
    for (int part = 0; part < 2; part++) {
        begin_walls(&sph->wall_parts[part]);
        leave_out_scratch(&sph->wall_parts[part].fields);
    }
}

static rill_status make_walls(rill_set *walls, uint32_t count, rill_error *err)
{
    const rill_status status = rill_set_resize(walls, count, err);
    uint64_t *id = rill_field_u64(&walls->fields, FIELD_ID);
    for (uint32_t i = 0; i < count && !status; i++) id[i] = i;
    return status;
}

static rill_status sort_walls(rill_sph *sph, rill_set *walls, rill_error *err)
{
    return rill_set_sort(walls, &sph->grid, rill_fluid_ops_for(0)->cells, RILL_STATE, &sph->runner.scheduler, err);
}

rill_status rill_walls_make(rill_sph *sph, uint32_t count, rill_error *err)
{
    return make_walls(&sph->walls, count, err);
}

rill_status rill_walls_sort(rill_sph *sph, rill_error *err)
{
    return sort_walls(sph, &sph->walls, err);
}

rill_status rill_walls_make_part(rill_sph *sph, uint32_t part, uint32_t count, rill_error *err)
{
    return make_walls(&sph->wall_parts[part], count, err);
}

rill_status rill_walls_sort_part(rill_sph *sph, uint32_t part, rill_error *err)
{
    return sort_walls(sph, &sph->wall_parts[part], err);
}

rill_status rill_walls_merge(rill_sph *sph, rill_error *err)
{
    return rill_set_merge(&sph->walls, &sph->wall_parts[RILL_WALLS_STAY], &sph->wall_parts[RILL_WALLS_MOVE],
                          rill_fluid_ops_for(0)->cells, &sph->runner.scheduler, err);
}

void rill_sph_free(rill_sph *sph)
{
    rill_set_free(&sph->liquid);
    rill_set_free(&sph->walls);
    for (int part = 0; part < 2; part++) rill_set_free(&sph->wall_parts[part]);
    rill_lists_free(&sph->lists);
    rill_lists_free(&sph->wall_lists);
    rill_lists_free(&sph->liquid_lists);
    rill_touches_free(&sph->touches);
    rill_buffer_free(&sph->missing);
    rill_runner_free(&sph->runner);
    rill_free(sph->rest_density);
    rill_free(sph->viscosity);
    rill_free(sph->tension);
    rill_free(sph->adhesion);
    *sph = (rill_sph){0};
}
