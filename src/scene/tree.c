/* YAML events into a tree. What a scene has no use for (anchors, tags, several
 * documents, maps as keys) is refused here, once. */
#include "scene/tree.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "text/chars.h"
#include "text/spelling.h"
#include "text/string.h"

/* Deeper than any scene, shallow enough to walk by recursion. */
enum { DEPTH_MAX = 16 };

typedef struct builder {
    yaml_parser_t parser;
    const char *text;
    size_t length;
    rill_place source;
    rill_error *err;
    rill_status status;
} builder;

static rill_place place_at(const builder *b, yaml_mark_t mark)
{
    rill_place place = b->source;
    place.line = (unsigned)mark.line + 1;
    place.column = (unsigned)mark.column + 1;
    return place;
}

rill_node *rill_tree_node(rill_node_kind kind, const rill_place *place)
{
    rill_node *node = rill_calloc(1, sizeof *node);
    if (!node) return NULL;
    node->kind = kind;
    node->place = node->key_place = *place;
    return node;
}

rill_node *rill_tree_scalar(const char *text, size_t length, const rill_place *place)
{
    rill_node *node = rill_tree_node(RILL_NODE_SCALAR, place);
    if (node && !(node->text = rill_string_part(text, length))) {
        rill_tree_free(node);
        return NULL;
    }
    return node;
}

void rill_tree_free(rill_node *node)
{
    if (!node) return;
    for (rill_node *child = node->first, *next; child; child = next) {
        next = child->next;
        rill_tree_free(child);
    }
    rill_free(node->text);
    rill_free(node->key);
    rill_free(node);
}

rill_node *rill_tree_find(const rill_node *map, const char *key)
{
    rill_node *child = map->first;
    while (child && !rill_spelling_same(child->key, key)) child = child->next;
    return child;
}

rill_node *rill_tree_at(const rill_node *list, size_t index)
{
    rill_node *child = list->first;
    while (child && index--) child = child->next;
    return child;
}

size_t rill_tree_count(const rill_node *node)
{
    size_t count = 0;
    for (const rill_node *child = node->first; child; child = child->next) count++;
    return count;
}

void rill_tree_append(rill_node *parent, rill_node *child)
{
    if (parent->last) parent->last->next = child;
    else parent->first = child;
    parent->last = child;
}

/* Where the pointer to the child is kept, and the child before it. */
static rill_node **find_link(rill_node *parent, const rill_node *child, rill_node **before)
{
    rill_node **link = &parent->first;
    for (*before = NULL; *link != child; link = &(*link)->next) *before = *link;
    return link;
}

void rill_tree_replace(rill_node *parent, rill_node *old, rill_node *child)
{
    rill_node *before, **link = find_link(parent, old, &before);
    child->key = old->key;
    child->next = old->next;
    old->key = NULL;
    if (parent->last == old) parent->last = child;
    *link = child;
    rill_tree_free(old);
}

void rill_tree_remove(rill_node *parent, rill_node *child)
{
    rill_node *before, **link = find_link(parent, child, &before);
    *link = child->next;
    if (parent->last == child) parent->last = before;
    rill_tree_free(child);
}

bool rill_tree_set_key(rill_node *node, const char *key, size_t length)
{
    rill_free(node->key);
    node->key = rill_string_part(key, length);
    return node->key != NULL;
}

bool rill_tree_is_empty(const rill_node *node)
{
    if (node->kind != RILL_NODE_SCALAR || node->quoted) return false;
    return !*node->text || !strcmp(node->text, "~") || !strcmp(node->text, "null");
}

/* The decoder stops at a byte offset and knows no line; count them. */
static yaml_mark_t mark_of_offset(const builder *b, size_t offset)
{
    yaml_mark_t mark = {.index = offset};
    for (size_t i = 0; i < offset && i < b->length; i++) {
        const unsigned char c = (unsigned char)b->text[i];
        if (c == '\n') mark.line++, mark.column = 0;
        else if ((c & 0xc0) != 0x80) mark.column++;
    }
    return mark;
}

