/* VTK's XML poly data, for whoever writes it: a text that says where each array
 * lies, then the arrays as raw bytes, each behind its length (UInt64). */
#ifndef RILL_FRAME_VTP_FILE_H
#define RILL_FRAME_VTP_FILE_H

#include "base/store.h"

/* Both rounds walk the same arrays: first to say where they go, then to put them there. */
typedef struct rill_vtp_file {
    rill_store *store;
    bool raw;        /* the second round */
    uint64_t offset; /* into the raw part */
} rill_vtp_file;

rill_vtp_file rill_vtp_begin(rill_store *store);

/* Text of the first round. */
void rill_vtp_say(rill_vtp_file *file, const char *format, ...) RILL_PRINTF(2, 3);

/* An array: its description in the first round, its length in the second; true when the data should follow. `more`
 * holds further attributes, or nothing. */
bool rill_vtp_array(rill_vtp_file *file, const char *name, const char *type, uint64_t bytes, uint32_t lanes,
                    const char *more);

/* Ends the first round and begins the second, then ends the file. */
void rill_vtp_open_raw(rill_vtp_file *file);
void rill_vtp_end(rill_vtp_file *file);

#endif
