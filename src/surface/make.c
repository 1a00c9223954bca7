/* From particles, or any function, to a closed surface: the stages in order. */
#include <math.h>
#include <string.h>

#include "surface/crumbs.h"
#include "surface/cull.h"
#include "surface/field.h"
#include "surface/march.h"
#include "surface/mesh.h"
#include "surface/spacing.h"
#include "surface/vertices.h"

rill_surface_options rill_surface_default(void)
{
    return (rill_surface_options){.method = RILL_SURFACE_CUBES, .field = RILL_SURFACE_ZHU_BRIDSON, .cell = 0.5};
}

/* ---- what was given ---- */

static rill_status check_method(rill_surface_method method, rill_error *err)
{
    if ((unsigned)method <= RILL_SURFACE_TETRAHEDRA) return RILL_OK;
    return rill_fail(err, RILL_BAD_INPUT, "There is no way to make surfaces with the number %d.", (int)method);
}

static rill_status check_options(const rill_particles *particles, const rill_surface_options *options, rill_error *err)
{
    const rill_status status = check_method(options->method, err);
    if (status) return status;
    if ((unsigned)options->field > RILL_SURFACE_ANISOTROPIC)
        return rill_fail(err, RILL_BAD_INPUT, "There is no field of surfaces with the number %d.", (int)options->field);
    if (!(options->cell > 0.01 && options->cell <= 100))
        return rill_fail(err, RILL_BAD_INPUT, "A cell of %g diameters makes no sense; 0.5 is a good choice.",
                         options->cell);
    if (!(options->radius >= 0 && options->radius <= 100))
        return rill_fail(err, RILL_BAD_INPUT, "A radius of %g diameters makes no sense; 0 takes the field's own.",
                         options->radius);
    if (particles->diameter != 0 && !(particles->diameter > 1e-15 && particles->diameter < 1e15))
        return rill_fail(
            err, RILL_BAD_INPUT,
            "The particles' diameter is %g m; it must lie between 1e-15 and 1e15 m, or be 0 where it is not "
            "known.",
            particles->diameter);
    if (particles->volume != 0 && !(particles->volume > 1e-45 && particles->volume < 1e45))
        return rill_fail(
            err, RILL_BAD_INPUT,
            "The particles' volume is %g m3; it must lie between 1e-45 and 1e45 m3, or be 0 where it is not "
            "known.",
            particles->volume);
    if (particles->count > INT32_MAX)
        return rill_fail(err, RILL_BAD_INPUT, "There are %zu particles, more than the %d that can be numbered.",
                         particles->count, INT32_MAX);
    for (uint32_t k = 0; k < options->value_count; k++) {
        bool known = false;
        for (uint32_t j = 0; j < particles->value_count; j++)
            known = known || strcmp(particles->values[j].name, options->values[k]) == 0;
        if (known) continue;
        char names[300] = "";
        for (uint32_t j = 0; j < particles->value_count; j++) {
            const size_t used = strlen(names);
            if (used + strlen(particles->values[j].name) + 3 > sizeof names) break;
            strcat(strcat(names, j ? ", " : ""), particles->values[j].name);
        }
        return rill_fail(err, RILL_BAD_INPUT, "The particles have no values \"%.60s\"; they have %s.",
                         options->values[k], *names ? names : "none");
    }
    return RILL_OK;
}

/* The largest of all, whatever its sign; not finite where one is not. Without their signs the bits of floats are in the
 * order of what they stand for. */
static float farthest_of(const float *x, size_t count)
{
    int32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t bits;
        memcpy(&bits, x + i, sizeof bits);
        bits &= INT32_MAX;
        most = bits > most ? bits : most;
    }
    float farthest;
    memcpy(&farthest, &most, sizeof farthest);
    return farthest;
}

static rill_status fail_positions(const rill_particles *particles, rill_error *err)
{
    size_t bad = 0;
    for (size_t i = 0; i < particles->count; i++) {
        const float *x = particles->position + 3 * i;
        bad += !isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]);
    }
    return rill_fail(err, RILL_BAD_INPUT, "%zu of %zu particles lie at infinity or nowhere (not a number).", bad,
                     particles->count);
}

