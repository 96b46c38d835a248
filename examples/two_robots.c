// One program, two robots: W A S D drive the first, and the second does the same in the mirror.
//
//     build/halyard board xrp --view &
//     build/halyard board xrp --listen 127.0.0.1:3541 --view=127.0.0.1:5801 &
//     build/examples/two_robots xrp://127.0.0.1 xrp://127.0.0.1:3541
#include <halyard/program.h>

#define SPEED 0.6 // of full effort
#define TURN  0.4

static hy_xrp first, second;
static hy_differential_drive drive[2];
static hy_key_stick stick;

static void start(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    hy_differential_drive_init(&drive[0], &first.motor[0], &first.motor[1]);
    hy_differential_drive_init(&drive[1], &second.motor[0], &second.motor[1]);
}

static void take_key(void *context, const hy_key_event *event, int64_t now_us)
{
    (void)context;
    hy_key_stick_feed(&stick, event, now_us);
}

static void follow_stick(void *context, int64_t now_us)
{
    (void)context;
    const hy_stick where = hy_key_stick_read(&stick, now_us);
    const double speed = SPEED * where.speed, turn = TURN * where.turn;
    hy_differential_drive_arcade(&drive[0], speed, turn, false, now_us);
    hy_differential_drive_arcade(&drive[1], speed, -turn, false, now_us);
    hy_program_set_status("first at %+.2f m, second at %+.2f m", first.encoder[0].distance,
                          second.encoder[0].distance);
}

int main(int argc, char **argv)
{
    const hy_program program = {
        .name = "two_robots",
        .about = "drives two robots: the second mirrors the first",
        .robots = { { .xrp = &first }, { .xrp = &second, .url = "xrp://127.0.0.1:3541" } },
        .loop = { .mode = { [HY_MODE_TELEOP] = { .init = start, .periodic = follow_stick } } },
        .key = take_key,
    };
    return hy_program_main(&program, argc, argv);
}
