#include "sim_world.h"

#include <halyard/robots.h>
#include <halyard/worldfile.h>

static void init(const void *devices)
{
    hy_program_devices_init(devices);
}

static void update(const void *devices, const hy_wire_status *status, int64_t now_us)
{
    hy_program_devices_update(devices, status, now_us);
}

static void rebase(const void *devices)
{
    hy_program_devices_rebase(devices);
}

static void stop(const void *devices, int64_t now_us)
{
    hy_program_devices_stop(devices, now_us);
}

static void command(const void *devices, hy_wire_command *to, int64_t now_us)
{
    hy_program_devices_command(devices, to, now_us);
}

static const hy_robot_variant *variant_of(const hy_program_robot *robot, const char *hardware)
{
    return hardware != NULL ? hy_robot_variant_find(hy_program_robot_type(robot), hardware) : NULL;
}

// The hardware that was asked for, of the first robot that there is with it.
static const hy_robot_variant *find_variant(const hy_program *program, const char *hardware)
{
    const hy_robot_variant *variant = NULL;
    for (size_t i = 0; i < HY_PROGRAM_ROBOTS && variant == NULL; i++) {
        const hy_program_robot *const robot = &program->robots[i];
        variant = hy_program_device_class(robot) != NULL ? variant_of(robot, hardware) : NULL;
    }
    return variant;
}

size_t program_sim_robots(const hy_program *program, const char *hardware,
                          hy_run_robot robots[HY_PROGRAM_ROBOTS])
{
    size_t count = 0;
    while (count < HY_PROGRAM_ROBOTS && hy_program_device_class(&program->robots[count]) != NULL) {
        const hy_program_robot *const robot = &program->robots[count];
        robots[count++] = (hy_run_robot){
            .type = hy_program_robot_type(robot),
            .variant = variant_of(robot, hardware),
            .devices = robot,
            .init = init,
            .update = update,
            .rebase = rebase,
            .stop = stop,
            .command = command,
        };
    }
    return count;
}

hy_status program_sim_load(const hy_program *program, const hy_program_options *options,
                           hy_world_model **model, hy_world_error *error)
{
    char path[HY_WORLDFILE_PATH_MAX];
    hy_robot_traits traits = { .name = "" };
    const hy_worldfile_robots robots = { .variant = find_variant(program, options->hardware),
                                         .pwm_hz = options->pwm_hz,
                                         .traits = options->robot != NULL ? &traits : NULL };
    *model = NULL;
    if (!hy_worldfile_find(options->world, path, error)) {
        return HY_EFILE;
    }
    const hy_status status =
        options->robot != NULL ? hy_robot_choose(options->robot, &traits, error) : HY_OK;
    return status == HY_OK ? hy_worldfile_load_robots(path, &robots, model, error) : status;
}
