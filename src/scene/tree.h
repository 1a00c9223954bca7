/* Scene text as a tree of maps, lists and scalars, before anything is known
 * of what the keys mean. */
#ifndef RILL_SCENE_TREE_H
#define RILL_SCENE_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "scene/place.h"

typedef enum rill_node_kind { RILL_NODE_SCALAR, RILL_NODE_LIST, RILL_NODE_MAP } rill_node_kind;

typedef struct rill_node rill_node;
struct rill_node {
    rill_node_kind kind;
    bool quoted;          /* scalar */
    char *text;           /* scalar */
    char *key;            /* the node's key in its map; NULL in a list */
    rill_place place;     /* of the value */
    rill_place key_place; /* of the key; of the value in a list */
    rill_node *first, *last, *next;
};

/* Reads one YAML document; label and setting name its source in errors and must outlive the tree. */
rill_status rill_tree_parse(const char *text, size_t length, const char *label, const char *setting, rill_node **root,
                            rill_error *err);
void rill_tree_free(rill_node *node); /* NULL is fine */

/* A node without key and siblings; NULL when there is no memory. */
rill_node *rill_tree_node(rill_node_kind kind, const rill_place *place);
rill_node *rill_tree_scalar(const char *text, size_t length, const rill_place *place);

/* The child of a map by key, in whichever spelling, of a list by index, or NULL. */
rill_node *rill_tree_find(const rill_node *map, const char *key);
rill_node *rill_tree_at(const rill_node *list, size_t index);
size_t rill_tree_count(const rill_node *node);

void rill_tree_append(rill_node *parent, rill_node *child);

/* Puts child in the place of old, which is freed; child takes over old's key. */
void rill_tree_replace(rill_node *parent, rill_node *old, rill_node *child);
void rill_tree_remove(rill_node *parent, rill_node *child);

bool rill_tree_set_key(rill_node *node, const char *key, size_t length);

/* True for `key:` with nothing behind it. */
bool rill_tree_is_empty(const rill_node *node);

#endif
