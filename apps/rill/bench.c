/* rill bench: a program of its own does it, since it looks inside the library. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_request.h"
#include "command.h"
#include "paths.h"
#include "say.h"

/* Becomes rill-bench, which lies beside this program. Returns where it cannot. */
static int bench_become(int count, char **arguments)
{
    char self[PATH_SIZE];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) return say_error(EXIT_MACHINE, "The program's own path cannot be found (%s).", strerror(errno));
    self[length] = 0;
    *strrchr(self, '/') = 0;
    path_text program = path_join(self, "rill-bench");
    char **words = calloc((size_t)count + 2, sizeof *words);
    if (!words) return say_error(EXIT_MACHINE, "There is no memory left to measure.");
    words[0] = program.text;
    for (int i = 0; i < count; i++) words[i + 1] = arguments[i];
    execv(program.text, words);
    const int trouble = errno;
    free(words);
    if (trouble != ENOENT) return say_error(EXIT_MACHINE, "%s cannot be run: %s.", program.text, strerror(trouble));
    return say_error(EXIT_MACHINE, "There is no %s, which measures for rill bench; install rill with all its programs.",
                     program.text);
}

int command_bench(int count, char **arguments)
{
    bench_request request;
    int code;
    if (!bench_request_read(count, arguments, &request, &code)) return code;
    bench_request_free(&request);
    return bench_become(count, arguments);
}
