/* What the tests of frames, runs and exports share: a folder of their own, a
 * frame with arrays of every kind, and a look at folders and files. */
#ifndef RILL_TESTS_TEST_FRAME_H
#define RILL_TESTS_TEST_FRAME_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/store.h"
#include "frame/image.h"
#include "rill/frames.h"
#include "tests/leave_out.h"
#include "text/string.h"

/* A path that lives until 64 more were asked for. */
static inline const char *path_of(const char *folder, const char *name)
{
    static char *paths[64];
    static unsigned next;
    char **path = &paths[next++ % 64], *made = rill_string_make("%s/%s", folder, name);
    assert_non_null(made);
    rill_free(*path);
    *path = made;
    return made;
}

static inline int folder_make(void **state)
{
    char *folder = strdup("/tmp/rill-test-XXXXXX");
    *state = folder;
    return mkdtemp(folder) ? 0 : -1;
}

static inline void folder_clear(const char *folder)
{
    DIR *entries = opendir(folder);
    if (!entries) return;
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char *path = rill_string_make("%s/%s", folder, entry->d_name);
        if (remove(path) != 0) folder_clear(path);
        rill_free(path);
    }
    closedir(entries);
    rmdir(folder);
}

static inline int folder_drop(void **state)
{
    folder_clear(*state);
    free(*state);
    return 0;
}

static inline int file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* How many names in the folder end so; an empty ending counts all. */
static inline int folder_count(const char *folder, const char *ending)
{
    DIR *entries = opendir(folder);
    int count = 0;
    if (!entries) return 0;
    for (struct dirent *entry; (entry = readdir(entries));) {
        size_t length = strlen(entry->d_name), tail = strlen(ending);
        if (entry->d_name[0] == '.') continue;
        if (length >= tail && strcmp(entry->d_name + length - tail, ending) == 0) count++;
    }
    closedir(entries);
    return count;
}

static inline char *file_get(const char *path, size_t *size)
{
    char *text;
    size_t ignored;
    rill_error err;
    if (rill_store_get(path, SIZE_MAX, &text, size ? size : &ignored, &err)) fail_msg("%s", err.text);
    return text;
}

static inline void file_put(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* One full sentence. */
static inline void check_sentence(const rill_error *err)
{
    size_t length = strlen(err->text);
    assert_true(length > 10 && length < sizeof err->text - 1);
    assert_int_equal(err->text[length - 1], '.');
    assert_null(strchr(err->text, '\n'));
}

static inline uint64_t random_next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33 ^ *seed << 31;
}

/* A frame whose arrays have every type, gaps between records, and odd bits. */
typedef struct sample {
    rill_array arrays[8];
    rill_frame_file frame;
} sample;

static inline rill_array sample_array(const char *name, rill_array_type type, uint32_t lanes, uint32_t stride,
                                      uint64_t count, uint64_t *seed)
{
    rill_array array = {.type = type, .lanes = lanes, .stride = stride, .count = count, .particle = true};
    size_t size = rill_image_element(type), elements = count * stride;
    snprintf(array.name, sizeof array.name, "%s", name);
    snprintf(array.unit, sizeof array.unit, "m/s");
    array.data = malloc(elements * size + 1);
    for (size_t i = 0; i < elements; i++) {
        uint64_t bits = random_next(seed); /* any pattern at all: NaN payloads, -0, denormals */
        memcpy((char *)array.data + i * size, &bits, size);
    }
    return array;
}

static inline sample sample_make(uint32_t count)
{
    uint64_t seed = count + 1;
    sample s = {.frame = {.time = 1.0 / 3, .diameter = 0.02, .step = 1ull << 40, .count = count}};
    s.frame.origin = (rill_vec3){0.1, 5394932.25, -3};
    s.arrays[0] = sample_array("id", RILL_U32, 1, 1, count, &seed);
    s.arrays[1] = sample_array("position", RILL_F32, 3, 4, count, &seed);
    s.arrays[2] = sample_array("velocity", RILL_F32, 3, 5, count, &seed);
    s.arrays[3] = sample_array("fluid", RILL_U32, 1, 1, count, &seed);
    s.arrays[4] = sample_array("density", RILL_F32, 1, 2, count, &seed);
    s.arrays[5] = sample_array("spin", RILL_F64, 2, 2, count, &seed);
    s.arrays[6] = sample_array("clock", RILL_U64, 2, 3, 4, &seed);
    s.arrays[7] = sample_array("emitters", RILL_F64, 5, 5, 0, &seed);
    s.arrays[4].derived = true;
    s.arrays[6].particle = s.arrays[7].particle = false;
    memset(s.arrays[3].data, 0, count * sizeof(uint32_t));
    s.frame.state.count = 8;
    return s; /* the caller points frame.state.arrays at arrays */
}

static inline void sample_free(sample *s)
{
    for (int i = 0; i < 8; i++) free(s->arrays[i].data);
}

static inline void check_same_records(const rill_array *a, const rill_array *b)
{
    size_t size = rill_image_element(a->type);
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->lanes, b->lanes);
    assert_int_equal(a->count, b->count);
    for (uint64_t i = 0; i < a->count; i++)
        assert_memory_equal((char *)a->data + i * a->stride * size, (char *)b->data + i * b->stride * size,
                            size * a->lanes);
}

/* From here on files grow to `bytes` only: what a full disk looks like to a writer. SIGXFSZ must be ignored. */
static inline void disk_limit(rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

#endif
