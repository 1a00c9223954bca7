/* The report as a table: every figure of a step is a column with a name, a unit and a sentence. Those of every world
 * are rows here, and lie in members of rill_report; those of a solver or a force are rows in its own file, and lie in
 * rill_report.values in the order of the methods. report.csv, summaries, docs/run.md and plots follow from the rows. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "world/world.h"

/* A column of every world. Its member is a double, a uint64_t, a bool or a rill_trouble_kind, by its type. */
typedef struct common_column {
    rill_column is;
    size_t offset;
    int digits; /* of a number in report.csv */
} common_column;

/* 17 digits bring every bit back; the particles have single precision, and clocks less. */
enum { EXACT = 17, USUAL = 10, CLOCK = 6 };

#define MEMBER(member) offsetof(rill_report, member)
#define NUMBER(name, unit, over_run, member, digits, about)                                                            \
    {{name, unit, RILL_COLUMN_NUMBER, over_run, about}, MEMBER(member), digits}
#define COUNT(name, over_run, about) {{#name, "", RILL_COLUMN_COUNT, over_run, about}, MEMBER(name), 0}
#define PHASE_PREFIX "seconds_"
#define PHASE(phase, name, about)                                                                                      \
    NUMBER(PHASE_PREFIX name, "s", RILL_OVER_SUM, phase_seconds[phase], CLOCK, "Wall time to " about ".")

static const common_column common[] = {
    COUNT(step, RILL_OVER_NONE, "Number of the step, counted from 1."),
    NUMBER("time", "s", RILL_OVER_NONE, time, EXACT, "Time at the end of the step."),
    NUMBER("dt", "s", RILL_OVER_NONE, dt, EXACT, "Length of the step."),
    COUNT(particles, RILL_OVER_NONE, "Particles of liquid."),
    /* Here come the columns of the methods. */
    {{"limit_hit", "", RILL_COLUMN_FLAG, RILL_OVER_SUM,
      "1 when the iterations of a method ended at their limit, else 0."},
     MEMBER(limit_hit), 0},
    NUMBER("speed_max", "m/s", RILL_OVER_LAST, speed_max, USUAL, "Speed of the fastest particle."),
    NUMBER("kinetic", "J", RILL_OVER_LAST, kinetic, USUAL, "Kinetic energy."),
    NUMBER("potential", "J", RILL_OVER_LAST, potential, USUAL, "Potential energy, zero at the scene's zero."),
    NUMBER("momentum_x", "kg m/s", RILL_OVER_LAST, momentum.x, USUAL, "Momentum along x."),
    NUMBER("momentum_y", "kg m/s", RILL_OVER_LAST, momentum.y, USUAL, "Momentum along y."),
    NUMBER("momentum_z", "kg m/s", RILL_OVER_LAST, momentum.z, USUAL, "Momentum along z."),
    NUMBER("neighbours_mean", "", RILL_OVER_MEAN, neighbours_mean, USUAL,
           "Neighbours of a particle in the liquid, on average."),
    NUMBER("boundary_neighbours_mean", "", RILL_OVER_MEAN, boundary_neighbours_mean, USUAL,
           "Neighbours of a particle in walls, on average."),
    COUNT(boundary_particles, RILL_OVER_NONE, "Particles of all walls."),
    COUNT(rescued, RILL_OVER_SUM, "Particles that the last guard put back inside in this step."),
    COUNT(lost, RILL_OVER_LAST, "Particles outside every closed container now."),
    {{"trouble", "", RILL_COLUMN_WORD, RILL_OVER_NONE,
      "`none`, `nan` or `runaway`: what befell particles in this step."},
     MEMBER(trouble), 0},
    COUNT(trouble_count, RILL_OVER_SUM, "Particles in trouble."),
    COUNT(trouble_id, RILL_OVER_NONE, "The id of the first of them."),
    NUMBER("trouble_x", "m", RILL_OVER_NONE, trouble_at.x, EXACT, "Where that was last seen whole, along x."),
    NUMBER("trouble_y", "m", RILL_OVER_NONE, trouble_at.y, EXACT, "Where that was last seen whole, along y."),
    NUMBER("trouble_z", "m", RILL_OVER_NONE, trouble_at.z, EXACT, "Where that was last seen whole, along z."),
    PHASE(RILL_PHASE_BODIES, "bodies", "choose the step and move bodies and their walls"),
    PHASE(RILL_PHASE_SEARCH, "search", "sort particles and find neighbours"),
    PHASE(RILL_PHASE_DENSITY, "density", "find densities"),
    PHASE(RILL_PHASE_FORCES, "forces", "apply gravity and other forces"),
    PHASE(RILL_PHASE_SOLVE, "solve", "solve for the pressure"),
    PHASE(RILL_PHASE_MOVE, "move", "move particles and guard the walls"),
    PHASE(RILL_PHASE_PROBES, "probes", "read probes and make the report"),
};
enum { COMMON = sizeof common / sizeof *common, HEAD = 4, FIRST_PHASE = COMMON - RILL_PHASE_COUNT };
_Static_assert(COMMON + RILL_METHOD_VALUES_MAX <= RILL_COLUMN_MAX, "RILL_COLUMN_MAX holds every column");

