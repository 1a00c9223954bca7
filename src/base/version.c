/* What this library is. */
#include "rill/base.h"

const char *rill_version(void)
{
    return RILL_VERSION;
}
