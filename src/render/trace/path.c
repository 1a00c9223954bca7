/* Unidirectional path tracing with light drawn from lamps at every vertex and
 * both ways of finding it weighed by the power heuristic (Veach 1997).
 *
 * Paths that reach a light through smooth boundaries cannot be met by drawing
 * from lamps. With `caustics` they count in full. Without, drawn light is led
 * straight through such boundaries (shadow.c), so paths that went from a matt
 * surface through boundaries only must not count again; those that were mirrored
 * on the way do count where the light is the sky, and are left out where it is a
 * sun or a lamp, which chance finds too rarely. */
#include "render/trace/path.h"

#include "render/trace/bend.h"
#include "render/trace/fresnel.h"

enum { STEPS_MORE = 128, ROULETTE_FROM = 16, ENDLESS_FROM = 32 };

typedef struct path {
    const rill_tracer *tracer;
    const rill_sampler *sampler;
    rill_rays *rays;
    v3 o, d;
    v3 carried;     /* what of the light that arrives here reaches the camera */
    v3 near, later; /* light found: seen, mirrored or on the first matt surface, and by other ways */
    rill_media media;
    rill_receiver from; /* the last vertex where light was drawn, */
    float pdf;      /* and how likely the direction was there */
    uint32_t matt;  /* such vertices so far */
    bool passed, mirrored; /* since then, by smooth boundaries */
    bool folded;    /* the direction was turned up out of the surface */
    uint32_t step, depth;
    rill_draw choices; /* for smooth boundaries, the next four of them, */
    uint32_t chosen;   /* of which so many are used */
    bool met;
    struct RTCRayHit ray;
} path;

/* What a vertex does to light: a boundary, or a medium's particles. */
typedef struct vertex {
    v3 p;
    const rill_hit *hit; /* NULL: in a medium */
    rill_bsdf bsdf;
    v3 x, y, z, plane; /* axes; z and the plane's normal on the side the path came from */
    v3 w;              /* back along the path, in these axes */
    float forward;     /* in a medium */
    rill_media behind; /* the media on the other side of a boundary */
} vertex;

static v3 to_world(const vertex *e, v3 a)
{
    return v3_along(v3_along(v3_scale(e->x, a.x), a.y, e->y), a.z, e->z);
}

static v3 to_axes(const vertex *e, v3 a)
{
    return (v3){v3_dot(a, e->x), v3_dot(a, e->y), v3_dot(a, e->z)};
}

/* ---- light found by chance ---- */

static float power_weight(float own, float other)
{
    if (!(own < INFINITY)) return 1;
    return own * own / f_max(1e-30f, own * own + other * other);
}

/* The weight of a light that the path ran into, which would have been drawn with lamp_pdf among its kind; `small`
 * lights are those chance finds too rarely. */
static float found_weight(const path *p, float lamp_pdf, bool small)
{
    if (!p->matt) return 1;
    if (p->mirrored || p->passed) return p->tracer->caustics ? 1 : p->mirrored && !small ? 1 : 0;
    if (p->folded) return small ? 0 : 1;
    switch (p->tracer->strategy) {
    case RILL_STRATEGY_LAMPS: return 0;
    case RILL_STRATEGY_CHANCE: return 1;
    default: return power_weight(p->pdf, lamp_pdf);
    }
}

/* Light itself, mirrored or not, and the first matt surface in it are not what a limit is for; light that was refracted
 * is: all of a sun that a drop shows in less than a pixel comes as sparks. */
static void receive(path *p, v3 light, float weight)
{
    if (weight <= 0) return;
    v3 *sum = p->passed || p->matt + p->mirrored > 1 ? &p->later : &p->near;
    *sum = v3_add(*sum, v3_scale(v3_mul(p->carried, light), weight));
}

