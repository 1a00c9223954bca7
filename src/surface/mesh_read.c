/* Reading a mesh back from PLY, as far as rill writes it. */
#include "surface/mesh_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/store.h"
#include "format/ply.h"
#include "format/point.h"

typedef enum part { PART_NONE, PART_VERTICES, PART_FACES } part;

typedef struct header {
    part part; /* the last element of the lines so far */
    size_t vertices, triangles;
    size_t stride;    /* bytes of a vertex */
    size_t place[6];  /* of x, y, z, nx, ny, nz; SIZE_MAX: not there */
    unsigned doubles; /* bits: which of x, y, z are double; none or all */
    bool wide;        /* all are */
    bool list;        /* the corners of the faces */
    const char *body;
} header;

static bool property_read(header *h, const char *line)
{
    static const char *const names[] = {"x", "y", "z", "nx", "ny", "nz"};
    char word[16], name[80];
    rill_scalar type;
    if (sscanf(line, "property %15s %79s", word, name) != 2 || !rill_ply_type_find(word, &type)) return false;
    for (int k = 0; k < 6; k++) {
        if (strcmp(names[k], name)) continue;
        if (type != RILL_SCALAR_F32 && (k > 2 || type != RILL_SCALAR_F64)) return false;
        h->place[k] = h->stride;
        h->doubles &= ~(1u << k);
        h->doubles |= (unsigned)(type == RILL_SCALAR_F64) << k;
    }
    h->stride += rill_scalar_size(type);
    return true;
}

/* Vertices, then faces that are one list of int or uint, and nothing else. */
static bool line_take(header *h, const char *line)
{
    char type[8];
    if (!strncmp(line, "comment", 7)) return true;
    if (sscanf(line, "element vertex %zu", &h->vertices) == 1) return h->part++ == PART_NONE;
    if (sscanf(line, "element face %zu", &h->triangles) == 1) return h->part++ == PART_VERTICES;
    if (sscanf(line, "property list uchar %7s", type) != 1) return h->part == PART_VERTICES && property_read(h, line);
    if (h->part != PART_FACES || h->list || (strcmp(type, "int") && strcmp(type, "uint"))) return false;
    h->list = true;
    return true;
}

/* Lines are copied, cut where they are longer than any that is understood: sscanf would measure all of the file. */
static bool header_read(header *h, const char *text, const char *end)
{
    static const char top[] = RILL_PLY_TOP;
    *h = (header){0};
    for (int k = 0; k < 6; k++) h->place[k] = SIZE_MAX;
    if ((size_t)(end - text) < sizeof top || memcmp(text, top, sizeof top - 1)) return false;
    for (const char *at = text + sizeof top - 1, *stop; !h->body; at = stop + 1) {
        char line[128];
        if (!(stop = memchr(at, '\n', (size_t)(end - at)))) return false;
        snprintf(line, sizeof line, "%.*s", stop - at < 128 ? (int)(stop - at) : 128, at);
        if (!strcmp(line, "end_header")) h->body = stop + 1;
        else if (!line_take(h, line)) return false;
    }
    for (int k = 0; k < 6; k++)
        if (h->place[k] == SIZE_MAX) return false;
    h->wide = h->doubles == 7;
    return h->list && (h->wide || !h->doubles);
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

/* Room for a mesh of this header; false: there is no memory. */
static bool mesh_make(const header *h, rill_mesh *mesh)
{
    mesh->vertex_count = h->vertices;
    mesh->triangle_count = h->triangles;
    mesh->position = rill_malloc(3 * h->vertices * sizeof *mesh->position + 1);
    mesh->normal = rill_malloc(3 * h->vertices * sizeof *mesh->normal + 1);
    mesh->triangle = rill_malloc(3 * h->triangles * sizeof *mesh->triangle + 1);
    return mesh->position && mesh->normal && mesh->triangle;
}

rill_status rill_mesh_decode(const char *data, size_t size, const char *name, rill_vec3 origin, rill_mesh *mesh,
                             rill_error *err)
{
    header h;
    *mesh = (rill_mesh){0};
    bool good = header_read(&h, data, data + size);
    const size_t left = good ? size - (size_t)(h.body - data) : 0;
    good = good && h.vertices <= left / h.stride && h.triangles <= left / 13 &&
           left == h.vertices * h.stride + h.triangles * 13 && h.wide == rill_point_is_far(origin);
    const bool room = !good || mesh_make(&h, mesh);
    if (good && room && body_read(&h, data + size, origin, mesh)) return RILL_OK;
    rill_mesh_free(mesh);
    if (!room) return rill_fail(err, RILL_NO_MEMORY, "There is no memory left for the surface %s.", name);
    return rill_fail(err, RILL_BAD_FILE,
                     "%s is no surface that 'rill mesh' wrote as PLY for this run, or it is damaged; make it again.",
                     name);
}

rill_status rill_mesh_read(const char *path, rill_vec3 origin, rill_mesh *mesh, rill_error *err)
{
    char *data;
    size_t size;
    *mesh = (rill_mesh){0};
    rill_status status = rill_store_get(path, SIZE_MAX, &data, &size, err);
    if (status) return status;
    status = rill_mesh_decode(data, size, path, origin, mesh, err);
    rill_free(data);
    return status;
}
