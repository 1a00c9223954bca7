/* Closed surfaces from particles. The field is positive inside the liquid; its
 * zero set comes out as triangles that share vertices, each edge in exactly two
 * of them, oriented outwards. In librill_surface, which needs zlib. Pointers must
 * not be NULL unless a comment says so; err always may be. */
#ifndef RILL_SURFACE_H
#define RILL_SURFACE_H

#include <stdbool.h>

#include "rill/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of particles or vertices, `lanes` a record. */
typedef struct rill_values {
    char name[64];
    uint32_t lanes; /* 1 or 3 */
    float *data;
} rill_values;

/* Particles of any origin. */
typedef struct rill_particles {
    size_t count;
    float *position; /* x, y, z */
    double diameter; /* m; 0: not known, to be told from how densely particles lie */
    rill_values *values;
    uint32_t value_count;
    double volume; /* of liquid in each at rest, mass / rest density, m3; 0: diameter^3 */
    uint64_t room[4]; /* for members to come; 0 */
} rill_particles;
RILL_API rill_particles rill_particles_default(void); /* none */

typedef struct rill_mesh {
    size_t vertex_count, triangle_count;
    float *position; /* x, y, z */
    float *normal;   /* outwards, of length one */
    uint32_t *triangle; /* three vertices each, counter-clockwise seen from outside */
    rill_values *values;
    uint32_t value_count;
    uint64_t room[4]; /* for members to come; 0 */
} rill_mesh;

typedef enum rill_surface_method { RILL_SURFACE_CUBES, RILL_SURFACE_TETRAHEDRA } rill_surface_method;

typedef enum rill_surface_field {
    RILL_SURFACE_ZHU_BRIDSON, /* distance to a weighted mean of the particles (Zhu and Bridson 2005) */
    RILL_SURFACE_SPHERES,     /* union of spheres; gaps between them deep inside are filled */
    RILL_SURFACE_DENSITY,     /* SPH density at half of rest */
    RILL_SURFACE_ANISOTROPIC  /* kernels stretched along sheets (Yu and Turk 2013) */
} rill_surface_field;

typedef struct rill_surface_options {
    rill_surface_method method;
    rill_surface_field field;
    double cell;              /* edge of a cell, in diameters */
    double radius;            /* radius of a particle in the field, in diameters; 0: the field's own. Anisotropic
                                 kernels have none. */
    uint32_t cull;            /* particles with fewer neighbours than this within two diameters are left out */
    uint32_t least_particles; /* connected pieces of fewer particles are left out */
    uint32_t smooth;          /* rounds of smoothing that keep volume and features */
    const char *const *values; /* names of the particles' values to carry over to vertices */
    uint32_t value_count;
    const rill_scheduler *scheduler; /* NULL: one thread. The bits do not depend on it. */
    size_t memory; /* bytes that grid and mesh may take; beyond, making fails before the machine does. 0: no limit */
    uint64_t room[8]; /* for members to come; 0 */
} rill_surface_options;
RILL_API rill_surface_options rill_surface_default(void);

/* What was done, and where the time went. */
typedef struct rill_surface_report {
    size_t particles, culled;  /* given, left out */
    size_t blocks, cells;      /* of the sparse grid */
    size_t pieces;             /* connected parts of the mesh */
    double volume, area;       /* m3, m2 */
    double seconds_cull, seconds_field, seconds_march, seconds_smooth, seconds_values;
    size_t nodes;              /* at which the field was summed; grows with the surface */
    uint64_t room[8]; /* for members to come; 0 */
} rill_surface_report;

/* The particles of a frame (rill/frames.h): where they are, how much liquid they hold, everything the frame knows of
 * them, their speed and, with the run's scene, the colour of their fluid. scene may be NULL. */
struct rill_frame_file;
struct rill_scene;
RILL_API rill_status rill_particles_of_frame(const struct rill_frame_file *frame, const struct rill_scene *scene,
                                             rill_particles *particles, rill_error *err);

