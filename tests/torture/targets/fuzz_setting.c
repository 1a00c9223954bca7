/* Settings, as --set has them: one a line, on top of a small scene. */
#include "grammar.h"
#include "scene.h"

static const char base[] = "name: base\n"
                           "particle_diameter: 0.1 m\n"
                           "fluids:\n"
                           "  water: {density: 1000}\n"
                           "  oil: {density: 900, viscosity: {kind: laplacian, value: 1e-4 m2/s}}\n"
                           "fill:\n"
                           "  - box: {from: [0, 0, 0], to: [0.4, 0.4, 0.4]}\n"
                           "    fluid: water\n"
                           "  - sphere: {center: [0.7, 0.2, 0.3], radius: 0.12}\n"
                           "    fluid: oil\n"
                           "boundaries:\n"
                           "  tank: {box: {from: [0, 0, 0], to: [1, 0.4, 0.6]}}\n"
                           "probes:\n"
                           "  front: {kind: front, axis: x}\n";
static const char *const words[] = {"=", ".", "\n", "fill.0.", "fill.1.", "fluids.water.", "boundaries.tank.", "{", "}",
                                    "[0, 0, 1]", "probes.front.", "\"", "'", " ", "time.end=", "fill.2=", "tank", "box",
                                    "{box: {from: [0,0,0], size: [1,1,1]}}", "solver.kind=wcsph", "~", ": ", "1 d"};

enum { SETTINGS = 12 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *settings[SETTINGS];
    size_t count = 0;
    char *text = fuzz_copy(data, size), *rest = text;
    for (char *line; count < SETTINGS && (line = strsep(&rest, "\n"));) settings[count++] = line;
    scene_try(base, sizeof base - 1, settings, count, fuzz_hash(data, size));
    free(text);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    if (!fuzz_chance(&random, 3))
        return fuzz_text_mutate(data, size, most, &random, words, sizeof words / sizeof *words);
    uint8_t line[600];
    fuzz_bytes out = {line, 0, sizeof line};
    grammar g = {&random, &out};
    const rill_param *p = grammar_pick(&g, rill_scene_table(), &out);
    fuzz_print(&out, "=");
    grammar_value(&g, p);
    fuzz_print(&out, "\n");
    return fuzz_splice(data, size, most, 0, 0, out.bytes, out.size);
}
