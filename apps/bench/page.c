/* The page of results: the tables of the papers rill grew from, with what rill
 * measures on this machine beside what stands there. */
#include <math.h>
#include <string.h>

#include "command.h"
#include "machine.h"
#include "parts.h"
#include "rill/store.h"
#include "say.h"

typedef struct cell {
    char text[32];
} cell;

/* What a row measured; a dash when it was not. */
static cell ours(const bench_table *t, const char *row)
{
    cell c = {"–"};
    for (size_t i = 0; i < t->count; i++) {
        const double value = t->results[i].value;
        if (!strcmp(t->rows[i]->name, row) && isfinite(value))
            snprintf(c.text, sizeof c.text, value < 1000 ? "%.3g" : "%.0f", value);
    }
    return c;
}

static void head_put(const bench_table *t, const char *source, FILE *out)
{
    fprintf(out,
            "# Results beside the papers'\n\n"
            "Four tables of papers rill grew from, measured again with rill. `make bench` writes this page; rill's "
            "numbers are all of one sitting%s%s%s.\n\n"
            "rill: %s, %s of %s, %s. The papers' machines are named with their tables: a GPU and a CPU "
            "are no fair match.\n",
            source ? ", whose whole table is `" : "", source ? source : "", source ? "`" : "", t->cpu,
            say_many(t->threads, "thread").text, say_many(machine_cores(), "core").text, t->date);
    if (t->load > 0.3 * machine_cores())
        fprintf(out,
                "\nOthers were at work: %.1f processes wanted a core in the minute before, so times are too long.\n",
                t->load);
}

static void search_put(const bench_table *t, FILE *out)
{
    static const struct {
        const char *what, *theirs, *one, *all;
    } rows[] = {{"all pairs", "93.3 / 102.3", "naive_5k_1", "naive_5k"},
                {"octree", "50.6 / 20.3", "octree_5k_1", "octree_5k"},
                {"cells (rill's own)", "–", "cells_5k_1", "cells_5k"}};
    fputs("\n## Neighbour search, 5 000 particles\n\n"
          "L. Mijalkovic, Particle Based Fluids in Rust, table 1: milliseconds on a 13-inch MacBook Pro of 2016, one "
          "thread / several. Here the particles are strewn at random, as dense as water; all pairs and octree are "
          "plain C, kept in the benchmark for this comparison, and find the same neighbours "
          "(tests/test_searches.c).\n\n"
          "| search | paper, one / several threads (ms) | rill, one thread (ms) | all threads (ms) |\n"
          "| --- | ---: | ---: | ---: |\n", out);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        fprintf(out, "| %s | %s | %s | %s |\n", rows[i].what, rows[i].theirs, ours(t, rows[i].one).text,
                ours(t, rows[i].all).text);
}

static void step_put(const bench_table *t, FILE *out)
{
    fprintf(out,
            "\n## Step of position-based fluids, 5 000 particles, 3 iterations\n\n"
            "The same paper, table 2, on the same machine.\n\n"
            "| step | one thread (ms) | several threads (ms) |\n| --- | ---: | ---: |\n"
            "| paper, all pairs | 426.7 | 219.8 |\n| paper, octree | 370.8 | 140.7 |\n| rill | %s | %s |\n",
            ours(t, "pbf_step_5k_1").text, ours(t, "pbf_step_5k").text);
}

/* One size of a table that goes from few particles to many. */
typedef struct size_row {
    const char *particles, *theirs, *row;
} size_row;

static void sizes_put(const bench_table *t, const size_row *rows, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++)
        fprintf(out, "| %s | %s | %s |\n", rows[i].particles, rows[i].theirs, ours(t, rows[i].row).text);
}

static void many_put(const bench_table *t, FILE *out)
{
    static const size_row rows[] = {{"25 000", "0.1", "search_time_25k"},   {"50 000", "0.22", "search_time_50k"},
                                    {"100 000", "0.5", "search_time_100k"}, {"200 000", "3.3", "search_time_200k"},
                                    {"300 000", "3.6", "search_time_300k"}, {"700 000", "4.4", "search_time_700k"},
                                    {"1 000 000", "5.1", "search_time_1m"}};
    fputs("\n## Neighbour search, 25 000 to a million particles\n\n"
          "X. Liu, G. Kayar and K. Perlin, A GPU-based Hydrodynamic Simulator with Boid Interactions, table 1: a "
          "GeForce GTX 1080 (2 560 cores, 320 GB/s), 52 to 114 neighbours. rill: sorting and lists of falling water "
          "with 30 neighbours, on the CPU named above.\n\n"
          "| particles | paper (ms) | rill, all threads (ms) |\n| ---: | ---: | ---: |\n", out);
    sizes_put(t, rows, sizeof rows / sizeof *rows, out);
}

static void pace_put(const bench_table *t, FILE *out)
{
    static const size_row rows[] = {{"1 000", "", "steps_1k"},       {"10 000", "", "steps_10k"},
                                    {"32 000", "600", "steps_32k"},  {"100 000", "", "steps_100k"},
                                    {"390 000", "60", "steps_390k"}, {"1 000 000", "", "steps_1m"}};
    fputs("\n## Steps a second against the number of particles\n\n"
          "S. Azimkar, Creating and Optimising a Fluid Simulation For Use in Video Games, figure 35: frames a second, "
          "drawn ones, on a GeForce RTX 4060 Laptop; its text gives the two numbers below. rill: WCSPH steps of "
          "falling water, nothing drawn.\n\n"
          "| particles | paper (1/s) | rill, all threads (1/s) |\n| ---: | ---: | ---: |\n", out);
    sizes_put(t, rows, sizeof rows / sizeof *rows, out);
}

int bench_page_save(const bench_table *t, const char *path, const char *source)
{
    rill_error err = {0};
    rill_store store;
    if (rill_store_open(&store, path, &err)) return say_failure(&err);
    head_put(t, source, store.file);
    search_put(t, store.file);
    step_put(t, store.file);
    many_put(t, store.file);
    pace_put(t, store.file);
    return rill_store_commit(&store, &err) ? say_failure(&err) : EXIT_FINE;
}
