/* Files that are either whole or not there. */
#include "base/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/string.h"

rill_status rill_store_fail(rill_error *err, const char *path, int number)
{
    const char *advice = "";
    switch (number) {
    case ENOMEM:
        return rill_fail(err, RILL_NO_MEMORY, "There is not enough memory to write %s; close other programs.", path);
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        advice = "; make room there and try again";
        break;
    case EACCES:
    case EPERM:
    case EROFS:
    case ENOTDIR:
        advice = "; choose a folder you may write to";
        break;
    case ELOOP: /* what O_NOFOLLOW says */
        return rill_fail(err, RILL_IO_FAILED, "%s cannot be written: it is a symbolic link; remove it and try again.",
                         path);
    case ENXIO: /* what rill_store_open_plain says */
        return rill_fail(err, RILL_IO_FAILED, "%s cannot be written: it is not a file; move it away and try again.",
                         path);
    default:
        break;
    }
    return rill_fail(err, RILL_IO_FAILED, "%s cannot be written: %s%s.", path, strerror(number), advice);
}

/* The folder that a file lies in; NULL without memory. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash) return rill_string_copy(".");
    return slash == path ? rill_string_copy("/") : rill_string_part(path, (size_t)(slash - path));
}

static void store_clear(rill_store *store)
{
    rill_free(store->path);
    rill_free(store->temporary);
    *store = (rill_store){0};
}

int rill_store_open_plain(const char *path, int flags)
{
    struct stat about;
    int fd = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (fd < 0) return -1;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) return fd;
    close(fd);
    errno = ENXIO;
    return -1;
}

/* The lock tells a file that is being written from what a killed process left; a file system without locks does
 * without. */
static int temporary_open(const char *path)
{
    unlink(path); /* of a killed process that had our number */
    int fd = rill_store_open_plain(path, O_RDWR | O_CREAT | O_EXCL);
    if (fd >= 0) flock(fd, LOCK_EX | LOCK_NB);
    return fd;
}

rill_status rill_store_open(rill_store *store, const char *path, rill_error *err)
{
    *store = (rill_store){0};
    store->path = rill_string_copy(path);
    store->temporary = rill_string_make("%s.%ld" RILL_STORE_TEMPORARY, path, (long)getpid());
    int fd = -1, trouble = ENOMEM;
    if (store->path && store->temporary) {
        fd = temporary_open(store->temporary);
        trouble = errno;
        if (fd >= 0) store->file = fdopen(fd, "wb");
    }
    if (store->file) return RILL_OK;
    if (fd >= 0) {
        trouble = errno;
        close(fd);
        unlink(store->temporary);
    }
    store_clear(store);
    return rill_store_fail(err, path, trouble);
}

/* NAME.NUMBER.tmp, where NAME begins with the prefix. */
static bool name_is_temporary(const char *name, const char *prefix)
{
    const size_t length = strlen(name), ending = strlen(RILL_STORE_TEMPORARY);
    if (strncmp(name, prefix, strlen(prefix)) != 0 || length <= ending) return false;
    const char *end = name + length - ending, *digits = end;
    if (strcmp(end, RILL_STORE_TEMPORARY) != 0) return false;
    while (digits > name && digits[-1] >= '0' && digits[-1] <= '9') digits--;
    return digits < end && digits > name && digits[-1] == '.';
}

static void leftover_remove(int folder, const char *name)
{
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) unlinkat(folder, name, 0);
    close(fd);
}

void rill_store_sweep(const char *path)
{
    const char *slash = strrchr(path, '/'), *prefix = slash ? slash + 1 : path;
    char *folder = folder_of(path);
    DIR *entries = folder ? opendir(folder) : NULL;
    for (const struct dirent *entry; entries && (entry = readdir(entries));)
        if (name_is_temporary(entry->d_name, prefix)) leftover_remove(dirfd(entries), entry->d_name);
    if (entries) closedir(entries);
    rill_free(folder);
}

void rill_store_write(rill_store *store, const void *data, size_t size)
{
    if (store->trouble || size == 0) return;
    errno = 0;
    if (fwrite(data, 1, size, store->file) != size) store->trouble = errno ? errno : EIO;
}

void rill_store_print_list(rill_store *store, const char *format, va_list args)
{
    char *text = rill_string_make_list(format, args);
    if (text)
        rill_store_write(store, text, strlen(text));
    else if (!store->trouble)
        store->trouble = ENOMEM;
    rill_free(text);
}

