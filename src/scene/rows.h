/* Rows of a CSV file as a list of maps, as if the scene had them. */
#ifndef RILL_SCENE_ROWS_H
#define RILL_SCENE_ROWS_H

#include "physics/param.h"
#include "scene/tree.h"

/* Reads the file into a tree whose errors name it with line and column; path must outlive the tree. Columns are named
 * as the numbers of an item are: time, move.x. What is wrong with the file as a whole is told where `named` stands. */
rill_status rill_rows_read(const char *path, const rill_node *named, const rill_items *items, rill_node **rows,
                           rill_error *err);

/* The same for text in memory, with a zero behind it. */
rill_status rill_rows_parse(const char *text, size_t length, const char *label, const rill_items *items,
                            rill_node **rows, rill_error *err);

#endif
