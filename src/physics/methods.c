/* The list of methods: one line each. */
#include <string.h>

#include "physics/method.h"
#include "rill/world.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

RILL_VARIANTS_DECLARE(const rill_solver, rill_solver_wcsph);
RILL_VARIANTS_DECLARE(const rill_solver, rill_solver_dfsph);
RILL_VARIANTS_DECLARE(const rill_solver, rill_solver_iisph);
RILL_VARIANTS_DECLARE(const rill_solver, rill_solver_pcisph);
RILL_VARIANTS_DECLARE(const rill_solver, rill_solver_pbf);
RILL_VARIANTS_DECLARE(const rill_force, rill_force_tension_cohesion);
RILL_VARIANTS_DECLARE(const rill_force, rill_force_tension_colour);
RILL_VARIANTS_DECLARE(const rill_force, rill_force_viscosity);
RILL_VARIANTS_DECLARE(const rill_force, rill_force_viscosity_implicit);
RILL_VARIANTS_DECLARE(const rill_force, rill_force_vorticity);
RILL_VARIANTS_DECLARE(const rill_force, rill_force_air_drag);
RILL_VARIANTS_DECLARE(const rill_force, rill_force_shifting);

static const rill_solver *const solvers[][4] = {
    RILL_VARIANTS_LIST(rill_solver_dfsph),
    RILL_VARIANTS_LIST(rill_solver_iisph),
    RILL_VARIANTS_LIST(rill_solver_pcisph),
    RILL_VARIANTS_LIST(rill_solver_pbf),
    RILL_VARIANTS_LIST(rill_solver_wcsph),
};

/* The drag in air and the implicit viscosity act on what all others leave. */
static const rill_force *const forces[][4] = {
    RILL_VARIANTS_LIST(rill_force_tension_cohesion),
    RILL_VARIANTS_LIST(rill_force_tension_colour),
    RILL_VARIANTS_LIST(rill_force_vorticity),
    RILL_VARIANTS_LIST(rill_force_viscosity),
    RILL_VARIANTS_LIST(rill_force_air_drag),
    RILL_VARIANTS_LIST(rill_force_viscosity_implicit),
    RILL_VARIANTS_LIST(rill_force_shifting),
};

const rill_solver *rill_solver_find(const char *name, rill_variant variant)
{
    for (size_t i = 0; i < COUNT(solvers); i++)
        if (strcmp(solvers[i][0]->name, name) == 0) return solvers[i][variant];
    return NULL;
}

const rill_solver *rill_solver_at(uint32_t index, rill_variant variant)
{
    return index < COUNT(solvers) ? solvers[index][variant] : NULL;
}

const char *rill_solver_name(uint32_t index)
{
    return index < COUNT(solvers) ? solvers[index][0]->name : NULL;
}

const rill_force *rill_force_at(uint32_t index, rill_variant variant)
{
    return index < COUNT(forces) ? forces[index][variant] : NULL;
}
