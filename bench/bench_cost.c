// Runs each operation of bench/cost.txt a fixed number of times and prints its name and how often. tools/check_cost.sh
// counts the instructions: callgrind, told to collect inside of cost_run() only and to write down what it has when that
// returns. The lidar takes its SSE2 path, so that the count does not depend on the processor.
//
//   bench_cost [FOLDER OF THE WORLDS]
#include <stdio.h>
#include <stdlib.h>

#include "../src/world/lidar/lidar.h"
#include "cost.h"

const char *cost_worlds = "worlds";

_Noreturn void cost_fail(const char *what)
{
    fprintf(stderr, "bench_cost: %s\n", what);
    exit(1);
}

// In place of the library's, by the linker's --wrap.
void __real_hy_lidar_fan_make(hy_lidar_fan *fan,
                              double step_rad); // NOLINT(bugprone-reserved-identifier)
void __wrap_hy_lidar_fan_make(hy_lidar_fan *fan,
                              double step_rad); // NOLINT(bugprone-reserved-identifier)

void __wrap_hy_lidar_fan_make(hy_lidar_fan *fan,
                              double step_rad) // NOLINT(bugprone-reserved-identifier)
{
    __real_hy_lidar_fan_make(fan, step_rad);
    fan->path = &hy_lidar_baseline;
}

void cost_run(const cost_operation *operation);

/// What callgrind collects.
__attribute__((noinline)) void cost_run(const cost_operation *operation)
{
    operation->run(operation->count);
}

static void run_all(const cost_operation *operations, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (operations[i].prepare != NULL) {
            operations[i].prepare(operations[i].about);
        }
        cost_run(&operations[i]);
        printf("%s\t%u\n", operations[i].name, operations[i].count);
    }
}

int main(int count, char **arguments)
{
    if (count > 1) {
        cost_worlds = arguments[1];
    }
    run_all(cost_messages, cost_message_count);
    run_all(cost_motion, cost_motion_count);
    run_all(cost_telemetry, cost_telemetry_count);
    run_all(cost_readers, cost_reader_count);
    return 0;
}
