/* Files that are either whole or not there. */
#define _GNU_SOURCE /* vasprintf */
#include "base/store.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A host program may have chosen a locale that writes 1,5 for 1.5. */
char *rill_store_text_list(const char *format, va_list args)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return NULL;
    locale_t before = uselocale(plain);
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0) text = NULL;
    uselocale(before);
    freelocale(plain);
    return text;
}

char *rill_store_text(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = rill_store_text_list(format, args);
    va_end(args);
    return text;
}

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
    default:
        break;
    }
    return rill_fail(err, RILL_IO_FAILED, "%s cannot be written: %s%s.", path, strerror(number), advice);
}

static void store_clear(rill_store *store)
{
    free(store->path);
    free(store->temporary);
    *store = (rill_store){0};
}

rill_status rill_store_open(rill_store *store, const char *path, rill_error *err)
{
    *store = (rill_store){0};
    store->path = strdup(path);
    store->temporary = rill_store_text("%s.%ld" RILL_STORE_TEMPORARY, path, (long)getpid());
    int fd = -1, trouble = ENOMEM;
    if (store->path && store->temporary) {
        unlink(store->temporary); /* of a killed process that had our number */
        fd = open(store->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
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

void rill_store_write(rill_store *store, const void *data, size_t size)
{
    if (store->trouble || size == 0) return;
    errno = 0;
    if (fwrite(data, 1, size, store->file) != size) store->trouble = errno ? errno : EIO;
}

void rill_store_print_list(rill_store *store, const char *format, va_list args)
{
    char *text = rill_store_text_list(format, args);
    if (text)
        rill_store_write(store, text, strlen(text));
    else if (!store->trouble)
        store->trouble = ENOMEM;
    free(text);
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
    const char *slash = strrchr(path, '/');
    char *folder = !slash ? strdup(".") : slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
    if (!folder) return ENOMEM;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int trouble = 0;
    /* Some file systems cannot sync a folder (EINVAL): they have no more to offer. */
    if (fd >= 0 && fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) trouble = errno;
    if (fd >= 0) close(fd);
    free(folder);
    return trouble;
}

/* What is still in memory goes to the disk before the file gets its name. */
static int store_finish(rill_store *store)
{
    int trouble = store->trouble;
    errno = 0;
    if (!trouble && fflush(store->file) != 0) trouble = errno ? errno : EIO;
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

rill_status rill_store_get(const char *path, char **data, size_t *size, rill_error *err)
{
    *data = NULL;
    *size = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;
    if (fd < 0) return rill_fail(err, RILL_IO_FAILED, "%s cannot be read: %s.", path, strerror(errno));
    rill_status status = RILL_OK;
    if (fstat(fd, &about) != 0)
        status = rill_fail(err, RILL_IO_FAILED, "%s cannot be read: %s.", path, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        status = rill_fail(err, RILL_IO_FAILED, "%s cannot be read: it is not a file.", path);
    else if (!(*data = malloc((size_t)about.st_size + 1)))
        status = rill_fail(err, RILL_NO_MEMORY, "There is not enough memory to read %s (%lld bytes).", path,
                           (long long)about.st_size);
    if (!status) {
        ssize_t got = read_fully(fd, *data, (size_t)about.st_size);
        if (got < 0) {
            status = rill_fail(err, RILL_IO_FAILED, "%s cannot be read: %s.", path, strerror(errno));
            free(*data);
            *data = NULL;
        } else {
            (*data)[got] = '\0';
            *size = (size_t)got;
        }
    }
    close(fd);
    return status;
}
