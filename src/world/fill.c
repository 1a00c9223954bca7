/* Where particles start: on a lattice inside each fill, cut by walls. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "geom/clip.h"
#include "world/world.h"

void rill_scene_snap(rill_scene *scene)
{
    for (uint32_t i = 0; i < scene->boundary_count; i++) {
        rill_boundary *b = &scene->boundaries[i];
        if (b->snap) b->shape = rill_shape_snapped(&b->shape, scene->particle_diameter);
    }
}

/* ---- bodies ---- */

bool rill_boundary_continues(const rill_scene *scene, const rill_boundary *def, int axis)
{
    const rill_geometry *g = rill_geometry_of(&def->shape);
    return scene->periodic[axis] && !def->solid && g->continues && g->continues(&def->shape, axis);
}

/* Once around, whatever the shape says: its walls must neither overlap nor leave a gap. */
static void stretch(const rill_scene *scene, rill_shape *shape, int axis)
{
    const bool down = rill_vec3_get(&shape->to, axis) < rill_vec3_get(&shape->from, axis);
    rill_vec3_set(&shape->from, axis, rill_vec3_get(down ? &scene->domain_to : &scene->domain_from, axis));
    rill_vec3_set(&shape->to, axis, rill_vec3_get(down ? &scene->domain_from : &scene->domain_to, axis));
}

/* A body turns about the point that its motion names, or else about its centre. */
static rill_pose pose_of(const rill_boundary *def, const rill_shape *shape)
{
    const rill_body body = rill_body_make(shape);
    const rill_motion *m = &def->motion;
    if (!m->about_given && !shape->rotate.about_given) return body.pose;
    const rill_vec3 point = m->about_given ? m->about : rill_body_centre(&body);
    return rill_pose_placed(body.pose.rotation, rill_pose_own(&body.pose, point), point);
}

static rill_body body_of(const rill_scene *scene, const rill_boundary *def, const rill_bounds *clip)
{
    const rill_vec3 length = rill_vec3_sub(scene->domain_to, scene->domain_from);
    rill_shape shape = rill_shape_settled(&def->shape);
    const bool unbounded = rill_geometry_of(&shape)->unbounded;
    /* A turn is about the middle of what the scene says, not of what was stretched. */
    const rill_pose pose = pose_of(def, &shape);
    for (int a = 0; a < 3; a++)
        if (rill_boundary_continues(scene, def, a)) stretch(scene, &shape, a);
    rill_body body = rill_body_make(&shape);
    body.pose = body.pose_before = pose;
    body.solid = def->solid || unbounded;
    body.open = def->open;
    body.grip = 1 - def->slip;
    body.slide = def->slide;
    body.slide_sides = def->slide_sides;
    body.volume_factor = def->volume_factor;
    body.layers = (uint32_t)fmax(1, ceil(scene->support - 1e-6) - 1);
    body.clip = *clip;
    for (int a = 0; a < 3; a++) {
        const double period = scene->periodic[a] ? (float)rill_vec3_get(&length, a) : 0;
        body.periodic[a] = rill_boundary_continues(scene, def, a);
        if (body.periodic[a]) body.open |= 3u << (2 * a);
        if (unbounded) body.repeat[a] = scene->periodic[a] ? rill_vec3_get(&length, a) : 0;
        else if (body.solid) rill_vec3_set(&body.period, a, period);
    }
    return body;
}

rill_body rill_body_of(const rill_scene *scene, const rill_boundary *boundary)
{
    rill_bounds clip = {{0, 0, 0}, {0, 0, 0}};
    if (rill_geometry_of(&boundary->shape)->unbounded) clip = rill_scene_clip(scene); /* asks all boundaries */
    return body_of(scene, boundary, &clip);
}

void rill_bodies_place(const rill_scene *scene, rill_body *bodies)
{
    const rill_bounds clip = rill_scene_clip(scene);
    for (uint32_t i = 0; i < scene->boundary_count; i++) bodies[i] = body_of(scene, &scene->boundaries[i], &clip);
}

/* ---- what a fill takes ---- */

int rill_fill_describe(const rill_fill *fill, char *text, size_t size)
{
    if (rill_geometry_of(&fill->shape)) return rill_shape_describe(&fill->shape, text, size);
    return snprintf(text, size, "inside %s up to %g m", fill->inside, fill->level);
}

/* The most that a lattice may rise above the level to make up for its gaps, as a share of its layers. */
static const double MOST_ABOVE = 0.5;

/* How near to a wall particles may lie at the start, in diameters. */
static const double WALL_DISTANCE = 0.45;

