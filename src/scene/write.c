/* Writing: the table once more, the other way round. Every value is written,
 * defaults too, so that the text means the same under later defaults. */
#include "scene/write.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "rill/scene_text.h"
#include "scene/name.h"
#include "scene/suggest.h"
#include "scene/yaml.h"
#include "text/chars.h"
#include "text/locale.h"
#include "text/number.h"
#include "text/string.h"
#include "world/table.h"

typedef struct writer {
    FILE *out;
    const rill_scene *scene;
    rill_error *err;
    bool dash;      /* the next line begins an entry of a list */
    char path[200]; /* of what is being written */
} writer;

/* ---- values ---- */

static const char *write_number(FILE *out, const rill_param *p, const void *base)
{
    double value;
    memcpy(&value, rill_param_at(p, base), sizeof value);
    if (!isfinite(value)) return "is not a finite number";
    const rill_dimension dimension = rill_param_variant(p, base).dimension;
    const char *unit = dimension == RILL_RATE ? "" : rill_unit_symbol(dimension);
    fprintf(out, "%s%s%s", rill_number_digits(value).text, *unit ? " " : "", unit);
    return NULL;
}

static const char *write_vector(FILE *out, const rill_vec3 *v)
{
    if (!isfinite(v->x) || !isfinite(v->y) || !isfinite(v->z)) return "is not finite";
    fprintf(out, "[%s, %s, %s]", rill_number_digits(v->x).text, rill_number_digits(v->y).text,
            rill_number_digits(v->z).text);
    return NULL;
}

static const char *write_text(FILE *out, const char *text, size_t size)
{
    if (!memchr(text, 0, size)) return "does not end within its room";
    if (!rill_chars_is_utf8(text)) return "is not UTF-8 text";
    rill_yaml_write(out, text);
    return NULL;
}

static const char *write_name(FILE *out, const char *name)
{
    if (!memchr(name, 0, RILL_NAME_SIZE)) return "does not end within its room";
    const char *fault = rill_name_fault(name);
    if (!fault) rill_yaml_write(out, name);
    return fault;
}

static const char *write_choice(FILE *out, const rill_param *p, const void *base)
{
    const char *word = rill_param_word(p->words, (size_t)rill_param_get_int(base, p->offset));
    if (!word) return "has a value without a name";
    fputs(word, out);
    return NULL;
}

/* Whether a word of a list is given: a bit of the sides, or a bool of its own. */
static bool is_given(const rill_param *p, const rill_word *word, uint32_t sides, const void *base)
{
    if (p->type == RILL_PARAM_SIDES) return (sides & word->value) != 0;
    return word->value == RILL_WORD_ALWAYS || *(const bool *)((const char *)base + word->value);
}

static const char *write_words(FILE *out, const rill_param *p, const void *base)
{
    uint32_t sides = 0;
    if (p->type == RILL_PARAM_SIDES) memcpy(&sides, (const char *)base + p->offset, sizeof sides);
    if (sides & ~(uint32_t)RILL_SIDE_ALL) return "has bits that are no side";
    const char *separator = "";
    fputc('[', out);
    for (const rill_word *w = p->words; w->name; w++) {
        if (!is_given(p, w, sides, base)) continue;
        fprintf(out, "%s%s", separator, w->name);
        separator = ", ";
    }
    fputc(']', out);
    return NULL;
}

static const char *write_fluid(FILE *out, uint32_t fluid, const rill_scene *scene)
{
    if (!scene || fluid >= scene->fluid_count) return "names a fluid that is not there";
    return write_name(out, scene->fluids[fluid].name);
}

static const char *write_boundary(FILE *out, uint32_t boundary, const rill_scene *scene)
{
    if (!scene || boundary >= scene->boundary_count) return "names a boundary that is not there";
    return write_name(out, scene->boundaries[boundary].name);
}

static const char *write_colour(FILE *out, uint32_t colour)
{
    if (colour > 0xffffff) return "is more than 24 bits";
    fprintf(out, "\"#%06" PRIx32 "\"", colour);
    return NULL;
}

const char *rill_write_value(FILE *out, const rill_param *p, const void *base, const rill_scene *scene)
{
    const char *at = rill_param_at(p, base);
    switch (p->type) {
    case RILL_PARAM_NUMBER: return write_number(out, p, base);
    case RILL_PARAM_VECTOR: return write_vector(out, (const rill_vec3 *)at);
    case RILL_PARAM_INTEGER: return fprintf(out, "%d", rill_param_get_int(base, p->offset)), NULL;
    case RILL_PARAM_BOOL: return fputs(*(const bool *)at ? "true" : "false", out), NULL;
    case RILL_PARAM_NAME: return write_name(out, at);
    case RILL_PARAM_TEXT: return write_text(out, at, RILL_TEXT_SIZE);
    case RILL_PARAM_METHOD: return write_text(out, at, RILL_NAME_SIZE);
    case RILL_PARAM_COLOUR: return write_colour(out, *(const uint32_t *)at);
    case RILL_PARAM_CHOICE: return write_choice(out, p, base);
    case RILL_PARAM_FLAGS:
    case RILL_PARAM_SIDES: return write_words(out, p, base);
    case RILL_PARAM_FLUID: return write_fluid(out, *(const uint32_t *)at, scene);
    case RILL_PARAM_BOUNDARY: return write_boundary(out, *(const uint32_t *)at, scene);
    default: return "is not a single value";
    }
}

