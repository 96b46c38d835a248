// What robot code commands, as the robot is told: which values are followed, what they become, and when a stop goes out.
#include "cmocka_all.h"

#include <halyard/wire.h>
#include <math.h>
#include <poll.h>
#include <string.h>

#include "../../src/halsim/state.h"

enum { MOTOR = 0x100, SERVO = 0x200, DIOS = 3 };

static const hy_halsim_output outputs[] = { { "Motor:left", HY_WIRE_MOTOR, 1 },
                                            { "Servo:arm", HY_WIRE_SERVO, 2 } };
static const hy_halsim_board board = {
    .dialect = &hy_dialect_xrp, .outputs = outputs, .output_count = 2, .servos_always = 0x03
};

/// The HAL's side: what it was asked to call.
static struct {
    hal_notify *dio_initialized, *dio_is_input, *dio_value, *enabled, *emergency_stop;
    hal_device_notify *created, *freed;
    hal_value_notify *value_created, *value_changed;
    void *dio_param[DIOS], *device_param, *value_param, *changed_param;
    hal_handle device, changed;
} robot_code;

static int32_t follow_devices(const char *prefix, void *param, hal_device_notify *call, hal_bool now)
{
    assert_string_equal(prefix, "");
    assert_int_equal(now, 1); // those that were created before count as well
    robot_code.created = call;
    robot_code.device_param = param;
    return 1;
}

static int32_t follow_freed(const char *prefix, void *param, hal_device_notify *call, hal_bool now)
{
    assert_string_equal(prefix, "");
    assert_int_equal(now, 0);
    robot_code.freed = call;
    assert_ptr_equal(param, robot_code.device_param);
    return 1;
}

static int32_t follow_values(hal_handle device, void *param, hal_value_notify *call, hal_bool now)
{
    assert_int_equal(now, 1);
    robot_code.device = device;
    robot_code.value_created = call;
    robot_code.value_param = param;
    return 1;
}

static int32_t follow_value(hal_handle handle, void *param, hal_value_notify *call, hal_bool now)
{
    assert_int_equal(now, 1);
    robot_code.changed = handle;
    robot_code.value_changed = call;
    robot_code.changed_param = param;
    return 1;
}

static int32_t follow_dio_initialized(int32_t channel, hal_notify *call, void *param, hal_bool now)
{
    assert_int_equal(now, 1);
    robot_code.dio_initialized = call;
    robot_code.dio_param[channel] = param;
    return 1;
}

static int32_t follow_dio_is_input(int32_t channel, hal_notify *call, void *param, hal_bool now)
{
    assert_int_equal(now, 1);
    assert_ptr_equal(param, robot_code.dio_param[channel]);
    robot_code.dio_is_input = call;
    return 1;
}

static int32_t follow_dio_value(int32_t channel, hal_notify *call, void *param, hal_bool now)
{
    assert_int_equal(now, 1);
    assert_ptr_equal(param, robot_code.dio_param[channel]);
    robot_code.dio_value = call;
    return 1;
}

static int32_t follow_enabled(hal_notify *call, void *param, hal_bool now)
{
    assert_ptr_equal(param, robot_code.device_param);
    assert_int_equal(now, 1);
    robot_code.enabled = call;
    return 1;
}

static int32_t follow_emergency_stop(hal_notify *call, void *param, hal_bool now)
{
    assert_ptr_equal(param, robot_code.device_param);
    assert_int_equal(now, 1);
    robot_code.emergency_stop = call;
    return 1;
}

static hy_halsim the_extension;

static hy_halsim *start(bool has_all)
{
    hy_halsim *const self = &the_extension;
    memset(&robot_code, 0, sizeof robot_code);
    *self = (hy_halsim){ .board = &board, .dios = DIOS };
    self->hal.HALSIM_RegisterSimDeviceCreatedCallback = follow_devices;
    self->hal.HALSIM_RegisterSimDeviceFreedCallback = follow_freed;
    self->hal.HALSIM_RegisterSimValueCreatedCallback = follow_values;
    self->hal.HALSIM_RegisterSimValueChangedCallback = follow_value;
    self->hal.HALSIM_RegisterDIOInitializedCallback = follow_dio_initialized;
    self->hal.HALSIM_RegisterDIOIsInputCallback = follow_dio_is_input;
    self->hal.HALSIM_RegisterDIOValueCallback = follow_dio_value;
    self->hal.HALSIM_RegisterDriverStationEnabledCallback = follow_enabled;
    self->hal.HALSIM_RegisterDriverStationEStopCallback = follow_emergency_stop;
    self->hal.has[HAL_FREED] = self->hal.has[HAL_ESTOP] = has_all;
    for (unsigned i = 0; i < HY_WIRE_DIOS; i++) {
        self->refs[i] = (hy_halsim_ref){ self, i };
    }
    hy_os_lock_init(&self->lock);
    hy_peer_init(&self->peer, &hy_dialect_xrp, 2000000);
    hy_halsim_init_outputs(self);
    hy_halsim_follow_outputs(self);
    return self;
}

