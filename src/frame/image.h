/* A frame as the bytes of an HDF5 file.
 *
 *   /                    format "rill frame", format_version, rill_version, time, step,
 *                        diameter, origin, count, arrays (how many follow)
 *   /particles/NAME      one record a particle, in the order of memory
 *   /world/NAME          everything else
 *
 * A dataset has the shape (records) or (records, lanes), its unit, and derived = 1
 * when a restart does without it. Chunks hold one lane each: that keeps the
 * plain shape for whoever reads it, and like numbers side by side for the
 * compressor. The same state gives the same bytes.
 *
 * Behind what HDF5 calls the end of the file follows a seal, a sum over
 * everything before it, so that damage is found. Other programs never see the
 * seal, and one that changes a frame drops it; such a frame is read without,
 * and every chunk has the checksum of its compression still. */
#ifndef RILL_FRAME_IMAGE_H
#define RILL_FRAME_IMAGE_H

#include "rill/frames.h"

#define RILL_IMAGE_FORMAT "rill frame"
enum { RILL_IMAGE_VERSION = 3, RILL_IMAGE_CHUNK = 65536, /* records a chunk at most */
       RILL_IMAGE_ARRAYS_MAX = 1000, RILL_IMAGE_LANES_MAX = 64 };

typedef struct rill_image {
    uint8_t *bytes;
    size_t size;
} rill_image;

/* The frame's state may be views with any stride. Free image->bytes. */
rill_status rill_image_encode(const rill_frame_file *frame, rill_image *image, rill_error *err);

/* label names the bytes in errors. *newer, which may be NULL, tells a frame
 * of another format, which another rill reads, from a damaged one. Free with rill_frame_file_free. */
rill_status rill_image_decode(const void *bytes, size_t size, const char *label, rill_frame_file *frame, bool *newer,
                              rill_error *err);

typedef struct rill_image_seal {
    char mark[8];
    uint64_t sum;
} rill_image_seal;
rill_image_seal rill_image_seal_make(const uint8_t *bytes, size_t size);

/* Where the HDF5 part ends by its own account; 0 when the bytes do not begin as we write them. */
uint64_t rill_image_end(const uint8_t *bytes, size_t size);

/* Bytes of one element. */
size_t rill_image_element(rill_array_type type);

/* Names stay plain: they go into paths, XML and column titles. */
bool rill_image_name_good(const char *name);

/* Records in a chunk of an array: chunks are of equal size, so that the last is not mostly padding. */
uint64_t rill_image_chunk(uint64_t count);

#endif
