/* Spheres, faces and triangles into a depth buffer. */
#include "render/canvas.h"

bool rill_canvas_create(rill_canvas *canvas, uint32_t width, uint32_t height, bool samples)
{
    size_t count = (size_t)width * height;
    *canvas = (rill_canvas){.width = width, .height = height};
    canvas->depth = rill_malloc(count * sizeof *canvas->depth);
    if (samples) canvas->samples = rill_calloc(count, sizeof *canvas->samples);
    if (!canvas->depth || (samples && !canvas->samples)) {
        rill_canvas_free(canvas);
        return false;
    }
    for (size_t i = 0; i < count; i++) canvas->depth[i] = INFINITY;
    return true;
}

void rill_canvas_free(rill_canvas *canvas)
{
    rill_free(canvas->depth);
    rill_free(canvas->samples);
    *canvas = (rill_canvas){0};
}

static rill_canvas_sample sample_of(uint32_t colour, rill_shot_material material, double x, double y, double z)
{
    return (rill_canvas_sample){.red = (uint8_t)(colour >> 16),
                         .green = (uint8_t)(colour >> 8),
                         .blue = (uint8_t)colour,
                         .material = (uint8_t)material,
                         .right = (int32_t)lrint(RILL_NORMAL_LENGTH * x),
                         .up = (int32_t)lrint(RILL_NORMAL_LENGTH * y),
                         .near = (int32_t)lrint(RILL_NORMAL_LENGTH * z)};
}

/* The samples whose centres lie in [low, high], cut to [0, size). Empty: first > last. */
static void range_cut(double low, double high, uint32_t size, int64_t *first, int64_t *last)
{
    *first = low > 0.5 ? (int64_t)ceil(fmin(low - 0.5, 1e9)) : 0;
    *last = high < size ? (int64_t)floor(fmax(high - 0.5, -1.0)) : (int64_t)size - 1;
}

void rill_canvas_bead(rill_canvas *canvas, const rill_view *view, rill_vec3 centre, double radius, uint32_t colour)
{
    rill_screen_point p = rill_view_project(view, centre);
    /* The negated comparison also turns away NaN. */
    if (!(p.depth > radius)) return;
    /* Even far beads touch a sample, so distant water does not turn to dust. */
    float r = (float)fmax(radius * rill_view_scale_at(view, p.depth), 0.71);
    int64_t x0, x1, y0, y1;
    range_cut(p.x - r, p.x + r, canvas->width, &x0, &x1);
    range_cut(p.y - r, p.y + r, canvas->height, &y0, &y1);
    float inverse = 1 / r, squared = r * r, bulge = (float)radius * inverse, nearest = (float)(p.depth - radius);
    for (int64_t y = y0; y <= y1; y++) {
        float dy = (float)((double)y + 0.5 - p.y);
        float *depth = canvas->depth + (size_t)y * canvas->width;
        for (int64_t x = x0; x <= x1; x++) {
            float dx = (float)((double)x + 0.5 - p.x);
            float inside = squared - dx * dx - dy * dy;
            if (inside < 0 || nearest >= depth[x]) continue;
            float height = sqrtf(inside);
            float z = (float)p.depth - height * bulge;
            if (z >= depth[x]) continue;
            depth[x] = z;
            if (!canvas->samples) continue;
            canvas->samples[(size_t)y * canvas->width + (size_t)x] =
                sample_of(colour, RILL_MATERIAL_PARTICLE, dx * inverse, -dy * inverse, height * inverse);
        }
    }
}

