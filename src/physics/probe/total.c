/* Figures of all liquid. The energies are those that the step has summed anyway. */
#include "fluid/volume.h"
#include "physics/method.h"

#define TOTAL(figure, value, of_unit, phrase, sentence)                                                                \
    static void figure##_measure(const rill_probe_view *view, const rill_probe *probe, double *values)                 \
    {                                                                                                                  \
        (void)probe;                                                                                                   \
        *values = value;                                                                                               \
    }                                                                                                                  \
    static const rill_column *figure##_columns(const rill_probe *probe)                                                \
    {                                                                                                                  \
        (void)probe;                                                                                                   \
        static const rill_column columns[] = {{"", of_unit, RILL_COLUMN_NUMBER, RILL_OVER_LAST, sentence}, {0}};       \
        return columns;                                                                                                \
    }                                                                                                                  \
    extern const rill_probe_method rill_probe_##figure;                                                                \
    const rill_probe_method rill_probe_##figure = {                                                                    \
        .name = #figure, .about = phrase, .columns = figure##_columns, .measure = figure##_measure}

TOTAL(kinetic, view->kinetic, "J", "the kinetic energy of all fluid", "Kinetic energy.");
TOTAL(potential, view->potential, "J", "its potential energy", "Potential energy, zero at the scene's zero.");
TOTAL(volume, rill_sph_volume(view->sph), "m3",
      "the volume it fills, measured in space, for about half the cost of a step", "Volume of the liquid.");
