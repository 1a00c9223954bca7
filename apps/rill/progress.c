/* The line that shows how far long work has come. */
#include "progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "say.h"

progress progress_start(bool quiet, double share)
{
    double now = machine_seconds();
    return (progress){.quiet = quiet, .started = now, .shown = now, .first_share = share, .shown_share = share};
}

void progress_add(progress_line *line, int importance, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (line->count < PROGRESS_PART_MAX) {
        vsnprintf(line->parts[line->count].text, sizeof line->parts->text, format, args);
        line->parts[line->count++].importance = importance;
    }
    va_end(args);
}

bool progress_due(const progress *p, double share)
{
    if (p->quiet) return false;
    double now = machine_seconds(), since = now - p->shown;
    if (machine_terminal_width()) return since >= 0.1 || !p->live;
    /* In a log: every tenth of the work but not every moment, and in slow work after ten seconds, then ever more
     * rarely. */
    return (share - p->shown_share >= 0.0999 && since >= 1) || since >= fmax(10, 0.1 * (now - p->started));
}

static double seconds_left(const progress *p, double share)
{
    double done = share - p->first_share;
    return done > 1e-9 ? (machine_seconds() - p->started) * (1 - share) / done : -1;
}

static int line_width(const progress_line *line)
{
    int width = 0;
    for (int i = 0; i < line->count; i++) width += (int)strlen(line->parts[i].text) + 2;
    return width;
}

/* Drops the least important parts until the line fits. */
static void line_fit(progress_line *line, int width)
{
    while (line->count && line_width(line) > width) {
        int least = 0;
        for (int i = 1; i < line->count; i++) {
            if (line->parts[i].importance <= line->parts[least].importance) least = i;
        }
        memmove(&line->parts[least], &line->parts[least + 1],
                (size_t)(line->count - least - 1) * sizeof line->parts[0]);
        line->count--;
    }
}

static void bar_print(double share, int width)
{
    int filled = (int)(share * width + 0.5);
    fputc('[', stderr);
    for (int i = 0; i < width; i++) fputc(i < filled ? '#' : '-', stderr);
    fputs("]  ", stderr);
}

void progress_show(progress *p, double share, const progress_line *line)
{
    progress_show_left(p, share, seconds_left(p, share), line);
}

void progress_show_left(progress *p, double share, double left, const progress_line *line)
{
    if (p->quiet) return;
    progress_line fitted = *line;
    int width = machine_terminal_width();
    progress_add(&fitted, 90, "%3.0f %%", 100 * share);
    if (left >= 0 && share < 1) progress_add(&fitted, 80, "%s left", say_duration(left).text);
    if (width) {
        /* The last column stays free: some terminals wrap when it is filled. */
        line_fit(&fitted, width > 40 ? width - 1 - 14 : width + 1);
        int bar = width - 1 - line_width(&fitted) - 4;
        fputs("\r\033[K", stderr);
        if (bar >= 8) bar_print(share, bar > 28 ? 28 : bar);
    } else {
        fputs("  ", stderr);
    }
    for (int i = 0; i < fitted.count; i++)
        fprintf(stderr, "%s%s", fitted.parts[i].text, i + 1 < fitted.count ? "  " : "");
    if (!width) fputc('\n', stderr);
    fflush(stderr);
    p->live = width > 0;
    p->shown = machine_seconds();
    p->shown_share = share;
}

void progress_clear(progress *p)
{
    if (p->live) fputs("\r\033[K", stderr);
    p->live = false;
}
