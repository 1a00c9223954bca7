/* Writes what the fuzz targets start from, a folder for each, by running a few
 * small scenes through the library. Usage: make_corpus FOLDER */
#include <errno.h>
#include <math.h>
#include <openexr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/store.h"
#include "render/exr_file.h"
#include "render/picture.h"
#include "render/png_file.h"
#include "rill/frames.h"
#include "rill/scene_text.h"
#include "rill/rill.h"
#include "rill/surface.h"

typedef struct place {
    char path[600];
} place;

static void must(bool good, const char *what, const rill_error *err)
{
    if (good) return;
    fprintf(stderr, "make_corpus: %s failed: %s\n", what, err && *err->text ? err->text : strerror(errno));
    exit(1);
}

/* FOLDER/target/name, whose folder is made. */
static place place_of(const char *folder, const char *target, const char *name)
{
    place p;
    snprintf(p.path, sizeof p.path, "%s/%s", folder, target);
    must(!mkdir(p.path, 0777) || errno == EEXIST, p.path, NULL);
    snprintf(p.path, sizeof p.path, "%s/%s/%s", folder, target, name);
    return p;
}

static void text_put(const char *folder, const char *target, const char *name, const char *text)
{
    rill_error err = {0};
    must(!rill_store_put(place_of(folder, target, name).path, text, strlen(text), &err), name, &err);
}

/* ---- text ---- */

