// Drives with a game pad: the left stick for speed, the right one for turning. Without a pad, W A S D and the arrows are one.
//
//     build/halyard board xrp --view &
//     build/examples/arcade_gamepad
#include <halyard/program.h>

#include <stdio.h>

#define MOST 0.8 // of full effort

static hy_xrp xrp;
static hy_differential_drive drive;
static hy_gamepads *pads;
static hy_key_pad keys;

static void start(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    hy_differential_drive_init(&drive, &xrp.motor[0], &xrp.motor[1]);
    hy_differential_drive_set_max_output(&drive, MOST);
    hy_key_pad_release(&keys);
}

static void take_key(void *context, const hy_key_event *event, int64_t now_us)
{
    (void)context;
    hy_key_pad_feed(&keys, event, now_us);
}

// The first pad that is plugged in, else the keys.
static hy_pad read_pad(int64_t now_us, const char **name)
{
    const unsigned count = pads != NULL ? hy_gamepads_update(pads) : 0;
    for (unsigned i = 0; i < HY_GAMEPADS_MAX && count > 0; i++) {
        *name = hy_gamepads_name(pads, i);
        if (*name != NULL) {
            return hy_gamepads_read(pads, i);
        }
    }
    *name = "keys";
    return hy_key_pad_read(&keys, now_us);
}

static void follow_pad(void *context, int64_t now_us)
{
    (void)context;
    const char *name;
    const hy_pad pad = read_pad(now_us, &name);
    hy_differential_drive_arcade(&drive, pad.left_y, -pad.right_x, true, now_us); // true: finer near 0
    hy_program_set_status("%.30s: ahead %+.2f  left %+.2f", name, pad.left_y, -pad.right_x);
}

int main(int argc, char **argv)
{
    const hy_program program = {
        .name = "arcade_gamepad",
        .about = "drives with a game pad, or with W A S D and the arrow keys",
        .robots = { { .xrp = &xrp } },
        .loop = { .mode = { [HY_MODE_TELEOP] = { .init = start, .periodic = follow_pad } } },
        .key = take_key,
    };
    char why[128] = "";
    pads = hy_gamepads_open(why, sizeof why);
    if (pads == NULL) {
        fprintf(stderr, "no game pads: %s\n", why);
    }
    const int status = hy_program_main(&program, argc, argv);
    hy_gamepads_close(pads);
    return status;
}
