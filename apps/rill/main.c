/* rill, the program: picks the command. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "options.h"
#include "rill/text.h"
#include "say.h"

static int command_help(int count, char **words);

static const program_command commands[] = {
    {"run", "simulate a scene into a run folder, or resume a run", command_run},
    {"scenes", "list the built-in scenes", command_scenes},
    {"info", "say what is in a scene or a run", command_info},
    {"shot", "draw a frame of a run as a picture (PNG), or a film", command_shot},
    {"render", "path-traced pictures of a run (PNG, EXR), and films", command_render},
    {"plot", "draw the figures of a run as graphs (PNG, SVG), with gnuplot", command_plot},
    {"compare", "run a scene with several solvers and set them side by side", command_compare},
    {"mesh", "closed surfaces of a run or a particle file (ply, obj, vtp)", command_mesh},
    {"export", "write frames for ParaView (vtp) or Blender (ply)", command_export},
    {"bench", "measure the speed of this machine and of rill on it", command_bench},
    {"validate", "compare what rill computes with theory and experiment", command_validate},
    {"help", "explain a command: rill help run", command_help},
    {"reference", "print keys of scenes, columns, the man page, completion", command_reference},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static const char *command_name_at(const void *context, int i)
{
    (void)context;
    return i < COMMAND_COUNT ? commands[i].name : NULL;
}

const program_command *command_at(size_t i)
{
    return i < COMMAND_COUNT ? &commands[i] : NULL;
}

static int usage_print(void)
{
    printf("rill %s: fluids as particles, from a scene to frames, figures and a picture.\n\n", RILL_VERSION);
    printf("Usage: rill COMMAND [options]\n\n");
    for (int i = 0; i < COMMAND_COUNT; i++) printf("  %-9s %s\n", commands[i].name, commands[i].about);
    const char *self = say_program();
    printf("\nTry:\n"
           "  %s run dam_break --particles 10000 --time 1s --out runs/first\n"
           "  %s shot runs/first --frame last --colour pressure --out pressure.png\n"
           "  %s export runs/first --format vtp\n\n"
           "rill COMMAND --help explains a command.\n",
           self, self, self);
    return EXIT_FINE;
}

static const program_command *command_find(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (!strcmp(commands[i].name, name)) return &commands[i];
    }
    const char *nearest = rill_spelling_nearest(name, command_name_at, NULL);
    if (nearest) say_error(EXIT_USER, "There is no command '%s'; did you mean 'rill %s'?", name, nearest);
    else say_error(EXIT_USER, "There is no command '%s'; 'rill' alone lists them.", name);
    return NULL;
}

static int command_help(int count, char **words)
{
    const option_choice choices[] = {{"COMMAND", command_name_at, NULL, false}, {0}};
    const option_table table = {"help", "[COMMAND]", "Explains a command, or lists all of them.", "  rill help run",
                                NULL, 0, 1, choices};
    size_t word_count;
    const char *name[1];
    const options_result read = options_read(&table, count, words, name, &word_count);
    if (read != OPTIONS_GO) return options_code(read);
    if (!word_count) return usage_print();
    const program_command *c = command_find(name[0]);
    char *help[] = {"--help"};
    return c ? c->call(1, help) : EXIT_USER;
}

/* Output that never arrives, say into a full disk, must not pass for success. */
static int output_finish(int exit_code)
{
    if (!fflush(stdout) && !ferror(stdout)) return exit_code;
    return exit_code ? exit_code : say_error(EXIT_MACHINE, "The output could not be written to the end.");
}

/* A closed stream's number would go to the next file opened, and messages into that file. Opened for
 * reading, the place is taken and output there still fails. */
static void streams_hold(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) >= 0) continue;
        int held = open("/dev/null", O_RDONLY);
        if (held >= 0 && held != stream) close(held);
    }
}

static void memory_end(void)
{
    /* It may come while things are put away after a failure that was told. */
    if (!say_has_failed()) say_error(EXIT_MACHINE, "There is not enough memory; close other programs or ask for less.");
    _exit(EXIT_MACHINE);
}

/* Embree is C++ inside and ends the process when it finds no memory, with words of its own. C++ lets a program choose
 * what is done then, by a function that C can call where the C++ library is loaded. */
static void library_end_prepare(void)
{
    void *found = dlsym(RTLD_DEFAULT, "_ZSt13set_terminatePFvvE");
    void (*(*set_terminate)(void (*)(void)))(void);
    memcpy(&set_terminate, &found, sizeof set_terminate);
    if (set_terminate) set_terminate(memory_end);
}

int main(int count, char **words)
{
    streams_hold();
    library_end_prepare();
    /* A file that outgrows a limit then fails with an error of its own, which is reported like a full disk. */
    signal(SIGXFSZ, SIG_IGN);
    if (count < 2 || !strcmp(words[1], "--help") || !strcmp(words[1], "-h")) return output_finish(usage_print());
    if (!strcmp(words[1], "--version")) {
        puts("rill " RILL_VERSION);
        return output_finish(EXIT_FINE);
    }
    const program_command *c = command_find(words[1]);
    return c ? output_finish(c->call(count - 2, words + 2)) : EXIT_USER;
}
