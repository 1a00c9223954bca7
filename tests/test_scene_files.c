/* Scene files: the built-in scenes, finding and listing them, docs/scene.md. label: small, one thread */
#include "test_scene.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const built_in[] = {"ball_drop",     "dam_break",  "double_dam_break", "droplet",
                                       "falling_drop",  "honey",      "mixer",            "oil_water",
                                       "reference_dam", "shapes",     "still_tank",       "tiny",
                                       "vortex"};
enum { BUILT_IN = sizeof built_in / sizeof *built_in };

/* ---- the reference ---- */

static char *reference(void)
{
    rill_error err = {0};
    FILE *out = tmpfile();
    assert_non_null(out);
    assert_int_equal(rill_scene_reference(out, &err), RILL_OK);
    return take_text(out);
}

/* docs/scene.md is what the table says. To write it again: RILL_WRITE_DOCS=1 test_scene_files. */
static void test_reference_is_current(void **state)
{
    (void)state;
    char *expected = reference();
    if (getenv("RILL_WRITE_DOCS")) {
        FILE *out = fopen("docs/scene.md", "w");
        assert_non_null(out);
        fputs(expected, out);
        fclose(out);
    }
    FILE *file = fopen("docs/scene.md", "r");
    assert_non_null(file);
    char *text = calloc(1, strlen(expected) + 2);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, strlen(expected) + 1, file), strlen(expected));
    assert_string_equal(text, expected);
    fclose(file);
    free(text);
    free(expected);
}

/* Defaults that depend on another value are those that resolve. */
static void test_reference_defaults(void **state)
{
    (void)state;
    char *text = reference();
    assert_non_null(strstr(text, "| `colour`: `0.072 N/m`; `cohesion`: `0.072 N/m` |"));
    assert_non_null(strstr(text, "| `laplacian`: `0.01 m2/s`; `mueller`: required; `xsph`: required;"));
    assert_non_null(strstr(text, "| `box`: false; `sphere`: true; `cylinder`: true; `capsule`: true |"));
    free(text);
    rill_scene s = good("fluids: {a: {tension: {kind: colour}}, b: {tension: {kind: none}}}\n");
    assert_number(s.fluids[0].tension, 0.072);
    assert_number(s.fluids[0].viscosity, 0.01);
    rill_scene_free(&s);
}

static void test_reference_example_reads(void **state)
{
    (void)state;
    char *text = reference();
    char *start = strstr(text, "```yaml\n");
    assert_non_null(start);
    start += strlen("```yaml\n");
    char *end = strstr(start, "```");
    assert_non_null(end);
    *end = 0;
    rill_scene s = good(start);
    assert_string_equal(s.name, "channel");
    assert_int_equal(s.fluid_count, 2);
    assert_int_equal(s.boundary_count, 2);
    assert_number(s.fills[1].shape.radius, 0.16);
    rill_scene_free(&s);
    free(text);
}

/* ---- built-in scenes ---- */

static void test_built_in_scenes(void **state)
{
    (void)state;
    for (size_t i = 0; i < BUILT_IN; i++) {
        rill_scene s;
        rill_error err = {0};
        if (rill_scene_load(built_in[i], NULL, 0, &s, &err)) fail_msg("%s", err.text);
        assert_string_equal(s.name, built_in[i]);
        assert_true(strlen(s.about) > 20);
        assert_true(s.fill_count >= 1 && s.probe_count >= 3 && (s.boundary_count >= 1 || s.gravity.z == 0));
        assert_round_trip(&s);
        rill_scene_free(&s);
    }
}

/* What a scene comes to when it is filled. */
static rill_estimate estimate(const char *name, const char *setting)
{
    rill_scene s;
    rill_estimate e;
    rill_error err = {0};
    if (rill_scene_load(name, &setting, setting ? 1 : 0, &s, &err)) fail_msg("%s", err.text);
    if (rill_scene_estimate(&s, &e, &err)) fail_msg("%s: %s", name, err.text);
    rill_scene_free(&s);
    return e;
}

static void test_particle_counts(void **state)
{
    (void)state;
    assert_in_range(estimate("dam_break", NULL).particles, 45000, 55000);
    assert_in_range(estimate("ball_drop", NULL).particles, 20000, 30000);
    assert_in_range(estimate("tiny", NULL).particles, 100, 1000);
    assert_int_equal(estimate("reference_dam", NULL).particles, 101306);
    assert_int_equal(estimate("reference_dam", NULL).boundary_particles, 46266);
    assert_int_equal(estimate("reference_dam", "particle_diameter=17 mm").particles, 410758);
    assert_int_equal(estimate("reference_dam", "particle_diameter=17 mm").boundary_particles,
                     189 * 120 * 119 - 187 * 118 * 117);
}

