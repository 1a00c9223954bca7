/* Probes: figures read off the liquid after every step. What they read is in src/physics/probe. */
#include <stdio.h>

#include "world/world.h"

const rill_column *rill_probe_column(const rill_probe *probe, uint32_t value)
{
    const rill_probe_method *method = rill_probe_method_find(probe->kind);
    const rill_column *column = method ? method->columns(probe) : NULL;
    for (; column && column->name && value; column++) value--;
    return column && column->name ? column : NULL;
}

uint32_t rill_probe_columns(const rill_probe *probe)
{
    uint32_t count = 0;
    while (rill_probe_column(probe, count)) count++;
    return count;
}

void rill_probe_column_name(const rill_probe *probe, uint32_t value, rill_probe_name *name)
{
    snprintf(name->text, sizeof name->text, "%s%s", probe->name, rill_probe_column(probe, value)->name);
}

rill_status rill_probes_create(rill_world *world, rill_error *err)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->scene.probe_count; i++) count += rill_probe_columns(&world->scene.probes[i]);
    world->probe_values = rill_calloc(count + 1, sizeof *world->probe_values);
    world->probe_names = rill_calloc(count + 1, sizeof *world->probe_names);
    if (!world->probe_values || !world->probe_names)
        return rill_fail(err, RILL_NO_MEMORY, "There is no memory for %u probe values.", count);
    world->probe_value_count = count;
    rill_probe_name *name = world->probe_names;
    for (uint32_t i = 0; i < world->scene.probe_count; i++)
        for (uint32_t v = 0; v < rill_probe_columns(&world->scene.probes[i]); v++)
            rill_probe_column_name(&world->scene.probes[i], v, name++);
    return RILL_OK;
}

const char *rill_world_probe_name(const rill_world *world, uint32_t value)
{
    return value < world->probe_value_count ? world->probe_names[value].text : NULL;
}

void rill_probes_measure(rill_world *world, const rill_move_stats *stats)
{
    rill_probe_view view = {.sph = &world->sph,
                            .kinetic = stats->kinetic,
                            .potential = stats->potential,
                            .bodies = world->bodies};
    const rill_patch *patch = world->patches;
    double *value = world->probe_values;
    for (uint32_t i = 0; i < world->scene.probe_count; i++) {
        const rill_probe *probe = &world->scene.probes[i];
        view.patch = rill_probe_has_patch(probe) ? patch++ : NULL;
        rill_probe_method_find(probe->kind)->measure(&view, probe, value);
        value += rill_probe_columns(probe);
    }
}
