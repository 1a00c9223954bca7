/* VTK's XML poly data, as ParaView reads it: text that says where each array
 * lies, then the arrays as raw bytes, each behind its length (UInt64). Every
 * particle is also a cell of one vertex, so that something shows at once and
 * cell filters work. */
#include <inttypes.h>

#include "frame/export.h"
#include "frame/vtp_file.h"

typedef struct writer {
    rill_vtp_file file;
    const rill_frame_file *frame;
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

static void put_time(writer *w)
{
    if (rill_vtp_array(&w->file, "TimeValue", "Float64", sizeof(double), 1, " NumberOfTuples=\"1\""))
        rill_store_write(w->file.store, &w->frame->time, sizeof(double));
}

static void put_field(writer *w, const rill_array *array)
{
    size_t record = type_bytes(array->type) * array->lanes, stride = type_bytes(array->type) * array->stride;
    if (!rill_vtp_array(&w->file, array->name, type_name(array->type), record * array->count, array->lanes, "")) return;
    const char *data = array->data;
    for (uint64_t i = 0; i < array->count; i++) rill_store_write(w->file.store, data + i * stride, record);
}

static void put_points(writer *w)
{
    const rill_array *position = rill_frame_array(w->frame, "position");
    bool far = rill_export_is_far(w->frame);
    uint64_t bytes = 3 * (far ? sizeof(double) : sizeof(float)) * (uint64_t)w->frame->count;
    if (!rill_vtp_array(&w->file, "Points", far ? "Float64" : "Float32", bytes, 3, "")) return;
    for (uint64_t i = 0; i < w->frame->count; i++) {
        double at[3];
        rill_export_point(w->frame, position, i, at);
        float near[3] = {(float)at[0], (float)at[1], (float)at[2]};
        if (far)
            rill_store_write(w->file.store, at, sizeof at);
        else
            rill_store_write(w->file.store, near, sizeof near);
    }
}

/* first, first + 1, ... as short as the count allows. */
static void put_counting(writer *w, const char *name, uint64_t first)
{
    bool wide = w->frame->count > INT32_MAX;
    uint64_t bytes = (wide ? sizeof(int64_t) : sizeof(int32_t)) * (uint64_t)w->frame->count;
    if (!rill_vtp_array(&w->file, name, wide ? "Int64" : "Int32", bytes, 1, "")) return;
    for (uint64_t i = 0; i < w->frame->count; i++) {
        int64_t number = (int64_t)(first + i);
        /* little-endian: the low half comes first */
        rill_store_write(w->file.store, &number, wide ? sizeof(int64_t) : sizeof(int32_t));
    }
}

static void put_all(writer *w)
{
    const rill_array *array;
    rill_vtp_say(&w->file, "    <FieldData>\n");
    put_time(w);
    rill_vtp_say(&w->file, "    </FieldData>\n");
    rill_vtp_say(&w->file,
                 "    <Piece NumberOfPoints=\"%" PRIu32 "\" NumberOfVerts=\"%" PRIu32
                 "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
                 w->frame->count, w->frame->count);
    rill_vtp_say(&w->file, "      <PointData%s>\n",
                 rill_frame_array(w->frame, "velocity") ? " Vectors=\"velocity\"" : "");
    for (uint32_t i = 0; (array = rill_export_array(w->frame, i)); i++) put_field(w, array);
    rill_vtp_say(&w->file, "      </PointData>\n      <Points>\n");
    put_points(w);
    rill_vtp_say(&w->file, "      </Points>\n      <Verts>\n");
    put_counting(w, "connectivity", 0);
    put_counting(w, "offsets", 1);
    rill_vtp_say(&w->file, "      </Verts>\n    </Piece>\n");
}

void rill_vtp_write(rill_store *store, const rill_frame_file *frame)
{
    writer w = {.file = rill_vtp_begin(store), .frame = frame};
    put_all(&w);
    rill_vtp_open_raw(&w.file);
    put_all(&w);
    rill_vtp_end(&w.file);
}
