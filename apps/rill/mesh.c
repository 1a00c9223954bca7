/* rill mesh: closed surfaces of the frames of a run, or of a file of particles. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "command.h"
#include "frame_list.h"
#include "machine.h"
#include "mesh_parts.h"
#include "options.h"
#include "paths.h"
#include "progress.h"
#include "rill/text.h"
#include "rill/threads.h"
#include "say.h"

/* ---- what was asked for ---- */

static const char *const methods[] = {[RILL_SURFACE_CUBES] = "cubes", [RILL_SURFACE_TETRAHEDRA] = "tetrahedra", NULL};
static const char *const fields[] = {[RILL_SURFACE_ZHU_BRIDSON] = "zhu-bridson",
                                     [RILL_SURFACE_SPHERES] = "spheres",
                                     [RILL_SURFACE_DENSITY] = "density",
                                     [RILL_SURFACE_ANISOTROPIC] = "anisotropic",
                                     NULL};

/* What frames of a run have; files may have more. */
static const char *const attributes[] = {"all", "velocity", "speed", "density", "pressure", "fluid", "colour", NULL};

static const char *ending_at(const void *context, int i)
{
    (void)context;
    return rill_mesh_ending((rill_mesh_format)i);
}

/* A name that ends like another kind of mesh is hardly meant as a folder. */
static bool is_foreign(const char *path)
{
    static const char *const others[] = {"stl", "off", "vtk", "vtu", "gltf", "glb", "abc", "fbx", "dae", "usd"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof others / sizeof *others; i++)
        if (!strcasecmp(dot + 1, others[i])) return true;
    return false;
}

static int numbers_check(mesh_job *job)
{
    if (!(job->cell >= 0.05 && job->cell <= 10))
        return say_error(EXIT_USER, "--cell is in diameters and lies between 0.05 and 10, and %g does not.", job->cell);
    if (!(job->radius >= 0 && job->radius <= 10))
        return say_error(EXIT_USER, "--radius is in diameters and lies between 0 and 10, and %g does not.",
                         job->radius);
    if (job->cull > UINT32_MAX || job->least > UINT32_MAX)
        return say_error(EXIT_USER, "--cull and --least are numbers of particles, and no run has so many.");
    if (job->smooth > 10000)
        return say_error(EXIT_USER, "--smooth %" PRIu64 " rounds would leave nothing of the surface; 10 are many.",
                         job->smooth);
    if (job->threads_given && (job->threads < 1 || job->threads > 1024))
        return say_error(EXIT_USER, "--threads must lie between 1 and 1024, and %" PRIu64 " does not.", job->threads);
    rill_error err = {0};
    if (!job->diameter_text) return EXIT_FINE;
    if (rill_unit_parse(job->diameter_text, "m", &job->diameter, &err))
        return say_error(EXIT_USER, "--diameter %s.", err.text);
    return job->diameter > 0 ? EXIT_FINE : say_error(EXIT_USER, "--diameter must be above 0.");
}

static int job_check(mesh_job *job)
{
    rill_mesh_format by_ending = RILL_MESH_PLY;
    const bool ends = job->out && rill_mesh_format_of(job->out, &by_ending);
    const int method = option_word("method", job->method, option_word_at, methods);
    const int field = method < 0 ? -1 : option_word("field", job->field, option_word_at, fields);
    if (method < 0 || field < 0) return EXIT_USER;
    if (!job->format_name) job->format_name = rill_mesh_ending(by_ending);
    const int format = option_word("format", job->format_name, ending_at, NULL);
    if (format < 0) return EXIT_USER;
    if (job->out && is_foreign(job->out) && !path_is_folder(job->out))
        return say_error(EXIT_USER, "%s: surfaces are written as ply, obj or vtp.", job->out);
    if (ends && (int)by_ending != format)
        return say_error(EXIT_USER, "--out %s and --format %s contradict each other.", job->out, job->format_name);
    int code = numbers_check(job);
    if (code) return code;
    job->format = (rill_mesh_format)format;
    rill_surface_options *o = &job->options;
    o->method = (rill_surface_method)method;
    o->field = (rill_surface_field)field;
    o->cell = job->cell;
    o->radius = job->radius;
    o->cull = (uint32_t)job->cull;
    o->least_particles = (uint32_t)job->least;
    o->smooth = (uint32_t)job->smooth;
    return EXIT_FINE;
}

