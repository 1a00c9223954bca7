/* Liquid in containers that spin, sway and roll, against closed answers. */
#include "tests/inside.h"

/* ---- a spinning bucket ---- */

/* A straight line through points, by least squares. */
typedef struct line {
    double n, x, xx, y, xy;
} line;

static void line_add(line *l, double x, double y)
{
    l->n++, l->x += x, l->xx += x * x, l->y += y, l->xy += x * y;
}

static double line_slope(const line *l)
{
    return (l->n * l->xy - l->x * l->y) / (l->n * l->xx - l->x * l->x);
}

/* The surface above the particles that have no other one above them, seen from a parabola z = a r^2. A particle lies
 * half a diameter below the surface along its normal. */
static void see_surface(line *l, const rill_frame *f, double d, double radius, double lowest, double a)
{
    for (size_t i = 0; i < f->count; i++) {
        const float *x = f->position + 4 * i;
        const double q = x[0] * x[0] + x[1] * x[1], above = x[2] - a * q;
        if (sqrt(q) > radius - 1.5 * d || above < lowest - 2.2 * d) continue;
        bool top = true;
        for (size_t k = 0; k < f->count && top; k++) {
            const float *y = f->position + 4 * k;
            const double dx = y[0] - x[0], dy = y[1] - x[1];
            top = k == i || dx * dx + dy * dy > 0.6 * d * d || y[2] - a * (y[0] * y[0] + y[1] * y[1]) <= above;
        }
        if (top) line_add(l, q, x[2] + 0.5 * d * sqrt(1 + 4 * a * a * q));
    }
}

