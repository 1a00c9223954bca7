/* The command line of `rill render`, one word a line: looks, grounds, lights, cameras, tanks, formats and numbers. What
 * is taken must make pictures: materials within their bounds, a sun above the horizon, a camera that stands
 * somewhere. */
#include <math.h>

#include "base/vec3.h"
#include "fuzz.h"
#include "render/look.h"
#include "render_parts.h"
#include "said.h"

static const char *const words[] = {"--look\n",   "--look=",    "--ground=",
                                    "--light=",   "--camera=",  "--tank=",
                                    "--format=",  "--azimuth=", "--elevation=",
                                    "--width=",   "--height=",  "--samples=",
                                    "--noise=",   "--fps=",     "--film=a.mp4\n",
                                    "--threads=", "--mesh",     "--caustics",
                                    "--frames=",  "clear",      "river",
                                    "ocean",      "toy",        "clay",
                                    "plain",      "checks",     "a.png",
                                    "./a.exr",    "sky",        "lamps",
                                    "fixed",      "orbit",      "follow",
                                    "glass",      "unseen",     "png",
                                    "exr",        ",",          "\n",
                                    "=",          "--",         "CLEAR",
                                    "cl",         "FILE.png",   "--help",
                                    "run",        "-62",        "1e300",
                                    "90"};

static void shares_check(const char *what, const float *values, double most)
{
    for (int k = 0; k < 3; k++)
        FUZZ_CHECK(values[k] >= 0 && (double)values[k] <= most, "%s of %g", what, (double)values[k]);
}

static void material_check(const rill_material *m, double size)
{
    shares_check("a colour", m->colour, 1);
    shares_check("a second colour", m->second, 1);
    shares_check("absorption", m->absorption, 100 / size);
    shares_check("scattering", m->scattering, 100 / size);
    FUZZ_CHECK(m->roughness >= 0 && m->roughness <= 1 && m->index >= 1 && m->index < 3 && fabsf(m->forward) < 1 &&
                   isfinite(m->pattern_size),
               "roughness %g, index %g", (double)m->roughness, (double)m->index);
}

/* Liquids of every colour and weight, scenes of every size. */
static void materials_try(rill_look look, uint32_t choice)
{
    static const double sizes[] = {1e-4, 0.3, 1, 1e3}, densities[] = {1, 998, 1050, 13600};
    const double size = sizes[choice % 4];
    rill_fluid fluid = rill_fluid_default();
    fluid.density = densities[choice / 4 % 4];
    fluid.colour = choice >> 8;
    const rill_material all[] = {rill_look_liquid(look, &fluid, size), rill_look_glass(size), rill_look_solid(look),
                                 rill_look_ground(look, size)};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) material_check(&all[i], size);
    float light[3];
    rill_look_distance(look, light);
    shares_check("a factor of distance", light, 1);
    rill_look_backdrop(look, light);
    shares_check("a backdrop", light, 1);
}

static void camera_try(const render_job *job)
{
    rill_orbit orbit = job->orbit;
    orbit.box = (rill_bounds){{-1, -2, 0}, {3, 1, 0.5}};
    orbit.track_count = 2;
    orbit.time[1] = 1;
    orbit.middle[1] = (rill_vec3){1, 0.5, 0.25};
    for (int k = 0; k < 3; k++) {
        const rill_camera c = rill_orbit_camera(&orbit, 0.5 * k, 0.7 * k, (uint32_t)job->width, (uint32_t)job->height);
        FUZZ_CHECK(rill_vec3_finite(c.eye) && rill_vec3_finite(c.target) && c.angle > 0 && c.angle < 180 &&
                       rill_vec3_length(rill_vec3_sub(c.eye, c.target)) > 0,
                   "the camera stands at (%g, %g, %g)", c.eye.x, c.eye.y, c.eye.z);
    }
    const rill_sky sky = rill_look_sky(job->look, job->azimuth);
    FUZZ_CHECK(rill_vec3_finite(sky.sun) && sky.sun.z > 0, "the sun stands at a height of %g", sky.sun.z);
}

static void job_try(const render_job *job, uint32_t choice)
{
    FUZZ_CHECK(rill_look_name(job->look) && rill_orbit_name(job->orbit.kind) && job->ground <= RILL_GROUND_TEXTURE &&
                   job->light <= RILL_LIGHT_MAP && job->formats && job->formats <= (FORMAT_PNG | FORMAT_EXR),
               "look %d, camera %d, ground %d, light %d", (int)job->look, (int)job->orbit.kind, (int)job->ground,
               (int)job->light);
    FUZZ_CHECK((job->ground == RILL_GROUND_TEXTURE) == (strpbrk(job->ground_name, "./") != NULL) &&
                   (job->light == RILL_LIGHT_MAP) == (strpbrk(job->light_name, "./") != NULL),
               "'%s' and '%s' are taken for files or are not", job->ground_name, job->light_name);
    FUZZ_CHECK(job->width <= 16384 && job->height <= 16384 && job->samples <= 65536 && isfinite(job->azimuth),
               "%llu x %llu pixels", (unsigned long long)job->width, (unsigned long long)job->height);
    materials_try(job->look, choice);
    camera_try(job);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *arguments[SAID_ARGUMENTS], *text = fuzz_copy(data, size);
    render_job job;
    said s;
    const int count = said_arguments(text, arguments);
    said_begin(&s);
    const options_result read = render_options_read(count, arguments, &job);
    said_end(&s, options_code(read));
    if (read == OPTIONS_GO) {
        said_begin(&s);
        const int code = render_words_check(&job);
        said_end(&s, code);
        if (!code) job_try(&job, fuzz_hash(data, size));
    }
    free(text);
    return 0;
}

/* Command lines that are mostly right: what lies behind the first mistake is not looked at. */
static size_t look_make(uint8_t *data, size_t most, fuzz_random *random)
{
    static const char *const options[][6] = {{"look", "clear", "river", "ocean", "toy", "clay"},
                                             {"camera", "fixed", "orbit", "follow", "fixed", "orbit"},
                                             {"ground", "plain", "checks", "a.png", "b/c.exr", "checks"},
                                             {"light", "sky", "lamps", "a.exr", "./b", "sky"},
                                             {"tank", "glass", "unseen", "glass", "unseen", "glass"},
                                             {"format", "png", "exr", "png,exr", "PNG", "exr,png"},
                                             {"azimuth", "-62", "3600", "1e-300", "0", "-3600"},
                                             {"elevation", "0", "90", "14", "1e-9", "89.999"},
                                             {"width", "16", "16384", "640", "17", "1000"},
                                             {"height", "16", "16384", "480", "17", "1000"},
                                             {"noise", "1", "0.0001", "0.1", "1e-4", "0.5"}};
    fuzz_bytes out = {data, 0, most};
    for (uint32_t n = fuzz_below(random, 8); n; n--) {
        const char *const *o = FUZZ_PICK(random, options);
        fuzz_print(&out, "--%s%c%s\n", o[0], fuzz_chance(random, 2) ? '=' : '\n', o[1 + fuzz_below(random, 5)]);
    }
    return out.size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    fuzz_random random = fuzz_random_from(seed);
    if (fuzz_chance(&random, 4)) size = look_make(data, most, &random);
    if (fuzz_chance(&random, 8)) return size;
    return fuzz_text_mutate(data, size, most, &random, words, sizeof words / sizeof *words);
}
