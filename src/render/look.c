/* Looks. The river is a volume that absorbs by Beer and Lambert, T = exp(-s d), and scatters a little; the ocean is a
 * surface that mirrors by Fresnel over a body too deep to see into; the toy is the smoothed union of a sphere for each
 * particle. Absorption of water is that of Pope and Fry (1997) near 620, 540 and 450 nm in its proportions, in strength
 * what suits the size of the scene. */
#include "render/look.h"
#include "text/pi.h"

#include <math.h>
#include <string.h>

static const char *const names[RILL_LOOK_COUNT] = {[RILL_LOOK_CLEAR] = "clear", [RILL_LOOK_RIVER] = "river",
                                                   [RILL_LOOK_OCEAN] = "ocean", [RILL_LOOK_TOY] = "toy",
                                                   [RILL_LOOK_CLAY] = "clay"};

const char *rill_look_name(rill_look look)
{
    return look < RILL_LOOK_COUNT ? names[look] : NULL;
}

bool rill_look_is_clear(rill_look look)
{
    return look == RILL_LOOK_CLEAR || look == RILL_LOOK_RIVER;
}

bool rill_look_has_glass(rill_look look)
{
    return look == RILL_LOOK_CLEAR;
}

static void colour_set(float colour[3], double red, double green, double blue)
{
    colour[0] = (float)red, colour[1] = (float)green, colour[2] = (float)blue;
}

