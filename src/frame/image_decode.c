/* The bytes of an HDF5 file to a frame. The bytes may be anything: each size
 * is checked against what the file can hold before memory is asked for. */
#include "frame/image.h"

#include <math.h>
#include <string.h>

#include "frame/hdf5.h"

/* Deflate shrinks at most 1032 times: a file that promises more is damaged. */
enum { SHRINK_MAX = 1100, SMALL_FILE = 65536 };

typedef struct reader {
    rill_hdf5_in in;
    const char *label;
    uint64_t budget; /* bytes that arrays may still take */
    rill_frame_file *frame;
    uint32_t capacity; /* of frame->state.arrays */
    bool particle;     /* the group that is read */
    rill_status status;
    rill_error *err;
} reader;

static rill_status damaged(const reader *r, const char *what)
{
    return rill_fail(r->err, RILL_BAD_FILE, "%s is damaged: %s; use another frame or make it again.", r->label, what);
}

static rill_status damaged_array(const reader *r, const char *name, const char *what)
{
    return rill_fail(r->err, RILL_BAD_FILE, "%s is damaged: its array %s %s; use another frame or make it again.",
                     r->label, name, what);
}

static rill_status no_memory(const reader *r)
{
    return rill_fail(r->err, RILL_NO_MEMORY, "There is not enough memory to read %s; close other programs.", r->label);
}

/* Any number of the file as a double or as a whole one; other programs may have changed its type. */
static bool number_at(const rill_hdf5_attribute *a, uint64_t index, double *real, uint64_t *whole)
{
    const uint8_t *at = (const uint8_t *)a->data + index * a->type.size;
    float single;
    *whole = 0;
    switch (a->type.kind) {
    case RILL_HDF5_FLOAT:
        if (a->type.size == 4) memcpy(&single, at, 4), *real = (double)single;
        else memcpy(real, at, 8);
        *whole = *real >= 0 && *real < 0x1p63 ? (uint64_t)*real : 0;
        return true;
    case RILL_HDF5_UINT:
    case RILL_HDF5_INT:
        memcpy(whole, at, a->type.size);
        *real = (double)*whole;
        return a->type.kind == RILL_HDF5_UINT || !(at[a->type.size - 1] & 0x80);
    default:
        return false;
    }
}

/* An attribute of exactly this many numbers. */
static bool get_reals(const rill_hdf5_object *o, const char *name, uint64_t count, double *values)
{
    const rill_hdf5_attribute *a = rill_hdf5_attribute_find(o, name);
    uint64_t whole;
    bool good = a && a->count == count;
    for (uint64_t i = 0; good && i < count; i++) good = number_at(a, i, &values[i], &whole);
    return good;
}

static bool get_whole(const rill_hdf5_object *o, const char *name, uint64_t most, uint64_t *value)
{
    const rill_hdf5_attribute *a = rill_hdf5_attribute_find(o, name);
    double real;
    return a && a->count == 1 && a->type.kind != RILL_HDF5_FLOAT && number_at(a, 0, &real, value) && *value <= most;
}

/* A text of fixed length, cut to fit. */
static bool get_text(const rill_hdf5_object *o, const char *name, char *text, size_t size)
{
    const rill_hdf5_attribute *a = rill_hdf5_attribute_find(o, name);
    if (!a || a->count != 1 || a->type.kind != RILL_HDF5_TEXT) return false;
    const size_t length = a->type.size < size ? a->type.size : size - 1;
    memcpy(text, a->data, length);
    text[length < size ? length : size - 1] = '\0';
    return true;
}

static rill_status read_version(reader *r, const rill_hdf5_object *root, bool *newer)
{
    char format[32] = "";
    uint64_t version = 0;
    if (!get_text(root, "format", format, sizeof format) || strcmp(format, RILL_IMAGE_FORMAT) != 0 ||
        !get_whole(root, "format_version", UINT32_MAX, &version))
        return rill_fail(r->err, RILL_BAD_FILE, "%s is an HDF5 file but not a frame of rill.", r->label);
    if (version <= RILL_IMAGE_VERSION) return RILL_OK;
    if (newer) *newer = true;
    return rill_fail(r->err, RILL_BAD_FILE,
                     "%s is a frame of format %u and this rill reads up to %d; use a newer rill.", r->label,
                     (unsigned)version, RILL_IMAGE_VERSION);
}