static const hy_wire_command *command(hy_halsim *self)
{
    hy_halsim_command(self);
    return &self->peer.commander.command;
}

/// Robot code creates a device with one value of that name; true if it is followed from then on.
static bool is_followed(const char *device, const char *value, int32_t direction)
{
    robot_code.value_created = NULL;
    robot_code.changed = 0;
    robot_code.created(device, robot_code.device_param, MOTOR);
    if (robot_code.value_created != NULL) {
        assert_int_equal(robot_code.device, MOTOR);
        robot_code.value_created(value, robot_code.value_param, MOTOR + 1, direction, NULL);
    }
    assert_true(robot_code.changed == 0 || robot_code.changed == MOTOR + 1);
    return robot_code.changed != 0;
}

static void set(const hal_value *value)
{
    robot_code.value_changed("", robot_code.changed_param, robot_code.changed, HAL_DIRECTION_OUTPUT,
                             value);
}

static void set_double(double number)
{
    set(&(hal_value){ .type = HAL_TYPE_DOUBLE, .data.as_double = number });
}

static void set_flag(hal_notify *call, void *param, bool flag)
{
    call("", param, &(hal_value){ .type = HAL_TYPE_BOOLEAN, .data.as_bool = flag });
}

// --------------------------------------------------------------------------- devices

static void the_vendors_names_of_three_seasons_are_followed(void **state)
{
    (void)state;
    static const struct {
        const char *device, *value;
        int32_t direction;
        bool is_followed;
    } rows[] = {
        { "Motor:left", "speed", HAL_DIRECTION_OUTPUT, true },
        { "Motor:left", "velocity", HAL_DIRECTION_OUTPUT, true },
        { "Motor:left", "throttle", HAL_DIRECTION_OUTPUT, true },
        { "Motor:left", "position", HAL_DIRECTION_OUTPUT, false },
        { "Motor:left", "speeds", HAL_DIRECTION_OUTPUT, false },
        { "Motor:left", "speed", HAL_DIRECTION_INPUT, false },
        { "Servo:arm", "position", HAL_DIRECTION_OUTPUT, true },
        { "Servo:arm", "speed", HAL_DIRECTION_OUTPUT, false },
        { "Servo:arm", "position", HAL_DIRECTION_INPUT, false },
        { "Motor:right", "speed", HAL_DIRECTION_OUTPUT, false },
    };
    start(true);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (is_followed(rows[i].device, rows[i].value, rows[i].direction) != rows[i].is_followed) {
            fail_msg("%s %s", rows[i].device, rows[i].value);
        }
    }
}

static void a_gyro_is_followed_by_its_prefix(void **state)
{
    (void)state;
    hy_halsim *const self = start(true);
    robot_code.created("Gyro:any", robot_code.device_param, MOTOR);
    assert_int_equal(self->inputs.gyro_device, MOTOR);
    robot_code.freed("Gyro:any", robot_code.device_param, MOTOR);
    assert_int_equal(self->inputs.gyro_device, 0);
}

