/* Frames for other programs, and the series that ties them to times. */
#include "frame/export.h"

#include <string.h>

#include "format/point.h"
#include "format/vtp.h"

const rill_array *rill_export_array(const rill_frame_file *frame, uint32_t index)
{
    for (uint32_t i = 0; i < frame->state.count; i++) {
        const rill_array *array = &frame->state.arrays[i];
        if (array->particle && strcmp(array->name, "position") != 0 && index-- == 0) return array;
    }
    return NULL;
}

const char *rill_export_ending(rill_export_format format)
{
    static const char *const endings[] = {[RILL_EXPORT_VTP] = "vtp", [RILL_EXPORT_PLY] = "ply"};
    return (unsigned)format <= RILL_EXPORT_PLY ? endings[format] : NULL;
}

rill_scalar rill_export_type(const rill_array *array)
{
    static const rill_scalar types[] = {[RILL_F32] = RILL_SCALAR_F32,
                                        [RILL_F64] = RILL_SCALAR_F64,
                                        [RILL_U32] = RILL_SCALAR_U32,
                                        [RILL_U64] = RILL_SCALAR_U64};
    return types[array->type];
}

void rill_export_point(rill_store *store, const rill_frame_file *frame, const rill_array *position, uint64_t particle)
{
    rill_point_write(store, frame->origin, (const float *)position->data + particle * position->stride);
}

static rill_status check_frame(const rill_frame_file *frame, const char *path, rill_error *err)
{
    const rill_array *position = rill_frame_file_array(frame, "position");
    bool good = position && position->particle && position->type == RILL_F32 && position->lanes >= 3;
    for (uint32_t i = 0; good && i < frame->state.count; i++)
        good = !frame->state.arrays[i].particle || frame->state.arrays[i].count == frame->count;
    if (good) return RILL_OK;
    return rill_fail(err, RILL_BAD_INPUT,
                     "%s cannot be written: the frame has no positions, or arrays of unlike length.", path);
}

rill_status rill_export_frame(const rill_frame_file *frame, rill_export_format format, const char *path,
                              rill_error *err)
{
    rill_store store;
    if ((unsigned)format > RILL_EXPORT_PLY)
        return rill_fail(err, RILL_BAD_INPUT, "There is no export format with the number %d.", (int)format);
    rill_status status = check_frame(frame, path, err);
    if (!status) status = rill_store_open(&store, path, err);
    if (status) return status;
    switch (format) {
    case RILL_EXPORT_VTP:
        rill_export_vtp(&store, frame);
        break;
    case RILL_EXPORT_PLY:
        rill_export_ply(&store, frame);
        break;
    }
    return rill_store_commit(&store, err);
}

/* A reader looks for the files from where the series is. */
static const char *name_beside(const char *path, const char *file)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    return strncmp(path, file, folder) == 0 ? file + folder : file;
}

rill_status rill_export_series(const char *path, const char *const *files, const double *times, size_t count,
                               rill_error *err)
{
    rill_store store;
    rill_status status = rill_store_open(&store, path, err);
    if (status) return status;
    rill_store_print(&store, "<?xml version=\"1.0\"?>\n"
                             "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
                             "  <Collection>\n");
    for (size_t i = 0; i < count; i++) {
        rill_store_print(&store, "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"", times[i]);
        rill_vtp_escape(&store, name_beside(path, files[i]));
        rill_store_print(&store, "\"/>\n");
    }
    rill_store_print(&store, "  </Collection>\n</VTKFile>\n");
    return rill_store_commit(&store, err);
}
