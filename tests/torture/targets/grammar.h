/* Scenes by their grammar: text made from the table of parameters, mostly with
 * values that are allowed. */
#ifndef RILL_TORTURE_GRAMMAR_H
#define RILL_TORTURE_GRAMMAR_H

#include "fuzz.h"
#include "world/table.h"

static const char *const fuzz_units[RILL_ANY_DIMENSION][4] = {
    [RILL_PLAIN] = {"", "", "", " %"},
    [RILL_LENGTH] = {"", " m", " d", " cm"},
    [RILL_TIME] = {"", " s", " ms", " min"},
    [RILL_SPEED] = {"", " m/s", " km/h", " cm/s"},
    [RILL_ACCELERATION] = {"", " m/s2", " m/s^2", " cm/s\u00b2"},
    [RILL_MASS_DENSITY] = {"", " kg/m3", " g/cm3", " kg/m^3"},
    [RILL_KINEMATIC_VISCOSITY] = {"", " m2/s", " mm2/s", " m^2/s"},
    [RILL_RATE] = {"", " 1/s", " Hz", "/s"},
    [RILL_SURFACE_TENSION] = {"", " N/m", " mN/m", " N/m"},
    [RILL_ANGLE] = {"", " rad", " deg", "\u00b0"},
    [RILL_SPIN] = {"", " rad/s", " rpm", " deg/s"}};
static const char *const fuzz_sane[] = {"0", "0.1", "0.2", "0.3", "0.5", "0.6", "0.8", "1", "1.2", "2", "3", "10"};
static const char *const fuzz_names[] = {"water", "oil", "a", "b c", "x.y", "\u00e4"};

typedef struct grammar {
    fuzz_random *random;
    fuzz_bytes *out;
} grammar;

static inline void grammar_number(grammar *g, rill_dimension dimension)
{
    const bool wild = fuzz_chance(g->random, 24);
    fuzz_print(g->out, "%s%s%s", !wild && fuzz_chance(g->random, 8) ? "-" : "",
               wild ? FUZZ_PICK(g->random, fuzz_numbers) : FUZZ_PICK(g->random, fuzz_sane),
               dimension < RILL_ANY_DIMENSION && fuzz_chance(g->random, 4) ? FUZZ_PICK(g->random, fuzz_units[dimension])
                                                                          : "");
}

static inline void grammar_word(grammar *g, const rill_word *words)
{
    uint32_t count = 0;
    while (words[count].name) count++;
    fuzz_print(g->out, "%s", words[fuzz_below(g->random, count)].name);
}

static inline void grammar_list(grammar *g, const rill_param *p)
{
    const uint32_t count = p->words ? fuzz_below(g->random, 4) : 3;
    fuzz_print(g->out, "[");
    for (uint32_t i = 0; i < count; i++) {
        if (p->words) grammar_word(g, p->words);
        else grammar_number(g, p->dimension);
        fuzz_print(g->out, "%s", i + 1 < count ? ", " : "");
    }
    fuzz_print(g->out, "]");
}

static inline void grammar_method(grammar *g, rill_method_kind kind)
{
    uint32_t count = 0;
    while (rill_method_name(kind, count)) count++;
    fuzz_print(g->out, "%s", rill_method_name(kind, fuzz_below(g->random, count)));
}

/* A value that suits the parameter. */
static inline void grammar_value(grammar *g, const rill_param *p)
{
    switch (p->type) {
    case RILL_PARAM_NUMBER: grammar_number(g, p->dimension); break;
    case RILL_PARAM_INTEGER: fuzz_print(g->out, "%u", fuzz_below(g->random, 40)); break;
    case RILL_PARAM_BOOL: fuzz_print(g->out, fuzz_chance(g->random, 2) ? "true" : "false"); break;
    case RILL_PARAM_METHOD: grammar_method(g, p->method); break;
    case RILL_PARAM_COLOUR: fuzz_print(g->out, "\"#%06x\"", fuzz_below(g->random, 1 << 24)); break;
    case RILL_PARAM_CHOICE: grammar_word(g, p->words); break;
    case RILL_PARAM_FLUID:
    case RILL_PARAM_BOUNDARY:
    case RILL_PARAM_NAME:
    case RILL_PARAM_TEXT: fuzz_print(g->out, "%s", FUZZ_PICK(g->random, fuzz_names)); break;
    case RILL_PARAM_FILE: fuzz_print(g->out, "no.csv"); break;
    default: grammar_list(g, p); break;
    }
}

static inline bool grammar_wants(grammar *g, const rill_param *p, uint32_t one_in)
{
    static const char *const often[] = {"particle_diameter", "fill", "boundaries", "box", "from", "to", "kind", "at"};
    for (size_t i = 0; i < sizeof often / sizeof *often; i++)
        if (!strcmp(p->name, often[i])) return !fuzz_chance(g->random, 12);
    return p->required ? !fuzz_chance(g->random, 12) : fuzz_chance(g->random, one_in);
}

static inline void grammar_parts(grammar *g, const rill_param *table, int indent, uint32_t one_in);

static inline void grammar_items(grammar *g, const rill_items *items, int indent)
{
    for (uint32_t count = 1 + fuzz_below(g->random, 4) / 2, i = 0; i < count; i++) {
        fuzz_print(g->out, "%*s%s%s\n", indent, "", items->named ? fuzz_names[i] : "-", items->named ? ":" : "");
        grammar_parts(g, items->parts, indent + 2, 6);
    }
}

static inline void grammar_parts(grammar *g, const rill_param *table, int indent, uint32_t one_in)
{
    bool any = false;
    for (rill_param_rows r = rill_param_rows_of(table); r.row; rill_param_rows_next(&r)) {
        const rill_param *p = r.row;
        if (!grammar_wants(g, p, one_in)) continue;
        any = true;
        fuzz_print(g->out, "%*s%s:", indent, "", p->name);
        fuzz_print(g->out, p->parts || p->items ? "\n" : " ");
        if (p->items) grammar_items(g, p->items, indent + 2);
        else if (p->parts) grammar_parts(g, p->parts, indent + 2, 3);
        else grammar_value(g, p), fuzz_print(g->out, "\n");
    }
    if (!any) fuzz_print(g->out, "%*s{}\n", indent, "");
}

/* Some row of the table, with the way to it, as in "time.step.max". */
static inline const rill_param *grammar_pick(grammar *g, const rill_param *table, fuzz_bytes *path)
{
    uint32_t count = 0;
    for (rill_param_rows r = rill_param_rows_of(table); r.row; rill_param_rows_next(&r)) count++;
    rill_param_rows rows = rill_param_rows_of(table);
    for (uint32_t skip = fuzz_below(g->random, count); skip; skip--) rill_param_rows_next(&rows);
    const rill_param *p = rows.row;
    fuzz_print(path, "%s%s", path->size ? "." : "", p->name);
    if (p->items && p->items->named) fuzz_print(path, ".%s", FUZZ_PICK(g->random, fuzz_names));
    else if (p->items) fuzz_print(path, ".%u", fuzz_below(g->random, 3));
    const rill_param *below = p->items ? p->items->parts : p->parts;
    return below ? grammar_pick(g, below, path) : p;
}

#endif
