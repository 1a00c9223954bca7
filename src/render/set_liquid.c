/* The liquids of a picture. Strays, which no surface could be made of, become drops; of all others there is a mesh.
 * Where light passes through several fluids, one mesh encloses them all and is of the fluid there is most of; the
 * others have meshes of their own inside it and a higher priority, so that no air can get between two of them. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "render/set_parts.h"
#include "run/threads.h"

/* Fewer neighbours within two diameters, or fewer in a group, make strays. */
enum { NEIGHBOURS_LEAST = 5, GROUP_LEAST = 4, EVERY_FLUID = -1 };

typedef struct liquids {
    rill_set_work *work;
    const uint32_t *fluid;  /* of each particle; NULL: all are the first */
    uint32_t fluid_stride;
    uint32_t *kept;         /* particles of which surfaces are made */
    uint32_t kept_count;
    uint32_t *stray;
    uint32_t stray_count;
    uint32_t *materials;    /* a fluid each */
    uint32_t main;          /* the fluid there is most of */
} liquids;

static rill_status no_memory(rill_error *err)
{
    return rill_fail(err, RILL_NO_MEMORY, "There is no memory left to build the picture; close other programs.");
}

static uint32_t fluid_of(const liquids *l, uint32_t particle)
{
    const uint32_t fluid = l->fluid ? l->fluid[(size_t)particle * l->fluid_stride] : 0;
    return fluid < l->work->set.scene->fluid_count ? fluid : 0;
}

/* ---- strays ---- */

static size_t positions_fill(const rill_stage_set *set, float *position, uint32_t *source)
{
    size_t count = 0;
    for (uint32_t i = 0; i < set->frame->count; i++) {
        const rill_vec3 x = rill_set_particle(set, i);
        if (!rill_set_is_near(set, x)) continue;
        float *p = position + 3 * count;
        p[0] = (float)x.x, p[1] = (float)x.y, p[2] = (float)x.z;
        source[count++] = i;
    }
    return count;
}

static rill_status particles_sort(liquids *l, rill_error *err)
{
    const rill_stage_set *set = &l->work->set;
    const size_t room = (size_t)set->frame->count + 1;
    rill_particles near = {.position = rill_malloc(3 * room * sizeof *near.position), .diameter = set->frame->diameter};
    uint32_t *source = rill_malloc(room * sizeof *source);
    bool *stray = rill_malloc(room * sizeof *stray);
    l->kept = rill_malloc(room * sizeof *l->kept);
    l->stray = rill_malloc(room * sizeof *l->stray);
    rill_status status = near.position && source && stray && l->kept && l->stray ? RILL_OK : no_memory(err);
    if (!status) near.count = positions_fill(set, near.position, source);
    if (!status)
        status = rill_particles_strays(&near, NEIGHBOURS_LEAST, GROUP_LEAST, l->work->options->scheduler, stray, err);
    for (size_t i = 0; i < near.count && !status; i++) {
        if (stray[i]) l->stray[l->stray_count++] = source[i];
        else l->kept[l->kept_count++] = source[i];
    }
    rill_free(near.position);
    rill_free(source);
    rill_free(stray);
    return status;
}

/* Spray is not all of one size: a third of a diameter to a half. */
static rill_status drops_add(liquids *l, uint32_t fluid, rill_error *err)
{
    const rill_stage_set *set = &l->work->set;
    float *drops = rill_malloc((4 * (size_t)l->stray_count + 1) * sizeof *drops);
    if (!drops) return no_memory(err);
    size_t count = 0;
    for (uint32_t i = 0; i < l->stray_count; i++) {
        if (fluid_of(l, l->stray[i]) != fluid) continue;
        const rill_vec3 x = rill_set_particle(set, l->stray[i]);
        const double chance = (double)(rill_hash_add(7, l->stray[i]) >> 40) / 0x1p24;
        float *d = drops + 4 * count++;
        d[0] = (float)x.x, d[1] = (float)x.y, d[2] = (float)x.z;
        d[3] = (float)((0.3 + 0.2 * chance) * set->frame->diameter);
    }
    rill_status status = RILL_OK;
    if (count) status = rill_stage_add_spheres(l->work->stage, drops, count, l->materials[fluid], err);
    l->work->report->drops += count;
    rill_free(drops);
    return status;
}

/* ---- surfaces ---- */

/* Where a fluid lies alone, its own mesh and the one around all would be the same, and a ray cannot tell two surfaces
 * at one place apart: the inner one is drawn in a little, and ends less deep in walls of glass. More than a little
 * would turn the thin rims of drops inside out. */
static void mesh_draw_in(const liquids *l, rill_mesh *mesh)
{
    const float step = (float)(0.03 * l->work->set.frame->diameter);
    for (size_t i = 0; i < 3 * mesh->vertex_count; i++) mesh->position[i] -= step * mesh->normal[i];
}

