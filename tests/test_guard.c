/* The guard of many bodies against its slow twin, which asks each of them about every path: the same contacts, places
 * and velocities, to the bit. label: small */
#include "tests/scenes.h"

#include "base/hash.h"
#include "tests/guard_twin.h"
#include "tests/inside.h"

static double chance(uint64_t *key, double low, double high)
{
    return low + (high - low) * ((double)(rill_hash_mix((*key)++ * 0x9e3779b97f4a7c15u) >> 11) / 9007199254740992.0);
}

static rill_vec3 chance_vector(uint64_t *key, double low, double high)
{
    const double x = chance(key, low, high), y = chance(key, low, high);
    return (rill_vec3){x, y, chance(key, low, high)};
}

/* What is told of contacts, in their order, as one number. */
static void note_contact(void *user, uint32_t body, rill_vec3 moved, rill_vec3 slowed)
{
    uint64_t *log = user;
    *log = rill_hash_add(*log, body);
    for (int a = 0; a < 3; a++) {
        const double numbers[2] = {rill_vec3_get(&moved, a) + 0.0, rill_vec3_get(&slowed, a) + 0.0};
        uint64_t bits[2];
        memcpy(bits, numbers, sizeof bits);
        *log = rill_hash_add(rill_hash_add(*log, bits[0]), bits[1]);
    }
}

/* ---- the twin ---- */

static bool twin_allows(const rill_body *bodies, uint32_t count, rill_vec3 at, double distance)
{
    bool containers = false, contained = false;
    for (uint32_t b = 0; b < count; b++) {
        const bool holds = rill_body_holds(&bodies[b], at, distance);
        if (bodies[b].solid && !holds) return false;
        containers = containers || !bodies[b].solid;
        contained = contained || (!bodies[b].solid && holds);
    }
    return contained || !containers;
}

/* ---- bodies ---- */

enum { MOST_BODIES = 400 };

/* What a crowd of bodies is made of. */
typedef struct crowd {
    const char *name;
    uint32_t small, large, containers; /* obstacles, and beside the tank */
    bool tank, plane, periodic, turning, growing;
    double size; /* of the small ones, m; the tank is a cube of 1 m */
    double far;  /* some lie so far away, m */
} crowd;

static const crowd crowds[] = {
    {"spheres", 300, 0, 0, .tank = true, .size = 0.04},
    {"a few", 3, 1, 0, .tank = true, .plane = true, .size = 0.1},
    {"small and large", 200, 12, 0, .tank = true, .size = 0.03, .turning = true},
    {"without a tank", 150, 3, 0, .plane = true, .size = 0.05, .turning = true, .far = 1e5},
    {"periodic", 250, 3, 0, .tank = true, .periodic = true, .size = 0.05, .turning = true},
    {"cups", 40, 0, 60, .size = 0.12, .turning = true},
    {"cups in a tank", 40, 2, 30, .tank = true, .periodic = true, .size = 0.12, .turning = true, .growing = true},
    {"one on another", 350, 0, 0, .tank = true, .size = 0.3},
    {"pistons", 60, 4, 4, .tank = true, .size = 0.08, .growing = true},
};

static rill_body small_body(const crowd *c, uint64_t *key, bool solid, double size)
{
    const rill_vec3 at = chance_vector(key, 0, 1);
    const double r = size * chance(key, 0.2, 0.5);
    rill_shape shape = {.kind = RILL_SHAPE_SPHERE, .center = at, .radius = r};
    const int kind = (int)chance(key, 0, 6);
    if (kind == 0) shape = (rill_shape){.kind = RILL_SHAPE_BOX, .from = at,
                                        .to = rill_vec3_add(at, chance_vector(key, 0.4 * r, 2 * r))};
    if (kind == 1 || kind == 2)
        shape = (rill_shape){.kind = kind == 1 ? RILL_SHAPE_CYLINDER : RILL_SHAPE_CAPSULE, .from = at,
                             .to = rill_vec3_add(at, chance_vector(key, 0.1 * r, r)), .radius = 0.5 * r};
    if (c->turning && kind % 2)
        shape.rotate = (rill_rotate){.given = 1, .axis = chance_vector(key, -1, 1), .angle = chance(key, -2, 2)};
    rill_body body = rill_body_make(&shape);
    body.solid = solid;
    return body;
}

static void move_body(const crowd *c, uint64_t *key, rill_body *body, int i)
{
    const rill_vec3 low = chance_vector(key, -0.02, 0.02), more = chance_vector(key, -0.01, 0.01), none = {0, 0, 0};
    const bool turns = c->turning && i % 3 == 1 && rill_geometry_of(&body->shape) != &rill_geometry_plane;
    rill_vec3 spin = turns ? chance_vector(key, -0.3, 0.3) : none;
    if (turns && i % 7 == 0) spin = chance_vector(key, -3, 3);
    rill_body_steer(body, i % 4 ? low : none, c->growing && !turns && i % 2 ? more : i % 4 ? low : none, spin);
    rill_body_move(body, 1);
}

