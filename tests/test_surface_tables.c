/* The marchers' tables, case by case and for all pairs of cells that can share
 * a face: what one draws on the face, the other draws the other way round, and
 * neither draws anything else in it. label: small, one thread */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "surface/tables.h"

static rill_march_table tables[2];

/* How often each directed side from edge to edge occurs among the triangles of a case. */
typedef struct sides {
    uint8_t count[64][64];
} sides;

static sides sides_of(const rill_march_table *table, unsigned inside)
{
    sides s = {0};
    for (unsigned t = 0; t < table->count[inside]; t++)
        for (unsigned k = 0; k < 3; k++)
            s.count[table->triangle[inside][t][k]][table->triangle[inside][t][(k + 1) % 3]]++;
    return s;
}

static bool in_face(unsigned edge, unsigned axis, unsigned side)
{
    const unsigned both = side ? rill_cell_edge_from((rill_cell_edge)edge) : ~rill_cell_edge_to((rill_cell_edge)edge);
    return both >> axis & 1;
}

static bool in_one_face(unsigned a, unsigned b)
{
    for (unsigned f = 0; f < 6; f++)
        if (in_face(a, f / 2, f % 2) && in_face(b, f / 2, f % 2)) return true;
    return false;
}

static bool is_cut(unsigned edge, unsigned inside)
{
    const unsigned a = rill_cell_edge_from((rill_cell_edge)edge), b = rill_cell_edge_to((rill_cell_edge)edge);
    return (inside >> a & 1) != (inside >> b & 1);
}

/* Triangles hang on cut edges and on all of them; a side inside the cell is in two triangles that agree on the outside,
 * a side in a face in one, and never anything twice. */
static void cases_are_whole(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++)
        for (unsigned inside = 0; inside < 256; inside++) {
            const sides s = sides_of(&tables[m], inside);
            bool used[64] = {0};
            for (unsigned a = 0; a < 64; a++)
                for (unsigned b = 0; b < 64; b++) {
                    if (!s.count[a][b]) continue;
                    used[a] = used[b] = true;
                    assert_true(is_cut(a, inside) && is_cut(b, inside));
                    assert_int_equal(s.count[a][b], 1);
                    assert_int_equal(s.count[b][a], !in_one_face(a, b));
                }
            for (unsigned c = 0; c < 8; c++)
                for (unsigned k = 0; k < tables[m].kinds; k++) {
                    const unsigned axes = tables[m].axes[k];
                    if (!(c & axes)) assert_int_equal(used[c | axes << 3], is_cut(c | axes << 3, inside));
                }
        }
}

/* Sides in faces follow one another: as many leave a cut edge as arrive there. */
static void loops_are_closed(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++)
        for (unsigned inside = 0; inside < 256; inside++) {
            const sides s = sides_of(&tables[m], inside);
            for (unsigned a = 0; a < 64; a++) {
                unsigned leave = 0, arrive = 0;
                for (unsigned b = 0; b < 64; b++) {
                    leave += s.count[a][b] && in_one_face(a, b);
                    arrive += s.count[b][a] && in_one_face(a, b);
                }
                assert_int_equal(leave, arrive);
                assert_true(leave <= 1);
            }
        }
}

/* All pairs of cases with the same four signs on the face between them, along each axis. */
static void neighbours_agree(void **state)
{
    (void)state;
    static sides all[256];
    unsigned pairs = 0;
    for (int m = 0; m < 2; m++) {
        for (unsigned inside = 0; inside < 256; inside++) all[inside] = sides_of(&tables[m], inside);
        for (unsigned axis = 0; axis < 3; axis++)
            for (unsigned low = 0; low < 256; low++)
                for (unsigned high = 0; high < 256; high++) {
                    bool meet = true;
                    for (unsigned c = 0; c < 8; c++)
                        if (!(c >> axis & 1)) meet = meet && (low >> (c | 1u << axis) & 1) == (high >> c & 1);
                    if (!meet) continue;
                    pairs++;
                    for (unsigned a = 0; a < 64; a++)
                        for (unsigned b = 0; b < 64; b++) {
                            if (!in_face(a, axis, 0) || !in_face(b, axis, 0)) continue;
                            const unsigned up = 1u << axis;
                            assert_int_equal(all[high].count[a][b], all[low].count[b | up][a | up]);
                        }
                }
    }
    assert_int_equal(pairs, 2 * 3 * 16 * 16 * 16);
}

