/* PLY, binary little-endian, as Blender, MeshLab and Houdini read it: a text
 * header that names the properties of a vertex, then the vertices one by one. */
#include <inttypes.h>
#include <string.h>

#include "frame/export.h"

/* PLY has no whole numbers of 64 bits; double holds them up to 2^53. */
static const char *type_name(rill_array_type type)
{
    static const char *const names[] = {
        [RILL_F32] = "float", [RILL_F64] = "double", [RILL_U32] = "uint", [RILL_U64] = "double"};
    return names[type];
}

void rill_ply_property(rill_store *store, const char *type, const char *name, uint32_t lanes, uint32_t lane)
{
    if (strcmp(name, "velocity") == 0 && lanes == 3)
        rill_store_print(store, "property %s v%c\n", type, "xyz"[lane]); /* what readers expect */
    else if (lanes == 1)
        rill_store_print(store, "property %s %s\n", type, name);
    else if (lanes <= 3)
        rill_store_print(store, "property %s %s_%c\n", type, name, "xyz"[lane]);
    else
        rill_store_print(store, "property %s %s_%" PRIu32 "\n", type, name, lane);
}

static void put_header(rill_store *store, const rill_frame_file *frame)
{
    const rill_array *array;
    const char *type = rill_export_is_far(frame) ? "double" : "float";
    rill_store_print(store, "ply\nformat binary_little_endian 1.0\ncomment rill %s, time %.17g s, step %" PRIu64 "\n",
                     RILL_VERSION, frame->time, frame->step);
    rill_store_print(store, "element vertex %" PRIu32 "\n", frame->count);
    for (int k = 0; k < 3; k++) rill_store_print(store, "property %s %c\n", type, "xyz"[k]);
    for (uint32_t i = 0; (array = rill_export_array(frame, i)); i++)
        for (uint32_t lane = 0; lane < array->lanes; lane++)
            rill_ply_property(store, type_name(array->type), array->name, array->lanes, lane);
    rill_store_print(store, "end_header\n");
}

static void put_point(rill_store *store, const rill_frame_file *frame, const rill_array *position, uint64_t i)
{
    double at[3];
    rill_export_point(frame, position, i, at);
    float near[3] = {(float)at[0], (float)at[1], (float)at[2]};
    if (rill_export_is_far(frame))
        rill_store_write(store, at, sizeof at);
    else
        rill_store_write(store, near, sizeof near);
}

static void put_record(rill_store *store, const rill_array *array, uint64_t i)
{
    size_t size = array->type == RILL_F32 || array->type == RILL_U32 ? 4 : 8;
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

void rill_ply_write(rill_store *store, const rill_frame_file *frame)
{
    const rill_array *array, *position = rill_frame_array(frame, "position");
    put_header(store, frame);
    for (uint64_t i = 0; i < frame->count; i++) {
        put_point(store, frame, position, i);
        for (uint32_t k = 0; (array = rill_export_array(frame, k)); k++) put_record(store, array, i);
    }
}
