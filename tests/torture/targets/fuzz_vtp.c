/* Particles from VTK's poly data: files made up at random whose tags, offsets
 * and compressed blocks fit together, and edits of those. */
#include <zlib.h>

#include "particles.h"

static const char *const types[] = {"Int8",  "UInt8",  "Int16",  "UInt16",  "Int32",
                                    "UInt32", "Int64", "UInt64", "Float32", "Float64"};
static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
static const char *const words[] = {
    "<Piece NumberOfPoints=\"1\">", "</Piece>", "<Points>", "</Points>", "<PointData>", "</PointData>", "<DataArray ",
    "</DataArray>", "NumberOfComponents=\"3\"", "format=\"ascii\"", "format=\"binary\"", "format=\"appended\"",
    "offset=\"0\"", "<AppendedData encoding=\"raw\">_", "<AppendedData encoding=\"base64\">_", "header_type=\"UInt64\"",
    "byte_order=\"BigEndian\"", "compressor=\"vtkZLibDataCompressor\"", "<!--", "-->", "&quot;", "&amp;", "'", "\"",
    ">", "/>", "Name=\"velocity\"", "type=\"Float64\"", "type=\"Int8\"", "=", "<VTKFile type=\"PolyData\">"};

enum { ARRAY_BYTES = 4096 };

typedef struct making {
    fuzz_random *random;
    fuzz_bytes *out;
    bool wide, big, compressed, base64; /* base64: of the appended data */
    uint8_t appended[16384];            /* the data itself, behind the tags */
    size_t appended_size;
} making;

static void whole_put(const making *m, fuzz_bytes *out, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) fuzz_put(out, &(uint8_t){(uint8_t)(value >> 8 * (m->big ? size - 1 - i : i))}, 1);
}

static void base64_put(fuzz_bytes *out, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t bits = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                              (left > 2 ? bytes[i + 2] : 0u);
        fuzz_print(out, "%c%c%c%c", digits[bits >> 18], digits[bits >> 12 & 63],
                   left > 1 ? digits[bits >> 6 & 63] : '=', left > 2 ? digits[bits & 63] : '=');
    }
}

/* Lengths and bytes of one array, each in base64 of its own where asked. */
static void data_put(const making *m, fuzz_bytes *out, const uint8_t *data, size_t size, bool base64)
{
    uint8_t head_bytes[256], body_bytes[2 * ARRAY_BYTES];
    fuzz_bytes head = {head_bytes, 0, sizeof head_bytes}, body = {body_bytes, 0, sizeof body_bytes};
    const size_t width = m->wide ? 8 : 4, whole = 1 + fuzz_below(m->random, 2) * (size / 3) + size / 2;
    if (m->compressed) {
        const size_t part = size % whole, blocks = size / whole + (part != 0);
        whole_put(m, &head, blocks, width);
        whole_put(m, &head, whole, width);
        whole_put(m, &head, part, width);
        for (size_t i = 0; i < blocks; i++) {
            uint8_t shrunk[ARRAY_BYTES + 64];
            uLongf got = sizeof shrunk;
            compress(shrunk, &got, data + i * whole, size - i * whole < whole ? size - i * whole : whole);
            whole_put(m, &head, got, width);
            fuzz_put(&body, shrunk, got);
        }
    } else {
        whole_put(m, &head, size, width);
        fuzz_put(&body, data, size);
    }
    if (base64) base64_put(out, head.bytes, head.size);
    else fuzz_put(out, head.bytes, head.size);
    if (base64) base64_put(out, body.bytes, body.size);
    else fuzz_put(out, body.bytes, body.size);
}

static void array_make(making *m, uint32_t points, const char *name, uint32_t lanes)
{
    const uint32_t type = fuzz_chance(m->random, 2) ? 8 : fuzz_below(m->random, 10), count = points * lanes;
    fuzz_print(m->out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%u\" ", types[type], name, lanes);
    const uint32_t format = fuzz_below(m->random, 3);
    if (format == 0) {
        fuzz_print(m->out, "format=\"ascii\">");
        for (uint32_t i = 0; i < count; i++) fuzz_print(m->out, "%u ", fuzz_below(m->random, 9));
        fuzz_print(m->out, "</DataArray>\n");
        return;
    }
    uint8_t bytes[ARRAY_BYTES];
    fuzz_bytes data = {bytes, 0, sizeof bytes};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bits = fuzz_below(m->random, 9);
        if (type == 8) memcpy(&bits, &(float){(float)bits}, 4);
        if (type == 9) memcpy(&bits, &(double){(double)bits}, 8);
        whole_put(m, &data, bits, sizes[type]);
    }
    if (format == 1) {
        fuzz_print(m->out, "format=\"binary\">");
        data_put(m, m->out, data.bytes, data.size, true);
        fuzz_print(m->out, "</DataArray>\n");
        return;
    }
    fuzz_print(m->out, "format=\"appended\" offset=\"%zu\"/>\n", m->appended_size);
    fuzz_bytes appended = {m->appended, m->appended_size, sizeof m->appended};
    data_put(m, &appended, data.bytes, data.size, m->base64);
    m->appended_size = appended.size;
}

static void piece_make(making *m, uint32_t extra)
{
    const uint32_t points = fuzz_below(m->random, 8);
    fuzz_print(m->out, "<Piece NumberOfPoints=\"%u\">\n<PointData>\n", points);
    for (uint32_t i = 0; i < extra; i++)
        array_make(m, points, (const char *[]){"velocity", "density", "fluid"}[i], i ? 1 : 3);
    fuzz_print(m->out, "</PointData>\n<Points>\n");
    array_make(m, points, "Points", 3);
    fuzz_print(m->out, "</Points>\n</Piece>\n");
}

static size_t file_make(uint8_t *data, size_t most, fuzz_random *random)
{
    fuzz_bytes out = {data, 0, most};
    making m = {.random = random, .out = &out, .wide = fuzz_chance(random, 2), .big = fuzz_chance(random, 4),
                .compressed = fuzz_chance(random, 2), .base64 = fuzz_chance(random, 2)};
    const uint32_t extra = fuzz_below(random, 4);
    fuzz_print(&out,
               "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" byte_order=\"%sEndian\" header_type=\"%s\"%s>\n",
               m.big ? "Big" : "Little", m.wide ? "UInt64" : "UInt32",
               m.compressed ? " compressor=\"vtkZLibDataCompressor\"" : "");
    fuzz_print(&out, "<PolyData>\n");
    for (uint32_t pieces = 1 + fuzz_below(random, 5) / 3; pieces; pieces--) piece_make(&m, extra);
    fuzz_print(&out, "</PolyData>\n<AppendedData encoding=\"%s\">\n_", m.base64 ? "base64" : "raw");
    fuzz_put(&out, m.appended, m.appended_size);
    fuzz_print(&out, "\n</AppendedData>\n</VTKFile>\n");
    return out.size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    particles_try("input.vtp", data, size);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    if (fuzz_chance(&random, 8)) size = file_make(data, most, &random);
    return fuzz_text_mutate(data, size, most, &random, words, sizeof words / sizeof *words);
}
