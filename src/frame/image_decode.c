/* The bytes of an HDF5 file to a frame. The bytes may be anything: each size
 * is checked against what the file can hold before memory is asked for. */
#include "frame/image.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

/* Deflate shrinks at most 1032 times: a file that promises more is damaged. */
enum { SHRINK_MAX = 1100, SMALL_FILE = 65536, LANES_MAX = 64 };

typedef struct reader {
    hid_t file;
    const char *label;
    uint64_t budget; /* bytes that arrays may still take */
    rill_frame_file *frame;
    uint32_t capacity; /* of frame->state.arrays */
    rill_error *err;
} reader;

static rill_status damaged(const reader *r, const char *what)
{
    return rill_fail(r->err, RILL_BAD_FILE, "%s is damaged: %s; use another frame or make it anew.", r->label, what);
}

static rill_status damaged_array(const reader *r, const char *name, const char *what)
{
    return rill_fail(r->err, RILL_BAD_FILE, "%s is damaged: its array %s %s; use another frame or make it anew.",
                     r->label, name, what);
}

static rill_status no_memory(const reader *r)
{
    return rill_fail(r->err, RILL_NO_MEMORY, "There is not enough memory to read %s; close other programs.", r->label);
}

/* An attribute of exactly this many numbers of this kind. */
static bool get_numbers(hid_t where, const char *name, hid_t memory, hssize_t count, void *value)
{
    if (H5Aexists(where, name) <= 0) return false;
    hid_t attribute = H5Aopen(where, name, H5P_DEFAULT);
    if (attribute < 0) return false;
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    bool good = type >= 0 && space >= 0 && H5Tget_class(type) == H5Tget_class(memory) &&
                H5Sget_simple_extent_npoints(space) == count && H5Aread(attribute, memory, value) >= 0;
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    H5Aclose(attribute);
    return good;
}

/* A text of fixed length, cut to fit. */
static bool get_text(hid_t where, const char *name, char *text, size_t size)
{
    if (H5Aexists(where, name) <= 0) return false;
    hid_t attribute = H5Aopen(where, name, H5P_DEFAULT);
    if (attribute < 0) return false;
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute), memory = H5Tcopy(H5T_C_S1);
    bool good = type >= 0 && space >= 0 && memory >= 0 && H5Tget_class(type) == H5T_STRING &&
                H5Tis_variable_str(type) == 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Tset_size(memory, size) >= 0 && H5Tset_cset(memory, H5Tget_cset(type)) >= 0 &&
                H5Aread(attribute, memory, text) >= 0;
    if (good) text[size - 1] = '\0';
    if (memory >= 0) H5Tclose(memory);
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    H5Aclose(attribute);
    return good;
}

static rill_status read_version(reader *r, bool *newer)
{
    char format[32] = "";
    uint32_t version = 0;
    if (!get_text(r->file, "format", format, sizeof format) || strcmp(format, RILL_IMAGE_FORMAT) != 0 ||
        !get_numbers(r->file, "format_version", H5T_NATIVE_UINT32, 1, &version))
        return rill_fail(r->err, RILL_BAD_FILE, "%s is an HDF5 file but not a frame of rill.", r->label);
    if (version <= RILL_IMAGE_VERSION) return RILL_OK;
    if (newer) *newer = true;
    return rill_fail(r->err, RILL_BAD_FILE,
                     "%s is a frame of format %u and this rill reads up to %d; use a newer rill.", r->label, version,
                     RILL_IMAGE_VERSION);
}

static rill_status read_head(reader *r, uint32_t *arrays)
{
    rill_frame_file *frame = r->frame;
    double origin[3];
    if (!get_numbers(r->file, "time", H5T_NATIVE_DOUBLE, 1, &frame->time) ||
        !get_numbers(r->file, "step", H5T_NATIVE_UINT64, 1, &frame->step) ||
        !get_numbers(r->file, "diameter", H5T_NATIVE_DOUBLE, 1, &frame->diameter) ||
        !get_numbers(r->file, "origin", H5T_NATIVE_DOUBLE, 3, origin) ||
        !get_numbers(r->file, "count", H5T_NATIVE_UINT32, 1, &frame->count) ||
        !get_numbers(r->file, "arrays", H5T_NATIVE_UINT32, 1, arrays))
        return damaged(r, "its time, step, diameter, origin or count is missing");
    frame->origin = (rill_vec3){origin[0], origin[1], origin[2]};
    return RILL_OK;
}

static bool type_find(hid_t set, rill_array_type *type)
{
    hid_t disk = H5Dget_type(set);
    if (disk < 0) return false;
    bool good = true;
    if (H5Tequal(disk, H5T_IEEE_F32LE) > 0)
        *type = RILL_F32;
    else if (H5Tequal(disk, H5T_IEEE_F64LE) > 0)
        *type = RILL_F64;
    else if (H5Tequal(disk, H5T_STD_U32LE) > 0)
        *type = RILL_U32;
    else if (H5Tequal(disk, H5T_STD_U64LE) > 0)
        *type = RILL_U64;
    else
        good = false;
    H5Tclose(disk);
    return good;
}

