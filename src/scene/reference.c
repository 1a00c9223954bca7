/* docs/scene.md: an introduction, then the table of parameters as tables. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "rill/scene_text.h"
#include "scene/suggest.h"
#include "scene/write.h"
#include "text/locale.h"
#include "world/table.h"

static const char introduction[] =
    "# Scenes\n"
    "\n"
    "A scene is a YAML file that says what to simulate: fluids, where they are at the start, what holds them, how\n"
    "long to run and what to measure. `rill run NAME` takes a built-in scene by its name (`rill scenes` lists them),\n"
    "`rill run path/to/scene.yaml` one of your own. Every key has a default unless it is marked as required, keys\n"
    "come in any order, and a mistake is answered with file, line, column and what to do about it. A scene file has\n"
    "at most 4 MB.\n"
    "\n"
    "This page is generated from the table that reads the scenes (`rill_scene_reference`).\n"
    "\n"
    "## An example\n"
    "\n"
    "```yaml\n";

static const char example[] =
    "name: channel\n"
    "about: A column of water collapses onto a ball in a tank with a wave maker.\n"
    "particle_diameter: 40 mm\n"
    "gravity: [0, 0, -9.81]\n"
    "time: {end: 2 s, frames_per_second: 30, step: {max: 5 ms, cfl: 0.4}}\n"
    "solver: {kind: wcsph, equation: tait, sound_speed: 50 m/s}\n"
    "fluids:\n"
    "  water: {density: 998 kg/m3, viscosity: {kind: laplacian, value: 0.01 m2/s}, colour: \"#3a7bd5\"}\n"
    "  dyed: {density: 998 kg/m3, viscosity: {kind: laplacian, value: 0.01 m2/s}, colour: \"#d5573a\"}\n"
    "fill:\n"
    "  - {fluid: water, box: {from: [0, 0, 0], to: [60 cm, 1, 1]}}\n"
    "  - {fluid: dyed, sphere: {center: [2, 0.5, 1.2], radius: 4 d}, velocity: [0, 0, -1]}\n"
    "boundaries:\n"
    "  tank:\n"
    "    box: {from: [0, 0, 0], size: [3, 1, 2]}\n"
    "    open: [+z]\n"
    "    motion: {amplitude: [5 cm, 0, 0], period: 1.5 s, start: 1 s, sides: [+x]}\n"
    "  ball: {sphere: {center: [1.6, 0.5, 0.2], radius: 0.15}, slip: 0}\n"
    "probes:\n"
    "  front: {kind: front, axis: x}\n"
    "  level: {kind: height, at: [0.3, 0.5, 0]}\n"
    "  wall_pressure: {kind: point, at: [2.98, 0.5, 0.1], of: pressure}\n"
    "output: {frames: true, fields: [velocity, density]}\n";

static const char notes[] =
    "```\n"
    "\n"
    "## Units\n"
    "\n"
    "Everything is in SI units, right-handed, with z up. A number may carry its unit, with or without a blank:\n"
    "`27 mm`, `5 ms`, `998 kg/m3`, `1e-6 m2/s`, `30 km/h`, `0.01 %`. Powers are written `m2`, `m^2` or `m²`, products\n"
    "`Pa*s` or `Pa s`, quotients `kg/(m s)`. A unit of the wrong kind is refused. Known are\n"
    "\n"
    "- lengths: m, km, dm, cm, mm, um, µm, nm; volumes: l, ml\n"
    "- times: s, ms, us, µs, min, h; rates: Hz, kHz, fps\n"
    "- masses: kg, g, mg, t; forces, energies, pressures: N, mN, J, Pa, kPa, mPa, MPa, bar; viscosities:\n"
    "  St, cSt, P, cP\n"
    "- angles: rad, deg, °; angular speeds: rad/s, rpm; shares: %\n"
    "- `d`, the particle diameter, for every length but the diameter itself: `radius: 4 d` follows the resolution.\n"
    "\n"
    "No length, speed, acceleration or density may be larger than 1e9 in these units, and no time larger than 1e12.\n"
    "`colour` and `center` may be spelt `color` and `centre`.\n"
    "\n"
    "`true` and `false` are the only words for yes and no.\n"
    "\n"
    "Where the meaning of a key begins with the names of solvers, only those read it. A scene may give it all the\n"
    "same, since `--solver` and `rill compare` run a scene with others; `rill info` and `rill run` name the keys that\n"
    "are not used.\n"
    "\n"
    "Numbers marked as *live* can change while a world runs: a program that holds one sets them with\n"
    "`rill_world_change(world, key, value, err)`.\n"
    "\n"
    "## Shapes\n"
    "\n"
    "A shape is one of\n"
    "\n"
    "- `box: {from: [x, y, z], to: [x, y, z]}` or, with the lengths of its edges,\n"
    "  `box: {from: [x, y, z], size: [x, y, z]}`\n"
    "- `sphere: {center: [x, y, z], radius: r}`\n"
    "- `cylinder: {from: [x, y, z], to: [x, y, z], radius: r}`, with flat ends\n"
    "- `capsule: {from: [x, y, z], to: [x, y, z], radius: r}`, all within a radius of the line\n"
    "- `plane: {point: [x, y, z], normal: [x, y, z]}`, a boundary without an end\n"
    "\n"
    "`rotate: {axis: [x, y, z], angle: 20 deg, about: [x, y, z]}` beside a shape turns it about that point or,\n"
    "without `about`, about its centre. A fill that is turned turns its lattice, so that a rotated tank can be full\n"
    "and at rest.\n"
    "\n"
    "As a boundary, a box is a container unless it says `solid: true`, and any other shape is an obstacle unless it\n"
    "says `solid: false`; a plane has the fluid on the side that its normal points to. The shape of a boundary is the\n"
    "surface that the fluid touches; the particles that make the wall lie half a diameter behind it. Those of a plane\n"
    "reach as far as containers do or, where there are none, as far beyond all fills and obstacles as these are long;\n"
    "particles are held by it everywhere.\n"
    "\n"
    "`fill: [{inside: tank, level: 0.4 m}]` fills a container of any shape.\n"
    "\n"
    "## Motions\n"
    "\n"
    "`motion` beside the shape of a boundary moves and turns it. What is given adds up ([bodies](methods/bodies.md)):\n"
    "\n"
    "- `velocity: [1, 0, 0]` and `spin: {axis: [0, 0, 1], speed: 60 rpm}`, steadily\n"
    "- `amplitude: [5 cm, 0, 0]` and `swing: {axis: [0, 1, 0], angle: 10 deg}` with `period: 2 s`, a sine; more of\n"
    "  them, with periods of their own, in `sines`\n"
    "- `keyframes: [{time: 0}, {time: 1 s, move: [0, 0, 0.2], turn: [0, 90 deg, 0]}]`, or the same as rows of a CSV\n"
    "  file, `keyframes_file: gate.csv`, under the header `time, move.z, turn.y`\n"
    "\n"
    "A turn is the axis times the angle, or a map of both. It is about the centre of the shape or the point `about`.\n"
    "`start`, `stop` and `ramp` say when and how gently it begins and ends.\n"
    "\n"
    "## Settings\n"
    "\n"
    "`--set key=value` replaces a value of the scene, with the same checks. The key is the path to it, with dots:\n"
    "\n"
    "```sh\n"
    "rill run dam_break --set time.end='3 s' --set boundaries.tank.slip=0\n"
    "rill run dam_break --set fluids.water.viscosity.value=0.05 --set 'fill.0.box.to=[1, 1, 2]'\n"
    "rill run dam_break --set 'probes.level={kind: height, at: [0.5, 0.5, 0]}'\n"
    "```\n"
    "\n"
    "Entries of `fill` are counted from 0. A setting may replace a whole map, or add a fluid, a fill, a boundary or a\n"
    "probe by giving all of it. Of two settings for one key the later one holds.\n"
    "\n"
    "Names may hold any text but control characters and `/ \\ , ; \"`.\n";

static void write_type(FILE *out, const rill_param *p)
{
    static const char *const types[] = {
        [RILL_PARAM_NUMBER] = "number",      [RILL_PARAM_VECTOR] = "[x, y, z]", [RILL_PARAM_SIZE] = "[x, y, z]",
        [RILL_PARAM_INTEGER] = "whole number", [RILL_PARAM_BOOL] = "true or false",
        [RILL_PARAM_NAME] = "name",          [RILL_PARAM_TEXT] = "text",        [RILL_PARAM_METHOD] = "one of",
        [RILL_PARAM_COLOUR] = "colour",      [RILL_PARAM_CHOICE] = "one of",    [RILL_PARAM_FLAGS] = "list of",
        [RILL_PARAM_SIDES] = "list of",      [RILL_PARAM_FLUID] = "name of a fluid",
        [RILL_PARAM_LIST] = "list",          [RILL_PARAM_FILE] = "path",
        [RILL_PARAM_BOUNDARY] = "name of a boundary",
    };
    fputs(types[p->type], out);
    if (p->turn) fputs(p->dimension == RILL_SPIN ? " or {axis, speed}" : " or {axis, angle}", out);
    const char *separator = " ";
    for (const rill_word *w = p->words; w && w->name; w++) {
        fprintf(out, "%s`%s`", separator, w->name);
        separator = ", ";
    }
    if (p->type != RILL_PARAM_METHOD) return;
    for (uint32_t i = 0; rill_method_name(p->method, i); i++)
        fprintf(out, "%s`%s`", i ? ", " : " ", rill_method_name(p->method, i));
}

static void write_range(FILE *out, const rill_range *range)
{
    if (range->low == range->high) return;
    if (range->high >= 1e300) fprintf(out, "%s %g", range->above ? "above" : "at least", range->low);
    else fprintf(out, "%g to %g", range->low, range->high);
}

/* Unit and range of a value that depends on another one: a phrase for each word of that. */
static void write_variants(FILE *out, const rill_param *p, bool units)
{
    const char *separator = "";
    for (const rill_word *w = p->by->words; w->name; w++) {
        const rill_reading *v = &p->variants[w->value];
        if (v->dimension == RILL_ANY_DIMENSION || (units && !*rill_unit_symbol(v->dimension))) continue;
        fprintf(out, "%s`%s`: ", separator, w->name);
        if (units) fputs(rill_unit_symbol(v->dimension), out);
        else write_range(out, &v->range);
        separator = "; ";
    }
}

