/* The man page: what goes around the sections of the commands. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "reference_parts.h"
#include "roff.h"

static const struct {
    int code;
    const char *about;
} exit_codes[] = {
    {EXIT_FINE, "Done."},
    {EXIT_MACHINE, "The machine's trouble: memory, a full disk, a folder that cannot be written, a damaged run."},
    {EXIT_USER, "A mistake in what was asked for: an option, a scene, a file of particles or a picture."},
    {EXIT_INTERRUPTED, "Stopped on request; rill run --resume goes on, rill render when it is called again."},
    {EXIT_TROUBLE, "Particles ran away or turned into NaN; the last good frame is kept."},
};

static const struct {
    const char *name, *about;
} surroundings[] = {
    {"RILL_SCENES", "The folder of built-in scenes, instead of the one beside the program."},
    {"XDG_DATA_DIRS", "Where rill/scenes is sought when there is none beside the program."},
    {"PATH", "Where gnuplot, for plots, and ffmpeg, for films, are sought."},
};

static const char examples[] =
    "  rill run dam_break --particles 10000 --time 1s --out runs/first\n"
    "  rill shot runs/first --colour pressure --out pressure.png\n"
    "  rill mesh runs/first --frames last --smooth 5\n"
    "  rill render runs/first --samples 32\n"
    "  rill export runs/first --format vtp\n"
    "  rill run --resume --out runs/first\n";

static void sentences(const char *text)
{
    man_line(text, strlen(text));
}

static void entry(const char *name, const char *about)
{
    printf(".TP\n.B %s\n", name);
    sentences(about);
}

static void opening_print(void)
{
    printf(".TH RILL 1 \"\" \"rill %s\" \"User Commands\"\n", RILL_VERSION);
    puts(".SH NAME\nrill \\- fluids as particles, from a scene to frames, figures and a picture");
    puts(".SH SYNOPSIS\n\\fBrill\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n.br\n\\fBrill\\fR \\fB\\-\\-version\\fR");
    puts(".SH DESCRIPTION");
    sentences(
        "rill simulates liquids as particles (smoothed particle hydrodynamics). A scene, built in or a YAML file, is "
        "run into a folder; all other commands work on what lies in it.");
    puts(".PP");
    sentences(
        "Values of options follow after a blank or an equals sign. What is wrong is told in one sentence on stderr.");
    for (size_t i = 0; command_at(i); i++) entry(command_at(i)->name, command_at(i)->about);
}

static void closing_print(void)
{
    puts(".SH EXIT STATUS");
    for (size_t i = 0; i < sizeof exit_codes / sizeof *exit_codes; i++) {
        char code[16];
        snprintf(code, sizeof code, "%d", exit_codes[i].code);
        entry(code, exit_codes[i].about);
    }
    puts(".SH ENVIRONMENT");
    for (size_t i = 0; i < sizeof surroundings / sizeof *surroundings; i++)
        entry(surroundings[i].name, surroundings[i].about);
    puts(".SH EXAMPLES\n.nf");
    for (const char *line = examples; *line; line += strcspn(line, "\n") + 1) man_line(line, strcspn(line, "\n"));
    puts(".fi\n.SH SEE ALSO\n.BR gnuplot (1),\n.BR ffmpeg (1)");
}

int reference_man(const char *unused)
{
    (void)unused;
    opening_print();
    puts(".SH COMMANDS");
    reference_commands("man");
    closing_print();
    return EXIT_FINE;
}
