/* Scenes by name or by path: where the built-in ones lie, reading a file,
 * listing them. */
#define _GNU_SOURCE /* dladdr1 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/store.h"
#include "rill/scene_text.h"
#include "scene/locate.h"
#include "scene/name.h"
#include "scene/read.h"
#include "scene/setting.h"
#include "scene/tree.h"
#include "text/chars.h"
#include "text/locale.h"
#include "text/spelling.h"
#include "text/string.h"
#include "world/world.h"

/* ---- text to scene ---- */

/* The file's name without folder and ending, where that can be a name. */
static void name_from_label(const char *label, char *name)
{
    const char *slash = strrchr(label, '/'), *start = slash ? slash + 1 : label;
    const char *dot = strrchr(start, '.');
    const size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start);
    char stem[RILL_NAME_SIZE] = "";
    if (length >= sizeof stem) return;
    memcpy(stem, start, length);
    if (rill_name_fault(stem)) return;
    memset(name, 0, RILL_NAME_SIZE);
    strcpy(name, stem);
}

/* A scene that speaks of no fluids has water; written into the tree, settings can reach it. */
static rill_status add_water(rill_node *root, const char *label, rill_error *err)
{
    if (root->kind != RILL_NODE_MAP || rill_tree_find(root, "fluids")) return RILL_OK;
    const rill_place place = {.label = label};
    const rill_fluid water = rill_fluid_default();
    rill_node *fluids = rill_tree_node(RILL_NODE_MAP, &place), *fluid = rill_tree_node(RILL_NODE_MAP, &place);
    if (fluids && fluid && rill_tree_set_key(fluids, "fluids", 6) &&
        rill_tree_set_key(fluid, water.name, strlen(water.name))) {
        rill_tree_append(fluids, fluid);
        rill_tree_append(root, fluids);
        return RILL_OK;
    }
    rill_tree_free(fluids);
    rill_tree_free(fluid);
    return rill_place_no_memory(err);
}

/* A box that holds fluid has no walls across a periodic axis, and nothing is inside of a plane; the scene says so, that
 * people see it. */
static void say_what_follows(rill_scene *scene)
{
    for (uint32_t i = 0; i < scene->boundary_count; i++) {
        rill_boundary *b = &scene->boundaries[i];
        const rill_geometry *g = rill_geometry_of(&b->shape);
        b->solid = b->solid || g->unbounded;
        for (int a = 0; a < 3; a++)
            if (g->sided && rill_boundary_continues(scene, b, a)) b->open |= 3u << (2 * a);
    }
}

/* What is wrong between values is told where the text has one of them. */
static rill_status check_scene(const rill_node *root, const rill_scene *scene, rill_error *err)
{
    rill_error inner = {0};
    const void *at;
    rill_status status = rill_scene_check_at(scene, &at, &inner);
    if (!status) return RILL_OK;
    const rill_place place = rill_locate(root, scene, at);
    rill_place_fail(&place, err, "%s", inner.text);
    if (err) err->status = status;
    return status;
}

rill_status rill_scene_parse(const char *text, size_t length, const char *label, const char *const *settings,
                             size_t setting_count, rill_scene *scene, rill_error *err)
{
    rill_node *root = NULL;
    *scene = rill_scene_default();
    rill_locale locale = rill_locale_begin();
    rill_status status = rill_tree_parse(text, length, label, NULL, &root, err);
    if (!status) status = add_water(root, label, err);
    for (size_t i = 0; i < setting_count && !status; i++) status = rill_setting_apply(root, settings[i], err);
    if (!status) status = rill_read_scene(root, scene, err);
    if (!status && !rill_tree_find(root, "name")) name_from_label(label, scene->name);
    if (!status) say_what_follows(scene);
    if (!status) status = check_scene(root, scene, err);
    rill_locale_end(&locale);
    rill_tree_free(root);
    if (!status) return RILL_OK;
    rill_scene_free(scene);
    *scene = rill_scene_default();
    return status;
}

/* ---- files ---- */

static rill_status load_file(const char *path, const char *const *settings, size_t setting_count, rill_scene *scene,
                             rill_error *err)
{
    char *text;
    size_t length = 0;
    rill_status status = rill_store_get(path, RILL_SCENE_BYTES, &text, &length, err);
    if (!status) status = rill_scene_parse(text, length, path, settings, setting_count, scene, err);
    rill_free(text);
    return status;
}

