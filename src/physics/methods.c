/* What list.h names, as tables. */
#include <string.h>

#include "physics/method.h"
#include "rill/world.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define SOLVER(name) RILL_VARIANTS_DECLARE(const rill_solver, rill_solver_##name);
#define FORCE(name) RILL_VARIANTS_DECLARE(const rill_force, rill_force_##name);
#define PROBE(name) extern const rill_probe_method rill_probe_##name;
#include "physics/list.h"
#undef SOLVER
#undef FORCE
#undef PROBE

static const rill_solver *const solvers[][4] = {
#define SOLVER(name) RILL_VARIANTS_LIST(rill_solver_##name),
#define FORCE(name)
#define PROBE(name)
#include "physics/list.h"
#undef SOLVER
#undef FORCE
#undef PROBE
};

static const rill_force *const forces[][4] = {
#define SOLVER(name)
#define FORCE(name) RILL_VARIANTS_LIST(rill_force_##name),
#define PROBE(name)
#include "physics/list.h"
#undef SOLVER
#undef FORCE
#undef PROBE
};

static const rill_probe_method *const probes[] = {
#define SOLVER(name)
#define FORCE(name)
#define PROBE(name) &rill_probe_##name,
#include "physics/list.h"
#undef SOLVER
#undef FORCE
#undef PROBE
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

RILL_VARIANTS_DECLARE(const rill_wall_method, rill_wall_particles);
const rill_wall_method *rill_wall_method_of(rill_variant variant)
{
    static const rill_wall_method *const walls[] = RILL_VARIANTS_LIST(rill_wall_particles);
    return walls[variant];
}

const rill_probe_method *rill_probe_method_at(uint32_t index)
{
    return index < COUNT(probes) ? probes[index] : NULL;
}

const char *rill_probe_kind(uint32_t index)
{
    return index < COUNT(probes) ? probes[index]->name : NULL;
}

const rill_probe_method *rill_probe_method_find(const char *name)
{
    for (size_t i = 0; i < COUNT(probes); i++)
        if (strcmp(probes[i]->name, name) == 0) return probes[i];
    return NULL;
}

bool rill_method_at(uint32_t index, rill_method *method)
{
    if (index < COUNT(solvers)) {
        *method = (rill_method){RILL_METHOD_SOLVER, solvers[index][0]->name, NULL, solvers[index][0]->params};
        return true;
    }
    index -= COUNT(solvers);
    if (index < COUNT(forces)) {
        *method = (rill_method){RILL_METHOD_FORCE, forces[index][0]->name, NULL, forces[index][0]->params};
        return true;
    }
    index -= COUNT(forces);
    if (index >= COUNT(probes)) return false;
    *method = (rill_method){RILL_METHOD_PROBE, probes[index]->name, probes[index]->about, probes[index]->params};
    return true;
}
