/* Geometries: every function of every shape against a slow twin: dense samples, sums over random points, fine
 * substeps. */
#include "tests/scenes.h"

#include "base/hash.h"
#include "geom/clip.h"
#include "geom/geometry.h"
#include "physics/boundary/guard.h"
#include "tests/inside.h"

static double chance(uint64_t *key, double low, double high)
{
    return low + (high - low) * ((double)(rill_hash_mix((*key)++ * 0x9e3779b97f4a7c15u) >> 11) / 9007199254740992.0);
}

static rill_vec3 chance_vector(uint64_t *key, double most)
{
    const double x = chance(key, -most, most), y = chance(key, -most, most);
    return (rill_vec3){x, y, chance(key, -most, most)};
}

enum { SHAPES = 9 };

/* Upright and slanted, thick and thin. */
static rill_shape shape_of(int i)
{
    const rill_rotate turn = {.given = 1, .axis = {1, 2, -0.5}, .angle = 0.7};
    const rill_shape shapes[SHAPES] = {
        {.kind = RILL_SHAPE_BOX, .from = {-0.5, -0.4, -0.3}, .to = {0.5, 0.4, 0.3}},
        {.kind = RILL_SHAPE_BOX, .from = {-0.5, -0.4, -0.02}, .to = {0.5, 0.4, 0.02}, .rotate = turn},
        {.kind = RILL_SHAPE_SPHERE, .center = {0.1, 0.2, -0.1}, .radius = 0.4},
        {.kind = RILL_SHAPE_CYLINDER, .from = {0, 0, -0.4}, .to = {0, 0, 0.4}, .radius = 0.3},
        {.kind = RILL_SHAPE_CYLINDER, .from = {-0.3, -0.2, -0.1}, .to = {0.3, 0.4, 0.2}, .radius = 0.02},
        {.kind = RILL_SHAPE_CYLINDER, .from = {0.1, 0, 0}, .to = {0.13, 0.01, 0}, .radius = 0.5, .rotate = turn},
        {.kind = RILL_SHAPE_CAPSULE, .from = {-0.4, 0, 0}, .to = {0.3, 0.1, 0.2}, .radius = 0.25},
        {.kind = RILL_SHAPE_CAPSULE, .from = {0, -0.6, 0}, .to = {0, 0.5, 0}, .radius = 0.03, .rotate = turn},
        {.kind = RILL_SHAPE_PLANE, .center = {0, 0, 0.1}, .normal = {0.3, -0.4, 2}},
    };
    return shapes[i];
}

static const rill_bounds clip = {{-2, -2, -2}, {2, 2, 2}};

/* ---- triangles ---- */

typedef struct soup {
    rill_vec3 *corner, *normal;
    size_t count, room;
} soup;

static void soup_take(void *user, const rill_vec3 corner[3], const rill_vec3 normal[3])
{
    soup *s = user;
    if (3 * s->count + 3 > s->room) {
        s->room = 2 * s->room + 300;
        s->corner = realloc(s->corner, s->room * sizeof *s->corner);
        s->normal = realloc(s->normal, s->room * sizeof *s->normal);
    }
    memcpy(s->corner + 3 * s->count, corner, 3 * sizeof *corner);
    memcpy(s->normal + 3 * s->count++, normal, 3 * sizeof *normal);
}

static soup soup_of(const rill_shape *shape, int fineness)
{
    soup s = {0};
    rill_geometry_of(shape)->triangles(shape, &clip, fineness, soup_take, &s);
    return s;
}

static void soup_free(soup *s)
{
    free(s->corner);
    free(s->normal);
}

typedef struct edge {
    rill_vec3 from, to;
} edge;

static int compare_edges(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(edge));
}

/* Without the sign of zero. */
static rill_vec3 plain(rill_vec3 v)
{
    return (rill_vec3){v.x + 0.0, v.y + 0.0, v.z + 0.0};
}

