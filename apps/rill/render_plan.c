/* What `rill render` settles before the first picture: what the camera shows, and what of an earlier start still
 * counts. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "render_parts.h"
#include "rill/store.h"
#include "rill/text.h"
#include "say.h"

/* ---- the camera ---- */

static int orbit_look(render_job *job, const frame_list *list)
{
    rill_orbit *o = &job->orbit;
    const uint32_t most = o->kind == RILL_ORBIT_FOLLOW ? RILL_ORBIT_FRAMES_MAX : 9;
    const uint32_t count = list->count < most ? list->count : most;
    int code = EXIT_FINE;
    for (uint32_t i = 0; i < count && !code; i++) {
        const uint32_t place = count > 1 ? (uint32_t)((uint64_t)i * (list->count - 1) / (count - 1)) : 0;
        rill_frame_file frame;
        rill_error err = {0};
        if ((code = frame_load(job->run, list->numbers[place], &frame))) return code;
        if (rill_orbit_add(o, &frame, &job->scene, job->glass, &err)) code = say_failure(&err);
        rill_frame_file_free(&frame);
    }
    return code;
}

/* One picture shows what is in it; several show the same part of space, whichever of the run they are. */
int render_orbit_plan(render_job *job)
{
    if (job->one) return orbit_look(job, &job->list);
    frame_list all;
    int code = frames_of(job->run, &all);
    if (code) return code;
    code = orbit_look(job, &all);
    frames_free(&all);
    return code;
}

/* ---- what was finished before ---- */

/* A file by its name, size and time: enough to notice another one. */
static char *file_mark(const char *path)
{
    struct stat info;
    if (!path || stat(path, &info)) return rill_string_make("%s", path ? path : "none");
    return rill_string_make("%s %lld %lld", path, (long long)info.st_size, (long long)info.st_mtime);
}

/* What the camera's way depends on beside its options: the frames along which it goes once around, or the time to which
 * it could follow the liquid. More of them since the last start would make it jump. */
static void way_put(const render_job *job, char *text, size_t size)
{
    const rill_orbit *o = &job->orbit;
    const uint32_t *numbers = job->list.numbers, count = job->list.count;
    *text = 0;
    if (o->kind == RILL_ORBIT_ROUND)
        snprintf(text, size, " frames %" PRIu32 " %" PRIu32 " %" PRIu32, numbers[0], numbers[count - 1], count);
    if (o->kind == RILL_ORBIT_FOLLOW && o->track_count)
        snprintf(text, size, " until %.9g", o->time[o->track_count - 1]);
}

/* Everything that was asked for and that a picture depends on, a line each. */
static char *settings_text(const render_job *job)
{
    char way[80];
    way_put(job, way, sizeof way);
    char *light = file_mark(job->light == RILL_LIGHT_MAP ? job->light_name : NULL);
    char *ground = file_mark(job->ground == RILL_GROUND_TEXTURE ? job->ground_name : NULL);
    char *text =
        !light || !ground
            ? NULL
            : rill_string_make("rill render " RILL_VERSION
                               "\nlook %s\ntank %s\nground %d %s\nlight %d %s\nsize %" PRIu64 " %" PRIu64
                               "\nsamples %" PRIu64 "\nnoise %.9g\ncaustics %d\nmesh %d\ncamera %s %.9g %.9g%s\n",
                               job->look_name, job->glass ? "glass" : "unseen", (int)job->ground, ground,
                               (int)job->light, light, job->width, job->height, job->samples, job->noise, job->caustics,
                               job->mesh, job->camera_name, job->azimuth, job->elevation, way);
    rill_free(light);
    rill_free(ground);
    return text;
}

bool render_state_parse(const char *text, rill_bounds *box, double *exposure)
{
    rill_bounds b;
    int end = -1;
    const int found = sscanf(text, "box %lf %lf %lf %lf %lf %lf\nexposure %lf\n%n", &b.low.x, &b.low.y, &b.low.z,
                             &b.high.x, &b.high.y, &b.high.z, exposure, &end);
    if (found != 7 || end < 0 || text[end] || !(*exposure > 0) || !isfinite(*exposure)) return false;
    *box = b;
    const double low[] = {b.low.x, b.low.y, b.low.z}, high[] = {b.high.x, b.high.y, b.high.z};
    const double reach = (double)RILL_TRACE_REACH;
    for (int a = 0; a < 3; a++)
        if (!(low[a] > -reach && low[a] < high[a] && high[a] < reach)) return false;
    return true;
}

char *render_state_text(const char *settings, const rill_bounds *box, double exposure)
{
    return rill_string_make("%sbox %.17g %.17g %.17g %.17g %.17g %.17g\nexposure %.17g\n", settings, box->low.x,
                           box->low.y, box->low.z, box->high.x, box->high.y, box->high.z, exposure);
}

static void state_take(render_job *job, const char *text)
{
    rill_bounds box;
    double exposure;
    if (!render_state_parse(text, &box, &exposure)) return;
    job->exposure = exposure;
    if (job->orbit.kind != RILL_ORBIT_FOLLOW) job->orbit.box = box;
}

static path_text state_path(const render_job *job)
{
    return path_join(job->folder.text, "render.txt");
}