static bool shape_find(hid_t set, uint64_t *count, uint32_t *lanes)
{
    hid_t space = H5Dget_space(set);
    if (space < 0) return false;
    hsize_t shape[2] = {0, 1};
    int rank = H5Sget_simple_extent_ndims(space);
    bool good = (rank == 1 || rank == 2) && H5Sget_simple_extent_dims(space, shape, NULL) == rank;
    good = good && shape[1] >= 1 && shape[1] <= LANES_MAX;
    H5Sclose(space);
    *count = shape[0];
    *lanes = (uint32_t)shape[1];
    return good;
}

/* HDF5 reads a chunk that is not there as zeros; here that is damage. */
static bool chunks_whole(hid_t set, const rill_array *array)
{
    hid_t settings = H5Dget_create_plist(set), space = H5Dget_space(set);
    bool good = settings >= 0 && space >= 0;
    if (good && array->count > 0 && H5Pget_layout(settings) == H5D_CHUNKED) {
        hsize_t chunk[2] = {1, 1}, have = 0;
        good = H5Pget_chunk(settings, 2, chunk) >= 0 && H5Dget_num_chunks(set, space, &have) >= 0;
        hsize_t rows = (array->count + chunk[0] - 1) / chunk[0], columns = (array->lanes + chunk[1] - 1) / chunk[1];
        good = good && have == rows * columns;
    } else if (good && array->count > 0) {
        good = H5Dget_storage_size(set) > 0;
    }
    if (settings >= 0) H5Pclose(settings);
    if (space >= 0) H5Sclose(space);
    return good;
}

static hid_t memory_type(rill_array_type type)
{
    switch (type) {
    case RILL_F32:
        return H5T_NATIVE_FLOAT;
    case RILL_F64:
        return H5T_NATIVE_DOUBLE;
    case RILL_U32:
        return H5T_NATIVE_UINT32;
    default:
        return H5T_NATIVE_UINT64;
    }
}

