/* A drop falls into a pool; the closed surface of the water becomes a mesh for Blender and a picture by path tracing.
 * With rill installed:
 *   cc 05_mesh_and_picture.c -o picture $(pkg-config --cflags --libs rill-render) -lm && ./picture */
#include <math.h>
#include <rill/frames.h>
#include <rill/rill.h>
#include <rill/surface.h>
#include <rill/trace.h>
#include <stdio.h>

static rill_world *world_make(rill_scene *scene, rill_error *err)
{
    rill_fluid water = rill_fluid_default();
    rill_fill pool = rill_fill_default(), drop = rill_fill_default();
    rill_boundary tank = rill_boundary_default();
    *scene = rill_scene_default();
    scene->particle_diameter = 0.04;
    pool.shape.to = (rill_vec3){1, 1, 0.2};
    drop.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {0.5, 0.5, 0.45}, .radius = 0.15};
    drop.velocity = (rill_vec3){0, 0, -2};
    tank.shape.to = (rill_vec3){1, 1, 1};
    rill_scene_add_fluid(scene, &water, err);
    rill_scene_add_fill(scene, &pool, err);
    rill_scene_add_fill(scene, &drop, err);
    rill_scene_add_boundary(scene, &tank, err);
    return rill_world_create(scene, NULL, err);
}

/* The surface of a world's liquid, as it is now. */
static rill_status surface_of(const rill_world *world, rill_mesh *mesh, rill_error *err)
{
    rill_frame_file frame;
    rill_particles particles = rill_particles_default();
    rill_status status = rill_frame_file_of_world(world, &frame, err);
    if (status) return status;
    status = rill_particles_of_frame(&frame, rill_world_scene(world), &particles, err);
    rill_frame_file_free(&frame);
    rill_surface_options options = rill_surface_default();
    options.smooth = 3;
    if (!status) status = rill_surface_make(&particles, &options, mesh, NULL, err);
    rill_particles_free(&particles);
    return status;
}

static rill_stage *stage_make(const rill_mesh *mesh, rill_error *err)
{
    rill_stage *stage = rill_stage_create(err);
    if (!stage) return NULL;
    const float ground[12] = {-5, -5, -0.02f, 5, -5, -0.02f, 5, 5, -0.02f, -5, 5, -0.02f};
    const uint32_t squares[6] = {0, 1, 2, 0, 2, 3};
    rill_material stone = rill_material_default(RILL_MATERIAL_LAMBERT),
                  water = rill_material_default(RILL_MATERIAL_COATED);
    stone.colour[0] = 0.5f, stone.colour[1] = 0.45f, stone.colour[2] = 0.4f;
    water.colour[0] = 0.05f, water.colour[1] = 0.25f, water.colour[2] = 0.5f;
    rill_sky sky = rill_sky_default(RILL_SKY_PREETHAM);
    uint32_t material;
    const rill_triangles floor = {.vertex_count = 4, .triangle_count = 2, .position = ground, .triangle = squares};
    const rill_triangles surface = {.vertex_count = mesh->vertex_count, .triangle_count = mesh->triangle_count,
                                    .position = mesh->position, .normal = mesh->normal, .triangle = mesh->triangle};
    if (rill_stage_add_material(stage, &stone, &material, err) ||
        rill_stage_add_triangles(stage, &floor, material, err) ||
        rill_stage_add_material(stage, &water, &material, err) ||
        rill_stage_add_triangles(stage, &surface, material, err) || rill_stage_set_sky(stage, &sky, err) ||
        rill_stage_commit(stage, err)) {
        rill_stage_free(stage);
        return NULL;
    }
    return stage;
}

/* Linear light to a portable pixmap, which every viewer of pictures opens. */
static int picture_write(const rill_trace_result *picture, double white, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file) return 1;
    fprintf(file, "P6 %u %u 255\n", picture->width, picture->height);
    for (size_t i = 0; i < 3 * (size_t)picture->width * picture->height; i++) {
        const double level = fmin(1, 0.7 * picture->rgb[i] / white);
        fputc((int)(255 * pow(level, 1 / 2.2) + 0.5), file);
    }
    return fclose(file);
}

int main(void)
{
    rill_error err = {0};
    rill_scene scene;
    rill_mesh mesh = {0};
    rill_trace_result picture = {0};
    rill_world *world = world_make(&scene, &err);
    rill_stage *stage = NULL;
    if (world && !rill_advance(world, 0.25, NULL, NULL, &err) && !surface_of(world, &mesh, &err) &&
        !rill_mesh_write(&mesh, RILL_MESH_PLY, "splash.ply", &err))
        stage = stage_make(&mesh, &err);
    rill_camera camera = rill_camera_default();
    camera.eye = (rill_vec3){2.2, -1.6, 1.5};
    camera.target = (rill_vec3){0.5, 0.5, 0.15};
    rill_trace_options options = rill_trace_default();
    options.width = 320;
    options.height = 200;
    options.samples = 16;
    if (stage && !rill_trace(stage, &camera, &options, &picture, &err) &&
        picture_write(&picture, rill_stage_white(stage), "splash.ppm"))
        rill_fail(&err, RILL_IO_FAILED, "splash.ppm could not be written.");
    if (!err.status) printf("splash.ply with %zu triangles, splash.ppm with %u x %u pixels\n", mesh.triangle_count,
                            picture.width, picture.height);
    else fprintf(stderr, "%s\n", err.text);
    rill_trace_result_free(&picture);
    rill_stage_free(stage);
    rill_mesh_free(&mesh);
    rill_world_destroy(world);
    rill_scene_free(&scene);
    return err.status == RILL_OK ? 0 : 1;
}
