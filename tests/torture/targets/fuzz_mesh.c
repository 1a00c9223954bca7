/* Surfaces that `rill mesh` wrote as PLY, as `rill render --mesh` takes them. */
#include <math.h>

#include "fuzz.h"
#include "surface/mesh_read.h"
#include "surface/mesh_write.h"

static const char *const types[] = {"uchar", "char", "short", "ushort", "int", "uint", "float", "double"};
static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
static const char *const words[] = {"element vertex ", "element face ", "property ", "float ",
                                    "property list uchar int v\n",
                                    "property list uchar uint ", "double ", "x\n", "nz\n", "\n", "end_header\n",
                                    "comment ", "uchar ", "ply\nformat binary_little_endian 1.0\n", "0", "-1", " "};

static void mesh_check(const rill_mesh *mesh, size_t size)
{
    FUZZ_CHECK(mesh->vertex_count <= size / 24 && mesh->triangle_count <= size / 13, "%zu vertices from %zu bytes",
               mesh->vertex_count, size);
    for (size_t i = 0; i < 3 * mesh->vertex_count; i++)
        FUZZ_CHECK(isfinite(mesh->position[i]) && isfinite(mesh->normal[i]), "a vertex is not finite");
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++)
        FUZZ_CHECK(mesh->triangle[i] < mesh->vertex_count, "corner %zu is %u", i, mesh->triangle[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const rill_vec3 origins[] = {{0, 0, 0}, {1e6, 2e6, -3e5}};
    for (int i = 0; i < 2; i++) {
        rill_mesh mesh;
        rill_error err = {0};
        const rill_status status = rill_mesh_decode((const char *)data, size, "input", origins[i], &mesh, &err);
        FUZZ_CHECK(!status || (*err.text && !mesh.position), "refused without a word");
        if (!status) mesh_check(&mesh, size);
        rill_mesh_free(&mesh);
    }
    return 0;
}

/* Properties in any order, with one now and then that is not known or not right. */
static size_t vertices_make(fuzz_bytes *out, fuzz_random *random, bool wide)
{
    static const char *const names[] = {"x", "y", "z", "nx", "ny", "nz"};
    size_t stride = 0;
    const uint32_t turn = fuzz_below(random, 6);
    for (uint32_t i = 0; i < 6; i++) {
        const uint32_t k = (i + turn) % 6, other = fuzz_below(random, 8);
        if (fuzz_chance(random, 6)) fuzz_print(out, "property %s a%u\n", types[other], i), stride += sizes[other];
        const uint32_t type = fuzz_chance(random, 40) ? other : wide && k < 3 ? 7 : 6;
        fuzz_print(out, "property %s %s\n", types[type], names[k]);
        stride += sizes[type];
    }
    return stride;
}

static size_t file_make(uint8_t *data, size_t most, fuzz_random *random)
{
    fuzz_bytes out = {data, 0, most};
    const uint32_t vertices = fuzz_below(random, 6), faces = vertices ? fuzz_below(random, 6) : 0;
    fuzz_print(&out, "ply\nformat binary_little_endian 1.0\n%selement vertex %u\n",
               fuzz_chance(random, 2) ? "comment a\n" : "", vertices);
    const size_t bytes = vertices * vertices_make(&out, random, fuzz_chance(random, 2));
    fuzz_print(&out, "element face %u\nproperty list uchar %s vertex_indices\nend_header\n", faces,
               fuzz_chance(random, 2) ? "int" : "uint");
    for (size_t i = 0; i < bytes; i++) {
        const uint8_t byte = fuzz_chance(random, 9) ? (uint8_t)fuzz_below(random, 256) : 0;
        fuzz_put(&out, &byte, 1);
    }
    for (uint32_t i = 0; i < faces; i++) {
        uint32_t corners[3];
        for (int k = 0; k < 3; k++) corners[k] = fuzz_below(random, vertices);
        fuzz_put(&out, &(uint8_t){3}, 1);
        fuzz_put(&out, corners, sizeof corners);
    }
    return out.size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    if (fuzz_chance(&random, 8)) size = file_make(data, most, &random);
    if (fuzz_chance(&random, 16)) return size;
    return fuzz_text_mutate(data, size, most, &random, words, sizeof words / sizeof *words);
}
