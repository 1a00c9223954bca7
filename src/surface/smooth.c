/* Smoothing. In every round each vertex moves a share of the way to the mean of
 * its neighbours, weighted by how many particles are near, as in F. Loeschner et
 * al., Weighted Laplacian smoothing for surface reconstruction of particle-based
 * fluids, VMV 2023: drops and thin jets, which are features and no bumps, stay as
 * they are. Such rounds S also shrink what is round. So as many rounds again show
 * how much they take from an already smooth surface, and that is given back:
 *
 *   x' = S x + (S x - S S x) = (1 - (1 - S)^2) x
 *
 * where S takes a small part e from a long wave, x' has lost e^2 only. The last of
 * the missing volume is given back along the normals, with the same weights. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "surface/mesh.h"
#include "surface/vertices.h"

static const float STEP = 0.7f;
/* Sums of weights at a vertex: below the first it stays, from the second on it moves freely. */
static const float STAYS = 1.5f, FREE = 3.5f;
enum { BLOCK = 2048 };

typedef struct smoothing {
    rill_mesh *mesh;
    size_t *first;      /* per vertex: its corners, one more at the end */
    uint32_t *next, *after; /* the other two vertices of each of its triangles, in order */
    float *share;       /* of each vertex in all moves */
    float *position;    /* to be */
    float *once;        /* after the rounds asked for */
    float step;         /* along normals */
    double *partial;    /* per block: area, weighted with the shares */
} smoothing;

static void range_of(const smoothing *s, size_t block, size_t *begin, size_t *end)
{
    *begin = block * BLOCK;
    *end = *begin + BLOCK < s->mesh->vertex_count ? *begin + BLOCK : s->mesh->vertex_count;
}

static size_t blocks_of(const smoothing *s)
{
    return (s->mesh->vertex_count + BLOCK - 1) / BLOCK;
}

static bool smoothing_make(smoothing *s)
{
    const rill_mesh *mesh = s->mesh;
    const size_t vertices = mesh->vertex_count, corners = 3 * mesh->triangle_count;
    s->first = rill_calloc(vertices + 2, sizeof *s->first);
    s->next = rill_malloc(corners * sizeof *s->next + 1);
    s->after = rill_malloc(corners * sizeof *s->after + 1);
    s->share = rill_malloc(vertices * sizeof *s->share + 1);
    s->position = rill_malloc(3 * vertices * sizeof *s->position + 1);
    s->once = rill_malloc(3 * vertices * sizeof *s->once + 1);
    s->partial = rill_malloc(blocks_of(s) * sizeof *s->partial + 1);
    if (!s->first || !s->next || !s->after || !s->share || !s->position || !s->once || !s->partial) return false;
    for (size_t i = 0; i < corners; i++) s->first[mesh->triangle[i] + 2]++;
    for (size_t v = 0; v < vertices; v++) s->first[v + 2] += s->first[v + 1];
    for (size_t i = 0; i < corners; i++) {
        const uint32_t *t = mesh->triangle + i / 3 * 3;
        const size_t to = s->first[t[i % 3] + 1]++;
        s->next[to] = t[(i + 1) % 3];
        s->after[to] = t[(i + 2) % 3];
    }
    return true;
}

static void smoothing_free(smoothing *s)
{
    rill_free(s->first);
    rill_free(s->next);
    rill_free(s->after);
    rill_free(s->share);
    rill_free(s->position);
    rill_free(s->once);
    rill_free(s->partial);
}

/* In a closed mesh every neighbour follows a vertex in exactly one triangle. */
static void move_block(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const smoothing *s = context;
    size_t begin, end;
    range_of(s, block, &begin, &end);
    for (size_t v = begin; v < end; v++) {
        const float *x = s->mesh->position + 3 * v;
        const float step = STEP * s->share[v] / (float)(s->first[v + 1] - s->first[v]);
        float sum[3] = {0};
        for (size_t c = s->first[v]; c < s->first[v + 1]; c++)
            for (size_t a = 0; a < 3; a++) sum[a] += s->mesh->position[3 * (size_t)s->next[c] + a] - x[a];
        for (size_t a = 0; a < 3; a++) s->position[3 * v + a] = x[a] + step * sum[a];
    }
}