void render_made_name(const render_job *job, uint32_t frame, render_made *made)
{
    char name[80];
    made->frame = frame;
    for (int exr = 0; exr < 2; exr++) {
        path_text *path = exr ? &made->exr : &made->png;
        const char *ending = exr ? "exr" : "png";
        if (!(job->formats & (exr ? FORMAT_EXR : FORMAT_PNG))) continue;
        if (job->one) snprintf(name, sizeof name, "render_%06" PRIu32 "_%s.%s", frame, job->look_name, ending);
        else snprintf(name, sizeof name, "frame_%06" PRIu32 ".%s", frame, ending);
        *path = path_join(job->one ? job->run : job->folder.text, name);
        if (job->one && job->out) *path = path_join("", job->out);
    }
}

static bool is_newer(const char *path, const struct stat *than)
{
    struct stat info;
    if (stat(path, &info)) return false;
    return info.st_mtim.tv_sec > than->st_mtim.tv_sec ||
           (info.st_mtim.tv_sec == than->st_mtim.tv_sec && info.st_mtim.tv_nsec >= than->st_mtim.tv_nsec);
}

path_text render_mesh_path(const render_job *job, uint32_t frame)
{
    char name[48];
    snprintf(name, sizeof name, "mesh/frame_%06" PRIu32 ".ply", frame);
    return path_join(job->run, name);
}

/* A film must not stop after hours because the surface of a late frame is missing. */
int render_meshes_check(const render_job *job)
{
    if (job->scene.fluid_count > 1)
        return say_error(EXIT_USER, "--mesh cannot be: the surfaces of 'rill mesh' do not tell the fluids of %s apart.",
                         job->run);
    if (job->look == RILL_LOOK_TOY)
        return say_error(EXIT_USER, "--mesh and --look toy contradict each other: toy shows particles, no surface.");
    for (uint32_t i = 0; i < job->list.count; i++) {
        const path_text mesh = render_mesh_path(job, job->list.numbers[i]);
        path_text frame;
        struct stat info;
        if (rill_run_frame_path(job->run, job->list.numbers[i], frame.text, sizeof frame.text, NULL)) continue;
        if (stat(frame.text, &info) || is_newer(mesh.text, &info)) continue;
        return say_error(EXIT_USER, "%s is %s; 'rill mesh %s' makes it, or leave out --mesh.", mesh.text,
                         path_exists(mesh.text) ? "older than its frame" : "not there", job->run);
    }
    return EXIT_FINE;
}

bool render_made_done(const render_job *job, const render_made *made)
{
    path_text shown;
    struct stat info;
    if (job->one || rill_run_frame_path(job->run, made->frame, shown.text, sizeof shown.text, NULL)) return false;
    if (job->mesh) shown = render_mesh_path(job, made->frame);
    if (stat(shown.text, &info)) return false;
    return (!*made->png.text || is_newer(made->png.text, &info)) &&
           (!*made->exr.text || is_newer(made->exr.text, &info));
}

/* Pictures of other settings must not end up in one film with new ones, and may have taken hours: they go into a folder
 * of their own. */
static int pictures_move(const render_job *job)
{
    uint32_t *numbers = NULL, count = 0, moved = 0;
    rill_error err = {0};
    path_text aside = {""};
    bool good = true;
    if (rill_run_list_frames(job->run, &numbers, &count, &err)) return say_failure(&err);
    for (int n = 1; !*aside.text || path_exists(aside.text); n++) {
        char name[32];
        snprintf(name, sizeof name, "earlier_%d", n);
        aside = path_join(job->folder.text, name);
    }
    for (uint32_t i = 0; i < 2 * count && good; i++) {
        char name[48];
        snprintf(name, sizeof name, "frame_%06" PRIu32 "%s", numbers[i / 2], i % 2 ? ".exr" : ".png");
        const path_text from = path_join(job->folder.text, name);
        if (!path_exists(from.text)) continue;
        good = path_make(aside.text) && !rename(from.text, path_join(aside.text, name).text);
        moved += good;
    }
    rill_free(numbers);
    if (!good) return say_error(EXIT_MACHINE, "Pictures cannot be moved to %s: %s.", aside.text, strerror(errno));
    if (moved && rename(state_path(job).text, path_join(aside.text, "render.txt").text))
        return say_error(EXIT_MACHINE, "%s cannot be moved: %s.", state_path(job).text, strerror(errno));
    if (moved && !job->quiet)
        fprintf(stderr, "%s in %s made with other settings %s now in %s.\n", say_many(moved, "picture").text,
                job->folder.text, moved == 1 ? "is" : "are", aside.text);
    return EXIT_FINE;
}

int render_state_open(render_job *job)
{
    char *found = NULL, *wanted = settings_text(job);
    size_t size;
    int code = EXIT_FINE;
    if (!wanted) return say_error(EXIT_MACHINE, "There is no memory left to render.");
    if (!job->one && !rill_store_get(state_path(job).text, SIZE_MAX, &found, &size, NULL)) {
        const size_t length = strlen(wanted);
        if (!strncmp(found, wanted, length)) state_take(job, found + length);
        else code = pictures_move(job);
    }
    rill_free(found);
    rill_free(wanted);
    return code;
}

int render_state_save(const render_job *job)
{
    rill_error err = {0};
    if (job->one) return EXIT_FINE;
    char *settings = settings_text(job);
    char *text = settings ? render_state_text(settings, &job->orbit.box, job->exposure) : NULL;
    int code = EXIT_FINE;
    if (!text) code = say_error(EXIT_MACHINE, "There is no memory left to render.");
    else if (rill_store_put(state_path(job).text, text, strlen(text), &err)) code = say_failure(&err);
    rill_free(settings);
    rill_free(text);
    return code;
}