/* Tells which particles are strays, of which no surface can be made: those with fewer than `neighbours` others within
 * two diameters, then those in groups of fewer than `least`. `stray` has room for all; the diameter must be known.
 * scheduler may be NULL. */
RILL_API rill_status rill_particles_strays(const rill_particles *particles, uint32_t neighbours, uint32_t least,
                                           const rill_scheduler *scheduler, bool *stray, rill_error *err);

/* The surface of the particles; report may be NULL. No particles give an empty mesh. */
RILL_API rill_status rill_surface_make(const rill_particles *particles, const rill_surface_options *options,
                                       rill_mesh *mesh, rill_surface_report *report, rill_error *err);

/* The surface of any field on a box of cells, for tests and for other fields: value(user, x, y, z) > 0 is inside. */
typedef double rill_surface_value(void *user, double x, double y, double z);
RILL_API rill_status rill_surface_of_function(rill_surface_value *value, void *user, rill_vec3 from, rill_vec3 to,
                                              double cell, rill_surface_method method, rill_mesh *mesh,
                                              rill_error *err);

RILL_API void rill_mesh_free(rill_mesh *mesh);
RILL_API void rill_particles_free(rill_particles *particles);

/* What makes a mesh fit to be cut, rendered or printed. */
typedef struct rill_mesh_check {
    size_t boundary_edges;     /* in one triangle */
    size_t crowded_edges;      /* in more than two */
    size_t twisted_edges;      /* whose two triangles disagree on the outside */
    size_t pinched_vertices;   /* whose triangles are not one fan */
    size_t degenerate;         /* triangles with a vertex twice */
    int64_t euler;             /* vertices - edges + triangles */
    size_t pieces;
    double volume, area;
    uint64_t room[8]; /* for members to come; 0 */
} rill_mesh_check;
RILL_API rill_status rill_mesh_examine(const rill_mesh *mesh, rill_mesh_check *check, rill_error *err);

/* ---- files ---- */

/* PLY for Blender, Houdini and MeshLab, OBJ for any program, VTP for ParaView. */
typedef enum rill_mesh_format { RILL_MESH_PLY, RILL_MESH_OBJ, RILL_MESH_VTP } rill_mesh_format;

/* How files of a format end, as "ply"; NULL past the last. */
RILL_API const char *rill_mesh_ending(rill_mesh_format format);
/* The format that the ending of a path names; false: it names none. */
RILL_API bool rill_mesh_format_of(const char *path, rill_mesh_format *format);

/* Three numbers from 0 to 1 of this name are a colour, which formats have a place of their own for. */
#define RILL_MESH_COLOUR "colour"

/* Writes a mesh. The second is for one whose coordinates count from `origin`: a scene far from zero needs double
 * precision in the file, while the mesh itself does with single. */
RILL_API rill_status rill_mesh_write(const rill_mesh *mesh, rill_mesh_format format, const char *path, rill_error *err);
RILL_API rill_status rill_mesh_write_at(const rill_mesh *mesh, rill_vec3 origin, rill_mesh_format format,
                                        const char *path, rill_error *err);

/* Reads a mesh that rill wrote as PLY back, but for its values; coordinates are counted from `origin`, that with
 * which it was written. Every other file is refused. */
RILL_API rill_status rill_mesh_read(const char *path, rill_vec3 origin, rill_mesh *mesh, rill_error *err);

/* Particles from PLY, VTP, XYZ or CSV, by the file's ending; all numbers beside the position become values. The second
 * is for coordinates too large for single precision: they count from *origin, which is zero for others. */
RILL_API rill_status rill_particles_read(const char *path, rill_particles *particles, rill_error *err);
RILL_API rill_status rill_particles_read_at(const char *path, rill_particles *particles, rill_vec3 *origin,
                                            rill_error *err);

/* The values of a name, or NULL. */
RILL_API rill_values *rill_particles_value(const rill_particles *particles, const char *name);

/* Adds the speed, where the particles have a velocity and not yet a speed. */
RILL_API rill_status rill_particles_add_speed(rill_particles *particles, rill_error *err);

#ifdef __cplusplus
}
#endif
#endif
