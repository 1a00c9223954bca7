/* What `rill info` and a run that goes on sum up of report.csv. */
#include "frame/summary.h"
#include "fuzz.h"

static const char *const columns[] = {"step", "time", "dt", "particles", "kinetic", "speed_max", "lost", "rescued",
                                      "trouble", "trouble_count", "trouble_id", "trouble_x", "trouble_y", "trouble_z",
                                      "limit_hit", "density_error", "density_error_max", "neighbours_mean",
                                      "seconds_search", "seconds_", "iterations_density"};
static const char *const words[] = {"\n", "\r\n", ",", "\"", "\"a,b\"", "step,", "lost,", "trouble_x,",
                                    "trouble_count,", "trouble_id,", "seconds_a,", "nan", "inf", "4294967296",
                                    "-1", " ", "none"};

static void counts_check(const rill_summary *s)
{
    const double counts[] = {rill_summary_value(s, "lost"), rill_summary_value(s, "rescued"),
                             rill_summary_value(s, "trouble_count"),
                             rill_summary_value(s, "limit_hit")};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        FUZZ_CHECK(counts[i] >= 0 && counts[i] < 0x1p64, "count %zu is %g", i, counts[i]);
}

/* A row without an end counts as little as one that is not there. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t lines = 0, whole = 0;
    for (size_t i = 0; i < size; i++)
        if (data[i] == '\n') lines++, whole = i + 1;
    char *text = fuzz_copy(data, whole);
    rill_summary all, again;
    const bool good = rill_summary_parse((const char *)data, size, &all);
    FUZZ_CHECK(good == (all.rows > 0) && all.rows <= lines, "%llu rows of %zu lines", (unsigned long long)all.rows,
               lines);
    FUZZ_CHECK(rill_summary_parse(text, whole, &again) == good && !memcmp(&all, &again, sizeof all),
               "a row without an end was taken");
    counts_check(&all);
    free(text);
    return 0;
}

static size_t report_make(uint8_t *data, size_t most, fuzz_random *random)
{
    fuzz_bytes out = {data, 0, most};
    const uint32_t count = 1 + fuzz_below(random, 120), rows = fuzz_below(random, 5);
    for (uint32_t k = 0; k < count; k++) fuzz_print(&out, "%s%s", k ? "," : "", FUZZ_PICK(random, columns));
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t k = 0; k < count; k++)
            fuzz_print(&out, "%s%s", k ? "," : "\n",
                       fuzz_chance(random, 30) ? FUZZ_PICK(random, fuzz_numbers) : fuzz_chance(random, 4) ? "3" : "0");
    fuzz_print(&out, "\n");
    return out.size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    if (fuzz_chance(&random, 16)) size = report_make(data, most, &random);
    return fuzz_text_mutate(data, size, most, &random, words, sizeof words / sizeof *words);
}
