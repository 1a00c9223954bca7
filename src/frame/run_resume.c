/* Continuing a run that ended, was interrupted or was killed at any moment. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/store.h"
#include "frame/frame.h"
#include "frame/run.h"
#include "text/string.h"

/* Where to go on: frames [0, whole) of the list stay, the rest are damaged. */
typedef struct resume_point {
    uint32_t *numbers, count, whole;
} resume_point;

static rill_status out_of_memory(const rill_run *run, rill_error *err)
{
    return rill_fail(err, RILL_NO_MEMORY, "There is not enough memory to continue %s; close other programs.",
                     run->folder);
}

static char *frame_path(const rill_run *run, uint32_t number, const char *ending)
{
    return rill_string_make("%s/" RILL_RUN_FRAMES "/frame_%06" PRIu32 ".h5%s", run->folder, number, ending);
}

/* What loading a frame came to. Files to pass over are damaged, or hold a state that the world does not take; trouble
 * to stop at is a frame of a newer rill, too little memory, a disk that does not answer. */
typedef enum load_result { LOAD_DONE, LOAD_DAMAGED, LOAD_UNFIT, LOAD_STOPS } load_result;

static load_result result_of(rill_status status, load_result bad_file)
{
    return status == RILL_OK ? LOAD_DONE : status == RILL_BAD_FILE ? bad_file : LOAD_STOPS;
}

static rill_status frame_load(const char *path, rill_world *world, load_result *result, rill_error *err)
{
    rill_frame_file frame;
    rill_error inner = {0};
    bool newer;
    rill_status status = rill_frame_file_try(path, &frame, &newer, &inner);
    *result = result_of(status, newer ? LOAD_STOPS : LOAD_DAMAGED);
    if (status) return rill_fail(err, status, "%s", inner.text);
    const rill_frame now = rill_world_frame(world);
    if (frame.diameter != now.diameter || frame.origin.x != now.origin.x || frame.origin.y != now.origin.y ||
        frame.origin.z != now.origin.z) {
        rill_frame_file_free(&frame);
        *result = LOAD_STOPS;
        return rill_fail(err, RILL_BAD_INPUT,
                         "%s has particles of another diameter or origin than the run's " RILL_RUN_SCENE
                         "; undo that change or start a new run.",
                         path);
    }
    status = rill_world_load(world, &frame.state, &inner);
    rill_frame_file_free(&frame);
    *result = result_of(status, LOAD_UNFIT);
    return status ? rill_fail(err, status, "%s cannot be continued from: %s", path, inner.text) : RILL_OK;
}

/* The newest frame that reads whole and makes sense goes into the world. Where states read but the world takes none of
 * them, it may as well be the scene that has changed: then the run does not start again from the beginning. */
static rill_status newest_load(rill_run *run, rill_world *world, resume_point *point, rill_error *err)
{
    rill_error unfit = {0};
    for (point->whole = point->count; point->whole > 0; point->whole--) {
        load_result result;
        rill_error inner = {0};
        char *path = frame_path(run, point->numbers[point->whole - 1], "");
        if (!path) return out_of_memory(run, err);
        const rill_status status = frame_load(path, world, &result, &inner);
        rill_free(path);
        if (result == LOAD_DONE) return RILL_OK;
        if (result == LOAD_STOPS) return rill_fail(err, status, "%s", inner.text);
        if (result == LOAD_UNFIT && !unfit.status) unfit = inner;
    }
    return unfit.status ? rill_fail(err, unfit.status, "%s", unfit.text) : RILL_OK;
}

/* Damaged frames give way to new ones under their names but are not thrown away. */
static rill_status damaged_keep(const rill_run *run, const resume_point *point, rill_error *err)
{
    rill_status status = RILL_OK;
    for (uint32_t i = point->whole; i < point->count && !status; i++) {
        char *from = frame_path(run, point->numbers[i], ""), *to = frame_path(run, point->numbers[i], RILL_RUN_DAMAGED);
        if (!from || !to)
            status = out_of_memory(run, err);
        else if (rename(from, to) != 0)
            status = rill_store_fail(err, to, errno);
        rill_free(from);
        rill_free(to);
    }
    return status;
}

static void note_write(rill_run *run, const resume_point *point)
{
    uint32_t damaged = point->count - point->whole;
    char from[32] = "the beginning";
    if (damaged == 0) return;
    if (point->whole > 0) snprintf(from, sizeof from, "frame %" PRIu32, point->numbers[point->whole - 1]);
    if (damaged == 1)
        snprintf(run->note, sizeof run->note,
                 "Frame %" PRIu32 " is damaged and kept with the ending " RILL_RUN_DAMAGED "; the run goes on from %s.",
                 point->numbers[point->whole], from);
    else
        snprintf(run->note, sizeof run->note,
                 "%" PRIu32 " frames from %" PRIu32 " on are damaged and kept with the ending " RILL_RUN_DAMAGED
                 "; the run goes on from %s.",
                 damaged, point->numbers[point->whole], from);
}

/* What a killed process was writing. */
static rill_status leftovers_remove(const rill_run *run, rill_error *err)
{
    char *frames = rill_run_path(run->folder, RILL_RUN_FRAMES "/"), *folder = rill_run_path(run->folder, "");
    const bool good = frames && folder;
    if (good) {
        rill_store_sweep(frames);
        rill_store_sweep(folder);
    }
    rill_free(frames);
    rill_free(folder);
    return good ? RILL_OK : out_of_memory(run, err);
}

/* Nothing on disk changes before the world has its frame. */
static rill_status resume(rill_run *run, rill_world *world, rill_error *err)
{
    resume_point point = {0};
    rill_status status = rill_run_list_frames(run->folder, &point.numbers, &point.count, err);
    if (!status) status = newest_load(run, world, &point, err);
    if (!status) status = damaged_keep(run, &point, err);
    if (!status) status = leftovers_remove(run, err);
    if (!status) status = rill_run_open_tables(run, world, rill_world_step_count(world), err);
    if (!status) {
        run->next = point.whole > 0 ? point.numbers[point.whole - 1] + 1 : 0;
        note_write(run, &point);
    }
    rill_free(point.numbers);
    return status;
}

rill_run *rill_run_resume(const char *folder, rill_world *world, rill_error *err)
{
    char *scene = rill_run_path(folder, RILL_RUN_SCENE);
    bool is_run = scene && access(scene, F_OK) == 0;
    rill_free(scene);
    if (!is_run) {
        rill_fail(err, RILL_BAD_INPUT, "%s holds no run to continue; start it without --resume.", folder);
        return NULL;
    }
    rill_run *run = rill_run_open(folder, err);
    if (!run) return NULL;
    if (resume(run, world, err) == RILL_OK) return run;
    rill_run_drop(run);
    return NULL;
}
