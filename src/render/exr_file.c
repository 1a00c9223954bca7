/* OpenEXR through its C interface, OpenEXRCore. */
#include "render/exr_file.h"

#include <errno.h>
#include <math.h>
#include <openexr.h>
#include <string.h>

#include "base/store.h"
#include "render/picture.h"

static const float half_max = 65504;

/* The library mistakes some failed allocations for damage, and hands its allocator no context to tell of them. */
static _Thread_local bool memory_failed;

static void *memory_take(size_t size)
{
    void *block = rill_malloc(size);
    if (!block) memory_failed = true;
    return block;
}

/* The library would print; what it has to say is told by the status it returns. */
static void trouble_drop(exr_const_context_t context, exr_result_t code, const char *text)
{
    (void)context;
    (void)code;
    (void)text;
}

/* ---- writing ---- */

static int64_t bytes_put(exr_const_context_t context, void *user, const void *data, uint64_t size, uint64_t offset,
                         exr_stream_error_func_ptr_t fail)
{
    rill_store *store = user;
    (void)fail;
    if (!store->trouble && fseeko(store->file, (off_t)offset, SEEK_SET)) store->trouble = errno;
    rill_store_write(store, data, size);
    (void)context;
    return store->trouble ? -1 : (int64_t)size;
}

static exr_result_t header_write(exr_context_t exr, const rill_picture *picture)
{
    static const char *const names[] = {"R", "G", "B"};
    int part;
    exr_result_t trouble = exr_add_part(exr, NULL, EXR_STORAGE_SCANLINE, &part);
    if (!trouble)
        trouble = exr_initialize_required_attr_simple(exr, part, (int32_t)picture->width, (int32_t)picture->height,
                                                      EXR_COMPRESSION_ZIP);
    for (int k = 0; k < 3 && !trouble; k++)
        trouble = exr_add_channel(exr, part, names[k], EXR_PIXEL_HALF, EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    return trouble ? trouble : exr_write_header(exr);
}

/* Which of red, green and blue a channel is; -1: none. Y stands for all three. */
static int channel_place(const char *name)
{
    const char *place = name[0] && !name[1] ? strchr("RGB", name[0]) : NULL;
    return place ? (int)(place - "RGB") : -1;
}

static void lines_take(const rill_picture *picture, uint32_t first, uint32_t count, float *lines)
{
    const float *from = picture->rgb + (size_t)first * picture->width * 3;
    for (size_t i = 0; i < (size_t)count * picture->width * 3; i++)
        lines[i] = isnan(from[i]) ? 0 : fminf(fmaxf(from[i], -half_max), half_max);
}

/* A chunk that has as many bytes as its pixels is read as plain pixels, so that is what it must hold; the library would
 * leave it compressed. */
static exr_result_t chunk_settle(exr_encode_pipeline_t *encoder)
{
    if (encoder->compressed_bytes == encoder->packed_bytes && encoder->compressed_buffer != encoder->packed_buffer)
        memcpy(encoder->compressed_buffer, encoder->packed_buffer, encoder->packed_bytes);
    return EXR_ERR_SUCCESS;
}

static exr_result_t chunk_write(exr_context_t exr, exr_encode_pipeline_t *encoder, bool first, int y,
                                const rill_picture *picture, float *lines)
{
    exr_chunk_info_t chunk;
    exr_result_t trouble = exr_write_scanline_chunk_info(exr, 0, y, &chunk);
    if (trouble) return trouble;
    lines_take(picture, (uint32_t)y, (uint32_t)chunk.height, lines);
    trouble = first ? exr_encoding_initialize(exr, 0, &chunk, encoder) : exr_encoding_update(exr, 0, &chunk, encoder);
    for (int c = 0; c < encoder->channel_count && !trouble; c++) {
        exr_coding_channel_info_t *channel = &encoder->channels[c];
        channel->user_bytes_per_element = sizeof(float);
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_pixel_stride = 3 * sizeof(float);
        channel->user_line_stride = (int32_t)(picture->width * 3 * sizeof(float));
        channel->encode_from_ptr = (const uint8_t *)(lines + channel_place(channel->channel_name));
    }
    if (!trouble && first) trouble = exr_encoding_choose_default_routines(exr, 0, encoder);
    encoder->yield_until_ready_fn = chunk_settle;
    return trouble ? trouble : exr_encoding_run(exr, 0, encoder);
}

static exr_result_t body_write(exr_context_t exr, const rill_picture *picture)
{
    int32_t step = 0;
    exr_encode_pipeline_t encoder = EXR_ENCODE_PIPELINE_INITIALIZER;
    exr_result_t trouble = exr_get_scanlines_per_chunk(exr, 0, &step);
    float *lines = trouble ? NULL : rill_malloc((size_t)step * picture->width * 3 * sizeof *lines);
    if (!trouble && !lines) trouble = EXR_ERR_OUT_OF_MEMORY;
    for (uint32_t y = 0; y < picture->height && !trouble; y += (uint32_t)step)
        trouble = chunk_write(exr, &encoder, y == 0, (int)y, picture, lines);
    exr_encoding_destroy(exr, &encoder);
    rill_free(lines);
    return trouble;
}

rill_status rill_picture_write_exr(const rill_picture *picture, const char *path, rill_error *err)
{
    rill_store store;
    rill_status status = rill_store_open(&store, path, err);
    if (status) return status;
    exr_context_initializer_t setup = EXR_DEFAULT_CONTEXT_INITIALIZER;
    setup.error_handler_fn = trouble_drop;
    setup.alloc_fn = memory_take;
    setup.free_fn = rill_free;
    memory_failed = false;
    setup.write_fn = bytes_put;
    setup.user_data = &store;
    exr_context_t exr = NULL;
    exr_result_t trouble = exr_start_write(&exr, path, EXR_WRITE_FILE_DIRECTLY, &setup);
    if (!trouble) trouble = header_write(exr, picture);
    if (!trouble) trouble = body_write(exr, picture);
    /* The place of every chunk is written last. */
    exr_result_t end = exr ? exr_finish(&exr) : EXR_ERR_SUCCESS;
    if (!trouble) trouble = end;
    if (trouble && !store.trouble) {
        rill_store_discard(&store);
        if (trouble == EXR_ERR_OUT_OF_MEMORY || memory_failed) return rill_store_fail(err, path, ENOMEM);
        return rill_fail(err, RILL_IO_FAILED, "%s cannot be written: OpenEXR says '%s'.", path,
                         exr_get_default_error_message(trouble));
    }
    return rill_store_commit(&store, err);
}

/* ---- reading ---- */

typedef struct reading {
    exr_context_t exr;
    exr_attr_box2i_t window;
    bool grey; /* Y alone */
    rill_picture *picture;
} reading;

static rill_status read_fail(const char *path, exr_result_t trouble, rill_error *err)
{
    if (trouble == EXR_ERR_OUT_OF_MEMORY || memory_failed)
        return rill_fail(err, RILL_NO_MEMORY, "There is not enough memory to read %s.", path);
    return rill_fail(err, RILL_BAD_FILE, "%s is damaged or no OpenEXR picture: %s.", path,
                     exr_get_default_error_message(trouble));
}

static rill_status header_read(reading *r, const char *path, rill_error *err)
{
    const exr_attr_chlist_t *channels;
    unsigned found = 0;
    exr_result_t trouble = exr_get_data_window(r->exr, 0, &r->window);
    if (!trouble) trouble = exr_get_channels(r->exr, 0, &channels);
    if (trouble) return read_fail(path, trouble, err);
    for (int c = 0; c < channels->num_channels; c++) {
        const exr_attr_chlist_entry_t *channel = &channels->entries[c];
        const int place = channel_place(channel->name.str);
        const bool whole = channel->x_sampling == 1 && channel->y_sampling == 1;
        if (whole && place >= 0) found |= 1u << place;
        if (whole && !strcmp(channel->name.str, "Y")) r->grey = true;
    }
    if (found == 7) r->grey = false;
    else if (!r->grey) return rill_fail(err, RILL_BAD_FILE, "%s has no channels R, G and B, nor Y.", path);
    const int64_t width = (int64_t)r->window.max.x - r->window.min.x + 1;
    const int64_t height = (int64_t)r->window.max.y - r->window.min.y + 1;
    rill_status status =
        rill_picture_check(width > 0 ? (uint64_t)width : 0, height > 0 ? (uint64_t)height : 0, path, err);
    if (status) return status;
    if (rill_picture_create(r->picture, (uint32_t)width, (uint32_t)height)) return RILL_OK;
    return read_fail(path, EXR_ERR_OUT_OF_MEMORY, err);
}

static float half_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float value = exponent == 31 ? (fraction ? NAN : INFINITY) : ldexpf((float)(exponent ? 1024 + fraction : fraction),
                                                                        (exponent ? exponent : 1) - 25);
    return bits >> 15 ? -value : value;
}

