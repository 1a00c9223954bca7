/* Picking frames of a run. */
#ifndef RILL_APP_FRAME_LIST_H
#define RILL_APP_FRAME_LIST_H

#include <stdint.h>

#include "rill/frames.h"

typedef struct frame_list {
    uint32_t *numbers;
    uint32_t count;
} frame_list;

/* The words for frames beside numbers, to be completed by shells. */
extern const char *const frames_words[];

/* All frames of a run; says what is wrong and returns an exit code when there is no run or no frame. */
int frames_of(const char *run, frame_list *list);

/* Keeps those that text names: a number, "last", or FROM:TO with either end open, both included. Says which of them
 * are not there; none at all is a mistake. */
int frames_pick(const char *run, const char *text, frame_list *list);
void frames_free(frame_list *list);

/* Reads a frame by number. Says what is wrong and returns an exit code. */
int frame_load(const char *run, uint32_t number, rill_frame_file *frame);

#endif
