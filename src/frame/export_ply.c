/* PLY, binary little-endian, as Blender, MeshLab and Houdini read it: a text
 * header that names the properties of a vertex, then the vertices one by one. */
#include <inttypes.h>

#include "format/ply.h"
#include "format/point.h"
#include "frame/export.h"

/* Readers know no whole numbers of 64 bits; double holds them up to 2^53. */
static rill_scalar type_of(const rill_array *array)
{
    const rill_scalar type = rill_export_type(array);
    return type == RILL_SCALAR_U64 ? RILL_SCALAR_F64 : type;
}

static void put_header(rill_store *store, const rill_frame_file *frame)
{
    const rill_array *array;
    rill_store_print(store, RILL_PLY_TOP "comment rill %s, time %.17g s, step %" PRIu64 "\n", RILL_VERSION, frame->time,
                     frame->step);
    rill_store_print(store, "element vertex %" PRIu32 "\n", frame->count);
    rill_ply_axes(store, rill_point_type(frame->origin), "");
    for (uint32_t i = 0; (array = rill_export_array(frame, i)); i++)
        rill_ply_property(store, type_of(array), array->name, array->lanes);
    rill_store_print(store, "end_header\n");
}

static void put_record(rill_store *store, const rill_array *array, uint64_t i)
{
    const size_t size = rill_scalar_size(rill_export_type(array));
    const char *record = (const char *)array->data + i * array->stride * size;
    if (array->type != RILL_U64) {
        rill_store_write(store, record, size * array->lanes);
        return;
    }
    for (uint32_t lane = 0; lane < array->lanes; lane++) {
        double number = (double)((const uint64_t *)record)[lane];
        rill_store_write(store, &number, sizeof number);
    }
}

void rill_export_ply(rill_store *store, const rill_frame_file *frame)
{
    const rill_array *array, *position = rill_frame_file_array(frame, "position");
    put_header(store, frame);
    for (uint64_t i = 0; i < frame->count; i++) {
        rill_export_point(store, frame, position, i);
        for (uint32_t k = 0; (array = rill_export_array(frame, k)); k++) put_record(store, array, i);
    }
}