/* One line of a channel into every third float. */
static void line_put(const exr_coding_channel_info_t *channel, const uint8_t *from, float *to)
{
    for (int32_t i = 0; i < channel->width; i++, from += channel->bytes_per_element) {
        uint16_t half;
        uint32_t whole;
        if (channel->data_type == EXR_PIXEL_HALF) memcpy(&half, from, sizeof half), to[3 * i] = half_value(half);
        else if (channel->data_type == EXR_PIXEL_FLOAT) memcpy(&to[3 * i], from, sizeof *to);
        else memcpy(&whole, from, sizeof whole), to[3 * i] = (float)whole;
    }
}

/* Lines of all channels lie one after the other. The library's own ways of taking them apart write to channels that
 * were not asked for. */
static exr_result_t chunk_unpack(exr_decode_pipeline_t *decoder)
{
    const uint8_t *at = decoder->unpacked_buffer ? decoder->unpacked_buffer : decoder->packed_buffer;
    size_t left = at ? decoder->chunk.unpacked_size : 0;
    for (int32_t y = 0; y < decoder->chunk.height; y++) {
        for (int c = 0; c < decoder->channel_count; c++) {
            const exr_coding_channel_info_t *channel = &decoder->channels[c];
            if (channel->y_samples > 1 && (decoder->chunk.start_y + y) % channel->y_samples) continue;
            const size_t size = (size_t)channel->width * (size_t)channel->bytes_per_element;
            if (size > left) return EXR_ERR_CORRUPT_CHUNK;
            if (channel->decode_to_ptr && channel->width <= decoder->chunk.width)
                line_put(channel, at, (float *)(channel->decode_to_ptr + y * (ptrdiff_t)channel->user_line_stride));
            at += size;
            left -= size;
        }
    }
    return EXR_ERR_SUCCESS;
}

