/* What tests of surfaces share. */
#ifndef RILL_TESTS_SURFACES_H
#define RILL_TESTS_SURFACES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/hash.h"
#include "rill/surface.h"

static __attribute__((unused)) const char *const method_names[] = {"cubes", "tetrahedra"};
static __attribute__((unused)) const char *const field_names[] = {"zhu-bridson", "spheres", "density", "anisotropic"};

static inline rill_mesh_check examined(const rill_mesh *mesh)
{
    rill_mesh_check check;
    rill_error err = {0};
    if (rill_mesh_examine(mesh, &check, &err)) fail_msg("%s", err.text);
    return check;
}

/* Nothing is open, crowded, twisted, pinched or degenerate, and normals have length one. */
static inline rill_mesh_check whole(const rill_mesh *mesh, const char *what)
{
    const rill_mesh_check c = examined(mesh);
    if (c.boundary_edges || c.crowded_edges || c.twisted_edges || c.pinched_vertices || c.degenerate)
        fail_msg("%s: %zu boundary, %zu crowded, %zu twisted edges, %zu pinched vertices, %zu degenerate triangles",
                 what, c.boundary_edges, c.crowded_edges, c.twisted_edges, c.pinched_vertices, c.degenerate);
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const float *n = mesh->normal + 3 * v;
        const double length = sqrt((double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2]);
        if (!(fabs(length - 1) < 1e-5)) fail_msg("%s: normal %zu has length %g", what, v, length);
    }
    return c;
}

/* A number in [0, 1) from a state. */
static inline double next_random(uint64_t *state)
{
    *state = rill_hash_mix(*state + 0x9e3779b97f4a7c15u);
    return (double)(*state >> 11) / 9007199254740992.0;
}

static inline uint64_t hash_words(uint64_t hash, const void *data, size_t words)
{
    const uint32_t *w = data;
    for (size_t i = 0; i < words; i++) hash = rill_hash_add(hash, w[i]);
    return hash;
}

static inline uint64_t mesh_hash(const rill_mesh *mesh)
{
    uint64_t hash = rill_hash_add(mesh->vertex_count, mesh->triangle_count);
    hash = hash_words(hash, mesh->position, 3 * mesh->vertex_count);
    hash = hash_words(hash, mesh->normal, 3 * mesh->vertex_count);
    hash = hash_words(hash, mesh->triangle, 3 * mesh->triangle_count);
    for (uint32_t k = 0; k < mesh->value_count; k++)
        hash = hash_words(hash, mesh->values[k].data, mesh->values[k].lanes * mesh->vertex_count);
    return hash;
}

#endif
