/* What sections of the torture written in C share: their command line, random
 * numbers, a case in a process of its own, and the closing line of JSON. */
#ifndef RILL_TORTURE_SECTION_H
#define RILL_TORTURE_SECTION_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"

enum { SECTION_LINES = 200, SECTION_PARTS = 64, SECTION_LINE = 600 };

typedef struct section_list {
    char (*lines)[SECTION_LINE];
    uint32_t count;
} section_list;

typedef struct section {
    const char *name, *program;
    double seconds, start;
    uint64_t seed, random;
    const char *work, *one; /* folder; the one case to run, NULL: all */
    uint64_t cases;
    section_list what, repeat, known;
    struct {
        char name[64];
        uint64_t count;
    } parts[SECTION_PARTS];
    uint32_t part_count;
} section;

static inline double section_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline bool section_time_left(const section *s)
{
    return section_now() - s->start < s->seconds;
}

static inline uint64_t section_random(section *s)
{
    return rill_hash_mix(s->random += 0x9e3779b97f4a7c15u);
}

/* A number below `below`. */
static inline uint32_t section_pick(section *s, uint32_t below)
{
    return (uint32_t)(section_random(s) >> 33) % below;
}

/* ---- the command line ---- */

static inline void section_usage(const char *program)
{
    fprintf(stderr, "Usage: %s --seconds N --seed S --work DIR [--case CASE]\n", program);
    exit(2);
}

static inline section section_begin(const char *name, int argc, char **argv)
{
    section s = {.name = name, .program = argv[0], .seconds = 10, .seed = 1, .work = "."};
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc) section_usage(argv[0]);
        if (!strcmp(argv[i], "--seconds")) s.seconds = strtod(argv[i + 1], NULL);
        else if (!strcmp(argv[i], "--seed")) s.seed = strtoull(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--work")) s.work = argv[i + 1];
        else if (!strcmp(argv[i], "--case")) s.one = argv[i + 1];
        else section_usage(argv[0]);
    }
    if (mkdir(s.work, 0777) && errno != EEXIST) {
        fprintf(stderr, "%s: %s cannot be made: %s.\n", name, s.work, strerror(errno));
        exit(1);
    }
    s.start = section_now();
    s.random = rill_hash_mix(s.seed + 1);
    return s;
}

/* ---- what was found ---- */

static inline void section_list_add(section_list *list, const char *format, va_list args)
{
    if (!list->lines) list->lines = calloc(SECTION_LINES, sizeof *list->lines);
    if (!list->lines || list->count == SECTION_LINES) return;
    vsnprintf(list->lines[list->count++], SECTION_LINE, format, args);
}

static inline void section_add(section_list *list, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    section_list_add(list, format, args);
    va_end(args);
}

/* A find, with the case that shows it again. */
static inline void section_find(section *s, const char *one, const char *what)
{
    fprintf(stderr, "%s: FIND %s: %s\n", s->name, one, what);
    section_add(&s->what, "%s: %s", one, what);
    section_add(&s->repeat, "%s --case '%s' --seed %llu --work DIR", s->program, one, (unsigned long long)s->seed);
}

static inline void section_count(section *s, const char *part)
{
    uint32_t p = 0;
    while (p < s->part_count && strcmp(s->parts[p].name, part)) p++;
    if (p == SECTION_PARTS) return;
    if (p == s->part_count) snprintf(s->parts[s->part_count++].name, sizeof s->parts[p].name, "%s", part);
    s->parts[p].count++;
    s->cases++;
}

/* ---- the closing line ---- */

static inline void section_json_text(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') putchar('\\');
        putchar((unsigned char)*text < ' ' ? ' ' : *text);
    }
    putchar('"');
}

/* Prints all but the closing brace, so that a section may add a table. */
static inline void section_print(const section *s)
{
    printf("{\"section\": \"%s\", \"inputs\": 0, \"kills\": 0, \"faults\": 0, \"cases\": %llu, \"parts\": {", s->name,
           (unsigned long long)s->cases);
    for (uint32_t p = 0; p < s->part_count; p++) {
        printf(p ? ", " : "");
        section_json_text(s->parts[p].name);
        printf(": %llu", (unsigned long long)s->parts[p].count);
    }
    printf("}, \"finds\": [");
    for (uint32_t f = 0; f < s->what.count; f++) {
        printf(f ? ", {\"what\": " : "{\"what\": ");
        section_json_text(s->what.lines[f]);
        printf(", \"repeat\": ");
        section_json_text(s->repeat.lines[f]);
        putchar('}');
    }
    printf("], \"known\": [");
    for (uint32_t k = 0; k < s->known.count; k++) {
        printf(k ? ", " : "");
        section_json_text(s->known.lines[k]);
    }
    putchar(']');
}

static inline int section_end(section *s)
{
    puts("}");
    const bool found = s->what.count > 0;
    free(s->what.lines);
    free(s->repeat.lines);
    free(s->known.lines);
    return found;
}

/* ---- a case in a process of its own ---- */

/* Copies the line of a log that says what happened. */
static inline void section_log_line(const char *path, char *text, size_t size)
{
    FILE *log = fopen(path, "r");
    char line[400];
    while (log && fgets(line, sizeof line, log)) {
        line[strcspn(line, "\n")] = 0;
        if (!strstr(line, "ERROR:") && !strstr(line, "runtime error")) continue;
        snprintf(text, size, "%s", line);
        break;
    }
    if (log) fclose(log);
}

/* Runs body in a child, which may write `size` bytes of result. Returns NULL when
 * it ended well, else what happened to it, in `text`. */
static inline const char *section_child(const section *s, void (*body)(void *context, void *result), void *context,
                                        void *result, size_t size, double most_seconds, char text[SECTION_LINE])
{
    char log[1024];
    snprintf(log, sizeof log, "%s/case.log", s->work);
    int ends[2];
    if (pipe(ends)) return "no pipe could be made";
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        const int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (out >= 0) dup2(out, 2);
        alarm((unsigned)most_seconds + 1);
        body(context, result);
        const bool written = write(ends[1], result, size) == (ssize_t)size;
        exit(written ? 0 : 1); /* with the check for leaks */
    }
    close(ends[1]);
    size_t have = 0;
    for (ssize_t n; child > 0 && have < size && (n = read(ends[0], (char *)result + have, size - have)) > 0;)
        have += (size_t)n;
    close(ends[0]);
    int status = -1;
    if (child > 0) waitpid(child, &status, 0);
    if (child > 0 && status == 0 && have == size) return NULL;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        snprintf(text, SECTION_LINE, "not done after %g s", most_seconds);
    else if (WIFSIGNALED(status)) snprintf(text, SECTION_LINE, "ended by signal %d", WTERMSIG(status));
    else snprintf(text, SECTION_LINE, "ended with status %d", WEXITSTATUS(status));
    section_log_line(log, text, SECTION_LINE);
    return text;
}

#endif