static uint32_t make_bodies(const crowd *c, uint64_t *key, rill_body *bodies)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->small; i++) bodies[n++] = small_body(c, key, true, c->size);
    for (uint32_t i = 0; i < c->large; i++) bodies[n++] = small_body(c, key, true, chance(key, 0.3, 1));
    for (uint32_t i = 0; i < c->containers; i++) {
        bodies[n] = small_body(c, key, false, 2 * c->size);
        if (rill_geometry_of(&bodies[n].shape)->sided) bodies[n].open = i % 3 ? 0 : RILL_SIDE_HIGH_Z;
        n++;
    }
    if (c->plane) {
        bodies[n] = rill_body_make(&(rill_shape){.kind = RILL_SHAPE_PLANE, .center = {0.5, 0.5, 0.02},
                                                 .normal = {0.1, c->periodic ? 0 : 0.05, 1}});
        bodies[n++].solid = true;
    }
    if (c->tank) {
        bodies[n] = rill_body_make(&(rill_shape){.kind = RILL_SHAPE_BOX, .to = {1, 1, 1}});
        if (c->periodic) bodies[n].periodic[0] = bodies[n].periodic[1] = true, bodies[n].open = 15;
        n++;
    }
    for (uint32_t b = 0; b < n; b++) {
        if (c->far > 0 && b % 16 == 5) bodies[b].shape.center.x += c->far;
        if (c->periodic && bodies[b].solid) bodies[b].period = (rill_vec3){1, 1, 0};
        move_body(c, key, &bodies[b], (int)b);
    }
    return n;
}

/* Short paths, some at rest, some long, some across a periodic side or from far away. */
static void make_path(uint64_t *key, int i, float from[3], float to[3], float v[3])
{
    const double far = i % 50 == 7 ? 2 : i % 10 == 3 ? 0.2 : i % 7 == 2 ? 0 : 0.02;
    const rill_vec3 at = i % 25 == 4 ? chance_vector(key, -2, 3) : chance_vector(key, -0.02, 1.02);
    const rill_vec3 way = chance_vector(key, -far, far), speed = chance_vector(key, -1, 1);
    for (int a = 0; a < 3; a++) {
        from[a] = (float)rill_vec3_get(&at, a);
        to[a] = (float)(rill_vec3_get(&at, a) + rill_vec3_get(&way, a));
        v[a] = (float)rill_vec3_get(&speed, a);
    }
}

static void the_guard_asks_as_if_it_asked_all(void **state)
{
    (void)state;
    static rill_body bodies[MOST_BODIES];
    const double margin = 0.0025;
    const int paths = slow_build() ? 600 : 4000;
    rill_guard guard = {0};
    uint64_t key = 17;
    for (size_t c = 0; c < sizeof crowds / sizeof *crowds; c++)
        for (int round = 0; round < 3; round++) {
            const uint32_t count = make_bodies(&crowds[c], &key, bodies);
            assert_int_equal(rill_guard_make(&guard, bodies, count, margin, NULL), RILL_OK);
            assert_true(crowds[c].small < 10 || guard.broad.start != NULL);
            int met = 0;
            for (int i = 0; i < paths; i++) {
                float from[3], to[3], v[3], end[3], speed[3];
                make_path(&key, i, from, to, v);
                memcpy(end, to, sizeof end);
                memcpy(speed, v, sizeof speed);
                uint64_t told = 0, twin_told = 0;
                const rill_contact wanted = twin_hold(bodies, count, margin, from, end, speed, note_contact,
                                                      &twin_told);
                const rill_contact found = rill_guard_hold(&guard, from, to, v, note_contact, &told);
                met += wanted > 0;
                if (found != wanted || told != twin_told || memcmp(to, end, sizeof to) || memcmp(v, speed, sizeof v))
                    fail_msg("%s: path %d of round %d from (%g, %g, %g) is held otherwise: %d to (%g, %g, %g), not %d "
                             "to (%g, %g, %g)", crowds[c].name, i, round, (double)from[0], (double)from[1],
                             (double)from[2], found, (double)to[0], (double)to[1], (double)to[2], wanted,
                             (double)end[0], (double)end[1], (double)end[2]);
                const rill_vec3 at = {from[0], from[1], from[2]};
                if (rill_guard_allows(&guard, at, margin) != twin_allows(bodies, count, at, margin))
                    fail_msg("%s: (%g, %g, %g) is wrongly allowed or not", crowds[c].name, at.x, at.y, at.z);
            }
            if (met < paths / 50) fail_msg("%s: only %d of %d paths met a body", crowds[c].name, met, paths);
        }
    rill_guard_free(&guard);
}

/* In a crowd of small bodies few are asked. */
static void few_of_many_are_asked(void **state)
{
    (void)state;
    static rill_body bodies[MOST_BODIES];
    rill_guard guard = {0};
    uint64_t key = 5;
    const uint32_t count = make_bodies(&crowds[0], &key, bodies);
    assert_int_equal(rill_guard_make(&guard, bodies, count, 0.0025, NULL), RILL_OK);
    assert_int_equal(guard.broad.wide_count, 1);
    assert_true(rill_broad_most(&guard.broad) < 20);
    rill_broad_found found;
    double sum = 0;
    for (int i = 0; i < 1000; i++) {
        float from[3], to[3], v[3];
        make_path(&key, 1, from, to, v);
        rill_box box;
        for (int a = 0; a < 3; a++) box.low[a] = fminf(from[a], to[a]), box.high[a] = fmaxf(from[a], to[a]);
        rill_broad_find(&guard.broad, &box, &found);
        assert_false(found.all);
        sum += found.count;
    }
    assert_true(sum < 2500);
    rill_guard_free(&guard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_guard_asks_as_if_it_asked_all),
        cmocka_unit_test(few_of_many_are_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
