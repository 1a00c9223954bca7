/* One lamp with soft shadows, an even sky dimmed by what stands around
 * (occlusion in screen space over a small spiral of samples), a little gloss,
 * the sky mirrored in liquid, and a haze that thickens with depth. */
#include "render/light.h"

#include "render/palette.h"
#include "run/threads.h"
#include "text/pi.h"

enum { SPIRAL = 14, TURNS = 16 };

typedef struct vec {
    float x, y, z;
} vec;

typedef struct lighting {
    const rill_canvas *canvas;
    const rill_light_setup *setup;
    float level_light[256];
    float spiral[TURNS][SPIRAL][2]; /* offsets in a unit disc, a turned copy for each place in a 4 x 4 tile */
    vec lamp, half;                 /* in camera axes */
    vec sky;                        /* up, in camera axes */
    float near, far;                /* depths between which the haze grows */
    float top[3], bottom[3];        /* background */
    float *light;                   /* what is filled */
} lighting;

static float dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec unit(vec a)
{
    float s = 1 / sqrtf(dot(a, a));
    return (vec){a.x * s, a.y * s, a.z * s};
}

static vec camera_axes(const rill_view *view, rill_vec3 d)
{
    return (vec){(float)rill_vec3_dot(d, view->right), (float)rill_vec3_dot(d, view->up),
                 (float)-rill_vec3_dot(d, view->forward)};
}

static void spiral_fill(lighting *l)
{
    for (int turn = 0; turn < TURNS; turn++) {
        /* 7 steps through 16 keep neighbouring samples at unlike angles. */
        double start = 2 * RILL_PI * ((turn * 7) % TURNS) / TURNS;
        for (int i = 0; i < SPIRAL; i++) {
            double radius = pow((i + 0.6) / SPIRAL, 1.4), angle = start + i * 2.399963;
            l->spiral[turn][i][0] = (float)(radius * cos(angle));
            l->spiral[turn][i][1] = (float)(radius * sin(angle));
        }
    }
}

static void depth_range(lighting *l)
{
    size_t count = (size_t)l->canvas->width * l->canvas->height;
    l->near = INFINITY, l->far = 0;
    for (size_t i = 0; i < count; i++) {
        float z = l->canvas->depth[i];
        if (isinf(z)) continue;
        l->near = fminf(l->near, z);
        l->far = fmaxf(l->far, z);
    }
    if (!(l->far > l->near)) l->far = l->near + 1;
}

static vec position(const rill_view *view, float x, float y, float depth)
{
    float metres = (float)(1 / rill_view_scale_at(view, (double)depth));
    return (vec){(x - (float)view->centre_x) * metres, ((float)view->centre_y - y) * metres, -depth};
}

/* The share of the sky that the surroundings leave, 0 to 1. */
static float openness(const lighting *l, uint32_t x, uint32_t y, vec at, vec normal)
{
    const rill_canvas *c = l->canvas;
    float metres_reach = (float)l->setup->reach;
    float reach = metres_reach * (float)rill_view_scale_at(l->setup->view, (double)-at.z);
    reach = fminf(fmaxf(reach, 3), 120);
    const float(*offsets)[2] = l->spiral[(y & 3) * 4 + (x & 3)];
    float hidden = 0;
    for (int i = 0; i < SPIRAL; i++) {
        int sx = (int)x + (int)lrintf(offsets[i][0] * reach), sy = (int)y + (int)lrintf(offsets[i][1] * reach);
        if (sx < 0 || sy < 0 || sx >= (int)c->width || sy >= (int)c->height) continue;
        float z = c->depth[(size_t)sy * c->width + (size_t)sx];
        if (isinf(z)) continue;
        vec p = position(l->setup->view, (float)sx + 0.5f, (float)sy + 0.5f, z);
        vec d = {p.x - at.x, p.y - at.y, p.z - at.z};
        float squared = dot(d, d), limit = metres_reach * metres_reach;
        if (squared >= limit * 2.25f || squared <= 0) continue;
        float facing = dot(d, normal) / sqrtf(squared) - 0.12f;
        if (facing > 0) hidden += facing * (1 - squared / (limit * 2.25f));
    }
    return fmaxf(0, 1 - 1.9f * hidden / SPIRAL);
}

/* The share of the lamp that reaches a point, 0 to 1. */
static float lit(const lighting *l, uint32_t x, uint32_t y)
{
    const rill_light_setup *s = l->setup;
    if (!s->shadow) return 1;
    float z = l->canvas->depth[(size_t)y * l->canvas->width + x];
    rill_vec3 at = rill_view_unproject(s->view, x + 0.5, y + 0.5, (double)z);
    rill_screen_point p = rill_view_project(s->lamp, at);
    const float(*offsets)[2] = l->spiral[(y & 3) * 4 + (x & 3)];
    float free = 0, bound = (float)(p.depth - s->bias);
    for (int i = 0; i < SPIRAL; i++) {
        int sx = (int)(p.x + (double)offsets[i][0] * 3.5), sy = (int)(p.y + (double)offsets[i][1] * 3.5);
        if (sx < 0 || sy < 0 || sx >= (int)s->shadow->width || sy >= (int)s->shadow->height) free += 1;
        else free += s->shadow->depth[(size_t)sy * s->shadow->width + (size_t)sx] >= bound;
    }
    return free / SPIRAL;
}

