/* How rill and rill-bench begin and end. */
#ifndef RILL_APP_PROGRAM_H
#define RILL_APP_PROGRAM_H

/* Before anything else. */
void program_begin(void);

/* The exit code: that of the work, or that of output that did not arrive. */
int program_end(int exit_code);

#endif
