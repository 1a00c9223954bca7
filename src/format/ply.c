/* The words and lines of PLY headers. */
#include "format/ply.h"

#include <inttypes.h>

static const struct {
    const char *name, *other;
} types[RILL_SCALARS] = {{"char", "int8"}, {"uchar", "uint8"}, {"short", "int16"}, {"ushort", "uint16"},
                         {"int", "int32"}, {"uint", "uint32"}, {"int64", "long"},  {"uint64", "ulong"},
                         {"float", "float32"}, {"double", "float64"}};

const char *rill_ply_type_name(rill_scalar type)
{
    return types[type].name;
}

bool rill_ply_type_find(const char *name, rill_scalar *type)
{
    for (int i = 0; i < RILL_SCALARS; i++) {
        if (strcmp(name, types[i].name) && strcmp(name, types[i].other)) continue;
        *type = (rill_scalar)i;
        return true;
    }
    return false;
}

void rill_ply_axes(rill_store *store, rill_scalar type, const char *front)
{
    for (int k = 0; k < 3; k++) rill_store_print(store, "property %s %s%c\n", types[type].name, front, "xyz"[k]);
}

void rill_ply_property(rill_store *store, rill_scalar type, const char *name, uint32_t lanes)
{
    if (strcmp(name, "velocity") == 0 && lanes == 3) {
        rill_ply_axes(store, type, "v"); /* what readers expect */
        return;
    }
    for (uint32_t lane = 0; lane < lanes; lane++) {
        if (lanes == 1) rill_store_print(store, "property %s %s\n", types[type].name, name);
        else if (lanes <= 3) rill_store_print(store, "property %s %s_%c\n", types[type].name, name, "xyz"[lane]);
        else rill_store_print(store, "property %s %s_%" PRIu32 "\n", types[type].name, name, lane);
    }
}
