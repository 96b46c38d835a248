// What robots bring into a world: their controllers, and what sets one apart from its type.
#include <halyard/worldfile.h>
#include <string.h>

/// The first variant of the type of robot that has such a vehicle; NULL if there is none.
static const hy_robot_variant *default_variant(const char *kind)
{
    const hy_robot_type *type;
    for (size_t i = 0; (type = hy_robot_type_at(i)) != NULL; i++) {
        if (strcmp(type->variants[0].vehicle, kind) == 0) {
            return &type->variants[0];
        }
    }
    return NULL;
}

static void set_controller(hy_vehicle_spec *vehicle, const hy_robot_variant *variant, double pwm_hz)
{
    hy_bridge_spec *const bridge = &vehicle->bridge;
    if (bridge->decay == HY_DECAY_CONTROLLER && variant->coasts) {
        bridge->decay = HY_DECAY_COAST;
    }
    if (bridge->decay == HY_DECAY_COAST && bridge->pwm_hz == 0) {
        bridge->pwm_hz = pwm_hz > 0 ? pwm_hz : variant->pwm_hz;
    }
}

void hy_worldfile_set_robots(hy_world_spec *spec, const hy_worldfile_robots *robots)
{
    static const hy_worldfile_robots defaults = { .variant = NULL };
    robots = robots != NULL ? robots : &defaults;
    for (size_t i = 0; i < spec->vehicle_count; i++) {
        const char *const kind = hy_vehicle_type_name(spec->vehicle[i].type);
        const bool is_its = robots->variant != NULL && strcmp(robots->variant->vehicle, kind) == 0;
        const hy_robot_variant *const variant = is_its ? robots->variant : default_variant(kind);
        if (variant != NULL) {
            set_controller(&spec->vehicle[i], variant, robots->pwm_hz);
        }
        if (robots->traits != NULL) {
            (void)hy_vehicle_spec_set_traits(&spec->vehicle[i], robots->traits);
        }
    }
}
