/* Fields of particles: what each needs, which particles act on a block, and
 * which blocks the surface can run through. */
#include "surface/field.h"

#include <math.h>
#include <string.h>

#include "fluid/kernel.h"
#include "fluid/sph.h"
#include "text/pi.h"

#ifdef RILL_HAVE_X86_VARIANTS
extern const rill_field_ops rill_field_ops_base, rill_field_ops_avx2, rill_field_ops_avx512;
#else
extern const rill_field_ops rill_field_ops_base;
#endif

const rill_field_ops *rill_field_ops_of(rill_variant variant)
{
#ifdef RILL_HAVE_X86_VARIANTS
    /* A row of nodes has eight lanes, so there is nothing for sixteen. */
    if (variant == RILL_VARIANT_AVX512 || variant == RILL_VARIANT_AVX512X16) return &rill_field_ops_avx512;
    if (variant == RILL_VARIANT_AVX2) return &rill_field_ops_avx2;
#endif
    (void)variant;
    return &rill_field_ops_base;
}

const rill_field_ops *rill_field_ops_best(void)
{
    return rill_field_ops_of(rill_fluid_ops_for(0)->variant);
}

/* Lengths in diameters. With weights over 2.5 diameters the mean of a half space seen from its surface lies
 * 0.246 * 2.5 d deep, so with this radius flat water stays where it is; and a sphere of it holds d^3, so spray keeps
 * its volume as well. */
static const double MEAN_REACH = 2.5, MEAN_RADIUS = 0.62, MEAN_SPREAD = 0.335, MEAN_FEW = 1, MEAN_MANY = 3,
                    MEAN_PLENTY = 5;
/* The sum of the same weights amidst liquid: 4 pi R^3 times the integral of s^2 (1 - s^2)^3. */
static const double MEAN_BULK = 4 * RILL_PI * 2.5 * 2.5 * 2.5 * 16 / 315;
/* Spheres of this radius leave the volume of a flat lattice as it is; gaps are filled above a share of that sum. */
static const double SPHERE_RADIUS = 0.65, SPHERE_FILL = 0.65, SPHERE_LENGTH = 2.5, SPHERE_GAP = 1;
/* Support of the density kernel, in radii, and its level. */
static const double DENSITY_SUPPORT = 4, DENSITY_RADIUS = 0.5, DENSITY_LEVEL = 0.5;
/* A level at which a ball of particles has its volume; half would leave more gaps between narrow kernels. */
static const double ANISOTROPIC_LEVEL = 0.3;
/* Values are kept this many cells into the open, for gradients. */
static const float KEEP = 2.5f;

/* The radius of a sphere whose mesh holds what a sphere of r should. Flat triangles, and straight lines between values
 * that bend, leave 4 pi/3 x (x^2 - k c^2) of a sphere of x with cells of c. That holds from x = 0.9 c on; larger cells
 * lose drops between their nodes, and no radius helps. */
static double drop_of(double r, double k, double cell)
{
    const double loss = k * cell * cell;
    double x = r + sqrt(loss);
    for (int round = 0; round < 20; round++) x -= (x * (x * x - loss) - r * r * r) / (3 * x * x - loss);
    return fmin(x, 1.6 * r);
}

double rill_field_drop(const rill_surface_options *options)
{
    /* By field and method, measured at many places of the lattice: distances, and a poly6 kernel at its level. */
    static const double k[2][2] = {{0.58, 0.5}, {0.32, 0}};
    const bool kernel = options->field == RILL_SURFACE_ANISOTROPIC;
    return drop_of(options->radius > 0 && !kernel ? options->radius : MEAN_RADIUS, k[kernel][options->method],
                   options->cell);
}