/* Two fills of 15 million places of which a tank holds half: one is counted, the other goes by its volume. */
static void test_large_counts(void **state)
{
    static const char text[] = "particle_diameter: 0.01\n"
                               "boundaries: {tank: {box: {from: [0, 0, 0], to: [6, 1.25, 2.5]}}}\n"
                               "fill: [{box: {from: [0, 0, 0], to: [2.4, 2.5, 2.5]}},"
                               " {box: {from: [3, 0, 0], to: [5.4, 2.5, 2.5]}}]\n";
    rill_scene s;
    rill_estimate e;
    rill_error err = {0};
    (void)state;
    if (rill_scene_parse(text, sizeof text - 1, "large", NULL, 0, &s, &err)) fail_msg("%s", err.text);
    if (rill_scene_estimate(&s, &e, &err)) fail_msg("%s", err.text);
    rill_scene_free(&s);
    assert_in_range(e.particles, 22400000, 22600000);
}

typedef struct listing {
    size_t count;
    bool right;
} listing;

static void list_one(void *user, const char *name, const char *path, const char *about)
{
    listing *l = user;
    const bool known = l->count < BUILT_IN && !strcmp(name, built_in[l->count]);
    l->right = l->right && known && strstr(path, name) && *about;
    l->count++;
}

static void test_list(void **state)
{
    (void)state;
    listing l = {.right = true};
    rill_error err = {0};
    assert_int_equal(rill_scene_list(list_one, &l, &err), RILL_OK);
    assert_int_equal(l.count, BUILT_IN);
    assert_true(l.right);
}

/* Lattice layers of the reference dam and surfaces of its tank, as they were
 * fixed, at both resolutions. */
static void check_reference_dam(const char *setting, double d, const int *fluid, const int *tank)
{
    rill_scene s;
    rill_error err = {0};
    if (rill_scene_load("reference_dam", &setting, 1, &s, &err)) fail_msg("%s", err.text);
    assert_number(s.particle_diameter, d);
    const rill_shape *f = &s.fills[0].shape, *t = &s.boundaries[0].shape;
    const double fluid_size[] = {f->to.x - f->from.x, f->to.y - f->from.y, f->to.z - f->from.z};
    const double tank_size[] = {t->to.x - t->from.x, t->to.y - t->from.y, t->to.z - t->from.z};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(lround(fluid_size[i] / d), fluid[i]);
        assert_int_equal(lround(tank_size[i] / d), tank[i]);
    }
    assert_vector(f->from, d / 2, d / 2, d / 2);
    assert_vector(t->from, d / 2, d / 2, d / 2);
    assert_true(s.boundaries[0].snap && !s.output.frames);
    assert_number(s.boundaries[0].volume_factor, 1);
    assert_number(s.boundaries[0].slip, 1);
    assert_number(s.fluids[0].mass_factor, 0.8);
    assert_number(s.fluids[0].viscosity, 0.01);
    assert_number(s.time.step_max, 5e-3);
    assert_number(s.time.step_min, 1e-4);
    assert_number(s.time.step_first, 1e-3);
    assert_number(s.time.cfl, 0.4);
    assert_number(s.time.end, 1);
    rill_scene_free(&s);
}

static void test_reference_dam(void **state)
{
    (void)state;
    check_reference_dam("particle_diameter=27 mm", 0.027, (int[]){37, 74, 37}, (int[]){117, 74, 73});
    check_reference_dam("particle_diameter=17 mm", 0.017, (int[]){59, 118, 59}, (int[]){187, 118, 117});
}

/* ---- files and names ---- */

static void load_refused(const char *name, rill_status status, const char *sentence)
{
    rill_scene s;
    rill_error err = {0};
    assert_int_equal(rill_scene_load(name, NULL, 0, &s, &err), status);
    assert_string_equal(err.text, sentence);
    assert_null(s.fluids);
}

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[2][128];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void put_file(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
}

