// A whole robot program in one call, against the board's logic over loopback: what of it runs, and in which order.
#include "cmocka_all.h"

#include <halyard/program.h>

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../e2e/board_thread.h"

typedef struct {
    board_thread *board;
    int inits, simulation_inits, disabled, teleop, exits, every, simulated;
    bool in_order, moved;
} calls;

static hy_xrp xrp;

static void robot_init(void *context, int64_t now_us)
{
    (void)now_us;
    calls *const self = context;
    self->in_order = self->disabled == 0 && self->teleop == 0 && self->simulation_inits == 0;
    self->inits++;
}

static void simulation_init(void *context, int64_t now_us)
{
    (void)now_us;
    ((calls *)context)->simulation_inits++;
}

static void disabled(void *context, int64_t now_us)
{
    ((calls *)context)->disabled++;
    hy_motor_set(&xrp.motor[0], 1.0, now_us); // must not get to the robot
}

static void teleop(void *context, int64_t now_us)
{
    calls *const self = context;
    self->teleop++;
    hy_motor_set(&xrp.motor[0], 0.5, now_us);
    self->moved = self->moved || board_thread_motor(self->board, 0) > 0.4;
}

static void teleop_exit(void *context, int64_t now_us)
{
    (void)now_us;
    ((calls *)context)->exits++;
}

static void every_loop(void *context, int64_t now_us)
{
    (void)now_us;
    ((calls *)context)->every++;
}

static void every_simulated_loop(void *context, int64_t now_us)
{
    (void)now_us;
    calls *const self = context;
    self->simulated++;
    self->in_order = self->in_order && self->simulated == self->every; // behind the robot's own
}

/// As at the command line: `arguments` behind the robot's address. No terminal, whoever runs this.
static int run_program(calls *self, const char *const *arguments, int count)
{
    char name[] = "program", url[128], words[4][32], *argv[7] = { name, url };
    const hy_program program = {
        .name = name,
        .robots = { { .xrp = &xrp } },
        .loop = { .mode = { [HY_MODE_DISABLED] = { .periodic = disabled },
                            [HY_MODE_TELEOP] = { .periodic = teleop, .exit = teleop_exit } },
                  .robot_init = robot_init,
                  .robot_periodic = every_loop,
                  .simulation_init = simulation_init,
                  .simulation_periodic = every_simulated_loop,
                  .context = self },
    };
    snprintf(url, sizeof url, "xrp://%s", board_thread_address(self->board));
    for (int i = 0; i < count; i++) {
        snprintf(words[i], sizeof words[i], "%s", arguments[i]);
        argv[2 + i] = words[i];
    }
    const int nothing = open("/dev/null", O_RDONLY);
    assert_true(nothing >= 0 && dup2(nothing, STDIN_FILENO) == STDIN_FILENO);
    close(nothing);
    return hy_program_main(&program, 2 + count, argv);
}

/// One run of a second. What must hold for every run does, also for one that a busy machine held up for so long that
/// the runner disabled the robot; true if it moved the robot and nothing of that sort happened.
static bool run_once(void)
{
    calls self = { .board = board_thread_start("127.0.0.1") };
    const char *const arguments[] = { "--enable", "--duration", "1" };
    assert_non_null(self.board);
    const int result = run_program(&self, arguments, 3);
    assert_in_range(result, 0, 1);
    assert_int_equal(self.inits, 1);
    assert_int_equal(self.simulation_inits, 1);
    assert_true(self.in_order);
    assert_int_equal(self.every, self.disabled + self.teleop);
    assert_int_equal(self.simulated, self.every);
    assert_true(board_thread_await_still(self.board, true, 20000000)); // it stopped the robot
    board_thread_end(self.board);
    return result == 0 && self.moved && self.disabled > 0 && self.exits == 1;
}

static void a_program_runs_its_modes_and_its_simulation(void **state)
{
    (void)state;
    bool good = false;
    for (int attempt = 0; attempt < 10 && !good; attempt++) {
        good = run_once();
    }
    assert_true(good);
}

