/* The public API under misuse: every number of every struct gets every strange
 * value, calls come in any order, worlds live in threads. Jobs run in processes of
 * their own under the sanitizers; each of them once in the order of the seed, then
 * random sequences and threads until the time is over. */
#include "api_sequence.h"
#include "api_threads.h"
#include "api_walk.h"

enum { JOBS_MOST = 512, JOB_SECONDS = 120 };

/* Memory that is not there is the library's to answer, not the sanitizer's. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=4096";
}

typedef struct walk {
    const char *part;
    void (*run)(const job *j, job_result *r);
    const field *fields;
    size_t count;
} walk;

#define WALK(part, run, fields) {part, run, fields, sizeof fields / sizeof *fields}

static const walk walks[] = {
    WALK("scene", walk_scene, scene_fields),       WALK("fluid", walk_scene, fluid_fields),
    WALK("fill", walk_scene, fill_fields),         WALK("boundary", walk_scene, boundary_fields),
    WALK("probe", walk_scene, probe_fields),       WALK("controls", walk_controls, control_fields),
    WALK("bodies", walk_controls, body_control_fields), WALK("gravity", walk_controls, gravity_fields),
    WALK("options", walk_options, option_fields),  WALK("shot", walk_shot, shot_fields),
    WALK("surface", walk_surface, surface_fields), WALK("particles", walk_surface, particle_fields),
    WALK("trace", walk_render, trace_fields),      WALK("camera", walk_render, camera_fields),
    WALK("material", walk_render, material_fields), WALK("sky", walk_render, sky_fields),
};

static const walk others[] = {
    {"calls", random_calls, NULL, 1},    {"worlds", worlds_in_threads, NULL, 1}, {"readers", many_readers, NULL, 1},
    {"texts", texts_in_threads, NULL, 1}, {"schedulers", host_schedulers, NULL, 1}, {"churn", churn, NULL, 1},
};

enum { WALK_COUNT = sizeof walks / sizeof *walks, OTHER_COUNT = sizeof others / sizeof *others };

static uint32_t list_jobs(job *jobs)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < WALK_COUNT + OTHER_COUNT; w++) {
        const walk *walk = w < WALK_COUNT ? &walks[w] : &others[w - WALK_COUNT];
        for (size_t f = 0; f < walk->count && n < JOBS_MOST; f++)
            jobs[n++] = (job){.part = walk->part, .run = walk->run, .field = walk->fields ? &walk->fields[f] : NULL};
    }
    return n;
}

static void run_in_child(void *context, void *result)
{
    const job *j = context;
    memset(result, 0, sizeof(job_result));
    j->run(j, result);
}

/* A name from which a job can be found again: its part or field, and its seed. */
static void run_job(section *s, job *j)
{
    char name[160], text[SECTION_LINE];
    job_result r = {0};
    j->work = s->work;
    snprintf(name, sizeof name, "%s %s %llu", j->part, j->field ? j->field->name : "-", (unsigned long long)j->seed);
    const double start = section_now();
    const char *broken = section_child(s, run_in_child, j, &r, sizeof r, JOB_SECONDS, text);
    section_count(s, j->part);
    s->cases += r.cases;
    if (broken || r.fault[0]) section_find(s, name, broken ? broken : r.fault);
    else fprintf(stderr, "api: %s: %llu calls, %.1f s\n", name, (unsigned long long)r.cases, section_now() - start);
}

static void run_one(section *s, job *jobs, uint32_t count)
{
    char part[64], name[160];
    unsigned long long seed;
    if (sscanf(s->one, "%63s %159s %llu", part, name, &seed) != 3) section_usage(s->program);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(jobs[i].part, part) || strcmp(jobs[i].field ? jobs[i].field->name : "-", name)) continue;
        jobs[i].seed = seed;
        run_job(s, &jobs[i]);
        return;
    }
    section_usage(s->program);
}

static void run_jobs(section *s, job *jobs, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t k = section_pick(s, i);
        const job j = jobs[k];
        jobs[k] = jobs[i - 1];
        jobs[i - 1] = j;
    }
    for (uint32_t i = 0; section_time_left(s); i++) {
        job j = i < count ? jobs[i] : (job){0};
        const walk *other = &others[section_pick(s, OTHER_COUNT)];
        /* Every third job is one of many calls, from the start. */
        if (i >= count || i % 3 == 2) j = (job){.part = other->part, .run = other->run};
        j.seed = section_random(s) >> 1;
        run_job(s, &j);
    }
}

int main(int argc, char **argv)
{
    section s = section_begin("api", argc, argv);
    job *jobs = calloc(JOBS_MOST, sizeof *jobs);
    if (!jobs) return 1;
    const uint32_t count = list_jobs(jobs);
    if (s.one) run_one(&s, jobs, count);
    else run_jobs(&s, jobs, count);
    free(jobs);
    section_print(&s);
    return section_end(&s);
}
