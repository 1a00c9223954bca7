/* VTK's XML poly data, as ParaView reads it: text that says where each array
 * lies, then the arrays as raw bytes, each behind its length (UInt64). Every
 * particle is also a cell of one vertex, so that something shows at once and
 * cell filters work. */
#include <inttypes.h>

#include "format/point.h"
#include "format/vtp.h"
#include "frame/export.h"

typedef struct writer {
    rill_vtp_file file;
    const rill_frame_file *frame;
} writer;

static void put_time(writer *w)
{
    if (rill_vtp_array(&w->file, "TimeValue", RILL_SCALAR_F64, 1, 1, " NumberOfTuples=\"1\""))
        rill_store_write(w->file.store, &w->frame->time, sizeof(double));
}

static void put_field(writer *w, const rill_array *array)
{
    const rill_scalar type = rill_export_type(array);
    if (!rill_vtp_array(&w->file, array->name, type, array->count, array->lanes, "")) return;
    const size_t record = rill_scalar_size(type) * array->lanes, stride = rill_scalar_size(type) * array->stride;
    const char *data = array->data;
    for (uint64_t i = 0; i < array->count; i++) rill_store_write(w->file.store, data + i * stride, record);
}

static void put_points(writer *w)
{
    const rill_array *position = rill_frame_file_array(w->frame, "position");
    if (!rill_vtp_array(&w->file, "Points", rill_point_type(w->frame->origin), w->frame->count, 3, "")) return;
    for (uint64_t i = 0; i < w->frame->count; i++) rill_export_point(w->file.store, w->frame, position, i);
}

/* first, first + 1, ... as short as the count allows. */
static void put_counting(writer *w, const char *name, uint64_t first)
{
    const rill_scalar type = w->frame->count > INT32_MAX ? RILL_SCALAR_I64 : RILL_SCALAR_I32;
    if (!rill_vtp_array(&w->file, name, type, w->frame->count, 1, "")) return;
    for (uint64_t i = 0; i < w->frame->count; i++) {
        int64_t number = (int64_t)(first + i);
        /* little-endian: the low half comes first */
        rill_store_write(w->file.store, &number, rill_scalar_size(type));
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
                 rill_frame_file_array(w->frame, "velocity") ? " Vectors=\"velocity\"" : "");
    for (uint32_t i = 0; (array = rill_export_array(w->frame, i)); i++) put_field(w, array);
    rill_vtp_say(&w->file, "      </PointData>\n      <Points>\n");
    put_points(w);
    rill_vtp_say(&w->file, "      </Points>\n      <Verts>\n");
    put_counting(w, "connectivity", 0);
    put_counting(w, "offsets", 1);
    rill_vtp_say(&w->file, "      </Verts>\n    </Piece>\n");
}

void rill_export_vtp(rill_store *store, const rill_frame_file *frame)
{
    writer w = {.file = rill_vtp_begin(store), .frame = frame};
    put_all(&w);
    rill_vtp_open_raw(&w.file);
    put_all(&w);
    rill_vtp_end(&w.file);
}
