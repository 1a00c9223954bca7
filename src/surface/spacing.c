/* How far particles lie apart, where nobody says. Up to 128 of them are asked. The
 * median distance to the nearest other is a first guess, a little small where
 * particles lie in disorder. Those amidst liquid, the upper fifth by how many lie
 * within 3.3 times that distance, then say how much room a particle has, twice
 * over. */
#include "surface/spacing.h"
#include "text/pi.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 128 };

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The square of the distance to the nearest particle that is not at the same place, and how many lie nearer than
 * another, of those in a box around x. */
static float nearest_square(const rill_points *points, const float *x, double reach, float within, uint32_t *count)
{
    double low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = (double)x[a] - reach;
        high[a] = (double)x[a] + reach;
    }
    float least = INFINITY;
    *count = 0;
    for (rill_rows rows = rill_points_rows(points, low, high); rill_rows_next(&rows);)
        for (uint32_t i = rows.run.begin; i < rows.run.end; i++) {
            const float *y = points->position + 4 * (size_t)i;
            const float a = x[0] - y[0], b = x[1] - y[1], c = x[2] - y[2], square = a * a + b * b + c * c;
            if (square > 0 && square < least) least = square;
            *count += square < within;
        }
    return least;
}

/* In boxes that grow until nothing beyond can be nearer. */
static float nearest_distance(const rill_points *points, const float *x, double longest)
{
    uint32_t near;
    for (double reach = points->diameter;; reach *= 2) {
        const float distance = sqrtf(nearest_square(points, x, reach, 0, &near));
        if ((double)distance < 0.999 * reach || reach > 2 * longest) return distance;
    }
}

static double estimate(const rill_points *points, const rill_particles *particles, double longest)
{
    float found[SAMPLES];
    size_t count = 0;
    const size_t n = particles->count, samples = n < SAMPLES ? n : SAMPLES;
    for (size_t s = 0; s < samples; s++) {
        const float distance = nearest_distance(points, particles->position + 3 * (n * s / samples), longest);
        if (distance < INFINITY) found[count++] = distance;
    }
    if (!count) return 0;
    qsort(found, count, sizeof *found, compare);
    double diameter = (double)found[count / 2];
    for (int round = 0; round < 2; round++) {
        const double reach = 3.3 * diameter, ball = 4.0 / 3 * RILL_PI * reach * reach * reach;
        for (size_t s = 0; s < samples; s++) {
            uint32_t near;
            nearest_square(points, particles->position + 3 * (n * s / samples), 1.001 * reach, (float)(reach * reach),
                           &near);
            found[s] = (float)near;
        }
        qsort(found, samples, sizeof *found, compare);
        const double many = (double)found[samples * 4 / 5];
        if (many > 15) diameter = cbrt(ball / many); /* fewer are spray */
    }
    return diameter;
}

rill_status rill_spacing_of(const rill_particles *particles, const rill_scheduler *scheduler, double *diameter,
                            rill_error *err)
{
    double longest = 0;
    *diameter = 0;
    for (size_t a = 0; a < 3; a++) {
        float low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < particles->count; i++) {
            const float x = particles->position[3 * i + a];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        longest = fmax(longest, (double)high - (double)low);
    }
    if (!(longest > 0)) return RILL_OK;
    /* Of a full cube this is the distance; of anything else it is more, so that cells hold some particles. */
    rill_points points;
    const double first = longest / cbrt((double)particles->count);
    const rill_status status = rill_points_of(&points, particles, first, scheduler, err);
    if (!status) *diameter = estimate(&points, particles, longest);
    rill_points_free(&points);
    return status;
}