static void test_load_refuses(void **state)
{
    (void)state;
    load_refused("dam_brake", RILL_BAD_INPUT,
                 "There is no scene 'dam_brake'; did you mean 'dam_break'? `rill scenes` lists them.");
    load_refused("stil_tank", RILL_BAD_INPUT,
                 "There is no scene 'stil_tank'; did you mean 'still_tank'? `rill scenes` lists them.");
    load_refused("no/such.yaml", RILL_BAD_INPUT, "no/such.yaml cannot be read: No such file or directory.");
    load_refused("/", RILL_BAD_INPUT, "/ cannot be read: Is a directory.");
    load_refused("/dev/zero", RILL_BAD_INPUT, "/dev/zero cannot be read: it is not a file.");
}

static void test_load_files(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/rill_scene_XXXXXX");
    assert_non_null(mkdtemp(folder));
    rill_scene s;
    rill_error err = {0};
    const char text[] = "time: {end: 4}\n";
    put_file(in_folder("mine.yaml"), text, strlen(text));
    assert_int_equal(rill_scene_load(in_folder("mine.yaml"), NULL, 0, &s, &err), RILL_OK);
    assert_string_equal(s.name, "mine");
    assert_number(s.time.end, 4);
    rill_scene_free(&s);

    char *huge = malloc(5 << 20);
    assert_non_null(huge);
    memset(huge, '[', 5 << 20);
    put_file(in_folder("huge.yaml"), huge, 5 << 20);
    assert_int_equal(rill_scene_load(in_folder("huge.yaml"), NULL, 0, &s, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "too large to be read"));
    /* Just as hostile, but small enough to be looked at. */
    assert_int_equal(rill_scene_parse(huge, 1 << 20, "huge", NULL, 0, &s, &err), RILL_BAD_INPUT);
    for (size_t i = 0; i < 1 << 20; i++) huge[i] = (char)(i * 2654435761u >> 13);
    assert_int_equal(rill_scene_parse(huge, 1 << 20, "rubbish", NULL, 0, &s, &err), RILL_BAD_INPUT);
    for (size_t i = 0; i + 8 < 1 << 20; i += 8) memcpy(huge + i, i / 8 % 2 ? "\nab: {} " : "\nba: {} ", 8);
    assert_int_equal(rill_scene_parse(huge, 1 << 20, "many keys", NULL, 0, &s, &err), RILL_BAD_INPUT);
    free(huge);

    /* A folder of the user's own, with a bad scene that does not hide the good one. */
    put_file(in_folder("bad.yaml"), "about: [", 8);
    char before[512];
    snprintf(before, sizeof before, "%s", getenv("RILL_SCENES") ? getenv("RILL_SCENES") : "");
    setenv("RILL_SCENES", folder, 1);
    assert_int_equal(rill_scene_load("mine", NULL, 0, &s, &err), RILL_OK);
    rill_scene_free(&s);
    listing l = {.right = true};
    assert_int_equal(rill_scene_list(list_one, &l, &err), RILL_OK);
    assert_int_equal(l.count, 3);
    setenv("RILL_SCENES", "/no/such/folder", 1);
    load_refused("mine", RILL_BAD_INPUT, "RILL_SCENES names '/no/such/folder', which is not a folder of scenes.");
    if (*before) setenv("RILL_SCENES", before, 1);
    else unsetenv("RILL_SCENES");
    unlink(in_folder("bad.yaml"));
    unlink(in_folder("huge.yaml"));
    unlink(in_folder("mine.yaml"));
    rmdir(folder);
}

/* ---- keyframes in files ---- */

static void put_table(const char *text)
{
    put_file(in_folder("gate.csv"), text, strlen(text));
}

/* What is wrong with a table is told where it is wrong. */
static void table_refused(const char *text, const char *sentence)
{
    rill_scene s;
    rill_error err = {0};
    char expected[300];
    put_table(text);
    snprintf(expected, sizeof expected, "%s%s", folder, sentence);
    assert_int_equal(rill_scene_load(in_folder("gate.yaml"), NULL, 0, &s, &err), RILL_BAD_INPUT);
    assert_string_equal(err.text, expected);
}

/* A table that a program made: the scene as it stands needs the file no more. */
static void check_table(void)
{
    rill_scene s, again;
    rill_error err = {0};
    if (rill_scene_load(in_folder("gate.yaml"), NULL, 0, &s, &err)) fail_msg("%s", err.text);
    const rill_motion *m = &s.boundaries[0].motion;
    assert_int_equal(m->keyframe_count, 3);
    assert_number(m->keyframes[1].time, 0.25);
    assert_vector(m->keyframes[1].move, 0, 0, 0.1);
    assert_vector(m->keyframes[2].turn, 0, 1, 0);
    assert_vector(m->keyframes[2].move, -2, 0, 3);
    unlink(in_folder("gate.csv"));
    char *text = rill_scene_text(&s, &err);
    assert_non_null(text);
    if (rill_scene_parse(text, strlen(text), "run/scene.yaml", NULL, 0, &again, &err)) fail_msg("%s", err.text);
    assert_same_boundary(&s.boundaries[0], &again.boundaries[0]);
    rill_free(text);
    rill_scene_free(&again);
    rill_scene_free(&s);
}