/* ---- one surface ---- */

/* OBJ has no place for values. */
static int values_check(const mesh_job *job, const option_list *values)
{
    if (job->format != RILL_MESH_OBJ) return EXIT_FINE;
    for (size_t i = 0; i < values->count; i++)
        if (strcmp(values->items[i], RILL_MESH_COLOUR))
            return say_error(EXIT_USER, "An OBJ file holds no %s, only colour; choose ply or vtp.", values->items[i]);
    return EXIT_FINE;
}

static int surface_write(const mesh_job *job, mesh_particles *p, const option_list *values, mesh_made *made)
{
    rill_surface_options options = job->options;
    rill_mesh mesh = {0};
    rill_error err = {0};
    options.memory = (size_t)(0.9 * (double)machine_memory_available());
    options.values = values->items;
    options.value_count = (uint32_t)values->count;
    if (job->diameter > 0) {
        p->particles.diameter = job->diameter;
        p->particles.volume = 0;
    }
    rill_status status = rill_surface_make(&p->particles, &options, &mesh, &made->report, &err);
    if (!status) status = rill_mesh_write_at(&mesh, p->origin, job->format, made->path.text, &err);
    made->vertices = mesh.vertex_count;
    made->triangles = mesh.triangle_count;
    rill_mesh_free(&mesh);
    return status ? say_failure(&err) : EXIT_FINE;
}

static int frame_mesh(const mesh_job *job, const rill_scene *scene, mesh_made *made)
{
    const double start = machine_seconds();
    mesh_particles p;
    option_list values = {0};
    char *text = NULL;
    int code = scene ? mesh_particles_of_frame(job->source, made->frame, scene, &p)
                     : mesh_particles_of_file(job->source, &p);
    if (code) return code;
    made->time = p.time;
    code = mesh_values_pick(job->attributes, &p.particles, &values, &text);
    if (!code) code = values_check(job, &values);
    if (!code) code = surface_write(job, &p, &values, made);
    option_list_free(&values);
    free(text);
    rill_particles_free(&p.particles);
    made->seconds = machine_seconds() - start;
    return code;
}

/* ---- all of them ---- */

static int made_all(const mesh_job *job, const rill_scene *scene, mesh_made *made, uint32_t count)
{
    progress bar = progress_start(job->quiet, 0);
    int code = EXIT_FINE;
    for (uint32_t i = 0; i < count && !code; i++) {
        const double share = (double)i / count;
        if (progress_due(&bar, share)) {
            progress_line line = {0};
            if (scene) progress_add(&line, 50, "frame %" PRIu32, made[i].frame);
            if (i) progress_add(&line, 30, "%s triangles", say_count(made[i - 1].triangles).text);
            progress_show(&bar, share, &line);
        }
        code = frame_mesh(job, scene, &made[i]);
    }
    progress_clear(&bar);
    return code;
}

static int series_write(const mesh_job *job, const mesh_made *made, uint32_t count)
{
    const char **files = malloc(count * sizeof *files);
    double *times = malloc(count * sizeof *times);
    rill_error err = {0};
    int code = files && times ? EXIT_FINE : say_error(EXIT_MACHINE, "There is no memory left to list the frames.");
    for (uint32_t i = 0; !code && i < count; i++) {
        files[i] = strrchr(made[i].path.text, '/') + 1;
        times[i] = made[i].time;
    }
    if (!code && rill_export_series(path_join(job->folder.text, "series.pvd").text, files, times, count, &err))
        code = say_failure(&err);
    free(files);
    free(times);
    return code;
}

