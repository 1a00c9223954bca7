/* The proof that passes do what they declare.
 *
 * A pass is run once over all its blocks, for what it should write. Then it is run again, from the same beginning, over
 * every other block, and over the rest, while
 *   - fields that it does not declare are poisoned everywhere,
 *   - fields that it reads of its own particles alone are poisoned in the blocks that do not run.
 * What it writes must be the same bits as before, and nothing else may change: neither another field nor the particles
 * of a block that did not run. So no pass uses what it does not name, and no block depends on another one of the pass.
 *
 * Rows that are second names for the same bytes are told apart by who wrote last: reading one name after another was
 * written is a mistake as well. */
#ifndef RILL_TESTS_PASS_PROOF_H
#define RILL_TESTS_PASS_PROOF_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/scenes.h"
#include "world/world.h"

typedef struct pass_proof {
    const rill_sph *sph;
    uint64_t passes;  /* that were checked */
    char names[2000]; /* of them, each once */
    char broken[300]; /* the first that did not keep its word, in a sentence; empty: none */
    uint32_t writer[RILL_FIELDS_MAX][4]; /* row that wrote a lane last, plus one; 0: not known */
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
    char *rows[RILL_FIELDS_MAX], *beside[RILL_BESIDE_MAX];
} copies;

typedef struct proof {
    rill_runner *runner;
    const rill_fields *fields;
    const rill_pass *pass;
    void *context;
    rill_blocks blocks;
    rill_beside beside[RILL_BESIDE_MAX];
    uint32_t beside_count;
    copies before, right, poisoned;
} proof;

static size_t row_bytes(const rill_fields *fields, uint32_t f)
{
    return fields->data[f] ? fields->count * rill_field_bytes(&fields->defs[f]) : 0;
}

static char *copy_of(const void *data, size_t bytes)
{
    char *copy = malloc(bytes + 1);
    if (!copy) abort(); /* a test without memory has nothing to say */
    if (bytes) memcpy(copy, data, bytes);
    return copy;
}

static copies take(const proof *p)
{
    copies c = {0};
    for (uint32_t f = 0; f < p->fields->field_count; f++)
        if (p->fields->data[f]) c.rows[f] = copy_of(p->fields->data[f], row_bytes(p->fields, f));
    for (uint32_t k = 0; k < p->beside_count; k++) c.beside[k] = copy_of(p->beside[k].data, p->beside[k].bytes);
    return c;
}

static void restore(const proof *p, const copies *c)
{
    for (uint32_t f = 0; f < p->fields->field_count; f++)
        if (p->fields->data[f]) memcpy(p->fields->data[f], c->rows[f], row_bytes(p->fields, f));
    for (uint32_t k = 0; k < p->beside_count; k++)
        if (p->beside[k].bytes) memcpy(p->beside[k].data, c->beside[k], p->beside[k].bytes);
}

static void drop(copies *c)
{
    for (uint32_t f = 0; f < RILL_FIELDS_MAX; f++) free(c->rows[f]);
    for (uint32_t k = 0; k < RILL_BESIDE_MAX; k++) free(c->beside[k]);
}

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