static void background(const lighting *l, uint32_t y, float out[3])
{
    float t = (float)y / (float)l->canvas->height;
    for (int i = 0; i < 3; i++) out[i] = l->top[i] + (l->bottom[i] - l->top[i]) * t;
}

/* What liquid mirrors of the sky and of the lamp, laid over its own light. The share of the sky grows towards grazing
 * sight much as in Schlick (1994), from the 2 % of water, but stays lower so that rims keep clear of the background. */
static void liquid_mirror(const lighting *l, vec at, vec n, float lamp, float open, float light[3])
{
    vec sight = unit((vec){-at.x, -at.y, -at.z});
    float facing = fmaxf(dot(n, sight), 0), rest = 1 - facing, square = rest * rest;
    float share = open * (0.02f + 0.6f * square * square);
    vec mirrored = {2 * facing * n.x - sight.x, 2 * facing * n.y - sight.y, 2 * facing * n.z - sight.z};
    float height = fminf(fmaxf(0.5f + 0.5f * dot(mirrored, l->sky), 0), 1);
    float shine = fmaxf(0, dot(n, unit((vec){l->lamp.x + sight.x, l->lamp.y + sight.y, l->lamp.z + sight.z})));
    for (int i = 0; i < 6; i++) shine *= shine;
    for (int k = 0; k < 3; k++) {
        float sky = (0.35f + 0.65f * height) * (l->bottom[k] + (l->top[k] - l->bottom[k]) * height);
        light[k] += (sky - light[k]) * share + 0.5f * shine * lamp * open;
    }
}

static void sample_light(const lighting *l, uint32_t x, uint32_t y, const float behind[3], float out[3])
{
    size_t i = (size_t)y * l->canvas->width + x;
    const rill_canvas_sample *s = &l->canvas->samples[i];
    float z = l->canvas->depth[i];
    vec n = unit((vec){(float)s->right + 1e-3f, (float)s->up, (float)s->near + 1e-3f});
    vec at = position(l->setup->view, (float)x + 0.5f, (float)y + 0.5f, z);
    float open = openness(l, x, y, at, n), lamp = lit(l, x, y);
    float facing = fmaxf(0, (dot(n, l->lamp) + 0.2f) / 1.2f);
    float ambient = open * (0.54f + 0.12f * dot(n, l->sky)), direct = 0.72f * facing * (0.15f + 0.85f * lamp);
    float shine = fmaxf(0, dot(n, l->half)), gloss = 0;
    if (s->material == RILL_MATERIAL_PARTICLE || s->material == RILL_MATERIAL_SOLID) {
        shine *= shine, shine *= shine, shine *= shine, shine *= shine, shine *= shine;
        gloss = 0.16f * shine * lamp * open;
    }
    float haze = 0.07f * (z - l->near) / (l->far - l->near);
    float albedo[3] = {l->level_light[s->red], l->level_light[s->green], l->level_light[s->blue]};
    for (int k = 0; k < 3; k++) out[k] = albedo[k] * (ambient + direct) + gloss;
    if (s->material == RILL_MATERIAL_LIQUID) liquid_mirror(l, at, n, lamp, open, out);
    for (int k = 0; k < 3; k++) out[k] += (behind[k] - out[k]) * haze;
}

static void row_light(void *context, size_t row, unsigned worker)
{
    (void)worker;
    const lighting *l = context;
    uint32_t y = (uint32_t)row;
    float behind[3];
    background(l, y, behind);
    for (uint32_t x = 0; x < l->canvas->width; x++) {
        float *out = l->light + ((size_t)y * l->canvas->width + x) * 3;
        if (l->canvas->samples[(size_t)y * l->canvas->width + x].material == RILL_MATERIAL_NONE) {
            for (int k = 0; k < 3; k++) out[k] = behind[k];
        } else {
            sample_light(l, x, y, behind, out);
        }
    }
}