static void write_plain_default(FILE *out, const rill_param *p, const void *base)
{
    fputc('`', out);
    rill_write_value(out, p, base, NULL);
    fputc('`', out);
}

/* What a value that depends on another one is where it is left out, for each word of that. */
static void write_variant_defaults(FILE *out, const rill_param *p, const void *base)
{
    const char *separator = "";
    for (const rill_word *w = p->by->words; w->name; w++) {
        const rill_reading *v = &p->variants[w->value];
        if (v->dimension == RILL_ANY_DIMENSION) continue;
        fprintf(out, "%s`%s`: ", separator, w->name);
        separator = "; ";
        const bool def = !v->fixed && (size_t)rill_param_get_int(base, p->by->offset) == w->value;
        const char *unit = rill_unit_symbol(v->dimension);
        if (p->type == RILL_PARAM_BOOL) fputs(v->fallback != 0 ? "true" : "false", out);
        else if (v->fixed) fprintf(out, "`%g%s%s`", v->fallback, *unit ? " " : "", unit);
        else if (def) write_plain_default(out, p, base);
        else fputs("required", out);
    }
}

static void write_default(FILE *out, const rill_param *p, const void *base)
{
    if (p->required && p->chooses) fputs("required, or another shape", out);
    else if (p->required && p->instead) fprintf(out, "required, or `%s`", *p->instead);
    else if (p->chooses || p->items || p->type == RILL_PARAM_FILE) fputs("none", out);
    else if (p->required) fputs("required", out);
    else if (p->variants) write_variant_defaults(out, p, base);
    else if (p->type == RILL_PARAM_FLUID) fputs("the first", out);
    else if (p->type == RILL_PARAM_NAME) fputs("the file's name", out);
    else write_plain_default(out, p, base);
}

