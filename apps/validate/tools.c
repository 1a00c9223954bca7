/* rill validate: what all cases need: scenes, steps, curves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "command.h"
#include "parts.h"
#include "say.h"

/* ---- results ---- */

bool validate_passes(const validate_result *r)
{
    return !*r->reason && (!(r->bar > 0) || r->value <= r->bar);
}

static validate_result *result_add(validation *v, const char *solver)
{
    validate_result *r = &v->results[v->count < VALIDATE_RESULTS_MAX - 1 ? v->count++ : v->count];
    *r = (validate_result){.particles = v->particles};
    snprintf(r->solver, sizeof r->solver, "%s", solver);
    return r;
}

void validate_note(validation *v, const char *solver, const char *what, double value, const char *unit)
{
    validate_result *r = result_add(v, solver);
    snprintf(r->what, sizeof r->what, "%s", what);
    snprintf(r->unit, sizeof r->unit, "%s", unit);
    r->value = value;
    r->bar = validate_bar_of(v->now->name, solver, what);
    if (!isfinite(value)) snprintf(r->reason, sizeof r->reason, "It could not be measured.");
    progress_clear(&v->progress);
    if (v->quiet) return;
    fprintf(stderr, "  %s, %s: %s %.3g %s", v->now->name, solver, what, value, unit);
    if (r->bar > 0) fprintf(stderr, ", bar %g %s: %s", r->bar, unit, validate_passes(r) ? "met" : "MISSED");
    fputc('\n', stderr);
}

void validate_fail(validation *v, const char *solver, const char *reason)
{
    validate_result *r = result_add(v, solver);
    snprintf(r->what, sizeof r->what, "runs to its end");
    snprintf(r->reason, sizeof r->reason, "%s", reason);
    r->value = NAN;
    progress_clear(&v->progress);
    if (!v->quiet) fprintf(stderr, "  %s, %s: %s\n", v->now->name, solver, reason);
}

/* ---- worlds ---- */

rill_scene validate_scene(double diameter, const char *solver)
{
    rill_scene scene = rill_scene_default();
    const rill_fluid water = rill_fluid_default();
    snprintf(scene.solver.kind, sizeof scene.solver.kind, "%s", solver);
    scene.particle_diameter = diameter;
    scene.gravity = (rill_vec3){0, 0, 0};
    rill_scene_add_fluid(&scene, &water, NULL);
    return scene;
}

void validate_fill(rill_scene *scene, rill_vec3 from, rill_vec3 to)
{
    rill_fill fill = rill_fill_default();
    fill.shape = (rill_shape){.kind = RILL_SHAPE_BOX, .from = from, .to = to};
    rill_scene_add_fill(scene, &fill, NULL);
}

void validate_tank(rill_scene *scene, rill_vec3 from, rill_vec3 to, double slip)
{
    rill_boundary tank = rill_boundary_default();
    tank.shape.from = from;
    tank.shape.to = to;
    tank.slip = slip;
    rill_scene_add_boundary(scene, &tank, NULL);
}

double validate_slab(rill_scene *scene)
{
    scene->periodic[1] = true;
    scene->domain_to.y = fmax(6, ceil(2 * scene->support)) * scene->particle_diameter;
    return scene->domain_to.y;
}

rill_world *validate_world(validation *v, rill_scene *scene)
{
    rill_error err = {0};
    const rill_options options = {.threads = v->threads};
    /* A scene that lacks what was added for want of memory is refused here. */
    rill_world *world = rill_world_create(scene, &options, &err);
    v->particles = world ? rill_world_frame(world).count : 0;
    snprintf(v->label, sizeof v->label, "%.30s, %.20s", v->now->name, scene->solver.kind);
    v->progress = progress_start(v->quiet, 0);
    if (!world) validate_fail(v, scene->solver.kind, err.text);
    rill_scene_free(scene);
    return world;
}

static void progress_line_show(validation *v, double share, const rill_report *r)
{
    progress_line line = {0};
    if (!progress_due(&v->progress, share)) return;
    progress_add(&line, 60, "%s", v->label);
    progress_add(&line, 40, "t %.3g s", r->time);
    progress_add(&line, 20, "%s", say_many(r->particles, "particle").text);
    progress_show(&v->progress, share, &line);
}

