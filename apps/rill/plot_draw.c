/* rill plot: a script through gnuplot into the files of a folder. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "paths.h"
#include "plot_parts.h"
#include "rill/store.h"
#include "rill/text.h"
#include "say.h"

static int picture_draw(const plot_target *t, plot_format format, plot_writer *write, const void *what,
                        const char *path)
{
    const plot_sheet sheet = {format, t->width, t->height};
    char *script = NULL, *picture = NULL;
    size_t script_size = 0, size = 0;
    rill_error err = {0};
    FILE *memory = open_memstream(&script, &script_size);
    if (memory) write(memory, what, &sheet);
    int code = EXIT_FINE;
    if (!rill_string_end(memory, &script))
        code = say_error(EXIT_MACHINE, "There is not enough memory to draw %s.", path);
    if (!code) code = plot_gnuplot(script, script_size, format, path, &picture, &size);
    if (!code && !path_make(t->folder))
        code = say_error(EXIT_MACHINE, "The folder %s cannot be made: %s.", t->folder, strerror(errno));
    if (!code && rill_store_put(path, picture, size, &err)) code = say_failure(&err);
    rill_free(script);
    free(picture);
    return code;
}

int plot_draw(const plot_target *t, const char *name, plot_writer *write, const void *what)
{
    char file[96];
    int code = EXIT_FINE;
    const bool png = t->formats & PLOT_PNG, svg = t->formats & PLOT_SVG;
    snprintf(file, sizeof file, "%s.png", name);
    path_text path = path_join(t->folder, file);
    if (png) code = picture_draw(t, PLOT_PNG, write, what, path.text);
    if (png && t->drawn) fprintf(t->drawn, "  %s%s\n", path.text, svg ? " and .svg" : "");
    snprintf(file, sizeof file, "%s.svg", name);
    path = path_join(t->folder, file);
    if (svg && !code) code = picture_draw(t, PLOT_SVG, write, what, path.text);
    if (svg && !png && t->drawn) fprintf(t->drawn, "  %s\n", path.text);
    return code;
}
