/* How far the liquid has come along an axis. */
#include <math.h>

#include "physics/method.h"
#include "physics/params.h"

/* The furthest particle that is still part of the liquid, by its surface. */
static void measure(const rill_probe_view *view, const rill_probe *probe, double *values)
{
    const rill_sph *sph = view->sph;
    const float *x = rill_field_f32(&sph->liquid.fields, FIELD_POSITION);
    double furthest = -INFINITY;
    for (size_t i = 0; i < sph->liquid.fields.count; i++) {
        const double at = x[4 * i + (size_t)probe->axis];
        if (at > furthest && rill_set_owns(&sph->liquid, i) &&
            (int64_t)sph->lists.count[i] >= probe->min_neighbours) furthest = at;
    }
    *values = furthest > -INFINITY ? furthest + 0.5 * sph->diameter : NAN;
}

static const rill_column *columns(const rill_probe *probe)
{
    (void)probe;
    static const rill_column front[] = {
        {"", "m", RILL_COLUMN_NUMBER, RILL_OVER_LAST, "Place of the furthest liquid along the axis."}, {0}};
    return front;
}

static const rill_word axis_words[] = {{"x", 0}, {"y", 1}, {"z", 2}, {0}};
static const rill_param params[] = {
    {"axis", RILL_PARAM_CHOICE, .in = RILL_IN_PROBE, .offset = offsetof(rill_probe, axis), .words = axis_words,
     .about = "the axis along which the furthest fluid is sought."},
    RILL_PARAM_PROBE_MIN_NEIGHBOURS,
    {0}};

extern const rill_probe_method rill_probe_front;
const rill_probe_method rill_probe_front = {.name = "front",
                                            .about = "the furthest fluid along an axis",
                                            .params = params,
                                            .columns = columns,
                                            .measure = measure};
