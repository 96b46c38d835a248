// WPILib's extension in a program with a HAL of the test's own: what stops the robot, and which motor is which. WPILib's real HAL is
// used by the interop tests, which need its packages; this needs only a compiler.
#include "cmocka_all.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <halyard/link.h>

#include "../../src/halsim/hal_abi.h"
#include "board_thread.h"

#define LIMIT_US 20000000

// --------------------------------------------------------------------------- the HAL

enum { DEVICE_LEFT = 0x10000, DEVICE_RIGHT = 0x20000, DEVICES = 2 };

static struct {
    hal_periodic *step;
    hal_notify *enabled, *emergency_stop;
    hal_device_notify *freed;
    hal_value_notify *value_changed[DEVICES];
    hal_ending *shutdown;
    void *step_param, *enabled_param, *stop_param, *freed_param, *shutdown_param;
    void *value_param[DEVICES];
} hal;

static const char *const device_names[DEVICES] = { "XRPMotor:motorL", "XRPMotor:motorR" };

// What the extension looks up in this program; the linker exports it.
int32_t HALSIM_RegisterSimPeriodicAfterCallback(hal_periodic *call, void *param);
int32_t HALSIM_RegisterDriverStationEnabledCallback(hal_notify *call, void *param, hal_bool now);
int32_t HALSIM_RegisterDriverStationEStopCallback(hal_notify *call, void *param, hal_bool now);
int32_t HALSIM_RegisterSimDeviceCreatedCallback(const char *prefix, void *param,
                                                hal_device_notify *call, hal_bool now);
int32_t HALSIM_RegisterSimDeviceFreedCallback(const char *prefix, void *param,
                                              hal_device_notify *call, hal_bool now);
int32_t HALSIM_RegisterSimValueCreatedCallback(hal_handle device, void *param,
                                               hal_value_notify *call, hal_bool now);
int32_t HALSIM_RegisterSimValueChangedCallback(hal_handle handle, void *param,
                                               hal_value_notify *call, hal_bool now);
void HAL_OnShutdown(void *param, hal_ending *call);

int32_t HALSIM_RegisterSimPeriodicAfterCallback(hal_periodic *call, void *param)
{
    hal.step = call;
    hal.step_param = param;
    return 1;
}

int32_t HALSIM_RegisterDriverStationEnabledCallback(hal_notify *call, void *param, hal_bool now)
{
    hal.enabled = call;
    hal.enabled_param = param;
    assert_int_equal(now, 1);
    call("Enabled", param, &(hal_value){ .type = HAL_TYPE_BOOLEAN });
    return 2;
}

int32_t HALSIM_RegisterDriverStationEStopCallback(hal_notify *call, void *param, hal_bool now)
{
    (void)now;
    hal.emergency_stop = call;
    hal.stop_param = param;
    call("EStop", param, &(hal_value){ .type = HAL_TYPE_BOOLEAN });
    return 3;
}

int32_t HALSIM_RegisterSimDeviceCreatedCallback(const char *prefix, void *param,
                                                hal_device_notify *call, hal_bool now)
{
    assert_string_equal(prefix, "");
    assert_int_equal(now, 1);
    call(device_names[0], param, DEVICE_LEFT);
    call(device_names[1], param, DEVICE_RIGHT);
    return 4;
}

int32_t HALSIM_RegisterSimDeviceFreedCallback(const char *prefix, void *param,
                                              hal_device_notify *call, hal_bool now)
{
    (void)prefix;
    (void)now;
    hal.freed = call;
    hal.freed_param = param;
    return 5;
}

int32_t HALSIM_RegisterSimValueCreatedCallback(hal_handle device, void *param,
                                               hal_value_notify *call, hal_bool now)
{
    (void)now;
    call("speed", param, device + 1, HAL_DIRECTION_OUTPUT, &(hal_value){ .type = HAL_TYPE_DOUBLE });
    return 6;
}

int32_t HALSIM_RegisterSimValueChangedCallback(hal_handle handle, void *param,
                                               hal_value_notify *call, hal_bool now)
{
    (void)now;
    const size_t device = handle == DEVICE_LEFT + 1 ? 0 : 1;
    hal.value_changed[device] = call;
    hal.value_param[device] = param;
    return 7;
}

void HAL_OnShutdown(void *param, hal_ending *call)
{
    hal.shutdown = call;
    hal.shutdown_param = param;
}

// --------------------------------------------------------------------------- the robot program, in a process of its own

static void set_speed(size_t device, double speed)
{
    const hal_value value = { .data.as_double = speed, .type = HAL_TYPE_DOUBLE };
    hal.value_changed[device]("speed", hal.value_param[device], (hal_handle)(device + 1),
                              HAL_DIRECTION_OUTPUT, &value);
}

static void set_flag(hal_notify *call, void *param, bool flag)
{
    call("", param, &(hal_value){ .data.as_bool = flag, .type = HAL_TYPE_BOOLEAN });
}