static void triangles_close_and_face_outwards(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES - 1; i++) {
        const rill_shape shape = shape_of(i);
        const rill_geometry *g = rill_geometry_of(&shape);
        soup s = soup_of(&shape, 64);
        edge *edges = malloc(3 * s.count * sizeof *edges), *back = malloc(3 * s.count * sizeof *edges);
        double volume = 0;
        for (size_t t = 0; t < s.count; t++) {
            const rill_vec3 *c = s.corner + 3 * t;
            const rill_vec3 across = rill_cross(rill_vec3_sub(c[1], c[0]), rill_vec3_sub(c[2], c[0]));
            volume += rill_vec3_dot(c[0], rill_cross(c[1], c[2])) / 6;
            for (int k = 0; k < 3; k++) {
                edges[3 * t + (size_t)k] = (edge){plain(c[k]), plain(c[(k + 1) % 3])};
                back[3 * t + (size_t)k] = (edge){plain(c[(k + 1) % 3]), plain(c[k])};
                assert_true(rill_vec3_dot(across, s.normal[3 * t + (size_t)k]) > 0);
                assert_true(fabs(rill_vec3_length(s.normal[3 * t + (size_t)k]) - 1) < 1e-12);
                assert_true(fabs(g->nearest(&shape, c[k]).distance) < 1e-9);
            }
        }
        /* Every edge is met once by another triangle, the other way round. */
        qsort(edges, 3 * s.count, sizeof *edges, compare_edges);
        qsort(back, 3 * s.count, sizeof *back, compare_edges);
        if (memcmp(edges, back, 3 * s.count * sizeof *edges)) fail_msg("shape %d is not closed", i);
        assert_true(volume < g->mass(&shape).volume * (1 + 1e-9) && volume > 0.98 * g->mass(&shape).volume);
        soup_free(&s);
        free(edges);
        free(back);
    }
}

static void planes_are_cut_by_boxes(void **state)
{
    (void)state;
    uint64_t key = 9;
    for (int k = 0; k < 300; k++) {
        const rill_shape plane = {.kind = RILL_SHAPE_PLANE, .center = chance_vector(&key, 1.5),
                                  .normal = k < 3 ? (rill_vec3){k == 0, k == 1, -(k == 2)} : chance_vector(&key, 1)};
        soup s = soup_of(&plane, 0);
        double area = 0;
        for (size_t t = 0; t < s.count; t++) {
            const rill_vec3 *c = s.corner + 3 * t;
            const rill_vec3 across = rill_cross(rill_vec3_sub(c[1], c[0]), rill_vec3_sub(c[2], c[0]));
            assert_true(rill_vec3_dot(across, plane.normal) >= -1e-9);
            area += 0.5 * rill_vec3_length(across);
            for (int i = 0; i < 3; i++) {
                assert_true(fabs(rill_geometry_plane.nearest(&plane, c[i]).distance) < 1e-9);
                assert_true(fmax(fmax(fabs(c[i].x), fabs(c[i].y)), fabs(c[i].z)) < 2 + 1e-9);
            }
        }
        if (k < 3) assert_true(fabs(area - 16) < 1e-9);
        soup_free(&s);
    }
}

/* ---- closest points ---- */

static void nearest_agrees_with_dense_samples(void **state)
{
    (void)state;
    uint64_t key = 1;
    for (int i = 0; i < SHAPES - 1; i++) {
        const rill_shape shape = shape_of(i);
        const rill_geometry *g = rill_geometry_of(&shape);
        soup s = soup_of(&shape, 40);
        for (int trial = 0; trial < 60; trial++) {
            const rill_vec3 at = chance_vector(&key, 1);
            const rill_nearest near = g->nearest(&shape, at);
            const rill_vec3 on = rill_vec3_sub(at, rill_vec3_scale(near.normal, near.distance));
            assert_true(fabs(rill_vec3_length(near.normal) - 1) < 1e-9);
            assert_true(fabs(g->nearest(&shape, on).distance) < 1e-9);
            assert_int_equal(near.distance < 0, g->inside(&shape, &(rill_sides){0}, at, 0));
            double least = INFINITY;
            for (size_t t = 0; t < s.count; t++)
                for (int p = 0; p < 12; p++) {
                    double a = chance(&key, 0, 1), b = chance(&key, 0, 1);
                    if (a + b > 1) a = 1 - a, b = 1 - b;
                    const rill_vec3 *c = s.corner + 3 * t;
                    const rill_vec3 x = rill_vec3_add(
                        rill_vec3_scale(c[0], 1 - a - b),
                        rill_vec3_add(rill_vec3_scale(c[1], a), rill_vec3_scale(c[2], b)));
                    least = fmin(least, rill_vec3_length(rill_vec3_sub(at, x)));
                }
            const double slack = i < 2 ? 0.2 : 0.05; /* a box has large triangles */
            if (fabs(near.distance) > least + 0.01 || fabs(near.distance) < least - slack)
                fail_msg("shape %d: %g m, but dense samples say %g m", i, near.distance, least);
        }
        soup_free(&s);
    }
}

static void grown_shapes_are_offset(void **state)
{
    (void)state;
    uint64_t key = 5;
    for (int i = 0; i < SHAPES; i++) {
        const rill_shape shape = shape_of(i);
        const rill_geometry *g = rill_geometry_of(&shape);
        const rill_shape smaller = g->grown(&shape, -0.01);
        for (int trial = 0; trial < 2000; trial++) {
            const rill_vec3 at = chance_vector(&key, 1);
            const double d = g->nearest(&shape, at).distance, inner = g->nearest(&smaller, at).distance;
            /* Inside, a surface farther in is nearer or farther by just that. */
            if (d < 0) assert_true(fabs(inner - d - 0.01) < 1e-9 || inner > 0);
        }
    }
}

