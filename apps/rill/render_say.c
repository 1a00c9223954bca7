/* What `rill render` says at its end. */
#include <inttypes.h>
#include <stdio.h>

#include "json.h"
#include "render_parts.h"
#include "say.h"

void render_end_say(const render_job *job, const render_made *made, uint32_t count, double seconds)
{
    const render_made *last = &made[count - 1];
    const char *path = *last->png.text ? last->png.text : last->exr.text;
    uint32_t kept = 0;
    uint64_t rays = 0;
    for (uint32_t i = 0; i < count; i++) {
        kept += made[i].kept;
        rays += made[i].rays;
    }
    if (count == 1) printf("Rendered frame %" PRIu32 ": %s\n", last->frame, path);
    else printf("Rendered %s frames to %s\n", say_count(count).text, job->folder.text);
    if (kept) printf("  %s of them %s there already\n", say_count(kept).text, kept == 1 ? "was" : "were");
    if (kept < count)
        printf("  %" PRIu64 " x %" PRIu64 " pixels, %s rays in %s, noise %.1f %%\n", job->width, job->height,
               say_count(rays).text, say_duration(seconds).text, 100 * last->noise);
    if (last->set.far) printf("  %s too far away to be shown\n", say_many(last->set.far, "particle").text);
    if (job->mesh) printf("  surfaces: those in %s/mesh\n", job->run);
    if (job->film) printf("  film: %s\n", job->film);
}

static void made_put(json *j, const render_made *m)
{
    json_open(j, NULL, '{');
    json_count(j, "frame", m->frame);
    if (*m->png.text) json_text(j, "png", m->png.text);
    if (*m->exr.text) json_text(j, "exr", m->exr.text);
    json_flag(j, "kept", m->kept);
    if (!m->kept) {
        json_number(j, "time_s", m->time);
        json_count(j, "triangles", m->set.triangles);
        json_count(j, "drops", m->set.drops);
        json_count(j, "particles_far", m->set.far);
        json_number(j, "seconds_surface", m->set.seconds);
        json_number(j, "seconds", m->seconds);
        json_count(j, "paths", m->paths);
        json_count(j, "rays", m->rays);
        json_number(j, "noise", m->noise);
    }
    json_close(j, '}');
}

void render_end_put(const render_job *job, const render_made *made, uint32_t count, double seconds)
{
    json j = json_start(stdout);
    json_open(&j, NULL, '{');
    json_text(&j, "run", job->run);
    json_text(&j, "look", job->look_name);
    json_text(&j, "camera", job->camera_name);
    json_flag(&j, "surfaces_given", job->mesh);
    json_count(&j, "width", job->width);
    json_count(&j, "height", job->height);
    json_count(&j, "samples", job->samples);
    json_number(&j, "exposure", job->exposure);
    json_flag(&j, "finished", count == job->list.count);
    if (job->film) json_text(&j, "film", job->film);
    json_number(&j, "seconds_total", seconds);
    json_open(&j, "pictures", '[');
    for (uint32_t i = 0; i < count; i++) made_put(&j, &made[i]);
    json_close(&j, ']');
    json_close(&j, '}');
}
