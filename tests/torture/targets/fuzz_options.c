/* Words of a command line, one a line: options of every kind, and what is read
 * from their values: frames, a range, a list of names, a word of several. */
#include <math.h>

#include "frame_list.h"
#include "fuzz.h"
#include "mesh_parts.h"
#include "options.h"
#include "said.h"

static const char *const words[] = {"--", "--frames\n", "--range=", "--attributes=", "--colour\n", "--size=", "\n", "=",
                                    "--angle=", "--set=", "--json", ":", "2:4", "last", "all", ",", "velocity", "0:",
                                    "-1", "--help", "-h", "--help=man", "--help=bash", "--help=zsh", "--help=fish",
                                    "speed", "-", "1e6", "0x10", "4294967295", "--frames=1:3"};

typedef struct asked {
    const char *frames, *range, *attributes, *colour;
    option_list settings;
    uint64_t size;
    double angle;
    bool json;
} asked;

static void frames_try(const char *text, uint32_t choice)
{
    frame_list list = {calloc(40, sizeof *list.numbers), 1 + choice % 40};
    said s;
    for (uint32_t i = 0; i < list.count; i++) list.numbers[i] = i * (1 + choice / 64 % 3) + (i > 7 ? choice >> 8 : 0);
    const uint32_t first = list.numbers[0], last = list.numbers[list.count - 1], count = list.count;
    said_begin(&s);
    const int code = frames_pick("run", text, &list);
    said_end(&s, code);
    FUZZ_CHECK(code || (list.count >= 1 && list.count <= count), "%u of %u frames", list.count, count);
    for (uint32_t i = 0; i < list.count && !code; i++)
        FUZZ_CHECK(list.numbers[i] >= first && list.numbers[i] <= last && (!i || list.numbers[i] > list.numbers[i - 1]),
                   "frame %u", list.numbers[i]);
    frames_free(&list);
}

static void range_try(const char *text)
{
    double low, high;
    said s;
    said_begin(&s);
    const bool good = option_range("range", text, &low, &high);
    said_end(&s, !good);
    FUZZ_CHECK(!good || (low < high && isfinite(high - low)), "'%s' is read as %g to %g", text, low, high);
}

static void attributes_try(const char *text)
{
    rill_values values[] = {{.name = "velocity", .lanes = 3}, {.name = "speed", .lanes = 1}, {.name = "a", .lanes = 1}};
    const rill_particles particles = {.values = values, .value_count = 3};
    option_list picked;
    char *copy;
    said s;
    said_begin(&s);
    const int code = mesh_values_pick(text, &particles, &picked, &copy);
    said_end(&s, code);
    for (size_t i = 0; i < picked.count; i++)
        for (size_t k = 0; k < i; k++)
            FUZZ_CHECK(strcmp(picked.items[i], picked.items[k]), "'%s' is there twice", picked.items[i]);
    option_list_free(&picked);
    free(copy);
}

static void colour_try(const char *text)
{
    static const char *const colours[] = {"speed", "density", "pressure", "fluid", NULL};
    said s;
    said_begin(&s);
    const int place = option_word("colour", text, option_word_at, colours);
    said_end(&s, place < 0);
    FUZZ_CHECK(place < 4, "'%s' is word %d", text, place);
}

static options_result words_read(int count, char **arguments, asked *a)
{
    const option options[] = {{"frames", OPTION_TEXT, "FRAMES", "", &a->frames, NULL},
                              {"range", OPTION_TEXT, "LOW:HIGH", "", &a->range, NULL},
                              {"attributes", OPTION_TEXT, "NAMES", "", &a->attributes, NULL},
                              {"colour", OPTION_TEXT, "WHAT", "", &a->colour, NULL},
                              {"set", OPTION_LIST, "KEY=VALUE", "", &a->settings, NULL},
                              {"size", OPTION_COUNT, "N", "", &a->size, NULL},
                              {"angle", OPTION_NUMBER, "DEGREES", "", &a->angle, NULL},
                              {"json", OPTION_FLAG, NULL, "", &a->json, NULL}};
    static const char *const colours[] = {"speed", "fluid", NULL};
    const option_choice choices[] = {{"colour", option_word_at, colours, false}, {0}};
    const option_table table = {"try", "[WORD]", "Tries.", NULL, options, sizeof options / sizeof *options, 1, choices};
    const char *rest[1];
    size_t rest_count;
    said s;
    said_begin(&s);
    const options_result read = options_read(&table, count, arguments, rest, &rest_count);
    said_end(&s, options_code(read));
    FUZZ_CHECK(rest_count <= 1 && (read != OPTIONS_GO || isfinite(a->angle)), "%zu words, an angle of %g", rest_count,
               a->angle);
    return read;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *arguments[SAID_ARGUMENTS], *text = fuzz_copy(data, size);
    const int count = said_arguments(text, arguments);
    asked a = {0};
    if (words_read(count, arguments, &a) == OPTIONS_GO) {
        if (a.frames) frames_try(a.frames, fuzz_hash(data, size));
        if (a.range) range_try(a.range);
        if (a.attributes) attributes_try(a.attributes);
        if (a.colour) colour_try(a.colour);
    }
    option_list_free(&a.settings);
    free(text);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    return fuzz_text_mutate(data, size, most, &random, words, sizeof words / sizeof *words);
}
