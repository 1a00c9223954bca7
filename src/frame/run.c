/* Run folders from the writer's side: start one, add rows and frames, close it.
 *
 * The order of writing is what a killed run is continued by: the scene first,
 * so that a folder with anything else in it can be continued; the tables' rows
 * before the frame of the same step, so that no frame is ahead of its rows. */
#include "frame/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/store.h"
#include "frame/frame.h"
#include "text/string.h"

/* Makes the folder and those above it. 0 or an errno; *made tells whether the last was not there. */
static int folder_create(const char *folder, bool *made)
{
    char *path = strdup(folder);
    if (!path) return ENOMEM;
    int trouble = 0;
    *made = false;
    for (char *at = path + (*path == '/');; at++) {
        if (*at != '/' && *at != '\0') continue;
        char end = *at;
        *at = '\0';
        bool here = mkdir(path, 0777) == 0;
        if (here) *made = true;
        if (!here && errno != EEXIST) trouble = errno;
        *at = end;
        if (trouble || end == '\0') break;
    }
    struct stat about;
    if (!trouble && (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))) trouble = ENOTDIR;
    free(path);
    return trouble;
}

/* Two processes must not write to one run. A file system without locks is used without. */
static rill_status lock_take(rill_run *run, rill_error *err)
{
    char *path = rill_run_path(run->folder, ".lock");
    if (!path) return rill_store_fail(err, run->folder, ENOMEM);
    run->lock = rill_store_open_plain(path, O_RDWR | O_CREAT);
    rill_status status = run->lock < 0 ? rill_store_fail(err, path, errno) : RILL_OK;
    free(path);
    if (status) return status;
    if (flock(run->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return RILL_OK;
    return rill_fail(err, RILL_BAD_INPUT,
                     "%s is being written by another process; wait until that ends or choose another --out.",
                     run->folder);
}

rill_run *rill_run_open(const char *folder, rill_error *err)
{
    rill_run *run = calloc(1, sizeof *run);
    if (run) {
        run->lock = run->report.fd = run->probes.fd = -1;
        run->folder = strdup(folder);
    }
    if (!run || !run->folder) {
        rill_store_fail(err, folder, ENOMEM);
        free(run);
        return NULL;
    }
    /* Paths are joined with one slash. */
    for (size_t n = strlen(run->folder); n > 1 && run->folder[n - 1] == '/'; n--) run->folder[n - 1] = '\0';
    if (lock_take(run, err) == RILL_OK) return run;
    rill_run_drop(run);
    return NULL;
}

void rill_run_drop(rill_run *run)
{
    if (!run) return;
    rill_table_close(&run->report);
    rill_table_close(&run->probes);
    if (run->lock >= 0) close(run->lock);
    free(run->folder);
    free(run);
}

static void header_add(char **header, const char *prefix, const char *name)
{
    if (!*header) return;
    bool quote = strpbrk(name, ",\"\r\n") != NULL;
    char *longer = rill_string_make(quote ? "%s,\"%s%s\"" : "%s,%s%s", *header, prefix, name);
    /* A quote or a line end inside a name would break the row. */
    for (char *at = quote && longer ? longer + strlen(*header) + 2 : NULL; at && at[1]; at++)
        if (*at == '"' || *at == '\r' || *at == '\n') *at = '_';
    free(*header);
    *header = longer;
}

static char *header_end(char *header)
{
    char *line = header ? rill_string_make("%s\n", header) : NULL;
    free(header);
    return line;
}

static char *report_header(void)
{
    char *header = strdup("step,time,dt,particles,"
                          "iterations_density,density_error_before,density_error,density_error_max,"
                          "iterations_divergence,divergence_error_before,divergence_error,limit_hit,"
                          "iterations_viscosity,viscosity_error,"
                          "speed_max,kinetic,potential,volume,momentum_x,momentum_y,momentum_z,"
                          "neighbours_mean,boundary_neighbours_mean,rescued,lost,"
                          "trouble,trouble_count,trouble_id,trouble_x,trouble_y,trouble_z");
    const char *name;
    for (uint32_t i = 0; i < RILL_STAGE_MAX && (name = rill_stage_name(i)); i++) header_add(&header, "seconds_", name);
    return header_end(header);
}

static char *probes_header(const rill_world *world)
{
    char *header = strdup("step,time");
    const char *name;
    for (uint32_t i = 0; (name = rill_world_probe_name(world, i)); i++) header_add(&header, "", name);
    return header_end(header);
}

static rill_status table_open(rill_table *table, const char *folder, const char *name, char *header, uint64_t step,
                              rill_error *err)
{
    char *path = rill_run_path(folder, name);
    rill_status status = path && header ? rill_table_resume(table, path, header, step, err)
                                        : rill_store_fail(err, folder, ENOMEM);
    free(path);
    free(header);
    return status;
}

rill_status rill_run_open_tables(rill_run *run, const rill_world *world, uint64_t step, rill_error *err)
{
    char *frames = rill_run_path(run->folder, RILL_RUN_FRAMES);
    if (!frames) return rill_store_fail(err, run->folder, ENOMEM);
    rill_status status = RILL_OK;
    if (mkdir(frames, 0777) != 0 && errno != EEXIST) status = rill_store_fail(err, frames, errno);
    if (!status) status = table_open(&run->report, run->folder, RILL_RUN_REPORT, report_header(), step, err);
    if (!status) status = table_open(&run->probes, run->folder, RILL_RUN_PROBES, probes_header(world), step, err);
    int trouble = status ? 0 : rill_store_sync_folder(frames);
    if (trouble) status = rill_store_fail(err, run->folder, trouble);
    free(frames);
    return status;
}

static bool folder_holds(const char *folder, const char *name)
{
    char *path = rill_run_path(folder, name);
    /* A link counts though it may lead nowhere. */
    bool there = path && faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    free(path);
    return there;
}

static rill_status folder_check_free(const char *folder, rill_error *err)
{
    static const char *const names[] = {RILL_RUN_REPORT, RILL_RUN_PROBES, RILL_RUN_FRAMES};
    if (folder_holds(folder, RILL_RUN_SCENE))
        return rill_fail(err, RILL_BAD_INPUT,
                         "%s already holds a run; continue it with --resume or choose another --out.", folder);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (folder_holds(folder, names[i]))
            return rill_fail(err, RILL_BAD_INPUT, "%s/%s is in the way of a new run; choose another --out.", folder,
                             names[i]);
    return RILL_OK;
}

static rill_status scene_put(const char *folder, const rill_scene *scene, rill_error *err)
{
    char *path = rill_run_path(folder, RILL_RUN_SCENE), *text = NULL;
    size_t size = 0;
    FILE *memory = path ? open_memstream(&text, &size) : NULL;
    rill_status status = memory ? rill_scene_write(scene, memory, err) : rill_store_fail(err, folder, ENOMEM);
    if (memory && !rill_string_end(memory, &text) && !status) status = rill_store_fail(err, folder, ENOMEM);
    if (!status) status = rill_store_put(path, text, size, err);
    free(text);
    free(path);
    return status;
}

static void folder_remove(const char *folder, const char *name)
{
    char *path = rill_run_path(folder, name);
    if (path) remove(path);
    free(path);
}

/* A run that could not be started leaves nothing behind. The lock stays in a
 * folder that was there before: someone else may be about to take it. */
static void create_undo(const char *folder, bool made)
{
    folder_remove(folder, RILL_RUN_SCENE);
    folder_remove(folder, RILL_RUN_REPORT);
    folder_remove(folder, RILL_RUN_PROBES);
    folder_remove(folder, RILL_RUN_FRAMES);
    if (!made) return;
    folder_remove(folder, ".lock");
    rmdir(folder);
}

rill_run *rill_run_create(const char *folder, const rill_world *world, rill_error *err)
{
    bool made;
    int trouble = folder_create(folder, &made);
    if (trouble) {
        rill_store_fail(err, folder, trouble);
        return NULL;
    }
    rill_run *run = rill_run_open(folder, err);
    if (!run) return NULL;
    if (folder_check_free(run->folder, err)) {
        rill_run_drop(run);
        return NULL;
    }
    rill_status status = scene_put(run->folder, rill_world_scene(world), err);
    if (!status) status = rill_run_open_tables(run, world, 0, err);
    if (!status) return run;
    create_undo(run->folder, made);
    rill_run_drop(run);
    return NULL;
}

static const char *trouble_name(rill_trouble_kind kind)
{
    switch (kind) {
    case RILL_TROUBLE_NAN:
        return "nan";
    case RILL_TROUBLE_RUNAWAY:
        return "runaway";
    default:
        return "none";
    }
}

/* Times with all their digits, the rest with those of single precision and to spare. */
static void report_row(rill_table *table, const rill_report *r)
{
    rill_table_print(table, "%" PRIu64 ",%.17g,%.17g,%" PRIu64, r->step, r->time, r->dt, r->particles);
    rill_table_print(table, ",%" PRIu32 ",%.10g,%.10g,%.10g", r->iterations_density, r->density_error_before,
                     r->density_error, r->density_error_max);
    rill_table_print(table, ",%" PRIu32 ",%.10g,%.10g,%d", r->iterations_divergence, r->divergence_error_before,
                     r->divergence_error, r->iteration_limit_hit);
    rill_table_print(table, ",%" PRIu32 ",%.10g", r->iterations_viscosity, r->viscosity_error);
    rill_table_print(table, ",%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g", r->speed_max, r->kinetic, r->potential,
                     r->volume, r->momentum.x, r->momentum.y, r->momentum.z);
    rill_table_print(table, ",%.10g,%.10g,%" PRIu64 ",%" PRIu64, r->neighbours_mean, r->boundary_neighbours_mean,
                     r->rescued, r->lost);
    rill_table_print(table, ",%s,%" PRIu64 ",%" PRIu32 ",%.17g,%.17g,%.17g", trouble_name(r->trouble), r->trouble_count,
                     r->trouble_id, r->trouble_at.x, r->trouble_at.y, r->trouble_at.z);
    for (uint32_t i = 0; i < RILL_STAGE_MAX && rill_stage_name(i); i++)
        rill_table_print(table, ",%.6g", r->stage_seconds[i]);
}

rill_status rill_run_report(rill_run *run, const rill_world *world, const rill_report *report, rill_error *err)
{
    report_row(&run->report, report);
    rill_status status = rill_table_end_row(&run->report, err);
    if (status) return status;
    rill_table_print(&run->probes, "%" PRIu64 ",%.17g", report->step, report->time);
    for (uint32_t i = 0; rill_world_probe_name(world, i); i++) {
        if (i < report->probe_value_count)
            rill_table_print(&run->probes, ",%.12g", report->probe_values[i]);
        else
            rill_table_print(&run->probes, ",nan");
    }
    return rill_table_end_row(&run->probes, err);
}

rill_status rill_run_frame(rill_run *run, const rill_world *world, rill_error *err)
{
    rill_image image;
    char name[64];
    snprintf(name, sizeof name, RILL_RUN_FRAMES "/frame_%06" PRIu32 ".h5", run->next);
    char *path = rill_run_path(run->folder, name);
    if (!path) return rill_store_fail(err, run->folder, ENOMEM);
    rill_status status = rill_frame_encode(world, &image, err);
    if (!status) {
        status = rill_table_flush(&run->report, true, err);
        if (!status) status = rill_table_flush(&run->probes, true, err);
        if (!status) status = rill_store_put(path, image.bytes, image.size, err);
        if (!status) run->next++;
        free(image.bytes);
    }
    free(path);
    return status;
}

const char *rill_run_note(const rill_run *run)
{
    return run->note;
}

rill_status rill_run_close(rill_run *run, rill_error *err)
{
    if (!run) return RILL_OK;
    rill_status first = rill_table_flush(&run->report, true, err);
    rill_status second = rill_table_flush(&run->probes, true, first ? NULL : err);
    rill_run_drop(run);
    return first ? first : second;
}
