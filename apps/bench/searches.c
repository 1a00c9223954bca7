/* All pairs, and an octree: what a neighbour search is without cells. */
#include "searches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists ---- */

static size_t block_count(uint32_t particles)
{
    return (particles + BENCH_BLOCK - 1) / BENCH_BLOCK;
}

void bench_found_free(bench_found *found)
{
    for (size_t b = 0; found->blocks && b < block_count(found->particles); b++) free(found->blocks[b].items);
    free(found->blocks);
    free(found->count);
    free(found->start);
    *found = (bench_found){0};
}

static bool found_begin(bench_found *found, uint32_t particles)
{
    if (found->particles != particles || !found->blocks) {
        bench_found_free(found);
        found->particles = particles;
        found->count = calloc(particles + 1, sizeof *found->count);
        found->start = calloc(particles + 1, sizeof *found->start);
        found->blocks = calloc(block_count(particles) + 1, sizeof *found->blocks);
    }
    return found->count && found->start && found->blocks;
}

static bool found_end(const bench_found *found)
{
    bool good = true;
    for (size_t b = 0; b < block_count(found->particles); b++) good = good && !found->blocks[b].failed;
    return good;
}

static inline void block_add(bench_block *block, uint32_t item)
{
    if (block->used == block->room) {
        const size_t room = block->room ? 2 * block->room : 1024;
        uint32_t *items = realloc(block->items, room * sizeof *items);
        block->failed = block->failed || !items;
        if (!items) return;
        block->items = items;
        block->room = room;
    }
    block->items[block->used++] = item;
}

static inline bool near(const float *a, const float *b, float radius2)
{
    const float dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
    return dx * dx + dy * dy + dz * dz < radius2;
}

/* ---- all pairs ---- */

typedef struct search_job {
    bench_found *found;
    const float *x;
    float radius;
    const struct octree *tree; /* NULL: all pairs */
} search_job;

static void naive_body(void *context, size_t b, unsigned worker)
{
    (void)worker;
    const search_job *j = context;
    bench_block *block = &j->found->blocks[b];
    const uint32_t n = j->found->particles, begin = (uint32_t)b * BENCH_BLOCK;
    block->used = 0;
    for (uint32_t i = begin; i < n && i < begin + BENCH_BLOCK; i++) {
        j->found->start[i] = block->used;
        for (uint32_t k = 0; k < n; k++) {
            if (k != i && near(j->x + 3 * (size_t)i, j->x + 3 * (size_t)k, j->radius * j->radius)) block_add(block, k);
        }
        j->found->count[i] = (uint32_t)(block->used - j->found->start[i]);
    }
}

bool bench_search_naive(bench_found *found, const float *x, uint32_t particles, float radius, const rill_scheduler *s)
{
    if (!found_begin(found, particles)) return false;
    search_job j = {found, x, radius, NULL};
    s->parallel_for(s->user, block_count(particles), naive_body, &j);
    return found_end(found);
}

/* ---- octree ---- */

enum { LEAF_MOST = 16, DEPTH_MOST = 24 };

typedef struct node {
    float centre[3], half;
    uint32_t first, count; /* of the particles in it, in the tree's order */
    uint32_t children;     /* index of the first of eight; 0: a leaf */
} node;

typedef struct octree {
    const float *x;
    uint32_t *order, *spare;
    node *nodes;
    size_t count, room;
    bool failed;
} octree;

static inline int octant(const float *x, const float centre[3])
{
    return (x[0] >= centre[0]) | (x[1] >= centre[1]) << 1 | (x[2] >= centre[2]) << 2;
}

static bool nodes_reserve(octree *t)
{
    if (t->count + 8 <= t->room) return true;
    node *nodes = realloc(t->nodes, 2 * t->room * sizeof *nodes);
    t->failed = !nodes;
    if (!nodes) return false;
    t->nodes = nodes;
    t->room *= 2;
    return true;
}

