/* VTK's XML poly data: what its readers and writers share. A text says where
 * each array lies, then come the arrays as raw bytes, each behind its length
 * (UInt64). */
#ifndef RILL_FORMAT_VTP_H
#define RILL_FORMAT_VTP_H

#include "base/store.h"
#include "format/scalar.h"

const char *rill_vtp_type_name(rill_scalar type);
bool rill_vtp_type_find(const char *name, rill_scalar *type); /* false when there is none */

/* Both rounds walk the same arrays: first to say where they go, then to put them there. */
typedef struct rill_vtp_file {
    rill_store *store;
    bool raw;        /* the second round */
    uint64_t offset; /* into the raw part */
} rill_vtp_file;

rill_vtp_file rill_vtp_begin(rill_store *store);

/* Text of the first round. */
void rill_vtp_say(rill_vtp_file *file, const char *format, ...) RILL_PRINTF(2, 3);

/* An array of `count` records: its description in the first round, its length in the second; true when the data should
 * follow. `more` holds further attributes, or nothing. */
bool rill_vtp_array(rill_vtp_file *file, const char *name, rill_scalar type, uint64_t count, uint32_t lanes,
                    const char *more);

/* Ends the first round and begins the second, then ends the file. */
void rill_vtp_open_raw(rill_vtp_file *file);
void rill_vtp_end(rill_vtp_file *file);

/* Text in XML: names may hold what it gives a meaning to. */
void rill_vtp_escape(rill_store *store, const char *text);

#endif
