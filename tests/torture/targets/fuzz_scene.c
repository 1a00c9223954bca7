/* Scene text. */
#include "grammar.h"
#include "scene.h"

static const char *const words[] = {
    "\n",          "  ",        "- ",     ": ",       "{}",        "[]",           "{",          "}",
    "[",           "]",         ", ",     "~",        "\"",        "'",            "#",          "box:",
    "sphere:",     "cylinder:", "plane:", "capsule:", "rotate:",   "inside: a",    "level:",     "\t",
    "&a ",         "*a",        "!!str ", "---\n",    "...\n",     "? ",           "|\n",        ">\n",
    "d",           " m",        " %",     " mm/s",    "\\x00",     "\\u2028",      "\xef\xbb\xbf", "<<: ",
    "fluid: water", "sines:",   "keyframes:"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size);
    scene_try(text, size, NULL, 0, fuzz_hash(data, size));
    free(text);
    return 0;
}

/* The value of some line becomes one that suits some parameter. */
static size_t value_replace(uint8_t *data, size_t size, size_t most, grammar *g)
{
    uint8_t path[200], value[300];
    size_t a, b;
    fuzz_bytes names = {path, 0, sizeof path}, text = {value, 0, sizeof value};
    const rill_param *p = grammar_pick(g, rill_scene_table(), &names);
    g->out = &text;
    grammar_value(g, p);
    fuzz_line_find(data, size, g->random, &a, &b);
    const uint8_t *colon = b > a ? memchr(data + a, ':', b - a) : NULL;
    if (!colon) return size;
    a = (size_t)(colon - data) + 1;
    while (b > a && (data[b - 1] == '\n')) b--;
    return fuzz_splice(data, size, most, a < size && data[a] == ' ' ? a + 1 : a, b, text.bytes, text.size);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    fuzz_bytes out = {data, 0, most};
    grammar g = {&random, &out};
    if (fuzz_chance(&random, 6)) {
        grammar_parts(&g, rill_scene_table(), 0, 6);
        return out.size;
    }
    if (fuzz_chance(&random, 3)) return value_replace(data, size, most, &g);
    return fuzz_text_mutate(data, size, most, &random, words, sizeof words / sizeof *words);
}
