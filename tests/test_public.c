/* What programs do with public headers alone: words and units, the values of scenes, the tables of runs, meshes,
 * strays, and a picture from a world in memory to a file. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "rill/chart.h"
#include "rill/render.h"
#include "rill/rill.h"
#include "rill/scene_text.h"
#include "rill/shot.h"

static char folder[] = "/tmp/rill_public_XXXXXX";

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int folder_make(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int folder_remove(void **state)
{
    static const char *const names[] = {"a.png", "a.exr", "a.ply", "run/scene.yaml", "run/report.csv", "run"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) remove(path_of(names[i]));
    return rmdir(folder);
}

static void fine(rill_status status, const rill_error *err)
{
    if (status) fail_msg("%s", err->text);
}

/* ---- text ---- */

static void units(void **state)
{
    (void)state;
    rill_error err = {0};
    double value = 0;
    fine(rill_unit_parse("27 mm", "m", &value, &err), &err);
    assert_true(value == 0.027);
    fine(rill_unit_parse("50 %", "", &value, &err), &err);
    assert_true(value == 0.5);
    assert_int_equal(rill_unit_parse("5 ms", "m", &value, &err), RILL_BAD_INPUT);
    assert_string_equal(err.text, "wants a length, but '5 ms' is a time");
    assert_int_equal(rill_unit_parse("5", "furlong", &value, &err), RILL_BAD_INPUT);
    assert_int_equal(rill_unit_parse("5", "m", &value, NULL), RILL_OK);
}

/* ---- scenes ---- */

static const char scene_text[] = "name: a\n"
                                 "particle_diameter: 50 mm\n"
                                 "fluids: {water: {}}\n"
                                 "fill:\n"
                                 "  - {box: {from: [0, 0, 0], to: [0.3, 0.3, 0.3]}}\n"
                                 "boundaries: {tank: {box: {from: [0, 0, 0], to: [0.6, 0.3, 0.6]}}}\n"
                                 "probes: {level: {kind: height, at: [0.2, 0.2, 0]}}\n";

static rill_scene scene_make(void)
{
    rill_error err = {0};
    rill_scene scene;
    fine(rill_scene_parse(scene_text, strlen(scene_text), "a", NULL, 0, &scene, &err), &err);
    return scene;
}

typedef struct found {
    uint32_t count;
    char keys[400], values[400];
} found;

static void value_note(void *user, const char *key, const char *value)
{
    found *f = user;
    f->count++;
    snprintf(f->keys + strlen(f->keys), sizeof f->keys - strlen(f->keys), "%s ", key);
    snprintf(f->values + strlen(f->values), sizeof f->values - strlen(f->values), "%s ", value);
}

static void values_of_scenes(void **state)
{
    (void)state;
    rill_error err = {0};
    rill_scene scene = scene_make();
    found probe = {0}, size = {0}, all = {0}, none = {0};
    fine(rill_scene_list_values(&scene, "probes.level", value_note, &probe, &err), &err);
    assert_non_null(strstr(probe.keys, "probes.level.kind "));
    assert_non_null(strstr(probe.keys, "probes.level.at "));
    assert_non_null(strstr(probe.values, "height "));
    assert_non_null(strstr(probe.values, "[0.2, 0.2, 0] "));
    assert_null(strstr(probe.keys, "probes.level.of"));
    fine(rill_scene_list_values(&scene, "particle_diameter", value_note, &size, &err), &err);
    assert_string_equal(size.values, "0.05 m ");
    fine(rill_scene_list_values(&scene, "particle", value_note, &none, &err), &err);
    assert_int_equal(none.count, 0);
    fine(rill_scene_list_values(&scene, "", value_note, &all, &err), &err);
    assert_true(all.count > 40);

    /* A text reads back to the same scene, and so to the same text. */
    rill_scene again;
    char *text = rill_scene_text(&scene, &err);
    assert_non_null(text);
    fine(rill_scene_parse(text, strlen(text), "again", NULL, 0, &again, &err), &err);
    char *second = rill_scene_text(&again, &err);
    assert_string_equal(text, second);
    rill_free(text);
    rill_free(second);
    rill_scene_free(&again);
    rill_scene_free(&scene);
}

/* ---- runs ---- */

static void columns_by_name(void **state)
{
    (void)state;
    const char *method = "unset";
    assert_string_equal(rill_column_find("kinetic", &method)->unit, "J");
    assert_null(method);
    assert_null(rill_column_find("no_such_column", NULL));
    assert_string_equal(rill_column_phase("seconds_search"), "search");
    assert_null(rill_column_phase("kinetic"));
}

