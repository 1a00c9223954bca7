/* Meshes into files that are whole or not there. */
#include "surface/mesh_write.h"

#include <string.h>
#include <strings.h>

const char *rill_mesh_ending(rill_mesh_format format)
{
    static const char *const endings[] = {[RILL_MESH_PLY] = "ply", [RILL_MESH_OBJ] = "obj", [RILL_MESH_VTP] = "vtp"};
    return (unsigned)format <= RILL_MESH_VTP ? endings[format] : NULL;
}

bool rill_mesh_format_of(const char *path, rill_mesh_format *format)
{
    const char *dot = strrchr(path, '.'), *ending;
    for (int i = 0; dot && (ending = rill_mesh_ending((rill_mesh_format)i)); i++) {
        if (strcasecmp(dot + 1, ending)) continue;
        *format = (rill_mesh_format)i;
        return true;
    }
    return false;
}

bool rill_mesh_is_colour(const rill_values *values)
{
    return values->lanes == 3 && strcmp(values->name, RILL_MESH_COLOUR) == 0;
}

unsigned char rill_mesh_colour_byte(float part)
{
    return part >= 1 ? 255 : part > 0 ? (unsigned char)(255 * part + 0.5f) : 0;
}

static rill_status check(const rill_mesh *mesh, const char *path, rill_error *err)
{
    bool good = (mesh->position || !mesh->vertex_count) && (mesh->triangle || !mesh->triangle_count);
    for (uint32_t i = 0; good && i < mesh->value_count; i++) {
        const rill_values *v = &mesh->values[i];
        good = (v->lanes == 1 || v->lanes == 3) && (v->data || !mesh->vertex_count);
    }
    if (!good) return rill_fail(err, RILL_BAD_INPUT, "%s cannot be written: the mesh lacks some of its arrays.", path);
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++)
        if (mesh->triangle[i] >= mesh->vertex_count)
            return rill_fail(err, RILL_BAD_INPUT, "%s cannot be written: triangle %zu has a vertex that is not there.",
                             path, i / 3);
    return RILL_OK;
}

rill_status rill_mesh_write_at(const rill_mesh *mesh, rill_vec3 origin, rill_mesh_format format, const char *path,
                               rill_error *err)
{
    rill_store store;
    if ((unsigned)format > RILL_MESH_VTP)
        return rill_fail(err, RILL_BAD_INPUT, "There is no format of meshes with the number %d.", (int)format);
    rill_status status = check(mesh, path, err);
    if (!status) status = rill_store_open(&store, path, err);
    if (status) return status;
    switch (format) {
    case RILL_MESH_PLY:
        rill_mesh_write_ply(&store, mesh, origin);
        break;
    case RILL_MESH_OBJ:
        rill_mesh_write_obj(&store, mesh, origin);
        break;
    case RILL_MESH_VTP:
        rill_mesh_write_vtp(&store, mesh, origin);
        break;
    }
    return rill_store_commit(&store, err);
}

rill_status rill_mesh_write(const rill_mesh *mesh, rill_mesh_format format, const char *path, rill_error *err)
{
    return rill_mesh_write_at(mesh, (rill_vec3){0, 0, 0}, format, path, err);
}
