// Drives up to a wall and stops 20 cm before it, by the rangefinder; if the wall comes nearer, it backs off.
//
//     build/halyard board xrp --world xrp-course --view &
//     build/examples/wall_stop
#include <halyard/program.h>

#define STOP_M        0.20  // from the rangefinder to the wall
#define CLOSE_M       0.006 // near enough: the rangefinder is not better than that
#define GAIN          0.4   // effort per metre that is left
#define MOST          0.4
#define START_TO_MOVE 0.22 // effort at which the wheels begin to turn

static hy_xrp xrp;
static hy_differential_drive drive;
static double memory[HY_MEDIAN_FILTER_MEMORY(3)];
static hy_median_filter range;

static void start(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    hy_differential_drive_init(&drive, &xrp.motor[0], &xrp.motor[1]);
    hy_median_filter_init(&range, 3, memory, sizeof memory / sizeof memory[0]);
}

static void approach(void *context, int64_t now_us)
{
    (void)context;
    if (!xrp.rangefinder.is_ready) {
        return; // blind: a motor that nobody sets stands
    }
    const double left_m = hy_median_filter_calculate(&range, xrp.rangefinder.range_m) - STOP_M;
    double effort = 0.0;
    if (left_m > CLOSE_M) {
        effort = START_TO_MOVE + GAIN * left_m;
    } else if (left_m < -CLOSE_M) {
        effort = -START_TO_MOVE + GAIN * left_m;
    }
    effort = hy_clamp(effort, -MOST, MOST, 0.0);
    hy_differential_drive_tank(&drive, effort, effort, false, now_us);
    hy_program_put_number("left to drive", left_m); // in the log of a run with --record
    hy_publish_differential_drive(hy_program_telemetry(), "drive", &drive);
    hy_program_say("%.3f m to the wall", xrp.rangefinder.range_m);
}

int main(int argc, char **argv)
{
    const hy_program program = {
        .name = "wall_stop",
        .about = "stops 20 cm before a wall",
        .robots = { { .xrp = &xrp } },
        .loop = { .mode = { [HY_MODE_AUTONOMOUS] = { .init = start, .periodic = approach } } },
    };
    return hy_program_main(&program, argc, argv);
}
