/* Memory, disk, clocks, terminal. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "machine.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* The number after a key in a file of "key: number" lines, or alone in a file when key is NULL. */
static uint64_t file_number(const char *path, const char *key)
{
    FILE *file = fopen(path, "r");
    uint64_t number = UINT64_MAX;
    char line[256];
    while (file && number == UINT64_MAX && fgets(line, sizeof line, file)) {
        if (key && strncmp(line, key, strlen(key))) continue;
        if (sscanf(line + (key ? strlen(key) : 0), "%" SCNu64, &number) != 1) number = UINT64_MAX;
    }
    if (file) fclose(file);
    return number;
}

/* What a control group leaves, when one limits us: version 2, then 1. */
static uint64_t group_available(void)
{
    static const char *files[][2] = {
        {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}};
    for (int i = 0; i < 2; i++) {
        uint64_t limit = file_number(files[i][0], NULL), used = file_number(files[i][1], NULL);
        if (limit != UINT64_MAX && used != UINT64_MAX) return limit > used ? limit - used : 0;
    }
    return UINT64_MAX;
}

uint64_t machine_memory_available(void)
{
    uint64_t kilobytes = file_number("/proc/meminfo", "MemAvailable:"), group = group_available();
    uint64_t bytes = kilobytes == UINT64_MAX ? UINT64_MAX : kilobytes * 1024;
    struct rlimit limit;
    if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < bytes)
        bytes = limit.rlim_cur;
    return group < bytes ? group : bytes;
}

uint64_t machine_disk_free(const char *path)
{
    char *place = malloc(strlen(path) + 2);
    if (!place) return UINT64_MAX;
    strcpy(place, *path ? path : ".");
    struct statvfs disk;
    /* A folder that is not there yet lies on the disk of the nearest one above it that is. */
    while (statvfs(place, &disk)) {
        char *slash = strrchr(place, '/');
        if (slash == place) strcpy(place, place[1] ? "/" : "");
        else if (slash) *slash = 0;
        else if (strcmp(place, ".")) strcpy(place, ".");
        else *place = 0;
        if (!*place) break;
    }
    /* A file system without blocks, such as /proc, is not a full one; writing there says what is wrong. */
    uint64_t bytes = *place && disk.f_blocks ? (uint64_t)disk.f_bavail * disk.f_frsize : UINT64_MAX;
    free(place);
    return bytes;
}

uint64_t machine_peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}

double machine_cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

double machine_load(void)
{
    double load;
    return getloadavg(&load, 1) == 1 ? load : -1;
}

double machine_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int machine_terminal_width(void)
{
    if (!isatty(STDERR_FILENO)) return 0;
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 20) return 80;
    return size.ws_col;
}

void machine_cpu_name(char *text, size_t size)
{
    snprintf(text, size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon) continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(text, size, "%s", colon + 2);
        break;
    }
    if (file) fclose(file);
}

unsigned machine_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set)) return 1;
    return (unsigned)CPU_COUNT(&set);
}

void machine_date(char *text, size_t size)
{
    const time_t now = time(NULL);
    struct tm local;
    if (!localtime_r(&now, &local) || !strftime(text, size, "%Y-%m-%d", &local)) snprintf(text, size, "no date");
}

void machine_line(unsigned threads, char *text, size_t size)
{
    char cpu[128], date[32];
    machine_cpu_name(cpu, sizeof cpu);
    machine_date(date, sizeof date);
    if (!threads) threads = machine_cores();
    snprintf(text, size, "%s, %u %s, %s, %s", cpu, threads, threads == 1 ? "thread" : "threads", MACHINE_COMPILER,
             date);
}
