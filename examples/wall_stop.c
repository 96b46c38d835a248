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
#define GROWTH        0.004 // effort that is added in each loop in which the robot stands, but should not
#define STANDS_M      0.0002 // way in one loop: less is no motion

static hy_xrp xrp;
static hy_differential_drive drive;
static double memory[HY_MEDIAN_FILTER_MEMORY(3)];
static hy_median_filter range;
static double way_before_m, more; // way in the loop before, and the effort that was added since

static void start(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    hy_differential_drive_init(&drive, &xrp.motor[0], &xrp.motor[1]);
    hy_median_filter_init(&range, 3, memory, sizeof memory / sizeof memory[0]);
}

// Motors that stand need more effort than motors that turn, on a weak battery most of all: so it grows while the robot stands (an
// integral term), and shrinks again.
static void push_while_standing(void)
{
    const double moved_m = xrp.encoder[0].distance - way_before_m;
    way_before_m = xrp.encoder[0].distance;
    const bool stands = moved_m < STANDS_M && moved_m > -STANDS_M;
    more = hy_clamp(more + (stands ? GROWTH : -GROWTH), 0.0, 1.0, 0.0);
}

static void approach(void *context, int64_t now_us)
{
    (void)context;
    if (!xrp.rangefinder.is_ready) {
        return; // blind: a motor that nobody sets stands
    }
    const double left_m = hy_median_filter_calculate(&range, xrp.rangefinder.range_m) - STOP_M;
    double effort = 0.0;
    push_while_standing();
    if (left_m > CLOSE_M) {
        effort = hy_clamp(START_TO_MOVE + GAIN * left_m, 0.0, MOST, 0.0) + more;
    } else if (left_m < -CLOSE_M) {
        effort = hy_clamp(-START_TO_MOVE + GAIN * left_m, -MOST, 0.0, 0.0) - more;
    } else {
        more = 0.0;
    }
    hy_differential_drive_tank(&drive, effort, effort, false, now_us);
    hy_program_put_number("left to drive", left_m); // in the log of a run with --record
    hy_publish_differential_drive(hy_program_telemetry(), "drive", &drive);
    hy_program_set_status("%.3f m to the wall", xrp.rangefinder.range_m);
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
