// Drives a square of half a metre: encoders tell how far, the gyro tells which way. It ends where it began.
//
//     build/halyard board xrp --world xrp-open --view &
//     build/examples/drive_square
//
// A dashboard chooses to which side it turns (docs/guide/telemetry.md).
#include <halyard/program.h>

#define SIDE_M        0.5
#define SIDES         4
#define MOST          0.4  // effort
#define START_TO_MOVE 0.22 // effort at which the wheels begin to turn
#define CLOSE_M       0.004
#define CLOSE_RAD     0.012
#define AHEAD_GAIN    0.6 // effort per metre that is left
#define TURN_GAIN     0.1 // effort per radian that is left
#define STRAIGHT_GAIN 0.5 // the same while it drives
#define GROWTH        0.002 // effort that is added in each loop in which the robot stands, but should not
#define STANDS        0.0002 // metres or radians in one loop: less is no motion
#define REST_US       300000 // it stands for so long before the next step, so that what it reads is true

static hy_xrp xrp;
static hy_differential_drive drive;
static hy_debouncer rest;
static double left_before,
    more;        // what was left in the loop before, and the effort that was added since
static int step; // even: a side; odd: the corner behind it
static double start_m, start_rad; // way and heading at the beginning of the step, and of all

enum { TO_THE_LEFT, TO_THE_RIGHT };
static const char *const routines[] = { "to the left", "to the right" };
static size_t routine; // what a dashboard has chosen
static double corner_rad;

static double way_m(void)
{
    return (xrp.encoder[0].distance + xrp.encoder[1].distance) / 2.0;
}

// What is left, as an effort that really moves the robot; 0 when it is close enough. Motors that stand need more than motors that
// turn, on a weak battery most of all: so the effort grows while the robot stands (an integral term), and shrinks again.
static double effort_for(double left, double close, double gain)
{
    const double magnitude = left < 0.0 ? -left : left;
    const double moved = left - left_before;
    const bool stands = moved < STANDS && moved > -STANDS;
    left_before = left;
    if (magnitude <= close) {
        more = 0.0;
        return 0.0;
    }
    more = hy_clamp(more + (stands ? GROWTH : -GROWTH), 0.0, 1.0, 0.0);
    const double effort = hy_clamp(START_TO_MOVE + gain * magnitude, 0.0, MOST, 0.0) + more;
    return left < 0.0 ? -effort : effort;
}

static void offer_routines(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    routine = TO_THE_LEFT;
    hy_program_chooser("Auto", routines, sizeof routines / sizeof routines[0], &routine);
}

static void start(void *context, int64_t now_us)
{
    (void)context;
    hy_differential_drive_init(&drive, &xrp.motor[0], &xrp.motor[1]);
    hy_debouncer_init(&rest, REST_US, HY_DEBOUNCE_RISING, now_us);
    step = 0;
    start_m = way_m();
    start_rad = xrp.gyro.angle_rad[2];
    corner_rad = routine == TO_THE_LEFT ? HY_PI / 2 : -HY_PI / 2;
}

static void drive_square(void *context, int64_t now_us)
{
    (void)context;
    const double turned_rad = xrp.gyro.angle_rad[2] - start_rad;
    const int corners = (step + 1) / 2; // 0, 1, 1, 2, 2, ...
    const double wanted_rad = corner_rad * corners;
    double ahead = 0.0, left = 0.0;
    if (step >= 2 * SIDES) {
        hy_program_set_status("the square is closed");
    } else if (step % 2 == 0) {
        ahead = effort_for(start_m + SIDE_M - way_m(), CLOSE_M, AHEAD_GAIN);
        left = ahead != 0.0 ? STRAIGHT_GAIN * (wanted_rad - turned_rad) : 0.0;
        hy_program_set_status("side %d of %d", step / 2 + 1, SIDES);
    } else {
        left = effort_for(wanted_rad - turned_rad, CLOSE_RAD, TURN_GAIN);
        hy_program_set_status("corner %d", step / 2 + 1);
    }
    hy_differential_drive_arcade(&drive, ahead, left, false, now_us);
    hy_program_put_number("way", way_m()); // in the log of a run with --record
    hy_program_put_number("turned", turned_rad);
    if (hy_debouncer_calculate(&rest, ahead == 0.0 && left == 0.0, now_us) && step < 2 * SIDES) {
        step++;
        start_m = way_m();
        hy_debouncer_init(&rest, REST_US, HY_DEBOUNCE_RISING, now_us);
    }
}

int main(int argc, char **argv)
{
    const hy_program program = {
        .name = "drive_square",
        .about = "drives a square by encoders and gyro",
        .robots = { { .xrp = &xrp } },
        .loop = { .robot_init = offer_routines,
                  .mode = { [HY_MODE_AUTONOMOUS] = { .init = start, .periodic = drive_square } } },
    };
    return hy_program_main(&program, argc, argv);
}