static void texts_make(const char *folder)
{
    static const char *const texts[][2] = {
        {"unit", "0.027 m"},
        {"unit", "27 mm"},
        {"unit", "1e-6 m2/s"},
        {"unit", "50 %"},
        {"unit", "-9.81 m/s^2"},
        {"unit", "1/s"},
        {"unit", "1000 kg/m\u00b3"},
        {"unit", "72 mN/m"},
        {"unit", "2 d"},
        {"unit", "a: b # c"},
        {"setting", "time.end=3 s\nsolver.kind=wcsph\n"},
        {"setting", "fill.0.box.to=[1, 1, 1]\nfluids.water.density=900"},
        {"setting", "probes.new={kind: point, at: [0, 0, 0]}\n"},
        {"setting", "boundaries.tank.open=[top]\n"},
        {"xyz", "2\nwater\nO 1 2 3 7\nO -.4 5.0e+1 +0.006 8\n"},
        {"xyz", "x y z rho\n1, 2, 3, 7\n-0.4, 50, 6e-3, 8\n"},
        {"xyz", "1 2 3\n2 3 4\n2.5 3.5 4.5\n"},
        {"csv", "\"Points:0\",\"Points:1\",\"Points:2\",\"rho, kg\"\n1,2,3,7\n-0.4,50,6e-3,\n"},
        {"csv", "# position_x; position_y; position_z; p\n1;2;3;7\n\n-0.4;50;6e-3;nan\n"},
        {"csv", "Pos.x [m],Pos.y [m],Pos.z [m],vx,vy,vz\n1,2,3,7,8,9\n-0.4,50,6e-3,8,1,2\n"},
        {"rows", "time, move.x, move.z, turn.y\n0,0,0,0\n0.1 s, 5 mm, 0.02, 20 deg\n1,0,0,-1\n"},
        {"table", "step,time,dt\n1,0.1,0.1\n2,0.2,0.1\n3,0.3,0.1\n"},
        {"table", "time,\"a,b\"\n0.1,5\n0.2,nan\n0.3"},
        {"report", "step,time,dt,particles,limit_hit,rescued,lost,trouble,trouble_count,trouble_id,trouble_x,trouble_y,"
                   "trouble_z,seconds_search\n1,0.1,0.1,9,0,0,0,none,0,0,0,0,0,1e-4\n"
                   "2,0.2,0.1,9,1,2,0,nan,1,7,1,2,3,1e-4\n"},
        {"state", "box 0 0 0 1 1 1\nexposure 0.5\n"},
        {"state", "box -1.5 -2 1e-3 4 5.25 6\nexposure 1.25e-3\n"},
        {"look", "run\n--look\nriver\n--ground\nchecks\n--light=lamps\n--camera\norbit\n"},
        {"look", "--look=toy\n--ground=a/b.png\n--light=sky.exr\n--tank\nunseen\n--format=png,exr\n"},
        {"look", "--azimuth=-62\n--elevation\n90\n--width=640\n--height=16384\n--noise=0.01\n--camera=follow"},
        {"options", "--frames\n2:4\nword\n--json\n"},
        {"options", "--range=0:3\n--attributes=velocity, all\n"},
        {"options", "--colour\nspeed\n--size=1e6\n--angle\n-30.5\n--set=a=1\n--set\nb=2\n--frames=last"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char name[32];
        snprintf(name, sizeof name, "text_%zu", i);
        text_put(folder, texts[i][0], name, texts[i][1]);
    }
}

static void scene_seed(void *user, const char *name, const char *path, const char *about)
{
    char *text;
    size_t size;
    rill_error err = {0};
    (void)about;
    must(!rill_store_get(path, SIZE_MAX, &text, &size, &err), path, &err);
    text_put(user, "scene", name, text);
    free(text);
}

/* ---- a small world, and its files ---- */

static rill_scene scene_make(const char *solver, double side)
{
    char text[600];
    rill_scene scene;
    rill_error err = {0};
    const int length =
        snprintf(text, sizeof text,
                 "particle_diameter: 0.1\nsolver: {kind: %s}\nfill: [{box: {from: [0, 0, 0], to: [%g, %g, %g]}}]\n"
                 "boundaries: {tank: {box: {from: [0, 0, 0], to: [0.8, 0.5, 0.8]}}}\n"
                 "probes: {front: {kind: front, axis: x}}\noutput: {fields: [density, pressure]}\n",
                 solver, side, side, side);
    must(!rill_scene_parse(text, (size_t)length, solver, NULL, 0, &scene, &err), solver, &err);
    return scene;
}

static void frame_files(const char *folder, const char *name, const rill_frame_file *frame)
{
    rill_particles particles;
    rill_mesh mesh;
    rill_error err = {0};
    const rill_surface_options options = rill_surface_default();
    must(!rill_export_frame(frame, RILL_EXPORT_VTP, place_of(folder, "vtp", name).path, &err), "VTP", &err);
    must(!rill_export_frame(frame, RILL_EXPORT_PLY, place_of(folder, "ply", name).path, &err), "PLY", &err);
    must(!rill_particles_of_frame(frame, NULL, &particles, &err), "the particles", &err);
    must(!rill_surface_make(&particles, &options, &mesh, NULL, &err), "the surface", &err);
    char other[80];
    snprintf(other, sizeof other, "%s_mesh", name);
    must(!rill_mesh_write(&mesh, RILL_MESH_VTP, place_of(folder, "vtp", other).path, &err), "a mesh", &err);
    must(!rill_mesh_write(&mesh, RILL_MESH_PLY, place_of(folder, "ply", other).path, &err), "a mesh", &err);
    must(!rill_mesh_write(&mesh, RILL_MESH_PLY, place_of(folder, "mesh", name).path, &err), "a mesh", &err);
    rill_mesh_free(&mesh);
    rill_particles_free(&particles);
}

static void world_files(const char *folder, const char *solver, double side)
{
    char name[64];
    rill_error err = {0};
    rill_frame_file frame;
    rill_scene scene = scene_make(solver, side);
    const rill_options options = {.threads = 1};
    rill_world *world = rill_world_create(&scene, &options, &err);
    must(world, solver, &err);
    for (int i = 0; i < 3; i++) must(!rill_step(world, NULL, NULL, &err), "a step", &err);
    snprintf(name, sizeof name, "%s_%g", solver, side);
    const place path = place_of(folder, "frame", name);
    must(!rill_frame_file_write(path.path, world, &err), "a frame", &err);
    must(!rill_frame_file_read(path.path, &frame, &err), "the frame", &err);
    frame_files(folder, name, &frame);
    rill_frame_file_free(&frame);
    rill_world_destroy(world);
    rill_scene_free(&scene);
}

/* ---- pictures ---- */

static void pictures_make(const char *folder, uint32_t width, uint32_t height)
{
    char name[32];
    rill_picture light;
    rill_error err = {0};
    must(rill_picture_create(&light, width, height), "a picture", NULL);
    rill_pixels pixels = {.width = width, .height = height, .rgb = calloc((size_t)width * height, 3)};
    must(pixels.rgb, "a picture", NULL);
    for (size_t i = 0; i < 3 * (size_t)width * height; i++) {
        light.rgb[i] = (float)(i % 7) * 0.3f;
        pixels.rgb[i] = (uint8_t)(i * 5);
    }
    snprintf(name, sizeof name, "%ux%u", width, height);
    must(!rill_picture_write_exr(&light, place_of(folder, "exr", name).path, &err), "EXR", &err);
    must(!rill_pixels_write(&pixels, place_of(folder, "png", name).path, &err), "PNG", &err);
    free(pixels.rgb);
    rill_picture_free(&light);
}

/* OpenEXR as others write it: every compression, half and full floats, lines or tiles. */
static exr_result_t exr_chunks(exr_context_t exr, int side, int step, bool tiles)
{
    static float lines[64 * 64 * 4];
    exr_result_t trouble = EXR_ERR_SUCCESS;
    for (int i = 0; i < 64 * 64 * 4; i++) lines[i] = (float)(i % 11) * 0.25f;
    for (int y = 0; y < side && !trouble; y += step) {
        exr_chunk_info_t chunk;
        exr_encode_pipeline_t encoder = EXR_ENCODE_PIPELINE_INITIALIZER;
        trouble = tiles ? exr_write_tile_chunk_info(exr, 0, 0, y / step, 0, 0, &chunk)
                        : exr_write_scanline_chunk_info(exr, 0, y, &chunk);
        if (!trouble) trouble = exr_encoding_initialize(exr, 0, &chunk, &encoder);
        for (int c = 0; c < encoder.channel_count && !trouble; c++) {
            encoder.channels[c].user_bytes_per_element = sizeof(float);
            encoder.channels[c].user_data_type = EXR_PIXEL_FLOAT;
            encoder.channels[c].user_pixel_stride = 4 * sizeof(float);
            encoder.channels[c].user_line_stride = 64 * 4 * sizeof(float);
            encoder.channels[c].encode_from_ptr = (const uint8_t *)(lines + c);
        }
        if (!trouble) trouble = exr_encoding_choose_default_routines(exr, 0, &encoder);
        if (!trouble) trouble = exr_encoding_run(exr, 0, &encoder);
        exr_encoding_destroy(exr, &encoder);
    }
    return trouble;
}

static void exr_make(const char *folder, int compression, bool tiles, const char *channels)
{
    enum { SIDE = 24, TILE = 24 };
    char name[64];
    exr_context_t exr = NULL;
    int part, step = TILE;
    exr_context_initializer_t setup = EXR_DEFAULT_CONTEXT_INITIALIZER;
    snprintf(name, sizeof name, "%s_%d_%s", tiles ? "tiles" : "lines", compression, channels);
    const place path = place_of(folder, "exr", name);
    exr_result_t trouble = exr_start_write(&exr, path.path, EXR_WRITE_FILE_DIRECTLY, &setup);
    if (!trouble) trouble = exr_add_part(exr, NULL, tiles ? EXR_STORAGE_TILED : EXR_STORAGE_SCANLINE, &part);
    if (!trouble) trouble = exr_initialize_required_attr_simple(exr, 0, SIDE, SIDE, (exr_compression_t)compression);
    if (!trouble && tiles)
        trouble = exr_set_tile_descriptor(exr, 0, TILE, TILE, EXR_TILE_ONE_LEVEL, EXR_TILE_ROUND_DOWN);
    for (const char *c = channels; *c && !trouble; c++)
        trouble = exr_add_channel(exr, 0, (const char[]){*c, 0}, compression % 2 ? EXR_PIXEL_FLOAT : EXR_PIXEL_HALF,
                                  EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    if (!trouble) trouble = exr_write_header(exr);
    if (!trouble && !tiles) trouble = exr_get_scanlines_per_chunk(exr, 0, &step);
    if (!trouble) trouble = exr_chunks(exr, SIDE, step, tiles);
    if (exr) exr_finish(&exr);
    if (trouble) remove(path.path); /* the library does not write every kind */
}

int main(int count, char **arguments)
{
    static const char *const solvers[] = {"dfsph", "iisph", "pcisph", "pbf", "wcsph"};
    rill_error err = {0};
    if (count != 2) return fprintf(stderr, "Usage: make_corpus FOLDER\n"), 2;
    must(!mkdir(arguments[1], 0777) || errno == EEXIST, arguments[1], NULL);
    texts_make(arguments[1]);
    must(!rill_scene_list(scene_seed, arguments[1], &err), "the list of scenes", &err);
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) world_files(arguments[1], solvers[i], 0.2);
    world_files(arguments[1], "dfsph", 0.4);
    pictures_make(arguments[1], 4, 3);
    pictures_make(arguments[1], 1, 1);
    pictures_make(arguments[1], 40, 33);
    for (int compression = 0; compression < 10; compression++) {
        exr_make(arguments[1], compression, false, "ABGR");
        exr_make(arguments[1], compression, true, "BGR");
        exr_make(arguments[1], compression, false, compression % 2 ? "BGY" : "Y");
    }
    return 0;
}