/* From the bytes of a screen to light. */
static void colour_take(uint32_t rgb, float colour[3])
{
    for (int k = 0; k < 3; k++) {
        const double v = (rgb >> (16 - 8 * k) & 255) / 255.0;
        colour[k] = (float)(v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
    }
}

/* ---- liquids ---- */

static bool is_water(const rill_fluid *fluid)
{
    return fabs(fluid->density - 1000) < 60;
}

/* Blue of any shade is water as it is; everything else is dyed. */
static bool is_plain(const rill_fluid *fluid, const float colour[3])
{
    return is_water(fluid) && colour[2] > colour[1] && colour[1] > colour[0];
}

static rill_material clear_liquid(const rill_fluid *fluid, double size)
{
    static const double water[3] = {1, 0.23, 0.1};
    rill_material m = rill_material_default(RILL_MATERIAL_DIELECTRIC);
    float dye[3];
    colour_take(fluid->colour, dye);
    const float most = fmaxf(fmaxf(dye[0], dye[1]), fmaxf(dye[2], 0.01f));
    for (int k = 0; k < 3; k++) {
        /* Steeper than the logarithm of the colour, which would turn every yellow red a little deeper down. */
        const double seen = fmax((double)(dye[k] / most), 0.03), dyed = pow(-log(seen), 1.3) + 0.1;
        const double lost = is_plain(fluid, dye) ? water[k] : dyed;
        m.absorption[k] = (float)(lost / size);
    }
    m.index = is_water(fluid) ? 1.333f : 1.47f;
    m.priority = RILL_PRIORITY_LIQUID;
    return m;
}

static rill_material river_liquid(const rill_fluid *fluid, double size)
{
    static const double absorbed[3] = {1.4, 0.42, 0.5}, scattered[3] = {0.5, 0.8, 0.75};
    rill_material m = clear_liquid(fluid, size);
    float dye[3];
    colour_take(fluid->colour, dye);
    for (int k = 0; k < 3; k++) {
        if (is_plain(fluid, dye)) m.absorption[k] = (float)(absorbed[k] / size);
        m.scattering[k] = (float)(scattered[k] / size);
    }
    m.forward = 0.7f;
    return m;
}

static rill_material coated_liquid(rill_look look, const rill_fluid *fluid)
{
    rill_material m = rill_material_default(RILL_MATERIAL_COATED);
    float own[3];
    colour_take(fluid->colour, own);
    m.index = look == RILL_LOOK_OCEAN ? 1.333f : 1.5f;
    m.roughness = look == RILL_LOOK_OCEAN ? 0.02f : 0.12f;
    if (look == RILL_LOOK_TOY) memcpy(m.colour, own, sizeof own);
    else if (is_plain(fluid, own)) colour_set(m.colour, 0.009, 0.042, 0.085);
    else colour_set(m.colour, 0.12 * (double)own[0], 0.12 * (double)own[1], 0.12 * (double)own[2]);
    return m;
}

static rill_material clay_liquid(const rill_fluid *fluid)
{
    rill_material m = rill_material_default(RILL_MATERIAL_LAMBERT);
    float own[3];
    colour_take(fluid->colour, own);
    const double grey = is_plain(fluid, own) ? 0.42 : 0.27;
    colour_set(m.colour, grey, 0.985 * grey, 0.96 * grey);
    return m;
}

rill_material rill_look_liquid(rill_look look, const rill_fluid *fluid, double size)
{
    switch (look) {
    case RILL_LOOK_CLEAR: return clear_liquid(fluid, size);
    case RILL_LOOK_RIVER: return river_liquid(fluid, size);
    case RILL_LOOK_CLAY: return clay_liquid(fluid);
    default: return coated_liquid(look, fluid);
    }
}

/* ---- what stands around ---- */

/* Window glass: its edges show the green that its faces hide. */
rill_material rill_look_glass(double size)
{
    rill_material m = rill_material_default(RILL_MATERIAL_DIELECTRIC);
    m.index = 1.5f;
    m.priority = RILL_PRIORITY_GLASS;
    colour_set(m.absorption, 1.6 / size, 0.55 / size, 0.85 / size);
    return m;
}

rill_material rill_look_solid(rill_look look)
{
    rill_material m = rill_material_default(look == RILL_LOOK_CLAY ? RILL_MATERIAL_LAMBERT : RILL_MATERIAL_COATED);
    m.roughness = 0.25f;
    m.index = 1.5f;
    if (look == RILL_LOOK_TOY) colour_take(0xf2c14e, m.colour);
    else if (look == RILL_LOOK_CLAY) colour_set(m.colour, 0.25, 0.25, 0.25);
    else colour_take(0xc9b79c, m.colour);
    return m;
}

rill_material rill_look_ground(rill_look look, double size)
{
    rill_material m = rill_material_default(RILL_MATERIAL_LAMBERT);
    m.pattern_size = size / 8;
    switch (look) {
    case RILL_LOOK_CLEAR: colour_set(m.colour, 0.76, 0.765, 0.74); break;
    case RILL_LOOK_RIVER: colour_set(m.colour, 0.36, 0.30, 0.22); break;
    case RILL_LOOK_OCEAN: colour_set(m.colour, 0.50, 0.46, 0.38); break;
    case RILL_LOOK_TOY: colour_set(m.colour, 0.86, 0.78, 0.66); break;
    default: colour_set(m.colour, 0.62, 0.61, 0.6); break;
    }
    for (int k = 0; k < 3; k++) m.second[k] = 0.62f * m.colour[k];
    return m;
}

void rill_look_distance(rill_look look, float factor[3])
{
    static const double factors[RILL_LOOK_COUNT][3] = {[RILL_LOOK_CLEAR] = {0.15, 0.18, 0.225},
                                                       [RILL_LOOK_RIVER] = {0.45, 0.48, 0.5},
                                                       [RILL_LOOK_OCEAN] = {0.42, 0.46, 0.52},
                                                       [RILL_LOOK_TOY] = {0.5, 0.6, 0.72},
                                                       [RILL_LOOK_CLAY] = {0.34, 0.35, 0.37}};
    colour_set(factor, factors[look][0], factors[look][1], factors[look][2]);
}

void rill_look_backdrop(rill_look look, float light[3])
{
    static const double lights[RILL_LOOK_COUNT][3] = {[RILL_LOOK_CLEAR] = {0.08, 0.095, 0.12},
                                                      [RILL_LOOK_RIVER] = {0.12, 0.135, 0.14},
                                                      [RILL_LOOK_OCEAN] = {0.16, 0.19, 0.23},
                                                      [RILL_LOOK_TOY] = {0.2, 0.24, 0.29},
                                                      [RILL_LOOK_CLAY] = {0.14, 0.145, 0.155}};
    colour_set(light, lights[look][0], lights[look][1], lights[look][2]);
}

rill_sky rill_look_sky(rill_look look, double azimuth)
{
    const bool clear = rill_look_is_clear(look);
    const double high = look == RILL_LOOK_OCEAN ? 32 : look == RILL_LOOK_RIVER ? 52 : clear ? 46 : 42;
    const double a = (azimuth + (clear ? 205 : -58)) * RILL_PI / 180, e = high * RILL_PI / 180;
    rill_sky sky = rill_sky_default(RILL_SKY_PREETHAM);
    sky.sun = (rill_vec3){cos(a) * cos(e), sin(a) * cos(e), sin(e)};
    sky.turbidity = 3;
    /* The ground hides the land, from which no light need be drawn then. */
    colour_set(sky.ground, 0, 0, 0);
    /* A softer sun than ours: shadows have edges one can see are soft. */
    sky.sun_radius = look == RILL_LOOK_OCEAN || look == RILL_LOOK_RIVER ? 1 : 3;
    return sky;
}

rill_surface_options rill_look_surface(rill_look look)
{
    rill_surface_options o = rill_surface_default();
    o.field = look == RILL_LOOK_TOY ? RILL_SURFACE_SPHERES : RILL_SURFACE_ANISOTROPIC;
    o.smooth = look == RILL_LOOK_TOY ? 5 : 8;
    return o;
}
