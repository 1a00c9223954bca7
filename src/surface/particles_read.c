/* Particles from files: by the ending to a reader, then from columns of numbers
 * to positions and values. */
#include "surface/particles_read.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/store.h"
#include "text/chars.h"

/* ---- what is wrong, and where ---- */

static rill_status fail_at(const rill_reader *r, const char *what, size_t number, const char *format, va_list args)
{
    char text[300];
    vsnprintf(text, sizeof text, format, args);
    return rill_fail(r->err, RILL_BAD_FILE, "%s, %s %zu: %s.", r->path, what, number, text);
}

rill_status rill_reader_fail_line(const rill_reader *r, const char *at, const char *format, ...)
{
    size_t line = 1;
    for (const char *c = r->text; c < at && (c = memchr(c, '\n', (size_t)(at - c))); c++) line++;
    va_list args;
    va_start(args, format);
    rill_status status = fail_at(r, "line", line, format, args);
    va_end(args);
    return status;
}

rill_status rill_reader_fail_byte(const rill_reader *r, const char *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    rill_status status = fail_at(r, "byte", (size_t)(at - r->text), format, args);
    va_end(args);
    return status;
}

rill_status rill_reader_no_memory(const rill_reader *r)
{
    return rill_fail(r->err, RILL_NO_MEMORY, "There is not enough memory to read %s; close other programs.", r->path);
}

/* ---- columns ---- */

rill_particle_column *rill_particle_column_add(rill_reader *r, const char *name, size_t length, int axis)
{
    if (r->column_count == RILL_COLUMNS_MAX) {
        rill_fail(r->err, RILL_BAD_FILE, "%s has more than %d columns of numbers, which is more than a particle needs.",
                  r->path, RILL_COLUMNS_MAX);
        return NULL;
    }
    rill_particle_column *c = &r->columns[r->column_count++];
    *c = (rill_particle_column){.axis = axis};
    snprintf(c->name, sizeof c->name, "%.*s", (int)(length < sizeof c->name ? length : sizeof c->name - 1), name);
    return c;
}

/* Whether the name ends in this lane (x or 0 for the first), and where what comes before ends. */
static bool lane_of(const char *name, int lane, size_t *stem)
{
    const size_t length = strlen(name);
    if (!length) return false;
    const char last = name[length - 1];
    if (last != "xyz"[lane] && last != "XYZ"[lane] && last != "012"[lane]) return false;
    *stem = length - 1;
    while (*stem && strchr("_:. ", name[*stem - 1])) --*stem;
    return true;
}

/* The name of a position in this style, as in x, Points:0, position_x, Pos.x; "" is the style of a bare x. */
static bool names_axis(const char *name, const char *style, int axis)
{
    size_t stem;
    if (!*style) return strlen(name) == 1 && (*name == "xyz"[axis] || *name == "XYZ"[axis]);
    return lane_of(name, axis, &stem) && stem == strlen(style) && !strncasecmp(name, style, stem);
}

static rill_particle_column *axis_find(rill_reader *r, const char *style, int axis)
{
    for (uint32_t i = 0; i < r->column_count; i++)
        if (names_axis(r->columns[i].name, style, axis)) return &r->columns[i];
    return NULL;
}

rill_status rill_columns_place(rill_reader *r)
{
    static const char *const styles[] = {"",    "points", "position",    "positions",
                                         "pos", "point",  "coordinates", "coords"};
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        rill_particle_column *found[3];
        bool all = true;
        for (int axis = 0; axis < 3; axis++) all = (found[axis] = axis_find(r, styles[i], axis)) && all;
        if (!all) continue;
        for (int axis = 0; axis < 3; axis++) {
            found[axis]->axis = axis;
            found[axis]->skip = false;
        }
        return RILL_OK;
    }
    char list[120] = "";
    for (uint32_t i = 0; i < r->column_count && strlen(list) < sizeof list - 20; i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%.30s", i ? ", " : "",
                 rill_chars_excerpt(r->columns[i].name).text);
    }
    return rill_fail(r->err, RILL_BAD_FILE, "%s names no columns x, y and z (or Points:0, position_x and such)%s%s.",
                     r->path, *list ? "; it has " : "", list);
}

