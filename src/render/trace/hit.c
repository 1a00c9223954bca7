/* From Embree's hit to place, normals and colour. */
#include "render/trace/hit.h"

static void sphere_take(const rill_part *part, const struct RTCRayHit *found, rill_hit *hit)
{
    const float *s = part->vertex + 4 * (size_t)hit->piece;
    const v3 d = {found->ray.dir_x, found->ray.dir_y, found->ray.dir_z};
    const v3 o = {found->ray.org_x, found->ray.org_y, found->ray.org_z}, centre = v3_of(s);
    hit->plane = hit->normal = v3_unit(v3_sub(v3_along(o, found->ray.tfar, d), centre));
    hit->p = v3_along(centre, s[3], hit->plane);
    hit->slack = 2e-6f * (v3_most(v3_abs(centre)) + s[3]);
}

static void triangle_take(const rill_part *part, const struct RTCRayHit *found, rill_hit *hit)
{
    const uint32_t *t = part->triangle + 3 * (size_t)hit->piece;
    const size_t lanes = part->lanes;
    const float *pa = part->vertex + lanes * t[0], *pb = part->vertex + lanes * t[1], *pc = part->vertex + lanes * t[2];
    const v3 a = v3_of(pa), b = v3_of(pb), c = v3_of(pc);
    const float u = found->hit.u, v = found->hit.v, w = 1 - u - v;
    hit->u = u;
    hit->v = v;
    hit->p = v3_along(v3_along(v3_scale(a, w), u, b), v, c);
    hit->plane = v3_unit(v3_cross(v3_sub(b, a), v3_sub(c, a)));
    /* Across the plane rounding is as large as coordinates are in its direction: a level sheet is flat however wide. */
    const v3 n = v3_abs(hit->plane), far = v3_max(v3_abs(a), v3_max(v3_abs(b), v3_abs(c)));
    hit->slack = 1e-6f * v3_dot(n, far) + 1e-8f * v3_most(far);
    hit->normal = hit->plane;
    if (lanes < 8) return;
    const v3 smooth = v3_along(v3_along(v3_scale(v3_of(pa + 4), w), u, v3_of(pb + 4)), v, v3_of(pc + 4));
    if (v3_dot(smooth, hit->plane) > 0) hit->normal = v3_unit(smooth);
}

void rill_hit_take(const rill_stage *stage, const struct RTCRayHit *found, rill_hit *hit)
{
    hit->part = &stage->parts[found->hit.geomID];
    hit->matter = &stage->matter[hit->part->material];
    hit->piece = found->hit.primID;
    if (hit->part->spheres) sphere_take(hit->part, found, hit);
    else triangle_take(hit->part, found, hit);
    const v3 d = {found->ray.dir_x, found->ray.dir_y, found->ray.dir_z};
    hit->front = v3_dot(d, hit->plane) < 0;
}

/* ---- colour ---- */

/* Where a pattern is looked up: uv where there are, else the two axes the surface lies along most. */
static void pattern_place(const rill_hit *hit, float *x, float *y)
{
    const rill_part *part = hit->part;
    if (part->uv) {
        const uint32_t *t = part->triangle + 3 * (size_t)hit->piece;
        const float *uv = part->uv, *a = uv + 2 * (size_t)t[0], *b = uv + 2 * (size_t)t[1], *c = uv + 2 * (size_t)t[2];
        const float w = 1 - hit->u - hit->v;
        *x = w * a[0] + hit->u * b[0] + hit->v * c[0];
        *y = w * a[1] + hit->u * b[1] + hit->v * c[1];
        return;
    }
    const v3 n = v3_abs(hit->plane);
    const bool upright = n.z < n.x || n.z < n.y, along_x = n.y >= n.x;
    *x = !upright || along_x ? hit->p.x : hit->p.y;
    *y = upright ? hit->p.z : hit->p.y;
}

static v3 texel(const rill_material *m, int32_t x, int32_t y)
{
    const int32_t w = (int32_t)m->texture_width, h = (int32_t)m->texture_height;
    x %= w;
    y %= h;
    return v3_of(m->texture + 3 * ((size_t)(y < 0 ? y + h : y) * m->texture_width + (size_t)(x < 0 ? x + w : x)));
}

static v3 texture_at(const rill_material *m, float x, float y)
{
    const float across = (x - f_floor(x)) * (float)m->texture_width - 0.5f;
    const float down = (1 - (y - f_floor(y))) * (float)m->texture_height - 0.5f;
    const float left = f_floor(across), up = f_floor(down), a = across - left, b = down - up;
    const int32_t i = (int32_t)left, j = (int32_t)up;
    const v3 top = v3_add(v3_scale(texel(m, i, j), 1 - a), v3_scale(texel(m, i + 1, j), a));
    const v3 low = v3_add(v3_scale(texel(m, i, j + 1), 1 - a), v3_scale(texel(m, i + 1, j + 1), a));
    return v3_add(v3_scale(top, 1 - b), v3_scale(low, b));
}

/* What lies between the values of a triangle's three vertices. */
static v3 mix3(const float *values, const uint32_t *t, float w, float u, float v)
{
    const float *a = values + 3 * (size_t)t[0], *b = values + 3 * (size_t)t[1], *c = values + 3 * (size_t)t[2];
    return v3_along(v3_along(v3_scale(v3_of(a), w), u, v3_of(b)), v, v3_of(c));
}

v3 rill_hit_colour(const rill_hit *hit)
{
    const rill_matter *m = hit->matter;
    v3 colour = m->colour;
    if (m->given.pattern != RILL_PATTERN_PLAIN) {
        float x, y;
        pattern_place(hit, &x, &y);
        /* A texture keeps its shape: both directions are measured in widths. */
        const float size = (float)m->given.pattern_size;
        x /= size;
        y /= size;
        if (m->given.pattern == RILL_PATTERN_CHECKS) {
            if (((int64_t)f_floor(x) + (int64_t)f_floor(y)) & 1) colour = m->second;
        } else {
            if (!hit->part->uv) y *= (float)m->given.texture_width / (float)m->given.texture_height;
            colour = v3_mul(colour, texture_at(&m->given, x, y));
        }
    }
    if (hit->part->colour) {
        const uint32_t *t = hit->part->triangle + 3 * (size_t)hit->piece;
        colour = v3_mul(colour, mix3(hit->part->colour, t, 1 - hit->u - hit->v, hit->u, hit->v));
    }
    return colour;
}
