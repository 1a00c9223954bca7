/* A ball is dragged to and fro through water, as a game would do it: the host decides the ball's velocity before
 * every picture, reads the particles after it, and lends the engine its own threads. With rill installed:
 *   cc stir.c -o stir $(pkg-config --cflags --libs rill) -pthread && ./stir */
#include <pthread.h>
#include <rill/rill.h>
#include <stdatomic.h>
#include <stdio.h>

enum { WORKERS = 2 };

typedef struct job {
    rill_loop_body *body;
    void *context;
    size_t count;
    atomic_size_t next;
    atomic_uint workers;
} job;

static void *job_work(void *data)
{
    job *j = data;
    unsigned worker = atomic_fetch_add(&j->workers, 1);
    for (size_t i = atomic_fetch_add(&j->next, 1); i < j->count; i = atomic_fetch_add(&j->next, 1))
        j->body(j->context, i, worker);
    return NULL;
}

/* A game hands the job to the pool it has; threads made for every loop keep this short, not fast. */
static void spread(void *user, size_t count, rill_loop_body *body, void *context)
{
    (void)user;
    job j = {.body = body, .context = context, .count = count};
    pthread_t helper;
    int alone = pthread_create(&helper, NULL, job_work, &j);
    job_work(&j);
    if (!alone) pthread_join(helper, NULL);
}

static rill_scene scene_make(rill_error *err)
{
    rill_scene scene = rill_scene_default();
    rill_fluid water = rill_fluid_default();
    rill_fill pool = rill_fill_default();
    rill_boundary tank = rill_boundary_default(), ball = rill_boundary_default();
    scene.particle_diameter = 0.05;
    pool.shape.to = (rill_vec3){1.5, 0.5, 0.4};
    tank.shape.to = (rill_vec3){1.5, 0.5, 1};
    ball.shape = (rill_shape){.kind = RILL_SHAPE_SPHERE, .center = {0.3, 0.25, 0.25}, .radius = 0.1};
    ball.solid = true;
    rill_scene_add_fluid(&scene, &water, err);
    rill_scene_add_fill(&scene, &pool, err);
    rill_scene_add_boundary(&scene, &tank, err); /* boundary 0 */
    rill_scene_add_boundary(&scene, &ball, err); /* boundary 1 */
    return scene;
}

/* The highest particle: what a picture would be made of. */
static double splash_height(rill_frame frame)
{
    double highest = 0;
    for (uint32_t i = 0; i < frame.count; i++)
        if (frame.position[4 * i + 2] > highest) highest = frame.position[4 * i + 2];
    return highest;
}

int main(void)
{
    rill_error err = {0};
    rill_report report;
    rill_scene scene = scene_make(&err);
    rill_scheduler scheduler = {.parallel_for = spread, .workers = WORKERS};
    rill_options options = {.scheduler = &scheduler};
    rill_world *world = rill_world_create(&scene, &options, &err);
    for (int picture = 0; world && !err.status && picture < 30; picture++) {
        rill_body_control drag = {.boundary = 1, .low = {picture % 20 < 10 ? 1.5 : -1.5, 0, 0}};
        rill_controls controls = {.bodies = &drag, .body_count = 1};
        if (rill_advance(world, 1 / 30.0, &controls, &report, &err)) break;
        if (picture % 10 == 9)
            printf("%.2f s: ball at x = %.2f m, water up to %.2f m\n", report.time,
                   rill_world_boundary_shape(world, 1).center.x, splash_height(rill_world_frame(world)));
    }
    if (err.status) fprintf(stderr, "%s\n", err.text);
    rill_world_destroy(world);
    rill_scene_free(&scene);
    return err.status == RILL_OK ? 0 : 1;
}
