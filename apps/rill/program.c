/* How a program begins and ends: streams, signals, the end that other libraries would make. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "program.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "say.h"

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

void program_begin(void)
{
    streams_hold();
    library_end_prepare();
    /* A file that outgrows a limit then fails with an error of its own, which is reported like a full disk. */
    signal(SIGXFSZ, SIG_IGN);
}

/* Output that never arrives, say into a full disk, must not pass for success. */
int program_end(int exit_code)
{
    if (!fflush(stdout) && !ferror(stdout)) return exit_code;
    return exit_code ? exit_code : say_error(EXIT_MACHINE, "The output could not be written to the end.");
}
