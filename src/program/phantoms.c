#include "phantoms.h"

#include <halyard/sim_scene.h>

#include <stdio.h>

#include "options.h"

static bool add_phantom(hy_phantoms *phantoms, const hy_program *program, const char *path,
                        const hy_scene *scene, char error[PROGRAM_FILE_ERROR_MAX])
{
    hy_world_error why = { "" };
    char name[HY_PHANTOMS_NAME];
    hy_bytes file;
    if (!program_file_map(path, &file, error)) {
        return false;
    }
    hy_path_name(path, name, sizeof name);
    const hy_status status = hy_phantoms_add(phantoms, name, file, scene, &why);
    program_file_unmap(file);
    if (why.text[0] != '\0') {
        program_complain(program, "--phantom %s: %s%s", path, why.text,
                         status != HY_OK ? "; it is not shown" : "");
    }
    return true;
}

bool program_phantoms_open(hy_phantoms **out, const hy_program *program,
                           const hy_program_options *options, const hy_sim *sim,
                           char error[PROGRAM_FILE_ERROR_MAX])
{
    hy_sim_scene drawn;
    *out = NULL;
    if (options->phantom_count == 0) {
        return true;
    }
    if (hy_phantoms_create(out) != HY_OK || !hy_sim_scene_start(&drawn, sim)) {
        (void)snprintf(error, PROGRAM_FILE_ERROR_MAX, "%s", hy_status_text(HY_EMEMORY));
        return false;
    }
    bool ok = true;
    for (size_t i = 0; i < options->phantom_count && ok; i++) {
        ok = add_phantom(*out, program, options->phantoms[i], &drawn.world.scene, error);
    }
    hy_sim_scene_end(&drawn);
    return ok;
}