static void set_mean(rill_field *field, double diameter, double radius, double drop)
{
    rill_field_setting *s = &field->setting;
    s->radius = (float)(radius * diameter);
    s->alone = (float)((drop - radius) * diameter);
    /* A radius beyond the reach of the weights would leave nothing outside. */
    s->reach = (float)(fmax(MEAN_REACH, 2 * radius) * diameter);
    s->spread = (float)(MEAN_SPREAD * diameter);
    s->few = (float)MEAN_FEW;
    s->many = (float)MEAN_MANY;
    s->plenty = (float)MEAN_PLENTY;
    field->far = fmaxf(-KEEP, 0.999f * (s->radius + s->alone - s->reach));
    /* Where weights are plenty, particles are nearer than this. */
    field->extent = fmax(fmax(radius + MEAN_SPREAD, drop), 1.5) * field->points->diameter;
}

static void set_spheres(rill_field *field, double diameter, double radius, double drop)
{
    rill_field_setting *s = &field->setting;
    const double reach = fmax(MEAN_REACH, 2 * radius), scale = reach / MEAN_REACH;
    s->radius = (float)(radius * diameter);
    s->reach = (float)(reach * diameter);
    s->spread = (float)(SPHERE_LENGTH * diameter);
    s->gap = (float)(SPHERE_GAP * diameter);
    s->alone = (float)((drop - radius) * diameter);
    s->weight = (float)(1 / (MEAN_BULK * scale * scale * scale));
    s->level = (float)SPHERE_FILL;
    field->far = fmaxf(-KEEP, 0.999f * (fmaxf(s->radius + fmaxf(s->alone, 0), s->gap) - s->reach));
    field->extent = fmax(fmax(radius, drop), SPHERE_GAP) * field->points->diameter;
}

static void set_sums(rill_field *field, double diameter, double support, double level)
{
    rill_field_setting *s = &field->setting;
    s->reach = (float)(support * diameter);
    s->weight = (float)rill_kernel_scale(RILL_CUBIC, support);
    s->level = (float)level;
    field->far = -0.999f * s->level;
    field->extent = support * field->points->diameter;
}

rill_status rill_field_make(rill_field *field, const rill_points *points, const rill_shapes *shapes,
                            const rill_surface_options *options, unsigned workers, rill_error *err)
{
    const double diameter = 1 / options->cell; /* in cells */
    const double own = options->radius;
    *field = (rill_field){.points = points, .shapes = shapes, .workers = workers};
    field->cell = options->cell * points->diameter;
    field->ops = rill_field_ops_best();
    field->kind = options->field;
    switch (options->field) {
    case RILL_SURFACE_ZHU_BRIDSON:
        set_mean(field, diameter, own > 0 ? own : MEAN_RADIUS, rill_field_drop(options));
        break;
    case RILL_SURFACE_SPHERES:
        set_spheres(field, diameter, own > 0 ? own : SPHERE_RADIUS, rill_field_drop(options));
        break;
    case RILL_SURFACE_DENSITY:
        set_sums(field, diameter, DENSITY_SUPPORT * (own > 0 ? own : DENSITY_RADIUS), DENSITY_LEVEL);
        break;
    case RILL_SURFACE_ANISOTROPIC:
        set_sums(field, diameter, RILL_ANISOTROPIC_REACH, ANISOTROPIC_LEVEL);
        break;
    }
    field->scratch = rill_memory_alloc(workers * sizeof *field->scratch);
    return field->scratch ? RILL_OK : rill_memory_fail(err, workers * sizeof *field->scratch, "the workers");
}

void rill_field_free(rill_field *field)
{
    for (unsigned w = 0; field->scratch && w < field->workers; w++) rill_buffer_free(&field->scratch[w]);
    rill_memory_free(field->scratch);
    *field = (rill_field){0};
}

/* ---- values ---- */

typedef struct gather {
    float *position, *shape;
    uint32_t count;
} gather;

typedef float record __attribute__((vector_size(16)));
typedef double record_far __attribute__((vector_size(32)));
typedef int32_t record_mask __attribute__((vector_size(16)));

static inline record larger(record a, record b)
{
    const record_mask mask = a > b;
    return (record)((mask & (record_mask)a) | (~mask & (record_mask)b));
}

/* Places are counted from the block's first node in double precision, so that far from the origin nothing is lost. All
 * are written, and those out of reach of the nodes 0 to 7 written over, since which these are cannot be predicted. */
