/* Picking frames of a run. */
#include "frame_list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "paths.h"
#include "say.h"

const char *const frames_words[] = {"last", NULL};

int frames_of(const char *run, frame_list *list)
{
    rill_error err = {0};
    *list = (frame_list){0};
    if (!rill_run_exists(run)) return say_error(EXIT_USER, "%s holds no run; 'rill run' makes one.", run);
    if (rill_run_list_frames(run, &list->numbers, &list->count, &err)) return say_failure(&err);
    if (list->count) return EXIT_FINE;
    frames_free(list);
    return say_error(EXIT_USER, "%s holds no whole frame yet.", run);
}

void frames_free(frame_list *list)
{
    rill_free(list->numbers);
    *list = (frame_list){0};
}

/* A whole number up to `stop`, or the open end when nothing stands there. */
static bool end_read(const char *text, const char *stop, uint32_t open, uint32_t *number)
{
    if (text == stop) {
        *number = open;
        return true;
    }
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    *number = (uint32_t)value;
    return *text >= '0' && *text <= '9' && end == stop && !errno && value <= UINT32_MAX;
}

/* Frames of a range that are not there, such as "3, 7 to 9"; as many as fit. */
static void gaps_join(const frame_list *list, uint32_t from, uint32_t to, char *text, size_t size)
{
    uint64_t next = from;
    *text = 0;
    for (uint32_t i = 0; i <= list->count; i++) {
        const uint64_t here = i < list->count ? list->numbers[i] : (uint64_t)to + 1;
        const size_t used = strlen(text);
        if (here > next && used + 40 > size) {
            snprintf(text + used, size - used, ", ...");
            return;
        }
        if (here > next)
            snprintf(text + used, size - used, here > next + 1 ? "%s%" PRIu64 " to %" PRIu64 : "%s%" PRIu64,
                     used ? ", " : "", next, here - 1);
        next = here + 1;
    }
}

int frames_pick(const char *run, const char *text, frame_list *list)
{
    const char *end = text + strlen(text), *colon = strchr(text, ':');
    uint32_t from, to, first = list->numbers[0], last = list->numbers[list->count - 1];
    bool good = true;
    if (!strcmp(text, "last")) from = to = last;
    else if (colon) good = end_read(text, colon, first, &from) && end_read(colon + 1, end, last, &to) && from <= to;
    else good = *text && end_read(text, end, 0, &from) && end_read(text, end, 0, &to);
    if (!good)
        return say_error(EXIT_USER, "'%s' names no frames; give a number, 'last' or FROM:TO, as in 0:10.", text);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->numbers[i] >= from && list->numbers[i] <= to) list->numbers[kept++] = list->numbers[i];
    }
    list->count = kept;
    char gaps[200];
    if (kept) gaps_join(list, from, to, gaps, sizeof gaps);
    if (kept && *gaps) say_error(EXIT_FINE, "%s has no frame %s, left out here.", run, gaps);
    if (kept) return EXIT_FINE;
    return say_error(EXIT_USER, "%s has no frame %s; it holds %" PRIu32 " to %" PRIu32 ".", run, text, first, last);
}

int frame_load(const char *run, uint32_t number, rill_frame_file *frame)
{
    path_text path;
    rill_error err = {0};
    rill_status status = rill_run_frame_path(run, number, path.text, sizeof path.text, &err);
    if (!status) status = rill_frame_file_read(path.text, frame, &err);
    return status ? say_failure(&err) : EXIT_FINE;
}