void rill_light_apply(const rill_canvas *canvas, const rill_light_setup *setup, float *light)
{
    lighting l = {.canvas = canvas, .setup = setup, .light = light};
    for (int i = 0; i < 256; i++) l.level_light[i] = rill_palette_light((uint8_t)i);
    static const uint8_t top[3] = {250, 251, 253}, bottom[3] = {224, 230, 237};
    for (int i = 0; i < 3; i++) l.top[i] = l.level_light[top[i]], l.bottom[i] = l.level_light[bottom[i]];
    spiral_fill(&l);
    depth_range(&l);
    l.lamp = unit(camera_axes(setup->view, rill_vec3_scale(setup->lamp->forward, -1)));
    l.half = unit((vec){l.lamp.x, l.lamp.y, l.lamp.z + 1});
    l.sky = camera_axes(setup->view, (rill_vec3){0, 0, 1});
    rill_threads *threads = rill_threads_create(0, NULL);
    for (size_t row = 0; !threads && row < canvas->height; row++) row_light(&l, row, 0);
    if (!threads) return;
    const rill_scheduler scheduler = rill_threads_scheduler(threads);
    rill_parallel_for(&scheduler, canvas->height, row_light, &l);
    rill_threads_destroy(threads);
}

typedef struct line {
    const rill_canvas *canvas;
    rill_screen_point a, b;
    double width, opacity, bias;
    float colour[3];
    float *light;
} line;

/* Mixes the line over one sample, by how much of the sample it covers. */
static void line_sample(const line *l, int64_t x, int64_t y)
{
    if (x < 0 || y < 0 || x >= (int64_t)l->canvas->width || y >= (int64_t)l->canvas->height) return;
    double dx = l->b.x - l->a.x, dy = l->b.y - l->a.y, squared = fmax(dx * dx + dy * dy, 1e-12);
    double px = (double)x + 0.5 - l->a.x, py = (double)y + 0.5 - l->a.y;
    double t = fmin(fmax((px * dx + py * dy) / squared, 0), 1);
    double cover = l->width / 2 + 0.5 - hypot(px - t * dx, py - t * dy);
    if (cover <= 0) return;
    /* Along a line on the screen it is 1/depth that changes evenly. */
    double depth = 1 / ((1 - t) / l->a.depth + t / l->b.depth);
    size_t i = (size_t)y * l->canvas->width + (size_t)x;
    if (depth - l->bias > (double)l->canvas->depth[i]) return;
    float mix = (float)(fmin(cover, 1) * l->opacity);
    for (int k = 0; k < 3; k++) l->light[i * 3 + (size_t)k] += (l->colour[k] - l->light[i * 3 + (size_t)k]) * mix;
}

void rill_light_line(const rill_canvas *canvas, const rill_view *view, rill_vec3 from, rill_vec3 to, double width,
                     uint32_t colour, double opacity, float *light)
{
    line l = {canvas, rill_view_project(view, from), rill_view_project(view, to), width, opacity, 0, {0}, light};
    if (!(l.a.depth > 0 && l.b.depth > 0)) return;
    /* An edge lies exactly in the faces it borders; a hair nearer and it stays whole. */
    l.bias = 2e-3 * fmin(l.a.depth, l.b.depth);
    for (int k = 0; k < 3; k++) l.colour[k] = rill_palette_light((uint8_t)(colour >> (16 - 8 * k)));
    bool flat = fabs(l.b.x - l.a.x) >= fabs(l.b.y - l.a.y);
    double a = flat ? l.a.x : l.a.y, b = flat ? l.b.x : l.b.y;
    double across_a = flat ? l.a.y : l.a.x, across_b = flat ? l.b.y : l.b.x;
    double low = fmax(fmin(a, b) - width, 0), high = fmin(fmax(a, b) + width, flat ? canvas->width : canvas->height);
    double slope = fabs(b - a) > 1e-9 ? (across_b - across_a) / (b - a) : 0;
    for (int64_t i = (int64_t)low; (double)i <= high; i++) {
        double across = across_a + ((double)i + 0.5 - a) * slope, margin = width + 1.5;
        for (int64_t j = (int64_t)floor(across - margin); j <= (int64_t)ceil(across + margin); j++)
            line_sample(&l, flat ? i : j, flat ? j : i);
    }
}

/* Light to 8-bit level through a table: fine enough that no level is missed. */
enum { LEVEL_STEPS = 16384 };

void rill_light_resolve(const float *light, uint32_t width, uint32_t height, uint32_t factor, uint8_t *pixels)
{
    static const float cap = 1;
    uint8_t level[LEVEL_STEPS + 1];
    for (int i = 0; i <= LEVEL_STEPS; i++) {
        /* Steps even in the square root of light are close to even to the eye. */
        float root = (float)i / LEVEL_STEPS;
        level[i] = rill_palette_level(root * root);
    }
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width * 3; x++) {
            float sum = 0;
            for (uint32_t j = 0; j < factor; j++) {
                const float *row = light + ((size_t)(y * factor + j) * width * factor + (size_t)(x / 3) * factor) * 3;
                for (uint32_t i = 0; i < factor; i++) sum += fminf(row[i * 3 + x % 3], cap);
            }
            float mean = fmaxf(sum / (float)(factor * factor), 0);
            pixels[(size_t)y * width * 3 + x] = level[(int)(sqrtf(mean) * LEVEL_STEPS)];
        }
    }
}