static void test_keyframes_from_files(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/rill_scene_XXXXXX");
    assert_non_null(mkdtemp(folder));
    const char scene[] = "boundaries:\n  gate:\n    box: {from: [0, 0, 0], to: [1, 1, 1]}\n"
                         "    motion: {keyframes_file: gate.csv}\n";
    put_file(in_folder("gate.yaml"), scene, strlen(scene));
    put_table("time, move.z, turn_y, move x\n0,0,0,0\n250 ms, 10 cm , 0,0\n\n1,3,1,-2\n");
    check_table();
    put_table("\xef\xbb\xbf\"time\",\"move.z\",\"turn.y\",\"move.x\"\r\n0,0,0,0\r\n0.25,\"0.1\",0,0\r\n1,3,1,-2");
    check_table();
    table_refused("time,mov.x\n0,0\n", "/gate.csv:1:6: there is no column 'mov.x'; the columns of keyframes are time, "
                  "move.x, move.y, move.z, turn.x, turn.y, turn.z.");
    table_refused("time;move.x\n0;0\n", "/gate.csv:1:1: there is no column 'time;move.x'; the columns of keyframes are "
                  "time, move.x, move.y, move.z, turn.x, turn.y, turn.z.");
    table_refused("time,move.x,time\n", "/gate.csv:1:13: this column is there twice; keep one.");
    table_refused("time,move.x\n0\n", "/gate.csv:2:1: this row has 1 cell, but the header has 2.");
    table_refused("time,move.x\n0,abc\n", "/gate.csv:2:3: boundaries.gate.motion.keyframes_file.0.move.x wants a "
                  "length, but 'abc' is not a number.");
    table_refused("time,move.x\n0,1\n-1,1\n", "/gate.csv:3:1: boundaries.gate.motion.keyframes_file.1.time must lie "
                  "between 0 and 1e+12 s, but is '-1'.");
    table_refused("move.x\n0\n1\n", "/gate.csv:2:1: boundaries.gate.motion.keyframes_file.0 needs 'time'.");
    table_refused("", "/gate.csv: there are no rows of keyframes.");
    table_refused("time,move.x\n", "/gate.csv: there are no rows of keyframes.");
    table_refused("time\n0\n1\xff\n", "/gate.csv: the file is not UTF-8 text.");
    table_refused("time\n0\n0\n", "/gate.yaml:4:30: The keyframe of boundary gate at 0 s must come after the one "
                  "before it, which is at 0 s.");
    /* As many as there may be, and one more. */
    char *many = malloc(200000);
    for (int count = 10000; count < 10002; count++) {
        size_t length = (size_t)sprintf(many, "time,move.y\n");
        for (int i = 0; i < count; i++) length += (size_t)sprintf(many + length, "%d,0\n", i);
        put_table(many);
        rill_scene s;
        rill_error err = {0};
        if (count == 10001)
            table_refused(many, "/gate.csv:10002:1: there are more than 10000 keyframes; leave some out.");
        else if (rill_scene_load(in_folder("gate.yaml"), NULL, 0, &s, &err)) fail_msg("%s", err.text);
        else rill_scene_free(&s);
    }
    free(many);
    unlink(in_folder("gate.csv"));
    rill_scene s;
    rill_error err = {0};
    mkfifo(in_folder("gate.csv"), 0600);
    assert_int_equal(rill_scene_load(in_folder("gate.yaml"), NULL, 0, &s, &err), RILL_BAD_INPUT);
    assert_non_null(strstr(err.text, "gate.csv cannot be read: it is not a file."));
    unlink(in_folder("gate.csv"));
    unlink(in_folder("gate.yaml"));
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_is_current),
        cmocka_unit_test(test_reference_defaults),
        cmocka_unit_test(test_reference_example_reads),
        cmocka_unit_test(test_built_in_scenes),
        cmocka_unit_test(test_particle_counts),
        cmocka_unit_test(test_large_counts),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_reference_dam),
        cmocka_unit_test(test_load_refuses),
        cmocka_unit_test(test_load_files),
        cmocka_unit_test(test_keyframes_from_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
