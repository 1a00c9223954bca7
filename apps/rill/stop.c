/* Signals that ask long work to stop. */
#include "stop.h"

#include <signal.h>
#include <time.h>

static volatile sig_atomic_t asked;

/* Some programs send the first signal to the process and to its group, so what comes in the same moment counts as
 * one. */
static void stop_ask(int number)
{
    static volatile double asked_at;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (asked && seconds - asked_at > 0.3) {
        signal(number, SIG_DFL);
        raise(number);
    } else if (!asked) {
        asked_at = seconds;
    }
    asked = 1;
}

void stop_catch(void)
{
    struct sigaction action = {.sa_handler = stop_ask, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool stop_asked(void)
{
    return asked;
}
