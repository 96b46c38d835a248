// Somebody else's program, compiled as C and as C++: it includes every header and drives a robot in simulated time. Every build
// of it prints the same line.
#include "every_header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static hy_xrp xrp;
static hy_program program;

static void ahead(void *context, int64_t now_us)
{
    (void)context;
    hy_motor_set(&xrp.motor[0], 0.5, now_us);
    hy_motor_set(&xrp.motor[1], 0.5, now_us);
}

int main(int argc, char **argv)
{
    if (strcmp(hy_version(), HY_VERSION) != 0) {
        printf("the headers are of %s, the library is %s\n", HY_VERSION, hy_version());
        return 1;
    }
    program.name = "consumer";
    program.robots[0].xrp = &xrp;
    program.loop.mode[HY_MODE_TELEOP].periodic = ahead;
    static hy_program_options options;
    static hy_program_outcome outcome;
    options.world = argc > 1 ? argv[1] : "xrp-arena";
    options.seed = 1;
    options.duration_s = 5.0;
    if (hy_program_run(&program, &options, &outcome) != HY_OK) {
        printf("%s\n", outcome.error);
        return 1;
    }
    printf("drove to %.3f, %.3f: hash %016" PRIx64 "\n", outcome.run.x_m, outcome.run.y_m,
           outcome.run.hash);
    return 0;
}