bool validate_to(validation *v, rill_world *world, double time, double end, rill_report *report)
{
    rill_error err = {0};
    const rill_controls controls = {.until = time};
    while (rill_world_time(world) < time) {
        if (rill_step(world, &controls, report, &err)) {
            validate_fail(v, rill_world_scene(world)->solver.kind, err.text);
            return false;
        }
        progress_line_show(v, fmin(report->time / end, 1), report);
    }
    return true;
}

bool validate_stir(validation *v, rill_world *world, validate_velocity *velocity, const void *user)
{
    const rill_frame frame = rill_world_frame(world);
    rill_error err = {0};
    float *u = calloc(3 * (size_t)frame.count + 1, sizeof *u);
    uint64_t *ids = malloc((frame.count + 1) * sizeof *ids);
    for (size_t i = 0; u && ids && i < frame.count; i++) {
        float x[4] = {0}, now[4] = {0};
        memcpy(x, frame.position + 4 * i, 3 * sizeof *x);
        memcpy(now, frame.velocity + 4 * i, 3 * sizeof *now);
        velocity(user, x, now);
        memcpy(u + 3 * i, now, 3 * sizeof *now);
        ids[i] = frame.id[i];
    }
    bool good = u && ids;
    if (!good) rill_fail(&err, RILL_NO_MEMORY, "There is no memory for %u velocities.", frame.count);
    good = good && !rill_world_set_velocities(world, ids, u, frame.count, &err);
    if (!good) validate_fail(v, rill_world_scene(world)->solver.kind, err.text);
    free(u);
    free(ids);
    return good;
}

/* ---- curves ---- */

bool validate_track_add(validate_track *t, double x, double y)
{
    if (t->count == t->room) {
        const size_t room = t->room ? 2 * t->room : 64;
        double *more_x = realloc(t->x, room * sizeof *more_x);
        if (more_x) t->x = more_x;
        double *more_y = realloc(t->y, room * sizeof *more_y);
        if (more_y) t->y = more_y;
        if (!more_x || !more_y) return false;
        t->room = room;
    }
    t->x[t->count] = x;
    t->y[t->count++] = y;
    return true;
}

void validate_points(validate_track *t, const double (*points)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) validate_track_add(t, points[i][0], points[i][1]);
}

double validate_track_at(const validate_track *t, double x)
{
    if (!t->count) return NAN;
    if (x <= t->x[0]) return t->y[0];
    for (size_t i = 1; i < t->count; i++) {
        if (t->x[i] < x) continue;
        const double share = (x - t->x[i - 1]) / (t->x[i] - t->x[i - 1]);
        return t->y[i - 1] + share * (t->y[i] - t->y[i - 1]);
    }
    return t->y[t->count - 1];
}

void validate_track_free(validate_track *t)
{
    free(t->x);
    free(t->y);
    *t = (validate_track){0};
}

rill_chart validate_chart(const char *name, const char *title, const char *note, const char *along, const char *unit)
{
    rill_chart chart = {0};
    snprintf(chart.name, sizeof chart.name, "%s", name);
    snprintf(chart.title, sizeof chart.title, "%s", title);
    snprintf(chart.note, sizeof chart.note, "%s", note);
    snprintf(chart.along, sizeof chart.along, "%s", along);
    snprintf(chart.unit, sizeof chart.unit, "%s", unit);
    return chart;
}

void validate_curve(rill_chart *chart, const char *label, const validate_track *t, unsigned colour,
                    rill_curve_style style)
{
    if (chart->curve_count == RILL_CURVES_MAX || !t->count) return;
    rill_curve *curve = &chart->curves[chart->curve_count];
    *curve = (rill_curve){.at = t->x, .rows = t->count, .colour = colour, .style = style};
    snprintf(curve->label, sizeof curve->label, "%s", label);
    curve->values = rill_malloc(t->count * sizeof *curve->values);
    if (!curve->values) return;
    memcpy(curve->values, t->y, t->count * sizeof *curve->values);
    chart->curve_count++;
}

int validate_draw(const validation *v, rill_chart *chart)
{
    /* Small enough that a page with all of them loads at once. */
    const plot_target target = {v->folder, PLOT_PNG, 800, 500, NULL};
    int code = chart->curve_count ? plot_draw(&target, chart->name, plot_chart_write, chart) : EXIT_FINE;
    rill_chart_free(chart);
    return code;
}
