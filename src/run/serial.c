/* Loops on the calling thread alone. */
#include "run/threads.h"

static void serial_for(void *user, size_t count, rill_loop_body *body, void *context)
{
    (void)user;
    for (size_t i = 0; i < count; i++) body(context, i, 0);
}

const rill_scheduler rill_serial = {serial_for, NULL, 1};
