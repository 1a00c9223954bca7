/* Copies in memory of all that changes in a world. */
#include <string.h>

#include "world/world.h"

struct rill_snapshot {
    uint64_t scene_hash; /* of its world */
    rill_state state; /* its arrays own what they point to */
};

void rill_snapshot_free(rill_snapshot *snapshot)
{
    if (!snapshot) return;
    for (uint32_t i = 0; i < snapshot->state.count; i++) rill_free(snapshot->state.arrays[i].data);
    rill_state_free(&snapshot->state);
    rill_free(snapshot);
}

/* Records lie side by side in the copy, but for those of particles, which are copied as they lie. */
static void *copy_of(const rill_array *a)
{
    const size_t size = rill_array_element(a->type), record = a->stride * size;
    const size_t kept = a->particle ? record : a->lanes * size;
    char *to = rill_malloc(a->count * kept + 1);
    if (to && a->particle && a->count) memcpy(to, a->data, a->count * record);
    for (uint64_t i = 0; to && !a->particle && i < a->count; i++)
        memcpy(to + i * kept, (const char *)a->data + i * record, kept);
    return to;
}

rill_snapshot *rill_snapshot_take(const rill_world *world, rill_error *err)
{
    rill_snapshot *s = rill_calloc(1, sizeof *s);
    rill_status status = s ? RILL_OK : rill_memory_fail(err, sizeof *s, "a snapshot");
    if (!status) status = rill_world_views(world, true, &s->state, err);
    if (s) s->scene_hash = world->scene_hash;
    for (uint32_t i = 0; s && i < s->state.count; i++) {
        rill_array *a = &s->state.arrays[i];
        a->data = status ? NULL : copy_of(a);
        if (!a->particle) a->stride = a->lanes;
        if (!status && !a->data) status = rill_memory_fail(err, a->count * a->stride * 8, "a snapshot");
    }
    if (!status) return s;
    rill_snapshot_free(s);
    return NULL;
}

const rill_state *rill_snapshot_state(const rill_snapshot *snapshot)
{
    return &snapshot->state;
}

rill_status rill_snapshot_apply(rill_world *world, const rill_snapshot *snapshot, rill_error *err)
{
    return rill_world_restore(world, &snapshot->state, &snapshot->scene_hash, err);
}
