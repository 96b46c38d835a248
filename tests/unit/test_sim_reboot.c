// A robot that is switched off and on is a new one, but for its body: whatever it did before, what it tells and what it drives is,
// byte for byte, what a robot tells and drives that has never run.
#include <halyard/sim.h>
#include <halyard/wire.h>

#include <stdlib.h>

#include "cmocka_all.h"
#include "world_bench.h"
#include "world_read.h"

#include "../../src/world/state.h"

#define STEP_US    10000
#define WATCHED_US 1000000

// A floor on which nothing tells one place from another.
#define QUIET_XRP    OPEN_XRP QUIET
#define QUIET_SWERVE OPEN_FLOOR "vehicles:\n" SWERVE_AT(50, 50, 0) QUIET_IMU

typedef struct {
    hy_world_model *model;
    hy_sim *sim;
    int64_t now_us;
    uint16_t seq;
} bench;

static const hy_endpoint client = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 }, .port = 5800 };

static bench bench_start(const char *yaml, const hy_board_options *options, const char *faults_text)
{
    bench b = { .model = NULL };
    hy_world_error error = { "" };
    hy_faults_spec faults;
    hy_faults_error mistake;
    const hy_worldfile_text text = { { (const uint8_t *)yaml, strlen(yaml) }, "test", "" };
    const hy_sim_board board = { .options = *options };
    assert_int_equal(hy_faults_parse(faults_text, &faults, &mistake), HY_OK);
    if (world_read(&text, &b.model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    const hy_sim_setup setup = {
        .world = b.model, .boards = &board, .board_count = 1, .seed = 1, .faults = &faults
    };
    assert_int_equal(hy_sim_open(&setup, &b.sim, &error), HY_OK);
    return b;
}

static void bench_end(bench *b)
{
    hy_sim_close(b->sim);
    hy_world_free(b->model);
}

static void step(bench *b, hy_sim_input input)
{
    b->now_us += STEP_US;
    input.now_us = b->now_us;
    input.world_steps = 1;
    hy_sim_step(b->sim, &input);
}

/// A step with a command, which sets everything that the dialect has.
static void command(bench *b, uint8_t control, float effort)
{
    const hy_dialect *const dialect = hy_board_dialect(hy_sim_board_at(b->sim, 0));
    hy_wire_command wanted = { .seq = ++b->seq,
                               .control = control,
                               .motors = (uint8_t)((1U << dialect->motors) - 1),
                               .servos = 0x0F,
                               .servo = { 0.1F, 0.2F, 0.9F, 1 },
                               .dios = 2,
                               .dio_levels = control == 0 ? 0 : 2 };
    for (unsigned i = 0; i < dialect->motors; i++) {
        wanted.motor[i] = i % 2 != 0 ? 0.2F * effort
                          : i < 4    ? effort
                                     : -effort; // turns either robot
    }
    uint8_t bytes[HY_WIRE_COMMAND_MAX];
    const hy_sim_datagram one = {
        .peer = client,
        .at_us = b->now_us,
        .bytes = { bytes, dialect->command_encode(&wanted, (hy_room){ bytes, sizeof bytes }) }
    };
    step(b, (hy_sim_input){ .datagrams = &one, .datagram_count = 1 });
}

static void forget_statuses(bench *b)
{
    for (hy_sim_datagram out; hy_sim_next_datagram(b->sim, &out);) {
    }
}

static double turned_rad(const bench *b)
{
    return ((const hy_world_state *)hy_sim_world(b->sim))->vehicle[0].sensors.gyro_angle_rad[2];
}

/// Drives, turns, is pushed, lets its watchdog run out, and stands still in the end.
static void use_robot(bench *b)
{
    const hy_sim_push push = { 0 };
    for (int i = 0; i < 200; i++) {
        command(b, 1, 0.8F);
    }
    step(b, (hy_sim_input){ .pushes = &push, .push_count = 1 });
    for (int i = 0; i < 100; i++) {
        command(b, 1, -0.5F);
    }
    assert_true(fabs(turned_rad(b)) > 0.5);
    assert_true(fabs(hy_sim_truth(b->sim, 0).wheel_counts[0]) > 100);
    for (int i = 0; i < 300; i++) { // without a command
        step(b, (hy_sim_input){ .pushes = NULL });
    }
    forget_statuses(b);
}

typedef struct {
    uint8_t bytes[64][HY_WIRE_STATUS_MAX];
    size_t size[64], count;
    hy_actuators pins[WATCHED_US / STEP_US];
} watched;

/// Commands from the first step behind the power-up on, nothing that moves, and keeps all that the robot tells and drives.
static void watch(bench *b, watched *out)
{
    memset(out, 0, sizeof *out);
    b->seq = 0;
    for (size_t i = 0; i < WATCHED_US / STEP_US; i++) {
        command(b, i > 50, 0);
        out->pins[i] = *hy_board_actuators(hy_sim_board_at(b->sim, 0));
        for (hy_sim_datagram status; hy_sim_next_datagram(b->sim, &status);) {
            assert_true(out->count < 64);
            out->size[out->count] = status.bytes.size;
            memcpy(out->bytes[out->count++], status.bytes.data, status.bytes.size);
        }
    }
}

static void expect_same_pins(const hy_actuators *mine, const hy_actuators *other)
{
    for (size_t i = 0; i < HY_PIN_MOTORS; i++) {
        assert_true(mine->motor_duty[i] == other->motor_duty[i]);
    }
    for (size_t i = 0; i < HY_PIN_SERVOS; i++) {
        assert_true(mine->servo_pulse_us[i] == other->servo_pulse_us[i]);
    }
    assert_int_equal(mine->led, other->led);
}

static void expect_same(const watched *mine, const watched *fresh)
{
    assert_true(fresh->count >= 15);
    assert_int_equal(mine->count, fresh->count);
    for (size_t i = 0; i < mine->count; i++) {
        assert_int_equal(mine->size[i], fresh->size[i]);
        for (size_t at = 0; at < mine->size[i]; at++) {
            if (mine->bytes[i][at] != fresh->bytes[i][at]) {
                fail_msg("status %zu, byte %zu: %02x, and %02x from a robot that never ran", i, at,
                         mine->bytes[i][at], fresh->bytes[i][at]);
            }
        }
    }
    for (size_t i = 0; i < WATCHED_US / STEP_US; i++) {
        expect_same_pins(&mine->pins[i], &fresh->pins[i]);
    }
}

static const struct {
    const char *yaml;
    hy_board_options options;
} robots[] = {
    { QUIET_XRP, { .kind = &hy_board_xrp } },
    { QUIET_XRP, { .kind = &hy_board_xrp_beta, .encoder_format = HY_ENCODER_SHORT } },
    { QUIET_XRP, { .kind = &hy_board_xrp, .stock_bugs = true } },
    { QUIET_SWERVE, { .kind = &hy_board_teensy } },
};

#define ROBOTS (sizeof robots / sizeof robots[0])

/// Each way to a power-up: a fault, a power cycle, and a change of the board to what it is.
static void power_up(bench *b, int way, const hy_board_options *options)
{
    const hy_sim_power_cycle cycle = { 0 };
    const hy_sim_board_change change = { 0, options->encoder_format, options->stock_bugs };
    hy_sim_input input = { .now_us = b->now_us };
    input.power_cycles = &cycle;
    input.power_cycle_count = way == 1;
    input.board_changes = &change;
    input.board_change_count = way == 2;
    hy_sim_step(b->sim, &input);
}

static void a_robot_begins_anew(void **state)
{
    (void)state;
    static watched fresh, again;
    for (size_t i = 0; i < ROBOTS; i++) {
        bench b = bench_start(robots[i].yaml, &robots[i].options, "reboot=100s");
        watch(&b, &fresh);
        bench_end(&b);
        for (int way = 0; way < 3; way++) {
            // The first step behind it comes 6.01 s after the start, as use_robot() is long.
            b = bench_start(robots[i].yaml, &robots[i].options,
                            way == 0 ? "reboot=6010ms" : "reboot=100s");
            use_robot(&b);
            power_up(&b, way, &robots[i].options);
            watch(&b, &again);
            expect_same(&again, &fresh);
            bench_end(&b);
        }
    }
}

// SPEC world: what calibration leaves is drawn at each power-up, and what drift has added since is gone.
static void its_imu_is_calibrated_anew(void **state)
{
    (void)state;
    bench b = bench_start(
        OPEN_FLOOR "vehicles:\n" XRP_AT(
            50, 50, 0) "    imu: { gyro_bias_dps: 1, gyro_drift_dps: 5, accel_bias_g: 0.1 }\n",
        &robots[0].options, "reboot=100s");
    const hy_vehicle_state *const robot = &((const hy_world_state *)hy_sim_world(b.sim))->vehicle[0];
    double last_rad_s = robot->gyro_bias_rad_s[2], last_m_s2 = robot->accel_bias_m_s2[0];
    double square = 0;
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < 100; k++) { // which drifts by 5 degrees a second
            step(&b, (hy_sim_input){ .pushes = NULL });
        }
        power_up(&b, 1, &robots[0].options);
        assert_true(robot->gyro_bias_rad_s[2] != last_rad_s &&
                    robot->accel_bias_m_s2[0] != last_m_s2);
        last_rad_s = robot->gyro_bias_rad_s[2];
        last_m_s2 = robot->accel_bias_m_s2[0];
        square += pow(last_rad_s / HY_RAD_PER_DEG, 2) / 100;
    }
    assert_near(sqrt(square), 1, 0.3);
    bench_end(&b);
}

// A robot that is carried back to its start, or pushed, has not been switched off.
static void a_reset_is_no_power_up(void **state)
{
    (void)state;
    bench b = bench_start(QUIET_XRP, &robots[0].options, "reboot=100s");
    use_robot(&b);
    const double angle_rad = turned_rad(&b);
    const hy_sim_reset all = { HY_SIM_RESET_ALL };
    hy_sim_step(b.sim, &(hy_sim_input){ .now_us = b.now_us, .resets = &all, .reset_count = 1 });
    assert_true(turned_rad(&b) == angle_rad);
    bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_robot_begins_anew),
        cmocka_unit_test(its_imu_is_calibrated_anew),
        cmocka_unit_test(a_reset_is_no_power_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