/* Decodes a chunk whose first pixel is (x, y) of the picture. */
static exr_result_t chunk_read(reading *r, const exr_chunk_info_t *chunk, exr_decode_pipeline_t *decoder, bool first,
                               uint32_t x, uint32_t y)
{
    if (chunk->width < 0 || (uint32_t)chunk->width > r->picture->width - x || chunk->height < 0 ||
        (uint32_t)chunk->height > r->picture->height - y)
        return EXR_ERR_CORRUPT_CHUNK;
    exr_result_t trouble = first ? exr_decoding_initialize(r->exr, 0, chunk, decoder)
                                 : exr_decoding_update(r->exr, 0, chunk, decoder);
    if (trouble) return trouble;
    float *to = r->picture->rgb + ((size_t)y * r->picture->width + x) * 3;
    for (int c = 0; c < decoder->channel_count; c++) {
        exr_coding_channel_info_t *channel = &decoder->channels[c];
        int place = channel_place(channel->channel_name);
        if (r->grey) place = strcmp(channel->channel_name, "Y") ? -1 : 0;
        channel->user_bytes_per_element = sizeof(float);
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_pixel_stride = 3 * sizeof(float);
        channel->user_line_stride = (int32_t)(r->picture->width * 3 * sizeof(float));
        channel->decode_to_ptr = place < 0 ? NULL : (uint8_t *)(to + place);
    }
    if (first) trouble = exr_decoding_choose_default_routines(r->exr, 0, decoder);
    decoder->unpack_and_convert_fn = chunk_unpack;
    return trouble ? trouble : exr_decoding_run(r->exr, 0, decoder);
}

static exr_result_t lines_read(reading *r, exr_decode_pipeline_t *decoder)
{
    exr_chunk_info_t chunk;
    int32_t step = 0;
    exr_result_t trouble = exr_get_scanlines_per_chunk(r->exr, 0, &step);
    if (!trouble && step < 1) trouble = EXR_ERR_INVALID_ATTR;
    for (uint32_t y = 0; y < r->picture->height && !trouble; y += (uint32_t)step) {
        trouble = exr_read_scanline_chunk_info(r->exr, 0, r->window.min.y + (int)y, &chunk);
        if (!trouble) trouble = chunk_read(r, &chunk, decoder, y == 0, 0, y);
    }
    return trouble;
}

