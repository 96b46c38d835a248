
#include <math.h>
#include <stdio.h>

#include "scene.h"

void hy_scene_truth(hy_world_pose start, hy_world_pose robot, hy_scene_value out[HY_SCENE_TRUTH])
{
    const double dx_m = robot.x_m - start.x_m, dy_m = robot.y_m - start.y_m;
    const double forward = cos(start.heading_rad), aside = sin(start.heading_rad);
    out[0] = (hy_scene_value){ "truth/x", dx_m * forward + dy_m * aside };
    out[1] = (hy_scene_value){ "truth/y", dy_m * forward - dx_m * aside };
    out[2] = (hy_scene_value){ "truth/heading", robot.heading_rad - start.heading_rad };
}

void hy_scene_name_pose(const char *channel, size_t member, char out[HY_SCENE_VALUE_NAME])
{
    static const char *const members[HY_SCENE_TRUTH] = { "x", "y", "heading" };
    const size_t room = HY_SCENE_VALUE_NAME - sizeof "/heading";
    (void)snprintf(out, HY_SCENE_VALUE_NAME, "%.*s/%s", (int)room, channel + (channel[0] == '/'),
                   members[member]);
}
