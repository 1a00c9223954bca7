/* Ctrl-C: the first asks long work to end cleanly, a second ends the process. */
#ifndef RILL_APP_STOP_H
#define RILL_APP_STOP_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM only ask; what was asked before stays asked. */
void stop_catch(void);
bool stop_asked(void);

#endif
