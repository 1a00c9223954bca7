/* Everything of librill: scenes, worlds, steps, and what other parts share. */
#ifndef RILL_RILL_H
#define RILL_RILL_H
#include "rill/base.h"
#include "rill/scene.h"
#include "rill/store.h"
#include "rill/text.h"
#include "rill/threads.h"
#include "rill/world.h"
#endif