/* Above zero where the triangle, on the middles of its edges, turns away from the corner: six times a volume. */
static int turns_away(const rill_cell_edge t[3], unsigned from)
{
    int p[3][3], n = 0;
    for (int k = 0; k < 3; k++)
        for (unsigned a = 0; a < 3; a++)
            p[k][a] = (int)(rill_cell_edge_from(t[k]) >> a & 1) + (int)(rill_cell_edge_to(t[k]) >> a & 1) -
                      2 * (int)(from >> a & 1);
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        n += p[0][a] * (p[1][b] * p[2][c] - p[1][c] * p[2][b]);
    }
    return n;
}

/* A single corner inside is seen from outside as counter-clockwise; one outside the other way round. Every other case
 * hangs together with these by the faces, which agree. */
static void corners_look_out(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++)
        for (unsigned c = 0; c < 8; c++) {
            const unsigned alone = 1u << c, hole = 255 - alone;
            assert_true(tables[m].count[alone] > 0 && tables[m].count[hole] > 0);
            for (unsigned t = 0; t < tables[m].count[alone]; t++)
                assert_true(turns_away(tables[m].triangle[alone][t], c) > 0);
            for (unsigned t = 0; t < tables[m].count[hole]; t++)
                assert_true(turns_away(tables[m].triangle[hole][t], c) < 0);
        }
}

/* A cell half filled, along each axis. */
static void halves_look_out(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++)
        for (unsigned axis = 0; axis < 3; axis++) {
            unsigned low = 0;
            for (unsigned c = 0; c < 8; c++) low |= (unsigned)!(c >> axis & 1) << c;
            for (unsigned t = 0; t < tables[m].count[low]; t++) {
                assert_true(turns_away(tables[m].triangle[low][t], 0) > 0);
                assert_true(turns_away(tables[m].triangle[255 - low][t], 0) < 0);
            }
        }
}

/* One tetrahedron, all 16 cases: as many triangles as the rule says, each seen from outside. */
static void tetrahedra_look_out(void **state)
{
    (void)state;
    for (unsigned t = 0; t < RILL_TETRAHEDRA; t++)
        for (unsigned inside = 0; inside < 16; inside++) {
            rill_cell_edge triangle[2][3];
            const unsigned count = rill_tetrahedron_triangles(rill_cell_tetrahedra[t], inside, triangle);
            const unsigned ins = (unsigned)__builtin_popcount(inside);
            assert_int_equal(count, ins == 2 ? 2 : ins % 4 ? 1 : 0);
            for (unsigned k = 0; k < count; k++)
                for (unsigned c = 0; c < 4; c++) {
                    const int turn = turns_away(triangle[k], rill_cell_tetrahedra[t][c]);
                    if (inside >> c & 1) assert_true(turn >= 0);
                    else assert_true(turn <= 0);
                }
        }
}

/* Six tetrahedra fill the cell: every inner face is shared, every outer one matches across the cell. */
static void tetrahedra_fill_the_cell(void **state)
{
    (void)state;
    unsigned volume = 0;
    for (unsigned t = 0; t < RILL_TETRAHEDRA; t++) {
        const uint8_t *c = rill_cell_tetrahedra[t];
        int v[3][3], n = 0;
        for (int k = 0; k < 3; k++)
            for (unsigned a = 0; a < 3; a++) v[k][a] = (c[k + 1] >> a & 1) - (c[0] >> a & 1);
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, d = (a + 2) % 3;
            n += v[0][a] * (v[1][b] * v[2][d] - v[1][d] * v[2][b]);
        }
        volume += n < 0 ? (unsigned)-n : (unsigned)n;
        for (unsigned k = 0; k < 3; k++) assert_int_equal(c[k] & c[k + 1], c[k]);
    }
    assert_int_equal(volume, 6); /* in sixths of the cell */
}

int main(void)
{
    rill_march_table_make(&tables[0], RILL_SURFACE_CUBES);
    rill_march_table_make(&tables[1], RILL_SURFACE_TETRAHEDRA);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_are_whole),     cmocka_unit_test(loops_are_closed),
        cmocka_unit_test(neighbours_agree),    cmocka_unit_test(corners_look_out),
        cmocka_unit_test(halves_look_out),     cmocka_unit_test(tetrahedra_look_out),
        cmocka_unit_test(tetrahedra_fill_the_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
