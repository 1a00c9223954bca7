/* The proof that passes do what they declare.
 *
 * A pass is run once over all its blocks, for what it should write. Then it is run again, from the same beginning, over
 * every other block, and over the rest, while
 *   - fields that it does not declare are poisoned everywhere,
 *   - fields that it reads of its own particles alone are poisoned in the blocks that do not run,
 * and so are lists, pair factors and whatever else lies beside the fields. What it writes must be the same bits as
 * before, both halves of a sum must add up to the whole, and nothing else may change: neither another field nor the
 * particles of a block that did not run. So no pass uses what it does not name, and no block depends on another one of
 * the pass.
 *
 * Where a list lies in its buffers depends on threads, so lists are compared by what they say of every particle.
 *
 * Rows that are second names for the same bytes are told apart by who wrote last: reading one name after another was
 * written is a mistake as well. */
#ifndef RILL_TESTS_PASS_PROOF_H
#define RILL_TESTS_PASS_PROOF_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/densities.h"

/* What a pass keeps to itself, for the proof to find it out. */
typedef struct planted_lie {
    const char *pass; /* NULL: there is none */
    rill_mask reads, gathers, writes;
} planted_lie;

typedef struct pass_proof {
    rill_sph *sph;
    unsigned width;   /* lanes of a group */
    uint64_t passes;  /* that were checked */
    char names[4000]; /* of them, each once, between spaces */
    char broken[300]; /* the first that did not keep its word, in a sentence; empty: none */
    uint32_t writer[RILL_FIELDS_MAX][4]; /* row that wrote a lane last, plus one; 0: not known */
    planted_lie lie;
} pass_proof;

static void broken(rill_runner *runner, const char *format, ...)
{
    pass_proof *all = runner->hook_user;
    if (all->broken[0]) return;
    va_list list;
    va_start(list, format);
    vsnprintf(all->broken, sizeof all->broken, format, list);
    va_end(list);
}

/* Copies of all rows and of what lies beside them. */
typedef struct copies {
    char *rows[RILL_FIELDS_MAX], *beside[RILL_BESIDE_PIECES];
    size_t bytes[RILL_BESIDE_PIECES]; /* of what lies beside: a search takes more of the buffers of lists */
} copies;

/* How much of the buffers of lists is taken. */
typedef struct taken {
    size_t places, entries;
    rill_list_scratch *workers;
} taken;

enum { LISTS = 3 };

typedef struct proof {
    rill_runner *runner;
    const rill_fields *fields;
    const rill_pass *pass;
    void *context;
    rill_blocks blocks;
    rill_lists *lists[LISTS];
    const rill_touches *touches;
    unsigned width;
    rill_beside beside[RILL_BESIDE_PIECES];
    uint32_t beside_count;
    copies before, right, poisoned;
    taken taken_before[LISTS], taken_right[LISTS];
    bool *runs;             /* of every block, whether it is of the half at hand */
    uint32_t block_count;
    rill_tally sums;        /* of both halves */
    rill_sum *more;         /* and the runner's further sums */
} proof;

static size_t row_bytes(const rill_fields *fields, uint32_t f)
{
    return fields->data[f] ? fields->count * rill_field_bytes(&fields->defs[f]) : 0;
}

static void *must(void *memory)
{
    if (!memory) abort(); /* a test without memory has nothing to say */
    return memory;
}

static char *copy_of(const void *data, size_t bytes)
{
    char *copy = must(malloc(bytes + 1));
    if (bytes) memcpy(copy, data, bytes);
    return copy;
}

static copies take(const proof *p)
{
    copies c = {0};
    for (uint32_t f = 0; f < p->fields->field_count; f++)
        if (p->fields->data[f]) c.rows[f] = copy_of(p->fields->data[f], row_bytes(p->fields, f));
    for (uint32_t k = 0; k < p->beside_count; k++) {
        c.bytes[k] = p->beside[k].bytes;
        c.beside[k] = copy_of(p->beside[k].data, c.bytes[k]);
    }
    return c;
}

