/* Physics under torture: scenes x solvers x supports x densities x steps x scales
 * x liquids x extras, with bodies that shake, shove and squeeze. The seed chooses
 * the order: first every scene and solver with one unusual choice at a time, then
 * any combination. What physics_known.h excuses is known, all else is a find. */
#include "physics_judge.h"
#include "physics_known.h"

typedef struct tally {
    uint32_t run, known, found;
} tally;

typedef struct torture_run {
    section section;
    tally cells[AXIS_MOST][AXIS_MOST]; /* scene by solver */
    tally rows[KNOWN_COUNT];           /* cases that a row of the known ones names */
} torture_run;

enum { CASE_SECONDS = 120, SYSTEMATIC_MOST = 4096 };

static torture_case random_case(section *s)
{
    torture_case c;
    for (int a = 0; a < AXIS_COUNT; a++) c.at[a] = section_pick(s, axis_length(a));
    return c;
}

/* All scenes and solvers, with all usual and with one choice at a time that is not. */
static uint32_t systematic_cases(torture_case *cases)
{
    uint32_t n = 0;
    for (uint32_t scene = 0; scene < axis_length(AXIS_SCENE); scene++)
        for (uint32_t solver = 0; solver < axis_length(AXIS_SOLVER); solver++)
            for (int axis = AXIS_SUPPORT; axis < AXIS_COUNT; axis++)
                for (uint32_t v = axis != AXIS_SUPPORT; v < axis_length(axis) && n < SYSTEMATIC_MOST; v++) {
                    cases[n] = (torture_case){{scene, solver}};
                    cases[n++].at[axis] = v;
                }
    return n;
}

static void shuffle(section *s, torture_case *cases, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t j = section_pick(s, i);
        const torture_case c = cases[j];
        cases[j] = cases[i - 1];
        cases[i - 1] = c;
    }
}

/* Counts a case for the rows of known failures that name it, whether it failed or not. */
static void count_known(torture_run *run, const torture_case *c, uint32_t row)
{
    for (uint32_t k = 0; k < KNOWN_COUNT; k++) {
        if (!known_matches(&known_failures[k], c)) continue;
        run->rows[k].run++;
        run->rows[k].known += k == row;
    }
}

static void run_case(torture_run *run, torture_case *c)
{
    char name[128], text[SECTION_LINE];
    torture_verdict v = {0};
    section *s = &run->section;
    case_name(c, name);
    const char *broken = section_child(s, case_run, c, &v, sizeof v, CASE_SECONDS, text);
    section_count(s, axis_values[AXIS_SCENE][c->at[AXIS_SCENE]]);
    tally *cell = &run->cells[c->at[AXIS_SCENE]][c->at[AXIS_SOLVER]];
    const uint32_t row = broken || !v.fault ? KNOWN_COUNT : known_find(c, v.fault);
    const bool found = broken || (v.fault && row == KNOWN_COUNT);
    cell->run++;
    cell->found += found;
    cell->known += row < KNOWN_COUNT;
    count_known(run, c, row);
    if (found) section_find(s, name, broken ? broken : v.text);
    fprintf(stderr, "physics: %s: %s, %llu steps of %u, energy %.3g, speed %.3g, sunk %.3g, rescued %llu\n", name,
            broken ? broken : fault_names[v.fault], (unsigned long long)v.steps, v.particles, v.energy, v.speed, v.sunk,
            (unsigned long long)v.rescued);
}

static void run_cases(torture_run *run)
{
    section *s = &run->section;
    if (s->one) {
        torture_case c = case_parse(s->one);
        run_case(run, &c);
        return;
    }
    torture_case *cases = calloc(SYSTEMATIC_MOST, sizeof *cases);
    if (!cases) exit(1);
    const uint32_t count = systematic_cases(cases);
    shuffle(s, cases, count);
    for (uint32_t i = 0; section_time_left(s); i++) {
        torture_case c = i < count ? cases[i] : random_case(s);
        run_case(run, &c);
    }
    free(cases);
}

static void list_known(torture_run *run)
{
    for (uint32_t k = 0; k < KNOWN_COUNT; k++) {
        const torture_known *known = &known_failures[k];
        const tally *t = &run->rows[k];
        section_add(&run->section.known, "%s (%s): %s In this run %u of %u such cases failed.", known->words,
                    known->faults, known->why, t->known, t->run);
    }
}

/* Scene by solver: cases run, of which failed in a known way, of which found. */
static void print_table(const torture_run *run)
{
    printf(", \"table\": [[\"scene: cases run, failed in a known way, found\"");
    for (uint32_t solver = 0; solver < axis_length(AXIS_SOLVER); solver++)
        printf(", \"%s\"", axis_values[AXIS_SOLVER][solver]);
    putchar(']');
    for (uint32_t scene = 0; scene < axis_length(AXIS_SCENE); scene++) {
        printf(", [\"%s\"", axis_values[AXIS_SCENE][scene]);
        for (uint32_t solver = 0; solver < axis_length(AXIS_SOLVER); solver++) {
            const tally *t = &run->cells[scene][solver];
            printf(", \"%u, %u, %u\"", t->run, t->known, t->found);
        }
        putchar(']');
    }
    putchar(']');
}

int main(int argc, char **argv)
{
    torture_run *run = calloc(1, sizeof *run);
    if (!run) return 1;
    run->section = section_begin("physics", argc, argv);
    run_cases(run);
    list_known(run);
    section_print(&run->section);
    print_table(run);
    const int code = section_end(&run->section);
    free(run);
    return code;
}
