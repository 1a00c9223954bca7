/* The particles around any point, one by one: for probes and for particles that come. */
#ifndef RILL_FLUID_NEAR_H
#define RILL_FLUID_NEAR_H

#include "fluid/sph.h"

/* d leads from the point to particle j, r2 is its square. Returns false to stop. */
typedef bool rill_near_each(void *user, uint32_t j, const double d[3], double r2);

/* Calls back for every particle of the liquid within `reach` of a point, as far as none has moved by more than a cell
 * since the last sort; false where it was stopped. */
bool rill_near_visit(const rill_sph *sph, const double at[3], double reach, rill_near_each *each, void *user);

#endif