static void gather_run(const rill_field *field, const record_far *origin, rill_span run, gather *g)
{
    const float reach = field->setting.reach;
    const double per_cell = 1 / field->cell;
    const float per_diameter = (float)(field->points->diameter * per_cell);
    const float per_square = 1 / (per_diameter * per_diameter);
    for (uint32_t i = run.begin; i < run.end; i++) {
        const record x = ((const record *)field->points->position)[i];
        record at = __builtin_convertvector((__builtin_convertvector(x, record_far) - *origin) * per_cell, record);
        const record beyond = larger(larger(-at, at - 7), (record){0}), square = beyond * beyond;
        at[3] = x[3] * per_diameter;
        ((record *)g->position)[g->count] = at;
        const bool near = square[0] + square[1] + square[2] < reach * reach;
        if (g->shape && near) {
            const float *from = rill_shapes_at(field->shapes, i);
            float *to = g->shape + RILL_SHAPE * (size_t)g->count;
            for (int k = 0; k < RILL_SHAPE - 1; k++) to[k] = from[k] * per_square;
            to[RILL_SHAPE - 1] = from[RILL_SHAPE - 1];
        }
        g->count += near;
    }
}

static void block_box(const rill_field *field, const int32_t at[3], double margin, double low[3], double high[3])
{
    for (int a = 0; a < 3; a++) {
        low[a] = field->cell * RILL_BLOCK_EDGE * at[a] - margin;
        high[a] = field->cell * (RILL_BLOCK_EDGE * (double)at[a] + RILL_BLOCK_EDGE - 1) + margin;
    }
}

/* Particles within reach of the block's nodes. Without memory there are no positions. */
static rill_gathered gather_near(rill_field *field, const int32_t at[3], unsigned worker)
{
    const double edge = field->cell * RILL_BLOCK_EDGE;
    const record_far origin = {edge * at[0], edge * at[1], edge * at[2], 0};
    double low[3], high[3];
    size_t most = 0;
    block_box(field, at, (double)field->setting.reach * field->cell, low, high);
    rill_rows rows = rill_points_rows(field->points, low, high);
    for (rill_rows all = rows; rill_rows_next(&all);) most += all.run.end - all.run.begin;
    const size_t floats = field->shapes ? 4 + RILL_SHAPE : 4;
    if (!rill_buffer_reserve(&field->scratch[worker], most * floats * sizeof(float) + 64)) {
        atomic_store(&field->failed, true);
        return (rill_gathered){0};
    }
    gather g = {.position = field->scratch[worker].data};
    if (field->shapes) g.shape = g.position + 4 * most;
    while (rill_rows_next(&rows)) gather_run(field, &origin, rows.run, &g);
    return (rill_gathered){g.count, g.position, g.shape};
}

void rill_field_values(void *user, const int32_t at[3], float *value, unsigned worker)
{
    rill_field *field = user;
    const rill_gathered near = gather_near(field, at, worker);
    if (near.position) field->ops->sum[field->kind](&near, &field->setting, value);
    else memset(value, 0, RILL_BLOCK_NODES * sizeof *value);
}

/* ---- blocks ---- */

/* The box, in cells, in which the particles of a sorting cell may have nodes near them. */
static void cell_box(const rill_field *field, uint32_t cell, double low[3], double high[3])
{
    const rill_points *points = field->points;
    const record *x = (const record *)points->position;
    const double margin = field->extent + field->cell, per_cell = 1 / field->cell;
    record most = x[points->cells.start[cell]], least = -most; /* with its sign turned */
    for (uint32_t i = points->cells.start[cell] + 1; i < points->cells.start[cell + 1]; i++) {
        most = larger(most, x[i]);
        least = larger(least, -x[i]);
    }
    for (int a = 0; a < 3; a++) {
        low[a] = ((double)-least[a] - margin) * per_cell;
        high[a] = ((double)most[a] + margin) * per_cell;
    }
}

/* A box of blocks. */
typedef struct block_range {
    int32_t from[3], to[3];
} block_range;