/* ---- lines ---- */

static rill_status write_parts(writer *w, const rill_param *table, const void *base, int indent);

/* Blanks, and the dash in the two columns before an entry's first key. */
static void write_indent(writer *w, int indent)
{
    fprintf(w->out, "%*s%s", 2 * (w->dash ? indent - 1 : indent), "", w->dash ? "- " : "");
    w->dash = false;
}

static rill_status fail(writer *w, const char *name, const char *fault)
{
    return rill_fail(w->err, RILL_BAD_INPUT, "The scene cannot be written: %s%s%s %s.", w->path, *w->path ? "." : "",
                     name, fault);
}

bool rill_write_is_due(const rill_param *p, const void *base)
{
    if (p->type == RILL_PARAM_SIZE || p->type == RILL_PARAM_FILE || !rill_param_applies(p, base)) return false;
    return !p->chooses || rill_param_get_int(base, p->chooses->offset) == p->choice;
}

/* A group on one line: {from: [0, 0, 0], to: [1, 1, 1]}. */
static rill_status write_flow(writer *w, const rill_param *table, const void *base)
{
    const char *separator = "";
    fputc('{', w->out);
    for (rill_param_rows rows = rill_param_rows_of(table); rows.row; rill_param_rows_next(&rows)) {
        const rill_param *p = rows.row;
        if (!rill_write_is_due(p, base)) continue;
        fprintf(w->out, "%s%s: ", separator, p->name);
        const char *fault = rill_write_value(w->out, p, base, w->scene);
        if (fault) return fail(w, p->name, fault);
        separator = ", ";
    }
    fputs("}\n", w->out);
    return RILL_OK;
}

static rill_status write_item(writer *w, const rill_items *items, const void *item, int indent)
{
    w->dash = !items->named;
    if (w->dash && !items->flow) return write_parts(w, items->parts, item, indent + 1);
    write_indent(w, w->dash ? indent + 1 : indent);
    if (items->flow) return write_flow(w, items->parts, item);
    const char *fault = write_name(w->out, item);
    if (fault) return fail(w, items->noun, fault);
    fputs(":\n", w->out);
    return write_parts(w, items->parts, item, indent + 1);
}

static rill_status write_items(writer *w, const rill_items *items, const void *base, int indent)
{
    const rill_item_list list = rill_items_of(items, base);
    fputs(list.count ? "\n" : items->named ? " {}\n" : " []\n", w->out);
    rill_status status = RILL_OK;
    for (uint32_t i = 0; i < list.count && !status; i++)
        status = write_item(w, items, list.first + i * items->size, indent);
    return status;
}

static rill_status write_param(writer *w, const rill_param *p, const void *base, int indent)
{
    write_indent(w, indent);
    fprintf(w->out, "%s:", p->name);
    if (p->items) return write_items(w, p->items, base, indent + 1);
    if (!p->parts) {
        fputc(' ', w->out);
        const char *fault = rill_write_value(w->out, p, base, w->scene);
        fputc('\n', w->out);
        return fault ? fail(w, p->name, fault) : RILL_OK;
    }
    fputc(p->flow ? ' ' : '\n', w->out);
    return p->flow ? write_flow(w, p->parts, base) : write_parts(w, p->parts, base, indent + 1);
}

static rill_status write_parts(writer *w, const rill_param *table, const void *base, int indent)
{
    rill_status status = RILL_OK;
    const size_t length = strlen(w->path);
    for (rill_param_rows rows = rill_param_rows_of(table); rows.row && !status; rill_param_rows_next(&rows)) {
        const rill_param *p = rows.row;
        const rill_selector *s = p->chooses;
        if (s && !rill_param_word(s->words, (size_t)rill_param_get_int(base, s->offset)))
            return fail(w, s->key, "has a value without a name");
        if (!rill_write_is_due(p, base)) continue;
        if (p->parts || p->items) {
            rill_string_join(w->path, sizeof w->path, ".", p->name);
        }
        status = write_param(w, p, base, indent);
        w->path[length] = 0;
    }
    return status;
}

rill_status rill_scene_write(const rill_scene *scene, FILE *out, rill_error *err)
{
    writer w = {.out = out, .scene = scene, .err = err};
    rill_locale locale = rill_locale_begin();
    const rill_status status = write_parts(&w, rill_scene_table(), scene, 0);
    rill_locale_end(&locale);
    if (status) return status;
    if (fflush(out) || ferror(out))
        return rill_fail(err, RILL_IO_FAILED, "The scene could not be written: %s.", strerror(errno));
    return RILL_OK;
}

char *rill_scene_text(const rill_scene *scene, rill_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const rill_status status = out ? rill_scene_write(scene, out, err) : RILL_NO_MEMORY;
    const bool whole = rill_string_end(out, &text);
    if (!status && whole) return text;
    if (!whole) rill_fail(err, RILL_NO_MEMORY, "There is no memory left to write the scene.");
    rill_free(text);
    return NULL;
}
