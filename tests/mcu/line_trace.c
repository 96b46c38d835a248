// Writes down what goes in and out of examples/line_follow.c on a PC, packet by packet, while it
// drives in the world: what line_follow.c of this folder plays to the same program on a
// microcontroller.
//
//     line_trace >TRACE        most of a lap of the line in bad air, then a corner that loses it
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../unit/example_run.h"

int example_line_follow(int argc, char **argv);

// A corner too sharp to follow: both sensors see white, and it must remember where the line was.
#define LOST                                                                                   \
    "name: lost\nfloor: { width_m: 4, height_m: 4 }\nmat:\n  size_m: [4, 4]\n  shapes:\n"      \
    "    - line: { points_m: [[1, 2], [2, 2]] }\n    - line: { points_m: [[2, 2], [2, 3]] }\n" \
    "vehicles:\n  - kind: xrp\n    start: { x_m: 1.2, y_m: 2, heading_deg: 0 }\n"

static void write_packet(void *context, bool is_status, int64_t now_us, hy_bytes bytes)
{
    bool *const enabled = context;
    if (!is_status && !*enabled && now_us >= EXAMPLE_ENABLE_US) {
        *enabled = true;
        puts("enable");
    }
    printf("%s %" PRId64 " ", is_status ? "status" : "command", now_us);
    for (size_t i = 0; i < bytes.size; i++) {
        printf("%02x", bytes.data[i]);
    }
    putchar('\n');
}

/// The context of write_packet() is whether the program has been enabled.
static void drive(const char *world, bool bad_air, double duration_s)
{
    bool enabled = false;
    puts("start");
    example_run(&(example_setup){ .example = example_line_follow,
                                  .world = world,
                                  .seed = 1,
                                  .bad_air = bad_air,
                                  .duration_s = duration_s,
                                  .packet = write_packet,
                                  .context = &enabled });
}

int main(void)
{
    drive("xrp-line", true, 30.0);
    drive(LOST, false, 12.0);
    return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}
