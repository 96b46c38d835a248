#include <halyard/worldfile.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/system.h"
#include "text/text.h"

static bool ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), ending_length = strlen(ending);
    return length >= ending_length && strcmp(text + length - ending_length, ending) == 0;
}

static bool is_file_name(const char *world)
{
    return strchr(world, '/') != NULL || ends_with(world, ".yaml") || ends_with(world, ".yml");
}

static bool is_in(const char *folder, const char *name, char path[HY_WORLDFILE_PATH_MAX])
{
    return folder != NULL &&
           snprintf(path, HY_WORLDFILE_PATH_MAX, "%s/%s.yaml", folder, name) < HY_WORLDFILE_PATH_MAX &&
           hy_file_is_readable(path);
}

#define ENDING  ".yaml"
#define FOLDERS 4 // in which worlds lie

typedef struct {
    hy_suggestion meant;
    char name[64]; // of what was meant
    char list[200];
} world_names;

static void add_names(world_names *self, const char *folder)
{
    hy_folder files = { 0, NULL };
    (void)(folder != NULL && hy_folder_open(&files, folder));
    for (size_t i = 0; i < files.count; i++) {
        char name[sizeof self->name];
        const size_t used = strlen(self->list), length = strlen(hy_folder_name(&files, i));
        if (!ends_with(hy_folder_name(&files, i), ENDING)) {
            continue;
        }
        (void)snprintf(name, sizeof name, "%.*s", (int)(length - strlen(ENDING)),
                       hy_folder_name(&files, i));
        (void)snprintf(self->list + used, sizeof self->list - used, "%s%s", used > 0 ? ", " : "",
                       name);
        hy_suggestion_consider(&self->meant, name);
        if (self->meant.name == name) {
            (void)snprintf(self->name, sizeof self->name, "%.63s", name);
            self->meant.name = self->name;
        }
    }
    hy_folder_close(&files);
}

// The folder of the user's own comes first; of the others the first that there is has all that comes with Halyard.
static void refuse(const char *world, const char *const folders[FOLDERS], hy_world_error *error)
{
    world_names names = { .meant = hy_suggestion_start(world, strlen(world)) };
    add_names(&names, folders[0]);
    const size_t own = strlen(names.list);
    for (size_t i = 1; i < FOLDERS && strlen(names.list) == own; i++) {
        add_names(&names, folders[i]);
    }
    const int size =
        snprintf(error->text, sizeof error->text,
                 "there is no world called '%.60s'%s%s%s file, or one of these and of the folder "
                 "HALYARD_WORLDS: %s",
                 world, names.meant.name != NULL ? "; did you mean '" : "", names.name,
                 names.meant.name != NULL ? "'? A world is a" : "; a world is a", names.list);
    if (size >= (int)sizeof error->text) {
        memcpy(error->text + sizeof error->text - 4, "...", 4);
    }
}

bool hy_worldfile_find(const char *world, char path[HY_WORLDFILE_PATH_MAX], hy_world_error *error)
{
    if (is_file_name(world)) {
        if (snprintf(path, HY_WORLDFILE_PATH_MAX, "%s", world) < HY_WORLDFILE_PATH_MAX) {
            return true;
        }
        snprintf(error->text, sizeof error->text, "the name of the world file is too long");
        return false;
    }
    char installed[HY_WORLDFILE_PATH_MAX];
    const char *const folders[FOLDERS] = {
        getenv("HALYARD_WORLDS"),
        hy_worldfile_installed("worlds", installed) ? installed : NULL,
        HALYARD_BUILD_WORLDS,
        HALYARD_INSTALLED_WORLDS,
    };
    for (size_t i = 0; i < FOLDERS; i++) {
        if (is_in(folders[i], world, path)) {
            return true;
        }
    }
    refuse(world, folders, error);
    return false;
}