static void load_extension(const board_thread *board)
{
    char path[512];
    const int folder = (int)(strrchr(HALYARD_BINARY, '/') - HALYARD_BINARY);
    snprintf(path, sizeof path, "%.*s/ext/libhalsim_xrp.so", folder, HALYARD_BINARY);
    setenv("HALSIMXRP_HOST", "127.0.0.1", 1);
    setenv("HALSIMXRP_PORT", strrchr(board_thread_address(board), ':') + 1, 1);
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        _exit(2);
    }
    int (*init)(void);
    void *const address = dlsym(library, "HALSIM_InitExtension");
    memcpy(&init, &address, sizeof init);
    if (init() != 0) {
        _exit(3);
    }
}

static void step(int steps)
{
    for (int i = 0; i < steps; i++) {
        hal.step(hal.step_param);
        usleep(20000);
    }
}

typedef void ending(void);

// Drives until a byte comes, ends as `end` does, and stays for a while without another step.
static void run_program(const board_thread *board, int go, ending *end)
{
    load_extension(board);
    step(3);
    set_flag(hal.enabled, hal.enabled_param, true);
    set_speed(0, 0.5);
    set_speed(1, -0.25);
    char byte;
    fcntl(go, F_SETFL, O_NONBLOCK);
    while (read(go, &byte, 1) < 0) {
        step(1);
    }
    end();
    sleep(30); // whoever has not ended is killed
    _exit(0);
}

static void disable(void)
{
    set_flag(hal.enabled, hal.enabled_param, false);
}

static void stop_in_emergency(void)
{
    set_flag(hal.emergency_stop, hal.stop_param, true);
}

static void shut_down(void)
{
    hal.shutdown(hal.shutdown_param);
}

static void end_by_exit(void)
{
    exit(0);
}

static void be_killed(void)
{
    raise(SIGKILL);
}

static void free_the_left_motor(void)
{
    hal.freed(device_names[0], hal.freed_param, DEVICE_LEFT);
    step(1000);
}

// --------------------------------------------------------------------------- the tests

typedef struct {
    board_thread *board;
    pid_t program;
    hy_board_counters before; // when it was told to end
} driven_robot;

static driven_robot drive_and(ending *end)
{
    driven_robot self = { .board = board_thread_start("127.0.0.1") };
    int ends[2];
    assert_non_null(self.board);
    assert_int_equal(pipe(ends), 0);
    fflush(NULL); // or the child's exit() prints it again
    self.program = fork();
    assert_true(self.program >= 0);
    if (self.program == 0) {
        close(ends[1]);
        run_program(self.board, ends[0], end);
    }
    close(ends[0]);
    assert_true(board_thread_await_duties(self.board, 0.5, -0.25,
                                          LIMIT_US)); // left and right are not swapped
    self.before = board_thread_counts(self.board);
    assert_int_equal(write(ends[1], "!", 1), 1);
    close(ends[1]);
    return self;
}

static void end_robot(driven_robot *self)
{
    kill(self->program, SIGKILL);
    waitpid(self->program, NULL, 0);
    board_thread_end(self->board);
}

// The board stands because it was told so, six times, not because its watchdog ran out: nothing steps any more.
static void stops_at_once(ending *end)
{
    driven_robot self = drive_and(end);
    assert_true(board_thread_await_still(self.board, true, LIMIT_US));
    assert_false(board_thread_is_enabled(self.board));
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    const hy_board_counters still = board_thread_counts(self.board);
    assert_int_equal(still.watchdog_trips, self.before.watchdog_trips);
    while (board_thread_counts(self.board).commands < self.before.commands + 6) {
        assert_true(hy_clock_now_us() < end_us);
        usleep(10000);
    }
    end_robot(&self);
}

static void every_end_stops_the_robot(void **state)
{
    (void)state;
    stops_at_once(disable);
    stops_at_once(stop_in_emergency);
    stops_at_once(shut_down);
    stops_at_once(end_by_exit);
}

static void a_killed_program_is_the_watchdogs(void **state)
{
    (void)state;
    driven_robot self = drive_and(be_killed);
    assert_true(board_thread_await_still(self.board, true, LIMIT_US));
    assert_int_equal(board_thread_counts(self.board).watchdog_trips, self.before.watchdog_trips + 1);
    end_robot(&self);
}

static void a_freed_motor_stops_alone(void **state)
{
    (void)state;
    driven_robot self = drive_and(free_the_left_motor);
    assert_true(board_thread_await_duties(self.board, 0.0, -0.25, LIMIT_US));
    assert_true(board_thread_is_enabled(self.board));
    end_robot(&self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_end_stops_the_robot),
        cmocka_unit_test(a_killed_program_is_the_watchdogs),
        cmocka_unit_test(a_freed_motor_stops_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
