/* A table on disk: comma-separated text, one row a step. */
#include "frame/table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/store.h"
#include "text/csv.h"
#include "text/string.h"

enum { FLUSH_BYTES = 65536, ROW_BYTES = 512 };

static rill_status table_open(rill_table *table, const char *path, int flags, rill_error *err)
{
    *table = (rill_table){.fd = -1};
    table->path = rill_string_copy(path);
    if (!table->path) return rill_store_fail(err, path, ENOMEM);
    table->fd = rill_store_open_plain(path, O_WRONLY | O_APPEND | flags);
    if (table->fd >= 0) return RILL_OK;
    rill_status status = rill_store_fail(err, path, errno);
    rill_table_close(table);
    return status;
}

rill_status rill_table_create(rill_table *table, const char *path, const char *header, rill_error *err)
{
    rill_status status = table_open(table, path, O_CREAT | O_EXCL, err);
    if (status) return status;
    rill_table_print(table, "%s", header);
    status = rill_table_flush(table, false, err);
    if (status) rill_table_close(table);
    return status;
}

/* The step a row begins with. */
static bool row_step(const char *row, const char *end, uint64_t *step)
{
    uint64_t value = 0;
    const char *at = row;
    for (; at < end && *at >= '0' && *at <= '9' && at - row < 19; at++) value = value * 10 + (uint64_t)(*at - '0');
    *step = value;
    return at > row && at < end && *at == ',';
}

size_t rill_table_cut(const char *text, size_t size, const char *header, uint64_t step)
{
    size_t length = strlen(header);
    if (size < length || memcmp(text, header, length) != 0) return 0;
    const char *at = text + length, *end = text + size;
    size_t columns = rill_csv_count(header, header + length);
    uint64_t last = 0, number;
    for (bool first = true; at < end; first = false) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end || !row_step(at, line_end, &number) || rill_csv_count(at, line_end) != columns) break;
        if (number > step || (!first && number <= last)) break;
        last = number;
        at = line_end + 1;
    }
    return (size_t)(at - text);
}

char *rill_table_header(const char *path)
{
    const size_t most = 65536;
    int fd = rill_store_open_plain(path, O_RDONLY);
    char *text = fd >= 0 ? rill_malloc(most + 1) : NULL;
    const ssize_t size = text ? read(fd, text, most) : -1;
    if (fd >= 0) close(fd);
    char *end = size > 0 ? memchr(text, '\n', (size_t)size) : NULL;
    if (end) end[1] = '\0';
    if (end && strlen(text) == (size_t)(end + 1 - text)) return text;
    rill_free(text);
    return NULL;
}

rill_status rill_table_resume(rill_table *table, const char *path, const char *header, uint64_t step, rill_error *err)
{
    if (faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT)
        return rill_table_create(table, path, header, err);
    char *text;
    size_t size;
    rill_status status = rill_store_get(path, SIZE_MAX, &text, &size, err);
    if (status) return status;
    size_t keep = rill_table_cut(text, size, header, step);
    bool torn_header = keep == 0 && size < strlen(header) && memcmp(text, header, size) == 0;
    rill_free(text);
    if (torn_header) {
        unlink(path);
        return rill_table_create(table, path, header, err);
    }
    if (keep == 0)
        return rill_fail(err, RILL_BAD_FILE,
                         "%s does not have the columns this run writes; move it away and a new one is begun.", path);
    status = table_open(table, path, 0, err);
    if (status) return status;
    if (keep < size && ftruncate(table->fd, (off_t)keep) != 0) {
        status = rill_store_fail(err, path, errno);
        rill_table_close(table);
    }
    return status;
}

static bool table_reserve(rill_table *table, size_t more)
{
    if (table->room - table->used > more) return true;
    size_t room = 2 * table->room + more + ROW_BYTES;
    char *grown = rill_realloc(table->rows, room);
    if (!grown) return false;
    table->rows = grown;
    table->room = room;
    return true;
}

void rill_table_print(rill_table *table, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = rill_string_make_list(format, args);
    va_end(args);
    size_t length = text ? strlen(text) : 0;
    if (text && table_reserve(table, length)) {
        memcpy(table->rows + table->used, text, length);
        table->used += length;
    } else {
        table->no_memory = true;
    }
    rill_free(text);
}

rill_status rill_table_end_row(rill_table *table, rill_error *err)
{
    rill_table_print(table, "\n");
    if (table->no_memory) return rill_store_fail(err, table->path, ENOMEM);
    return table->used >= FLUSH_BYTES ? rill_table_flush(table, false, err) : RILL_OK;
}

rill_status rill_table_flush(rill_table *table, bool sync, rill_error *err)
{
    if (table->no_memory) return rill_store_fail(err, table->path, ENOMEM);
    size_t done = 0;
    int trouble = 0;
    while (done < table->used && !trouble) {
        ssize_t wrote = write(table->fd, table->rows + done, table->used - done);
        if (wrote >= 0)
            done += (size_t)wrote;
        else if (errno != EINTR)
            trouble = errno;
    }
    /* What did not get out stays, so that a later flush goes on where this one stopped. */
    if (done < table->used) memmove(table->rows, table->rows + done, table->used - done);
    table->used -= done;
    if (!trouble && sync && fdatasync(table->fd) != 0 && errno != EINVAL && errno != ENOTSUP) trouble = errno;
    return trouble ? rill_store_fail(err, table->path, trouble) : RILL_OK;
}

void rill_table_close(rill_table *table)
{
    if (table->fd >= 0) close(table->fd);
    rill_free(table->path);
    rill_free(table->rows);
    *table = (rill_table){.fd = -1};
}
