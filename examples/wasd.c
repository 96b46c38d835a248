// Drives with W, A, S and D or the arrow keys.
//
//     build/halyard board xrp --view &
//     build/examples/wasd
#include <halyard/program.h>

#define SPEED 0.5 // of full effort
#define TURN  0.3

static hy_xrp xrp;
static hy_differential_drive drive;
static hy_key_stick stick;

static void start(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    stick = (hy_key_stick){ .releases = stick.releases };
    hy_differential_drive_init(&drive, &xrp.motor[0], &xrp.motor[1]);
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
    hy_differential_drive_arcade(&drive, SPEED * where.speed, TURN * where.turn, false, now_us);
    hy_program_set_status("ahead %+.2f  left %+.2f", where.speed, where.turn);
}

int main(int argc, char **argv)
{
    const hy_program program = {
        .name = "wasd",
        .about = "drives with W, A, S and D or the arrow keys",
        .robots = { { .xrp = &xrp } },
        .loop = { .mode = { [HY_MODE_TELEOP] = { .init = start, .periodic = follow_stick } } },
        .key = take_key,
    };
    return hy_program_main(&program, argc, argv);
}