static bool tab_indents(const builder *b, size_t line)
{
    size_t i = 0;
    for (; line && i < b->length; i++) line -= b->text[i] == '\n';
    while (i < b->length && b->text[i] == ' ') i++;
    return i < b->length && b->text[i] == '\t';
}

static void fail_syntax(builder *b)
{
    const yaml_parser_t *p = &b->parser;
    if (p->error == YAML_MEMORY_ERROR) {
        b->status = rill_place_no_memory(b->err);
        return;
    }
    const bool decoding = p->error == YAML_READER_ERROR;
    const rill_place place = place_at(b, decoding ? mark_of_offset(b, p->problem_offset) : p->problem_mark);
    if (!decoding && tab_indents(b, p->problem_mark.line)) {
        b->status = rill_place_fail(&place, b->err, "this line is indented with a tab, and YAML takes only spaces.");
        return;
    }
    b->status = rill_place_fail(&place, b->err, "this is not valid YAML: %s%s%s.",
                                p->problem ? p->problem : "unknown fault", p->context ? " " : "",
                                p->context ? p->context : "");
}

/* The next event; false, with the status set, when the text is at fault. */
static bool next_event(builder *b, yaml_event_t *event)
{
    if (yaml_parser_parse(&b->parser, event)) return true;
    fail_syntax(b);
    return false;
}

static rill_status refuse(builder *b, const yaml_event_t *event, const char *what)
{
    const rill_place place = place_at(b, event->start_mark);
    return b->status = rill_place_fail(&place, b->err, "%s", what);
}

/* Anchors, aliases and tags have no place in a scene. */
static bool is_unwanted(builder *b, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (event->type == YAML_ALIAS_EVENT) anchor = event->data.alias.anchor;
    if (event->type == YAML_SCALAR_EVENT) anchor = event->data.scalar.anchor, tag = event->data.scalar.tag;
    if (event->type == YAML_SEQUENCE_START_EVENT)
        anchor = event->data.sequence_start.anchor, tag = event->data.sequence_start.tag;
    if (event->type == YAML_MAPPING_START_EVENT)
        anchor = event->data.mapping_start.anchor, tag = event->data.mapping_start.tag;
    if (anchor) refuse(b, event, "a scene cannot use YAML anchors and aliases; write the values out.");
    else if (tag) refuse(b, event, "a scene cannot use YAML tags; write the plain value.");
    return b->status != RILL_OK;
}

static rill_node *build_node(builder *b, const yaml_event_t *event, int depth);

static rill_node *build_scalar(builder *b, const yaml_event_t *event)
{
    const char *value = (const char *)event->data.scalar.value;
    const size_t length = event->data.scalar.length;
    if (memchr(value, 0, length)) {
        refuse(b, event, "this text holds a zero byte.");
        return NULL;
    }
    const rill_place place = place_at(b, event->start_mark);
    rill_node *node = rill_tree_scalar(value, length, &place);
    if (!node) b->status = rill_place_no_memory(b->err);
    else node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return node;
}

/* One key with its value; false at the end of the map or on a fault. */
static bool build_pair(builder *b, rill_node *map, int depth)
{
    yaml_event_t key, value;
    if (!next_event(b, &key)) return false;
    bool more = key.type != YAML_MAPPING_END_EVENT;
    if (more && !is_unwanted(b, &key) && key.type != YAML_SCALAR_EVENT)
        refuse(b, &key, "a key must be a word, not a list or a map.");
    rill_node *name = more && !b->status ? build_scalar(b, &key) : NULL;
    yaml_event_delete(&key);
    if (!name) return false;

    rill_node *child = NULL;
    if (next_event(b, &value)) {
        child = build_node(b, &value, depth + 1);
        yaml_event_delete(&value);
    }
    if (child) {
        child->key = name->text;
        child->key_place = name->place;
        name->text = NULL;
        rill_tree_append(map, child);
    }
    rill_tree_free(name);
    return child != NULL;
}

