/* How much of their liquid surfaces hold, from one particle alone to drops of
 * hundreds, and whose particles hold less than their diameter cubed; no piece is
 * without a particle. label: one thread */
#include "surface/mesh.h"
#include "tests/clouds.h"

/* The mean volume of a shape's mesh, in N d^3, over places on the lattice and turns; fields without spray leave out. */
static double mean_share(void (*shape)(const double at[3], double turn), int f, int m, double cell)
{
    const int places = 12;
    uint64_t random = 9;
    double sum = 0;
    for (int k = 0; k < places; k++) {
        const double a = next_random(&random), b = next_random(&random), d = next_random(&random);
        rill_surface_options options = rill_surface_default();
        options.field = (rill_surface_field)f;
        options.method = (rill_surface_method)m;
        options.cell = cell;
        c.count = 0;
        shape((const double[3]){5 * a, 5 * b, 5 * d}, 6.28 * next_random(&random));
        rill_mesh mesh = made(&options, NULL);
        sum += whole(&mesh, field_names[f]).volume / ((double)c.count * D * D * D);
        rill_mesh_free(&mesh);
    }
    return sum / places;
}

static void one(const double at[3], double turn)
{
    (void)turn;
    add(at[0], at[1], at[2]);
}
static void two(const double at[3], double turn)
{
    one(at, turn);
    add(at[0] + cos(turn), at[1] + sin(turn), at[2]);
}
static void three(const double at[3], double turn)
{
    two(at, turn);
    add(at[0] + cos(turn + 1.047), at[1] + sin(turn + 1.047), at[2]);
}
static void row_of_ten(const double at[3], double turn)
{
    for (int i = 0; i < 10; i++) add(at[0] + i * cos(turn), at[1] + 0.8 * i * sin(turn), at[2] + 0.6 * i * sin(turn));
}
static void small_ball(double count, const double at[3], double turn)
{
    fill_ball(count, 0.3);
    for (size_t i = 0; i < c.count; i++) {
        const double x = (double)c.x[3 * i] / D, y = (double)c.x[3 * i + 1] / D, z = (double)c.x[3 * i + 2] / D;
        c.x[3 * i] = (float)(D * (at[0] + x * cos(turn) - y * sin(turn)));
        c.x[3 * i + 1] = (float)(D * (at[1] + x * sin(turn) + y * cos(turn)));
        c.x[3 * i + 2] = (float)(D * (at[2] + z));
    }
}
static void ball_of_30(const double at[3], double turn)
{
    small_ball(30, at, turn);
}
static void ball_of_200(const double at[3], double turn)
{
    small_ball(200, at, turn);
}

/* Drops of any size keep their volume, spray most of all: nothing is eaten. The density field has no spray. */
static void drops_keep_their_volume(void **state)
{
    (void)state;
    static const struct {
        void (*shape)(const double at[3], double turn);
        const char *name;
        double off;
    } drops[] = {{one, "one", 0.02},     {two, "two", 0.15},         {three, "three", 0.2},
                 {row_of_ten, "ten", 0.21}, {ball_of_30, "30", 0.09}, {ball_of_200, "200", 0.05}};
    for (size_t k = 0; k < sizeof drops / sizeof *drops; k++)
        for (int f = 0; f < FIELDS; f++)
            for (int m = 0; m < 2; m++) {
                const double share = f == RILL_SURFACE_DENSITY ? 1 : mean_share(drops[k].shape, f, m, 0.5);
                if (fabs(share - 1) > drops[k].off)
                    fail_msg("%s, %s, %s: %g of N d^3", drops[k].name, field_names[f], method_names[m], share);
            }
    for (int m = 0; m < 2; m++)
        for (int f = 0; f < 2; f++) assert_true(fabs(mean_share(one, f, m, 0.2) - 1) < 0.01);
}

