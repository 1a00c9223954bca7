/* The data of one array in a VTK XML file, in all the ways it may be kept. */
#ifndef RILL_SURFACE_VTP_DATA_H
#define RILL_SURFACE_VTP_DATA_H

#include "format/scalar.h"
#include "surface/particles_read.h"

/* How the file keeps its numbers. */
typedef struct rill_vtp_layout {
    bool big;        /* byte order */
    bool wide;       /* lengths take 8 bytes instead of 4 */
    bool compressed; /* with zlib */
} rill_vtp_layout;

typedef struct rill_vtp_source {
    const char *begin, *end; /* where the data starts, and the last it could reach */
    bool text;               /* decimal numbers */
    bool base64;
    rill_scalar type;
} rill_vtp_source;

/* Deflate shrinks at most 1032 times: a file that promises more is damaged. */
enum { RILL_VTP_SHRINK_MAX = 1100 };

/* Reads `count` numbers; give(user, i, number) gets each in turn. `name` is for errors. */
typedef void rill_vtp_give(void *user, uint64_t i, double number);
rill_status rill_vtp_data_read(const rill_reader *r, const rill_vtp_layout *layout, const rill_vtp_source *source,
                               const char *name, uint64_t count, rill_vtp_give *give, void *user);

#endif