/* Where the ray through (x, y) first meets the sphere; false when it misses or the camera is inside. */
static bool sphere_hit(const rill_view *view, rill_vec3 offset, double radius, double x, double y, double *depth,
                       rill_vec3 *normal)
{
    double u = (x - view->centre_x) / view->scale, v = (view->centre_y - y) / view->scale;
    rill_vec3 from = view->perspective ? (rill_vec3){0} : (rill_vec3){u, v, 0};
    rill_vec3 along = view->perspective ? (rill_vec3){u, v, 1} : (rill_vec3){0, 0, 1};
    rill_vec3 c = rill_vec3_sub(offset, from);
    double a = rill_vec3_dot(along, along), b = rill_vec3_dot(along, c);
    double discriminant = b * b - a * (rill_vec3_dot(c, c) - radius * radius);
    if (discriminant < 0) return false;
    *depth = (b - sqrt(discriminant)) / a;
    if (*depth <= 0) return false;
    rill_vec3 hit = rill_vec3_add(from, rill_vec3_scale(along, *depth));
    *normal = rill_vec3_scale(rill_vec3_sub(hit, offset), 1 / radius);
    return true;
}

void rill_canvas_sphere(rill_canvas *canvas, const rill_view *view, rill_vec3 centre, double radius, uint32_t colour)
{
    rill_screen_point p = rill_view_project(view, centre);
    if (!(p.depth > radius)) return;
    /* The outline of a sphere seen in perspective reaches past the projected radius; the margin covers it. */
    double reach = view->perspective ? sqrt(p.depth * p.depth - radius * radius) : 1;
    double margin = view->perspective ? 1.3 * radius * view->scale / reach : radius * view->scale;
    int64_t x0, x1, y0, y1;
    range_cut(p.x - margin, p.x + margin, canvas->width, &x0, &x1);
    range_cut(p.y - margin, p.y + margin, canvas->height, &y0, &y1);
    rill_vec3 d = rill_vec3_sub(centre, view->eye);
    rill_vec3 offset = {rill_vec3_dot(d, view->right), rill_vec3_dot(d, view->up), rill_vec3_dot(d, view->forward)};
    for (int64_t y = y0; y <= y1; y++) {
        for (int64_t x = x0; x <= x1; x++) {
            size_t i = (size_t)y * canvas->width + (size_t)x;
            double depth;
            rill_vec3 n;
            if (!sphere_hit(view, offset, radius, (double)x + 0.5, (double)y + 0.5, &depth, &n)) continue;
            if ((float)depth >= canvas->depth[i]) continue;
            canvas->depth[i] = (float)depth;
            if (canvas->samples) canvas->samples[i] = sample_of(colour, RILL_MATERIAL_SOLID, n.x, n.y, -n.z);
        }
    }
}

/* The depth at which the ray through (x, y) meets the plane. */
static double plane_depth(const rill_view *view, rill_vec3 normal, double offset, double x, double y)
{
    double u = (x - view->centre_x) / view->scale, v = (view->centre_y - y) / view->scale;
    if (view->perspective) return offset / (normal.x * u + normal.y * v + normal.z);
    return (offset - normal.x * u - normal.y * v) / normal.z;
}

