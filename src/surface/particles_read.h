/* Particles from files of other programs: what the formats share. A reader
 * names columns of numbers, says how many rows there are, and fills them in;
 * which columns are the position, and which belong together, is found here. */
#ifndef RILL_SURFACE_PARTICLES_READ_H
#define RILL_SURFACE_PARTICLES_READ_H

#include "rill/surface.h"

enum { RILL_COLUMNS_MAX = 256 };

typedef struct rill_particle_column {
    char name[64];
    bool skip;     /* text, or nothing of interest */
    int axis;      /* of the position: 0, 1, 2; else -1 */
    double *place; /* of the position, in double precision: files may lie far from zero */
    float *value;  /* of all others */
} rill_particle_column;

typedef struct rill_reader {
    const char *path;
    const char *text, *end; /* the whole file; a zero byte follows */
    rill_particle_column columns[RILL_COLUMNS_MAX];
    uint32_t column_count;
    size_t rows;
    rill_error *err;
} rill_reader;

/* One for each format. The file is in memory; trouble is one sentence. */
rill_status rill_particles_read_ply(rill_reader *r);
rill_status rill_particles_read_vtp(rill_reader *r);
rill_status rill_particles_read_xyz(rill_reader *r);
rill_status rill_particles_read_csv(rill_reader *r);

/* As rill_particles_read_at, for the bytes of a file, behind which a zero byte follows; its name tells the format. */
rill_status rill_particles_decode(const char *text, size_t size, const char *name, rill_particles *particles,
                                  rill_vec3 *origin, rill_error *err);

/* A column more; NULL after saying that there are too many. */
rill_particle_column *rill_particle_column_add(rill_reader *r, const char *name, size_t length, int axis);

/* Finds the columns x, y and z by their names, as programs write them. */
rill_status rill_columns_place(rill_reader *r);

/* Memory for all columns that are not skipped; the caller has checked that the file can hold so many rows. */
rill_status rill_columns_reserve(rill_reader *r, size_t rows);

static inline void rill_column_put(rill_particle_column *c, size_t row, double number)
{
    if (c->place) c->place[row] = number;
    else if (c->value) c->value[row] = (float)number;
}

/* Says what is wrong in the line or at the byte of the file that `at` points into. */
rill_status rill_reader_fail_line(const rill_reader *r, const char *at, const char *format, ...) RILL_PRINTF(3, 4);
rill_status rill_reader_fail_byte(const rill_reader *r, const char *at, const char *format, ...) RILL_PRINTF(3, 4);

rill_status rill_reader_no_memory(const rill_reader *r);

#endif
