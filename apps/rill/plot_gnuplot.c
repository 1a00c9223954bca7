/* rill plot: gnuplot, run as a program that draws into memory. */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "paths.h"
#include "plot_parts.h"
#include "say.h"

extern char **environ;

/* What gnuplot reads and writes. The script goes in and the picture comes out through one socket: nothing is left
 * behind, no path has to be quoted, and a limit on the size of files cannot cut the picture, since gnuplot would not
 * say so. Its complaints go to a file in memory. */
typedef struct streams {
    int ours, its; /* ends of the socket */
    int errors;
} streams;

typedef struct bytes {
    char *data;
    size_t size, room;
} bytes;

static bool streams_open(streams *s)
{
    int ends[2] = {-1, -1};
    s->errors = memfd_create("rill plot", MFD_CLOEXEC);
    const bool good = s->errors >= 0 && !socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
    s->ours = ends[0];
    s->its = ends[1];
    return good;
}

static void stream_close(int *file)
{
    if (*file >= 0) close(*file);
    *file = -1;
}

static void streams_close(streams *s)
{
    stream_close(&s->ours);
    stream_close(&s->its);
    stream_close(&s->errors);
}

/* Starts gnuplot, without the user's own settings. 0 or an errno. */
static int program_start(streams *s, pid_t *child)
{
    char *words[] = {"gnuplot", "--default-settings", NULL};
    const int files[] = {s->its, s->its, s->errors};
    posix_spawn_file_actions_t actions;
    int trouble = posix_spawn_file_actions_init(&actions);
    if (trouble) return trouble;
    for (int i = 0; i < 3 && !trouble; i++) trouble = posix_spawn_file_actions_adddup2(&actions, files[i], i);
    if (!trouble) trouble = posix_spawnp(child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    stream_close(&s->its);
    return trouble;
}

/* Takes what has come; *ended tells that no more will. 0 or an errno. */
static int bytes_take(bytes *b, int from, bool *ended)
{
    if (b->room - b->size < 65536) {
        char *more = realloc(b->data, 2 * b->room + 65536);
        if (!more) return ENOMEM;
        b->data = more;
        b->room = 2 * b->room + 65536;
    }
    const ssize_t got = recv(from, b->data + b->size, b->room - b->size, MSG_DONTWAIT);
    if (got > 0) b->size += (size_t)got;
    /* A gnuplot that ends before it has read all of its script resets the socket; its own status tells why. */
    *ended = got == 0 || (got < 0 && errno == ECONNRESET);
    return got < 0 && errno != EAGAIN && errno != EINTR && !*ended ? errno : 0;
}

/* Sends the script and takes the picture at the same time, since gnuplot draws while it reads. 0 or an errno. */
static int talk(const streams *s, bytes script, bytes *picture)
{
    int trouble = 0;
    for (bool ended = false; !ended && !trouble;) {
        struct pollfd wait = {s->ours, (short)(script.size ? POLLIN | POLLOUT : POLLIN), 0};
        if (poll(&wait, 1, -1) < 0 && errno != EINTR) return errno;
        const ssize_t sent = script.size ? send(s->ours, script.data, script.size, MSG_DONTWAIT | MSG_NOSIGNAL) : 0;
        if (sent > 0) script.data += sent, script.size -= (size_t)sent;
        if (sent > 0 && !script.size) shutdown(s->ours, SHUT_WR);
        trouble = bytes_take(picture, s->ours, &ended);
    }
    return trouble;
}

/* 0 or an errno; *status is gnuplot's own. */
static int program_run(streams *s, bytes script, bytes *picture, int *status)
{
    pid_t child;
    int trouble = program_start(s, &child);
    if (trouble) return trouble;
    trouble = talk(s, script, picture);
    /* With half a script it may wait for the rest for ever. */
    if (trouble) kill(child, SIGKILL);
    stream_close(&s->ours);
    while (waitpid(child, status, 0) < 0) {
        if (errno != EINTR) return errno;
    }
    return trouble;
}

/* The line of gnuplot's complaint that says what is wrong; it begins with the place. */
static int complaint_say(const streams *s, const char *what)
{
    char text[4096];
    const ssize_t size = pread(s->errors, text, sizeof text - 1, 0);
    text[size > 0 ? size : 0] = 0;
    char *rest = text, *line, *said = NULL;
    while ((line = strsep(&rest, "\n"))) {
        line += strspn(line, " \t^");
        if (*line) said = line;
    }
    return say_error(EXIT_MACHINE, "gnuplot could not draw %s: %s.", what, said ? said : "it ended too early");
}

/* gnuplot's exit code does not tell whether all it wrote got out. */
static bool picture_is_whole(const bytes *b, plot_format format)
{
    const char *end = format == PLOT_PNG ? "IEND\xae\x42\x60\x82" : "</svg>";
    size_t length = strlen(end), size = b->size;
    while (format == PLOT_SVG && size && b->data[size - 1] == '\n') size--;
    return size >= length && !memcmp(b->data + size - length, end, length);
}

int plot_check(void)
{
    if (path_finds_program("gnuplot")) return EXIT_FINE;
    return say_error(EXIT_MACHINE, "rill draws graphs with gnuplot, which is not installed; the Debian package "
                                   "gnuplot-nox has it: 'apt-get install gnuplot-nox'.");
}

int plot_gnuplot(const char *script, size_t script_size, plot_format format, const char *what, char **picture,
                 size_t *size)
{
    streams s;
    bytes drawn = {0};
    int status = 0, code = plot_check();
    *picture = NULL;
    *size = 0;
    if (code) return code;
    const bytes words = {(char *)script, script_size, 0};
    const int trouble = streams_open(&s) ? program_run(&s, words, &drawn, &status) : errno;
    if (trouble)
        code = say_error(EXIT_MACHINE, "gnuplot could not draw %s: %s.", what, strerror(trouble));
    else if (!WIFEXITED(status) || WEXITSTATUS(status) || !picture_is_whole(&drawn, format))
        code = complaint_say(&s, what);
    streams_close(&s);
    if (code) {
        free(drawn.data);
        return code;
    }
    *picture = drawn.data;
    *size = drawn.size;
    return EXIT_FINE;
}
