/* A run killed again and again, at any moment, ends bit for bit where an
 * undisturbed one does, with the same rows in its tables. label: one thread */
#include "test_run.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

/* The whole life of a run, as a program would have it. Never returns. */
static void child_live(const char *folder)
{
    rill_error err = {0};
    rill_scene scene = dam_scene();
    const rill_options options = {.threads = 1};
    rill_world *world = rill_world_create(&scene, &options, &err);
    bool begun = file_exists(path_of(folder, "scene.yaml"));
    rill_run *run = begun ? rill_run_resume(folder, world, &err) : rill_run_create(folder, world, &err);
    if (!run || run_drive(run, world, STEPS, &err) || rill_run_close(run, &err)) {
        fprintf(stderr, "%s\n", err.text);
        _exit(1);
    }
    _exit(0);
}

/* Starts the run and kills it after so many seconds. True when it came to its end first. */
static bool run_killed_after(const char *folder, double seconds)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) child_live(folder);
    struct timespec wait = {(time_t)seconds, (long)(fmod(seconds, 1) * 1e9)};
    int status;
    nanosleep(&wait, NULL);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status)) assert_int_equal(WEXITSTATUS(status), 0);
    return WIFEXITED(status);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void test_killed_at_any_moment(void **state)
{
    const char *whole = path_of(*state, "whole");
    double begin = seconds_now();
    run_whole(whole, STEPS);
    double life = seconds_now() - begin;
    int kills = 0;
    for (int round = 0; round < 6 || (kills < 6 && round < 60); round++) {
        char name[32];
        snprintf(name, sizeof name, "round%d", round);
        const char *folder = path_of(*state, name);
        const int before = kills;
        /* Later and later, so that each round ends however slow the machine has become. */
        double patience = life * (0.1 + 0.11 * (round % 6));
        for (; !run_killed_after(folder, patience); patience *= 1.17) kills++;
        if (kills == before) life *= 0.7; /* the machine was slower when the whole life was timed */
        check_same_run(whole, folder);
        assert_int_equal(folder_count(path_of(folder, "frames"), ".damaged"), 0);
    }
    print_message("killed %d times\n", kills);
    assert_true(kills >= 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_killed_at_any_moment, folder_make, folder_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