static exr_result_t tiles_read(reading *r, exr_decode_pipeline_t *decoder)
{
    exr_chunk_info_t chunk;
    int32_t width = 0, height = 0;
    bool first = true;
    exr_result_t trouble = exr_get_tile_sizes(r->exr, 0, 0, 0, &width, &height);
    if (!trouble && (width < 1 || height < 1)) trouble = EXR_ERR_INVALID_ATTR;
    for (uint32_t y = 0; y < r->picture->height && !trouble; y += (uint32_t)height) {
        for (uint32_t x = 0; x < r->picture->width && !trouble; x += (uint32_t)width) {
            trouble = exr_read_tile_chunk_info(r->exr, 0, (int)(x / (uint32_t)width), (int)(y / (uint32_t)height), 0, 0,
                                               &chunk);
            if (!trouble) trouble = chunk_read(r, &chunk, decoder, first, x, y);
            first = false;
        }
    }
    return trouble;
}

static rill_status body_read(reading *r, const char *path, rill_error *err)
{
    exr_storage_t storage;
    exr_decode_pipeline_t decoder = EXR_DECODE_PIPELINE_INITIALIZER;
    exr_result_t trouble = exr_get_storage(r->exr, 0, &storage);
    if (!trouble && storage == EXR_STORAGE_SCANLINE) trouble = lines_read(r, &decoder);
    else if (!trouble && storage == EXR_STORAGE_TILED) trouble = tiles_read(r, &decoder);
    else if (!trouble) trouble = EXR_ERR_SCAN_TILE_MIXEDAPI;
    exr_decoding_destroy(r->exr, &decoder);
    if (trouble) return read_fail(path, trouble, err);
    const size_t count = (size_t)r->picture->width * r->picture->height;
    for (size_t i = 0; r->grey && i < count; i++)
        r->picture->rgb[3 * i + 1] = r->picture->rgb[3 * i + 2] = r->picture->rgb[3 * i];
    return RILL_OK;
}

typedef struct exr_bytes {
    const uint8_t *data;
    uint64_t size;
} exr_bytes;

static int64_t bytes_get(exr_const_context_t context, void *user, void *data, uint64_t size, uint64_t offset,
                         exr_stream_error_func_ptr_t fail)
{
    const exr_bytes *from = user;
    (void)context;
    (void)fail;
    if (offset >= from->size) return 0;
    if (size > from->size - offset) size = from->size - offset;
    memcpy(data, from->data + offset, size);
    return (int64_t)size;
}

static int64_t bytes_count(exr_const_context_t context, void *user)
{
    (void)context;
    return (int64_t)((const exr_bytes *)user)->size;
}

static rill_status decode_once(const void *bytes, size_t size, const char *label, rill_picture *picture,
                               rill_error *err)
{
    reading r = {.picture = picture};
    exr_bytes from = {bytes, size};
    *picture = (rill_picture){0};
    exr_context_initializer_t setup = EXR_DEFAULT_CONTEXT_INITIALIZER;
    setup.error_handler_fn = trouble_drop;
    setup.alloc_fn = memory_take;
    setup.free_fn = rill_free;
    memory_failed = false;
    setup.user_data = &from;
    setup.read_fn = bytes_get;
    setup.size_fn = bytes_count;
    exr_result_t trouble = exr_start_read(&r.exr, label, &setup);
    if (trouble) return read_fail(label, trouble, err);
    rill_status status = header_read(&r, label, err);
    if (!status) status = body_read(&r, label, err);
    exr_finish(&r.exr);
    if (status) rill_picture_free(picture);
    return status;
}

/* Where zlib finds no memory the library speaks of damage. A second look tells: what is damaged stays so. */
rill_status rill_exr_decode(const void *bytes, size_t size, const char *label, rill_picture *picture, rill_error *err)
{
    enum { ZLIB_NEEDS = 1 << 18 };
    rill_status status = decode_once(bytes, size, label, picture, err);
    if (status != RILL_BAD_FILE) return status;
    void *enough = rill_malloc(ZLIB_NEEDS);
    rill_free(enough);
    return enough ? decode_once(bytes, size, label, picture, err) : read_fail(label, EXR_ERR_OUT_OF_MEMORY, err);
}