rill_status rill_columns_reserve(rill_reader *r, size_t rows)
{
    r->rows = rows;
    for (uint32_t i = 0; i < r->column_count; i++) {
        rill_particle_column *c = &r->columns[i];
        if (c->skip) continue;
        if (c->axis >= 0) c->place = rill_calloc(rows + 1, sizeof *c->place);
        else c->value = rill_calloc(rows + 1, sizeof *c->value);
        if (!c->place && !c->value)
            return rill_reader_no_memory(r);
    }
    return RILL_OK;
}

static void columns_free(rill_reader *r)
{
    for (uint32_t i = 0; i < r->column_count; i++) {
        rill_free(r->columns[i].place);
        rill_free(r->columns[i].value);
    }
}

/* ---- from columns to particles ---- */

/* Three columns in a row that are one vector, and its name. */
static bool vector_at(const rill_reader *r, uint32_t first, char name[64])
{
    static const char *const known[][4] = {
        {"vx", "vy", "vz", "velocity"}, {"nx", "ny", "nz", "normal"}, {"red", "green", "blue", "colour"}};
    const rill_particle_column *c = &r->columns[first];
    if (first + 3 > r->column_count) return false;
    for (int k = 0; k < 3; k++)
        if (c[k].skip || c[k].axis >= 0) return false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        bool all = true;
        for (int k = 0; k < 3; k++) all = all && !strcasecmp(c[k].name, known[i][k]);
        if (all) strcpy(name, known[i][3]);
        if (all) return true;
    }
    size_t stem[3];
    for (int k = 0; k < 3; k++) {
        if (!lane_of(c[k].name, k, &stem[k]) || stem[k] != stem[0]) return false;
        if (strncmp(c[k].name, c[0].name, stem[0])) return false;
    }
    /* Without anything between, a0 a1 a2 are three numbers and no vector. */
    if (!stem[0] || stem[0] + 1 == strlen(c[0].name)) return false;
    snprintf(name, 64, "%.*s", (int)stem[0], c[0].name);
    return true;
}

static bool values_from(rill_reader *r, rill_particles *p)
{
    p->values = rill_calloc(r->column_count + 1, sizeof *p->values);
    if (!p->values) return false;
    for (uint32_t i = 0; i < r->column_count;) {
        rill_particle_column *c = &r->columns[i];
        rill_values *v = &p->values[p->value_count];
        const uint32_t lanes = vector_at(r, i, v->name) ? 3 : 1;
        i += lanes;
        if (c->skip || c->axis >= 0) continue;
        v->lanes = lanes;
        p->value_count++;
        if (lanes == 1) {
            strcpy(v->name, c->name);
            v->data = c->value;
            c->value = NULL;
            continue;
        }
        v->data = rill_malloc(3 * r->rows * sizeof *v->data + 1);
        if (!v->data) return false;
        for (size_t row = 0; row < r->rows; row++)
            for (uint32_t k = 0; k < 3; k++) v->data[3 * row + k] = c[k].value[row];
        for (uint32_t k = 0; k < 3; k++) {
            rill_free(c[k].value);
            c[k].value = NULL;
        }
    }
    return true;
}

/* Where the coordinates should count from: zero, unless they are so large beside what they span that single precision
 * would round them noticeably. */
static double origin_of(const double *place, size_t rows, double *low, double *high)
{
    *low = *high = rows ? place[0] : 0;
    for (size_t i = 0; i < rows; i++) {
        *low = place[i] < *low ? place[i] : *low;
        *high = place[i] > *high ? place[i] : *high;
    }
    return floor(*low);
}

