/* The names, and what they stand for in CSS. */
#include "scene/colour.h"

#include <stddef.h>
#include <strings.h>

bool rill_colour_find(const char *name, uint32_t *colour)
{
    static const struct {
        const char *name;
        uint32_t colour;
    } colours[] = {
        {"black", 0x000000},  {"silver", 0xc0c0c0}, {"gray", 0x808080},   {"grey", 0x808080},   {"white", 0xffffff},
        {"maroon", 0x800000}, {"red", 0xff0000},    {"purple", 0x800080}, {"fuchsia", 0xff00ff}, {"magenta", 0xff00ff},
        {"green", 0x008000},  {"lime", 0x00ff00},   {"olive", 0x808000},  {"yellow", 0xffff00}, {"navy", 0x000080},
        {"blue", 0x0000ff},   {"teal", 0x008080},   {"aqua", 0x00ffff},   {"cyan", 0x00ffff},   {"orange", 0xffa500},
        {"pink", 0xffc0cb},   {"brown", 0xa52a2a},  {"gold", 0xffd700},   {"tan", 0xd2b48c},
    };
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++) {
        if (strcasecmp(colours[i].name, name)) continue;
        *colour = colours[i].colour;
        return true;
    }
    return false;
}
