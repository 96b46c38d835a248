// A robot program whose loop does not end, for test_run_endless.sh.
#include <halyard/program.h>

static hy_xrp xrp;
static volatile bool forever = true;

static void hang(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    while (forever) {
    }
}

static const hy_program program = { .name = "endless",
                                    .robots = { { .xrp = &xrp } },
                                    .loop = { .mode = { [HY_MODE_TELEOP] = { .periodic = hang } } } };

HY_PROGRAM_MAIN(program)