static void a_bucket_spins_its_liquid(void **state)
{
    (void)state;
    if (too_slow_for("a spinning bucket")) return;
    const double d = 0.02, radius = 0.24, level = 0.2, range = 0.15, spin = sqrt(2 * 9.81 * range) / radius;
    rill_scene scene = water_scene(d);
    strcpy(scene.solver.kind, "dfsph");
    scene.fluids[0].viscosity_kind = RILL_VISCOSITY_LAPLACIAN;
    scene.fluids[0].viscosity = 0.01;
    rill_boundary bucket = rill_boundary_default();
    strcpy(bucket.name, "bucket");
    bucket.shape = (rill_shape){.kind = RILL_SHAPE_CYLINDER, .to = {0, 0, 0.5}, .radius = radius};
    bucket.slip = 0;
    bucket.motion.spin = (rill_vec3){0, 0, spin};
    assert_int_equal(rill_scene_add_boundary(&scene, &bucket, NULL), RILL_OK);
    rill_fill fill = rill_fill_default();
    fill.shape = (rill_shape){.kind = RILL_SHAPE_INSIDE};
    strcpy(fill.inside, "bucket");
    fill.level = level;
    assert_int_equal(rill_scene_add_fill(&scene, &fill, NULL), RILL_OK);
    rill_world *world = world_of(&scene, 2, 0);
    line surface = {0};
    double off = 0, all = 0;
    while (rill_world_time(world) < 6) {
        const rill_report r = steps(world, 1, NULL);
        if (r.time < 5 || r.step % 25) continue;
        const rill_frame f = rill_world_frame(world);
        see_surface(&surface, &f, d, radius, level - 0.5 * range, range / (radius * radius));
        for (size_t i = 0; i < f.count; i++) {
            const float *x = f.position + 4 * i, *v = f.velocity + 4 * i;
            off += pow(v[0] + spin * x[1], 2) + pow(v[1] - spin * x[0], 2) + v[2] * v[2];
            all += spin * spin * (x[0] * x[0] + x[1] * x[1]);
        }
    }
    const double found = line_slope(&surface) * radius * radius;
    print_message("a bucket: the surface is %.1f mm deep, not %.1f; velocities are %.2f %% off\n", 1000 * found,
                  1000 * range, 100 * sqrt(off / all));
    if (!(fabs(found / range - 1) < 0.02)) fail_msg("the surface is %g m deep, not %g", found, range);
    if (!(off < 0.02 * 0.02 * all)) fail_msg("velocities are %g off", sqrt(off / all));
    all_inside(world, "in the bucket");
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* ---- tanks that sway and roll ---- */

/* The first mode of a tank, eta = beta cos(k x) from its left wall. With the acceleration a of the middle of the
 * resting surface and the angle p by which the right side is raised (Faltinsen and Timokha 2009),
 *   beta'' + w^2 beta = (4/pi) tanh(kh) (a + g p + S p''),  w^2 = g k tanh(kh),  S = 2 tanh(kh/2)/k. */
typedef struct mode {
    double length, depth, k, w2, gain, S;
    double beta, rate;
} mode;

static mode mode_of(double length, double depth)
{
    const double k = M_PI / length, t = tanh(k * depth);
    return (mode){length, depth, k, 9.81 * k * t, 4 / M_PI * t, 2 * tanh(0.5 * k * depth) / k, 0, 0};
}

/* How the tank is driven: a displacement or an angle, sin(ft) of which grows within a time, so that the tank's own
 * waves are not stirred, which liquid of particles damps. */
typedef struct drive {
    double sway, roll, f, ramp;
} drive;

static double course(const drive *by, double t)
{
    const double u = fmin(t / by->ramp, 1);
    return u * u * (3 - 2 * u) * sin(by->f * t);
}

static double push_of(const mode *m, const drive *by, double t)
{
    const double h = 1e-4, now = course(by, t);
    const double bent = (course(by, t - h) - 2 * now + course(by, t + h)) / (h * h);
    /* It rolls about the middle of its floor, so the surface goes to the left when the right side is raised. */
    return by->sway * bent + by->roll * (9.81 * now + bent * (m->S - m->depth));
}

static void mode_go(mode *m, const drive *by, double from, double to)
{
    enum { PARTS = 50 };
    const double dt = (to - from) / PARTS;
    for (int i = 0; i < PARTS; i++) {
        m->rate += dt * (m->gain * push_of(m, by, from + (i + 0.5) * dt) - m->w2 * m->beta);
        m->beta += dt * m->rate;
    }
}

/* beta of the liquid in coordinates of the tank: to first order the moment of height with cos(kx) is that of eta. */
static double mode_seen(const mode *m, const rill_world *world)
{
    const rill_frame f = rill_world_frame(world);
    double sum = 0;
    for (size_t i = 0; i < f.count; i++) {
        const float *x = f.position + 4 * i;
        const rill_vec3 own = rill_pose_own(&world->bodies[0].pose, (rill_vec3){x[0], x[1], x[2]});
        const double across = own.x - world->bodies[0].shape.from.x, up = own.z - world->bodies[0].shape.from.z;
        sum += up * cos(m->k * across);
    }
    return 2 * sum / (double)f.count;
}

static void compare_response(const char *name, const drive *by)
{
    const double length = 1, depth = 0.5, d = depth / 20;
    rill_scene scene = water_scene(d);
    strcpy(scene.solver.kind, "dfsph");
    scene.fluids[0].viscosity = 1e-6;
    scene.periodic[1] = true;
    scene.domain_from = (rill_vec3){-3, 0, -3};
    scene.domain_to = (rill_vec3){3, 6 * d, 3};
    add_tank(&scene, (rill_vec3){-0.5 * length, 0, 0}, (rill_vec3){0.5 * length, 6 * d, 1});
    add_box_fill(&scene, (rill_vec3){-0.5 * length, 0, 0}, (rill_vec3){0.5 * length, 6 * d, depth},
                 (rill_vec3){0, 0, 0});
    rill_motion *m = &scene.boundaries[0].motion;
    m->amplitude = (rill_vec3){by->sway, 0, 0};
    m->swing = (rill_vec3){0, -by->roll, 0};
    m->period = 2 * M_PI / by->f;
    m->ramp = by->ramp;
    m->about_given = 1;
    m->about = (rill_vec3){0, 3 * d, 0};
    rill_world *world = world_of(&scene, 2, 0);
    mode exact = mode_of(length, depth);
    double squares = 0, off = 0, time = 0, product = 0, count = 0;
    while (time < by->ramp + 4 * M_PI / by->f) {
        const rill_report r = steps(world, 1, NULL);
        mode_go(&exact, by, time, r.time);
        time = r.time;
        const double seen = mode_seen(&exact, world);
        if (time < by->ramp) continue;
        off += pow(seen - exact.beta, 2);
        squares += exact.beta * exact.beta;
        product += seen * exact.beta;
        count++;
    }
    print_message("a tank that %s: response %.3f of theory's, %.1f %% off at all times, amplitude %.1f mm\n", name,
                  product / squares, 100 * sqrt(off / squares), 1000 * sqrt(2 * squares / count));
    rill_world_destroy(world);
    rill_scene_free(&scene);
    if (!(fabs(product / squares - 1) < 0.05)) fail_msg("%s: the response is %g of theory's", name, product / squares);
}

static void tanks_respond_as_linear_theory_says(void **state)
{
    (void)state;
    if (too_slow_for("tanks that sway and roll")) return;
    const double w = sqrt(mode_of(1, 0.5).w2);
    compare_response("sways", &(drive){.sway = 0.06, .f = 0.6 * w, .ramp = 4});
    compare_response("rolls", &(drive){.roll = 0.06, .f = 0.6 * w, .ramp = 4});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_bucket_spins_its_liquid),
                                       cmocka_unit_test(tanks_respond_as_linear_theory_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
