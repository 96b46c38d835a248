// A robot program with versions of itself, to be recorded and run again: replayed_program VERSION OPTION...
#include <halyard/link.h>
#include <halyard/program.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static hy_xrp xrp;
static const char *version;
static double gain, bias, sum;
static uint64_t loops;

static bool is_version(const char *name)
{
    return strcmp(version, name) == 0;
}

static void start(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    gain = is_version("gain") ? 0.31 : 0.3;
    bias = sum = 0.0;
    loops = 0;
    hy_program_tunable("bias", &bias, -1.0, 1.0);
}

// What no recording has.
static double hidden(void)
{
    struct timespec at = { .tv_sec = 0 };
    if (is_version("clock")) {
        (void)clock_gettime(CLOCK_MONOTONIC, &at);
    } else if (is_version("halyard-clock")) {
        return (double)(hy_clock_now_us() % 1000) * 1e-3;
    }
    return (double)at.tv_nsec * 1e-9;
}

static void drive(void *context, int64_t now_us)
{
    (void)context;
    const double line = xrp.reflectance.is_ready ? xrp.reflectance.left - xrp.reflectance.right : 0.0;
    sum += line;
    hy_motor_set(&xrp.motor[0], 0.5 + bias - gain * line, now_us);
    hy_motor_set(&xrp.motor[1], 0.5 + gain * line, now_us);
    hy_program_put_number("sum", sum + 1e-3 * hidden());
    if (is_version("more")) {
        hy_program_put_number("more", line);
    }
    hy_program_put_pose("pose", (hy_pose2d){ { sum, line }, { 1.0, 0.0 } });
    hy_program_set_status("%.3f%s", sum, is_version("words") ? " in all" : "");
}

static void count(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    loops++;
    if (is_version("late") && loops == 100) {
        hy_led_set(&xrp.led, true);
    }
    while (is_version("endless") && loops == 10) {
        (void)usleep(10000); // a loop that computes: endless_program.c
    }
    if (is_version("stopped") && loops == 10) {
        (void)raise(SIGSTOP);
        (void)usleep(100000); // until it has been looked at
    }
}

static hy_program_wish supervise(void *context, const hy_program_state *state)
{
    (void)context;
    if (state->now_us > 2000000) {
        return HY_PROGRAM_END;
    }
    return loops > 10 && state->message[0] == '\0' ? HY_PROGRAM_ENABLE : HY_PROGRAM_GO_ON;
}

static hy_program program = {
    .name = "replayed_program",
    .robots = { { .xrp = &xrp } },
    .loop = { .mode = { [HY_MODE_TELEOP] = { .periodic = drive } },
              .robot_init = start,
              .robot_periodic = count },
};

int main(int argc, char **argv)
{
    if (argc < 2) {
        (void)fprintf(stderr, "usage: replayed_program VERSION OPTION...\n");
        return 2;
    }
    version = argv[1];
    if (is_version("supervised")) {
        program.supervise = supervise;
    }
    return hy_program_main(&program, argc - 1, argv + 1);
}
