/* How far long work has come: one live line on a terminal, a plain line now and
 * then elsewhere. All of it goes to stderr. */
#ifndef RILL_APP_PROGRESS_H
#define RILL_APP_PROGRESS_H

#include <stdbool.h>

enum { PROGRESS_PART_MAX = 8 };

typedef struct progress {
    bool quiet;
    bool live;          /* a line is on the terminal and must be cleared */
    double started;     /* clock */
    double shown;       /* clock when last shown */
    double first_share; /* where the work took up */
    double shown_share;
} progress;

/* What a line says beside the bar and the time left. The least important parts
 * go first when the terminal is narrow. */
typedef struct progress_line {
    struct {
        char text[48];
        int importance;
    } parts[PROGRESS_PART_MAX];
    int count;
} progress_line;

progress progress_start(bool quiet, double share);

/* True when it is time to show a line again. */
bool progress_due(const progress *p, double share);
/* The time left follows from the share of the work that is done; or it is given, s, where the work is not all alike;
 * below zero it is not known. */
void progress_show(progress *p, double share, const progress_line *line);
void progress_show_left(progress *p, double share, double left, const progress_line *line);

/* Clears the live line, so that other text can follow. */
void progress_clear(progress *p);

void progress_add(progress_line *line, int importance, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