/* Reads `rows` records of one lane from record `from` on into a plain row. */
static bool read_piece(hid_t set, const rill_array *array, hsize_t from, hsize_t rows, hsize_t lane, void *to)
{
    hsize_t start[2] = {from, lane}, size[2] = {rows, 1};
    hid_t disk = H5Dget_space(set), memory = H5Screate_simple(1, &rows, NULL);
    bool good = disk >= 0 && memory >= 0 && H5Sselect_hyperslab(disk, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                H5Dread(set, memory_type(array->type), memory, disk, H5P_DEFAULT, to) >= 0;
    if (disk >= 0) H5Sclose(disk);
    if (memory >= 0) H5Sclose(memory);
    return good;
}

static void scatter(const rill_array *array, hsize_t from, hsize_t rows, uint32_t lane, const void *row)
{
    size_t at = (size_t)from * array->lanes + lane, step = array->lanes;
    if (rill_image_element(array->type) == 4) {
        uint32_t *to = (uint32_t *)array->data + at;
        const uint32_t *piece = row;
        for (hsize_t i = 0; i < rows; i++) to[i * step] = piece[i];
    } else {
        uint64_t *to = (uint64_t *)array->data + at;
        const uint64_t *piece = row;
        for (hsize_t i = 0; i < rows; i++) to[i * step] = piece[i];
    }
}

/* Piece by piece and lane by lane, as it lies in the file; HDF5 would take each number of a record on its own. */
static bool read_lanes(hid_t set, const rill_array *array)
{
    if (array->lanes == 1) return read_piece(set, array, 0, array->count, 0, array->data);
    hsize_t piece = rill_image_chunk(array->count);
    uint64_t *row = malloc(sizeof(uint64_t) * piece);
    bool good = row != NULL;
    for (uint32_t lane = 0; good && lane < array->lanes; lane++) {
        for (hsize_t from = 0; good && from < array->count; from += piece) {
            hsize_t rows = array->count - from < piece ? array->count - from : piece;
            good = read_piece(set, array, from, rows, lane, row);
            if (good) scatter(array, from, rows, lane, row);
        }
    }
    free(row);
    return good;
}

static rill_status read_data(reader *r, hid_t set, rill_array *array)
{
    uint64_t record = rill_image_element(array->type) * array->lanes;
    if (array->particle && array->count != r->frame->count)
        return damaged_array(r, array->name, "does not have one record a particle");
    if (array->count > r->budget / record) return damaged_array(r, array->name, "is larger than the file can hold");
    r->budget -= array->count * record;
    if (!chunks_whole(set, array)) return damaged_array(r, array->name, "has holes");
    array->data = malloc(array->count ? array->count * record : 1);
    if (!array->data) return no_memory(r);
    if (array->count > 0 && !read_lanes(set, array))
        return damaged_array(r, array->name, "does not match its checksum");
    return RILL_OK;
}

static rill_status read_array(reader *r, hid_t set, const char *name, bool particle)
{
    rill_array *array = &r->frame->state.arrays[r->frame->state.count];
    *array = (rill_array){.particle = particle};
    uint8_t derived = 0;
    if (strlen(name) >= sizeof array->name || !rill_image_name_good(name))
        return damaged_array(r, name, "has a strange name");
    strcpy(array->name, name);
    if (!type_find(set, &array->type) || !shape_find(set, &array->count, &array->lanes) ||
        !get_text(set, "unit", array->unit, sizeof array->unit) ||
        !get_numbers(set, "derived", H5T_NATIVE_UINT8, 1, &derived))
        return damaged_array(r, name, "is of no kind that a frame holds");
    array->stride = array->lanes;
    array->derived = derived != 0;
    r->frame->state.count++;
    return read_data(r, set, array);
}

static rill_status read_link(reader *r, hid_t group, hsize_t index, bool particle)
{
    char name[256];
    H5L_info_t link;
    if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, index, name, sizeof name, H5P_DEFAULT) < 0 ||
        H5Lget_info(group, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
        return damaged(r, "one of its arrays cannot be opened");
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    if (set < 0) return damaged_array(r, name, "cannot be opened");
    rill_status status = read_array(r, set, name, particle);
    H5Dclose(set);
    return status;
}

static rill_status read_group(reader *r, const char *name, bool particle)
{
    H5G_info_t info;
    hid_t group = H5Lexists(r->file, name, H5P_DEFAULT) > 0 ? H5Gopen2(r->file, name, H5P_DEFAULT) : -1;
    if (group < 0) return damaged(r, "its arrays are missing");
    rill_status status = H5Gget_info(group, &info) < 0 ? damaged(r, "its arrays cannot be listed") : RILL_OK;
    if (!status && info.nlinks > r->capacity - r->frame->state.count)
        status = damaged(r, "it has more arrays than it should");
    for (hsize_t i = 0; !status && i < info.nlinks; i++) status = read_link(r, group, i, particle);
    H5Gclose(group);
    return status;
}

static rill_status check_arrays(reader *r)
{
    if (r->frame->state.count != r->capacity) return damaged(r, "some of its arrays are missing");
    const rill_array *position = rill_frame_array(r->frame, "position");
    if (!position || !position->particle || position->type != RILL_F32 || position->lanes < 3)
        return damaged(r, "it has no positions");
    return RILL_OK;
}

static rill_status read_all(reader *r, bool *newer)
{
    uint32_t arrays = 0;
    rill_status status = read_version(r, newer);
    if (!status) status = read_head(r, &arrays);
    if (status) return status;
    if (arrays > 1000) return damaged(r, "it claims too many arrays");
    r->capacity = arrays;
    r->frame->state.arrays = calloc(arrays ? arrays : 1, sizeof(rill_array));
    if (!r->frame->state.arrays) return no_memory(r);
    status = read_group(r, "particles", true);
    if (!status) status = read_group(r, "world", false);
    if (!status) status = check_arrays(r);
    return status;
}

static hid_t file_open(const void *bytes, size_t size)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
    if (H5Pset_fapl_core(access, 65536, false) >= 0 && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_file_image(access, (void *)bytes, size) >= 0)
        file = H5Fopen("frame", H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return file;
}

/* Whole to the last byte as we wrote it, or written by another program since: then HDF5's own checks must do. */
static bool seal_holds(const uint8_t *bytes, size_t size)
{
    rill_image_seal seal, found;
    uint64_t end = rill_image_end(bytes, size);
    if (end == 0 || end == size) return true;
    if (size < sizeof seal || end != size - sizeof seal) return false;
    seal = rill_image_seal_make(bytes, end);
    memcpy(&found, bytes + end, sizeof found);
    return memcmp(&seal, &found, sizeof seal) == 0;
}

rill_status rill_image_decode(const void *bytes, size_t size, const char *label, rill_frame_file *frame, bool *newer,
                              rill_error *err)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    *frame = (rill_frame_file){0};
    if (newer) *newer = false;
    reader r = {.label = label, .frame = frame, .err = err, .budget = (uint64_t)size * SHRINK_MAX + SMALL_FILE};
    if (size == 0) return rill_fail(err, RILL_BAD_FILE, "%s is empty; use another frame or make it anew.", label);
    if (size < sizeof signature || memcmp(bytes, signature, sizeof signature) != 0)
        return rill_fail(err, RILL_BAD_FILE, "%s is not a frame: it is no HDF5 file.", label);
    if (!seal_holds(bytes, size)) return damaged(&r, "it was cut short or changed");
    rill_status status;
    H5E_BEGIN_TRY
    {
        r.file = file_open(bytes, size);
        if (r.file < 0) {
            status = damaged(&r, "HDF5 cannot open it");
        } else {
            status = read_all(&r, newer);
            H5Fclose(r.file);
        }
    }
    H5E_END_TRY
    if (status) rill_frame_file_free(frame);
    return status;
}
