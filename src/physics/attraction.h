/* How particles attract each other and walls attract them: the spline of Akinci, Akinci and Teschner 2013. */
#ifndef RILL_PHYSICS_ATTRACTION_H
#define RILL_PHYSICS_ATTRACTION_H

#include "fluid/wide/wide.h"

/* C(r)/r without the spline's scale. */
RILL_INLINE vf attraction_of(const rill_sph *sph, vec d)
{
    const float h = (float)sph->support, smallest = (float)(1e-12 * sph->support * sph->support);
    const vf r = vf_sqrt(vec_dot(d, d) + smallest), q = r * (1 / h);
    const vf a = vf_max(1 - q, (vf){0}) * q, t = a * a * a;
    return vf_select(q > 0.5f, t, 2 * t - 0.015625f) / r;
}

#endif