/* The solvers or kinds of probes that read it, where others do not. */
static void write_readers(FILE *out, const rill_param *p)
{
    if (p->in != RILL_IN_SOLVER && p->in != RILL_IN_ITERATIONS && p->in != RILL_IN_PROBE) return;
    const rill_method_kind kind = p->in == RILL_IN_PROBE ? RILL_METHOD_PROBE : RILL_METHOD_SOLVER;
    const char *separator = "", *name;
    for (uint32_t i = 0; (name = rill_method_name(kind, i)); i++) {
        if (!rill_param_read_by(p, kind, name)) continue;
        fprintf(out, "%s`%s`", separator, name);
        separator = ", ";
    }
    fputs(": ", out);
}

/* What each method is, where they say so. */
static void write_methods(FILE *out, const rill_param *p)
{
    const char *separator = " ";
    for (uint32_t i = 0; rill_method_name(p->method, i); i++) {
        const char *about = rill_method_about(p->method, i);
        if (!*about) continue;
        fprintf(out, "%s`%s`: %s", separator, rill_method_name(p->method, i), about);
        separator = "; ";
    }
    if (*separator == ';') fputc('.', out);
}

/* The tolerance that each solver has of its own. */
static void write_tolerances(FILE *out, const rill_param *p)
{
    const char *separator = " That is ";
    const char *name;
    for (uint32_t i = 0; (name = rill_method_name(RILL_METHOD_SOLVER, i)); i++) {
        rill_scene scene = rill_scene_default();
        snprintf(scene.solver.kind, sizeof scene.solver.kind, "%s", name);
        if (!rill_param_read_by(p, RILL_METHOD_SOLVER, name)) continue;
        fprintf(out, "%s%g%% for %s", separator, 100 * rill_scene_density_error(&scene), name);
        separator = ", ";
    }
    fputc('.', out);
}