static void a_motor_takes_any_number_within_1(void **state)
{
    (void)state;
    hy_halsim *const self = start(true);
    assert_true(is_followed("Motor:left", "speed", HAL_DIRECTION_OUTPUT));
    assert_int_equal(command(self)->servos, 0x03); // what is always sent
    static const struct {
        double said;
        float sent;
    } rows[] = { { 0.5, 0.5F }, { -0.25, -0.25F }, { 1.5, 1 },        { -1.5, -1 },
                 { -0.0, 0 },   { 0.75, 0.75F },   { (double)NAN, 0 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_double(rows[i].said);
        assert_true(command(self)->motor[1] == rows[i].sent);
        assert_false(rows[i].sent == 0 && signbit(command(self)->motor[1]));
    }
    set(&(hal_value){ .type = HAL_TYPE_INT, .data.as_int = -1 });
    assert_true(command(self)->motor[1] == -1);
    set(&(hal_value){ .type = HAL_TYPE_LONG, .data.as_long = 1 + (INT64_C(1) << 40) });
    assert_true(command(self)->motor[1] == 1);
    set(&(hal_value){ .type = HAL_TYPE_BOOLEAN });
    set(&(hal_value){ .type = HAL_TYPE_ENUM });
    assert_true(command(self)->motor[1] == 1); // neither is a number
    assert_true(command(self)->motor[0] == 0 && command(self)->motor[2] == 0);
    assert_int_equal(command(self)->servos, 0x03);
}

static void a_servo_stays_where_it_is_until_it_is_told_a_position(void **state)
{
    (void)state;
    hy_halsim *const self = start(true);
    for (size_t i = 0; i < HY_WIRE_SERVOS; i++) {
        assert_true(command(self)->servo[i] == 0.5F);
    }
    assert_true(is_followed("Servo:arm", "position", HAL_DIRECTION_OUTPUT));
    static const struct {
        double said;
        float sent;
    } rows[] = { { 0.25, 0.25F }, { (double)NAN, 0.25F }, { 1.5, 1 }, { -1, 0 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_double(rows[i].said);
        assert_int_equal(command(self)->servos, 0x07);
        assert_true(command(self)->servo[2] == rows[i].sent);
    }
    assert_true(command(self)->servo[0] == 0.5F);
}

static void a_motor_that_is_freed_stops_and_a_servo_does_not(void **state)
{
    (void)state;
    hy_halsim *const self = start(true);
    assert_true(is_followed("Servo:arm", "position", HAL_DIRECTION_OUTPUT));
    set_double(0.75);
    assert_true(is_followed("Motor:left", "speed", HAL_DIRECTION_OUTPUT));
    set_double(0.75);
    robot_code.freed("Servo:arm", robot_code.device_param, SERVO);
    robot_code.freed("Motor:right", robot_code.device_param, SERVO); // none of the board's
    assert_true(command(self)->motor[1] == 0.75F && command(self)->servo[2] == 0.75F);
    robot_code.freed("Motor:left", robot_code.device_param, MOTOR);
    assert_true(command(self)->motor[1] == 0 && command(self)->servo[2] == 0.75F);
    start(false); // a HAL that does not tell
    assert_true(robot_code.freed == NULL && robot_code.emergency_stop == NULL);
}

// --------------------------------------------------------------------------- digital outputs

static void an_output_is_sent_and_an_input_is_not(void **state)
{
    (void)state;
    hy_halsim *const self = start(true);
    set_flag(robot_code.dio_initialized, robot_code.dio_param[0], true);
    set_flag(robot_code.dio_initialized, robot_code.dio_param[2], true);
    set_flag(robot_code.dio_is_input, robot_code.dio_param[0], true);
    set_flag(robot_code.dio_is_input, robot_code.dio_param[1], true);
    set_flag(robot_code.dio_value, robot_code.dio_param[2], true);
    assert_int_equal(command(self)->dios, 4);
    assert_int_equal(command(self)->dio_levels, 4);
    set_flag(robot_code.dio_is_input, robot_code.dio_param[0], false);
    set_flag(robot_code.dio_value, robot_code.dio_param[0], true);
    set_flag(robot_code.dio_value, robot_code.dio_param[2], false);
    assert_int_equal(command(self)->dios, 5);
    assert_int_equal(command(self)->dio_levels, 1);
    set_flag(robot_code.dio_initialized, robot_code.dio_param[2], false);
    assert_int_equal(command(self)->dios, 1);
}

// --------------------------------------------------------------------------- the driver station

static hy_link robots[2];

/// Gives the extension two robots at addresses of this machine.
static void connect(hy_halsim *self)
{
    const hy_endpoint any = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 } };
    hy_endpoint at[2];
    assert_int_equal(hy_link_open(&self->link, &any), HY_OK);
    assert_true(hy_os_waker_open(&self->waker));
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(hy_link_open(&robots[i], &any), HY_OK);
        at[i] = robots[i].local;
    }
    hy_peer_set_addresses(&self->peer, at, 2);
}

static void disconnect(hy_halsim *self)
{
    hy_link_close(&self->link);
    hy_link_close(&robots[0]);
    hy_link_close(&robots[1]);
}