/* ---- the folder of built-in scenes ---- */

static bool is_folder(const char *path)
{
    struct stat info;
    return !stat(path, &info) && S_ISDIR(info.st_mode);
}

static bool is_file(const char *path)
{
    struct stat info;
    return !stat(path, &info) && S_ISREG(info.st_mode);
}

/* The file that holds this code: the shared library, or the program where the library is part of it. */
static bool own_file(char path[PATH_MAX])
{
    Dl_info info;
    struct link_map *map = NULL;
    if (dladdr1((const void *)(uintptr_t)own_file, &info, (void **)&map, RTLD_DL_LINKMAP) && map && *map->l_name)
        return realpath(map->l_name, path) != NULL;
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length > 0) path[length] = 0;
    return length > 0;
}

/* The tidied path of FOLDER/relative, where FOLDER is that of this code; false when there is no such folder. */
static bool beside_code(const char *relative, char *path)
{
    char code[PATH_MAX], joined[PATH_MAX + 64];
    char *slash = own_file(code) ? strrchr(code, '/') : NULL;
    if (!slash) return false;
    *slash = 0;
    snprintf(joined, sizeof joined, "%s/%s", code, relative);
    return realpath(joined, path) && is_folder(path);
}

/* rill/scenes in one of the system's folders of data, for a program elsewhere that holds the library. */
static bool among_data(char path[PATH_MAX])
{
    const char *folders = getenv("XDG_DATA_DIRS");
    if (!folders || !*folders) folders = "/usr/local/share:/usr/share";
    char joined[PATH_MAX];
    while (*folders) {
        const int length = (int)strcspn(folders, ":");
        const int need = snprintf(joined, sizeof joined, "%.*s/rill/scenes", length, folders);
        if (*folders == '/' && need < (int)sizeof joined && realpath(joined, path) && is_folder(path)) return true;
        folders += length;
        folders += *folders == ':';
    }
    return false;
}

static rill_status copy_path(const char *found, char *path, size_t size, rill_error *err)
{
    if (strlen(found) >= size) return rill_fail(err, RILL_BAD_INPUT, "The path of the scene folder is too long.");
    strcpy(path, found);
    return RILL_OK;
}

rill_status rill_scene_folder(char *path, size_t size, rill_error *err)
{
    const char *given = getenv("RILL_SCENES");
    if (given && *given) {
        if (is_folder(given)) return copy_path(given, path, size, err);
        return rill_fail(err, RILL_BAD_INPUT, "RILL_SCENES names '%.200s', which is not a folder of scenes.", given);
    }
    char found[PATH_MAX];
    /* Built in build/, installed in bin/, lib/ or lib/MACHINE/. */
    if (beside_code("../share/rill/scenes", found) || beside_code("../../share/rill/scenes", found) ||
        beside_code("../scenes", found) || among_data(found))
        return copy_path(found, path, size, err);
    return rill_fail(
        err, RILL_BAD_INPUT,
        "The folder of built-in scenes was found neither beside the program or its library nor as rill/scenes in "
        "XDG_DATA_DIRS; set RILL_SCENES to it, or give the path of a scene file.");
}

/* ---- listing ---- */

static bool has_ending(const char *name, const char *ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && !strcmp(name + length - tail, ending);
}

/* The built-in scenes' file names, sorted. */
typedef struct file_list {
    char **names;
    int count;
} file_list;

static void free_files(file_list *files)
{
    for (int i = 0; i < files->count; i++) rill_free(files->names[i]);
    rill_free(files->names);
    *files = (file_list){0};
}