static void restore(const proof *p, const copies *c)
{
    for (uint32_t f = 0; f < p->fields->field_count; f++)
        if (p->fields->data[f]) memcpy(p->fields->data[f], c->rows[f], row_bytes(p->fields, f));
    for (uint32_t k = 0; k < p->beside_count; k++)
        if (c->bytes[k]) memcpy(p->beside[k].data, c->beside[k], c->bytes[k]);
}

static void drop(copies *c)
{
    for (uint32_t f = 0; f < RILL_FIELDS_MAX; f++) free(c->rows[f]);
    for (uint32_t k = 0; k < RILL_BESIDE_PIECES; k++) free(c->beside[k]);
}

static taken taken_of(const rill_lists *lists)
{
    return (taken){lists->places_used, lists->entries_used,
                   (rill_list_scratch *)copy_of(lists->scratch, lists->workers * sizeof *lists->scratch)};
}

static void take_again(rill_lists *lists, const taken *t)
{
    lists->places_used = t->places;
    lists->entries_used = t->entries;
    for (unsigned w = 0; w < lists->workers; w++) {
        lists->scratch[w].places = t->workers[w].places;
        lists->scratch[w].entries = t->workers[w].entries;
    }
}

/* ---- what belongs to whom ---- */

static bool runs(const proof *p, uint32_t particle)
{
    const uint32_t block = particle / p->runner->block;
    return block < p->block_count && p->runs[block];
}

/* Of the particles of all blocks, those in the even or the odd ones; what is in no block does not run. */
static rill_blocks choose_half(proof *p, uint32_t parity, uint32_t *list)
{
    rill_blocks half = {.list = list};
    memset(p->runs, 0, p->block_count * sizeof *p->runs);
    for (uint32_t i = parity; i < p->blocks.count; i += 2) {
        list[half.count] = p->blocks.list ? p->blocks.list[i] : i;
        p->runs[list[half.count++]] = true;
    }
    return half;
}

static bool is_list(const rill_beside *piece)
{
    return piece->bit == BESIDE_LISTS || piece->bit == BESIDE_WALL_LISTS || piece->bit == BESIDE_LIQUID_LISTS;
}

/* Rows of what bodies do to a group, of which each has some. */
static bool is_of_touches(const rill_beside *piece)
{
    return piece->bit == BESIDE_TOUCHES || piece->bit == BESIDE_TOUCH_PUSH || piece->bit == BESIDE_GIVEN;
}

static bool is_of_pairs(const rill_beside *piece)
{
    return piece->bit == BESIDE_FACTORS || piece->bit == BESIDE_WEIGHTS || piece->bit == BESIDE_WALL_FACTORS;
}

/* Where numbers of a piece lie together that belong to particles in a row. */
typedef struct span {
    size_t first, bytes;
    uint32_t particle;
} span;

/* How many spans a piece has; what belongs to nobody is one. */
static size_t span_count(const proof *p, const rill_beside *piece)
{
    if (!piece->bytes) return 0;
    if (is_of_touches(piece)) return p->touches->groups;
    if (is_of_pairs(piece)) return p->lists[piece->bit == BESIDE_WALL_FACTORS]->groups;
    return piece->particles ? piece->bytes / piece->element : 1;
}

static span span_at(const proof *p, const rill_beside *piece, size_t k)
{
    if (is_of_touches(piece)) {
        const uint32_t *first = p->touches->first + k;
        return (span){(size_t)first[0] * piece->element, (size_t)(first[1] - first[0]) * piece->element,
                      (uint32_t)k * p->width};
    }
    if (!is_of_pairs(piece))
        return piece->particles ? (span){k * piece->element, piece->element, (uint32_t)k * piece->particles}
                                : (span){0, piece->bytes, 0};
    uint32_t lists = 0;
    while (p->beside[lists].bit != (piece->bit == BESIDE_WALL_FACTORS ? BESIDE_WALL_LISTS : BESIDE_LISTS)) lists++;
    const rill_group_place *group = (const rill_group_place *)(void *)p->right.beside[lists] + k;
    return (span){group->entry * piece->element, (size_t)group->length * p->width * piece->element,
                  (uint32_t)k * p->width};
}