/// The one command that has come to a robot.
static hy_wire_command arrived(hy_link *robot)
{
    struct pollfd watched = { .fd = (int)hy_link_descriptor(robot), .events = POLLIN };
    hy_datagram datagrams[HY_LINK_BATCH];
    hy_wire_command got;
    assert_int_equal(poll(&watched, 1, 30000), 1);
    assert_int_equal(hy_link_receive(robot, datagrams, HY_LINK_BATCH), 1);
    hy_xrp_command_decode(datagrams[0].bytes, &got);
    return got;
}

static bool has_none(hy_link *robot)
{
    hy_datagram datagrams[HY_LINK_BATCH];
    return hy_link_receive(robot, datagrams, HY_LINK_BATCH) == 0;
}

static void a_command_goes_to_all_addresses(void **state)
{
    (void)state;
    hy_halsim *const self = start(true);
    hy_halsim_send(self, 700);
    assert_int_equal(self->unanswered_us, 0); // it went nowhere
    connect(self);
    assert_true(hy_commander_enable(&self->peer.commander));
    assert_true(is_followed("Motor:left", "speed", HAL_DIRECTION_OUTPUT));
    set_double(0.5);
    hy_halsim_send(self, 701);
    hy_halsim_send_due(self, 702); // nothing is
    for (size_t i = 0; i < 2; i++) {
        const hy_wire_command got = arrived(&robots[i]);
        assert_true(got.seq == 2 && got.control == 1 && got.motor[1] == 0.5F);
    }
    assert_int_equal(self->unanswered_us, 701);
    hy_halsim_send(self, 800);
    assert_int_equal(self->unanswered_us, 701); // the first one's time
    disconnect(self);
}

static void a_robot_drives_while_it_is_enabled_and_not_stopped(void **state)
{
    (void)state;
    hy_halsim *const self = start(true);
    connect(self);
    assert_false(hy_halsim_may_drive(self));
    set_flag(robot_code.enabled, self, true);
    assert_true(hy_halsim_may_drive(self));
    assert_false(hy_commander_is_enabled(&self->peer.commander)); // but not before the next step
    assert_true(has_none(&robots[0]));
    set_flag(robot_code.emergency_stop, self, true);
    assert_false(hy_halsim_may_drive(self));
    set_flag(robot_code.emergency_stop, self, false);
    assert_true(hy_halsim_may_drive(self));
    disconnect(self);
}

static void what_ends_the_driving_sends_a_stop_at_once(void **state)
{
    (void)state;
    for (int way = 0; way < 3; way++) {
        hy_halsim *const self = start(true);
        connect(self);
        set_flag(robot_code.enabled, self, true);
        assert_true(hy_commander_enable(&self->peer.commander));
        self->ended = way == 2;
        set_flag(way == 0 ? robot_code.enabled : robot_code.emergency_stop, self, way != 0);
        if (way == 2) { // after the end nothing is sent
            assert_true(has_none(&robots[0]));
        } else {
            assert_int_equal(arrived(&robots[0]).control, 0);
            assert_false(hy_commander_enable(&self->peer.commander)); // it is repeated
            struct pollfd woken = { .fd = (int)self->waker.ends[0], .events = POLLIN };
            assert_int_equal(poll(&woken, 1, 0), 1);
            assert_true(hy_commander_due_us(&self->peer.commander) < INT64_MAX);
            hy_halsim_send_due(self, hy_commander_due_us(&self->peer.commander) - 1);
            assert_true(has_none(&robots[0]));
            hy_halsim_send_due(self, hy_commander_due_us(&self->peer.commander));
            assert_int_equal(arrived(&robots[0]).control, 0);
        }
        disconnect(self);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_vendors_names_of_three_seasons_are_followed),
        cmocka_unit_test(a_gyro_is_followed_by_its_prefix),
        cmocka_unit_test(a_motor_takes_any_number_within_1),
        cmocka_unit_test(a_servo_stays_where_it_is_until_it_is_told_a_position),
        cmocka_unit_test(a_motor_that_is_freed_stops_and_a_servo_does_not),
        cmocka_unit_test(an_output_is_sent_and_an_input_is_not),
        cmocka_unit_test(a_command_goes_to_all_addresses),
        cmocka_unit_test(a_robot_drives_while_it_is_enabled_and_not_stopped),
        cmocka_unit_test(what_ends_the_driving_sends_a_stop_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