rill_status rill_fill_room(const rill_scene *scene, const rill_body *bodies, rill_guard *room, rill_error *err)
{
    return rill_guard_make(room, bodies, scene->boundary_count, WALL_DISTANCE * scene->particle_diameter, err);
}

bool rill_fill_allowed(const rill_scene *scene, const rill_guard *room, rill_vec3 at)
{
    return rill_guard_allows(room, at, WALL_DISTANCE * scene->particle_diameter);
}

rill_vec3 rill_scene_up(const rill_scene *scene)
{
    const rill_vec3 down = rill_unit_vector(scene->gravity);
    return rill_vec3_length(down) > 0 ? (rill_vec3){-down.x, -down.y, -down.z} : (rill_vec3){0, 0, 1};
}

static void extent_of(const rill_shape *shape, const rill_pose *pose, rill_vec3 way, double *low, double *high)
{
    const rill_geometry *g = rill_geometry_of(shape);
    const rill_vec3 own = rill_pose_unrotate(pose, way);
    const double middle = rill_vec3_dot(rill_pose_place(pose, g->centre(shape)), way);
    *high = middle + g->reach(shape, own);
    *low = middle - g->reach(shape, rill_vec3_scale(own, -1));
}

int rill_fill_container(const rill_scene *scene, const rill_fill *fill)
{
    for (uint32_t i = 0; i < scene->boundary_count; i++)
        if (!strncmp(scene->boundaries[i].name, fill->inside, RILL_NAME_SIZE)) return (int)i;
    return -1;
}

rill_region rill_fill_region(const rill_scene *scene, const rill_body *bodies, const rill_fill *fill)
{
    rill_region r = {.shape = fill->shape, .up = rill_scene_up(scene), .level = INFINITY};
    if (rill_geometry_of(&fill->shape)) {
        r.pose = rill_shape_pose(&fill->shape);
        return r;
    }
    const int i = rill_fill_container(scene, fill);
    if (i < 0 || !rill_geometry_of(&scene->boundaries[i].shape)) return r;
    const rill_bounds clip = {{0, 0, 0}, {0, 0, 0}};
    r.held = true;
    r.body = bodies ? bodies[i] : body_of(scene, &scene->boundaries[i], &clip);
    r.shape = r.body.shape;
    r.pose = r.body.pose;
    double low, high;
    extent_of(&r.shape, &r.pose, r.up, &low, &high);
    r.level = low + fill->level;
    return r;
}

bool rill_region_holds(const rill_region *r, rill_vec3 at, double depth)
{
    if (!r->held)
        return rill_geometry_of(&r->shape)->inside(&r->shape, &(rill_sides){0}, rill_pose_own(&r->pose, at), depth);
    return rill_vec3_dot(at, r->up) <= r->level - depth && rill_body_holds(&r->body, at, depth);
}

rill_bounds rill_region_bounds(const rill_region *r)
{
    rill_bounds b = rill_placed_bounds(&r->shape, &r->pose);
    for (int a = 0; a < 3; a++) {
        const double up = rill_vec3_get(&r->up, a);
        if (up == 1) rill_vec3_set(&b.high, a, fmin(rill_vec3_get(&b.high, a), r->level));
        if (up == -1) rill_vec3_set(&b.low, a, fmax(rill_vec3_get(&b.low, a), -r->level));
    }
    return b;
}

void rill_region_extent(const rill_region *r, rill_vec3 way, double *low, double *high)
{
    extent_of(&r->shape, &r->pose, way, low, high);
    if (rill_vec3_dot(way, r->up) > 1 - 1e-9) *high = fmin(*high, r->level);
}

double rill_region_reach(const rill_region *r, rill_vec3 way)
{
    if (!r->held) return rill_geometry_of(&r->shape)->reach(&r->shape, rill_pose_unrotate(&r->pose, way));
    double low, high;
    rill_region_extent(r, way, &low, &high);
    return 0.5 * (high - low);
}

bool rill_boundary_catches(const rill_boundary *boundary, rill_vec3 up)
{
    if (!rill_geometry_of(&boundary->shape)->unbounded) return !boundary->solid;
    const rill_shape plane = rill_shape_settled(&boundary->shape);
    return rill_vec3_dot(plane.normal, up) > 0;
}