static rill_status read_head(reader *r, const rill_hdf5_object *root)
{
    rill_frame_file *frame = r->frame;
    double origin[3];
    uint64_t count, arrays;
    if (!get_reals(root, "time", 1, &frame->time) || !get_whole(root, "step", UINT64_MAX, &frame->step) ||
        !get_reals(root, "diameter", 1, &frame->diameter) || !get_reals(root, "origin", 3, origin) ||
        !get_whole(root, "count", UINT32_MAX, &count) || !get_whole(root, "arrays", UINT32_MAX, &arrays))
        return damaged(r, "its time, step, diameter, origin or count is missing");
    if (!isfinite(frame->time) || !(frame->diameter > 0 && isfinite(frame->diameter)) || !isfinite(origin[0]) ||
        !isfinite(origin[1]) || !isfinite(origin[2]))
        return damaged(r, "its time, diameter or origin makes no sense");
    if (arrays > RILL_IMAGE_ARRAYS_MAX) return damaged(r, "it claims too many arrays");
    frame->origin = (rill_vec3){origin[0], origin[1], origin[2]};
    frame->count = (uint32_t)count;
    r->capacity = (uint32_t)arrays;
    return RILL_OK;
}

static bool type_find(rill_hdf5_type disk, rill_array_type *type)
{
    const bool real = disk.kind == RILL_HDF5_FLOAT;
    *type = disk.size == 4 ? (real ? RILL_F32 : RILL_U32) : (real ? RILL_F64 : RILL_U64);
    return (real || disk.kind == RILL_HDF5_UINT) && (disk.size == 4 || disk.size == 8);
}

static rill_status read_data(reader *r, const rill_hdf5_object *set, rill_array *array)
{
    const uint64_t record = rill_image_element(array->type) * array->lanes;
    if (array->particle && array->count != r->frame->count)
        return damaged_array(r, array->name, "does not have one record a particle");
    if (array->count > r->budget / record) return damaged_array(r, array->name, "is larger than the file can hold");
    r->budget -= array->count * record;
    bool memory;
    array->data = rill_malloc(array->count ? array->count * record : 1);
    if (!array->data) return no_memory(r);
    if (rill_hdf5_read_numbers(&r->in, set, array->data, &memory)) return RILL_OK;
    return memory ? no_memory(r) : damaged_array(r, array->name, "has holes or does not match its checksum");
}

static rill_status read_array(reader *r, const rill_hdf5_object *set, const char *name)
{
    rill_array *array = &r->frame->state.arrays[r->frame->state.count];
    *array = (rill_array){.particle = r->particle};
    uint64_t derived = 0;
    if (strlen(name) >= sizeof array->name || !rill_image_name_good(name))
        return damaged(r, "one of its arrays has a strange name");
    strcpy(array->name, name);
    if (!type_find(set->type, &array->type) || set->rank < 1 || set->shape[1] < 1 ||
        set->shape[1] > RILL_IMAGE_LANES_MAX || !get_text(set, "unit", array->unit, sizeof array->unit) ||
        !get_whole(set, "derived", UINT8_MAX, &derived))
        return damaged_array(r, name, "is of no kind that a frame holds");
    array->count = set->shape[0];
    array->lanes = array->stride = (uint32_t)set->shape[1];
    array->derived = derived != 0;
    r->frame->state.count++;
    return read_data(r, set, array);
}

static bool read_link(void *user, const char *name, uint64_t address)
{
    reader *r = user;
    rill_hdf5_object set;
    if (r->frame->state.count >= r->capacity) r->status = damaged(r, "it has more arrays than it should");
    else if (!rill_hdf5_read_object(&r->in, address, &set))
        r->status = damaged(r, "one of its arrays cannot be opened");
    else r->status = read_array(r, &set, name);
    return !r->status;
}

/* Where the two groups lie. */
typedef struct groups {
    uint64_t particles, world;
} groups;

static bool find_group(void *user, const char *name, uint64_t address)
{
    groups *g = user;
    if (!strcmp(name, "particles")) g->particles = address;
    if (!strcmp(name, "world")) g->world = address;
    return true;
}

static rill_status read_group(reader *r, uint64_t address, bool particle)
{
    rill_hdf5_object group;
    r->particle = particle;
    if (!rill_hdf5_read_object(&r->in, address, &group)) return damaged(r, "its arrays are missing");
    if (rill_hdf5_read_group(&r->in, &group, read_link, r)) return RILL_OK;
    return r->status ? r->status : damaged(r, "its arrays cannot be listed");
}

