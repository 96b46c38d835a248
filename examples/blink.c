// The shortest robot program: the LED blinks once a second, quickly while the user button is held down. Nothing moves.
//
//     build/halyard board xrp --view &
//     build/examples/blink
#include <halyard/program.h>

static hy_xrp xrp;

static void blink(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    hy_led_blink(&xrp.led, xrp.button.is_down ? 200000 : 1000000);
    hy_program_set_status("button %s, pressed %u times", xrp.button.is_down ? "down" : "up",
                          (unsigned)xrp.button.presses);
}

int main(int argc, char **argv)
{
    const hy_program program = {
        .name = "blink",
        .about = "blinks the LED",
        .robots = { { .xrp = &xrp } },
        .loop = { .robot_periodic = blink }, // always, enabled or not: an LED hurts nobody
    };
    return hy_program_main(&program, argc, argv);
}
