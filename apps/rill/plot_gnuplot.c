/* rill plot: gnuplot, run as a program on files that exist in memory only. */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "plot_parts.h"
#include "say.h"

extern char **environ;

/* What gnuplot reads and writes. Nothing is left behind, whatever happens, and no path has to be quoted. */
typedef struct streams {
    int file[3]; /* its input, output and errors */
} streams;

static bool streams_open(streams *s, const char *script, size_t size)
{
    for (int i = 0; i < 3; i++) s->file[i] = memfd_create("rill plot", MFD_CLOEXEC);
    if (s->file[0] < 0 || s->file[1] < 0 || s->file[2] < 0) return false;
    for (size_t done = 0; done < size;) {
        ssize_t wrote = write(s->file[0], script + done, size - done);
        if (wrote < 0 && errno != EINTR) return false;
        if (wrote > 0) done += (size_t)wrote;
    }
    return lseek(s->file[0], 0, SEEK_SET) == 0;
}

static void streams_close(streams *s)
{
    for (int i = 0; i < 3; i++) {
        if (s->file[i] >= 0) close(s->file[i]);
    }
}

/* All that was written to a stream, with a zero byte after it; NULL without memory. */
static char *stream_take(int file, size_t *size)
{
    struct stat about;
    if (fstat(file, &about)) return NULL;
    char *data = malloc((size_t)about.st_size + 1);
    size_t done = 0;
    while (data && done < (size_t)about.st_size) {
        ssize_t got = pread(file, data + done, (size_t)about.st_size - done, (off_t)done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        done += (size_t)got;
    }
    if (data) data[done] = 0;
    *size = done;
    return data;
}

/* Starts gnuplot, without the user's own settings, and waits. 0 or an errno; *status is its own. */
static int program_run(const streams *s, int *status)
{
    char *words[] = {"gnuplot", "--default-settings", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int trouble = posix_spawn_file_actions_init(&actions);
    if (trouble) return trouble;
    for (int i = 0; i < 3 && !trouble; i++) trouble = posix_spawn_file_actions_adddup2(&actions, s->file[i], i);
    if (!trouble) trouble = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (trouble) return trouble;
    while (waitpid(child, status, 0) < 0) {
        if (errno != EINTR) return errno;
    }
    return 0;
}

/* The line of gnuplot's complaint that says what is wrong; it begins with the place. */
static int complaint_say(const streams *s, const char *what)
{
    size_t size = 0;
    char *text = stream_take(s->file[2], &size), *rest = text, *line, *said = NULL;
    while (rest && (line = strsep(&rest, "\n"))) {
        line += strspn(line, " \t^");
        if (*line) said = line;
    }
    int code = say_error(EXIT_MACHINE, "gnuplot could not draw %s: %s.", what, said ? said : "it ended without a word");
    free(text);
    return code;
}

int plot_gnuplot(const char *script, size_t script_size, const char *what, char **picture, size_t *size)
{
    streams s;
    int status = 0, code = EXIT_FINE;
    *picture = NULL;
    int trouble = streams_open(&s, script, script_size) ? program_run(&s, &status) : errno;
    if (trouble == ENOENT || trouble == EACCES)
        code = say_error(EXIT_MACHINE, "rill draws graphs with gnuplot, which is not installed; the Debian package "
                                       "gnuplot-nox has it: 'apt-get install gnuplot-nox'.");
    else if (trouble)
        code = say_error(EXIT_MACHINE, "gnuplot could not be run: %s.", strerror(trouble));
    else if (!(*picture = stream_take(s.file[1], size)))
        code = say_error(EXIT_MACHINE, "There is not enough memory to draw %s.", what);
    else if (!WIFEXITED(status) || WEXITSTATUS(status) || !*size)
        code = complaint_say(&s, what);
    streams_close(&s);
    if (code) {
        free(*picture);
        *picture = NULL;
    }
    return code;
}
