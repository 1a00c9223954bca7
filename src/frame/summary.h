/* What the steps of a run come to, from any bytes. */
#ifndef RILL_FRAME_SUMMARY_H
#define RILL_FRAME_SUMMARY_H

#include "rill/frames.h"

/* The summary of a report's bytes, which may be anything; false where they have no whole row. */
bool rill_summary_parse(const char *text, size_t size, rill_summary *summary);

#endif