static void sky_meet(path *p)
{
    const rill_stage *stage = p->tracer->stage;
    if (!stage->heaven.width) return;
    float pdf;
    const v3 light = rill_heaven_at(&stage->heaven, p->d, &pdf);
    receive(p, light, found_weight(p, pdf, false));
    if (stage->shines[RILL_SHINE_SUN] && rill_heaven_is_sun(&stage->heaven, p->d))
        receive(p, stage->heaven.sun_light, found_weight(p, rill_heaven_sun_pdf(&stage->heaven), true));
}

static void lamp_meet(path *p, const rill_hit *hit)
{
    const float cosine = -v3_dot(p->d, hit->plane);
    if (cosine <= 1e-6f) return;
    const v3 light = hit->matter->emission, way = v3_sub(hit->p, p->from.p);
    const rill_stage *stage = p->tracer->stage;
    const float far = sqrtf(v3_dot(way, way));
    const bool listed = stage->lamp_power > 0 && p->matt && v3_luminance(light) > 0;
    const float pdf = listed ? rill_lamp_pdf(stage, &p->from, hit->part->lamp + hit->piece, far, cosine) : 0;
    receive(p, light, found_weight(p, pdf, true));
}

/* ---- vertices ---- */

static void vertex_place(vertex *e, const rill_hit *hit, v3 back)
{
    const float side = hit->front ? 1 : -1;
    e->p = hit->p;
    e->hit = hit;
    e->plane = v3_scale(hit->plane, side);
    e->z = hit->normal.x == hit->plane.x && hit->normal.y == hit->plane.y && hit->normal.z == hit->plane.z
               ? e->plane
               : rill_normal_facing(v3_scale(hit->normal, side), e->plane, back);
    v3_basis(e->z, &e->x, &e->y);
    e->w = to_axes(e, back);
    e->w.z = f_max(e->w.z, 1e-5f);
}

static void vertex_dress(vertex *e, const rill_stage *stage, const rill_media *front)
{
    const rill_matter *m = e->hit->matter;
    const rill_medium *here = &stage->media[front->top];
    e->bsdf = (rill_bsdf){.kind = m->given.kind, .colour = rill_hit_colour(e->hit), .alpha = m->alpha, .eta = 1};
    if (m->given.kind == RILL_MATERIAL_DIELECTRIC) {
        const uint32_t other = e->hit->front ? front->top : e->behind.top;
        e->bsdf.eta = stage->media[e->behind.top].index / here->index;
        e->bsdf.alpha = rill_matter_alpha(m, e->bsdf.eta);
        if (m->albedo) e->bsdf.albedo = m->albedo[2 * other + (e->hit->front ? 0 : 1)];
    } else if (m->albedo) {
        const bool coated = m->given.kind == RILL_MATERIAL_COATED;
        e->bsdf.eta = m->given.index / here->index;
        e->bsdf.albedo = m->albedo[coated ? 2 * front->top : 0];
    }
}

/* ---- light drawn from lamps ---- */

static v3 vertex_value(const vertex *e, v3 l, float *pdf)
{
    if (!e->hit) {
        *pdf = rill_phase_at(e->forward, v3_dot(e->z, l));
        return v3_all(*pdf);
    }
    const v3 inside = to_axes(e, l);
    *pdf = 0;
    /* Light from one side of the plane must not shine on the other through a bent normal. */
    if ((inside.z > 0) != (v3_dot(l, e->plane) > 0)) return v3_all(0);
    return rill_bsdf_value(&e->bsdf, e->w, inside, pdf);
}

/* Light that a boundary of a medium meets from behind counts too. */
static rill_receiver receiver_of(const vertex *e)
{
    const bool both = !e->hit || e->bsdf.kind == RILL_MATERIAL_DIELECTRIC;
    return (rill_receiver){e->p, both ? v3_all(0) : e->plane};
}

