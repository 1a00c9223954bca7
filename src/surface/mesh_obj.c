/* A mesh as Wavefront OBJ: plain text, a line per vertex, normal and triangle.
 * The format has no place for values; a colour stands behind the coordinates,
 * where Blender, MeshLab and others look for it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "format/point.h"
#include "surface/mesh_write.h"

/* Lines collect here, since a call into the file for every number would take most of the time. */
typedef struct lines {
    rill_store *store;
    char text[16384];
    size_t used;
} lines;

enum { LINE_MAX_BYTES = 256 };

static void line_end(lines *l)
{
    l->text[l->used++] = '\n';
    if (l->used + LINE_MAX_BYTES <= sizeof l->text) return;
    rill_store_write(l->store, l->text, l->used);
    l->used = 0;
}

static void put_count(lines *l, uint64_t number)
{
    char digits[24];
    int first = sizeof digits;
    do digits[--first] = (char)('0' + number % 10);
    while (number /= 10);
    memcpy(l->text + l->used, digits + first, sizeof digits - (size_t)first);
    l->used += sizeof digits - (size_t)first;
}

/* A number in as many digits as it takes: nine bring every float back. printf would take five times as long and ask
 * the locale for the decimal point. */
static void put_number(lines *l, double value, int digits)
{
    l->text[l->used++] = ' ';
    if (signbit(value) && value != 0) l->text[l->used++] = '-';
    value = fabs(value);
    if (!(value > 1e-280) || isinf(value)) { /* what is no number has no place in the format */
        l->text[l->used++] = '0';
        return;
    }
    int tens = (int)floor(log10(value));
    uint64_t number = (uint64_t)(value * pow(10, digits - 1 - tens) + 0.5);
    tens -= digits - 1; /* value = number * 10^tens */
    while (number % 10 == 0) number /= 10, tens++;
    const bool plain = tens <= 0 && tens > -18;
    uint64_t unit = 1;
    for (int i = 0; i < -tens && plain; i++) unit *= 10;
    put_count(l, plain ? number / unit : number);
    if (plain && tens < 0) {
        l->text[l->used++] = '.';
        for (uint64_t rest = number % unit; unit > 1; rest %= unit) {
            unit /= 10;
            l->text[l->used++] = (char)('0' + rest / unit);
        }
    }
    if (plain) return;
    l->text[l->used++] = 'e';
    if (tens < 0) l->text[l->used++] = '-';
    put_count(l, (uint64_t)(tens < 0 ? -tens : tens));
}

static void put_vertices(lines *l, const rill_mesh *mesh, rill_vec3 origin, const rill_values *colour)
{
    const double from[3] = {origin.x, origin.y, origin.z};
    const int digits = rill_point_is_far(origin) ? 15 : 9;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        l->text[l->used++] = 'v';
        for (int k = 0; k < 3; k++) put_number(l, from[k] + mesh->position[3 * i + (size_t)k], digits);
        for (int k = 0; k < 3 && colour; k++)
            put_number(l, rill_mesh_colour_byte(colour->data[3 * i + (size_t)k]) / 255.0, 4);
        line_end(l);
    }
}

static void put_normals(lines *l, const rill_mesh *mesh)
{
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        memcpy(l->text + l->used, "vn", 2);
        l->used += 2;
        for (int k = 0; k < 3; k++) put_number(l, mesh->normal[3 * i + (size_t)k], 6);
        line_end(l);
    }
}

/* Vertices count from one, and a normal has the number of its vertex. */
static void put_triangles(lines *l, const rill_mesh *mesh)
{
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        l->text[l->used++] = 'f';
        for (int k = 0; k < 3; k++) {
            const uint64_t vertex = (uint64_t)mesh->triangle[3 * i + (size_t)k] + 1;
            l->text[l->used++] = ' ';
            put_count(l, vertex);
            if (!mesh->normal) continue;
            l->text[l->used++] = '/';
            l->text[l->used++] = '/';
            put_count(l, vertex);
        }
        line_end(l);
    }
}

void rill_mesh_write_obj(rill_store *store, const rill_mesh *mesh, rill_vec3 origin)
{
    lines l = {.store = store};
    const rill_values *colour = NULL;
    for (uint32_t i = 0; i < mesh->value_count; i++)
        if (rill_mesh_is_colour(&mesh->values[i])) colour = &mesh->values[i];
    rill_store_print(store, "# rill %s\n", RILL_VERSION);
    put_vertices(&l, mesh, origin, colour);
    if (mesh->normal) put_normals(&l, mesh);
    put_triangles(&l, mesh);
    rill_store_write(store, l.text, l.used);
}