/* What the frame says of its moment and what the restart goes on from are two copies of one number. Another program may
 * have rewritten either in single precision. */
static bool clock_agrees(const rill_frame_file *frame)
{
    const rill_array *time = rill_frame_file_array(frame, "clock_time");
    const rill_array *step = rill_frame_file_array(frame, "clock_step");
    if (time && time->type == RILL_F64 && time->count == 1) {
        const double other = *(const double *)time->data;
        if (!(fabs(other - frame->time) <= 1e-6 * fabs(frame->time))) return false;
    }
    return !step || step->type != RILL_U64 || step->count != 1 || *(const uint64_t *)step->data == frame->step;
}

static rill_status check_arrays(reader *r)
{
    const rill_state *state = &r->frame->state;
    if (state->count != r->capacity) return damaged(r, "some of its arrays are missing");
    for (uint32_t i = 0; i < state->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (!strcmp(state->arrays[i].name, state->arrays[k].name))
                return damaged_array(r, state->arrays[i].name, "is there twice");
    const rill_array *position = rill_frame_file_array(r->frame, "position");
    if (!position || !position->particle || position->type != RILL_F32 || position->lanes < 3)
        return damaged(r, "it has no positions");
    return clock_agrees(r->frame) ? RILL_OK : damaged(r, "its time or step contradicts its clock");
}

static rill_status read_all(reader *r, uint64_t address, bool *newer)
{
    rill_hdf5_object root;
    groups found = {RILL_HDF5_NONE, RILL_HDF5_NONE};
    if (!rill_hdf5_read_object(&r->in, address, &root)) return damaged(r, "it does not begin as a frame does");
    rill_status status = read_version(r, &root, newer);
    if (!status) status = read_head(r, &root);
    if (status) return status;
    r->frame->state.arrays = rill_calloc(r->capacity + 1u, sizeof(rill_array));
    if (!r->frame->state.arrays) return no_memory(r);
    if (!rill_hdf5_read_group(&r->in, &root, find_group, &found)) return damaged(r, "its arrays are missing");
    status = read_group(r, found.particles, true);
    if (!status) status = read_group(r, found.world, false);
    return status ? status : check_arrays(r);
}

/* Whole to the last byte as we wrote it, or written by another program since: then the checks on the way must do. */
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

/* HDF5 with another superblock than ours, which is 1, and whole by its own account: 2 and 3 are format 1 of rill or
 * what another program wrote, 0 is what HDF5's library writes where it is not asked for anything else. */
static bool form_is_other(const uint8_t *bytes, size_t size)
{
    uint64_t end;
    if (size < 48 || bytes[8] > 3 || bytes[8] == 1) return false;
    memcpy(&end, bytes + (bytes[8] == 0 ? 40 : 28), sizeof end);
    return end == size || end == size - sizeof(rill_image_seal);
}

rill_status rill_image_decode(const void *bytes, size_t size, const char *label, rill_frame_file *frame, bool *newer,
                              rill_error *err)
{
    *frame = (rill_frame_file){0};
    if (newer) *newer = false;
    reader r = {.label = label, .frame = frame, .err = err, .budget = (uint64_t)size * SHRINK_MAX + SMALL_FILE};
    if (size == 0) return rill_fail(err, RILL_BAD_FILE, "%s is empty; use another frame or make it again.", label);
    if (size < 8 || memcmp(bytes, RILL_HDF5_SIGNATURE, 8) != 0)
        return rill_fail(err, RILL_BAD_FILE, "%s is not a frame: it is no HDF5 file.", label);
    if (!seal_holds(bytes, size)) return damaged(&r, "it was cut short or changed");
    const uint64_t root = rill_hdf5_open(&r.in, bytes, size);
    if (root == RILL_HDF5_NONE) {
        const bool other = form_is_other(bytes, size);
        if (newer) *newer = other;
        if (!other) return damaged(&r, "it does not begin as a frame does");
        return rill_fail(err, RILL_BAD_FILE,
                         "%s is HDF5, but not in the form that this rill writes; use the rill that wrote it.", label);
    }
    rill_status status = read_all(&r, root, newer);
    if (status) rill_frame_file_free(frame);
    return status;
}