static void lamp_ask(path *p, const vertex *e, rill_shine_kind kind, const float *u)
{
    const rill_tracer *tracer = p->tracer;
    rill_shine shine;
    const rill_receiver to = receiver_of(e);
    if (!rill_shine_draw(tracer->stage, kind, &to, u, &shine)) return;
    float chance_pdf;
    v3 value = vertex_value(e, shine.l, &chance_pdf);
    if (v3_most(value) <= 0 || v3_most(shine.light) <= 0) return;
    const bool through = e->hit && v3_dot(shine.l, e->plane) < 0;
    const v3 origin = e->hit ? rill_hit_leave(e->hit, shine.l) : e->p;
    const rill_passage way = rill_shadow_pass(tracer, origin, shine.l, shine.far, through ? e->behind : p->media,
                                              p->rays);
    if (!e->hit && way.crossed) value = v3_all(rill_phase_at(e->forward, v3_dot(e->z, way.bent)) * way.squeeze);
    const bool alone = way.crossed || tracer->strategy == RILL_STRATEGY_LAMPS;
    const float weight = (alone ? 1 : power_weight(shine.pdf, chance_pdf)) / shine.pdf;
    v3 *sum = p->matt > 1 ? &p->later : &p->near;
    *sum = v3_add(*sum, v3_scale(v3_mul(v3_mul(p->carried, value), v3_mul(shine.light, way.share)), weight));
}

/* Every kind of light is drawn at every vertex: another shadow ray costs less than the noise of choosing. */
static void lamps_ask(path *p, const vertex *e, const float *u)
{
    if (p->tracer->strategy == RILL_STRATEGY_CHANCE) return;
    for (rill_shine_kind kind = 0; kind < RILL_SHINE_KINDS; kind++)
        if (p->tracer->stage->shines[kind]) lamp_ask(p, e, kind, u);
}

/* ---- going on ---- */

static bool go_on(path *p, const vertex *e, const float *u)
{
    rill_scatter s;
    if (!e->hit) {
        s = (rill_scatter){.l = rill_phase_draw(e->forward, u[0], u[1]), .weight = v3_all(1)};
        p->d = to_world(e, s.l);
        p->pdf = rill_phase_at(e->forward, s.l.z);
        p->o = e->p;
        p->folded = false;
    } else {
        if (!rill_bsdf_draw(&e->bsdf, e->w, u, &s)) return false;
        p->d = to_world(e, s.l);
        p->folded = rill_direction_fold(&p->d, e->plane, s.through, s.sharp) && !s.sharp;
        p->o = rill_hit_leave(e->hit, p->d);
        if (s.through) p->media = e->behind;
        if (!s.sharp) p->pdf = s.pdf;
    }
    p->carried = v3_mul(p->carried, s.weight);
    p->passed = s.sharp ? p->passed || s.through : false;
    p->mirrored = s.sharp ? p->mirrored || !s.through : false;
    if (!s.sharp) p->from = receiver_of(e);
    /* A coat is sharp and matt at once: mirrored by it, the path has not met a matt surface. */
    if (s.sharp && e->hit && e->bsdf.kind == RILL_MATERIAL_COATED) p->matt--;
    return ++p->depth < p->tracer->depth;
}

/* How likely a path goes on: surely while it carries much, counted as it would in air, since in a medium radiance is
 * higher by the square of the index. Ending paths early costs more in noise than it saves. */
static float roulette_chance(const path *p)
{
    if (p->matt < 2 && p->depth < ROULETTE_FROM) return 1;
    const float index = p->tracer->stage->media[p->media.top].index, most = p->depth < ENDLESS_FROM ? 1 : 0.95f;
    return f_min(most, 2.5f * v3_most(p->carried) * index * index);
}

static bool roulette(path *p, float chance, float u)
{
    if (!(u < chance)) return false;
    p->carried = v3_scale(p->carried, 1 / chance);
    return true;
}

static bool vertex_work(path *p, vertex *e)
{
    const rill_draw draw = rill_sampler_draw(p->sampler, 1 + 3 * p->step);
    if (!e->hit || !rill_bsdf_is_sharp(&e->bsdf)) {
        const rill_draw lamp = rill_sampler_draw(p->sampler, 2 + 3 * p->step);
        p->matt++;
        lamps_ask(p, e, lamp.v);
    }
    return go_on(p, e, draw.v) && roulette(p, roulette_chance(p), draw.v[3]);
}

