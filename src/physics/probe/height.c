/* The height of the surface above a place. */
#include <math.h>

#include "physics/method.h"
#include "physics/params.h"

static void measure(const rill_probe_view *view, const rill_probe *probe, double *values)
{
    const rill_sph *sph = view->sph;
    const float *x = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    const double radius = probe->radius > 0 ? probe->radius : sph->diameter;
    double highest = -INFINITY;
    for (size_t i = 0; i < sph->liquid.fields.count; i++) {
        const double dx = rill_grid_nearest(&sph->grid, 0, x[4 * i] - probe->at.x);
        const double dy = rill_grid_nearest(&sph->grid, 1, x[4 * i + 1] - probe->at.y);
        if (dx * dx + dy * dy <= radius * radius && x[4 * i + 2] > highest &&
            (int64_t)sph->lists.count[i] >= probe->min_neighbours && rill_set_owns(&sph->liquid, i))
            highest = x[4 * i + 2];
    }
    *values = highest > -INFINITY ? highest + 0.5 * sph->diameter : 0;
}

static const rill_column *columns(const rill_probe *probe)
{
    (void)probe;
    static const rill_column height[] = {
        {"", "m", RILL_COLUMN_NUMBER, RILL_OVER_LAST, "Height of the surface; 0 where there is no liquid."}, {0}};
    return height;
}

static const rill_param params[] = {
    RILL_PARAM_PROBE_AT,
    {"radius", RILL_PARAM_NUMBER, RILL_LENGTH, RILL_BETWEEN(0, RILL_MOST_LENGTH), .in = RILL_IN_PROBE,
     .offset = offsetof(rill_probe, radius), .about = "the radius of the column looked at; 0: one particle diameter."},
    RILL_PARAM_PROBE_MIN_NEIGHBOURS,
    {0}};

extern const rill_probe_method rill_probe_height;
const rill_probe_method rill_probe_height = {.name = "height",
                                             .about = "the height of the surface above a place",
                                             .params = params,
                                             .columns = columns,
                                             .measure = measure};
