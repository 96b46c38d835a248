// A robot program whose loop does not end, for test_run_endless.sh. It computes, or with WAITS in its environment waits.
#include <halyard/program.h>

#include <stdlib.h>
#include <unistd.h>

static hy_xrp xrp;
static volatile bool forever = true;

static void hang(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    const bool waits = getenv("WAITS") != NULL;
    while (forever) {
        if (waits) {
            (void)usleep(10000);
        }
    }
}

static const hy_program program = { .name = "endless",
                                    .robots = { { .xrp = &xrp } },
                                    .loop = { .mode = { [HY_MODE_TELEOP] = { .periodic = hang } } } };

HY_PROGRAM_MAIN(program)