/* ---- volume, centre and inertia ---- */

static void masses_are_those_of_random_points(void **state)
{
    (void)state;
    enum { POINTS = 400000 };
    uint64_t key = 77;
    for (int i = 0; i < SHAPES - 1; i++) {
        const rill_shape shape = shape_of(i);
        const rill_geometry *g = rill_geometry_of(&shape);
        const rill_mass mass = g->mass(&shape);
        const rill_bounds b = g->bounds(&shape);
        const rill_vec3 size = rill_vec3_sub(b.high, b.low);
        double sum[10] = {0};
        for (int p = 0; p < POINTS; p++) {
            const rill_vec3 at = {b.low.x + size.x * chance(&key, 0, 1), b.low.y + size.y * chance(&key, 0, 1),
                                  b.low.z + size.z * chance(&key, 0, 1)};
            if (!g->inside(&shape, &(rill_sides){0}, at, 0)) continue;
            const rill_vec3 r = rill_vec3_sub(at, mass.centre);
            const double terms[10] = {1, r.x, r.y, r.z, r.y * r.y + r.z * r.z, r.z * r.z + r.x * r.x,
                                      r.x * r.x + r.y * r.y, -r.x * r.y, -r.y * r.z, -r.z * r.x};
            for (int k = 0; k < 10; k++) sum[k] += terms[k];
        }
        const double cell = size.x * size.y * size.z / POINTS, large = mass.volume * rill_vec3_dot(size, size);
        /* The fewer points fall inside, the rougher the sum. */
        const double rough = 4 / sqrt(sum[0]);
        if (fabs(sum[0] * cell - mass.volume) > rough * mass.volume) fail_msg("shape %d: volume", i);
        for (int k = 1; k < 4; k++)
            if (fabs(sum[k] * cell) > rough * mass.volume * rill_vec3_length(size)) fail_msg("shape %d: centre", i);
        for (int k = 0; k < 6; k++)
            if (fabs(sum[4 + k] * cell - mass.inertia[k]) > rough * large)
                fail_msg("shape %d: inertia %d is %g, the sum %g", i, k, mass.inertia[k], sum[4 + k] * cell);
    }
}

/* ---- bounds ---- */

static void bounds_are_tight(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES - 1; i++) {
        const rill_shape shape = shape_of(i);
        const rill_pose pose = rill_shape_pose(&shape);
        const rill_bounds b = rill_shape_bounds(&shape);
        soup s = soup_of(&shape, 256);
        rill_bounds seen = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        double low, high, lowest = INFINITY, highest = -INFINITY;
        const rill_vec3 way = rill_unit_vector((rill_vec3){1, -2, 0.5});
        rill_shape_extent(&shape, way, &low, &high);
        for (size_t k = 0; k < 3 * s.count; k++) {
            const rill_vec3 x = rill_pose_place(&pose, s.corner[k]);
            lowest = fmin(lowest, rill_vec3_dot(x, way)), highest = fmax(highest, rill_vec3_dot(x, way));
            for (int a = 0; a < 3; a++) {
                rill_vec3_set(&seen.low, a, fmin(rill_vec3_get(&seen.low, a), rill_vec3_get(&x, a)));
                rill_vec3_set(&seen.high, a, fmax(rill_vec3_get(&seen.high, a), rill_vec3_get(&x, a)));
            }
        }
        assert_true(fabs(low - lowest) < 1e-3 && fabs(high - highest) < 1e-3);
        for (int a = 0; a < 3; a++) {
            assert_true(fabs(rill_vec3_get(&b.low, a) - rill_vec3_get(&seen.low, a)) < 1e-3);
            assert_true(fabs(rill_vec3_get(&b.high, a) - rill_vec3_get(&seen.high, a)) < 1e-3);
        }
        soup_free(&s);
    }
}

/* ---- samples ---- */

typedef struct cloud {
    rill_vec3 at[20000];
    int count;
} cloud;

static void cloud_take(void *user, rill_vec3 at)
{
    cloud *c = user;
    assert_true(c->count < 20000);
    c->at[c->count++] = at;
}

static double nearest_in(const cloud *c, rill_vec3 at, int but)
{
    double least = INFINITY;
    for (int k = 0; k < c->count; k++)
        if (k != but) least = fmin(least, rill_vec3_length(rill_vec3_sub(at, c->at[k])));
    return least;
}

