/// Worlds from text, read and compiled at once.
#ifndef HALYARD_TESTS_WORLD_READ_H
#define HALYARD_TESTS_WORLD_READ_H

#include <halyard/worldfile.h>

static inline hy_status world_read(const hy_worldfile_text *text, hy_world_model **model,
                                   hy_world_error *error)
{
    hy_world_spec spec;
    *model = NULL;
    hy_status status = hy_worldfile_parse(text, &spec, error);
    if (status == HY_OK) {
        status = hy_world_compile(&spec, model, error);
    }
    hy_world_spec_free(&spec);
    return status;
}

#endif