/* Of the particles of all blocks, those in the even or the odd ones; what is in no block does not run. */
static bool runs(const proof *p, uint32_t particle, uint32_t parity)
{
    const uint32_t block = particle / p->runner->block;
    if (!p->blocks.list) return block % 2 == parity && block < p->blocks.count;
    for (uint32_t i = parity; i < p->blocks.count; i += 2)
        if (p->blocks.list[i] == block) return true;
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

static void poison(const proof *p, uint32_t parity)
{
    const rill_fields *fields = p->fields;
    for (uint32_t f = 0; f < fields->field_count; f++)
        for (uint32_t lane = 0; fields->data[f] && lane < fields->defs[f].lanes; lane++) {
            const bool gathered = has_lane(fields, p->pass->gathers, f, lane);
            const bool read = has_lane(fields, p->pass->reads, f, lane);
            for (uint32_t i = 0; i < fields->count && !gathered; i++)
                if (!read || !runs(p, i, parity)) poison_word(p, f, i, lane);
        }
    for (uint32_t k = 0; k < p->beside_count; k++)
        if (p->beside[k].bytes && !((p->pass->reads | p->pass->gathers) & RILL_BESIDE_BIT(k)))
            memset(p->beside[k].data, p->beside[k].poison, p->beside[k].bytes);
}

static const char *word_at(const rill_fields *fields, char *const *rows, uint32_t f, uint32_t i, uint32_t lane)
{
    return rows[f] + i * rill_field_bytes(&fields->defs[f]) + 4 * lane;
}

/* What was written is right, and nothing else was. */
static void compare(proof *p, uint32_t parity)
{
    const rill_fields *fields = p->fields;
    char *const *now = (char *const *)fields->data;
    for (uint32_t f = 0; f < fields->field_count; f++)
        for (uint32_t lane = 0; fields->data[f] && lane < fields->defs[f].lanes; lane++) {
            const bool wide = fields->defs[f].type == RILL_FIELD_U64;
            const bool written = has_lane(fields, p->pass->writes, f, lane);
            for (uint32_t i = 0; i < fields->count; i++) {
                const bool own = written && runs(p, i, parity);
                const char *is = word_at(fields, now, f, i, lane);
                const char *right = word_at(fields, own ? p->right.rows : p->poisoned.rows, f, i, lane);
                if (memcmp(is, right, wide ? 8 : 4) == 0) continue;
                broken(p->runner, own ? "Pass %s needs something it does not declare: its %s differs (lane %u)."
                                      : "Pass %s changes %s (lane %u), which is not its own or not declared.",
                       p->pass->name, fields->defs[f].name, lane);
                break;
            }
        }
    for (uint32_t k = 0; k < p->beside_count; k++)
        if (p->beside[k].bytes && !(p->pass->writes & RILL_BESIDE_BIT(k)) &&
            memcmp(p->beside[k].data, p->poisoned.beside[k], p->beside[k].bytes) != 0)
            broken(p->runner, "Pass %s changes %s, which it does not declare.", p->pass->name, p->beside[k].name);
}

static void run_half(proof *p, uint32_t parity)
{
    uint32_t *list = malloc((p->blocks.count / 2 + 1) * sizeof *list);
    if (!list) abort();
    rill_blocks half = {.list = list};
    for (uint32_t i = parity; i < p->blocks.count; i += 2) list[half.count++] = p->blocks.list ? p->blocks.list[i] : i;
    restore(p, &p->before);
    poison(p, parity);
    p->poisoned = take(p);
    rill_pass_blocks(p->runner, p->fields, p->pass, p->context, half);
    compare(p, parity);
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
    if (!strstr(all->names, word) && strlen(all->names) + strlen(word) < sizeof all->names) strcat(all->names, word);
}

static void prove_pass(rill_runner *runner, const rill_fields *fields, const rill_pass *pass, void *context,
                       rill_blocks blocks)
{
    pass_proof *all = runner->hook_user;
    proof p = {.runner = runner, .fields = fields, .pass = pass, .context = context, .blocks = blocks};
    p.beside_count = rill_sph_beside(all->sph, p.beside);
    all->passes++;
    note_name(all, pass->name);
    check_names(runner, fields, pass);
    p.before = take(&p);
    rill_pass_blocks(runner, fields, pass, context, blocks);
    const rill_tally total = runner->total;
    p.right = take(&p);
    for (uint32_t parity = 0; parity < 2; parity++) run_half(&p, parity);
    restore(&p, &p.right);
    runner->total = total;
    drop(&p.before);
    drop(&p.right);
}

/* From now on every pass of the world is proved; what it finds stands in `all`. */
static inline void prove_passes(rill_sph *sph, pass_proof *all)
{
    *all = (pass_proof){.sph = sph};
    sph->runner.hook = prove_pass;
    sph->runner.hook_user = all;
}

/* Sorts, searches and sums, as a step would. */
static inline void find_neighbours(rill_world *world)
{
    assert_int_equal(rill_sph_sort(&world->sph, world->ops, NULL), RILL_OK);
    assert_int_equal(rill_sph_search(&world->sph, world->ops, rill_clock_due(world), NULL), RILL_OK);
    rill_sph_density(&world->sph, world->ops, rill_clock_due(world), false);
}

/* Takes steps, and fails with the name of the first pass that does something else than it declares. */
static inline void prove_steps(rill_world *world, int count)
{
    static pass_proof all;
    prove_passes(&world->sph, &all);
    /* Small blocks, so that most neighbours belong to another one. */
    world->sph.runner.block = 64;
    for (int k = 0; k < count; k++) assert_int_equal(rill_step(world, NULL, NULL, NULL), RILL_OK);
    world->sph.runner.hook = NULL;
    if (all.broken[0]) fail_msg("%s", all.broken);
    assert_true(all.passes > (uint64_t)count);
}

#endif