/* Vertices have 24 bits, a few of which are needed within a cell. Those that were culled do not count. */
static rill_status check_reach(float farthest, double cell, rill_error *err)
{
    if ((double)farthest < (1 << 21) * cell) return RILL_OK;
    return rill_fail(err, RILL_BAD_INPUT,
                     "A particle lies %g m away, which is too far to be told apart from its neighbours in cells of "
                     "%g m; use larger cells, or cull those that have flown away.",
                     (double)farthest, cell);
}

/* ---- stages ---- */

typedef struct making {
    const rill_particles *particles;
    rill_surface_options options; /* with lengths in cube roots of a particle's volume */
    const rill_scheduler *scheduler;
    rill_points points; /* what is left after culling */
    rill_points moved;  /* anisotropic: where the field has them */
    rill_shapes shapes;
    rill_field field;
    rill_sparse sparse;
    rill_surface_report report;
} making;

static void making_free(making *m)
{
    rill_sparse_free(&m->sparse);
    rill_field_free(&m->field);
    rill_shapes_free(&m->shapes);
    rill_points_free(&m->moved);
    rill_points_free(&m->points);
}

/* Sorts the particles that no coordinate of which lies beyond the reach. */
static rill_status load_near(making *m, double reach, double diameter, rill_error *err)
{
    const rill_particles *p = m->particles;
    uint32_t count = 0, *source = rill_malloc(sizeof *source * (p->count + 1));
    float *near = rill_malloc(4 * sizeof *near * (p->count + 1));
    rill_status status = RILL_OK;
    for (size_t i = 0; source && near && i < p->count; i++) {
        const float *x = p->position + 3 * i;
        if ((double)farthest_of(x, 3) > reach) continue;
        memcpy(near + 4 * (size_t)count, (const float[]){x[0], x[1], x[2], 0}, 4 * sizeof *near);
        source[count++] = (uint32_t)i;
    }
    if (!source || !near) status = rill_memory_fail(err, 20 * p->count, "the particles");
    else status = rill_points_make(&m->points, near, source, count, diameter, m->scheduler, err);
    rill_free(source);
    rill_free(near);
    return status;
}

/* Beyond the reach there are no cells to sort particles into. Floats lie many diameters apart there, so whoever asks to
 * cull particles without neighbours means those, too. */
static rill_status load_points(making *m, float farthest, double reach, double diameter, rill_error *err)
{
    if ((double)farthest <= reach) return rill_points_of(&m->points, m->particles, diameter, m->scheduler, err);
    if (m->options.cull) return load_near(m, reach, diameter, err);
    return rill_fail(err, RILL_BAD_INPUT,
                     "A particle lies %g m away, which is too far for particles of %g m; cull those that have flown "
                     "away.",
                     (double)farthest, diameter);
}

static rill_status load(making *m, rill_error *err)
{
    const rill_particles *p = m->particles;
    const double spacing = cbrt(p->volume);
    double diameter = p->diameter > 0 ? p->diameter : spacing;
    float farthest = farthest_of(p->position, 3 * p->count);
    if (!isfinite(farthest)) return fail_positions(p, err);
    rill_status status = diameter > 0 ? RILL_OK : rill_spacing_of(p, m->scheduler, &diameter, err);
    if (status) return status;
    if (!(diameter > 0))
        return rill_fail(err, RILL_BAD_INPUT, "The particles' diameter is not known and cannot be told from their "
                         "distances, since no two lie apart; give it.");
    const double reach = (1 << 28) * diameter * fmin(1, RILL_BLOCK_EDGE * m->options.cell);
    if (spacing > 0 && !(spacing < 100 * diameter && diameter < 100 * spacing))
        return rill_fail(err, RILL_BAD_INPUT,
                         "A volume of %g m3 does not fit particles of %g m; give that of one particle, or 0.",
                         p->volume, diameter);
    /* Particles of this volume settle at its cube root from each other, whatever diameter they began with. */
    if (spacing > 0) {
        m->options.cell *= diameter / spacing;
        m->options.radius *= diameter / spacing;
        diameter = spacing;
    }
    status = load_points(m, farthest, reach, diameter, err);
    if (status) return status;
    status = rill_cull(&m->points, m->options.cull, m->options.least_particles, m->scheduler, err);
    m->report.culled = p->count - m->points.count;
    if (status) return status;
    if (m->report.culled) farthest = farthest_of(m->points.position, 4 * (size_t)m->points.count);
    return check_reach(farthest, m->options.cell * diameter, err);
}

