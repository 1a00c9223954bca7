/* Run folders from a reader's side: the scene, the frames and their names. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frame/run.h"
#include "rill/scene_text.h"
#include "text/string.h"

char *rill_run_path(const char *folder, const char *name)
{
    return rill_string_make("%s/%s", folder, name);
}

static rill_status no_memory(const char *folder, rill_error *err)
{
    return rill_fail(err, RILL_NO_MEMORY, "There is not enough memory to look into %s.", folder);
}

static rill_status no_run(const char *folder, rill_error *err)
{
    return rill_fail(err, RILL_BAD_INPUT, "%s holds no run: there is no %s in it; name the folder of a run.", folder,
                     RILL_RUN_SCENE);
}

/* What the system says of something in the folder; a link is what is there. */
static bool is_there(const char *folder, const char *name, struct stat *info)
{
    char path[PATH_MAX]; /* longer ones no system call takes; and without memory a run is there all the same */
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length > 0 && length < (int)sizeof path && !lstat(path, info);
}

bool rill_run_exists(const char *folder)
{
    struct stat info;
    return is_there(folder, RILL_RUN_SCENE, &info);
}

/* Asking for the lock itself could turn away a run that starts at the same moment. */
bool rill_run_is_busy(const char *folder)
{
    struct stat lock;
    char line[256];
    if (!is_there(folder, RILL_RUN_LOCK, &lock)) return false;
    FILE *locks = fopen("/proc/locks", "r");
    bool busy = false;
    while (locks && !busy && fgets(line, sizeof line, locks)) {
        unsigned long long inode;
        busy = sscanf(line, "%*s FLOCK %*s WRITE %*s %*x:%*x:%llu", &inode) == 1 && inode == lock.st_ino;
    }
    if (locks) fclose(locks);
    return busy;
}

rill_status rill_run_read_scene(const char *folder, rill_scene *scene, rill_error *err)
{
    char *path = rill_run_path(folder, RILL_RUN_SCENE);
    if (!path) return no_memory(folder, err);
    rill_status status = access(path, F_OK) != 0 ? no_run(folder, err) : rill_scene_load(path, NULL, 0, scene, err);
    rill_free(path);
    return status;
}

rill_status rill_run_frame_path(const char *folder, uint32_t number, char *path, size_t size, rill_error *err)
{
    int length = snprintf(path, size, "%s/" RILL_RUN_FRAMES "/frame_%06" PRIu32 ".h5", folder, number);
    if (length >= 0 && (size_t)length < size) return RILL_OK;
    return rill_fail(err, RILL_BAD_INPUT, "The path of the frames of %.200s is too long.", folder);
}

bool rill_run_frame_number(const char *name, uint32_t *number)
{
    unsigned long value;
    char again[32];
    if (strncmp(name, "frame_", 6) != 0 || name[6] < '0' || name[6] > '9') return false;
    errno = 0;
    value = strtoul(name + 6, NULL, 10);
    if (errno || value > UINT32_MAX) return false;
    snprintf(again, sizeof again, "frame_%06lu.h5", value);
    *number = (uint32_t)value;
    return strcmp(again, name) == 0;
}

static int number_compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool numbers_collect(DIR *folder, uint32_t **numbers, uint32_t *count)
{
    uint32_t room = 0, number;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (!rill_run_frame_number(entry->d_name, &number)) continue;
        if (*count == room) {
            room = 2 * room + 64;
            uint32_t *grown = rill_realloc(*numbers, room * sizeof *grown);
            if (!grown) return false;
            *numbers = grown;
        }
        (*numbers)[(*count)++] = number;
    }
    if (*count) qsort(*numbers, *count, sizeof **numbers, number_compare);
    return true;
}

/* A run that was stopped before its first frame may have no folder for frames yet. */
static rill_status frames_missing(const char *folder, int number, rill_error *err)
{
    char *scene = rill_run_path(folder, RILL_RUN_SCENE);
    if (!scene) return no_memory(folder, err);
    bool is_run = access(scene, F_OK) == 0;
    rill_free(scene);
    if (number == ENOENT && is_run) return RILL_OK;
    if (number == ENOENT || number == ENOTDIR) return no_run(folder, err);
    return rill_fail(err, RILL_IO_FAILED, "%s/" RILL_RUN_FRAMES " cannot be read: %s.", folder, strerror(number));
}

rill_status rill_run_list_frames(const char *folder, uint32_t **numbers, uint32_t *count, rill_error *err)
{
    *numbers = NULL;
    *count = 0;
    char *path = rill_run_path(folder, RILL_RUN_FRAMES);
    if (!path) return no_memory(folder, err);
    DIR *frames = opendir(path);
    int trouble = errno;
    rill_free(path);
    if (!frames) return frames_missing(folder, trouble, err);
    bool good = numbers_collect(frames, numbers, count);
    closedir(frames);
    if (good) return RILL_OK;
    rill_free(*numbers);
    *numbers = NULL;
    *count = 0;
    return no_memory(folder, err);
}
