/* The host lends the engine its own threads, watches every step, and stops when it has seen enough. With rill
 * installed:
 *   cc 04_own_scheduler.c -o scheduler $(pkg-config --cflags --libs rill) -pthread && ./scheduler */
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
    const unsigned worker = atomic_fetch_add(&j->workers, 1);
    for (size_t i = atomic_fetch_add(&j->next, 1); i < j->count; i = atomic_fetch_add(&j->next, 1))
        j->body(j->context, i, worker);
    return NULL;
}

/* A game hands the job to the pool it has; threads made for every loop keep this short, not fast. */
static void spread(void *user, size_t count, rill_loop_body *body, void *context)
{
    ++*(int *)user;
    job j = {.body = body, .context = context, .count = count};
    pthread_t helper;
    const int alone = pthread_create(&helper, NULL, job_work, &j);
    job_work(&j);
    if (!alone) pthread_join(helper, NULL);
}

static void log_line(void *user, const char *sentence)
{
    (void)user;
    printf("rill: %s\n", sentence);
}

/* After every step; false stops. */
static bool watch(void *user, const rill_world *world, const rill_report *report)
{
    (void)user, (void)world;
    return report->speed_max < 2.5;
}

int main(void)
{
    int loops = 0;
    rill_error err = {0};
    rill_scene scene = rill_scene_default();
    rill_fluid water = rill_fluid_default();
    rill_fill column = rill_fill_default();
    rill_boundary tank = rill_boundary_default();
    scene.particle_diameter = 0.05;
    column.shape.to = (rill_vec3){0.5, 0.5, 0.75};
    tank.shape.to = (rill_vec3){1.5, 0.5, 1.0};
    rill_scene_add_fluid(&scene, &water, &err);
    rill_scene_add_fill(&scene, &column, &err);
    rill_scene_add_boundary(&scene, &tank, &err);

    const rill_scheduler scheduler = {.parallel_for = spread, .user = &loops, .workers = WORKERS};
    rill_options options = rill_options_default();
    options.scheduler = &scheduler;
    options.log = log_line;
    rill_world *world = rill_world_create(&scene, &options, &err);
    rill_controls controls = rill_controls_default();
    controls.each_step = watch;
    rill_report report = {0};
    const rill_status status = world ? rill_advance(world, 2, &controls, &report, &err) : err.status;
    if (status == RILL_CANCELLED)
        printf("stopped at %.2f s: water at %.2f m/s, after %d loops on %d threads\n", report.time, report.speed_max,
               loops, WORKERS);
    else if (status) fprintf(stderr, "%s\n", err.text);
    rill_world_destroy(world);
    rill_scene_free(&scene);
    return status == RILL_OK || status == RILL_CANCELLED ? 0 : 1;
}
