/* VTK's XML poly data, as ParaView reads it: text that says where each array
 * lies, then the arrays as raw bytes, each behind its length (UInt64). Every
 * particle is also a cell of one vertex, so that something shows at once and
 * cell filters work. */
#include <inttypes.h>

#include "frame/export.h"

typedef enum pass { DESCRIBE, WRITE } pass;

/* Both passes walk the same arrays: first to say where they go, then to put them there. */
typedef struct writer {
    rill_store *store;
    const rill_frame_file *frame;
    pass pass;
    uint64_t offset; /* into the raw part */
} writer;

static const char *type_name(rill_array_type type)
{
    static const char *const names[] = {
        [RILL_F32] = "Float32", [RILL_F64] = "Float64", [RILL_U32] = "UInt32", [RILL_U64] = "UInt64"};
    return names[type];
}

static size_t type_bytes(rill_array_type type)
{
    return type == RILL_F32 || type == RILL_U32 ? 4 : 8;
}

static void say(writer *w, const char *text)
{
    if (w->pass == DESCRIBE) rill_store_print(w->store, "%s", text);
}

/* The description in one pass, the length in the other; true when the data should follow. */
static bool array_begin(writer *w, const char *name, const char *type, uint64_t bytes, uint32_t lanes, const char *more)
{
    if (w->pass == DESCRIBE) {
        rill_store_print(w->store,
                         "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%" PRIu32
                         "\"%s format=\"appended\" offset=\"%" PRIu64 "\"/>\n",
                         type, name, lanes, more, w->offset);
        w->offset += sizeof bytes + bytes;
        return false;
    }
    rill_store_write(w->store, &bytes, sizeof bytes);
    return true;
}

static void put_time(writer *w)
{
    if (array_begin(w, "TimeValue", "Float64", sizeof(double), 1, " NumberOfTuples=\"1\""))
        rill_store_write(w->store, &w->frame->time, sizeof(double));
}

static void put_field(writer *w, const rill_array *array)
{
    size_t record = type_bytes(array->type) * array->lanes, stride = type_bytes(array->type) * array->stride;
    if (!array_begin(w, array->name, type_name(array->type), record * array->count, array->lanes, "")) return;
    const char *data = array->data;
    for (uint64_t i = 0; i < array->count; i++) rill_store_write(w->store, data + i * stride, record);
}

static void put_points(writer *w)
{
    const rill_array *position = rill_frame_array(w->frame, "position");
    bool far = rill_export_is_far(w->frame);
    uint64_t bytes = 3 * (far ? sizeof(double) : sizeof(float)) * (uint64_t)w->frame->count;
    if (!array_begin(w, "Points", far ? "Float64" : "Float32", bytes, 3, "")) return;
    for (uint64_t i = 0; i < w->frame->count; i++) {
        double at[3];
        rill_export_point(w->frame, position, i, at);
        float near[3] = {(float)at[0], (float)at[1], (float)at[2]};
        if (far)
            rill_store_write(w->store, at, sizeof at);
        else
            rill_store_write(w->store, near, sizeof near);
    }
}

/* first, first + 1, ... as short as the count allows. */
static void put_counting(writer *w, const char *name, uint64_t first)
{
    bool wide = w->frame->count > INT32_MAX;
    uint64_t bytes = (wide ? sizeof(int64_t) : sizeof(int32_t)) * (uint64_t)w->frame->count;
    if (!array_begin(w, name, wide ? "Int64" : "Int32", bytes, 1, "")) return;
    for (uint64_t i = 0; i < w->frame->count; i++) {
        int64_t number = (int64_t)(first + i);
        rill_store_write(w->store, &number, wide ? sizeof(int64_t) : sizeof(int32_t)); /* little-endian: the low half */
    }
}

static void put_all(writer *w)
{
    const rill_array *array;
    say(w, "    <FieldData>\n");
    put_time(w);
    say(w, "    </FieldData>\n");
    if (w->pass == DESCRIBE)
        rill_store_print(w->store,
                         "    <Piece NumberOfPoints=\"%" PRIu32 "\" NumberOfVerts=\"%" PRIu32
                         "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
                         w->frame->count, w->frame->count);
    say(w, rill_frame_array(w->frame, "velocity") ? "      <PointData Vectors=\"velocity\">\n" : "      <PointData>\n");
    for (uint32_t i = 0; (array = rill_export_array(w->frame, i)); i++) put_field(w, array);
    say(w, "      </PointData>\n      <Points>\n");
    put_points(w);
    say(w, "      </Points>\n      <Verts>\n");
    put_counting(w, "connectivity", 0);
    put_counting(w, "offsets", 1);
    say(w, "      </Verts>\n    </Piece>\n");
}

/* ParaView 5.11 and others read 4096 bytes at a time and hand them to expat in pieces. Since expat waits with a tag
 * that came in pieces until much more has come (2.6, and older ones as Debian now ships them), ParaView misses the raw
 * part and takes its bytes for text, unless what it reads ends in this tag, two to eight bytes behind its name. Spaces
 * in front put it there. */
static void open_raw_part(rill_store *store)
{
    static const char name[] = "<AppendedData";
    const long piece = 4096, behind = sizeof name - 1 + 5, at = ftell(store->file);
    const long padding = at < 0 ? 0 : (piece - (at + behind) % piece) % piece;
    rill_store_print(store, "%*s%s encoding=\"raw\">\n_", (int)padding, "", name);
}

void rill_vtp_write(rill_store *store, const rill_frame_file *frame)
{
    writer w = {.store = store, .frame = frame, .pass = DESCRIBE};
    rill_store_print(store, "<?xml version=\"1.0\"?>\n"
                            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\""
                            " header_type=\"UInt64\">\n"
                            "  <PolyData>\n");
    put_all(&w);
    rill_store_print(store, "  </PolyData>\n");
    open_raw_part(store);
    w.pass = WRITE;
    put_all(&w);
    rill_store_print(store, "\n  </AppendedData>\n</VTKFile>\n");
}