static rill_status mesh_add(liquids *l, rill_mesh *mesh, bool inner, uint32_t material, rill_error *err)
{
    if (!mesh->triangle_count) return RILL_OK;
    if (inner) mesh_draw_in(l, mesh);
    const rill_status status = rill_set_touch(l->work, mesh, inner ? 0.25 : 0.4, err);
    if (status) return status;
    const rill_triangles t = {.vertex_count = mesh->vertex_count, .triangle_count = mesh->triangle_count,
                              .position = mesh->position, .normal = mesh->normal, .triangle = mesh->triangle};
    l->work->report->triangles += mesh->triangle_count;
    return rill_stage_add_triangles(l->work->stage, &t, material, err);
}

/* The surface of one fluid or of all. */
static rill_status surface_add(liquids *l, int64_t fluid, uint32_t material, rill_error *err)
{
    const rill_stage_set *set = &l->work->set;
    rill_particles p = {.diameter = set->frame->diameter};
    if (set->scene->fluid_count) p.volume = set->scene->fluids[0].mass_factor * pow(p.diameter, 3);
    rill_surface_options options = rill_look_surface(l->work->options->look);
    rill_mesh mesh = {0};
    options.scheduler = l->work->options->scheduler;
    p.position = rill_malloc((3 * (size_t)l->kept_count + 1) * sizeof *p.position);
    if (!p.position) return no_memory(err);
    for (uint32_t i = 0; i < l->kept_count; i++) {
        if (fluid != EVERY_FLUID && fluid_of(l, l->kept[i]) != fluid) continue;
        const rill_vec3 x = rill_set_particle(set, l->kept[i]);
        float *to = p.position + 3 * p.count++;
        to[0] = (float)x.x, to[1] = (float)x.y, to[2] = (float)x.z;
    }
    rill_status status = rill_surface_make(&p, &options, &mesh, NULL, err);
    rill_particles_free(&p);
    const bool inner = rill_look_is_clear(l->work->options->look) && fluid != EVERY_FLUID;
    if (!status) status = mesh_add(l, &mesh, inner, material, err);
    rill_mesh_free(&mesh);
    return status;
}

static rill_status surfaces_add(liquids *l, rill_error *err)
{
    const bool one = rill_look_is_clear(l->work->options->look);
    rill_status status = RILL_OK;
    if (l->work->options->mesh) return mesh_add(l, l->work->options->mesh, false, l->materials[l->main], err);
    if (one) status = surface_add(l, EVERY_FLUID, l->materials[l->main], err);
    for (uint32_t f = 0; f < l->work->set.scene->fluid_count && !status; f++)
        if (!one || f != l->main) status = surface_add(l, f, l->materials[f], err);
    for (uint32_t f = 0; f < l->work->set.scene->fluid_count && !status; f++) status = drops_add(l, f, err);
    return status;
}

/* ---- together ---- */

static void main_find(liquids *l)
{
    const rill_scene *scene = l->work->set.scene;
    uint64_t most = 0;
    for (uint32_t f = 0; f < scene->fluid_count && scene->fluid_count > 1; f++) {
        uint64_t count = 0;
        for (uint32_t i = 0; i < l->work->set.frame->count; i++) count += fluid_of(l, i) == f;
        if (count > most) most = count, l->main = f;
    }
}

static rill_status materials_add(liquids *l, rill_error *err)
{
    const rill_scene *scene = l->work->set.scene;
    rill_status status = RILL_OK;
    l->materials = rill_calloc(scene->fluid_count + 1, sizeof *l->materials);
    if (!l->materials) return no_memory(err);
    for (uint32_t f = 0; f < scene->fluid_count && !status; f++) {
        rill_material m = rill_look_liquid(l->work->options->look, &scene->fluids[f], l->work->cube);
        if (f != l->main) m.priority += 1 + (int)(f % 64);
        status = rill_stage_add_material(l->work->stage, &m, &l->materials[f], err);
    }
    return status;
}

rill_status rill_set_add_liquids(rill_set_work *work, rill_error *err)
{
    const double start = rill_clock_seconds();
    const rill_array *fluid = rill_frame_file_array(work->set.frame, "fluid");
    liquids l = {.work = work};
    if (fluid && fluid->type == RILL_U32 && fluid->count >= work->set.frame->count) {
        l.fluid = fluid->data;
        l.fluid_stride = fluid->stride;
    }
    main_find(&l);
    rill_status status = materials_add(&l, err);
    if (!status && !work->options->mesh) status = particles_sort(&l, err);
    if (!status) status = surfaces_add(&l, err);
    rill_free(l.kept);
    rill_free(l.stray);
    rill_free(l.materials);
    work->report->seconds = rill_clock_seconds() - start;
    return status;
}