static void move_all(smoothing *s, uint32_t rounds, const rill_scheduler *scheduler)
{
    for (uint32_t r = 0; r < rounds; r++) {
        rill_parallel_for(scheduler, blocks_of(s), move_block, s);
        float *old = s->mesh->position;
        s->mesh->position = s->position;
        s->position = old;
    }
}

static void give_back(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const smoothing *s = context;
    size_t begin, end;
    range_of(s, block, &begin, &end);
    float *x = s->mesh->position;
    for (size_t i = 3 * begin; i < 3 * end; i++) x[i] = s->once[i] + (s->once[i] - x[i]);
}

/* Twice the area around a vertex, as a vector along its normal. */
static void normal_at(const smoothing *s, size_t v, double n[3])
{
    const float *x = s->mesh->position + 3 * v;
    n[0] = n[1] = n[2] = 0;
    for (size_t c = s->first[v]; c < s->first[v + 1]; c++) {
        const float *p = s->mesh->position + 3 * (size_t)s->next[c], *q = s->mesh->position + 3 * (size_t)s->after[c];
        double a[3], b[3];
        for (int k = 0; k < 3; k++) {
            a[k] = (double)p[k] - (double)x[k];
            b[k] = (double)q[k] - (double)x[k];
        }
        for (int k = 0; k < 3; k++) n[k] += a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
}

static void normals_block(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const smoothing *s = context;
    size_t begin, end;
    double area = 0;
    range_of(s, block, &begin, &end);
    for (size_t v = begin; v < end; v++) {
        double n[3];
        normal_at(s, v, n);
        const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        /* Triangles that have shrunk to nothing leave the normal as it was. */
        for (size_t a = 0; length > 1e-30 && a < 3; a++) s->mesh->normal[3 * v + a] = (float)(n[a] / length);
        area += (double)s->share[v] * length / 6;
    }
    s->partial[block] = area;
}

static void offset_block(void *context, size_t block, unsigned worker)
{
    (void)worker;
    const smoothing *s = context;
    size_t begin, end;
    range_of(s, block, &begin, &end);
    for (size_t v = begin; v < end; v++)
        for (size_t a = 0; a < 3; a++)
            s->mesh->position[3 * v + a] += s->step * s->share[v] * s->mesh->normal[3 * v + a];
}

/* Gives back the volume that was lost. */
static rill_status restore_volume(smoothing *s, double volume, const rill_scheduler *scheduler, rill_error *err)
{
    for (int round = 0; round < 3; round++) {
        rill_mesh_size size;
        const rill_status status = rill_mesh_measure(s->mesh, scheduler, &size, err);
        if (status) return status;
        rill_parallel_for(scheduler, blocks_of(s), normals_block, s);
        double area = 0;
        for (size_t b = 0; b < blocks_of(s); b++) area += s->partial[b];
        if (round == 2 || !(area > 0)) return RILL_OK;
        s->step = (float)((volume - size.volume) / area);
        rill_parallel_for(scheduler, blocks_of(s), offset_block, s);
    }
    return RILL_OK;
}

rill_status rill_mesh_smooth(rill_mesh *mesh, const float *weights, uint32_t rounds, const rill_scheduler *scheduler,
                             rill_error *err)
{
    if (!rounds || !mesh->vertex_count) return RILL_OK;
    smoothing s = {.mesh = mesh};
    rill_mesh_size size;
    rill_status status = rill_mesh_measure(mesh, scheduler, &size, err);
    if (!status && !smoothing_make(&s))
        status = rill_memory_fail(err, 24 * mesh->triangle_count + 24 * mesh->vertex_count, "smoothing");
    if (!status) {
        for (size_t v = 0; v < mesh->vertex_count; v++) {
            const float t = fminf(fmaxf((weights[v] - STAYS) / (FREE - STAYS), 0), 1);
            s.share[v] = t * t * (3 - 2 * t);
        }
        move_all(&s, rounds, scheduler);
        memcpy(s.once, mesh->position, 3 * mesh->vertex_count * sizeof *s.once);
        move_all(&s, rounds, scheduler);
        rill_parallel_for(scheduler, blocks_of(&s), give_back, &s);
        status = restore_volume(&s, size.volume, scheduler, err);
    }
    smoothing_free(&s);
    return status;
}
