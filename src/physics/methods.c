/* The list of methods: one line each. */
#include <string.h>

#include "physics/method.h"
#include "rill/world.h"

/* Compiled once per width; those this build does not have are left out. */
#define DECLARE(type, name) extern const type name##_w4, name##_w8, name##_w16
#if defined(RILL_HAVE_WIDTH_16) && defined(RILL_HAVE_WIDTH_8)
#define WIDTHS(name) {&name##_w4, &name##_w8, &name##_w16}
#else
#define WIDTHS(name) {&name##_w4, NULL, NULL}
#endif
#define COUNT(array) (sizeof(array) / sizeof *(array))

DECLARE(rill_solver, rill_solver_wcsph);
DECLARE(rill_force, rill_force_viscosity);
rill_shift rill_shift_particles_w4, rill_shift_particles_w8, rill_shift_particles_w16;

static const rill_solver *const solvers[][3] = {
    WIDTHS(rill_solver_wcsph),
};

static const rill_force *const forces[][3] = {
    WIDTHS(rill_force_viscosity),
};

static unsigned slot_of(unsigned width)
{
    return width == 16 ? 2 : width == 8 ? 1 : 0;
}

const rill_solver *rill_solver_find(const char *name, unsigned width)
{
    for (size_t i = 0; i < COUNT(solvers); i++)
        if (strcmp(solvers[i][0]->name, name) == 0) return solvers[i][slot_of(width)];
    return NULL;
}

const char *rill_solver_name(uint32_t index)
{
    return index < COUNT(solvers) ? solvers[index][0]->name : NULL;
}

const rill_force *rill_force_at(uint32_t index, unsigned width)
{
    return index < COUNT(forces) ? forces[index][slot_of(width)] : NULL;
}

rill_shift *rill_shift_for(unsigned width)
{
    static rill_shift *const shifts[3] = {
        &rill_shift_particles_w4,
#if defined(RILL_HAVE_WIDTH_16) && defined(RILL_HAVE_WIDTH_8)
        &rill_shift_particles_w8,
        &rill_shift_particles_w16,
#endif
    };
    return shifts[slot_of(width)];
}
