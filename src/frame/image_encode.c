/* A frame to the bytes of an HDF5 file, made in memory: what can fail later
 * is then a plain write, and HDF5 never sees a full disk. */
#include "frame/image.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

/* More costs time and gains nothing: the low bytes of positions and velocities are noise. */
enum { DEFLATE_LEVEL = 2 };

static hid_t disk_type(rill_array_type type)
{
    switch (type) {
    case RILL_F32:
        return H5T_IEEE_F32LE;
    case RILL_F64:
        return H5T_IEEE_F64LE;
    case RILL_U32:
        return H5T_STD_U32LE;
    default:
        return H5T_STD_U64LE;
    }
}

/* A scalar (count 0) or a row of numbers. */
static bool put_numbers(hid_t where, const char *name, hid_t disk, hid_t memory, hsize_t count, const void *value)
{
    hid_t space = count ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(where, name, disk, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && H5Awrite(attribute, memory, value) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    if (space >= 0) H5Sclose(space);
    return good;
}

static bool put_text(hid_t where, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    bool good = type >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
    good = good && put_numbers(where, name, type, type, 0, text);
    if (type >= 0) H5Tclose(type);
    return good;
}

static bool put_head(hid_t root, const rill_frame_file *frame)
{
    uint32_t version = RILL_IMAGE_VERSION, arrays = frame->state.count;
    double origin[3] = {frame->origin.x, frame->origin.y, frame->origin.z};
    return put_text(root, "format", RILL_IMAGE_FORMAT) &&
           put_numbers(root, "format_version", H5T_STD_U32LE, H5T_NATIVE_UINT32, 0, &version) &&
           put_text(root, "rill_version", RILL_VERSION) &&
           put_numbers(root, "time", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 0, &frame->time) &&
           put_numbers(root, "step", H5T_STD_U64LE, H5T_NATIVE_UINT64, 0, &frame->step) &&
           put_numbers(root, "diameter", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 0, &frame->diameter) &&
           put_numbers(root, "origin", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 3, origin) &&
           put_numbers(root, "count", H5T_STD_U32LE, H5T_NATIVE_UINT32, 0, &frame->count) &&
           put_numbers(root, "arrays", H5T_STD_U32LE, H5T_NATIVE_UINT32, 0, &arrays);
}

static hid_t array_settings(const rill_array *array)
{
    hid_t settings = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t chunk[2] = {rill_image_chunk(array->count), 1};
    bool good = settings >= 0 && H5Pset_obj_track_times(settings, false) >= 0;
    if (good && array->count)
        good = H5Pset_chunk(settings, array->lanes > 1 ? 2 : 1, chunk) >= 0 && H5Pset_shuffle(settings) >= 0 &&
               H5Pset_deflate(settings, DEFLATE_LEVEL) >= 0 && H5Pset_fletcher32(settings) >= 0;
    if (good) return settings;
    if (settings >= 0) H5Pclose(settings);
    return -1;
}

static hid_t array_create(hid_t group, const rill_array *array)
{
    hsize_t shape[2] = {array->count, array->lanes};
    hid_t settings = array_settings(array);
    hid_t space = H5Screate_simple(array->lanes > 1 ? 2 : 1, shape, NULL);
    hid_t set = H5Dcreate2(group, array->name, disk_type(array->type), space, H5P_DEFAULT, settings, H5P_DEFAULT);
    if (settings >= 0) H5Pclose(settings);
    if (space >= 0) H5Sclose(space);
    return set;
}

static void gather(const rill_array *array, uint64_t from, uint64_t rows, uint64_t lane, void *piece)
{
    size_t at = from * array->stride + lane, step = array->stride;
    if (rill_image_element(array->type) == 4) {
        const uint32_t *data = (const uint32_t *)array->data + at;
        for (uint64_t i = 0; i < rows; i++) ((uint32_t *)piece)[i] = data[i * step];
    } else {
        const uint64_t *data = (const uint64_t *)array->data + at;
        for (uint64_t i = 0; i < rows; i++) ((uint64_t *)piece)[i] = data[i * step];
    }
}

/* One chunk: `rows` records of one lane, which lie side by side in memory. */
static bool put_piece(hid_t set, const rill_array *array, hsize_t from, hsize_t rows, hsize_t lane, const void *piece)
{
    hsize_t start[2] = {from, lane}, size[2] = {rows, 1};
    hid_t disk = H5Dget_space(set), memory = H5Screate_simple(1, &rows, NULL);
    bool good = disk >= 0 && memory >= 0 && H5Sselect_hyperslab(disk, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                H5Dwrite(set, disk_type(array->type), memory, disk, H5P_DEFAULT, piece) >= 0;
    if (disk >= 0) H5Sclose(disk);
    if (memory >= 0) H5Sclose(memory);
    return good;
}

static bool array_fill(hid_t set, const rill_array *array, void *piece)
{
    hsize_t room = rill_image_chunk(array->count);
    for (hsize_t lane = 0; lane < array->lanes; lane++) {
        for (hsize_t from = 0; from < array->count; from += room) {
            hsize_t rows = array->count - from < room ? array->count - from : room;
            gather(array, from, rows, lane, piece);
            if (!put_piece(set, array, from, rows, lane, piece)) return false;
        }
    }
    return true;
}

static bool put_array(hid_t group, const rill_array *array, void *piece)
{
    hid_t set = array_create(group, array);
    uint8_t derived = array->derived;
    bool good = set >= 0 && put_text(set, "unit", array->unit) &&
                put_numbers(set, "derived", H5T_STD_U8LE, H5T_NATIVE_UINT8, 0, &derived) &&
                array_fill(set, array, piece);
    if (set >= 0) H5Dclose(set);
    return good;
}

static hid_t group_create(hid_t file, const char *name)
{
    hid_t settings = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(settings, false);
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, settings, H5P_DEFAULT);
    H5Pclose(settings);
    return group;
}

static bool put_frame(hid_t file, const rill_frame_file *frame)
{
    hid_t particles = group_create(file, "particles"), world = group_create(file, "world");
    void *piece = malloc(sizeof(uint64_t) * RILL_IMAGE_CHUNK);
    bool good = particles >= 0 && world >= 0 && piece && put_head(file, frame);
    for (uint32_t i = 0; good && i < frame->state.count; i++) {
        const rill_array *array = &frame->state.arrays[i];
        good = put_array(array->particle ? particles : world, array, piece);
    }
    free(piece);
    if (particles >= 0) H5Gclose(particles);
    if (world >= 0) H5Gclose(world);
    return good;
}

/* The memory of an HDF5 file is ours: when the file is closed, and only then
 * is all of it in place, we keep the block instead of freeing it. */
static void *block_alloc(size_t size, H5FD_file_image_op_t why, void *user)
{
    (void)why, (void)user;
    return malloc(size);
}

static void *block_copy(void *to, const void *from, size_t size, H5FD_file_image_op_t why, void *user)
{
    (void)why, (void)user;
    return memcpy(to, from, size);
}

static void *block_grow(void *block, size_t size, H5FD_file_image_op_t why, void *user)
{
    (void)why, (void)user;
    return realloc(block, size);
}

static herr_t block_free(void *block, H5FD_file_image_op_t why, void *user)
{
    rill_image *image = user;
    if (why == H5FD_FILE_IMAGE_OP_FILE_CLOSE && !image->bytes)
        image->bytes = block;
    else
        free(block);
    return 0;
}

static void *user_copy(void *user)
{
    return user;
}

static herr_t user_free(void *user)
{
    (void)user;
    return 0;
}

/* An empty HDF5 file in memory, with checksums on all metadata (format 1.10) and no times in it. */
static hid_t file_create(size_t raw, rill_image *image)
{
    H5FD_file_image_callbacks_t ours = {block_alloc, block_copy, block_grow, block_free, user_copy, user_free, image};
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
    hid_t file = -1;
    if (H5Pset_fapl_core(access, raw / 2 + 65536, false) >= 0 && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0 &&
        H5Pset_file_image_callbacks(access, &ours) >= 0 && H5Pset_obj_track_times(create, false) >= 0)
        file = H5Fcreate("frame", H5F_ACC_TRUNC, create, access);
    H5Pclose(access);
    H5Pclose(create);
    return file;
}

/* Closes the file and seals its bytes. */
static bool file_close(hid_t file, rill_image *image)
{
    hsize_t most = 0;
    bool good = H5Fflush(file, H5F_SCOPE_LOCAL) >= 0 && H5Fget_filesize(file, &most) >= 0;
    if (H5Fclose(file) < 0 || !good || !image->bytes) return false;
    image->size = most;
    uint64_t end = rill_image_end(image->bytes, image->size);
    if (end == 0 || end > most) return false;
    rill_image_seal seal = rill_image_seal_make(image->bytes, end);
    uint8_t *longer = realloc(image->bytes, end + sizeof seal);
    if (!longer) return false;
    memcpy(longer + end, &seal, sizeof seal);
    *image = (rill_image){longer, end + sizeof seal};
    return true;
}

static rill_status check_array(const rill_array *array, const rill_frame_file *frame, rill_error *err)
{
    if (!rill_image_name_good(array->name))
        return rill_fail(err, RILL_BAD_INPUT, "An array of a frame cannot be called \"%s\".", array->name);
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
    size_t raw = 0;
    for (uint32_t i = 0; i < frame->state.count; i++) {
        const rill_array *array = &frame->state.arrays[i];
        rill_status status = check_array(array, frame, err);
        if (status) return status;
        raw += rill_image_element(array->type) * array->lanes * array->count;
    }
    bool good = false;
    H5E_BEGIN_TRY
    {
        hid_t file = file_create(raw, image);
        if (file >= 0) {
            good = put_frame(file, frame);
            good = file_close(file, image) && good;
        }
    }
    H5E_END_TRY
    if (good) return RILL_OK;
    free(image->bytes);
    *image = (rill_image){0};
    return rill_fail(err, RILL_NO_MEMORY,
                     "There is not enough memory to pack a frame of %u particles; close other programs.", frame->count);
}
