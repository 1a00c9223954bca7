/* The list of methods: one line each. Solvers and forces are compiled once per variant. */

/* Solvers, in the order in which they are named to a user. */
SOLVER(dfsph)
SOLVER(iisph)
SOLVER(pcisph)
SOLVER(pbf)
SOLVER(wcsph)

/* Forces, in the order in which they act. The drag in air and the implicit viscosity act on what all others leave. */
FORCE(tension_cohesion)
FORCE(tension_colour)
FORCE(vorticity)
FORCE(viscosity)
FORCE(air_drag)
FORCE(viscosity_implicit)
FORCE(shifting)

PROBE(front)
PROBE(height)
PROBE(point)
PROBE(force)
PROBE(torque)
PROBE(kinetic)
PROBE(potential)
PROBE(volume)
