/* The commands of the program, one file each, and the codes it exits with. */
#ifndef RILL_APP_COMMAND_H
#define RILL_APP_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "rill/base.h"

enum {
    EXIT_FINE = 0,
    EXIT_MACHINE = 1,     /* the machine's trouble: memory, files, a full disk */
    EXIT_USER = 2,        /* the user's mistake */
    EXIT_INTERRUPTED = 3, /* stopped on request, can be resumed */
    EXIT_TROUBLE = 4      /* the simulation produced a NaN or a runaway */
};

typedef struct program_command {
    const char *name, *about;
    int (*call)(int count, char **words);
} program_command;

/* All commands, in the order of the program's help; NULL past the last. */
const program_command *command_at(size_t i);

/* A command gets what follows its name and returns an exit code. */
int command_run(int count, char **words);
int command_scenes(int count, char **words);
int command_info(int count, char **words);
int command_mesh(int count, char **words);
int command_export(int count, char **words);
int command_shot(int count, char **words);
int command_render(int count, char **words);
int command_plot(int count, char **words);
int command_compare(int count, char **words);
int command_validate(int count, char **words);
int command_bench(int count, char **words);
int command_reference(int count, char **words);

#endif