void rill_store_print(rill_store *store, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    rill_store_print_list(store, format, args);
    va_end(args);
}

int rill_store_sync_folder(const char *path)
{
    char *folder = folder_of(path);
    if (!folder) return ENOMEM;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int trouble = 0;
    /* Some file systems cannot sync a folder (EINVAL): they have no more to offer. */
    if (fd >= 0 && fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) trouble = errno;
    if (fd >= 0) close(fd);
    rill_free(folder);
    return trouble;
}

/* What is still in memory goes to the disk before the file gets its name. */
static int store_finish(rill_store *store)
{
    int trouble = store->trouble;
    errno = 0;
    if (!trouble && (fflush(store->file) != 0 || ferror(store->file))) trouble = errno ? errno : EIO;
    if (!trouble && fsync(fileno(store->file)) != 0 && errno != EINVAL && errno != ENOTSUP) trouble = errno;
    if (fclose(store->file) != 0 && !trouble) trouble = errno ? errno : EIO;
    store->file = NULL;
    if (!trouble && rename(store->temporary, store->path) != 0) trouble = errno;
    if (trouble)
        unlink(store->temporary);
    else
        trouble = rill_store_sync_folder(store->path);
    return trouble;
}

rill_status rill_store_commit(rill_store *store, rill_error *err)
{
    int trouble = store_finish(store);
    rill_status status = trouble ? rill_store_fail(err, store->path, trouble) : RILL_OK;
    store_clear(store);
    return status;
}

void rill_store_discard(rill_store *store)
{
    if (!store->file) return;
    fclose(store->file);
    unlink(store->temporary);
    store_clear(store);
}

rill_status rill_store_put(const char *path, const void *data, size_t size, rill_error *err)
{
    rill_store store;
    rill_status status = rill_store_open(&store, path, err);
    if (status) return status;
    rill_store_write(&store, data, size);
    return rill_store_commit(&store, err);
}

/* ---- reading ---- */

/* Reads up to size bytes; less when the file ends early, -1 with errno on trouble. */
static ssize_t read_fully(int fd, char *data, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t got = read(fd, data + done, size - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

/* A path that is wrong is the caller's mistake, a disk that fails the machine's. */
static rill_status read_fail(rill_error *err, const char *path, int number)
{
    const bool path_wrong = number == ENOENT || number == ENOTDIR || number == EISDIR || number == EACCES ||
                            number == ENAMETOOLONG || number == ELOOP || number == ENXIO;
    const size_t length = strlen(path);
    return rill_fail(err, path_wrong ? RILL_BAD_INPUT : RILL_IO_FAILED, "%s%s cannot be read: %s.",
                     length > 200 ? "..." : "", path + (length > 200 ? length - 200 : 0), strerror(number));
}

static rill_status read_open(int fd, const char *path, size_t most, char **data, size_t *size, rill_error *err)
{
    struct stat about;
    if (fstat(fd, &about) != 0) return read_fail(err, path, errno);
    if (S_ISDIR(about.st_mode)) return read_fail(err, path, EISDIR);
    if (!S_ISREG(about.st_mode)) return rill_fail(err, RILL_BAD_INPUT, "%s cannot be read: it is not a file.", path);
    if ((uint64_t)about.st_size > most)
        return rill_fail(err, RILL_BAD_INPUT, "%s is too large to be read: it has %lld bytes, and %zu are the limit.",
                         path, (long long)about.st_size, most);
    char *bytes = rill_malloc((size_t)about.st_size + 1);
    if (!bytes)
        return rill_fail(err, RILL_NO_MEMORY, "There is not enough memory to read %s (%lld bytes).", path,
                         (long long)about.st_size);
    ssize_t got = read_fully(fd, bytes, (size_t)about.st_size);
    if (got < 0) {
        rill_status status = read_fail(err, path, errno);
        rill_free(bytes);
        return status;
    }
    bytes[got] = '\0';
    *data = bytes;
    *size = (size_t)got;
    return RILL_OK;
}

rill_status rill_store_get(const char *path, size_t most, char **data, size_t *size, rill_error *err)
{
    *data = NULL;
    *size = 0;
    /* Not to wait for the other end of a FIFO. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return read_fail(err, path, errno);
    rill_status status = read_open(fd, path, most, data, size, err);
    close(fd);
    return status;
}
