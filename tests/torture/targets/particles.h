/* Particles from memory: what comes of them must hold together, and a small
 * cloud of them must have a closed surface. */
#ifndef RILL_TORTURE_PARTICLES_H
#define RILL_TORTURE_PARTICLES_H

#include <math.h>

#include "fuzz.h"
#include "surface/particles_read.h"

enum { FUZZ_MESH_PARTICLES = 60, FUZZ_MESH_MEMORY = 32 << 20 };

static inline void particles_mesh(const rill_particles *particles, uint32_t choice)
{
    rill_surface_options options = rill_surface_default();
    rill_mesh mesh;
    rill_mesh_check check;
    options.field = (rill_surface_field)(choice & 3);
    options.method = (rill_surface_method)(choice >> 2 & 1);
    options.smooth = choice >> 3 & 3;
    options.memory = FUZZ_MESH_MEMORY;
    if (rill_surface_make(particles, &options, &mesh, NULL, NULL)) return;
    if (rill_mesh_examine(&mesh, &check, NULL) == RILL_OK)
        FUZZ_CHECK(!check.boundary_edges && !check.crowded_edges && !check.twisted_edges && !check.degenerate,
                   "the surface is not closed: %zu, %zu, %zu edges and %zu triangles", check.boundary_edges,
                   check.crowded_edges, check.twisted_edges, check.degenerate);
    for (size_t i = 0; i < 3 * mesh.vertex_count; i++)
        FUZZ_CHECK(isfinite(mesh.position[i]) && isfinite(mesh.normal[i]), "a vertex is not finite");
    rill_mesh_free(&mesh);
}

static inline void particles_try(const char *name, const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size);
    rill_particles particles;
    rill_vec3 origin;
    rill_error err = {0};
    const rill_status status = rill_particles_decode(text, size, name, &particles, &origin, &err);
    FUZZ_CHECK(!status || *err.text, "refused without a word");
    free(text);
    if (status) return;
    FUZZ_CHECK(isfinite(origin.x) && isfinite(origin.y) && isfinite(origin.z), "the origin is not finite");
    for (size_t i = 0; i < 3 * particles.count; i++)
        FUZZ_CHECK(isfinite(particles.position[i]), "a position is not finite");
    for (uint32_t i = 0; i < particles.value_count; i++)
        FUZZ_CHECK(particles.values[i].lanes == 1 || particles.values[i].lanes == 3, "a value has %u lanes",
                   particles.values[i].lanes);
    rill_particles_add_speed(&particles, NULL);
    const uint32_t choice = fuzz_hash(data, size);
    if (particles.count <= FUZZ_MESH_PARTICLES && choice % 8 == 0) particles_mesh(&particles, choice >> 3);
    rill_particles_free(&particles);
}

#endif
