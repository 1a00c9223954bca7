/* Everything of librill: scenes, worlds, steps. */
#ifndef RILL_RILL_H
#define RILL_RILL_H
#include "rill/base.h"
#include "rill/scene.h"
#include "rill/world.h"
#endif
