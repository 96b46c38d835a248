#include "host_phantoms.h"

#include "sim/sim_scene.h"
#include "system/system.h"

// clang-format off
static const hy_option table[] = {
    { HY_OPTION(LIST, hy_host_phantoms, files), .name = "phantom", .value = "FILE", .reads = true, .needs = "view", .help = "show an earlier run (--record FILE) beside this one, how far ahead it is, and its lap times; up to 10" },
};
// clang-format on

static bool map(const char *program, const char *path, hy_bytes *out)
{
    char why[HY_SYSTEM_ERROR_MAX];
    const bool ok = hy_file_map(path, out, why);
    if (!ok) {
        hy_print_error(program, "--phantom %s", why);
    }
    return ok;
}

static bool check(const char *program, void *to)
{
    const hy_host_phantoms *const asked = to;
    bool ok = true;
    for (size_t i = 0; i < asked->files.count && ok; i++) {
        hy_bytes file;
        ok = map(program, asked->files.items[i], &file);
        hy_file_unmap(&file);
    }
    return ok;
}

hy_option_group hy_host_phantoms_group(hy_host_phantoms *to)
{
    to->files = (hy_option_list){ .items = to->items, .room = HY_PHANTOMS_MAX };
    return (hy_option_group)HY_OPTION_GROUP_CHECKED(NULL, table, to, check);
}

static bool add(const char *program, hy_phantoms *phantoms, const char *path, const hy_scene *scene)
{
    hy_world_error error = { "" };
    char name[HY_PHANTOMS_NAME];
    hy_bytes file;
    hy_path_name(path, name, sizeof name);
    if (!map(program, path, &file)) {
        return false;
    }
    const hy_status status = hy_phantoms_add(phantoms, name, file, scene, &error);
    hy_file_unmap(&file);
    if (error.text[0] != '\0') {
        hy_print_error(program, "--phantom %s: %s%s", path, error.text,
                       status != HY_OK ? "; it is not shown" : "");
    }
    return status != HY_EMEMORY;
}

bool hy_host_phantoms_open(const char *program, const hy_host_phantoms *asked,
                           const hy_scene *scene, hy_phantoms **out)
{
    *out = NULL;
    if (asked->files.count == 0) {
        return true;
    }
    bool ok = hy_phantoms_open(out) == HY_OK;
    if (!ok) {
        hy_print_error(program, "%s", hy_status_text(HY_EMEMORY));
    }
    for (size_t i = 0; i < asked->files.count && ok; i++) {
        ok = add(program, *out, asked->files.items[i], scene);
    }
    if (!ok) {
        hy_phantoms_close(*out);
        *out = NULL;
    }
    return ok;
}

bool hy_host_phantoms_open_for(const char *program, const hy_host_phantoms *asked,
                               const hy_sim *sim, hy_phantoms **out)
{
    hy_sim_scene drawn;
    *out = NULL;
    if (asked->files.count == 0) {
        return true;
    }
    if (!hy_sim_scene_open(&drawn, sim)) {
        hy_print_error(program, "%s", hy_status_text(HY_EMEMORY));
        return false;
    }
    const bool ok = hy_host_phantoms_open(program, asked, &drawn.world.scene, out);
    hy_sim_scene_close(&drawn);
    return ok;
}
