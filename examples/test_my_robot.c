// A unit test of a robot program: line_follow.c drives three laps in simulated time, in milliseconds, and is judged by the
// world's truth. The same seed gives the same run to the bit, so that what fails once fails every time.
//
//     build/examples/test_my_robot
#include <halyard/program.h>

#include <stdio.h>

extern const hy_program line_follow; // of line_follow.c, which is compiled with HY_PROGRAM_NO_MAIN

int main(void)
{
    int failed = 0;
    for (unsigned seed = 1; seed <= 3; seed++) {
        const hy_program_options options = { .world = "xrp-line", .seed = seed, .duration_s = 100 };
        hy_program_outcome outcome;
        if (hy_program_run(&line_follow, &options, &outcome) != HY_OK) {
            printf("%s\n", outcome.error);
            return 1;
        }
        const hy_run_outcome *const run = &outcome.run;
        const int ok = run->laps > 3.0 && run->line_most_m < 0.01 && run->touches == 0;
        printf("seed %u: %.2f laps, at most %.0f mm from the line: %s\n", seed, run->laps,
               run->line_most_m * 1000.0, ok ? "ok" : "FAILED");
        failed += !ok;
    }
    return failed;
}
