/* Run folders from the writer's side: start one, add rows and frames, close it.
 *
 * The order of writing is what a killed run is continued by: the scene first,
 * so that a folder with anything else in it can be continued; the tables' rows
 * before the frame of the same step, so that no frame is ahead of its rows. */
#include "frame/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/store.h"
#include "frame/frame.h"
#include "frame/table_read.h"
#include "rill/scene_text.h"
#include "text/csv.h"
#include "text/locale.h"
#include "text/string.h"

/* Makes the folder and those above it. 0 or an errno; *made tells whether the last was not there. */
static int folder_create(const char *folder, bool *made)
{
    char *path = rill_string_copy(folder);
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
    rill_free(path);
    return trouble;
}

/* Two processes must not write to one run. A file system without locks is used without. */
static rill_status lock_take(rill_run *run, rill_error *err)
{
    char *path = rill_run_path(run->folder, RILL_RUN_LOCK);
    if (!path) return rill_store_fail(err, run->folder, ENOMEM);
    run->lock = rill_store_open_plain(path, O_RDWR | O_CREAT);
    rill_status status = run->lock < 0 ? rill_store_fail(err, path, errno) : RILL_OK;
    rill_free(path);
    if (status) return status;
    if (flock(run->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return RILL_OK;
    return rill_fail(err, RILL_BAD_INPUT,
                     "%s is being written by another process; wait until that ends or choose another --out.",
                     run->folder);
}

rill_run *rill_run_open(const char *folder, rill_error *err)
{
    rill_run *run = rill_calloc(1, sizeof *run);
    if (run) {
        run->lock = run->report.fd = run->probes.fd = -1;
        run->folder = rill_string_copy(folder);
    }
    if (!run || !run->folder) {
        rill_store_fail(err, folder, ENOMEM);
        rill_free(run);
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
    rill_free(run->folder);
    rill_free(run);
}

static void header_add(char **header, const char *name)
{
    if (!*header) return;
    bool quote = strpbrk(name, ",\"\r\n") != NULL;
    char *longer = rill_string_make(quote ? "%s,\"%s\"" : "%s,%s", *header, name);
    /* A quote or a line end inside a name would break the row. */
    for (char *at = quote && longer ? longer + strlen(*header) + 2 : NULL; at && at[1]; at++)
        if (*at == '"' || *at == '\r' || *at == '\n') *at = '_';
    rill_free(*header);
    *header = longer;
}

static char *header_end(char *header)
{
    char *line = header ? rill_string_make("%s\n", header) : NULL;
    rill_free(header);
    return line;
}

static char *report_header(const rill_world *world)
{
    char *header = rill_string_copy(rill_world_column(world, 0)->name);
    const rill_column *column;
    for (uint32_t i = 1; (column = rill_world_column(world, i)); i++) header_add(&header, column->name);
    return header_end(header);
}

static char *probes_header(const rill_world *world)
{
    char *header = rill_string_copy("step,time");
    const char *name;
    for (uint32_t i = 0; (name = rill_world_probe_name(world, i)); i++) header_add(&header, name);
    return header_end(header);
}

static rill_status table_open(rill_table *table, const char *folder, const char *name, char *header, uint64_t step,
                              rill_error *err)
{
    char *path = rill_run_path(folder, name);
    rill_status status = path && header ? rill_table_resume(table, path, header, step, err)
                                        : rill_store_fail(err, folder, ENOMEM);
    rill_free(path);
    rill_free(header);
    return status;
}

static uint32_t column_find(const rill_world *world, rill_csv_cell name)
{
    const rill_column *column;
    for (uint32_t i = 0; (column = rill_world_column(world, i)); i++)
        if (rill_csv_is(name, column->name)) return i;
    return RILL_RUN_NO_COLUMN;
}

static bool column_is_known(rill_csv_cell name)
{
    const rill_column *column;
    for (uint32_t i = 0; (column = rill_column_known(i, NULL)); i++)
        if (rill_csv_is(name, column->name)) return true;
    return false;
}

/* Which of the world's columns are to be written, in the order of the header. False where the header has others than a
 * report of rill can have. */
static bool columns_choose(rill_run *run, const rill_world *world, const char *header)
{
    const char *at = header, *end = header + strcspn(header, "\n");
    rill_csv_cell name;
    for (run->column_count = 0; rill_csv_next(&at, end, &name); run->column_count++) {
        if (run->column_count == RILL_COLUMN_MAX) return false;
        const uint32_t column = column_find(world, name);
        if (column == RILL_RUN_NO_COLUMN && !column_is_known(name)) return false;
        if (run->column_count == 0 && column != 0) return false; /* the step, by which tables are cut back */
        run->columns[run->column_count] = column;
    }
    return true;
}

/* A table goes on with the columns it was begun with, though another rill or another viscosity would have others. */
static rill_status report_open(rill_run *run, const rill_world *world, uint64_t step, rill_error *err)
{
    char *path = rill_run_path(run->folder, RILL_RUN_REPORT), *header = path ? rill_table_header(path) : NULL;
    rill_free(path);
    if (!header || !columns_choose(run, world, header)) {
        rill_free(header);
        header = report_header(world);
        if (header) columns_choose(run, world, header);
    }
    return table_open(&run->report, run->folder, RILL_RUN_REPORT, header, step, err);
}

rill_status rill_run_open_tables(rill_run *run, const rill_world *world, uint64_t step, rill_error *err)
{
    char *frames = rill_run_path(run->folder, RILL_RUN_FRAMES);
    if (!frames) return rill_store_fail(err, run->folder, ENOMEM);
    rill_status status = RILL_OK;
    if (mkdir(frames, 0777) != 0 && errno != EEXIST) status = rill_store_fail(err, frames, errno);
    if (!status) status = report_open(run, world, step, err);
    if (!status) status = table_open(&run->probes, run->folder, RILL_RUN_PROBES, probes_header(world), step, err);
    int trouble = status ? 0 : rill_store_sync_folder(frames);
    if (trouble) status = rill_store_fail(err, run->folder, trouble);
    rill_free(frames);
    return status;
}

static bool folder_holds(const char *folder, const char *name)
{
    char *path = rill_run_path(folder, name);
    /* A link counts though it may lead nowhere. */
    bool there = path && faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    rill_free(path);
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
    rill_free(text);
    rill_free(path);
    return status;
}

static void folder_remove(const char *folder, const char *name)
{
    char *path = rill_run_path(folder, name);
    if (path) remove(path);
    rill_free(path);
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
    folder_remove(folder, RILL_RUN_LOCK);
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

/* A cell of a method that this world does not have stays empty. */
static void report_row(rill_run *run, const rill_world *world, const rill_report *report)
{
    rill_locale locale = rill_locale_begin();
    for (uint32_t i = 0; i < run->column_count; i++) {
        char cell[64] = "";
        if (run->columns[i] != RILL_RUN_NO_COLUMN) rill_report_text(world, report, run->columns[i], cell, sizeof cell);
        rill_table_print(&run->report, "%s%s", i ? "," : "", cell);
    }
    rill_locale_end(&locale);
}

rill_status rill_run_write_report(rill_run *run, const rill_world *world, const rill_report *report, rill_error *err)
{
    report_row(run, world, report);
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

rill_status rill_run_write_frame(rill_run *run, const rill_world *world, rill_error *err)
{
    rill_image image;
    char name[64];
    snprintf(name, sizeof name, RILL_RUN_FRAMES "/frame_%06" PRIu32 ".h5", run->next);
    char *path = rill_run_path(run->folder, name);
    if (!path) return rill_store_fail(err, run->folder, ENOMEM);
    rill_status status = rill_frame_file_encode(world, &image, err);
    if (!status) {
        status = rill_table_flush(&run->report, true, err);
        if (!status) status = rill_table_flush(&run->probes, true, err);
        if (!status) status = rill_store_put(path, image.bytes, image.size, err);
        if (!status) run->next++;
        rill_free(image.bytes);
    }
    rill_free(path);
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