static bool build_entry(builder *b, rill_node *list, int depth)
{
    yaml_event_t event;
    if (!next_event(b, &event)) return false;
    rill_node *child = event.type != YAML_SEQUENCE_END_EVENT ? build_node(b, &event, depth + 1) : NULL;
    yaml_event_delete(&event);
    if (child) rill_tree_append(list, child);
    return child != NULL;
}

static int compare_keys(const void *a, const void *b)
{
    const rill_node *left = *(rill_node *const *)a, *right = *(rill_node *const *)b;
    const int order = strcmp(left->key, right->key);
    if (order) return order;
    const rill_place *p = &left->key_place, *q = &right->key_place;
    if (p->line != q->line) return p->line < q->line ? -1 : 1;
    return p->column < q->column ? -1 : p->column > q->column;
}

/* Two equal keys in one map are a slip. Sorting keeps a hostile map of many keys cheap. */
static void check_duplicates(builder *b, const rill_node *map)
{
    const size_t count = rill_tree_count(map);
    if (count < 2) return;
    rill_node **sorted = rill_malloc(count * sizeof *sorted);
    if (!sorted) {
        b->status = rill_place_no_memory(b->err);
        return;
    }
    size_t i = 0;
    for (rill_node *child = map->first; child; child = child->next) sorted[i++] = child;
    qsort(sorted, count, sizeof *sorted, compare_keys);
    for (i = 1; i < count && !b->status; i++) {
        if (strcmp(sorted[i - 1]->key, sorted[i]->key)) continue;
        b->status =
            rill_place_fail(&sorted[i]->key_place, b->err, "the key '%s' was already given at line %u; keep one.",
                            rill_chars_excerpt(sorted[i]->key).text, sorted[i - 1]->key_place.line);
    }
    rill_free(sorted);
}

/* The value that starts with this event, or NULL with the status set. */
static rill_node *build_node(builder *b, const yaml_event_t *event, int depth)
{
    if (is_unwanted(b, event)) return NULL;
    if (depth > DEPTH_MAX) {
        refuse(b, event, "the scene is nested too deeply.");
        return NULL;
    }
    if (event->type == YAML_SCALAR_EVENT) return build_scalar(b, event);
    const bool is_map = event->type == YAML_MAPPING_START_EVENT;
    const rill_place place = place_at(b, event->start_mark);
    rill_node *node = rill_tree_node(is_map ? RILL_NODE_MAP : RILL_NODE_LIST, &place);
    if (!node) {
        b->status = rill_place_no_memory(b->err);
        return NULL;
    }
    while (is_map ? build_pair(b, node, depth) : build_entry(b, node, depth))
        ;
    if (!b->status && is_map) check_duplicates(b, node);
    if (!b->status) return node;
    rill_tree_free(node);
    return NULL;
}

/* Stream and document marks around the one document. */
static rill_node *build_document(builder *b)
{
    rill_node *root = NULL;
    for (bool more = true; more && !b->status;) {
        yaml_event_t event;
        if (!next_event(b, &event)) break;
        const bool mark = event.type == YAML_STREAM_START_EVENT || event.type == YAML_DOCUMENT_END_EVENT;
        if (event.type == YAML_STREAM_END_EVENT) more = false;
        else if (event.type == YAML_DOCUMENT_START_EVENT && root)
            refuse(b, &event, "a scene is one YAML document, but here a second one begins.");
        else if (!mark && event.type != YAML_DOCUMENT_START_EVENT) root = build_node(b, &event, 0);
        yaml_event_delete(&event);
    }
    if (!b->status && !root) b->status = rill_place_fail(&b->source, b->err, "the scene is empty.");
    if (!b->status) return root;
    rill_tree_free(root);
    return NULL;
}

rill_status rill_tree_parse(const char *text, size_t length, const char *label, const char *setting, rill_node **root,
                            rill_error *err)
{
    if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) text += 3, length -= 3; /* the mark some editors put first */
    builder b = {.text = text, .length = length, .source = {.label = label, .setting = setting}, .err = err};
    *root = NULL;
    if (!yaml_parser_initialize(&b.parser)) return rill_place_no_memory(err);
    yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)text, length);
    *root = build_document(&b);
    yaml_parser_delete(&b.parser);
    return b.status;
}