/* ---- poison ---- */

/* Whether any row of a mask has this lane of a row with bytes of its own. */
static bool has_lane(const rill_fields *fields, rill_mask mask, uint32_t home, uint32_t lane)
{
    for (uint32_t f = 0; f < fields->field_count; f++) {
        const rill_field_def *def = &fields->defs[f];
        if (mask >> f & 1 && rill_field_home(fields, f) == home && lane >= def->lane && lane < def->lane + def->used)
            return true;
    }
    return false;
}

/* Another value of the same kind: NaN, or another particle's where numbers are used as places in tables. */
static void poison_word(const proof *p, uint32_t f, uint32_t particle, uint32_t lane)
{
    static const uint32_t nan_bits = 0x7fc0beef;
    const rill_field_def *def = &p->fields->defs[f];
    const size_t size = rill_field_bytes(def), at = particle * size, from = (p->fields->count - 1 - particle) * size;
    char *data = p->fields->data[f];
    if (def->type == RILL_FIELD_F32) memcpy(data + at + 4 * lane, &nan_bits, 4);
    else memcpy(data + at, p->before.rows[f] + from, size);
}

static void poison_piece(const proof *p, const rill_beside *piece)
{
    const rill_mask bit = RILL_BESIDE_BIT(piece->bit);
    if (!piece->bytes || p->pass->gathers & bit) return;
    if (!(p->pass->reads & bit)) memset(piece->data, piece->poison, piece->bytes);
    else if (is_of_pairs(piece) || is_of_touches(piece) || piece->particles)
        for (size_t k = 0; k < span_count(p, piece); k++) {
            const span at = span_at(p, piece, k);
            if (!runs(p, at.particle)) memset((char *)piece->data + at.first, piece->poison, at.bytes);
        }
}

static void poison(const proof *p)
{
    const rill_fields *fields = p->fields;
    for (uint32_t f = 0; f < fields->field_count; f++)
        for (uint32_t lane = 0; fields->data[f] && lane < fields->defs[f].lanes; lane++) {
            const bool gathered = has_lane(fields, p->pass->gathers, f, lane);
            const bool read = has_lane(fields, p->pass->reads, f, lane);
            for (uint32_t i = 0; i < fields->count && !gathered; i++)
                if (!read || !runs(p, i)) poison_word(p, f, i, lane);
        }
    for (uint32_t k = 0; k < p->beside_count; k++) poison_piece(p, &p->beside[k]);
}

/* ---- comparing ---- */

static const char *word_at(const rill_fields *fields, char *const *rows, uint32_t f, uint32_t i, uint32_t lane)
{
    return rows[f] + i * rill_field_bytes(&fields->defs[f]) + 4 * lane;
}

static void differs(const proof *p, bool own, const char *what, uint32_t lane)
{
    broken(p->runner, own ? "Pass %s needs something it does not declare: its %s differs (lane %u)."
                          : "Pass %s changes %s (lane %u), which is not its own or not declared.",
           p->pass->name, what, lane);
}

static void compare_rows(const proof *p)
{
    const rill_fields *fields = p->fields;
    char *const *now = (char *const *)fields->data;
    for (uint32_t f = 0; f < fields->field_count; f++)
        for (uint32_t lane = 0; fields->data[f] && lane < fields->defs[f].lanes; lane++) {
            const bool wide = fields->defs[f].type == RILL_FIELD_U64;
            const bool written = has_lane(fields, p->pass->writes, f, lane);
            for (uint32_t i = 0; i < fields->count; i++) {
                const bool own = written && runs(p, i);
                const char *is = word_at(fields, now, f, i, lane);
                const char *right = word_at(fields, own ? p->right.rows : p->poisoned.rows, f, i, lane);
                if (memcmp(is, right, wide ? 8 : 4) != 0) differs(p, own, fields->defs[f].name, lane);
            }
        }
}