double rill_region_volume(const rill_region *r)
{
    enum { CUTS = 64 };
    const rill_geometry *g = rill_geometry_of(&r->shape);
    if (!r->held) return g && !g->unbounded ? g->mass(&r->shape).volume : 0;
    const rill_bounds b = rill_region_bounds(r);
    const rill_vec3 cell = rill_vec3_scale(rill_vec3_sub(b.high, b.low), 1.0 / CUTS);
    double inside = 0;
    for (int k = 0; k < CUTS; k++)
        for (int j = 0; j < CUTS; j++)
            for (int i = 0; i < CUTS; i++) {
                const rill_vec3 at = {b.low.x + (i + 0.5) * cell.x, b.low.y + (j + 0.5) * cell.y,
                                      b.low.z + (k + 0.5) * cell.z};
                inside += rill_region_holds(r, at, 0);
            }
    return inside * cell.x * cell.y * cell.z;
}

/* ---- lattices ---- */

/* The lattice of a region, without layers that lie far above its level. */
static rill_lattice lattice_of(const rill_scene *scene, const rill_region *r)
{
    const double d = scene->particle_diameter;
    rill_lattice l = rill_geometry_of(&r->shape)->lattice(&r->shape, d);
    for (int a = 0; a < 3 && r->held; a++) {
        const double rise = rill_vec3_dot(rill_pose_rotate(&r->pose, l.step[a]), r->up);
        const double above = r->level - rill_vec3_dot(rill_pose_place(&r->pose, l.first), r->up);
        const double layers = ceil(above / d) + 1, more = ceil(MOST_ABOVE * layers) + 1;
        if (rise > (1 - 1e-9) * d) l.count[a] = fmin(l.count[a], fmax(layers + more, 1));
    }
    return l;
}

static double places_of(const rill_lattice *l)
{
    return l->count[0] * l->count[1] * l->count[2];
}

double rill_fill_places(const rill_scene *scene, const rill_body *bodies, const rill_fill *fill)
{
    const rill_region r = rill_fill_region(scene, bodies, fill);
    const rill_lattice l = lattice_of(scene, &r);
    return places_of(&l);
}

/* ---- how many particles a level takes ----
 * A lattice leaves gaps beside curved and slanted walls, so a container that is filled with the lattice up to a level
 * holds too little: 8 % in a cylinder 24 diameters wide. It gets as many particles as the liquid below the level has
 * volume, from below; the topmost ones lie above the level until the gaps have closed. */

/* The last places of the lattice that a fill takes: all below a height, and of those at it all with smaller numbers. */
typedef struct topmost {
    double height;
    uint64_t number;
} topmost;

/* One place at the top. */
typedef struct top_place {
    double height;
    uint64_t number;
} top_place;

