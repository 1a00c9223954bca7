/* A frame to the bytes of an HDF5 file, made in memory: what can fail later is then a plain write. */
#include "frame/image.h"

#include <string.h>

#include "frame/hdf5.h"

static const rill_hdf5_type u8 = {RILL_HDF5_UINT, 1}, u32 = {RILL_HDF5_UINT, 4}, u64 = {RILL_HDF5_UINT, 8},
                            f32 = {RILL_HDF5_FLOAT, 4}, f64 = {RILL_HDF5_FLOAT, 8};

static rill_hdf5_type type_of(rill_array_type type)
{
    switch (type) {
    case RILL_F32:
        return f32;
    case RILL_F64:
        return f64;
    case RILL_U32:
        return u32;
    default:
        return u64;
    }
}

static rill_hdf5_attribute text_of(const char *name, const char *text)
{
    return (rill_hdf5_attribute){name, {RILL_HDF5_TEXT, (uint32_t)strlen(text) + 1}, 0, text};
}

/* Records may lie apart in memory; a chunk has one lane of them side by side. */
static void gather(const void *user, uint64_t from, uint64_t rows, uint64_t lane, void *piece)
{
    const rill_array *array = user;
    size_t at = from * array->stride + lane, step = array->stride;
    if (rill_image_element(array->type) == 4) {
        const uint32_t *data = (const uint32_t *)array->data + at;
        for (uint64_t i = 0; i < rows; i++) ((uint32_t *)piece)[i] = data[i * step];
    } else {
        const uint64_t *data = (const uint64_t *)array->data + at;
        for (uint64_t i = 0; i < rows; i++) ((uint64_t *)piece)[i] = data[i * step];
    }
}

static uint64_t put_array(rill_hdf5_out *out, const rill_array *array)
{
    const uint8_t derived = array->derived;
    const rill_hdf5_attribute attributes[] = {text_of("unit", array->unit), {"derived", u8, 0, &derived}};
    const rill_hdf5_shape shape = {type_of(array->type), array->count, rill_image_chunk(array->count), array->lanes};
    return rill_hdf5_put_set(out, &shape, gather, array, attributes, 2);
}

/* The arrays of particles, or all others, and the group that names them. */
static uint64_t put_arrays(rill_hdf5_out *out, const rill_frame_file *frame, bool particle, rill_hdf5_link *links)
{
    size_t count = 0;
    for (uint32_t i = 0; i < frame->state.count; i++) {
        const rill_array *array = &frame->state.arrays[i];
        if (array->particle == particle) links[count++] = (rill_hdf5_link){array->name, put_array(out, array)};
    }
    return rill_hdf5_put_group(out, links, count, NULL, 0);
}

static uint64_t put_root(rill_hdf5_out *out, const rill_frame_file *frame, uint64_t particles, uint64_t world)
{
    const uint32_t version = RILL_IMAGE_VERSION, arrays = frame->state.count;
    const double origin[3] = {frame->origin.x, frame->origin.y, frame->origin.z};
    const rill_hdf5_attribute attributes[] = {text_of("format", RILL_IMAGE_FORMAT),
                                              {"format_version", u32, 0, &version},
                                              text_of("rill_version", RILL_VERSION),
                                              {"time", f64, 0, &frame->time},
                                              {"step", u64, 0, &frame->step},
                                              {"diameter", f64, 0, &frame->diameter},
                                              {"origin", f64, 3, origin},
                                              {"count", u32, 0, &frame->count},
                                              {"arrays", u32, 0, &arrays}};
    rill_hdf5_link links[] = {{"particles", particles}, {"world", world}};
    return rill_hdf5_put_group(out, links, 2, attributes, sizeof attributes / sizeof *attributes);
}

/* The seal takes the bytes behind the end of the HDF5 file. */
static bool seal_add(rill_hdf5_out *out)
{
    const rill_image_seal seal = rill_image_seal_make(out->bytes, out->size);
    uint8_t *fitting = rill_realloc(out->bytes, out->size + sizeof seal);
    if (!fitting) return false;
    memcpy(fitting + out->size, &seal, sizeof seal);
    out->bytes = fitting;
    out->size += sizeof seal;
    return true;
}

static rill_status check_array(const rill_array *array, const rill_frame_file *frame, rill_error *err)
{
    if (!rill_image_name_good(array->name))
        return rill_fail(err, RILL_BAD_INPUT, "An array of a frame cannot be called \"%s\".", array->name);
    if (array->lanes > RILL_IMAGE_LANES_MAX)
        return rill_fail(err, RILL_BAD_INPUT, "The array %s has %u lanes, and a frame takes up to %d.", array->name,
                         array->lanes, RILL_IMAGE_LANES_MAX);
    if (array->lanes == 0 || array->stride < array->lanes || (array->count > 0 && !array->data))
        return rill_fail(err, RILL_BAD_INPUT, "The array %s has no lanes, or its records overlap, or it has no data.",
                         array->name);
    if (array->particle && array->count != frame->count)
        return rill_fail(err, RILL_BAD_INPUT, "The array %s has %llu records for %u particles.", array->name,
                         (unsigned long long)array->count, frame->count);
    return RILL_OK;
}

rill_status rill_image_encode(const rill_frame_file *frame, rill_image *image, rill_error *err)
{
    *image = (rill_image){0};
    rill_status status = RILL_OK;
    if (frame->state.count > RILL_IMAGE_ARRAYS_MAX)
        return rill_fail(err, RILL_BAD_INPUT, "A frame takes up to %d arrays, not %u.", RILL_IMAGE_ARRAYS_MAX,
                         frame->state.count);
    for (uint32_t i = 0; i < frame->state.count && !status; i++)
        status = check_array(&frame->state.arrays[i], frame, err);
    if (status) return status;
    rill_hdf5_out out;
    rill_hdf5_begin(&out);
    rill_hdf5_link *links = rill_calloc(frame->state.count + 1u, sizeof *links);
    if (links) {
        const uint64_t particles = put_arrays(&out, frame, true, links), world = put_arrays(&out, frame, false, links);
        rill_hdf5_end(&out, put_root(&out, frame, particles, world));
    }
    const bool good = links && !out.failed && seal_add(&out);
    rill_free(links);
    if (!good) {
        rill_free(out.bytes);
        return rill_fail(err, RILL_NO_MEMORY,
                         "There is not enough memory to pack a frame of %u particles; close other programs.",
                         frame->count);
    }
    *image = (rill_image){out.bytes, out.size};
    return RILL_OK;
}