static bool holds_block(const block_range *r, const int32_t at[3])
{
    bool within = true;
    for (int a = 0; a < 3; a++) within = within && at[a] >= r->from[a] && at[a] <= r->to[a];
    return within;
}

/* The blocks hold all nodes of a box, in cells. */
static bool holds_box(const block_range *r, const double low[3], const double high[3])
{
    bool within = true;
    for (int a = 0; a < 3; a++)
        within = within && low[a] >= RILL_BLOCK_EDGE * (double)r->from[a] &&
                 high[a] <= RILL_BLOCK_EDGE * (double)r->to[a] + RILL_BLOCK_EDGE - 1;
    return within;
}

static bool add_blocks(const rill_field *field, rill_sparse *sparse)
{
    block_range last = {{0}, {-1, -1, -1}}; /* these are there already */
    for (uint32_t c = 0; c < field->points->cells.cell_count; c++) {
        double low[3], high[3];
        block_range r;
        cell_box(field, c, low, high);
        if (holds_box(&last, low, high)) continue;
        for (int a = 0; a < 3; a++) {
            r.from[a] = (int32_t)floor(low[a] / RILL_BLOCK_EDGE);
            r.to[a] = (int32_t)floor(ceil(high[a]) / RILL_BLOCK_EDGE);
        }
        int32_t at[3];
        for (at[2] = r.from[2]; at[2] <= r.to[2]; at[2]++)
            for (at[1] = r.from[1]; at[1] <= r.to[1]; at[1]++)
                for (at[0] = r.from[0]; at[0] <= r.to[0]; at[0]++)
                    if (!holds_block(&last, at) && rill_sparse_add(sparse, at) == UINT32_MAX) return false;
        last = r;
    }
    return true;
}

/* Every node of the block has a particle so near, in diameters, that no bubble is between them. Spheres and half
 * the density leave one sooner. */
static const double COVER[] = {[RILL_SURFACE_ZHU_BRIDSON] = 1,
                               [RILL_SURFACE_SPHERES] = 0.9,
                               [RILL_SURFACE_DENSITY] = 0.9,
                               [RILL_SURFACE_ANISOTROPIC] = 1};

/* Amidst liquid, with a diameter to spare and without a bubble. At the surface, where this may be wrong,
 * rill_sparse_close finds out. */
static bool amidst(rill_field *field, const int32_t at[3], unsigned worker)
{
    double low[3], high[3];
    block_box(field, at, field->points->diameter, low, high);
    const rill_rows rows = rill_points_rows(field->points, low, high);
    const size_t held = rill_points_fill(rows);
    if (!held) return false;
    rill_buffer *scratch = &field->scratch[worker];
    if (!rill_buffer_reserve(scratch, 3 * (held + RILL_COVER_SLACK) * sizeof(float))) {
        atomic_store(&field->failed, true);
        return false;
    }
    const double edge = field->cell * RILL_BLOCK_EDGE, origin[3] = {edge * at[0], edge * at[1], edge * at[2]};
    const float reach = (float)(COVER[field->kind] * field->points->diameter / field->cell);
    return field->ops->cover(rows, held, origin, field->cell, reach, scratch->data);
}

typedef struct sift {
    rill_field *field;
    rill_sparse *sparse;
} sift;

static void sift_block(void *context, size_t i, unsigned worker)
{
    sift *s = context;
    rill_block *b = &s->sparse->blocks[i];
    if (!amidst(s->field, b->at, worker)) return;
    b->state = RILL_BLOCK_INSIDE;
    memset(b->inside, 0xff, sizeof b->inside);
}

rill_status rill_field_blocks(rill_field *field, rill_sparse *sparse, bool skip_inside,
                              const rill_scheduler *scheduler, rill_error *err)
{
    if (!add_blocks(field, sparse))
        return rill_memory_fail(err, (size_t)sparse->room * sizeof *sparse->blocks, "the blocks of the surface");
    sift s = {field, sparse};
    if (skip_inside) rill_parallel_for(scheduler, sparse->count, sift_block, &s);
    return RILL_OK;
}
