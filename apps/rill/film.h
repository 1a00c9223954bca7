/* Films: pictures handed one by one to ffmpeg, which runs beside us. */
#ifndef RILL_APP_FILM_H
#define RILL_APP_FILM_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "paths.h"
#include "rill/store.h"

typedef struct film {
    path_text path;
    rill_store store; /* where ffmpeg writes */
    uint32_t width, height;
    pid_t child;  /* 0: none runs */
    int pipe;     /* where the pictures go */
    FILE *words;  /* what ffmpeg has to say */
} film;

/* Whether a film could be made under this name: its ending, and that ffmpeg is there. Says what is wrong and returns
 * an exit code. Worth asking before hours of work. */
int film_check(const char *path);

/* Pictures of this size, `rate` a second. Pixels are red, green and blue, rows from the top. The film gets its name in
 * film_end; film_cancel leaves nothing. Both are fine after a failure. */
int film_start(film *f, const char *path, uint32_t width, uint32_t height, double rate);
int film_add(film *f, const uint8_t *rgb);
int film_end(film *f);
void film_cancel(film *f);

/* How fast the frames of a run are shown: as they happened, where that is a rate of films, else 30 a second. */
double film_rate(double frames_per_second);

#endif