/* Half a spacing behind the surface, no two much nearer than a spacing, and no hole in between. */
static void samples_are_even(void **state)
{
    (void)state;
    static cloud c;
    const rill_shape shapes[] = {
        {.kind = RILL_SHAPE_BOX, .from = {0, 0, 0}, .to = {0.6, 0.5, 0.4}},
        {.kind = RILL_SHAPE_SPHERE, .radius = 0.4},
        {.kind = RILL_SHAPE_CYLINDER, .to = {0, 0, 0.6}, .radius = 0.3},
        {.kind = RILL_SHAPE_CYLINDER, .to = {0.5, 0.41, 0.3}, .radius = 0.237},
        {.kind = RILL_SHAPE_CAPSULE, .to = {0, 0.47, 0.1}, .radius = 0.25},
        {.kind = RILL_SHAPE_PLANE, .center = {0.01, 0, 0}, .normal = {0, 0.1, 1}},
    };
    const double d = 0.05;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int solid = shapes[i].kind == RILL_SHAPE_PLANE; solid < 2; solid++) {
            const rill_shape *s = &shapes[i];
            const rill_geometry *g = rill_geometry_of(s);
            const rill_sampling how = {.spacing = d, .solid = solid, .clip = {{-1, -1, -1}, {1, 1, 1}}};
            c.count = 0;
            g->sample(s, &how, cloud_take, &c);
            assert_true(c.count <= g->guess(s, &how));
            assert_true(c.count > 0.5 * g->guess(s, &how));
            int uneven = 0;
            for (int k = 0; k < c.count; k++) {
                const double behind = g->nearest(s, c.at[k]).distance, apart = nearest_in(&c, c.at[k], k);
                const bool corner = s->kind == RILL_SHAPE_BOX || s->kind == RILL_SHAPE_CYLINDER;
                if (fabs(behind - (solid ? -0.5 : 0.5) * d) > (corner && !solid ? 0.8 * d : 1e-9))
                    fail_msg("shape %zu: a sample lies %g behind the surface", i, behind);
                if (apart < 0.75 * d || apart > 1.25 * d) fail_msg("shape %zu: neighbours %g d apart", i, apart / d);
                uneven += apart < 0.8 * d || apart > 1.2 * d;
            }
            assert_true(uneven <= c.count / 50);
            /* Liquid that touches the surface anywhere has a wall within reach. */
            soup t = soup_of(s, 60);
            uint64_t key = 3;
            for (size_t k = 0; k < 3 * t.count; k += 3)
                for (int p = 0; p < 6; p++) {
                    double a = chance(&key, 0, 1), b = chance(&key, 0, 1);
                    if (a + b > 1) a = 1 - a, b = 1 - b;
                    const rill_vec3 x = rill_vec3_add(
                        rill_vec3_scale(t.corner[k], 1 - a - b),
                        rill_vec3_add(rill_vec3_scale(t.corner[k + 1], a), rill_vec3_scale(t.corner[k + 2], b)));
                    if (fmax(fmax(fabs(x.x), fabs(x.y)), fabs(x.z)) > 1) continue;
                    const double hole = nearest_in(&c, x, -1);
                    if (hole > 1.15 * d) fail_msg("shape %zu, solid %d: a hole of %g d", i, solid, hole / d);
                }
            soup_free(&t);
        }
}

static void flat_faces_are_square_lattices(void **state)
{
    (void)state;
    static cloud c;
    const rill_shape box = {.kind = RILL_SHAPE_BOX, .to = {0.3, 0.2, 0.4}};
    const rill_sampling how = {.spacing = 0.1};
    c.count = 0;
    rill_geometry_box.sample(&box, &how, cloud_take, &c);
    assert_int_equal(c.count, 5 * 4 * 6 - 3 * 2 * 4);
    for (int k = 0; k < c.count; k++)
        for (int a = 0; a < 3; a++) {
            const double steps = rill_vec3_get(&c.at[k], a) / 0.1 - 0.5;
            assert_true(fabs(steps - round(steps)) < 1e-9);
        }
    /* A level plane in a periodic domain ends where it begins. */
    const rill_shape floor = {.kind = RILL_SHAPE_PLANE, .normal = {0, 0, 1}};
    const rill_sampling around = {
        .spacing = 0.1, .solid = true, .clip = {{0, 0, -1}, {0.83, 0.4, 1}}, .repeat = {0.83, 0.4, 0}};
    c.count = 0;
    rill_geometry_plane.sample(&floor, &around, cloud_take, &c);
    assert_int_equal(c.count, 8 * 4);
}

static void samples_come_in_the_same_order(void **state)
{
    (void)state;
    static cloud a, b;
    for (int i = 0; i < SHAPES; i++) {
        const rill_shape shape = shape_of(i);
        const rill_sampling how = {.spacing = 0.06, .solid = true, .clip = clip};
        a.count = b.count = 0;
        rill_geometry_of(&shape)->sample(&shape, &how, cloud_take, &a);
        rill_geometry_of(&shape)->sample(&shape, &how, cloud_take, &b);
        assert_int_equal(a.count, b.count);
        assert_memory_equal(a.at, b.at, (size_t)a.count * sizeof *a.at);
    }
}