/* ---- smooth boundaries ---- */

/* Boundaries one behind the other take numbers from one group, and with a pinhole from that of the pixel: together
 * they are spread more evenly than each by itself. */
static float choice_next(path *p)
{
    if (p->chosen == 4) {
        p->choices = rill_sampler_draw(p->sampler, 1 + 3 * p->step);
        p->chosen = 0;
    }
    return p->choices.v[p->chosen++];
}

/* Most vertices among water and glass: mirrored or refracted without any axes, by one number. */
static bool smooth_meet(path *p, const rill_hit *hit, const rill_media *behind)
{
    const rill_medium *media = p->tracer->stage->media;
    const float side = hit->front ? 1 : -1, eta = media[behind->top].index / media[p->media.top].index;
    const v3 w = v3_scale(p->d, -1), plane = v3_scale(hit->plane, side);
    const v3 n = rill_normal_facing(v3_scale(hit->normal, side), plane, w);
    const float cosine = f_min(1, f_max(v3_dot(w, n), 1e-5f));
    float beyond;
    const bool through = choice_next(p) >= rill_fresnel(cosine, eta, &beyond);
    p->d = v3_unit(through ? rill_refract(w, n, cosine, beyond, eta) : rill_reflect(w, n));
    if (through) {
        p->carried = v3_mul(p->carried, v3_scale(rill_hit_colour(hit), 1 / (eta * eta)));
        p->media = *behind;
    }
    rill_direction_fold(&p->d, plane, through, true);
    p->passed = p->passed || through;
    p->mirrored = p->mirrored || !through;
    p->o = rill_hit_leave(hit, p->d);
    if (++p->depth >= p->tracer->depth) return false;
    const float chance = roulette_chance(p);
    return chance >= 1 || roulette(p, chance, rill_sampler_draw_last(p->sampler, 2 + 3 * p->step).v[3]);
}

/* ---- between vertices ---- */

/* The way through a medium up to a surface: light is lost, or met by particles before. True for the latter. */
static bool medium_cross(path *p, float far, vertex *e)
{
    const rill_medium *m = &p->tracer->stage->media[p->media.top];
    if (!m->absorbs) return false;
    if (!m->scatters) {
        p->carried = v3_mul(p->carried, rill_medium_pass(m, far));
        return false;
    }
    const rill_draw draw = rill_sampler_draw(p->sampler, 3 + 3 * p->step);
    const float *k = &m->extinction.x;
    const float rate = k[draw.v[0] < 1.0f / 3 ? 0 : draw.v[0] < 2.0f / 3 ? 1 : 2];
    const float way = rate > 0 ? -logf(1 - draw.v[1]) / rate : INFINITY;
    const bool met = way < far;
    const v3 left = rill_medium_pass(m, met ? way : far);
    /* Any of the three colours might have chosen the way. */
    const v3 chance = met ? v3_mul(m->extinction, left) : left;
    const float mean = f_max(1e-30f, (chance.x + chance.y + chance.z) / 3);
    p->carried = v3_scale(v3_mul(p->carried, met ? v3_mul(left, m->scattering) : left), 1 / mean);
    if (!met) return false;
    *e = (vertex){.p = v3_along(p->o, way, p->d), .z = p->d, .plane = p->d, .forward = m->forward};
    v3_basis(e->z, &e->x, &e->y);
    return true;
}

/* A boundary that is none, since a medium of higher priority is on both sides: the path goes on as if it were not. */
static void pass_by(path *p, const rill_hit *hit, const rill_media *behind)
{
    p->media = *behind;
    p->o = rill_hit_leave(hit, p->d);
}

