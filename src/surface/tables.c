/* The tables of both marchers, made from their rules.
 *
 * Cubes (after Lorensen and Cline 1987). On each face of the cell, walked
 * counter-clockwise as seen from outside, every run of inside corners is cut off
 * by one segment, from the edge by which the walk enters the run to the edge by
 * which it leaves. So two inside corners across a face are always kept apart,
 * whatever the rest of the cell is like, and the cell on the other side, which
 * walks the same face the other way round, finds the same segments reversed. An
 * edge that is cut is entered on one of its two faces and left on the other;
 * following the segments gives closed loops. A loop is divided into triangles
 * by diagonals that lie in no face of the cell, since the neighbour could have
 * the same one. Such a division exists for every loop there is.
 *
 * Tetrahedra. Every cell is divided in the same way, into the six tetrahedra
 * along the paths from corner 0 to corner 7 (Kuhn 1960), so faces match. */
#include "surface/tables.h"

#include <stdbool.h>
#include <string.h>

void rill_cell_faces(uint8_t face[6][4])
{
    static const uint8_t around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (unsigned f = 0; f < 6; f++) {
        const unsigned axis = f / 2, side = f % 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (unsigned k = 0; k < 4; k++) {
            const uint8_t *place = around[side ? k : 3 - k];
            face[f][k] = (uint8_t)(side << axis | (unsigned)place[0] << u | (unsigned)place[1] << v);
        }
    }
}

/* Both edges lie in one face of the cell. */
static bool share_face(rill_cell_edge a, rill_cell_edge b)
{
    const unsigned ones = rill_cell_edge_from(a) & rill_cell_edge_from(b);
    const unsigned zeros = ~(rill_cell_edge_to(a) | rill_cell_edge_to(b)) & 7;
    return ones || zeros;
}

/* Divides the loop, of which the side from last to first is a triangle's already. False: there is no way. */
static bool divide(const rill_cell_edge *loop, unsigned count, rill_cell_edge (*triangle)[3], unsigned *found)
{
    if (count < 3) return true;
    const unsigned before = *found;
    for (unsigned k = 1; k < count - 1; k++) {
        if (k > 1 && share_face(loop[0], loop[k])) continue;
        if (k < count - 2 && share_face(loop[k], loop[count - 1])) continue;
        if (divide(loop, k + 1, triangle, found) && divide(loop + k, count - k, triangle, found)) {
            memcpy(triangle[(*found)++], (rill_cell_edge[3]){loop[0], loop[k], loop[count - 1]}, 3);
            return true;
        }
        *found = before;
    }
    return false;
}

/* Where the segments lead to from each cut edge. */
static void trace_faces(uint8_t face[6][4], unsigned inside, rill_cell_edge next[64])
{
    for (unsigned f = 0; f < 6; f++)
        for (unsigned k = 0; k < 4; k++) {
            const unsigned before = face[f][(k + 3) % 4];
            unsigned last = k;
            if (inside >> before & 1 || !(inside >> face[f][k] & 1)) continue;
            while (inside >> face[f][(last + 1) % 4] & 1) last++;
            next[rill_cell_edge_of(before, face[f][k])] =
                rill_cell_edge_of(face[f][last % 4], face[f][(last + 1) % 4]);
        }
}

static void cubes_case(rill_march_table *table, unsigned inside)
{
    uint8_t face[6][4];
    rill_cell_edge next[64];
    unsigned found = 0;
    rill_cell_faces(face);
    memset(next, 0, sizeof next); /* 0 is no edge: it runs along no axis */
    trace_faces(face, inside, next);
    for (unsigned start = 0; start < 64; start++) {
        rill_cell_edge loop[12];
        unsigned count = 0;
        for (unsigned edge = start; next[edge];) {
            const unsigned to = next[edge];
            loop[count++] = (rill_cell_edge)edge;
            next[edge] = 0;
            edge = to;
        }
        divide(loop, count, table->triangle[inside], &found);
    }
    table->count[inside] = (uint8_t)found;
}

const uint8_t rill_cell_tetrahedra[RILL_TETRAHEDRA][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7},
                                                          {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};

/* Twice the middle of an edge. */
static void middle(rill_cell_edge edge, int at[3])
{
    for (unsigned a = 0; a < 3; a++)
        at[a] = (int)(rill_cell_edge_from(edge) >> a & 1) + (int)(rill_cell_edge_to(edge) >> a & 1);
}

/* The triangle looks from the inside corner to the outside one. */
static bool looks_out(const rill_cell_edge t[3], unsigned inside_corner, unsigned outside_corner)
{
    int p[3][3], n[3], along = 0;
    for (int k = 0; k < 3; k++) middle(t[k], p[k]);
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        n[a] = (p[1][b] - p[0][b]) * (p[2][c] - p[0][c]) - (p[1][c] - p[0][c]) * (p[2][b] - p[0][b]);
        along += n[a] * ((int)(outside_corner >> a & 1) - (int)(inside_corner >> a & 1));
    }
    return along > 0;
}

unsigned rill_tetrahedron_triangles(const uint8_t corner[4], unsigned inside, rill_cell_edge triangle[2][3])
{
    uint8_t in[4], out[4];
    unsigned ins = 0, outs = 0;
    for (unsigned k = 0; k < 4; k++) {
        if (inside >> k & 1) in[ins++] = corner[k];
        else out[outs++] = corner[k];
    }
    if (!ins || !outs) return 0;
    rill_cell_edge loop[4];
    for (unsigned k = 0; k < 3; k++)
        loop[k] = ins == 1 ? rill_cell_edge_of(in[0], out[k]) : rill_cell_edge_of(in[k % ins], out[0]);
    if (ins == 2) {
        loop[0] = rill_cell_edge_of(in[0], out[0]);
        loop[1] = rill_cell_edge_of(in[0], out[1]);
        loop[2] = rill_cell_edge_of(in[1], out[1]);
        loop[3] = rill_cell_edge_of(in[1], out[0]);
    }
    const bool keep = looks_out(loop, in[0], out[0]);
    for (unsigned t = 0; t < (ins == 2 ? 2u : 1u); t++) {
        const rill_cell_edge second = loop[t + 1], third = loop[t + 2];
        memcpy(triangle[t], (rill_cell_edge[3]){loop[0], keep ? second : third, keep ? third : second}, 3);
    }
    return ins == 2 ? 2 : 1;
}

static void tetrahedra_case(rill_march_table *table, unsigned inside)
{
    unsigned found = 0;
    for (unsigned t = 0; t < RILL_TETRAHEDRA; t++) {
        unsigned own = 0;
        for (unsigned k = 0; k < 4; k++) own |= (inside >> rill_cell_tetrahedra[t][k] & 1) << k;
        found += rill_tetrahedron_triangles(rill_cell_tetrahedra[t], own, table->triangle[inside] + found);
    }
    table->count[inside] = (uint8_t)found;
}

void rill_march_table_make(rill_march_table *table, rill_surface_method method)
{
    static const uint8_t axes[7] = {1, 2, 4, 3, 5, 6, 7};
    memset(table, 0, sizeof *table);
    table->kinds = method == RILL_SURFACE_CUBES ? 3 : 7;
    memcpy(table->axes, axes, sizeof axes);
    for (unsigned k = 0; k < 7; k++) table->kind[axes[k]] = (uint8_t)k;
    for (unsigned inside = 0; inside < 256; inside++) {
        if (method == RILL_SURFACE_CUBES) cubes_case(table, inside);
        else tetrahedra_case(table, inside);
    }
}
