/* Half a turn, in radians. */
#ifndef RILL_TEXT_PI_H
#define RILL_TEXT_PI_H

#define RILL_PI 3.14159265358979323846

#endif