static bool inside_convex(const rill_screen_point p[4], double x, double y)
{
    int positive = 0, negative = 0;
    for (int i = 0; i < 4; i++) {
        const rill_screen_point *a = &p[i], *b = &p[(i + 1) & 3];
        double side = (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
        positive += side > 0;
        negative += side < 0;
    }
    return !positive || !negative;
}

void rill_canvas_face(rill_canvas *canvas, const rill_view *view, const rill_vec3 corners[4], rill_vec3 normal,
                      rill_shot_material material, uint32_t colour)
{
    rill_screen_point p[4];
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
    for (int i = 0; i < 4; i++) {
        p[i] = rill_view_project(view, corners[i]);
        if (!(p[i].depth > 0)) return;
        left = fmin(left, p[i].x), right = fmax(right, p[i].x);
        top = fmin(top, p[i].y), bottom = fmax(bottom, p[i].y);
    }
    rill_vec3 n = {rill_vec3_dot(normal, view->right), rill_vec3_dot(normal, view->up),
                   rill_vec3_dot(normal, view->forward)};
    double offset = rill_vec3_dot(normal, rill_vec3_sub(corners[0], view->eye));
    rill_canvas_sample sample = sample_of(colour, material, n.x, n.y, -n.z);
    int64_t x0, x1, y0, y1;
    range_cut(left, right, canvas->width, &x0, &x1);
    range_cut(top, bottom, canvas->height, &y0, &y1);
    for (int64_t y = y0; y <= y1; y++) {
        for (int64_t x = x0; x <= x1; x++) {
            double at_x = (double)x + 0.5, at_y = (double)y + 0.5;
            if (!inside_convex(p, at_x, at_y)) continue;
            size_t i = (size_t)y * canvas->width + (size_t)x;
            float depth = (float)plane_depth(view, n, offset, at_x, at_y);
            if (!(depth < canvas->depth[i])) continue;
            canvas->depth[i] = depth;
            if (canvas->samples) canvas->samples[i] = sample;
        }
    }
}

/* Twice the area of a, b and (x, y), positive when they run counter-clockwise on the screen, whose y points down. */
static double edge_side(const rill_screen_point *a, const rill_screen_point *b, double x, double y)
{
    return (b->y - a->y) * (x - a->x) - (b->x - a->x) * (y - a->y);
}

/* The corners' shares at (x, y), as seen in space, and the depth there; false outside. */
static bool triangle_hit(const rill_view *view, const rill_screen_point p[3], double area, double x, double y,
                         double share[3], double *depth)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        share[i] = edge_side(&p[(i + 1) % 3], &p[(i + 2) % 3], x, y) / area;
        /* A hair of overlap, so that rounding leaves no pinholes between neighbours. */
        if (share[i] < -1e-9) return false;
    }
    /* On the screen it is 1/depth that changes evenly. */
    for (int i = 0; i < 3; i++) sum += view->perspective ? share[i] / p[i].depth : share[i] * p[i].depth;
    *depth = view->perspective ? 1 / sum : sum;
    for (int i = 0; i < 3 && view->perspective; i++) share[i] *= *depth / p[i].depth;
    return true;
}

/* What a triangle shows where its corners have these shares. */
static rill_canvas_sample triangle_sample(const rill_view *view, const rill_corner corners[3],
                                          rill_shot_material material, const double share[3])
{
    rill_vec3 normal = {0, 0, 0};
    uint32_t colour = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        double level = 0;
        for (int i = 0; i < 3; i++) level += share[i] * (double)(corners[i].colour >> shift & 255);
        colour |= (uint32_t)fmin(fmax(level + 0.5, 0), 255) << shift;
    }
    for (int i = 0; i < 3; i++) normal = rill_vec3_add(normal, rill_vec3_scale(corners[i].normal, share[i]));
    normal = rill_vec3_scale(normal, 1 / fmax(rill_vec3_length(normal), 1e-9));
    return sample_of(colour, material, rill_vec3_dot(normal, view->right), rill_vec3_dot(normal, view->up),
                     -rill_vec3_dot(normal, view->forward));
}

void rill_canvas_triangle(rill_canvas *canvas, const rill_view *view, const rill_corner corners[3],
                          rill_shot_material material)
{
    rill_screen_point p[3];
    for (int i = 0; i < 3; i++) {
        p[i] = rill_view_project(view, corners[i].at);
        if (!(p[i].depth > 0)) return;
    }
    double area = edge_side(&p[0], &p[1], p[2].x, p[2].y);
    if (!(area > 0)) return;
    int64_t x0, x1, y0, y1;
    range_cut(fmin(fmin(p[0].x, p[1].x), p[2].x), fmax(fmax(p[0].x, p[1].x), p[2].x), canvas->width, &x0, &x1);
    range_cut(fmin(fmin(p[0].y, p[1].y), p[2].y), fmax(fmax(p[0].y, p[1].y), p[2].y), canvas->height, &y0, &y1);
    for (int64_t y = y0; y <= y1; y++) {
        for (int64_t x = x0; x <= x1; x++) {
            size_t i = (size_t)y * canvas->width + (size_t)x;
            double share[3], depth;
            if (!triangle_hit(view, p, area, (double)x + 0.5, (double)y + 0.5, share, &depth)) continue;
            if (!((float)depth < canvas->depth[i])) continue;
            canvas->depth[i] = (float)depth;
            if (canvas->samples) canvas->samples[i] = triangle_sample(view, corners, material, share);
        }
    }
}
