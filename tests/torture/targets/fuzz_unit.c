/* Numbers, units, names and quoted text. */
#include <math.h>

#include "fuzz.h"
#include "scene/name.h"
#include "scene/tree.h"
#include "text/unit.h"
#include "scene/yaml.h"
#include "surface/particles_read.h"
#include "text/chars.h"
#include "text/number.h"
#include "text/spelling.h"

static const char *const words[] = {"m",      "mm",     "km",     "cm",   "s",    "ms",  "min", "h",  "kg",
                                    "g",      "Pa",     "N",      "mN",   "%",    "d",   "/s",  "m2", "^2",
                                    "\u00b2", "\u00b3", "\u00b7", "*",    "1/",   "deg", "e5",  "E-", "l",
                                    "mPa*s",  "kg/m3",  "m/s2",   "true", "null", "~",   "#",   ": ", "\xef\xbb\xbf"};

static void units_try(const char *text)
{
    for (int wanted = RILL_PLAIN; wanted <= RILL_ANY_DIMENSION; wanted++) {
        double value = 0;
        char why[320] = "";
        const rill_unit_scale scale = {wanted % 2 ? 0.02 : 0, wanted % 3 ? 998 : 0};
        if (rill_unit_read(text, (rill_dimension)wanted, scale, &value, why, sizeof why))
            FUZZ_CHECK(isfinite(value), "'%s' is read as %g", text, value);
        else
            FUZZ_CHECK(*why, "'%s' is refused without a word", text);
    }
}

/* Decimals as strtod has them, to a few last bits. */
static void number_try(const char *text, size_t size)
{
    const char *at = text;
    uint64_t count;
    double number = 0;
    rill_number_read_count(&at, text + size, &count);
    at = text;
    if (!rill_number_read(&at, text + size, &number)) return;
    FUZZ_CHECK(at > text && at <= text + size, "a number of '%s' ends outside", text);
    char *plain = strndup(text, (size_t)(at - text)), *end;
    for (char *c = plain; *c; c++)
        if (*c == 'd' || *c == 'D') *c = 'e'; /* Fortran's */
    const double exact = strtod(plain, &end);
    const bool same = number == exact || (isnan(number) && isnan(exact)) || fabs(exact) < 1e-290 || isinf(exact) ||
                      fabs(number - exact) <= 1e-14 * fabs(exact);
    FUZZ_CHECK(*end || same, "'%s' is read as %.17g instead of %.17g", plain, number, exact);
    free(plain);
}

/* What is written as YAML reads back. */
static void quote_try(const char *text)
{
    if (!rill_chars_is_utf8(text)) return;
    char *yaml = NULL;
    size_t size;
    rill_node *root = NULL;
    FILE *out = open_memstream(&yaml, &size);
    rill_yaml_write(out, text);
    fclose(out);
    const rill_status status = rill_tree_parse(yaml, size, "text", NULL, &root, NULL);
    FUZZ_CHECK(!status && root->text && !strcmp(root->text, text), "the text '%s' does not come back from %s", text,
               yaml);
    rill_tree_free(root);
    free(yaml);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 300) return 0;
    char *text = fuzz_copy(data, size);
    const rill_excerpt excerpt = rill_chars_excerpt(text);
    FUZZ_CHECK(rill_chars_is_utf8(excerpt.text), "the excerpt of a text is not UTF-8");
    rill_name_fault(text);
    rill_spelling_resembles(text, excerpt.text);
    units_try(text);
    number_try(text, size);
    quote_try(text);
    free(text);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    return fuzz_text_mutate(data, size, most, &random, words, sizeof words / sizeof *words);
}