static bool surface_meet(path *p, const rill_hit *hit)
{
    const rill_stage *stage = p->tracer->stage;
    if (hit->matter->given.kind == RILL_MATERIAL_LIGHT) {
        lamp_meet(p, hit);
        return false;
    }
    vertex e;
    if (hit->matter->medium &&
        !rill_media_cross(&p->media, hit->matter->medium, hit->front, stage->media, &e.behind)) {
        pass_by(p, hit, &e.behind);
        return true;
    }
    if (hit->matter->medium && hit->matter->alpha == 0) return smooth_meet(p, hit, &e.behind);
    if (!hit->matter->medium) e.behind = p->media;
    vertex_place(&e, hit, v3_scale(p->d, -1));
    vertex_dress(&e, stage, &p->media);
    return vertex_work(p, &e);
}

static void ray_note(rill_ray_log *log, const struct RTCRay *ray)
{
    if (log->count < log->room) log->rays[log->count++] = *ray;
}

/* ---- paths side by side ---- */

static void cast(path *p)
{
    rill_ray_set(&p->ray, p->o, p->d, INFINITY);
    if (p->tracer->log) ray_note(p->tracer->log, &p->ray.ray);
    if (p->step == 0) p->rays->camera++;
    else p->rays->bounce++;
    p->met = rill_ray_meets(p->tracer->stage, &p->ray);
    if (p->met) rill_hit_fetch(p->tracer->stage, &p->ray);
}

/* From where it is to the surface or particle it met; false at the path's end. */
static bool advance(path *p)
{
    vertex particle;
    /* Who leaves the stage upwards out of a medium came through a gap in its boundary, and loses nothing by that. */
    const float far = p->met ? p->ray.ray.tfar : p->d.z > 0 ? 0 : INFINITY;
    if (medium_cross(p, far, &particle)) return vertex_work(p, &particle);
    if (!p->met) {
        sky_meet(p);
        return false;
    }
    rill_hit hit;
    rill_hit_take(p->tracer->stage, &p->ray, &hit);
    return surface_meet(p, &hit);
}

/* Field by field: the ray is large and set before it is cast. */
static void path_start(path *p, const rill_tracer *tracer, const rill_path *asked, rill_rays *rays)
{
    p->tracer = tracer;
    p->sampler = &asked->sampler;
    p->rays = rays;
    p->o = asked->origin;
    p->from = (rill_receiver){p->o, v3_all(0)};
    p->d = asked->direction;
    p->carried = v3_all(1);
    p->near = p->later = v3_all(0);
    p->media = tracer->eye;
    p->pdf = 0;
    p->matt = p->step = p->depth = 0;
    p->passed = p->mirrored = p->folded = false;
    p->choices = asked->choices;
    p->chosen = asked->chosen;
}

static v3 path_light(const path *p)
{
    const float found = v3_luminance(p->later), clamp = p->tracer->clamp;
    const v3 later = clamp > 0 && found > clamp ? v3_scale(p->later, clamp / found) : p->later;
    const v3 light = v3_add(p->near, later);
    return v3_finite(light) ? light : v3_all(0);
}

/* All paths take a step, then the next: what one waits for in memory arrives while the others are at work. */
void rill_paths_trace(const rill_tracer *tracer, rill_path *asked, uint32_t count, rill_rays *rays)
{
    path paths[RILL_PATHS_MOST], *live[RILL_PATHS_MOST];
    const uint32_t most = tracer->depth + STEPS_MORE;
    uint32_t left = count;
    for (uint32_t i = 0; i < count; i++) {
        path_start(&paths[i], tracer, &asked[i], rays);
        live[i] = &paths[i];
    }
    while (left) {
        uint32_t still = 0;
        for (uint32_t i = 0; i < left; i++) cast(live[i]);
        for (uint32_t i = 0; i < left; i++)
            if (live[i]->met) rill_hit_fetch_vertices(tracer->stage, &live[i]->ray);
        for (uint32_t i = 0; i < left; i++) {
            path *p = live[i];
            const bool on = advance(p) && v3_most(p->carried) > 0 && ++p->step < most;
            if (on) live[still++] = p;
        }
        left = still;
    }
    for (uint32_t i = 0; i < count; i++) asked[i].light = path_light(&paths[i]);
}
