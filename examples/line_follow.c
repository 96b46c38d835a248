// Follows a black line on white. Both sensors look at the line's edges: whichever gets darker says where the line has gone.
//
//     build/examples/line_follow --sim xrp-line --speed max
//
// or, as on a real robot, in a world that a page shows:
//
//     build/halyard board xrp --world xrp-line --view &
//     build/examples/line_follow
#include <halyard/program.h>

#define FAST     0.45 // effort on a straight line ...
#define SLOW     0.35 // ... and where it bends
#define TURN_P   0.15 // effort of turning when one sensor sees black and the other one white
#define TURN_I   0.80 // ... and what is added a second as long as it stays so: a bend
#define TURN_D   0.02 // ... and against turning, while the line comes back
#define PERIOD_S 0.02
#define LOST     0.15 // darker than this is line

static hy_xrp xrp;
static hy_differential_drive drive;
static hy_pid steering;
static hy_pid_gains gains;
static double side; // where the line was last: +1 left, -1 right

static void start(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    hy_differential_drive_init(&drive, &xrp.motor[0], &xrp.motor[1]);
    gains = (hy_pid_gains){ TURN_P, TURN_I, TURN_D };
    hy_program_tunable("kP", &gains.p, 0.0, 2.0); // for a dashboard, while the robot drives
    hy_pid_init(&steering, gains, PERIOD_S);
    hy_pid_set_integrator_range(&steering, -0.2, 0.2);
    side = 0.0;
}

static void follow(void *context, int64_t now_us)
{
    (void)context;
    if (!xrp.reflectance.is_ready) {
        return; // the robot has not looked yet
    }
    double line = xrp.reflectance.left - xrp.reflectance.right;
    if (xrp.reflectance.left < LOST && xrp.reflectance.right < LOST) {
        line = side; // both see white: it has gone out where it was last seen
    } else if (line > 0.5 || line < -0.5) {
        side = line > 0.0 ? 1.0 : -1.0;
    }
    hy_pid_set_gains(&steering, gains);
    const double turn = hy_pid_calculate_to(&steering, 0.0, line);
    const double bend = line < 0.0 ? -line : line;
    hy_differential_drive_arcade(&drive, FAST - (FAST - SLOW) * bend, turn, false, now_us);
    hy_publish_pid(hy_program_telemetry(), "steering", &steering); // in the log of a run with --record
    hy_program_put_number("left", xrp.reflectance.left);
    hy_program_put_number("right", xrp.reflectance.right);
    hy_program_set_status("left %.2f  right %.2f", xrp.reflectance.left, xrp.reflectance.right);
}

const hy_program line_follow = {
    .name = "line_follow",
    .about = "follows a black line",
    .robots = { { .xrp = &xrp } },
    .loop = { .mode = { [HY_MODE_AUTONOMOUS] = { .init = start, .periodic = follow } } },
};

HY_PROGRAM_MAIN(line_follow)
