/* Reading a mesh back from PLY, as far as rill writes it. */
#include "render/set_mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/store.h"
#include "surface/mesh_write.h"

typedef struct header {
    size_t vertices, triangles;
    size_t stride;   /* bytes of a vertex */
    size_t place[6]; /* of x, y, z, nx, ny, nz; SIZE_MAX: not there */
    unsigned doubles; /* bits: which of x, y, z are double; none or all */
    bool wide;        /* all are */
    const char *body;
} header;

static size_t type_size(const char *type)
{
    static const char *const types[] = {"uchar", "char", "short", "ushort", "int", "uint", "float", "double"};
    static const size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!strcmp(types[i], type)) return sizes[i];
    return 0;
}

static bool property_read(header *h, const char *line)
{
    static const char *const names[] = {"x", "y", "z", "nx", "ny", "nz"};
    char type[16], name[80];
    if (sscanf(line, "property %15s %79s", type, name) != 2 || !type_size(type)) return false;
    for (int k = 0; k < 6; k++) {
        if (strcmp(names[k], name)) continue;
        if (strcmp(type, "float") && (k > 2 || strcmp(type, "double"))) return false;
        h->place[k] = h->stride;
        h->doubles &= ~(1u << k);
        h->doubles |= (unsigned)!strcmp(type, "double") << k;
    }
    h->stride += type_size(type);
    return true;
}

/* Vertices, then faces that are one list of int or uint, and nothing else. */
static bool header_read(header *h, const char *text)
{
    bool vertices = false, faces = false, list = false;
    *h = (header){0};
    for (int k = 0; k < 6; k++) h->place[k] = SIZE_MAX;
    if (strncmp(text, "ply\nformat binary_little_endian 1.0\n", 36)) return false;
    for (const char *line = text; (line = strchr(line, '\n'));) {
        line++;
        if (!strncmp(line, "end_header\n", 11)) {
            h->body = line + 11;
            break;
        }
        if (sscanf(line, "element vertex %zu", &h->vertices) == 1) vertices = true;
        else if (sscanf(line, "element face %zu", &h->triangles) == 1) faces = true;
        else if (!strncmp(line, "element", 7)) return false;
        else if (!strncmp(line, "property list uchar", 19)) list = faces;
        else if (!strncmp(line, "property", 8) && (faces || !property_read(h, line))) return false;
    }
    for (int k = 0; k < 6; k++)
        if (h->place[k] == SIZE_MAX) return false;
    h->wide = h->doubles == 7;
    return h->body && vertices && list && (h->wide || !h->doubles);
}

static void vertex_take(const header *h, const char *from, rill_vec3 origin, float *position, float *normal)
{
    const double zero[3] = {origin.x, origin.y, origin.z};
    for (int k = 0; k < 3; k++) {
        double at;
        if (h->wide) memcpy(&at, from + h->place[k], sizeof at), position[k] = (float)(at - zero[k]);
        else memcpy(&position[k], from + h->place[k], sizeof *position);
        memcpy(&normal[k], from + h->place[3 + k], sizeof *normal);
    }
}

static bool body_read(const header *h, const char *end, rill_vec3 origin, rill_mesh *mesh)
{
    const char *at = h->body;
    for (size_t i = 0; i < h->vertices; i++, at += h->stride)
        vertex_take(h, at, origin, mesh->position + 3 * i, mesh->normal + 3 * i);
    for (size_t i = 0; i < h->triangles; i++, at += 13) {
        memcpy(mesh->triangle + 3 * i, at + 1, 12);
        for (int k = 0; k < 3; k++)
            if (mesh->triangle[3 * i + (size_t)k] >= h->vertices) return false;
        if (*at != 3) return false;
    }
    for (size_t i = 0; i < 3 * h->vertices; i++)
        if (!isfinite(mesh->position[i]) || !isfinite(mesh->normal[i])) return false;
    return at == end;
}

rill_status rill_set_mesh_read(const char *path, rill_vec3 origin, rill_mesh *mesh, rill_error *err)
{
    char *data;
    size_t size;
    header h;
    *mesh = (rill_mesh){0};
    rill_status status = rill_store_get(path, SIZE_MAX, &data, &size, err);
    if (status) return status;
    bool good = header_read(&h, data);
    const size_t left = good ? size - (size_t)(h.body - data) : 0;
    good = good && h.vertices <= left / h.stride && h.triangles <= left / 13 &&
           left == h.vertices * h.stride + h.triangles * 13 && h.wide == rill_mesh_is_far(origin);
    if (good) {
        mesh->vertex_count = h.vertices;
        mesh->triangle_count = h.triangles;
        mesh->position = malloc(3 * h.vertices * sizeof *mesh->position + 1);
        mesh->normal = malloc(3 * h.vertices * sizeof *mesh->normal + 1);
        mesh->triangle = malloc(3 * h.triangles * sizeof *mesh->triangle + 1);
        good = mesh->position && mesh->normal && mesh->triangle && body_read(&h, data + size, origin, mesh);
    }
    free(data);
    if (good) return RILL_OK;
    rill_mesh_free(mesh);
    return rill_fail(err, RILL_BAD_FILE,
                     "%s is no surface that 'rill mesh' wrote as PLY for this run, or it is damaged; make it again.",
                     path);
}