static void file_put(const char *name, const char *text)
{
    rill_error err = {0};
    fine(rill_store_put(path_of(name), text, strlen(text), &err), &err);
}

static void tables(void **state)
{
    (void)state;
    rill_error err = {0};
    char run[128];
    snprintf(run, sizeof run, "%s", path_of("run"));
    assert_false(rill_run_exists(run));
    assert_int_equal(mkdir(run, 0777), 0);
    file_put("run/scene.yaml", scene_text);
    file_put("run/report.csv", "step,time,dt,kinetic,seconds_search\n1,0.1,0.1,4,0.5\n2,0.2,0.1,8,0.25\n3,0.3");
    assert_true(rill_run_exists(run));
    assert_false(rill_run_is_busy(run));

    rill_chart_source source;
    rill_chart chart;
    bool energy = false;
    fine(rill_run_read_charts(run, &source, &err), &err);
    assert_int_equal(source.probes_trouble.status, RILL_BAD_INPUT); /* there is no probes.csv */
    for (size_t i = 0; !rill_chart_make(&source, i, &chart, &err) && *chart.name; i++) {
        if (!strcmp(chart.name, "energy")) {
            energy = true;
            assert_int_equal(chart.rows, 2);
            assert_true(chart.curve_count == 1 && chart.time[1] == 0.2 && chart.curves[0].values[1] == 8);
            assert_string_equal(chart.curves[0].label, "kinetic");
            assert_string_equal(chart.unit, "energy (J)");
        }
        rill_chart_free(&chart);
    }
    assert_true(energy && strstr(source.absent, "potential"));
    rill_chart_source_free(&source);

    rill_table_data table;
    fine(rill_run_read_table(run, "report.csv", &table, &err), &err);
    assert_int_equal(table.rows, 2);
    assert_true(table.torn);
    assert_true(rill_table_data_column(&table, "kinetic")[1] == 8);
    rill_table_data_free(&table);
    assert_int_equal(rill_run_read_table(run, "probes.csv", &table, &err), RILL_BAD_INPUT);

    rill_summary summary;
    fine(rill_run_read_summary(run, &summary, &err), &err);
    assert_int_equal(summary.rows, 2);
    assert_true(rill_summary_seconds(&summary) == 0.75 && rill_summary_value(&summary, "kinetic") == 8);
    assert_true(rill_summary_has(&summary, "dt") && !rill_summary_has(&summary, "volume"));
    file_put("run/report.csv", "step,time\n");
    assert_int_equal(rill_run_read_summary(run, &summary, &err), RILL_BAD_FILE);
}

/* ---- surfaces ---- */

static void meshes(void **state)
{
    (void)state;
    rill_error err = {0};
    rill_mesh_format format = RILL_MESH_OBJ;
    assert_true(rill_mesh_format_of("a/b.PLY", &format) && format == RILL_MESH_PLY);
    assert_false(rill_mesh_format_of("a.b/c", &format));
    assert_string_equal(rill_mesh_ending(RILL_MESH_VTP), "vtp");
    assert_null(rill_mesh_ending((rill_mesh_format)3));
    assert_string_equal(rill_export_ending(RILL_EXPORT_PLY), "ply");

    /* A clump, and one particle alone. */
    float position[3 * 28];
    bool stray[28];
    for (int i = 0; i < 27; i++)
        position[3 * i] = (float)(i % 3), position[3 * i + 1] = (float)(i / 3 % 3),
                     position[3 * i + 2] = (float)(i / 9);
    position[81] = 20, position[82] = 0, position[83] = 0;
    rill_particles particles = {.count = 28, .position = position, .diameter = 1};
    fine(rill_particles_strays(&particles, 5, 4, NULL, stray, &err), &err);
    for (int i = 0; i < 28; i++) assert_int_equal(stray[i], i == 27);

    rill_surface_options options = rill_surface_default();
    rill_mesh mesh, back;
    const rill_vec3 far = {5e6, 0, 0};
    fine(rill_surface_make(&particles, &options, &mesh, NULL, &err), &err);
    fine(rill_mesh_write_at(&mesh, far, RILL_MESH_PLY, path_of("a.ply"), &err), &err);
    fine(rill_mesh_read(path_of("a.ply"), far, &back, &err), &err);
    assert_int_equal(back.vertex_count, mesh.vertex_count);
    assert_memory_equal(back.triangle, mesh.triangle, 3 * mesh.triangle_count * sizeof *mesh.triangle);
    for (size_t i = 0; i < 3 * mesh.vertex_count; i++) assert_true(fabsf(back.position[i] - mesh.position[i]) < 1e-5f);
    rill_mesh_free(&mesh);
    rill_mesh_free(&back);
}

