/* Particles from PLY: headers made up at random with data that fits them, and
 * edits of those. */
#include "particles.h"

static const char *const types[] = {"char", "int8", "uchar", "uint8", "short", "ushort", "int", "uint",
                                    "int64", "ulong", "float", "float32", "double", "float64"};
static const uint8_t sizes[] = {1, 1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 4, 8, 8};
static const char *const encodings[] = {"ascii", "binary_little_endian", "binary_big_endian"};
static const char *const names[] = {"vx", "vy", "vz", "red", "green", "blue", "nx", "a_x", "a_y", "a_z", "m", "x", ""};
static const char *const words[] = {"element vertex ", "element face ", "property ", "property list ", "float ",
                                    "uchar ", "x", "y", "z", "\n", "end_header\n", "comment ", "format ascii 1.0\n",
                                    "double ", "int64 ", " ", "obj_info", "binary_big_endian", "binary_little_endian"};

enum { PROPERTIES = 12 };

typedef struct making {
    fuzz_random *random;
    fuzz_bytes *out;
    uint32_t encoding;
    int type[PROPERTIES], list[PROPERTIES]; /* list: the type that counts it; -1: none */
    uint32_t properties;
} making;

static void property_make(making *m, const char *name)
{
    const uint32_t i = m->properties++;
    m->type[i] = (int)fuzz_below(m->random, 14);
    m->list[i] = fuzz_chance(m->random, 8) ? (int)fuzz_below(m->random, 10) : -1;
    if (m->list[i] >= 0) fuzz_print(m->out, "property list %s %s %s\n", types[m->list[i]], types[m->type[i]], name);
    else fuzz_print(m->out, "property %s %s\n", types[m->type[i]], name);
}

static void number_make(making *m, int type, uint32_t value)
{
    uint8_t bytes[8] = {0};
    if (m->encoding == 0) {
        fuzz_print(m->out, "%u%s", value, fuzz_chance(m->random, 3) ? "\n" : " ");
        return;
    }
    const size_t size = sizes[type];
    if (type >= 12) memcpy(bytes, &(double){value}, 8);
    else if (type >= 10) memcpy(bytes, &(float){(float)value}, 4);
    else memcpy(bytes, &(uint64_t){value}, 8);
    for (size_t i = 0; i < size; i++) fuzz_put(m->out, &bytes[m->encoding == 1 ? i : size - 1 - i], 1);
}

static void element_make(making *m, const char *name, uint32_t count)
{
    fuzz_print(m->out, "element %s %u\n", name, count);
    m->properties = 0;
    const bool vertex = !strcmp(name, "vertex");
    for (int k = 0; k < 3 && vertex; k++) property_make(m, (const char *[]){"x", "y", "z"}[k]);
    for (uint32_t more = fuzz_below(m->random, 6); more; more--) property_make(m, FUZZ_PICK(m->random, names));
}

static void data_make(making *m, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < m->properties; k++) {
            const uint32_t items = m->list[k] >= 0 ? fuzz_below(m->random, 4) : 1;
            if (m->list[k] >= 0) number_make(m, m->list[k], items);
            for (uint32_t j = 0; j < items; j++) number_make(m, m->type[k], fuzz_below(m->random, 9));
        }
    }
}

static size_t file_make(uint8_t *data, size_t most, fuzz_random *random)
{
    fuzz_bytes out = {data, 0, most};
    making head = {random, &out, fuzz_below(random, 3), {0}, {0}, 0}, vertex = head;
    const bool front = fuzz_chance(random, 3);
    const uint32_t before = fuzz_below(random, 3), count = fuzz_below(random, 6);
    fuzz_print(&out, "ply\nformat %s 1.0\n", encodings[head.encoding]);
    if (front) element_make(&head, "face", before);
    element_make(&vertex, "vertex", count);
    fuzz_print(&out, "end_header\n");
    if (front) data_make(&head, before);
    data_make(&vertex, count);
    return out.size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    particles_try("input.ply", data, size);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    if (fuzz_chance(&random, 16)) size = file_make(data, most, &random);
    return fuzz_text_mutate(data, size, most, &random, words, sizeof words / sizeof *words);
}
