/* A bed of pebbles, as a picture that repeats without seams. */
#ifndef RILL_RENDER_GRAVEL_H
#define RILL_RENDER_GRAVEL_H

#include "render/picture.h"

/* False without memory; free with rill_picture_free. */
bool rill_gravel_make(rill_picture *picture);

#endif
