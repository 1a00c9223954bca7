/* What `rill mesh` says at its end. */
#include <inttypes.h>
#include <stdio.h>

#include "json.h"
#include "mesh_parts.h"
#include "say.h"

static void hint_say(const mesh_job *job, const mesh_made *made, uint32_t count)
{
    static const char *const how[] = {[RILL_MESH_PLY] = "in Blender (File, Import, Stanford PLY), Houdini or MeshLab",
                                      [RILL_MESH_OBJ] = "in Blender (File, Import, Wavefront OBJ), Houdini or MeshLab",
                                      [RILL_MESH_VTP] = "in ParaView and press Apply"};
    static const char *const all[] = {
        [RILL_MESH_PLY] = "frame_*.ply", [RILL_MESH_OBJ] = "frame_*.obj", [RILL_MESH_VTP] = "series.pvd"};
    const path_text what = count > 1 ? path_join(job->folder.text, all[job->format]) : made[0].path;
    printf("  open %s %s\n", what.text, how[job->format]);
}

void mesh_end_say(const mesh_job *job, const mesh_made *made, uint32_t count, double seconds)
{
    const mesh_made *last = &made[count - 1];
    if (count == 1) printf("Meshed %s to %s\n", say_many(last->report.particles, "particle").text, last->path.text);
    else printf("Meshed %s frames to %s\n", say_count(count).text, job->folder.text);
    printf("  %s%s triangles, %s vertices, %s, %.4g m3 inside, %.4g m2, in %s\n", count > 1 ? "the last: " : "",
           say_count(last->triangles).text, say_count(last->vertices).text, say_many(last->report.pieces, "piece").text,
           last->report.volume, last->report.area, say_duration(seconds).text);
    if (last->report.culled) printf("  %s left out\n", say_many(last->report.culled, "particle").text);
    if (job->cell > 2)
        printf("  cells of %g diameters lose what is smaller than they are; half a diameter keeps all\n", job->cell);
    if (last->triangles) hint_say(job, made, count);
    else printf("  there was nothing left to mesh, so that is empty\n");
}

static void made_put(json *j, const mesh_made *m, bool run)
{
    const rill_surface_report *r = &m->report;
    json_open(j, NULL, '{');
    json_text(j, "file", m->path.text);
    if (run) json_count(j, "frame", m->frame);
    if (run) json_number(j, "time_s", m->time);
    json_count(j, "particles", r->particles);
    json_count(j, "culled", r->culled);
    json_count(j, "vertices", m->vertices);
    json_count(j, "triangles", m->triangles);
    json_count(j, "nodes", r->nodes);
    json_count(j, "pieces", r->pieces);
    json_number(j, "volume_m3", r->volume);
    json_number(j, "area_m2", r->area);
    json_number(j, "seconds", m->seconds);
    json_number(j, "seconds_cull", r->seconds_cull);
    json_number(j, "seconds_field", r->seconds_field);
    json_number(j, "seconds_march", r->seconds_march);
    json_number(j, "seconds_smooth", r->seconds_smooth);
    json_number(j, "seconds_values", r->seconds_values);
    json_close(j, '}');
}

void mesh_end_put(const mesh_job *job, const mesh_made *made, uint32_t count, double seconds)
{
    json j = json_start(stdout);
    json_open(&j, NULL, '{');
    json_text(&j, "source", job->source);
    json_text(&j, "method", job->method);
    json_text(&j, "field", job->field);
    json_number(&j, "cell_diameters", job->cell);
    json_number(&j, "seconds_total", seconds);
    json_open(&j, "meshes", '[');
    for (uint32_t i = 0; i < count; i++) made_put(&j, &made[i], job->run);
    json_close(&j, ']');
    json_close(&j, '}');
}