static const char *const trouble_words[] = {
    [RILL_TROUBLE_NONE] = "none", [RILL_TROUBLE_NAN] = "nan", [RILL_TROUBLE_RUNAWAY] = "runaway"};

const char *rill_phase_name(uint32_t phase)
{
    return phase < RILL_PHASE_COUNT ? common[FIRST_PHASE + phase].is.name + strlen(PHASE_PREFIX) : NULL;
}

rill_status rill_report_add_columns(rill_world *world, const rill_column *columns, uint32_t *first, rill_error *err)
{
    *first = world->value_count;
    for (; columns && columns->name; columns++) {
        if (world->value_count == RILL_METHOD_VALUES_MAX)
            return rill_fail(err, RILL_BAD_INPUT, "The methods of scene %s have more than %d columns for the report.",
                             world->scene.name, RILL_METHOD_VALUES_MAX);
        world->value_columns[world->value_count++] = columns;
    }
    return RILL_OK;
}

/* The columns of the methods stand behind the first few of every world. Which of theirs an index means, or NULL. */
static const common_column *common_at(const rill_world *world, uint32_t index)
{
    if (index < HEAD) return &common[index];
    const uint32_t row = index - world->value_count;
    return index >= HEAD + world->value_count && row < COMMON ? &common[row] : NULL;
}

const rill_column *rill_world_column(const rill_world *world, uint32_t index)
{
    const common_column *row = common_at(world, index);
    if (row) return &row->is;
    return index - HEAD < world->value_count ? world->value_columns[index - HEAD] : NULL;
}

static double common_value(const common_column *row, const rill_report *report)
{
    const void *at = (const char *)report + row->offset;
    switch (row->is.type) {
    case RILL_COLUMN_COUNT: return (double)*(const uint64_t *)at;
    case RILL_COLUMN_FLAG: return *(const bool *)at;
    case RILL_COLUMN_WORD: return *(const rill_trouble_kind *)at;
    default: return *(const double *)at;
    }
}

double rill_report_value_at(const rill_world *world, const rill_report *report, uint32_t index)
{
    const common_column *row = common_at(world, index);
    if (row) return common_value(row, report);
    return index - HEAD < world->value_count ? report->values[index - HEAD] : NAN;
}

double rill_report_value(const rill_world *world, const rill_report *report, const char *name)
{
    const rill_column *column;
    for (uint32_t i = 0; (column = rill_world_column(world, i)); i++)
        if (strcmp(column->name, name) == 0) return rill_report_value_at(world, report, i);
    return NAN;
}

int rill_report_text(const rill_world *world, const rill_report *report, uint32_t index, char *text, size_t size)
{
    const common_column *row = common_at(world, index);
    /* A double has no room for the last digits of a long id. */
    if (row && row->is.type == RILL_COLUMN_COUNT)
        return snprintf(text, size, "%" PRIu64, *(const uint64_t *)((const char *)report + row->offset));
    const double value = rill_report_value_at(world, report, index);
    if (row && row->is.type == RILL_COLUMN_WORD) return snprintf(text, size, "%s", trouble_words[(int)value]);
    return snprintf(text, size, "%.*g", row && row->is.type == RILL_COLUMN_NUMBER ? row->digits : USUAL, value);
}

/* The column of this index among those of a method; else the index counts on behind them. */
static const rill_column *column_of(const rill_column *columns, uint32_t *index)
{
    for (; columns && columns->name; columns++)
        if (!(*index)--) return columns;
    return NULL;
}

const rill_column *rill_column_known(uint32_t index, const char **method)
{
    const char *ignored;
    if (!method) method = &ignored;
    *method = NULL;
    if (index < COMMON) return &common[index].is;
    index -= COMMON;
    const rill_column *found = NULL;
    const rill_solver *solver;
    const rill_force *force;
    for (uint32_t i = 0; !found && (solver = rill_solver_at(i, RILL_VARIANT_BASE)); i++) {
        found = column_of(solver->columns, &index);
        *method = solver->name;
    }
    for (uint32_t i = 0; !found && (force = rill_force_at(i, RILL_VARIANT_BASE)); i++) {
        found = column_of(force->columns, &index);
        *method = force->name;
    }
    return found;
}

const rill_column *rill_column_find(const char *name, const char **method)
{
    const rill_column *column;
    for (uint32_t i = 0; (column = rill_column_known(i, method)); i++)
        if (!strcmp(column->name, name)) return column;
    return NULL;
}

const char *rill_column_phase(const char *name)
{
    const size_t length = strlen(PHASE_PREFIX);
    return strncmp(name, PHASE_PREFIX, length) ? NULL : name + length;
}