static void write_row(FILE *out, const char *path, const rill_param *p, const void *base)
{
    const bool variants = p->variants && p->type == RILL_PARAM_NUMBER;
    fprintf(out, "| `%s` | ", path);
    write_type(out, p);
    fputs(" | ", out);
    if (variants) write_variants(out, p, true);
    else fputs(rill_unit_symbol(p->dimension), out);
    fputs(" | ", out);
    if (variants) write_variants(out, p, false);
    else write_range(out, &p->range);
    fputs(" | ", out);
    write_default(out, p, base);
    fputs(" | ", out);
    write_readers(out, p);
    fputs(p->about, out);
    if (p->type == RILL_PARAM_METHOD) write_methods(out, p);
    if (p->in == RILL_IN_SOLVER && p->offset == offsetof(rill_scene, solver.density_error)) write_tolerances(out, p);
    if (p->live) fputs(" *Live.*", out);
    fputs(" |\n", out);
}

static void write_heading(FILE *out)
{
    fputs("\n| key | takes | unit | range | default | meaning |\n| --- | --- | --- | --- | --- | --- |\n", out);
}

static void write_item_rows(FILE *out, const char *path, const rill_items *items);

/* The rows of a table and of the groups and lists in it, under their full paths. */
static void write_rows(FILE *out, const char *path, const rill_param *table, const void *base)
{
    for (rill_param_rows r = rill_param_rows_of(table); r.row; rill_param_rows_next(&r)) {
        const rill_param *p = r.row;
        char full[200];
        snprintf(full, sizeof full, "%s%s%s", path, *path ? "." : "", p->name);
        if (p->parts) {
            fprintf(out, "| `%s` | group | | | %s | ", full, p->required ? "required, or another shape" : "");
            write_readers(out, p);
            fprintf(out, "%s |\n", p->about);
            write_rows(out, full, p->parts, base);
        } else write_row(out, full, p, base);
        if (p->items) write_item_rows(out, full, p->items);
    }
}

static void write_item_rows(FILE *out, const char *path, const rill_items *items)
{
    rill_item item;
    char below[208];
    memset(&item, 0, sizeof item);
    items->init(&item);
    snprintf(below, sizeof below, "%s.%s", path, items->named ? "NAME" : "N");
    write_rows(out, below, items->parts, &item);
}

static void write_section(FILE *out, const rill_param *p, const rill_scene *scene)
{
    fprintf(out, "\n### %s\n\n%s\n", p->name, p->about);
    write_heading(out);
    if (!p->items) {
        write_rows(out, p->name, p->parts, scene);
        return;
    }
    write_item_rows(out, p->name, p->items);
}

rill_status rill_scene_reference(FILE *out, rill_error *err)
{
    const rill_scene scene = rill_scene_default();
    rill_locale locale = rill_locale_begin();
    fputs(introduction, out);
    fputs(example, out);
    fputs(notes, out);
    fputs("\n## Keys\n\n### The scene itself\n", out);
    write_heading(out);
    for (rill_param_rows r = rill_param_rows_of(rill_scene_table()); r.row; rill_param_rows_next(&r))
        if (!r.row->parts && !r.row->items) write_row(out, r.row->name, r.row, &scene);
    for (rill_param_rows r = rill_param_rows_of(rill_scene_table()); r.row; rill_param_rows_next(&r))
        if (r.row->parts || r.row->items) write_section(out, r.row, &scene);
    rill_locale_end(&locale);
    if (fflush(out) || ferror(out))
        return rill_fail(err, RILL_IO_FAILED, "The reference of scenes could not be written: %s.", strerror(errno));
    return RILL_OK;
}
