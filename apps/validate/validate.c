/* The cases, computed one after the other, and what came of them. */
#include "validate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "machine.h"
#include "parts.h"
#include "paths.h"
#include "rill/text.h"
#include "say.h"

const validate_case *const validate_cases[] = {
    &validate_dam_break,   &validate_still_tank, &validate_couette,       &validate_poiseuille,
    &validate_taylor_green, &validate_cavity,    &validate_standing_wave, &validate_stretching_drop,
    &validate_swinging_drop, &validate_honey_front, &validate_honey_buckle,
    &validate_kernels,       &validate_falling_drop, &validate_confined_whirls,
};
const size_t validate_case_count = sizeof validate_cases / sizeof *validate_cases;

const char *validate_case_at(const void *context, int i)
{
    (void)context;
    return (size_t)i < validate_case_count ? validate_cases[i]->name : NULL;
}

static const validate_case *case_find(const char *name)
{
    for (size_t i = 0; i < validate_case_count; i++) {
        if (!strcmp(validate_cases[i]->name, name)) return validate_cases[i];
    }
    const char *nearest = rill_spelling_nearest(name, validate_case_at, NULL);
    if (nearest) say_error(EXIT_USER, "There is no case '%s'; did you mean %s?", name, nearest);
    else say_error(EXIT_USER, "There is no case '%s'; 'rill validate --list' names them.", name);
    return NULL;
}

static int case_run(validation *v, const validate_case *c)
{
    const double start = machine_seconds();
    v->now = c;
    v->count = 0;
    v->particles = 0;
    int code = c->run(v);
    progress_clear(&v->progress);
    if (!code) code = validate_keep(v);
    if (!code && !v->quiet)
        fprintf(stderr, "  %s took %s\n", c->name, say_duration(machine_seconds() - start).text);
    return code;
}

static int cases_run(validation *v, const validate_request *q)
{
    size_t missed = 0, all = 0;
    int code = EXIT_FINE;
    for (size_t i = 0; i < (q->word_count ? q->word_count : validate_case_count) && !code; i++) {
        code = case_run(v, q->word_count ? case_find(q->words[i]) : validate_cases[i]);
        for (size_t r = 0; r < v->count; r++) missed += !validate_passes(&v->results[r]);
        all += v->count;
    }
    if (!code) code = validate_page_write(v);
    if (!code && q->save) code = validate_save(v, q->save);
    if (code) return code;
    if (!v->quiet) printf("%zu of %zu measures meet their bars; %s tells more.\n", all - missed, all, v->page);
    /* Small runs try the machinery; their errors say nothing of the methods. */
    return missed && !v->small ? EXIT_TROUBLE : EXIT_FINE;
}

/* Half an hour of computing must not end without pictures. */
static int gnuplot_try(void)
{
    static const char script[] = "set terminal pngcairo\nplot 0\n";
    char *answer = NULL;
    size_t size;
    int code = plot_gnuplot(script, sizeof script - 1, PLOT_PNG, "the pictures", &answer, &size);
    free(answer);
    return code;
}

static int request_do(validation *v, const validate_request *q)
{
    v->small = q->small;
    v->quiet = q->quiet;
    /* Errors of small runs must not get among those of the methods. */
    const char *out = q->out ? q->out : v->small ? "small" : "docs";
    path_text above, folder = path_join(out, "validation"), page = path_join(out, "validation.md");
    if (q->threads > 1024) return say_error(EXIT_USER, "--threads must lie between 1 and 1024.");
    for (size_t i = 0; i < q->word_count; i++) {
        if (!case_find(q->words[i])) return EXIT_USER;
    }
    v->folder = folder.text;
    v->page = page.text;
    v->threads = (unsigned)q->threads;
    for (uint32_t i = 0; rill_solver_name(i) && v->solver_count < VALIDATE_SOLVERS_MAX - 2; i++)
        v->solvers[v->solver_count++] = rill_solver_name(i);
    int code = gnuplot_try();
    if (!code && (!path_make(v->folder) || !path_may_write(v->page, &above)))
        code = say_error(EXIT_MACHINE, "The folder %s cannot be made or written to: %s.", out, strerror(errno));
    if (!code && q->save && !path_may_write(q->save, &above))
        code = say_error(EXIT_MACHINE, "The results cannot go into the folder %s: %s.", above.text, strerror(errno));
    return code ? code : cases_run(v, q);
}

static int cases_list(void)
{
    for (size_t i = 0; i < validate_case_count; i++)
        printf("%-16s %s\n", validate_cases[i]->name, validate_cases[i]->title);
    return EXIT_FINE;
}

int validate_run(const validate_request *q)
{
    if (q->list) return cases_list();
    validation *v = calloc(1, sizeof *v);
    if (!v) return say_error(EXIT_MACHINE, "There is no memory left to validate anything.");
    const int code = request_do(v, q);
    free(v);
    return code;
}
