/* rill export: frames of a run as files that other programs open. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "frame_list.h"
#include "options.h"
#include "paths.h"
#include "progress.h"
#include "say.h"

typedef struct export_job {
    const char *run, *format_name, *frames;
    rill_export_format format;
    path_text folder;
    bool quiet;
} export_job;

/* The series file names the frames beside it. */
static int series_write(const export_job *job, const frame_list *list, const double *times)
{
    char(*names)[32] = malloc(list->count * sizeof *names);
    const char **files = malloc(list->count * sizeof *files);
    int code = EXIT_FINE;
    rill_error err = {0};
    if (!names || !files) code = say_error(EXIT_MACHINE, "There is no memory left to list the frames.");
    for (uint32_t i = 0; !code && i < list->count; i++) {
        snprintf(names[i], sizeof names[i], "frame_%06" PRIu32 ".vtp", list->numbers[i]);
        files[i] = names[i];
    }
    if (!code && rill_export_series(path_join(job->folder.text, "series.pvd").text, files, times, list->count, &err))
        code = say_failure(&err);
    free(names);
    free(files);
    return code;
}

static int frame_export(const export_job *job, uint32_t number, double *time)
{
    rill_frame_file frame;
    rill_error err = {0};
    int code = frame_load(job->run, number, &frame);
    if (code) return code;
    char name[48];
    snprintf(name, sizeof name, "frame_%06" PRIu32 ".%s", number, job->format_name);
    *time = frame.time;
    if (rill_export_frame(&frame, job->format, path_join(job->folder.text, name).text, &err)) code = say_failure(&err);
    rill_frame_file_free(&frame);
    return code;
}

static int frames_export(const export_job *job, const frame_list *list, double *times)
{
    progress p = progress_start(job->quiet, 0);
    int code = EXIT_FINE;
    for (uint32_t i = 0; i < list->count && !code; i++) {
        double share = (double)i / list->count;
        if (progress_due(&p, share)) {
            progress_line line = {0};
            progress_add(&line, 50, "frame %" PRIu32, list->numbers[i]);
            progress_show(&p, share, &line);
        }
        code = frame_export(job, list->numbers[i], &times[i]);
    }
    progress_clear(&p);
    return code;
}

static void end_say(const export_job *job, const frame_list *list)
{
    printf("Exported %s to %s\n", say_many(list->count, "frame").text, job->folder.text);
    if (job->format == RILL_EXPORT_VTP)
        printf("  open %s in ParaView, press Apply, and choose Point Gaussian to see the particles\n",
               path_quote(path_join(job->folder.text, "series.pvd").text).text);
    else
        printf("  open %s in Blender (File, Import, Stanford PLY), Houdini or MeshLab\n",
               path_join(path_quote(job->folder.text).text, "frame_*.ply").text);
}

static int job_run(export_job *job)
{
    frame_list list;
    int code = frames_of(job->run, &list);
    if (!code && job->frames) code = frames_pick(job->run, job->frames, &list);
    if (!code && !path_make(job->folder.text))
        code = say_error(EXIT_MACHINE, "The folder %s cannot be made (%s); choose another with --out.",
                         job->folder.text, strerror(errno));
    double *times = code ? NULL : malloc(list.count * sizeof *times);
    if (!code && !times) code = say_error(EXIT_MACHINE, "There is no memory left to list the frames.");
    if (!code) code = frames_export(job, &list, times);
    if (!code && job->format == RILL_EXPORT_VTP) code = series_write(job, &list, times);
    if (!code && !job->quiet) end_say(job, &list);
    free(times);
    frames_free(&list);
    return code;
}

int command_export(int count, char **arguments)
{
    export_job job = {.format_name = "vtp"};
    const char *out = NULL, *words[1];
    const option options[] = {
        {"format", OPTION_TEXT, "vtp|ply", "for ParaView (when not given), or for Blender",
         &job.format_name, NULL},
        {"frames", OPTION_TEXT, "A:B", "only these, as in 10:20, 5: or last", &job.frames, NULL},
        {"out", OPTION_TEXT, "DIR", "where to; RUN/vtp or RUN/ply when not given", &out, NULL},
        {"quiet", OPTION_FLAG, NULL, "say nothing but errors", &job.quiet, NULL}};
    const option_choice choices[] = {{"frames", option_word_at, frames_words, false}, {0}};
    const option_table table = {"export", "RUN [options]", "Writes the frames of a run for other programs.",
                                "  rill export runs/dam_break --format vtp\n"
                                "  rill export runs/dam_break --format ply --frames last --out /tmp/last",
                                options, sizeof options / sizeof *options, 1, choices};
    size_t word_count;
    options_result read = options_read(&table, count, arguments, words, &word_count);
    if (read != OPTIONS_GO) return options_code(read);
    if (!word_count)
        return say_error(EXIT_USER, "rill export needs a run, as in 'rill export runs/dam_break --format vtp'.");
    if (!strcmp(job.format_name, "ply")) job.format = RILL_EXPORT_PLY;
    else if (strcmp(job.format_name, "vtp"))
        return say_error(EXIT_USER, "'%s' is no format to export to; there are vtp and ply.", job.format_name);
    job.run = words[0];
    job.folder = path_join(out ? out : job.run, out ? "" : job.format_name);
    return job_run(&job);
}
