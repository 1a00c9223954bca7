/* Films through ffmpeg: H.264 in the colours of HD television, sides made even, under a temporary name until whole. */
#define _GNU_SOURCE /* pipe2 */
#include "film.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "say.h"

extern char **environ;

/* ffmpeg opens the file by the name of a descriptor that it is given, so that nobody can put a link in its way. */
enum { FILM_FD = 3 };
#define FILM_TARGET "file:/dev/fd/3"

/* What ffmpeg calls the kind of file that an ending stands for. */
static const char *format_of(const char *path)
{
    static const char *const kinds[][2] = {{"mp4", "mp4"}, {"m4v", "mp4"}, {"mov", "mov"}, {"mkv", "matroska"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcasecmp(dot + 1, kinds[i][0])) return kinds[i][1];
    return NULL;
}

int film_check(const char *path)
{
    if (!format_of(path))
        return say_error(EXIT_USER, "A film is written as .mp4, .mov or .mkv, and %s ends like none of them.", path);
    if (path_is_folder(path)) return say_error(EXIT_USER, "%s is a folder; give the film a name of its own.", path);
    if (strlen(path) > PATH_SIZE - 16) return say_error(EXIT_USER, "The name of the film is too long.");
    path_text folder;
    if (!path_may_write(path, &folder))
        return say_error(EXIT_MACHINE, "The film cannot go into the folder %s: %s.", folder.text, strerror(errno));
    if (path_finds_program("ffmpeg")) return EXIT_FINE;
    return say_error(EXIT_MACHINE, "Films are made by ffmpeg, which is not here; install the package ffmpeg.");
}

double film_rate(double frames_per_second)
{
    return frames_per_second >= 10 && frames_per_second <= 60 ? frames_per_second : 30;
}

/* The last line that ffmpeg wrote. */
static void words_last(film *f, char *line, size_t size)
{
    char text[2048] = "";
    long end = fseek(f->words, 0, SEEK_END) ? 0 : ftell(f->words);
    if (end > 0 && !fseek(f->words, end > 2000 ? end - 2000 : 0, SEEK_SET))
        text[fread(text, 1, sizeof text - 1, f->words)] = 0;
    size_t length = strlen(text);
    while (length && strchr("\r\n .", text[length - 1])) text[--length] = 0;
    const char *start = strrchr(text, '\n');
    snprintf(line, size, "%.300s", start ? start + 1 : text);
}

static int child_start(film *f, char *const *words)
{
    int ends[2], trouble;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t usual;
    /* A child that has died must show as a failed write, not end this process. */
    signal(SIGPIPE, SIG_IGN);
    if (pipe2(ends, O_CLOEXEC)) return errno;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ); /* so that a limit on the size of files ends it */
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, fileno(f->words), STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&files, fileno(f->store.file), FILM_FD);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    /* In a group of its own it does not hear Ctrl-C: this process decides what becomes of the film. */
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    trouble = posix_spawnp(&f->child, words[0], &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    close(ends[0]);
    f->pipe = ends[1];
    if (trouble) {
        close(f->pipe);
        f->child = 0;
    }
    return trouble;
}

int film_start(film *f, const char *path, uint32_t width, uint32_t height, double rate)
{
    char size[32], speed[32];
    rill_error err = {0};
    *f = (film){.path = path_join("", path), .width = width, .height = height};
    int code = film_check(path);
    if (code) return code;
    snprintf(size, sizeof size, "%" PRIu32 "x%" PRIu32, width + width % 2, height + height % 2);
    if (width % 2 || height % 2)
        say_error(EXIT_FINE, "The film is %s pixels, not %" PRIu32 "x%" PRIu32 ": the sides of films are even.", size,
                  width, height);
    snprintf(speed, sizeof speed, "%.6g", rate);
    char *words[] = {"ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "rawvideo", "-pix_fmt",
                     "rgb24", "-s", size, "-r", speed, "-i", "pipe:0", "-vf",
                     "scale=out_color_matrix=bt709:out_range=tv", "-c:v", "libx264", "-preset", "medium", "-crf", "18",
                     "-pix_fmt", "yuv420p", "-colorspace",
                     "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-movflags", "+faststart", "-f",
                     (char *)format_of(path), FILM_TARGET, NULL};
    rill_store_sweep(path);
    if (rill_store_open(&f->store, path, &err)) return say_failure(&err);
    f->words = tmpfile();
    const int trouble = f->words ? child_start(f, words) : errno;
    if (!trouble) return EXIT_FINE;
    film_cancel(f);
    return say_error(EXIT_MACHINE, "ffmpeg cannot be started: %s.", strerror(trouble));
}

static void child_wait(film *f, int *state)
{
    if (f->child) close(f->pipe);
    while (f->child && waitpid(f->child, state, 0) < 0 && errno == EINTR) continue;
    f->child = 0;
}

void film_cancel(film *f)
{
    int state;
    if (f->child) kill(f->child, SIGKILL);
    child_wait(f, &state);
    rill_store_discard(&f->store);
    if (f->words) fclose(f->words);
    f->words = NULL;
}

static int film_fail(film *f)
{
    char line[320];
    int state;
    child_wait(f, &state);
    words_last(f, line, sizeof line);
    film_cancel(f);
    return say_error(EXIT_MACHINE, "ffmpeg could not make %s%s%s.", f->path.text, *line ? ": " : "", line);
}

static bool bytes_send(const film *f, const uint8_t *data, size_t size)
{
    while (size) {
        const ssize_t sent = write(f->pipe, data, size);
        if (sent < 0 && errno != EINTR) return false;
        if (sent > 0) data += sent, size -= (size_t)sent;
    }
    return true;
}

/* Colours are stored at half the size, so sides must be even: the last column or row is shown twice. */
int film_add(film *f, const uint8_t *rgb)
{
    const size_t row = 3 * (size_t)f->width;
    bool good = true;
    for (uint32_t y = 0; y < f->height + f->height % 2 && good; y++) {
        const uint8_t *line = rgb + row * (y < f->height ? y : f->height - 1);
        good = bytes_send(f, line, row) && (f->width % 2 == 0 || bytes_send(f, line + row - 3, 3));
    }
    return good ? EXIT_FINE : film_fail(f);
}

int film_end(film *f)
{
    int state = 0;
    if (!f->words) return EXIT_FINE;
    child_wait(f, &state);
    /* It tells of success though it could not write: then only its words say so, which there are none of otherwise. */
    char line[320];
    words_last(f, line, sizeof line);
    struct stat info;
    const bool empty = fstat(fileno(f->store.file), &info) || info.st_size == 0;
    if (!WIFEXITED(state) || WEXITSTATUS(state) || *line || empty) return film_fail(f);
    fclose(f->words);
    f->words = NULL;
    rill_error err = {0};
    return rill_store_commit(&f->store, &err) ? say_failure(&err) : EXIT_FINE;
}
