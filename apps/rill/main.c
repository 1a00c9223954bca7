/* rill, the program: picks the command. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "program.h"
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

int main(int count, char **words)
{
    program_begin();
    if (count < 2 || !strcmp(words[1], "--help") || !strcmp(words[1], "-h")) return program_end(usage_print());
    if (!strcmp(words[1], "--version")) {
        puts("rill " RILL_VERSION);
        return program_end(EXIT_FINE);
    }
    const program_command *c = command_find(words[1]);
    return c ? program_end(c->call(count - 2, words + 2)) : EXIT_USER;
}
