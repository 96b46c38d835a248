/// The match that recordings of everything are tried with: the field of 2020 with an XRP and a swerve robot in it.
#ifndef MATCH_WITH_EXTRA_VEHICLES_H
#define MATCH_WITH_EXTRA_VEHICLES_H

#include <halyard/worldfile.h>

#include <stdio.h>

/// NULL, and why in `error`, if it cannot be read.
static inline hy_match_model *read_match_with_extra_vehicles(hy_world_error *error)
{
    hy_match_model *model = NULL;
    hy_match_spec spec;
    char name[512];
    (void)snprintf(name, sizeof name, "%s/../worlds/field2020.yaml", HALYARD_TEST_DATA);
    if (hy_worldfile_read_match(name, &spec, error) == HY_OK &&
        hy_match_spec_add_vehicle(&spec, "xrp", (hy_point){ 1.5, 0 }, 0) != NULL &&
        hy_match_spec_add_vehicle(&spec, "swerve", (hy_point){ -1.5, 0 }, 0) != NULL) {
        (void)hy_match_compile(&spec, &model, error);
    }
    hy_match_spec_free(&spec);
    return model;
}

#ifdef fail_msg // in a test
static inline hy_match_model *load_match_with_extra_vehicles(void)
{
    hy_world_error error = { .text = "" };
    hy_match_model *const model = read_match_with_extra_vehicles(&error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}
#endif

#endif
