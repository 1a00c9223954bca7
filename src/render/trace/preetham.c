/* Daylight: A. J. Preetham, P. Shirley, B. Smits, "A practical analytic model for
 * daylight", 1999. Luminance and chromaticity of the sky are
 *   V(theta, gamma) = V_zenith F(theta, gamma) / F(0, theta_sun)
 *   F = (1 + A exp(B / cos theta)) (1 + C exp(D gamma) + E cos^2 gamma)
 * with gamma the angle to the sun. The sun itself is a black body of 5778 K seen
 * through the paper's air: Rayleigh scattering, haze after Angstrom, ozone. Its
 * spectrum is weighed with the fits of Wyman, Sloan and Shirley (2013) to the
 * CIE 1931 matching functions. */
#include <math.h>

#include "base/vec3.h"
#include "render/trace/sky.h"
#include "text/pi.h"

/* Linear Rec. 709; what lies outside its gamut is cut. */
static void rgb_of_xyz(const double xyz[3], double rgb[3])
{
    static const double m[3][3] = {{3.2404542, -1.5371385, -0.4985314},
                                   {-0.9692660, 1.8760108, 0.0415560},
                                   {0.0556434, -0.2040259, 1.0572252}};
    for (int i = 0; i < 3; i++) rgb[i] = fmax(0, m[i][0] * xyz[0] + m[i][1] * xyz[1] + m[i][2] * xyz[2]);
}

/* ---- sky ---- */

static double perez(const double k[5], double cos_theta, double gamma)
{
    const double c = cos(gamma);
    return (1 + k[0] * exp(k[1] / cos_theta)) * (1 + k[2] * exp(k[3] * gamma) + k[4] * c * c);
}

static double zenith_colour(const double m[3][4], double turbidity, double theta)
{
    double value = 0;
    for (int i = 0; i < 3; i++) {
        const double row = ((m[i][0] * theta + m[i][1]) * theta + m[i][2]) * theta + m[i][3];
        value = value * turbidity + row;
    }
    return value;
}

void rill_daylight_make(double turbidity, rill_vec3 sun, rill_daylight *day)
{
    static const double slope[3][5] = {{0.1787, -0.3554, -0.0227, 0.1206, -0.0670},
                                       {-0.0193, -0.0665, -0.0004, -0.0641, -0.0033},
                                       {-0.0167, -0.0950, -0.0079, -0.0441, -0.0109}};
    static const double start[3][5] = {{-1.4630, 0.4275, 5.3251, -2.5771, 0.3703},
                                       {-0.2592, 0.0008, 0.2125, -0.8989, 0.0452},
                                       {-0.2608, 0.0092, 0.2102, -1.6537, 0.0529}};
    static const double zenith_x[3][4] = {{0.00166, -0.00375, 0.00209, 0},
                                          {-0.02903, 0.06377, -0.03202, 0.00394},
                                          {0.11693, -0.21196, 0.06052, 0.25886}};
    static const double zenith_y[3][4] = {{0.00275, -0.00610, 0.00317, 0},
                                          {-0.04214, 0.08970, -0.04153, 0.00516},
                                          {0.15346, -0.26756, 0.06670, 0.26688}};
    const double theta = acos(fmin(1, fmax(0, sun.z))), chi = (4.0 / 9 - turbidity / 120) * (RILL_PI - 2 * theta);
    day->sun = sun;
    day->zenith[0] = fmax(0, (4.0453 * turbidity - 4.9710) * tan(chi) - 0.2155 * turbidity + 2.4192);
    day->zenith[1] = zenith_colour(zenith_x, turbidity, theta);
    day->zenith[2] = zenith_colour(zenith_y, turbidity, theta);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 5; k++) day->perez[i][k] = slope[i][k] * turbidity + start[i][k];
        day->base[i] = perez(day->perez[i], 1, theta);
    }
}

void rill_daylight_at(const rill_daylight *day, rill_vec3 direction, double rgb[3])
{
    const double cos_theta = fmax(direction.z, 1e-3);
    const double gamma = acos(fmax(-1, fmin(1, rill_vec3_dot(direction, day->sun))));
    double v[3];
    for (int i = 0; i < 3; i++) v[i] = day->zenith[i] * perez(day->perez[i], cos_theta, gamma) / day->base[i];
    const double bright = fmax(0, v[0]), y = fmax(v[2], 1e-3);
    const double xyz[3] = {bright * v[1] / y, bright, bright * fmax(0, 1 - v[1] - v[2]) / y};
    rgb_of_xyz(xyz, rgb);
}

/* ---- sun ---- */

static double lobe(double x, double middle, double left, double right)
{
    const double t = (x - middle) * (x < middle ? left : right);
    return exp(-0.5 * t * t);
}

static void matching(double nm, double xyz[3])
{
    xyz[0] = 1.056 * lobe(nm, 599.8, 0.0264, 0.0323) + 0.362 * lobe(nm, 442.0, 0.0624, 0.0374) -
             0.065 * lobe(nm, 501.1, 0.0490, 0.0382);
    xyz[1] = 0.821 * lobe(nm, 568.8, 0.0213, 0.0247) + 0.286 * lobe(nm, 530.9, 0.0613, 0.0322);
    xyz[2] = 1.217 * lobe(nm, 437.0, 0.0845, 0.0278) + 0.681 * lobe(nm, 459.0, 0.0385, 0.0725);
}

/* W per m2, sr and m of wavelength */
static double black_body(double metres, double kelvin)
{
    const double h = 6.62607015e-34, c = 2.99792458e8, k = 1.380649e-23;
    return 2 * h * c * c / pow(metres, 5) / (exp(h * c / (metres * k * kelvin)) - 1);
}

void rill_daylight_sun(double turbidity, double cosine, double rgb[3])
{
    /* Air mass after Kasten; an ozone column of 0.35 cm, its Chappuis band as a bell around 600 nm. */
    const double degrees = acos(fmin(1, fmax(0, cosine))) * 180 / RILL_PI;
    const double mass = 1 / (fmax(0, cosine) + 0.15 * pow(93.885 - fmin(90, degrees), -1.253));
    const double haze = fmax(0, 0.04608 * turbidity - 0.04586), solid = 6.8e-5, step = 5e-9;
    double xyz[3] = {0};
    for (double nm = 380; nm <= 780; nm += 5) {
        const double um = nm * 1e-3, ozone = 0.125 * exp(-0.5 * pow((nm - 600) / 55, 2));
        const double passed = exp(-mass * (0.008735 * pow(um, -4.08) + haze * pow(um, -1.3) + 0.35 * ozone));
        double m[3];
        matching(nm, m);
        for (int i = 0; i < 3; i++) xyz[i] += 683 * m[i] * passed * black_body(nm * 1e-9, 5778) * step * solid * 1e-3;
    }
    rgb_of_xyz(xyz, rgb);
}