/* ---- the guard ---- */

/* Whether the path from one point to another passes the surface of a body, by fine substeps in its own frame. */
static bool twin_passes(const rill_body *body, rill_vec3 from, rill_vec3 to, double slack)
{
    enum { SUBSTEPS = 400 };
    const rill_geometry *g = rill_geometry_of(&body->shape);
    const rill_vec3 moved = rill_vec3_sub(g->centre(&body->shape), g->centre(&body->before));
    const rill_vec3 start = rill_vec3_add(rill_pose_own(&body->pose_before, from), moved);
    const rill_vec3 end = rill_pose_own(&body->pose, to);
    for (int k = 0; k <= SUBSTEPS; k++) {
        const rill_vec3 x = rill_vec3_add(start, rill_vec3_scale(rill_vec3_sub(end, start), (double)k / SUBSTEPS));
        const double d = g->nearest(&body->shape, x).distance;
        if (body->solid ? d < -slack : d > slack) return true;
    }
    return false;
}

/* Random paths against every shape, at rest, travelling and turning: none passes, wherever and however far it goes. */
static void no_path_passes_a_surface(void **state)
{
    (void)state;
    const double margin = 0.01;
    const int trials = slow_build() ? 1500 : 12000;
    uint64_t key = 4711;
    for (int i = 0; i < SHAPES; i++)
        for (int solid = i == SHAPES - 1; solid < 2; solid++) {
            int met = 0, passed = 0;
            for (int trial = 0; trial < trials; trial++) {
                const rill_shape shape = shape_of(i);
                rill_body body = rill_body_make(&shape);
                body.solid = solid;
                const int motion = trial % 3;
                /* Of what may be thin, from beside its middle line. */
                const rill_geometry *g = rill_geometry_of(&shape);
                rill_vec3 from = chance_vector(&key, solid ? 0.9 : 0.6);
                if (!solid && trial % 4) {
                    const double least = fmin(0.04, fmin(shape.radius > 0 ? shape.radius : 1, 0.04));
                    const rill_vec3 own = rill_vec3_add(g->centre(&shape), chance_vector(&key, least));
                    from = rill_pose_place(&body.pose, own);
                }
                if (!rill_body_holds(&body, from, trial % 2 ? margin : 1e-6)) continue;
                const rill_vec3 velocity = chance_vector(&key, motion ? 0.1 : 0);
                rill_body_steer(&body, velocity, velocity, chance_vector(&key, motion < 2 ? 0 : trial % 7 ? 0.1 : 1.5));
                rill_body_move(&body, 1);
                const double far = trial % 5 == 0 ? 1.5 : 0.1;
                rill_vec3 to = rill_vec3_add(from, chance_vector(&key, far)), v = chance_vector(&key, 1);
                if (trial % 2) {
                    /* At the body and through it. */
                    const rill_vec3 aim = rill_vec3_add(g->centre(&body.shape), chance_vector(&key, 0.05));
                    const rill_vec3 way = rill_vec3_sub(rill_pose_place(&body.pose, aim), from);
                    to = rill_vec3_add(from, rill_vec3_scale(way, chance(&key, 0.5, 3)));
                }
                const rill_vec3 wanted = to, speed = v;
                const bool would = twin_passes(&body, from, to, 1e-9);
                const rill_contact contact = rill_body_guard(&body, from, &to, &v, margin);
                met += contact > 0, passed += contact == RILL_CONTACT_PASSED;
                if (would && !contact) fail_msg("shape %d, solid %d: a path passes and nobody sees it", i, solid);
                if (!contact)
                    assert_true(!memcmp(&to, &wanted, sizeof to) && !memcmp(&v, &speed, sizeof v));
                /* A ball that is passed by an end near it leaves that where it is best, which may cut a corner. */
                const bool ball = g->ball && solid;
                if (twin_passes(&body, from, to, ball ? 0.4 : 1e-7))
                    fail_msg("shape %d, solid %d, motion %d: a path passes in spite of the guard", i, solid, motion);
                const double room = solid ? margin : fmin(margin, shape.radius > 0 ? shape.radius : margin);
                const bool thin = !solid && (i == 1 || i == 5); /* no place is so far from both sides */
                if (contact && !thin && !rill_body_holds(&body, to, room - 1e-9))
                    fail_msg("shape %d, solid %d: held at (%g, %g, %g), too near", i, solid, to.x, to.y, to.z);
            }
            const int share = slow_build() ? 2 : 1;
            if (met < 100 / share || passed < 20 / share)
                fail_msg("shape %d, solid %d: met %d, passed %d", i, solid, met, passed);
        }
}

