/* Drag in air for spray: a lone particle is a drop of its volume V0 with the drag of a
 * sphere (after Gissler et al. 2017, without the drop's deformation):
 *   a = -s |u| u,   u = v - wind,   s = 3/4 C rho_air/(rho0 b) e,   b = (6 V0/pi)^(1/3)
 * The exposure e is one for a lone particle, whose density is D0 = V0 W(0), and falls to
 * zero just below the density of a flat surface of the rest lattice, D1, so what lies in
 * the liquid or its surface feels nothing:
 *   e = clamp((D1 - D)/(D1 - D0), 0, 1).
 * Over a step the drag alone turns u into u/(1 + s |u| dt), which is exact and stable; it
 * acts on the velocity that the forces before it have made, v + dt a. */

#include "base/maths.h"
#include "base/vec3.h"
#include "physics/method.h"
#include "physics/pairs.h"

typedef struct air_drag {
    float wind[3];
    float lone, flat; /* D0, D1 */
    double breadth;   /* of a drop, m */
    float scale;      /* s rho0, kg/m4 */
} air_drag;

typedef struct job {
    const air_drag *s;
    rill_sph *sph;
    float dt;
} job;

static bool air_drag_active(const rill_sph *sph, const rill_scene *scene)
{
    (void)sph;
    return scene->air.coefficient > 0 && scene->air.density > 0;
}

static rill_status air_drag_create(rill_sph *sph, const rill_scene *scene, void **self, rill_error *err)
{
    air_drag *s = rill_calloc(1, sizeof *s);
    if (!s) return rill_memory_fail(err, sizeof *s, "the drag in air");
    const rill_kernel kernel = rill_kernel_of_density(sph->kernel);
    const double h = sph->support, V0 = sph->volume, breadth = rill_cbrt(6 * V0 / RILL_PI);
    const double lattice = rill_kernel_lattice_sum(kernel, h, sph->diameter);
    (void)scene;
    s->lone = (float)(V0 * rill_kernel_w(kernel, 0, h));
    s->flat = (float)(0.98 * 0.5 * V0 * (lattice + rill_kernel_plane_sum(kernel, h, sph->diameter, 0)));
    s->breadth = breadth;
    *self = s;
    return RILL_OK;
}

static void air_drag_tune(void *self, const rill_scene *scene)
{
    air_drag *s = self;
    s->wind[0] = (float)scene->air.wind.x;
    s->wind[1] = (float)scene->air.wind.y;
    s->wind[2] = (float)scene->air.wind.z;
    s->scale = (float)(0.75 * scene->air.coefficient * scene->air.density / s->breadth);
}

static void drag_body(void *context, const rill_pass_block *block)
{
    const job *j = context;
    const air_drag *s = j->s;
    const rill_sph *sph = j->sph;
    const float *velocity = rill_field_f32(&sph->liquid.fields, FIELD_VELOCITY);
    const float *compression = rill_field_f32(&sph->liquid.fields, FIELD_COMPRESSION);
    float *acceleration = rill_field_f32(&sph->liquid.fields, FIELD_ACCELERATION);
    for (uint32_t i = block->begin; i < block->end; i += RILL_WIDTH) {
        const vrec v = vrec_load(velocity + 4 * (size_t)i);
        vrec a = vrec_load(acceleration + 4 * (size_t)i);
        const vec u = {v.x + j->dt * a.x - s->wind[0], v.y + j->dt * a.y - s->wind[1], v.z + j->dt * a.z - s->wind[2]};
        const vf exposure = (s->flat - vf_load(compression + i)) / (s->flat - s->lone);
        const vf e = vf_min(vf_max(exposure, (vf){0}), vf_set(1));
        const vf strength = s->scale * e * vf_sqrt(vec_dot(u, u)) / by_fluid(sph, sph->rest_density, i);
        const vf slow = strength / (1 + strength * j->dt);
        a.x -= slow * u.x;
        a.y -= slow * u.y;
        a.z -= slow * u.z;
        vrec_store(acceleration + 4 * (size_t)i, a);
    }
}

static rill_status air_drag_apply(void *self, const rill_step_context *step, rill_solve_result *result, rill_error *err)
{
    (void)result, (void)err;
    rill_sph *sph = step->sph;
    job j = {self, sph, (float)step->dt};
    const rill_mask a = FIELD_BIT(FIELD_ACCELERATION), fluid = sph->fluid_count > 1 ? FIELD_BIT(FIELD_FLUID) : 0;
    const rill_pass drag = {"air_drag", drag_body,
                            FIELD_BIT(FIELD_VELOCITY) | FIELD_BIT(FIELD_COMPRESSION) | fluid | a, 0, a};
    rill_step_run(step, &drag, &j);
    return RILL_OK;
}

/* ---- keys ---- */

static const rill_param parts[] = {
    {"coefficient", RILL_PARAM_NUMBER, RILL_BETWEEN(0, 1e6), .offset = offsetof(rill_scene, air.coefficient),
     .live = true,
     .about = "The drag coefficient of a drop, 0.47 for a sphere; 0: the air does not matter."},
    {"density", RILL_PARAM_NUMBER, RILL_MASS_DENSITY, RILL_BETWEEN(0, 1e6), .offset = offsetof(rill_scene, air.density),
     .live = true,
     .about = "The density of the air."},
    {"wind", RILL_PARAM_VECTOR, RILL_SPEED, .offset = offsetof(rill_scene, air.wind), .live = true,
     .about = "The velocity of the air."},
    {0}};
static const rill_param params[] = {
    {"air_drag", RILL_PARAM_GROUP, .in = RILL_IN_SCENE, .parts = parts, .flow = true,
     .about = "Drag in air, for spray: it acts in full on a lone particle and not at all on one that lies in the fluid "
              "or its surface."},
    {0}};

/* Spray goes with the wind in the end. */
static double air_drag_expected_speed(const rill_scene *scene)
{
    return scene->air.coefficient > 0 ? rill_vec3_length(scene->air.wind) : 0;
}

extern const rill_force RILL_WIDE(rill_force_air_drag);
const rill_force RILL_WIDE(rill_force_air_drag) = {
    .name = "air_drag",
    .params = params,
    .active = air_drag_active,
    .expected_speed = air_drag_expected_speed,
    .create = air_drag_create,
    .tune = air_drag_tune,
    .destroy = rill_free,
    .apply = air_drag_apply,
};
