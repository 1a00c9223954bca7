/* A mesh as PLY, binary little-endian, as Blender, MeshLab and Houdini read it:
 * vertices with normals and values, then triangles. A colour goes into the
 * bytes red, green and blue, where those programs look for it. */
#include <ctype.h>
#include <stdio.h>

#include "format/ply.h"
#include "format/point.h"
#include "surface/mesh_write.h"

/* A property's name is one word. */
static void word_of(const char *name, char word[64])
{
    size_t length = 0;
    for (; name[length] && length < 63; length++)
        word[length] = isgraph((unsigned char)name[length]) ? name[length] : '_';
    if (!length) word[length++] = '_';
    word[length] = '\0';
}

static void put_header(rill_store *store, const rill_mesh *mesh, rill_vec3 origin)
{
    rill_store_print(store, RILL_PLY_TOP "comment rill %s\nelement vertex %zu\n", RILL_VERSION, mesh->vertex_count);
    rill_ply_axes(store, rill_point_type(origin), "");
    if (mesh->normal) rill_ply_axes(store, RILL_SCALAR_F32, "n");
    for (uint32_t i = 0; i < mesh->value_count; i++) {
        const rill_values *v = &mesh->values[i];
        char word[64];
        word_of(v->name, word);
        if (rill_mesh_is_colour(v))
            rill_store_print(store, "property uchar red\nproperty uchar green\nproperty uchar blue\n");
        else
            rill_ply_property(store, RILL_SCALAR_F32, word, v->lanes);
    }
    rill_store_print(store, "element face %zu\nproperty list uchar %s vertex_indices\nend_header\n",
                     mesh->triangle_count, mesh->vertex_count > INT32_MAX ? "uint" : "int");
}

static void put_values(rill_store *store, const rill_values *v, size_t i)
{
    const float *record = v->data + v->lanes * i;
    if (!rill_mesh_is_colour(v)) {
        rill_store_write(store, record, v->lanes * sizeof *record);
        return;
    }
    const unsigned char colour[3] = {rill_mesh_colour_byte(record[0]), rill_mesh_colour_byte(record[1]),
                                     rill_mesh_colour_byte(record[2])};
    rill_store_write(store, colour, sizeof colour);
}

void rill_mesh_write_ply(rill_store *store, const rill_mesh *mesh, rill_vec3 origin)
{
    put_header(store, mesh, origin);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        rill_point_write(store, origin, mesh->position + 3 * i);
        if (mesh->normal) rill_store_write(store, mesh->normal + 3 * i, 3 * sizeof(float));
        for (uint32_t k = 0; k < mesh->value_count; k++) put_values(store, &mesh->values[k], i);
    }
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const unsigned char corners = 3;
        rill_store_write(store, &corners, 1);
        rill_store_write(store, mesh->triangle + 3 * i, 3 * sizeof(uint32_t));
    }
}