/* Sorts the particles of a node by octant and goes on with those that hold too many. */
static void node_split(octree *t, uint32_t at, int depth)
{
    const node parent = t->nodes[at];
    if (parent.count <= LEAF_MOST || depth == DEPTH_MOST || !nodes_reserve(t)) return;
    uint32_t sizes[8] = {0}, next[8];
    for (uint32_t k = 0; k < parent.count; k++)
        sizes[octant(t->x + 3 * (size_t)t->order[parent.first + k], parent.centre)]++;
    const uint32_t children = (uint32_t)t->count;
    uint32_t first = parent.first;
    for (int c = 0; c < 8; c++) {
        node *child = &t->nodes[t->count++];
        *child = (node){.half = parent.half / 2, .first = first, .count = sizes[c]};
        for (int a = 0; a < 3; a++) child->centre[a] = parent.centre[a] + (c >> a & 1 ? child->half : -child->half);
        next[c] = first;
        first += sizes[c];
    }
    t->nodes[at].children = children;
    memcpy(t->spare, t->order + parent.first, parent.count * sizeof *t->spare);
    for (uint32_t k = 0; k < parent.count; k++)
        t->order[next[octant(t->x + 3 * (size_t)t->spare[k], parent.centre)]++] = t->spare[k];
    for (uint32_t c = 0; c < 8; c++) node_split(t, children + c, depth + 1);
}

static bool octree_build(octree *t, const float *x, uint32_t particles)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    *t = (octree){.x = x, .room = particles / 4 + 64, .count = 1};
    t->order = malloc((particles + 1) * sizeof *t->order);
    t->spare = malloc((particles + 1) * sizeof *t->spare);
    t->nodes = malloc(t->room * sizeof *t->nodes);
    if (!t->order || !t->spare || !t->nodes) return false;
    for (uint32_t i = 0; i < particles; i++) {
        t->order[i] = i;
        for (size_t a = 0; a < 3; a++) {
            low[a] = fminf(low[a], x[3 * (size_t)i + a]);
            high[a] = fmaxf(high[a], x[3 * (size_t)i + a]);
        }
    }
    node root = {.count = particles};
    for (int a = 0; a < 3; a++) {
        root.centre[a] = 0.5f * (low[a] + high[a]);
        root.half = fmaxf(root.half, 0.5001f * (high[a] - low[a]));
    }
    t->nodes[0] = root;
    node_split(t, 0, 0);
    return !t->failed;
}

static void octree_free(octree *t)
{
    free(t->order);
    free(t->spare);
    free(t->nodes);
}

static bool box_near(const node *n, const float *at, float radius)
{
    float sum = 0;
    for (int a = 0; a < 3; a++) {
        const float out = fabsf(at[a] - n->centre[a]) - n->half;
        if (out > 0) sum += out * out;
    }
    /* Roundings of centres must not lose a pair. */
    return sum <= radius * radius * 1.0001f;
}

static void octree_query(const octree *t, uint32_t i, float radius, bench_block *block)
{
    uint32_t stack[8 * DEPTH_MOST + 8], top = 0;
    const float *at = t->x + 3 * (size_t)i;
    stack[top++] = 0;
    while (top) {
        const node *n = &t->nodes[stack[--top]];
        if (!n->count || !box_near(n, at, radius)) continue;
        for (uint32_t c = 0; n->children && c < 8; c++) stack[top++] = n->children + c;
        for (uint32_t k = n->first; !n->children && k < n->first + n->count; k++) {
            const uint32_t other = t->order[k];
            if (other != i && near(at, t->x + 3 * (size_t)other, radius * radius)) block_add(block, other);
        }
    }
}

static void octree_body(void *context, size_t b, unsigned worker)
{
    (void)worker;
    const search_job *j = context;
    bench_block *block = &j->found->blocks[b];
    const uint32_t begin = (uint32_t)b * BENCH_BLOCK;
    block->used = 0;
    for (uint32_t i = begin; i < j->found->particles && i < begin + BENCH_BLOCK; i++) {
        j->found->start[i] = block->used;
        octree_query(j->tree, i, j->radius, block);
        j->found->count[i] = (uint32_t)(block->used - j->found->start[i]);
    }
}

bool bench_search_octree(bench_found *found, const float *x, uint32_t particles, float radius, const rill_scheduler *s)
{
    octree tree = {0};
    bool good = found_begin(found, particles) && octree_build(&tree, x, particles);
    search_job j = {found, x, radius, &tree};
    if (good) s->parallel_for(s->user, block_count(particles), octree_body, &j);
    octree_free(&tree);
    return good && found_end(found);
}