/* Two lists of a group, by what they say. */
static bool same_list(const rill_group *a, const rill_group *b, const uint32_t *count_a, const uint32_t *count_b,
                      unsigned width)
{
    if (a->length != b->length || a->in_tile != b->in_tile || a->far != b->far ||
        memcmp(count_a, count_b, width * sizeof *count_a) != 0)
        return false;
    for (uint32_t k = 0; k < a->length; k++)
        for (uint32_t l = 0; l < width; l++)
            if (rill_group_neighbour(a, width, k, l) != rill_group_neighbour(b, width, k, l)) return false;
    return true;
}

/* The pieces of lists begin with groups, counts and places, in this order. */
static void compare_lists(const proof *p, uint32_t first)
{
    const rill_beside *piece = &p->beside[first];
    const bool written = p->pass->writes & RILL_BESIDE_BIT(piece->bit);
    const rill_lists now = {.group = piece[0].data, .count = piece[1].data, .places = piece[2].data};
    for (uint32_t g = 0; piece[2].bytes && g < piece[0].bytes / sizeof(rill_group_place); g++) {
        const bool own = written && runs(p, g * p->width);
        char *const *from = (own ? p->right.beside : p->poisoned.beside) + first;
        const rill_lists was = {.group = (void *)from[0], .count = (void *)from[1], .places = (void *)from[2]};
        const rill_group a = rill_lists_group(&now, g), b = rill_lists_group(&was, g);
        const size_t i = (size_t)g * p->width;
        if (!same_list(&a, &b, now.count + i, was.count + i, p->width)) differs(p, own, piece->name, 0);
    }
}

static void compare_piece(const proof *p, uint32_t k)
{
    const rill_beside *piece = &p->beside[k];
    const bool written = p->pass->writes & RILL_BESIDE_BIT(piece->bit);
    for (size_t e = 0; e < span_count(p, piece); e++) {
        const span at = span_at(p, piece, e);
        const bool own = written && runs(p, at.particle);
        const char *right = (own ? p->right.beside : p->poisoned.beside)[k] + at.first;
        if (at.bytes && memcmp((char *)piece->data + at.first, right, at.bytes) != 0) differs(p, own, piece->name, 0);
    }
}

/* What was written is right, and nothing else was. */
static void compare(const proof *p)
{
    compare_rows(p);
    for (uint32_t k = 0; k < p->beside_count; k++) {
        if (!is_list(&p->beside[k])) compare_piece(p, k);
        else if (!k || p->beside[k - 1].bit != p->beside[k].bit) compare_lists(p, k);
    }
}

static bool same_sums(const rill_tally *a, const rill_tally *b)
{
    for (int k = 0; k < RILL_TALLY_SUMS; k++) {
        const double x = rill_tally_sum(a, k), y = rill_tally_sum(b, k);
        if (memcmp(&x, &y, sizeof x) != 0) return false;
    }
    return !memcmp(a->largest, b->largest, sizeof a->largest) && !memcmp(a->counts, b->counts, sizeof a->counts) &&
           a->first == b->first && (!a->first || !memcmp(a->of_first, b->of_first, sizeof a->of_first));
}

/* ---- running ---- */