/* Velocities lose what points into the wall and nothing else. */
static void the_guard_takes_only_what_leads_into_the_wall(void **state)
{
    (void)state;
    uint64_t key = 99;
    for (int i = 0; i < SHAPES; i++)
        for (int solid = i == SHAPES - 1; solid < 2; solid++)
            for (int trial = 0; trial < 3000; trial++) {
                const rill_shape shape = shape_of(i);
                const rill_geometry *g = rill_geometry_of(&shape);
                rill_body body = rill_body_make(&shape);
                body.solid = solid;
                const rill_vec3 from = chance_vector(&key, 0.8);
                if (!rill_body_holds(&body, from, 0.01)) continue;
                rill_vec3 to = rill_vec3_add(from, chance_vector(&key, 0.2)), v = chance_vector(&key, 1);
                const rill_vec3 before = v;
                const rill_contact contact = rill_body_guard(&body, from, &to, &v, 0.01);
                if (!contact) continue;
                assert_true(rill_vec3_length(v) <= rill_vec3_length(before) + 1e-12);
                /* What would have passed may end elsewhere than at the face it met. */
                if (g->sided || shape.kind == RILL_SHAPE_CYLINDER || contact == RILL_CONTACT_PASSED) continue;
                const rill_nearest face = g->nearest(&body.shape, rill_pose_own(&body.pose, to));
                const double along = rill_vec3_dot(rill_pose_unrotate(&body.pose, v), face.normal);
                assert_true(solid ? along > -1e-6 : along < 1e-6);
            }
}

/* A region in which a body is not asked is one in which it would do nothing. */
static void regions_hide_nothing(void **state)
{
    (void)state;
    uint64_t key = 31;
    for (int i = 0; i < SHAPES; i++)
        for (int solid = i == SHAPES - 1; solid < 2; solid++) {
            const rill_shape shape = shape_of(i);
            rill_body body = rill_body_make(&shape);
            body.solid = solid;
            rill_guard guard = {0};
            assert_int_equal(rill_guard_make(&guard, &body, 1, 0.01, NULL), RILL_OK);
            int quick = 0;
            for (int trial = 0; trial < 20000; trial++) {
                const rill_vec3 from = chance_vector(&key, 0.7);
                rill_vec3 step = chance_vector(&key, 0.01);
                const float to[3] = {(float)(from.x + step.x), (float)(from.y + step.y), (float)(from.z + step.z)};
                const float at[3] = {(float)from.x, (float)from.y, (float)from.z};
                if (rill_guard_near(&guard, at, to)) continue;
                quick++;
                rill_vec3 end = {(double)to[0], (double)to[1], (double)to[2]}, v = step;
                const rill_vec3 start = {(double)at[0], (double)at[1], (double)at[2]};
                assert_int_equal(rill_body_guard(&body, start, &end, &v, 0.01), RILL_CONTACT_NONE);
            }
            rill_guard_free(&guard);
            /* A slanted plane is always asked, and in a thin container there is no room. */
            if (i < SHAPES - 1 && (solid || !(i == 1 || i == 4 || i == 5 || i == 7))) assert_true(quick > 100);
        }
}

/* ---- poses ---- */

static void poses_turn_and_turn_back(void **state)
{
    (void)state;
    uint64_t key = 8;
    for (int k = 0; k < 500; k++) {
        const rill_vec3 axis = chance_vector(&key, k % 3 ? 1 : 1e-170), about = chance_vector(&key, 2);
        const double angle = chance(&key, -10, 10);
        const rill_pose pose = rill_pose_about(axis, angle, about);
        const rill_vec3 x = chance_vector(&key, 3), y = rill_pose_place(&pose, x);
        const rill_vec3 back = rill_vec3_sub(rill_pose_own(&pose, y), x);
        assert_true(rill_vec3_length(back) < 1e-12);
        const double far = rill_vec3_length(rill_vec3_sub(x, about));
        assert_true(fabs(rill_vec3_length(rill_vec3_sub(y, about)) - far) < 1e-12);
        const rill_vec3 unit = rill_unit_vector(axis);
        const rill_vec3 on = rill_vec3_add(about, unit);
        assert_true(rill_vec3_length(rill_vec3_sub(rill_pose_place(&pose, on), on)) < 1e-12);
    }
    /* Counter-clockwise, seen with the axis pointing at the viewer. */
    const rill_pose quarter = rill_pose_about((rill_vec3){0, 0, 2}, 1.5707963267948966, (rill_vec3){1, 0, 0});
    const rill_vec3 y = rill_pose_place(&quarter, (rill_vec3){2, 0, 5});
    assert_true(rill_vec3_length(rill_vec3_sub(y, (rill_vec3){1, 1, 5})) < 1e-12);
    /* No pose changes nothing, to the bit. */
    const rill_vec3 x = {0.1, -0.2, 0.3}, same = rill_pose_place(&(rill_pose){0}, x);
    assert_memory_equal(&x, &same, sizeof x);
}

