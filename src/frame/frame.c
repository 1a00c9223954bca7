/* Frames as files: one HDF5 file each. */
#include <string.h>

#include "frame/frame.h"
#include "frame/image.h"
#include "base/memory.h"
#include "base/store.h"
#include "world/world.h"

rill_status rill_frame_file_try(const char *path, rill_frame_file *frame, bool *newer, rill_error *err)
{
    *frame = (rill_frame_file){0};
    *newer = false;
    char *bytes;
    size_t size;
    rill_status status = rill_store_get(path, SIZE_MAX, &bytes, &size, err);
    if (status) return status;
    status = rill_image_decode(bytes, size, path, frame, newer, err);
    rill_free(bytes);
    return status;
}

rill_status rill_frame_file_read(const char *path, rill_frame_file *frame, rill_error *err)
{
    bool newer;
    return rill_frame_file_try(path, frame, &newer, err);
}

/* A frame whose arrays are the world's own; `all` as for rill_world_views. */
static rill_status frame_view(const rill_world *world, bool all, rill_frame_file *frame, rill_error *err)
{
    const rill_frame view = rill_world_frame(world);
    *frame = (rill_frame_file){.time = view.time,
                               .diameter = view.diameter,
                               .step = view.step,
                               .origin = view.origin,
                               .count = view.count};
    return rill_world_views(world, all, &frame->state, err);
}

/* Gives an array memory of its own, in which records lie side by side. False without memory. */
static bool array_own(rill_array *a)
{
    const size_t element = rill_array_element(a->type), record = a->lanes * element;
    const char *from = a->data;
    char *to = rill_malloc(a->count * record);
    for (uint64_t i = 0; to && i < a->count; i++) memcpy(to + i * record, from + i * a->stride * element, record);
    a->data = to;
    a->stride = a->lanes;
    return to;
}

rill_status rill_frame_file_of_world(const rill_world *world, rill_frame_file *frame, rill_error *err)
{
    rill_status status = frame_view(world, true, frame, err);
    for (uint32_t i = 0; i < frame->state.count; i++) {
        rill_array *a = &frame->state.arrays[i];
        if (status) a->data = NULL; /* the world's */
        else if (!array_own(a)) status = rill_memory_fail(err, a->count * a->lanes * 8, "a frame");
    }
    if (status) rill_frame_file_free(frame);
    return status;
}

rill_status rill_frame_file_encode(const rill_world *world, rill_image *image, rill_error *err)
{
    rill_frame_file frame;
    rill_status status = frame_view(world, false, &frame, err);
    if (status) return status;
    status = rill_image_encode(&frame, image, err);
    rill_free(frame.state.arrays);
    return status;
}

rill_status rill_frame_file_write(const char *path, const rill_world *world, rill_error *err)
{
    rill_image image;
    rill_status status = rill_frame_file_encode(world, &image, err);
    if (status) return status;
    status = rill_store_put(path, image.bytes, image.size, err);
    rill_free(image.bytes);
    return status;
}

void rill_frame_file_free(rill_frame_file *frame)
{
    for (uint32_t i = 0; i < frame->state.count; i++) rill_free(frame->state.arrays[i].data);
    rill_free(frame->state.arrays);
    *frame = (rill_frame_file){0};
}

const rill_array *rill_frame_file_array(const rill_frame_file *frame, const char *name)
{
    return rill_state_array(&frame->state, name);
}