static rill_status build_field(making *m, rill_error *err)
{
    const bool shaped = m->options.field == RILL_SURFACE_ANISOTROPIC;
    const rill_points *points = &m->points;
    rill_status status = RILL_OK;
    if (shaped) {
        status = rill_anisotropic_make(&m->points, rill_field_ops_best(), rill_field_drop(&m->options), m->scheduler,
                                       &m->moved, &m->shapes, err);
        points = &m->moved;
    }
    if (m->options.field == RILL_SURFACE_ZHU_BRIDSON &&
        !rill_excess_make(&m->points, rill_field_ops_best(), m->scheduler))
        status = rill_memory_fail(err, 4 * (size_t)points->cells.particles, "the surface");
    const rill_shapes *shapes = shaped ? &m->shapes : NULL;
    if (!status) status = rill_field_make(&m->field, points, shapes, &m->options, m->scheduler->workers, err);
    m->sparse.limit = m->options.memory;
    if (!status) status = rill_field_blocks(&m->field, &m->sparse, true, m->scheduler, err);
    const rill_block_source source = {rill_field_values, &m->field, m->field.far};
    if (!status) status = rill_sparse_fill(&m->sparse, &source, m->scheduler, err);
    if (!status) status = rill_sparse_close(&m->sparse, &source, m->scheduler, err);
    if (!status && atomic_load(&m->field.failed))
        status = rill_memory_fail(err, 12 * (size_t)points->count, "the particles near a block");
    m->report.blocks = m->sparse.stored;
    m->report.cells = (size_t)m->sparse.stored * RILL_BLOCK_NODES;
    m->report.nodes = m->sparse.filled * RILL_BLOCK_NODES;
    return status;
}

static rill_status smooth(making *m, rill_mesh *mesh, rill_error *err)
{
    if (!m->options.smooth) return RILL_OK;
    float *weights = rill_malloc(mesh->vertex_count * sizeof *weights + 1);
    if (!weights) return rill_memory_fail(err, mesh->vertex_count * sizeof *weights, "smoothing");
    rill_vertices_weights(&m->points, mesh, m->scheduler, weights);
    const rill_status status = rill_mesh_smooth(mesh, weights, m->options.smooth, m->scheduler, err);
    rill_free(weights);
    return status;
}

/* Where cells are coarse, or particles small beside them, a drop may show at a node or two and miss its own middle. */
static rill_status drop_crumbs(making *m, rill_mesh *mesh, rill_error *err)
{
    const rill_points *points = m->moved.count ? &m->moved : &m->points;
    const double radius = m->options.radius > 0 ? fmin(m->options.radius, 0.5) : 0.5;
    const double margin = fmax(m->options.cell - radius, 0) * points->diameter;
    return rill_crumbs_drop(mesh, points, margin, &m->report.pieces, err);
}

static double seconds_since(double *begin)
{
    const double now = rill_clock_seconds(), passed = now - *begin;
    *begin = now;
    return passed;
}

static rill_status finish(making *m, rill_mesh *mesh, rill_error *err)
{
    rill_mesh_size size;
    const rill_status status = rill_mesh_measure(mesh, m->scheduler, &size, err);
    if (status) return status;
    m->report.volume = size.volume;
    m->report.area = size.area;
    return RILL_OK;
}

static rill_status run_stages(making *m, rill_mesh *mesh, rill_error *err)
{
    double clock = rill_clock_seconds();
    rill_status status = load(m, err);
    m->report.seconds_cull = seconds_since(&clock);
    if (status || !m->points.count) return status;
    status = build_field(m, err);
    m->report.seconds_field = seconds_since(&clock);
    if (status) return status;
    const rill_lattice lattice = {.cell = m->field.cell};
    status = rill_march(&m->sparse, &lattice, m->options.method, m->scheduler, mesh, err);
    /* What follows needs neither field nor grid, and memory is dear. */
    rill_sparse_free(&m->sparse);
    rill_field_free(&m->field);
    if (!status) status = drop_crumbs(m, mesh, err);
    m->report.seconds_march = seconds_since(&clock);
    if (!status) status = smooth(m, mesh, err);
    m->report.seconds_smooth = seconds_since(&clock);
    if (!status) status = rill_vertices_values(&m->points, m->particles, &m->options, m->scheduler, mesh, err);
    m->report.seconds_values = seconds_since(&clock);
    return status ? status : finish(m, mesh, err);
}