/* ---- pictures ---- */

static bool tile_refuse(void *user, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    (void)user, (void)x, (void)y, (void)width, (void)height;
    return false;
}

static void frame_is_of(const rill_frame_file *frame, const rill_world *world)
{
    const rill_frame now = rill_world_frame(world);
    const rill_array *position = rill_frame_file_array(frame, "position");
    const rill_array *density = rill_frame_file_array(frame, "density");
    assert_true(frame->count == now.count && frame->time == now.time && frame->diameter == now.diameter);
    assert_true(position->count == now.count && position->lanes == 3 && position->stride == 3);
    assert_true(density->count == now.count && density->data != now.density);
    for (size_t i = 0; i < 3 * (size_t)now.count; i++)
        assert_true(((const float *)position->data)[i] == now.position[4 * (i / 3) + i % 3]);
}

/* From a world in memory, without a file between. */
static void pictures(void **state)
{
    (void)state;
    rill_error err = {0};
    rill_scene scene = scene_make();
    rill_world *world = rill_world_create(&scene, NULL, &err);
    assert_non_null(world);
    assert_true(fabs(rill_world_particle_volume(world) / pow(0.05, 3) - 1) < 0.05);
    rill_frame_file frame;
    fine(rill_frame_file_of_world(world, &frame, &err), &err);
    frame_is_of(&frame, world);
    assert_int_equal(rill_shot_far_count(&frame), 0);

    rill_threads *pool = rill_threads_create(2, &err);
    assert_non_null(pool);
    const rill_scheduler scheduler = rill_threads_scheduler(pool);
    rill_render_options options = rill_render_default(RILL_LOOK_CLAY);
    rill_picture one, two, read;
    rill_stage_report report;
    options.trace.width = 24, options.trace.height = 16, options.trace.samples = 2;
    fine(rill_render_frame(&frame, &scene, &options, &one, NULL, &err), &err);
    options.trace.scheduler = &scheduler;
    fine(rill_render_frame(&frame, &scene, &options, &two, &report, &err), &err);
    assert_memory_equal(one.rgb, two.rgb, (size_t)24 * 16 * 3 * sizeof *one.rgb);
    assert_true(report.triangles > 100 && report.white > 0 && report.clamp > report.white);

    /* The view and the camera that were found can be given. */
    rill_orbit orbit = rill_orbit_default(RILL_ORBIT_FIXED);
    fine(rill_orbit_add(&orbit, &frame, &scene, rill_look_has_glass(RILL_LOOK_CLAY), &err), &err);
    const rill_bounds view = rill_orbit_view(&orbit, 0);
    const rill_camera camera = rill_orbit_camera(&orbit, 0, 0, 24, 16);
    rill_picture_free(&two);
    options.camera = &camera;
    options.stage.view = &view;
    fine(rill_render_frame(&frame, &scene, &options, &two, NULL, &err), &err);
    assert_memory_equal(one.rgb, two.rgb, (size_t)24 * 16 * 3 * sizeof *one.rgb);
    rill_picture_free(&two);
    options.trace.tile = tile_refuse;
    assert_int_equal(rill_render_frame(&frame, &scene, &options, &two, NULL, &err), RILL_CANCELLED);
    assert_null(two.rgb);

    const double exposure = rill_picture_exposure(&one, report.white);
    rill_pixels pixels, again;
    fine(rill_picture_write_exr(&one, path_of("a.exr"), &err), &err);
    fine(rill_picture_read(path_of("a.exr"), &read, &err), &err);
    for (size_t i = 0; i < 24 * 16 * 3; i++) assert_true(fabsf(read.rgb[i] - one.rgb[i]) <= 1e-3f * one.rgb[i] + 1e-6f);
    fine(rill_picture_write_png(&one, exposure, path_of("a.png"), &err), &err);
    fine(rill_picture_expose(&one, exposure, &pixels, &err), &err);
    fine(rill_pixels_read(path_of("a.png"), &again, &err), &err);
    assert_memory_equal(pixels.rgb, again.rgb, 24 * 16 * 3);
    rill_pixels_free(&pixels);
    rill_pixels_free(&again);
    rill_picture_free(&read);
    rill_picture_free(&one);
    rill_threads_destroy(pool);
    rill_frame_file_free(&frame);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(units),  cmocka_unit_test(values_of_scenes),
                                       cmocka_unit_test(tables), cmocka_unit_test(columns_by_name),
                                       cmocka_unit_test(meshes), cmocka_unit_test(pictures)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
