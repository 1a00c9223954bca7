/* Keyframes from a CSV file, as a part of a scene. */
#include "grammar.h"
#include "scene.h"
#include "scene/read.h"
#include "scene/rows.h"

static const char *const words[] = {"time,move.x,move.y,move.z\n", "time", "move.x", "move_y",       "turn z", "turn.x",
                                    "0,0,0\n",                     "1 s,", "20 deg", "5 mm,1,2",     "1e-300", "1e9",
                                    "\n",                          "\r\n", "\"",     "\xef\xbb\xbf", "nan",    "-1",
                                    ",",                           ";",    " ",      "\t"};
static const char base[] = "particle_diameter: 0.1 m\n"
                           "fill: [{box: {from: [0, 0, 0], to: [0.4, 0.4, 0.4]}}]\n"
                           "boundaries: {b: {box: {from: [0, 0, 0], to: [1, 0.4, 0.6]}, motion: {period: 1}}}\n";

static const rill_items *keyframe_items(void)
{
    const rill_param *boundaries = rill_param_find(rill_scene_table(), "boundaries");
    const rill_param *motion = rill_param_find(boundaries->items->parts, "motion");
    return rill_param_find(motion->parts, "keyframes_file")->rows;
}

/* A scene in which the rows stand as if it had been written so. */
static rill_status scene_with(rill_node *rows, rill_scene *scene, rill_error *err)
{
    rill_node *root = NULL;
    rill_status status = rill_tree_parse(base, sizeof base - 1, "base", NULL, &root, err);
    FUZZ_CHECK(!status, "the base of the scene is refused: %s", err->text);
    rill_node *motion = rill_tree_find(rill_tree_find(rill_tree_find(root, "boundaries"), "b"), "motion");
    FUZZ_CHECK(rill_tree_set_key(rows, "keyframes", 9), "there is no memory");
    rill_tree_append(motion, rows);
    status = rill_read_scene(root, scene, err);
    if (!status) status = rill_scene_check(scene, err);
    rill_tree_free(root);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size);
    rill_node *rows;
    rill_error err = {0};
    rill_status status = rill_rows_parse(text, size, "input", keyframe_items(), &rows, &err);
    FUZZ_CHECK(!status == !!rows && (!status || *err.text), "refused without a word");
    if (!status) {
        rill_scene scene;
        const rill_status read = scene_with(rows, &scene, &err);
        FUZZ_CHECK(!read || *err.text, "refused without a word");
        if (!read) {
            scene_again(&scene);
            if (fuzz_hash(data, size) % 4 == 0) scene_step(&scene);
        }
        rill_scene_free(&scene);
    }
    free(text);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    return fuzz_text_mutate(data, size, most, &random, words, sizeof words / sizeof *words);
}
