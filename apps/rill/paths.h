/* Paths of runs and what lies in them. */
#ifndef RILL_APP_PATHS_H
#define RILL_APP_PATHS_H

#include <stdbool.h>
#include <stdint.h>

enum { PATH_SIZE = 4096 };

typedef struct path_text {
    char text[PATH_SIZE];
} path_text;

path_text path_join(const char *folder, const char *name);
bool path_exists(const char *path);
bool path_is_folder(const char *path);

/* True for names that end as pictures of a kind that rill does not write. */
bool path_is_other_picture(const char *path);

/* Whether a file can be made under this name: false, with errno and the folder meant, when its folder does not allow
 * it. Removes what killed processes left of it. */
bool path_may_write(const char *path, path_text *folder);

/* Whether a program of this name is among those the shell would find. */
bool path_finds_program(const char *name);

/* runs/NAME, or runs/NAME-2, -3 ... when that is taken. */
path_text path_run_free(const char *name);

/* Makes a folder and those above it, or removes what killed processes left in it. False, with errno, when that cannot
 * be. */
bool path_make(const char *folder);

/* Bytes of all files in a folder and below. */
uint64_t path_bytes(const char *folder);

/* A word as a shell takes it, quoted where it must be. */
path_text path_quote(const char *word);

#endif