/* ---- where to ---- */

static bool same_file(const char *a, const char *b)
{
    struct stat first, second;
    return !stat(a, &first) && !stat(b, &second) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* The folder or the one file to write, and the names in it. */
static int paths_choose(mesh_job *job, mesh_made *made, uint32_t count)
{
    const bool run = job->run;
    rill_mesh_format format;
    const bool one = job->out && rill_mesh_format_of(job->out, &format) && !path_is_folder(job->out);
    char name[300];
    if (one && count > 1)
        return say_error(EXIT_USER,
                         "%s is one file, and there are %" PRIu32 " frames; give a folder, or --frames last.",
                         job->out, count);
    if (one) made[0].path = path_join("", job->out);
    else if (run || job->out) job->folder = path_join(job->out ? job->out : job->source, job->out ? "" : "mesh");
    for (uint32_t i = 0; run && !one && i < count; i++) {
        snprintf(name, sizeof name, "frame_%06" PRIu32 ".%s", made[i].frame, job->format_name);
        made[i].path = path_join(job->folder.text, name);
    }
    if (!run && !one) {
        const char *slash = strrchr(job->source, '/'), *base = slash ? slash + 1 : job->source;
        const int stem = (int)(strrchr(base, '.') ? strrchr(base, '.') - base : (long)strlen(base));
        const int folder = job->out ? 0 : (int)(base - job->source);
        if (stem > 200)
            return say_error(EXIT_USER, "The name of %s is too long; name the surface with --out.", job->source);
        snprintf(name, sizeof name, "%.*s_surface.%s", stem, base, job->format_name);
        snprintf(made[0].path.text, sizeof made[0].path.text, "%.*s", folder, job->source);
        made[0].path = path_join(job->out ? job->folder.text : made[0].path.text, name);
    }
    if (!run && same_file(job->source, made[0].path.text))
        return say_error(EXIT_USER, "%s would be written over by its own surface; choose another --out.", job->source);
    if (!*job->folder.text || path_make(job->folder.text)) return EXIT_FINE;
    return say_error(EXIT_MACHINE, "The folder %s cannot be made (%s); choose another with --out.", job->folder.text,
                     strerror(errno));
}

static int job_run(mesh_job *job, const rill_scene *scene, mesh_made *made, uint32_t count)
{
    const double start = machine_seconds();
    rill_error err = {0};
    int code = paths_choose(job, made, count);
    if (code) return code;
    rill_threads *pool = rill_threads_create((unsigned)job->threads, &err);
    if (!pool) return say_failure(&err);
    const rill_scheduler scheduler = rill_threads_scheduler(pool);
    job->options.scheduler = &scheduler;
    code = made_all(job, scene, made, count);
    rill_threads_destroy(pool);
    if (!code && scene && *job->folder.text && job->format == RILL_MESH_VTP) code = series_write(job, made, count);
    const double seconds = machine_seconds() - start;
    if (!code && job->json) mesh_end_put(job, made, count, seconds);
    else if (!code && !job->quiet) mesh_end_say(job, made, count, seconds);
    return code;
}

static int run_mesh(mesh_job *job)
{
    frame_list list;
    rill_scene scene;
    rill_error err = {0};
    int code = frames_of(job->source, &list);
    if (code) return code;
    if (job->frames) code = frames_pick(job->source, job->frames, &list);
    mesh_made *made = code ? NULL : calloc(list.count, sizeof *made);
    if (!code && !made) code = say_error(EXIT_MACHINE, "There is no memory left to list the frames.");
    if (!code && rill_run_read_scene(job->source, &scene, &err)) code = say_failure(&err);
    else if (!code) {
        for (uint32_t i = 0; i < list.count; i++) made[i].frame = list.numbers[i];
        code = job_run(job, &scene, made, list.count);
        rill_scene_free(&scene);
    }
    free(made);
    frames_free(&list);
    return code;
}

static int file_mesh(mesh_job *job)
{
    if (job->frames) return say_error(EXIT_USER, "%s is a file, and --frames picks frames of a run.", job->source);
    mesh_made *made = calloc(1, sizeof *made);
    int code = made ? job_run(job, NULL, made, 1) : say_error(EXIT_MACHINE, "There is no memory left.");
    free(made);
    return code;
}

int command_mesh(int count, char **arguments)
{
    const rill_surface_options usual = rill_surface_default();
    mesh_job job = {.method = methods[usual.method], .field = fields[usual.field], .cell = usual.cell,
                    .radius = usual.radius, .cull = usual.cull, .least = usual.least_particles, .smooth = usual.smooth,
                    .options = usual};
    const option options[] = {
        {"frames", OPTION_TEXT, "A:B", "only these, as in 10:20, 5: or last", &job.frames, NULL},
        {"method", OPTION_TEXT, "NAME", "marching cubes (when not given) or tetrahedra", &job.method, NULL},
        {"field", OPTION_TEXT, "NAME", "zhu-bridson, spheres, density or anisotropic", &job.field, NULL},
        {"cell", OPTION_NUMBER, "C", "edge of a cell in diameters; 0.5 when not given", &job.cell, NULL},
        {"radius", OPTION_NUMBER, "R", "of a particle in the field, in diameters", &job.radius, NULL},
        {"cull", OPTION_COUNT, "N", "leave out particles with fewer neighbours", &job.cull, NULL},
        {"least", OPTION_COUNT, "N", "leave out pieces of fewer particles", &job.least, NULL},
        {"smooth", OPTION_COUNT, "K", "rounds of smoothing that keep the volume", &job.smooth, NULL},
        {"format", OPTION_TEXT, "ply|obj|vtp", "for Blender (when not given) or ParaView (vtp)", &job.format_name,
         NULL},
        {"attributes", OPTION_TEXT, "NAMES", "velocity,speed,colour,... or all, for vertices", &job.attributes, NULL},
        {"diameter", OPTION_TEXT, "D", "of a particle, as in 20mm; from the spacing if not", &job.diameter_text, NULL},
        {"threads", OPTION_COUNT, "N", "threads to use; all cores when not given", &job.threads, &job.threads_given},
        {"out", OPTION_TEXT, "DIR|FILE", "where to; RUN/mesh or FILE_surface when not given", &job.out, NULL},
        {"json", OPTION_FLAG, NULL, "print a summary as JSON", &job.json, NULL},
        {"quiet", OPTION_FLAG, NULL, "say nothing but errors", &job.quiet, NULL}};
    const option_choice choices[] = {{"frames", option_word_at, frames_words, false},
                                     {"method", option_word_at, methods, false},
                                     {"field", option_word_at, fields, false},
                                     {"format", ending_at, NULL, false},
                                     {"attributes", option_word_at, attributes, true},
                                     {0}};
    const option_table table = {"mesh", "RUN|FILE [options]",
                                "Closed surfaces of a run's frames, or of particles in PLY, VTP, XYZ or CSV.",
                                "  rill mesh runs/dam_break --frames last --smooth 5\n"
                                "  rill mesh particles.csv --diameter 20mm --field anisotropic",
                                options, sizeof options / sizeof *options, 1, choices};
    size_t word_count;
    const char *words[1];
    options_result read = options_read(&table, count, arguments, words, &word_count);
    if (read != OPTIONS_GO) return options_code(read);
    if (!word_count)
        return say_error(EXIT_USER, "rill mesh needs a run or a file of particles, as in 'rill mesh runs/dam_break'.");
    job.source = words[0];
    job.run = path_is_folder(job.source);
    int code = job_check(&job);
    if (code) return code;
    if (job.run) return run_mesh(&job);
    if (!path_exists(job.source)) return say_error(EXIT_USER, "There is no run and no file %s.", job.source);
    return file_mesh(&job);
}
