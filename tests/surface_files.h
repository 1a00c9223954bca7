/* What the tests of surfaces' files share. */
#ifndef RILL_TESTS_SURFACE_FILES_H
#define RILL_TESTS_SURFACE_FILES_H

#include "test_frame.h"

#include "rill/surface.h"
#include "surface/particles_read.h"

static inline const rill_values *value_of(const rill_particles *p, const char *name)
{
    for (uint32_t i = 0; i < p->value_count; i++)
        if (!strcmp(p->values[i].name, name)) return &p->values[i];
    fail_msg("no value %s", name);
    return NULL;
}

static inline void read_good(const char *path, rill_particles *p)
{
    rill_error err;
    if (rill_particles_read(path, p, &err)) fail_msg("%s", err.text);
}

#endif
