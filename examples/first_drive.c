// Half a metre ahead, then the line sensors: a whole robot program. Start `halyard board xrp` before it.
#include <halyard/robot.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    hy_robot *robot;
    const hy_status status = hy_robot_open(&robot, argc > 1 ? argv[1] : "xrp://localhost");
    if (status != HY_OK) {
        fprintf(stderr, "no robot: %s\n", hy_status_text(status));
        return 1;
    }
    while (!hy_robot_enable(robot) && hy_robot_wait(robot, 20000)) { // until it answers
    }
    const double start = hy_robot_encoder_counts(robot, 0);
    hy_robot_set_efforts(robot, 0.5, 0.5); // left and right, both ahead
    while (hy_robot_is_enabled(robot) &&
           hy_robot_encoder_counts(robot, 0) - start < 1552) { // 585 a turn, 18.85 cm
        hy_robot_wait(robot, 20000); // commands go out, statuses come in; Ctrl-C or silence disables
    }
    hy_robot_disable(robot);
    printf("drove %.0f counts; left line sensor %.2f V\n",
           hy_robot_encoder_counts(robot, 0) - start, hy_robot_analog_v(robot, 0));
    hy_robot_close(robot);
    return 0;
}