rill_status rill_surface_make(const rill_particles *particles, const rill_surface_options *options, rill_mesh *mesh,
                              rill_surface_report *report, rill_error *err)
{
    making m = {.particles = particles, .options = *options, .scheduler = options->scheduler};
    if (!m.scheduler) m.scheduler = &rill_serial;
    *mesh = (rill_mesh){0};
    m.report.particles = particles->count;
    rill_status status = check_options(particles, options, err);
    if (!status && particles->count) status = run_stages(&m, mesh, err);
    making_free(&m);
    if (status) rill_mesh_free(mesh);
    if (report) *report = m.report;
    return status;
}

/* ---- functions ---- */

typedef struct sampling {
    rill_surface_value *value;
    void *user;
    rill_lattice lattice;
    int64_t last[3]; /* nodes of the box are 0 to last */
} sampling;

/* What lies outside the box is outside the surface, which therefore closes along its walls. */
static void sample_block(void *user, const int32_t at[3], float *value, unsigned worker)
{
    (void)worker;
    const sampling *s = user;
    for (int n = 0; n < RILL_BLOCK_NODES; n++) {
        const int place[3] = {n % 8, n / 8 % 8, n / 64};
        double x[3], v = -s->lattice.cell;
        bool within = true;
        for (int a = 0; a < 3; a++) {
            const int64_t node = RILL_BLOCK_EDGE * (int64_t)at[a] + place[a];
            within = within && node >= 0 && node <= s->last[a];
            x[a] = s->lattice.origin[a] + s->lattice.cell * (double)node;
        }
        if (within) v = s->value(s->user, x[0], x[1], x[2]);
        value[n] = !(v > -1e30) ? -1e30f : v > 1e30 ? 1e30f : (float)v;
    }
}

static rill_status sample_box(sampling *s, rill_sparse *sparse, rill_error *err)
{
    const rill_block_source source = {sample_block, s, -INFINITY};
    for (int64_t z = -1; z <= s->last[2] / 8 + 1; z++)
        for (int64_t y = -1; y <= s->last[1] / 8 + 1; y++)
            for (int64_t x = -1; x <= s->last[0] / 8 + 1; x++)
                if (rill_sparse_add(sparse, (int32_t[3]){(int32_t)x, (int32_t)y, (int32_t)z}) == UINT32_MAX)
                    return rill_memory_fail(err, sparse->room * sizeof *sparse->blocks, "the blocks of the box");
    const rill_status status = rill_sparse_fill(sparse, &source, &rill_serial, err);
    return status ? status : rill_sparse_close(sparse, &source, &rill_serial, err);
}

rill_status rill_surface_of_function(rill_surface_value *value, void *user, rill_vec3 from, rill_vec3 to, double cell,
                                     rill_surface_method method, rill_mesh *mesh, rill_error *err)
{
    sampling s = {.value = value, .user = user, .lattice = {{from.x, from.y, from.z}, cell}};
    const double size[3] = {to.x - from.x, to.y - from.y, to.z - from.z};
    *mesh = (rill_mesh){0};
    rill_status status = check_method(method, err);
    if (status) return status;
    for (int a = 0; a < 3; a++) {
        if (!(cell > 0 && size[a] >= 0 && size[a] / cell < 1e6))
            return rill_fail(err, RILL_BAD_INPUT,
                             "A box from (%g, %g, %g) to (%g, %g, %g) cannot be filled with cells of %g.", from.x,
                             from.y, from.z, to.x, to.y, to.z, cell);
        s.last[a] = (int64_t)(size[a] / cell + 0.5);
    }
    rill_sparse sparse = {0};
    status = sample_box(&s, &sparse, err);
    if (!status) status = rill_march(&sparse, &s.lattice, method, &rill_serial, mesh, err);
    rill_sparse_free(&sparse);
    if (status) rill_mesh_free(mesh);
    return status;
}