/* Particles that rest nearer to each other than their diameter, as in a scene with a mass factor: the volume counts. */
static void volume_is_heeded(void **state)
{
    (void)state;
    fill_ball(4000, 0.3);
    for (int f = 0; f < FIELDS; f++) {
        rill_surface_options options = rill_surface_default();
        options.field = (rill_surface_field)f;
        rill_mesh mesh = made(&options, NULL), other;
        rill_particles p = particles();
        p.diameter = 1.25 * D;
        p.volume = D * D * D;
        options.cell = 0.4;
        rill_error err = {0};
        if (rill_surface_make(&p, &options, &other, NULL, &err)) fail_msg("%s", err.text);
        assert_int_equal(mesh.triangle_count, other.triangle_count);
        assert_true(fabs(whole(&other, "volume").volume / whole(&mesh, "diameter").volume - 1) < 1e-4);
        rill_mesh_free(&mesh);
        rill_mesh_free(&other);
    }
    rill_particles p = particles();
    rill_surface_options options = rill_surface_default();
    rill_mesh mesh;
    p.volume = -1;
    assert_int_equal(rill_surface_make(&p, &options, &mesh, NULL, NULL), RILL_BAD_INPUT);
}

static double triangle_volume(const rill_mesh *mesh, size_t t)
{
    const float *x[3];
    for (size_t k = 0; k < 3; k++) x[k] = mesh->position + 3 * (size_t)mesh->triangle[3 * t + k];
    double volume = 0;
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, d = (a + 2) % 3;
        volume += (double)x[0][a] * ((double)x[1][b] * (double)x[2][d] - (double)x[1][d] * (double)x[2][b]) / 6;
    }
    return volume;
}

static bool particle_lies_in(const float low[3], const float high[3])
{
    bool found = false;
    for (size_t i = 0; i < c.count && !found; i++) {
        found = true;
        for (size_t a = 0; a < 3; a++) found = found && c.x[3 * i + a] >= low[a] && c.x[3 * i + a] <= high[a];
    }
    return found;
}

/* Every piece that faces outwards holds a particle; anisotropic kernels move theirs by up to a diameter. */
static void pieces_check(const rill_mesh *mesh, int f, size_t expected)
{
    size_t count;
    uint32_t *label = rill_mesh_label(mesh, &count);
    const float margin = f == RILL_SURFACE_ANISOTROPIC ? (float)D : 0;
    assert_non_null(label);
    assert_int_equal(count, expected);
    for (size_t p = 0; p < count; p++) {
        float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        double volume = 0;
        for (size_t v = 0; v < mesh->vertex_count; v++)
            for (size_t a = 0; a < 3 && label[v] == p; a++) {
                low[a] = fminf(low[a], mesh->position[3 * v + a] - margin);
                high[a] = fmaxf(high[a], mesh->position[3 * v + a] + margin);
            }
        for (size_t t = 0; t < mesh->triangle_count; t++)
            if (label[mesh->triangle[3 * t]] == p) volume += triangle_volume(mesh, t);
        if (fabs(volume) < 0.1 * D * D * D)
            fail_msg("%s: a piece or bubble of %g d^3", field_names[f], volume / (D * D * D));
        if (volume > 0 && !particle_lies_in(low, high))
            fail_msg("%s: a piece of %g d^3 holds no particle", field_names[f], volume / (D * D * D));
    }
    free(label);
}

/* Spray so thin and so dense that fields pass their level between particles. */
static void pieces_hold_particles(void **state)
{
    (void)state;
    static const double sides[] = {7, 8, 9, 11, 15};
    for (int k = 0; k < 5; k++) {
        uint64_t random = 5;
        c.count = 0;
        for (int i = 0; i < 700; i++) {
            const double x = next_random(&random), y = next_random(&random), z = next_random(&random);
            add(sides[k] * x, sides[k] * y, sides[k] * z);
        }
        for (int f = 0; f < FIELDS; f++)
            for (int m = 0; m < 2; m++) {
                rill_surface_options options = rill_surface_default();
                rill_surface_report report;
                options.field = (rill_surface_field)f;
                options.method = (rill_surface_method)m;
                rill_mesh mesh = made(&options, &report);
                whole(&mesh, field_names[f]);
                pieces_check(&mesh, f, report.pieces);
                rill_mesh_free(&mesh);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_keep_their_volume),
        cmocka_unit_test(volume_is_heeded),
        cmocka_unit_test(pieces_hold_particles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