static rill_status positions_from(rill_reader *r, rill_particles *p, double origin[3])
{
    const double *place[3] = {NULL};
    double span = 0, size = 0;
    for (uint32_t i = 0; i < r->column_count; i++)
        if (r->columns[i].axis >= 0) place[r->columns[i].axis] = r->columns[i].place;
    for (size_t i = 0; i < r->rows; i++)
        for (int k = 0; k < 3; k++)
            if (!isfinite(place[k][i]))
                return rill_fail(r->err, RILL_BAD_FILE, "%s: the position of particle %zu is not finite.", r->path,
                                 i + 1);
    for (int k = 0; k < 3; k++) {
        double low, high;
        origin[k] = origin_of(place[k], r->rows, &low, &high);
        span = fmax(span, high - low);
        size = fmax(size, fmax(fabs(low), fabs(high)));
    }
    if (size > 1e30)
        return rill_fail(r->err, RILL_BAD_FILE, "%s holds positions as far as %g m, which cannot be meant.", r->path,
                         size);
    const bool far = span > 0 && size > 64 * span;
    p->position = rill_malloc(3 * r->rows * sizeof *p->position + 1);
    if (!p->position) return rill_reader_no_memory(r);
    for (int k = 0; k < 3; k++) {
        if (!far) origin[k] = 0;
        for (size_t i = 0; i < r->rows; i++) p->position[3 * i + (size_t)k] = (float)(place[k][i] - origin[k]);
    }
    p->count = r->rows;
    return RILL_OK;
}

/* ---- files ---- */

static const struct {
    const char *ending;
    rill_status (*read)(rill_reader *r);
} formats[] = {{".ply", rill_particles_read_ply},
               {".vtp", rill_particles_read_vtp},
               {".xyz", rill_particles_read_xyz},
               {".csv", rill_particles_read_csv}};

/* By the ending of the name; NULL after saying that there is no such format. */
static rill_status (*format_find(const char *name, rill_error *err))(rill_reader *r)
{
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending && i < sizeof formats / sizeof *formats; i++)
        if (!strcasecmp(ending, formats[i].ending)) return formats[i].read;
    rill_fail(err, RILL_BAD_INPUT,
              "%s cannot be read: particles come from files that end in .ply, .vtp, .xyz or .csv.", name);
    return NULL;
}

rill_status rill_particles_decode(const char *text, size_t size, const char *name, rill_particles *particles,
                                  rill_vec3 *origin, rill_error *err)
{
    double from[3] = {0};
    *particles = (rill_particles){0};
    *origin = (rill_vec3){0, 0, 0};
    rill_status (*read)(rill_reader *r) = format_find(name, err);
    if (!read) return RILL_BAD_INPUT;
    rill_reader *r = rill_calloc(1, sizeof *r);
    if (!r) return rill_fail(err, RILL_NO_MEMORY, "There is not enough memory to read %s.", name);
    *r = (rill_reader){.path = name, .text = text, .end = text + size, .err = err};
    rill_status status = read(r);
    if (!status) status = positions_from(r, particles, from);
    if (!status && !values_from(r, particles)) status = rill_reader_no_memory(r);
    columns_free(r);
    rill_free(r);
    if (status) rill_particles_free(particles);
    else *origin = (rill_vec3){from[0], from[1], from[2]};
    return status;
}

rill_status rill_particles_read_at(const char *path, rill_particles *particles, rill_vec3 *origin, rill_error *err)
{
    char *text;
    size_t size;
    *particles = (rill_particles){0};
    *origin = (rill_vec3){0, 0, 0};
    if (!format_find(path, err)) return RILL_BAD_INPUT;
    rill_status status = rill_store_get(path, SIZE_MAX, &text, &size, err);
    if (status) return status;
    status = rill_particles_decode(text, size, path, particles, origin, err);
    rill_free(text);
    return status;
}

rill_status rill_particles_read(const char *path, rill_particles *particles, rill_error *err)
{
    rill_vec3 origin;
    rill_status status = rill_particles_read_at(path, particles, &origin, err);
    const double from[3] = {origin.x, origin.y, origin.z};
    for (size_t i = 0; !status && i < 3 * particles->count; i++)
        particles->position[i] = (float)(from[i % 3] + particles->position[i]);
    return status;
}