static int by_height(const void *a, const void *b)
{
    const top_place *p = a, *q = b;
    if (p->height != q->height) return p->height < q->height ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

/* Heights that only rounding tells apart are one. */
static double height_of(const rill_region *r, rill_vec3 at, double d)
{
    return floor(rill_vec3_dot(at, r->up) / d * 1e6 + 0.5) * 1e-6 * d;
}

/* What a loop over all places of a fill adds up. */
typedef struct filling {
    const rill_scene *scene;
    const rill_guard *room;
    const rill_region *r;
    const rill_lattice *l;
    rill_guard bodies; /* as the room, but farther around them */
    double liquid;     /* diameters cubed below the level */
    top_place *places;
    size_t count, room_for;
} filling;

/* Under the level and between the container's sides, open or not, `depth` from all of them. */
static bool is_below(const rill_region *r, rill_vec3 at, double depth)
{
    const rill_sides all = {0};
    return rill_vec3_dot(at, r->up) <= r->level - depth &&
           rill_geometry_of(&r->shape)->inside(&r->shape, &all, rill_pose_own(&r->pose, at), depth);
}

/* Beyond this depth, in diameters, all of a particle's cube is liquid. */
static const double CUBE_REACH = 0.87;

/* The share of a particle's cube that is liquid. The points are an additive sequence (Roberts 2018), which no plane can
 * meet in step as it could a lattice. */
static double liquid_share(const filling *f, rill_vec3 own)
{
    enum { POINTS = 64 };
    static const double steps[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    const double reach = CUBE_REACH * f->scene->particle_diameter;
    const rill_vec3 middle = rill_pose_place(&f->r->pose, own);
    if (is_below(f->r, middle, reach) && rill_guard_allows(&f->bodies, middle, reach)) return 1;
    if (!is_below(f->r, middle, -reach)) return 0;
    int inside = 0;
    for (int k = 1; k <= POINTS; k++) {
        rill_vec3 at = own;
        for (int a = 0; a < 3; a++) {
            const double x = k * steps[a];
            at = rill_vec3_add(at, rill_vec3_scale(f->l->step[a], x - floor(x) - 0.5));
        }
        at = rill_pose_place(&f->r->pose, at);
        inside += is_below(f->r, at, 0) && rill_guard_allows(&f->bodies, at, 0);
    }
    return (double)inside / POINTS;
}

static rill_vec3 place_at(const rill_lattice *l, double i, double j, double k)
{
    return (rill_vec3){l->first.x + i * l->step[0].x + j * l->step[1].x + k * l->step[2].x,
                       l->first.y + i * l->step[0].y + j * l->step[1].y + k * l->step[2].y,
                       l->first.z + i * l->step[0].z + j * l->step[1].z + k * l->step[2].z};
}

/* A number by which places of one height are strewn. */
static uint64_t number_of(double i, double j, double k)
{
    return rill_hash_mix(rill_hash_mix(rill_hash_mix((uint64_t)i + 1) + (uint64_t)j) + (uint64_t)k);
}

/* Whether a place of the lattice is part of the fill, walls aside. */
static bool takes(const rill_region *r, const topmost *top, rill_vec3 own, rill_vec3 at, uint64_t number, double d)
{
    if (!rill_geometry_of(&r->shape)->takes(&r->shape, own)) return false;
    if (!r->held) return true;
    const double height = height_of(r, at, d);
    if (height > top->height || (height == top->height && number > top->number)) return false;
    return rill_body_holds(&r->body, at, WALL_DISTANCE * d);
}

static bool add_place(filling *f, double height, uint64_t number)
{
    if (f->count == f->room_for) {
        const size_t room = 2 * f->room_for + 1024;
        top_place *grown = rill_realloc(f->places, room * sizeof *grown);
        if (!grown) return false;
        f->places = grown;
        f->room_for = room;
    }
    f->places[f->count++] = (top_place){height, number};
    return true;
}

/* All places that particles could have, and how much liquid there is to be; the lattice and one place around it. */
static bool survey(filling *f)
{
    static const topmost all = {INFINITY, UINT64_MAX};
    const rill_lattice *l = f->l;
    const double d = f->scene->particle_diameter;
    for (double k = -1; k <= l->count[2]; k++)
        for (double j = -1; j <= l->count[1]; j++)
            for (double i = -1; i <= l->count[0]; i++) {
                const rill_vec3 own = place_at(l, i, j, k), at = rill_pose_place(&f->r->pose, own);
                f->liquid += liquid_share(f, own);
                if (i < 0 || j < 0 || k < 0 || i >= l->count[0] || j >= l->count[1] || k >= l->count[2]) continue;
                if (!takes(f->r, &all, own, at, 0, d) || !rill_fill_allowed(f->scene, f->room, at)) continue;
                if (!add_place(f, height_of(f->r, at, d), number_of(i, j, k))) return false;
            }
    return true;
}

/* Where a held fill ends; false: there is no memory to find out. */
static bool top_of(const rill_scene *scene, const rill_guard *room, const rill_region *r, const rill_lattice *l,
                   topmost *top)
{
    filling f = {.scene = scene, .room = room, .r = r, .l = l};
    const double reach = CUBE_REACH * scene->particle_diameter;
    if (rill_guard_make(&f.bodies, room->bodies, room->count, reach, NULL)) return false;
    const bool good = survey(&f);
    const double wanted = floor(f.liquid + 0.5);
    if (good && wanted < (double)f.count) {
        qsort(f.places, f.count, sizeof *f.places, by_height);
        *top = (topmost){-INFINITY, 0};
        if (wanted > 0) *top = (topmost){f.places[(size_t)wanted - 1].height, f.places[(size_t)wanted - 1].number};
    }
    rill_guard_free(&f.bodies);
    rill_free(f.places);
    return good;
}

bool rill_fill_particles(const rill_scene *scene, const rill_guard *room, const rill_fill *fill, rill_fill_each *each,
                         void *user)
{
    const rill_region r = rill_fill_region(scene, room->bodies, fill);
    const rill_lattice l = lattice_of(scene, &r);
    topmost top = {INFINITY, UINT64_MAX};
    /* Walls may cut away most of a fill, but not all ends of the world. */
    if (!(places_of(&l) < 64.0 * UINT32_MAX / 16)) return false;
    if (r.held && !top_of(scene, room, &r, &l, &top)) return false;
    for (double k = 0; k < l.count[2]; k++)
        for (double j = 0; j < l.count[1]; j++)
            for (double i = 0; i < l.count[0]; i++) {
                const rill_vec3 own = place_at(&l, i, j, k), at = rill_pose_place(&r.pose, own);
                if (!takes(&r, &top, own, at, r.held ? number_of(i, j, k) : 0, scene->particle_diameter)) continue;
                if (rill_fill_allowed(scene, room, at) && !each(user, at)) return false;
            }
    return true;
}