static void run_half(proof *p, uint32_t parity)
{
    static const rill_tally none;
    uint32_t *list = must(malloc((p->blocks.count / 2 + 1) * sizeof *list));
    const rill_blocks half = choose_half(p, parity, list);
    restore(p, &p->before);
    for (int s = 0; s < LISTS; s++) take_again(p->lists[s], &p->taken_before[s]);
    poison(p);
    p->poisoned = take(p);
    const uint32_t more = p->runner->more_count * p->runner->scheduler.workers;
    memset(p->runner->tallies, 0, p->runner->scheduler.workers * sizeof *p->runner->tallies);
    memset(p->runner->more, 0, more * sizeof *p->runner->more);
    rill_pass_blocks(p->runner, p->fields, p->pass, p->context, half);
    compare(p);
    for (uint32_t k = 0; p->pass->writes & RILL_MORE_SUMS && k < p->runner->more_count; k++)
        rill_sum_merge(&p->more[k], p->runner->more_total[k]);
    for (uint32_t k = 0; !(p->pass->writes & RILL_MORE_SUMS) && k < more; k++)
        if (rill_sum_value(&p->runner->more[k]) != 0) differs(p, false, "further sums", 0);
    if (p->pass->writes & RILL_SUMS) rill_tally_merge(&p->sums, &p->runner->total);
    else
        for (unsigned w = 0; w < p->runner->scheduler.workers; w++)
            if (!same_sums(&p->runner->tallies[w], &none)) differs(p, false, "sums", 0);
    drop(&p->poisoned);
    free(list);
}

/* Reading lanes under a name that did not write them last is a mistake. */
static void check_names(rill_runner *runner, const rill_fields *fields, const rill_pass *pass)
{
    pass_proof *check = runner->hook_user;
    for (uint32_t f = 0; f < fields->field_count; f++) {
        const rill_field_def *def = &fields->defs[f];
        uint32_t *writer = check->writer[rill_field_home(fields, f)];
        for (uint32_t lane = def->lane; (pass->reads | pass->gathers) >> f & 1 && lane < def->lane + def->used; lane++)
            if (writer[lane] && writer[lane] != f + 1)
                broken(runner, "Pass %s reads %s, whose bytes hold %s.", pass->name, def->name,
                       fields->defs[writer[lane] - 1].name);
    }
    for (uint32_t f = 0; f < fields->field_count; f++) {
        const rill_field_def *def = &fields->defs[f];
        uint32_t *writer = check->writer[rill_field_home(fields, f)];
        for (uint32_t lane = def->lane; pass->writes >> f & 1 && lane < def->lane + def->used; lane++)
            writer[lane] = f + 1;
    }
}

static void note_name(pass_proof *all, const char *name)
{
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    if (strstr(all->names, word)) return;
    if (strlen(all->names) + strlen(word) >= sizeof all->names) abort();
    strcat(all->names, word);
}

static bool lists_full(const proof *p)
{
    for (int s = 0; s < LISTS; s++)
        if (rill_lists_full(p->lists[s])) return true;
    return false;
}

static void prove_halves(proof *p)
{
    for (int s = 0; s < LISTS; s++) p->taken_right[s] = taken_of(p->lists[s]);
    p->right = take(p);
    const rill_tally total = p->runner->total;
    const size_t more_bytes = p->runner->more_count * sizeof *p->more;
    rill_sum *more = (rill_sum *)copy_of(p->runner->more_total, more_bytes);
    p->more = must(calloc(p->runner->more_count + 1, sizeof *p->more));
    for (uint32_t parity = 0; parity < 2; parity++) run_half(p, parity);
    if (p->pass->writes & RILL_SUMS && !same_sums(&p->sums, &total))
        broken(p->runner, "Pass %s needs something it does not declare: its sums differ.", p->pass->name);
    for (uint32_t k = 0; p->pass->writes & RILL_MORE_SUMS && k < p->runner->more_count; k++)
        if (rill_sum_value(&p->more[k]) != rill_sum_value(&more[k]))
            broken(p->runner, "Pass %s needs something it does not declare: its further sums differ.", p->pass->name);
    memcpy(p->runner->more_total, more, more_bytes);
    free(more);
    free(p->more);
    restore(p, &p->right);
    p->runner->total = total;
    for (int s = 0; s < LISTS; s++) {
        take_again(p->lists[s], &p->taken_right[s]);
        free(p->taken_right[s].workers);
    }
    drop(&p->right);
}