/* ---- worlds ---- */

/* Containers of every shape, filled to a level and shaken: nothing gets out. */
static void containers_of_every_shape_hold_water(void **state)
{
    (void)state;
    const rill_rotate turn = {.given = 1, .axis = {1, 0.5, 0}, .angle = 0.4};
    const rill_shape shapes[] = {
        {.kind = RILL_SHAPE_BOX, .to = {0.6, 0.5, 0.5}, .rotate = turn},
        {.kind = RILL_SHAPE_SPHERE, .center = {0, 0, 1}, .radius = 0.35},
        {.kind = RILL_SHAPE_CYLINDER, .to = {0, 0, 0.6}, .radius = 0.3},
        {.kind = RILL_SHAPE_CYLINDER, .from = {1, 0, 0}, .to = {1.6, 0.2, 0.1}, .radius = 0.25},
        {.kind = RILL_SHAPE_CAPSULE, .to = {0.4, 0, 0}, .radius = 0.3, .rotate = turn},
    };
    static const char *const solvers[] = {"dfsph", "wcsph", "pbf"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        rill_scene scene = water_scene(0.04);
        strcpy(scene.solver.kind, solvers[i % 3]);
        rill_boundary tank = rill_boundary_default();
        tank.shape = shapes[i];
        tank.motion = (rill_motion){.amplitude = {0.03, 0.01, 0.02}, .period = 0.25, .sides = RILL_SIDE_ALL};
        rill_scene_add_boundary(&scene, &tank, NULL);
        rill_fill fill = rill_fill_default();
        fill.shape.kind = RILL_SHAPE_INSIDE;
        strcpy(fill.inside, "tank");
        fill.level = 0.3;
        rill_scene_add_fill(&scene, &fill, NULL);
        rill_world *world = world_of(&scene, 2, 0);
        const double wanted = rill_scene_diameter_for(&scene, rill_world_frame(world).count);
        assert_true(fabs(wanted / 0.04 - 1) < 0.08);
        const int count = slow_build() ? 20 : 150;
        for (int k = 0; k < 3; k++) {
            const rill_report r = steps(world, count, NULL);
            assert_int_equal(r.lost, 0);
            assert_int_equal(r.trouble, RILL_TROUBLE_NONE);
            all_inside(world, "a shaken container");
        }
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
}

/* A dam that runs over obstacles of every shape on a slanted plane. */
static void obstacles_of_every_shape_are_not_entered(void **state)
{
    (void)state;
    rill_scene scene = water_scene(0.04);
    add_box_fill(&scene, (rill_vec3){0, 0, 0.25}, (rill_vec3){0.3, 0.4, 0.75}, (rill_vec3){1, 0, 0});
    add_tank(&scene, (rill_vec3){0, 0, 0}, (rill_vec3){1.2, 0.4, 0.8});
    const rill_rotate turn = {.given = 1, .axis = {0, 1, 0.2}, .angle = 0.5};
    const rill_shape shapes[] = {
        {.kind = RILL_SHAPE_PLANE, .center = {0, 0, 0.2}, .normal = {0.15, 0, 1}},
        {.kind = RILL_SHAPE_BOX, .from = {0.5, 0, 0.1}, .to = {0.6, 0.2, 0.25}, .rotate = turn},
        {.kind = RILL_SHAPE_CYLINDER, .from = {0.8, -0.1, 0.2}, .to = {0.8, 0.5, 0.2}, .radius = 0.06},
        {.kind = RILL_SHAPE_CAPSULE, .from = {0.5, 0.3, 0.1}, .to = {0.6, 0.3, 0.5}, .radius = 0.01},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        rill_boundary b = rill_boundary_default();
        snprintf(b.name, sizeof b.name, "b%zu", i);
        b.shape = shapes[i];
        b.solid = true;
        rill_scene_add_boundary(&scene, &b, NULL);
    }
    rill_world *world = world_of(&scene, 2, 0);
    for (int k = 0; k < 4; k++) {
        const rill_report r = steps(world, slow_build() ? 20 : 150, NULL);
        assert_int_equal(r.lost, 0);
        all_inside(world, "obstacles of every shape");
    }
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* A rotated tank that is full starts at rest density, as an upright one does. */
static void lattices_turn_with_their_shape(void **state)
{
    (void)state;
    double error[2];
    for (int turned = 0; turned < 2; turned++) {
        rill_scene scene = water_scene(0.05);
        scene.gravity = (rill_vec3){0, 0, 0};
        rill_boundary tank = rill_boundary_default();
        rill_fill fill = rill_fill_default();
        tank.shape.to = fill.shape.to = (rill_vec3){0.5, 0.4, 0.3};
        tank.shape.rotate = fill.shape.rotate = (rill_rotate){.given = turned, .axis = {1, 1, 0}, .angle = 0.5};
        rill_scene_add_boundary(&scene, &tank, NULL);
        rill_scene_add_fill(&scene, &fill, NULL);
        rill_world *world = world_of(&scene, 1, 0);
        assert_int_equal(rill_world_frame(world).count, 10 * 8 * 6);
        steps(world, 1, NULL);
        const rill_frame f = rill_world_frame(world);
        error[turned] = 0;
        for (size_t i = 0; i < f.count; i++) error[turned] = fmax(error[turned], fabs(f.density[i] / 1000.0 - 1));
        rill_world_destroy(world);
        rill_scene_free(&scene);
    }
    assert_true(error[1] < error[0] + 1e-4);
}

/* A pipe goes on along a periodic axis: water runs through it for ever. */
static void pipes_go_on(void **state)
{
    (void)state;
    rill_scene scene = water_scene(0.05);
    scene.gravity = (rill_vec3){2, 0, -9.81};
    scene.periodic[0] = true;
    scene.domain_to = (rill_vec3){0.8, 0, 0};
    rill_boundary pipe = rill_boundary_default();
    pipe.shape = (rill_shape){.kind = RILL_SHAPE_CYLINDER, .from = {0.3, 0, 0}, .to = {0.1, 0, 0}, .radius = 0.25};
    rill_scene_add_boundary(&scene, &pipe, NULL);
    rill_fill fill = rill_fill_default();
    fill.shape = (rill_shape){.kind = RILL_SHAPE_CYLINDER, .to = {0.8, 0, 0}, .radius = 0.25};
    rill_scene_add_fill(&scene, &fill, NULL);
    rill_world *world = world_of(&scene, 1, 0);
    const rill_report r = steps(world, 60, NULL);
    assert_int_equal(r.lost, 0);
    assert_int_equal(r.rescued, 0);
    assert_true(r.momentum.x > 0);
    all_inside(world, "a pipe");
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* The side of a rotated box that moves by itself goes along its normal. */
static void sides_of_rotated_boxes_move(void **state)
{
    (void)state;
    rill_scene scene = small_dam();
    scene.gravity = (rill_vec3){0, 0, 0};
    rill_boundary *tank = &scene.boundaries[0];
    tank->shape.rotate = (rill_rotate){.given = 1, .axis = {0, 0, 1}, .angle = 1.5707963267948966};
    scene.fills[0].shape.rotate = tank->shape.rotate;
    scene.fills[0].shape.rotate.about_given = 1;
    scene.fills[0].shape.rotate.about = (rill_vec3){0.6, 0.2, 0.4};
    tank->motion = (rill_motion){.velocity = {0.3, 0.1, 0}, .sides = RILL_SIDE_HIGH_X};
    rill_world *world = world_of(&scene, 1, 0);
    advance(world, 0.02);
    const rill_shape s = rill_world_boundary_shape(world, 0);
    assert_true(fabs(s.to.x - 1.202) < 1e-9 && fabs(s.from.x) < 1e-9 && fabs(s.to.y - 0.4) < 1e-9);
    const rill_bounds b = rill_shape_bounds(&s);
    assert_true(fabs(b.high.y - 0.802) < 1e-9 && fabs(b.low.y + 0.4) < 1e-9 && fabs(b.high.x - 0.8) < 1e-9);
    all_inside(world, "a rotated tank");
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_close_and_face_outwards),
        cmocka_unit_test(planes_are_cut_by_boxes),
        cmocka_unit_test(nearest_agrees_with_dense_samples),
        cmocka_unit_test(grown_shapes_are_offset),
        cmocka_unit_test(masses_are_those_of_random_points),
        cmocka_unit_test(bounds_are_tight),
        cmocka_unit_test(samples_are_even),
        cmocka_unit_test(flat_faces_are_square_lattices),
        cmocka_unit_test(samples_come_in_the_same_order),
        cmocka_unit_test(no_path_passes_a_surface),
        cmocka_unit_test(the_guard_takes_only_what_leads_into_the_wall),
        cmocka_unit_test(regions_hide_nothing),
        cmocka_unit_test(poses_turn_and_turn_back),
        cmocka_unit_test(containers_of_every_shape_hold_water),
        cmocka_unit_test(obstacles_of_every_shape_are_not_entered),
        cmocka_unit_test(lattices_turn_with_their_shape),
        cmocka_unit_test(pipes_go_on),
        cmocka_unit_test(sides_of_rotated_boxes_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
