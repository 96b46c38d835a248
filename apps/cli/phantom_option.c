#include "phantom_option.h"

#include "app.h"
#include "mapped_file.h"

static bool add(const char *command, hy_phantoms *phantoms, const char *path, const hy_scene *scene)
{
    hy_world_error error = { "" };
    char name[HY_PHANTOMS_NAME];
    hy_bytes file;
    hy_path_name(path, name, sizeof name);
    if (!mapped_file_open(command, path, &file)) {
        return false;
    }
    const hy_status status = hy_phantoms_add(phantoms, name, file, scene, &error);
    mapped_file_close(&file);
    if (status != HY_OK) {
        app_error(command, "--phantom %s: %s; it is not shown", path, error.text);
    } else if (error.text[0] != '\0') {
        app_error(command, "--phantom %s: %s", path, error.text);
    }
    return status != HY_EMEMORY;
}

bool phantom_option_check(const char *command, const phantom_option *asked)
{
    bool ok = true;
    for (size_t i = 0; i < asked->files.count && ok; i++) {
        hy_bytes file;
        ok = mapped_file_open(command, asked->files.items[i], &file);
        mapped_file_close(&file);
    }
    return ok;
}

bool phantom_option_open(const char *command, const phantom_option *asked, hy_scene *scene,
                         hy_phantoms **out)
{
    *out = NULL;
    if (asked->files.count == 0) {
        return true;
    }
    bool ok = hy_phantoms_create(out) == HY_OK;
    if (!ok) {
        app_error(command, "there is not enough memory");
    }
    for (size_t i = 0; i < asked->files.count && ok; i++) {
        ok = add(command, *out, asked->files.items[i], scene);
    }
    if (!ok) {
        hy_phantoms_free(*out);
        *out = NULL;
        return false;
    }
    hy_phantoms_show(*out, scene);
    return true;
}