/* What lies beside the fields now. For a pass over wall particles their own rows are fields, and those of the liquid
 * lie beside them. */
static void find_beside(const rill_sph *sph, proof *p)
{
    p->beside_count = rill_sph_beside(sph, p->width, p->beside);
    if (p->fields == &sph->liquid.fields) return;
    uint32_t count = 0;
    for (uint32_t k = 0; k < p->beside_count; k++) {
        const uint32_t bit = p->beside[k].bit;
        if (bit != BESIDE_WALL_PLACES && bit != BESIDE_WALL_MOTION && bit != BESIDE_WALL_PUSH &&
            bit != BESIDE_WALL_BODIES)
            p->beside[count++] = p->beside[k];
    }
    const rill_fields *liquid = &sph->liquid.fields;
    for (uint32_t f = 0; f < liquid->field_count; f++)
        if (liquid->data[f])
            p->beside[count++] = (rill_beside){liquid->defs[f].name, BESIDE_LIQUID, liquid->data[f],
                                               row_bytes(liquid, f), 4, 0, 0xff};
    p->beside_count = count;
}

static void prove_pass(rill_runner *runner, const rill_fields *fields, const rill_pass *declared, void *context,
                       rill_blocks blocks)
{
    pass_proof *all = runner->hook_user;
    rill_pass pass = *declared;
    if (all->lie.pass && !strcmp(all->lie.pass, pass.name)) {
        pass.reads &= ~all->lie.reads;
        pass.gathers &= ~all->lie.gathers;
        pass.writes &= ~all->lie.writes;
    }
    proof p = {.runner = runner, .fields = fields, .pass = &pass, .context = context, .blocks = blocks,
               .lists = {&all->sph->lists, &all->sph->wall_lists, &all->sph->liquid_lists},
               .touches = &all->sph->touches, .width = all->width};
    find_beside(all->sph, &p);
    p.block_count = rill_runner_blocks(runner, fields->count).count;
    p.runs = must(malloc((p.block_count + 1) * sizeof *p.runs));
    if (fields == &all->sph->liquid.fields) check_names(runner, fields, &pass);
    p.before = take(&p);
    for (int s = 0; s < LISTS; s++) p.taken_before[s] = taken_of(p.lists[s]);
    rill_pass_blocks(runner, fields, declared, context, blocks);
    find_beside(all->sph, &p);
    /* Lists that found no room are built again by another run of the pass, which is proved. */
    if (!lists_full(&p)) {
        all->passes++;
        note_name(all, pass.name);
        prove_halves(&p);
    }
    for (int s = 0; s < LISTS; s++) free(p.taken_before[s].workers);
    drop(&p.before);
    free(p.runs);
}

/* From now on every pass of the world is proved; what it finds stands in `all`. */
static inline void prove_passes(rill_world *world, pass_proof *all)
{
    *all = (pass_proof){.sph = &world->sph, .width = world->ops->width};
    world->sph.runner.hook = prove_pass;
    world->sph.runner.hook_user = all;
    /* Small blocks, so that most neighbours belong to another one. */
    world->sph.runner.block = 64;
}

/* Sorts, searches and sums, as a step would. */
static inline void find_neighbours(rill_world *world)
{
    assert_int_equal(rill_sph_sort(&world->sph, world->ops, NULL), RILL_OK);
    assert_int_equal(rill_sph_search(&world->sph, world->ops, rill_clock_due(world), NULL), RILL_OK);
    sum_densities(world);
}

/* Takes steps, and fails with the name of the first pass that does something else than it declares. */
static inline void prove_steps(rill_world *world, int count)
{
    static pass_proof all;
    prove_passes(world, &all);
    for (int k = 0; k < count; k++) assert_int_equal(rill_step(world, NULL, NULL, NULL), RILL_OK);
    world->sph.runner.hook = NULL;
    if (all.broken[0]) fail_msg("%s", all.broken);
    assert_true(all.passes > (uint64_t)count);
}

#endif
