/* Paths of runs and what lies in them. */
#define _GNU_SOURCE /* nftw, strchrnul */
#include "paths.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rill/store.h"

path_text path_join(const char *folder, const char *name)
{
    path_text path;
    size_t length = strlen(folder);
    bool slash = length && folder[length - 1] == '/';
    snprintf(path.text, sizeof path.text, "%s%s%s", folder, slash || !length ? "" : "/", name);
    return path;
}

bool path_is_other_picture(const char *path)
{
    static const char *const endings[] = {".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif", ".webp", ".hdr", ".tga"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (!strcasecmp(dot, endings[i])) return true;
    return false;
}

bool path_may_write(const char *path, path_text *folder)
{
    snprintf(folder->text, sizeof folder->text, "%s", path);
    char *slash = strrchr(folder->text, '/');
    if (!slash) snprintf(folder->text, sizeof folder->text, ".");
    else slash[slash == folder->text] = 0;
    if (access(folder->text, W_OK | X_OK)) return false;
    rill_store_sweep(path);
    return true;
}

bool path_exists(const char *path)
{
    struct stat info;
    return !lstat(path, &info);
}

bool path_is_folder(const char *path)
{
    struct stat info;
    return !stat(path, &info) && S_ISDIR(info.st_mode);
}

bool path_finds_program(const char *name)
{
    const char *from = getenv("PATH");
    while (from && *from) {
        const char *colon = strchrnul(from, ':');
        char path[PATH_SIZE];
        const int length = (int)(colon - from);
        snprintf(path, sizeof path, "%.*s/%s", length ? length : 1, length ? from : ".", name);
        if (!access(path, X_OK) && !path_is_folder(path)) return true;
        from = *colon ? colon + 1 : colon;
    }
    return false;
}

path_text path_run_free(const char *name)
{
    path_text path = path_join("runs", name);
    for (int i = 2; path_exists(path.text); i++) {
        char numbered[128];
        snprintf(numbered, sizeof numbered, "%s-%d", name, i);
        path = path_join("runs", numbered);
    }
    return path;
}

bool path_make(const char *folder)
{
    path_text path;
    if (snprintf(path.text, sizeof path.text, "%s", folder) >= PATH_SIZE) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (char *slash = strchr(path.text + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(path.text, 0777) && errno != EEXIST) return false;
        *slash = '/';
    }
    if (mkdir(path.text, 0777) && errno != EEXIST) return false;
    errno = ENOTDIR;
    if (!path_is_folder(folder)) return false;
    rill_store_sweep(path_join(folder, "").text);
    return true;
}

/* nftw has no way to hand a context to its callback. */
static _Thread_local uint64_t bytes_found;

static int bytes_add(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)path;
    (void)place;
    if (kind == FTW_F) bytes_found += (uint64_t)info->st_size;
    return 0;
}

uint64_t path_bytes(const char *folder)
{
    bytes_found = 0;
    nftw(folder, bytes_add, 16, FTW_PHYS);
    return bytes_found;
}

path_text path_quote(const char *word)
{
    path_text out;
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./,:=+@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        snprintf(out.text, sizeof out.text, "%s", word);
        return out;
    }
    size_t n = 0;
    out.text[n++] = '\'';
    for (; *word && n + 6 < sizeof out.text; word++) {
        if (*word == '\'') memcpy(out.text + n, "'\\''", 4), n += 4;
        else out.text[n++] = *word;
    }
    out.text[n++] = '\'';
    out.text[n] = 0;
    return out;
}