static bool add_file(file_list *files, const char *name)
{
    char **grown = rill_realloc(files->names, ((size_t)files->count + 1) * sizeof *grown);
    if (!grown) return false;
    files->names = grown;
    grown[files->count] = rill_string_copy(name);
    return grown[files->count] && ++files->count;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static rill_status list_files(const char *folder, file_list *files, rill_error *err)
{
    *files = (file_list){0};
    DIR *entries = opendir(folder);
    bool whole = entries;
    const struct dirent *entry;
    while (whole && (errno = 0, entry = readdir(entries)))
        if (entry->d_name[0] != '.' && has_ending(entry->d_name, ".yaml")) whole = add_file(files, entry->d_name);
    const int trouble = errno;
    if (entries) closedir(entries);
    if (whole && !trouble) {
        if (files->count) qsort(files->names, (size_t)files->count, sizeof *files->names, compare_names);
        return RILL_OK;
    }
    free_files(files);
    return rill_fail(err, trouble == ENOMEM ? RILL_NO_MEMORY : RILL_IO_FAILED,
                     "The folder of scenes '%.200s' cannot be read: %s.", folder, strerror(trouble));
}

/* The sentence about a scene, without reading all of it; for a scene that
 * cannot be read, why, so that one bad file does not hide the others. */
static void about_of(const char *path, char *about, size_t size)
{
    rill_error err = {0};
    char *text;
    size_t length = 0;
    rill_node *root = NULL;
    rill_status status = rill_store_get(path, RILL_SCENE_BYTES, &text, &length, &err);
    if (!status) status = rill_tree_parse(text, length, path, NULL, &root, &err);
    const rill_node *node = !status && root->kind == RILL_NODE_MAP ? rill_tree_find(root, "about") : NULL;
    snprintf(about, size, "%s", status ? err.text : node && node->text ? node->text : "");
    rill_tree_free(root);
    rill_free(text);
}

rill_status rill_scene_list(void (*each)(void *user, const char *name, const char *path, const char *about), void *user,
                            rill_error *err)
{
    char folder[PATH_MAX];
    file_list files;
    rill_status status = rill_scene_folder(folder, sizeof folder, err);
    if (!status) status = list_files(folder, &files, err);
    if (status) return status;
    for (int i = 0; i < files.count; i++) {
        char path[PATH_MAX + NAME_MAX + 2], about[sizeof((rill_error *)0)->text];
        snprintf(path, sizeof path, "%s/%s", folder, files.names[i]);
        about_of(path, about, sizeof about);
        files.names[i][strlen(files.names[i]) - strlen(".yaml")] = 0;
        each(user, files.names[i], path, about);
    }
    free_files(&files);
    return RILL_OK;
}

/* ---- by name ---- */

static rill_status fail_name(const char *name, const char *folder, rill_error *err)
{
    file_list files;
    char nearest[RILL_NAME_SIZE] = "";
    const rill_status status = list_files(folder, &files, err);
    if (status) return status;
    for (int i = 0; i < files.count; i++) {
        char *other = files.names[i];
        other[strlen(other) - strlen(".yaml")] = 0;
        if (strlen(other) < sizeof nearest &&
            (!*nearest || rill_spelling_distance(name, other) < rill_spelling_distance(name, nearest)))
            strcpy(nearest, other);
    }
    free_files(&files);
    if (!*nearest)
        return rill_fail(err, RILL_BAD_INPUT, "There is no scene '%s', nor any other in '%.200s'.",
                         rill_chars_excerpt(name).text, folder);
    if (!rill_spelling_resembles(name, nearest))
        return rill_fail(err, RILL_BAD_INPUT, "There is no scene '%s'; `rill scenes` lists them.",
                         rill_chars_excerpt(name).text);
    return rill_fail(err, RILL_BAD_INPUT, "There is no scene '%s'; did you mean '%s'? `rill scenes` lists them.",
                     rill_chars_excerpt(name).text, nearest);
}

rill_status rill_scene_load(const char *name_or_path, const char *const *settings, size_t setting_count,
                            rill_scene *scene, rill_error *err)
{
    *scene = rill_scene_default();
    const bool is_path =
        strchr(name_or_path, '/') || has_ending(name_or_path, ".yaml") || has_ending(name_or_path, ".yml");
    if (is_path) return load_file(name_or_path, settings, setting_count, scene, err);
    char folder[PATH_MAX], path[2 * PATH_MAX];
    const rill_status status = rill_scene_folder(folder, sizeof folder, err);
    if (!status) snprintf(path, sizeof path, "%s/%.*s.yaml", folder, PATH_MAX - 8, name_or_path);
    if (!status && is_file(path)) return load_file(path, settings, setting_count, scene, err);
    if (is_file(name_or_path)) return load_file(name_or_path, settings, setting_count, scene, err);
    return status ? status : fail_name(name_or_path, folder, err);
}