// --------------------------------------------------------------------------- a call that does not return

typedef struct {
    int errors; // what the program writes to stderr
    char text[512];
    size_t size;
} hang;

// Waits, as a loop without an end would, until the runner's watch has said so; 20 s at most, else this never returns either.
static void hang_in_teleop(void *context, int64_t now_us)
{
    (void)now_us;
    hang *const self = context;
    for (int waits = 0; waits < 200 && strstr(self->text, "has not returned") == NULL; waits++) {
        struct pollfd source = { .fd = self->errors, .events = POLLIN };
        if (poll(&source, 1, 100) > 0) {
            const ssize_t got =
                read(self->errors, self->text + self->size, sizeof self->text - 1 - self->size);
            self->size += got > 0 ? (size_t)got : 0;
        }
    }
}

static void a_call_that_does_not_return_is_named(void **state)
{
    (void)state;
    int ends[2];
    char name[] = "program", url[128], enable[] = "--enable", duration[] = "--duration", ten[] = "10";
    char *argv[] = { name, url, enable, duration, ten, NULL };
    board_thread *const board = board_thread_start("127.0.0.1");
    assert_non_null(board);
    assert_int_equal(pipe(ends), 0);
    const int errors = dup(STDERR_FILENO), nothing = open("/dev/null", O_RDONLY);
    hang self = { .errors = ends[0] };
    const hy_program program = {
        .name = name,
        .robots = { { .xrp = &xrp } },
        .loop = { .mode = { [HY_MODE_TELEOP] = { .init = hang_in_teleop } }, .context = &self },
    };
    snprintf(url, sizeof url, "xrp://%s", board_thread_address(board));
    assert_true(dup2(nothing, STDIN_FILENO) == STDIN_FILENO);
    assert_true(dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    const int result = hy_program_main(&program, 5, argv);
    assert_true(dup2(errors, STDERR_FILENO) == STDERR_FILENO);
    assert_non_null(strstr(self.text, "program: teleop init has not returned for 0.5 s"));
    assert_int_equal(result, 1); // held up while enabled: a script ends with a failure
    assert_true(board_thread_await_still(board, true, 20000000));
    board_thread_end(board);
    close(nothing);
    close(errors);
    close(ends[0]);
    close(ends[1]);
}

static void devices_stop_and_go_on(void **state)
{
    (void)state;
    static hy_teensy teensy;
    const hy_program_robot robots[2] = { { .xrp = &xrp }, { .teensy = &teensy } };
    for (int i = 0; i < 2; i++) {
        hy_wire_status status = { .encoders = 0x01, .encoder = { { .count = 100 } }, .has_gyro = true };
        hy_wire_command command = { 0 };
        const hy_encoder *const wheel = i == 0 ? &xrp.encoder[0] : &teensy.encoder[0];
        hy_motor *const motor = i == 0 ? &xrp.motor[0] : &teensy.motor[0];
        hy_program_devices_init(&robots[i]);
        hy_program_devices_update(&robots[i], &status, 0);
        status.encoder[0].count = 130;
        hy_program_devices_update(&robots[i], &status, 20000);
        assert_int_equal(wheel->counts, 30);
        hy_program_devices_rebase(&robots[i]);
        status.encoder[0].count = 0; // the robot has started again
        hy_program_devices_update(&robots[i], &status, 40000);
        assert_int_equal(wheel->counts, 30);
        hy_motor_set(motor, -0.5, 40000);
        hy_program_devices_command(&robots[i], &command, 40000);
        assert_true(command.motor[0] == -0.5F);
        assert_int_equal(command.motors, i == 0 ? 0x0F : 0xFF);
        hy_program_devices_stop(&robots[i], 40000);
        hy_program_devices_command(&robots[i], &command, 40000);
        assert_true(command.motor[0] == 0.0F);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_does_not_return_is_named),
        cmocka_unit_test(devices_stop_and_go_on),
        cmocka_unit_test(a_program_runs_its_modes_and_its_simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
