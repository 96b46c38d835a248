// What the extension tells the HAL: each reading when it changes, and now and then also if it has not.
#include "cmocka_all.h"

#include <math.h>
#include <string.h>

#include "../../src/halsim/state.h"

static struct {
    unsigned gyro[8], accel; // times that each was set, by the handle
    double last;
} told;

static hy_halsim *told_of;

static void set_sim_value(hal_handle handle, const hal_value *value)
{
    assert_int_equal(value->type, HAL_TYPE_DOUBLE);
    told.gyro[handle]++;
    told.last = value->data.as_double;
}

static void set_accelerometer(int32_t index, double g)
{
    assert_int_equal(index, 0);
    told.accel++;
    told.last = g;
}

static hy_halsim start(void)
{
    static const hy_halsim_board board = { 0 };
    memset(&told, 0, sizeof told);
    hy_halsim self = { .board = &board };
    self.hal.HAL_SetSimValue = set_sim_value;
    self.hal.HALSIM_SetAccelerometerX = set_accelerometer;
    self.hal.HALSIM_SetAccelerometerY = set_accelerometer;
    self.hal.HALSIM_SetAccelerometerZ = set_accelerometer;
    self.hal.has[HAL_GYRO] = self.hal.has[HAL_ACCEL] = true;
    hy_os_lock_init(&self.lock);
    self.inputs.gyro[2] = 3; // the rate about z, and nothing else
    return self;
}

static void what_did_not_change_is_not_set_again(void **state)
{
    (void)state;
    hy_halsim self = start();
    hy_wire_status status = { .has_gyro = true, .has_accel = true };
    status.gyro_rate_dps[2] = 5.0F;
    for (int i = 0; i < 20; i++) {
        hy_halsim_apply(&self, &status, false);
    }
    assert_int_equal(told.gyro[3], 1);
    assert_int_equal(told.accel, 3);
    status.gyro_rate_dps[2] = 6.0F;
    hy_halsim_apply(&self, &status, false);
    assert_int_equal(told.gyro[3], 2);
    assert_true(told.last == 6.0);
    assert_int_equal(told.accel, 3);
}

static void what_others_may_have_changed_is_set_again_after_a_second(void **state)
{
    (void)state;
    hy_halsim self = start();
    const hy_wire_status status = { .has_gyro = true, .has_accel = true };
    for (int i = 0; i < 3 * 21; i++) {
        hy_halsim_apply(&self, &status, false);
    }
    assert_int_equal(told.gyro[3], 3);
    assert_int_equal(told.accel, 9);
}

static int32_t keep_created(hal_handle device, void *param, hal_value_notify *call, hal_bool now)
{
    (void)now;
    call("rate_z", param, device + 1, HAL_DIRECTION_INPUT, NULL);
    return 1;
}

static hal_value_notify *on_reset;

static int32_t keep_reset(hal_handle handle, void *param, hal_value_notify *call, hal_bool now)
{
    (void)handle;
    (void)param;
    assert_int_equal(now, 0);
    on_reset = call;
    return 1;
}

static void a_new_gyro_and_one_that_was_reset_are_told_at_once(void **state)
{
    (void)state;
    hy_halsim self = start();
    self.hal.HALSIM_RegisterSimValueCreatedCallback = keep_created;
    self.hal.HALSIM_RegisterSimValueResetCallback = keep_reset;
    const hy_wire_status status = { .has_gyro = true };
    hy_halsim_apply(&self, &status, false);
    hy_halsim_gyro_created(&self, "Gyro:XRPGyro", 4);
    hy_halsim_apply(&self, &status, false);
    hy_halsim_apply(&self, &status, false);
    assert_int_equal(told.gyro[5], 1);
    on_reset("rate_z", &self, 5, HAL_DIRECTION_INPUT, NULL);
    hy_halsim_apply(&self, &status, false);
    assert_int_equal(told.gyro[5], 2);
}

static double shown_deg(hy_halsim *self, float yaw_deg, bool has_restarted)
{
    const hy_wire_status status = { .has_gyro = true, .gyro_angle_deg = { 0, 0, yaw_deg } };
    hy_halsim_apply(self, &status, has_restarted);
    return told.last;
}

/// Shows what `yaw_deg` of the robot becomes, one status after the other; a NAN restarts the robot.
static void expect_angles(hy_halsim *self, size_t count, const float yaw_deg[][2])
{
    bool has_restarted = false;
    for (size_t i = 0; i < count; i++) {
        if (isnan(yaw_deg[i][0])) {
            has_restarted = true;
            continue;
        }
        const double shown = shown_deg(self, yaw_deg[i][0], has_restarted);
        has_restarted = false;
        if (shown != (double)yaw_deg[i][1]) {
            fail_msg("status %zu: %g becomes %g, not %g", i, (double)yaw_deg[i][0], shown,
                     (double)yaw_deg[i][1]);
        }
    }
}

#define EXPECT_ANGLES(self, ...)                                 \
    do {                                                         \
        static const float rows[][2] = { __VA_ARGS__ };          \
        expect_angles(self, sizeof rows / sizeof rows[0], rows); \
    } while (0)

static hy_halsim start_with_yaw(void)
{
    hy_halsim self = start();
    self.hal.HALSIM_RegisterSimValueCreatedCallback = keep_created;
    self.hal.HALSIM_RegisterSimValueResetCallback = keep_reset;
    hy_halsim_gyro_created(&self, "Gyro:XRPGyro", 4);
    self.inputs.gyro[2] = 0;
    self.inputs.gyro[5] = 6;
    return self;
}

static void an_angle_goes_on_past_a_full_turn(void **state)
{
    (void)state;
    hy_halsim self = start_with_yaw();
    EXPECT_ANGLES(&self, { 180, 180 }, { 350, 350 }, { 2, 362 }, { 170, 530 }, { 300, 660 },
                  { 100.5F, 820.5F }, { 300, 660 }, { 170, 530 }, { 2, 362 }, { 358, 358 },
                  { 180, 180 }, { 5, 5 }, { 355, -5 });
}

static void an_angle_goes_on_when_the_robot_starts_again(void **state)
{
    (void)state;
    hy_halsim self = start_with_yaw();
    EXPECT_ANGLES(&self, { 180, 180 }, { 300, 300 }, { NAN, 0 }, { 180, 300 }, { 190, 310 },
                  { 340, 460 }, { 20, 500 }, { NAN, 0 }, { 180, 500 }, { 170, 490 });
    // What the first status behind a restart does not say is compared with nothing.
    hy_halsim_apply(&self, &(hy_wire_status){ .seq = 1 }, true);
    EXPECT_ANGLES(&self, { 180, 490 }, { 181, 491 });
    const hy_wire_status broken = { .has_gyro = true, .gyro_angle_deg = { 0, 0, NAN } };
    hy_halsim_apply(&self, &broken, true);
    EXPECT_ANGLES(&self, { 180, 491 }, { 182, 493 });
}

static void an_angle_that_was_reset_counts_from_there(void **state)
{
    (void)state;
    hy_halsim self = start_with_yaw();
    EXPECT_ANGLES(&self, { 180, 180 }, { 350, 350 });
    on_reset("angle_z", &self, 6, HAL_DIRECTION_INPUT, NULL);
    EXPECT_ANGLES(&self, { 350, 0 }, { 355, 5 }, { 10, 20 }, { NAN, 0 }, { 180, 20 }, { 170, 10 });
    on_reset("angle_x", &self, 5, HAL_DIRECTION_INPUT, NULL); // another value
    EXPECT_ANGLES(&self, { 171, 11 });
    self = start_with_yaw(); // before the first reading
    on_reset("angle_z", &self, 6, HAL_DIRECTION_INPUT, NULL);
    EXPECT_ANGLES(&self, { 180, 0 }, { 190, 10 });
}

/// A Teensy's: it may turn further than half a turn while nothing is heard of it.
static void an_angle_beyond_a_full_turn_is_not_wrapped(void **state)
{
    (void)state;
    hy_halsim self = start_with_yaw();
    EXPECT_ANGLES(&self, { 0, 0 }, { 170, 170 }, { 340, 340 }, { 400, 400 }, { 800, 800 },
                  { 350, 350 }, { -400, -400 }, { -1000, -1000 });
}

static void reset_while_told(hal_handle handle, const hal_value *value)
{
    static bool is_over;
    set_sim_value(handle, value);
    if (!is_over) { // robot code's thread resets it, and then the worker's older value comes
        is_over = true;
        on_reset("angle_z", told_of, handle, HAL_DIRECTION_INPUT, NULL);
    }
}

static void a_reset_while_it_is_told_wins(void **state)
{
    (void)state;
    hy_halsim self = start_with_yaw();
    self.hal.HAL_SetSimValue = reset_while_told;
    told_of = &self;
    assert_true(shown_deg(&self, 200, false) == 0.0);
    assert_int_equal(told.gyro[6], 2);
}

static void another_device_is_no_gyro_and_frees_none(void **state)
{
    (void)state;
    hy_halsim self = start();
    self.hal.HALSIM_RegisterSimValueCreatedCallback = keep_created;
    self.hal.HALSIM_RegisterSimValueResetCallback = keep_reset;
    hy_halsim_gyro_created(&self, "Gyro", 6); // without its colon
    hy_halsim_gyro_created(&self, "Accel:XRP", 6);
    assert_int_equal(self.inputs.gyro_device, 0);
    assert_int_equal(self.inputs.gyro[2], 3);
    hy_halsim_gyro_created(&self, "Gyro:XRPGyro", 4);
    hy_halsim_gyro_freed(&self, 6);
    assert_int_equal(self.inputs.gyro[2], 5);
    hy_halsim_gyro_freed(&self, 4);
    const hy_wire_status status = { .has_gyro = true, .gyro_rate_dps = { 1.0F, 1.0F, 1.0F } };
    hy_halsim_apply(&self, &status, false);
    assert_int_equal(told.gyro[5], 0);
}

static void a_hal_without_a_sensor_is_told_nothing_of_it(void **state)
{
    (void)state;
    hy_halsim self = start();
    const hy_wire_status status = { .has_gyro = true, .has_accel = true };
    self.hal.has[HAL_GYRO] = false;
    hy_halsim_apply(&self, &status, false);
    assert_int_equal(told.gyro[3], 0);
    assert_int_equal(told.accel, 3);
    self = start();
    self.hal.has[HAL_ACCEL] = false;
    hy_halsim_apply(&self, &status, false);
    assert_int_equal(told.gyro[3], 1);
    assert_int_equal(told.accel, 0);
}

static double sim_value[8], accel[3], volts[4];
static int dio_level[4]; // -1: not set
static bool is_last_dio_set;

static void keep_sim_value(hal_handle handle, const hal_value *value)
{
    sim_value[handle] = value->data.as_double;
}

static void keep_x(int32_t index, double g)
{
    (void)index;
    accel[0] = g;
}

static void keep_y(int32_t index, double g)
{
    (void)index;
    accel[1] = g;
}

static void keep_z(int32_t index, double g)
{
    (void)index;
    accel[2] = g;
}

static void keep_dio(int32_t channel, hal_bool level)
{
    if (channel == HY_WIRE_DIOS - 1) {
        is_last_dio_set = level != 0;
    } else {
        dio_level[channel] = level;
    }
}

static void keep_volts(int32_t channel, double volt)
{
    volts[channel] = volt;
}

static void each_reading_has_its_own_value(void **state)
{
    (void)state;
    hy_halsim self = start();
    self.hal.HALSIM_SetAccelerometerX = keep_x;
    self.hal.HALSIM_SetAccelerometerY = keep_y;
    self.hal.HALSIM_SetAccelerometerZ = keep_z;
    self.hal.HAL_SetSimValue = keep_sim_value;
    for (size_t i = 0; i < 6; i++) {
        self.inputs.gyro[i] = (hal_handle)i + 1;
    }
    const hy_wire_status status = { .has_gyro = true,
                                    .has_accel = true,
                                    .gyro_rate_dps = { 1, 2, 3 },
                                    .gyro_angle_deg = { 4, 5, 6 },
                                    .accel_g = { 7, 8, 9 } };
    hy_halsim_apply(&self, &status, false);
    for (size_t i = 0; i < 6; i++) {
        assert_true(sim_value[i + 1] == (double)i + 1);
    }
    assert_true(accel[0] == 7 && accel[1] == 8 && accel[2] == 9);
}

static void inputs_of_both_sides_are_set_but_what_robot_code_drives_is_not(void **state)
{
    (void)state;
    hy_halsim self = start();
    self.hal.HALSIM_SetDIOValue = keep_dio;
    self.hal.HALSIM_SetAnalogInVoltage = keep_volts;
    self.dios = self.analogs = 3; // the fourth one is the robot's alone
    self.outputs.dio_initialized = 0x3;
    self.outputs.dio_inputs = 0x1;
    const hy_wire_status statuses[] = {
        { .dios = 0xB, .dio_levels = 0xB, .analogs = 0xE, .analog_v = { 1, 2, NAN, 4 } },
        { .dios = 0x5, .dio_levels = 0x4, .analogs = 0x5, .analog_v = { 5, 6, 7, 8 } },
    };
    memset(dio_level, -1, sizeof dio_level);
    memset(volts, 0, sizeof volts);
    hy_halsim_apply(&self, &statuses[0], false);
    assert_memory_equal(dio_level, ((int[]){ 1, -1, -1, -1 }), sizeof dio_level);
    assert_true(volts[0] == 0 && volts[1] == 2 && volts[2] == 0 && volts[3] == 0);
    hy_halsim_apply(&self, &statuses[1], false);
    assert_memory_equal(dio_level, ((int[]){ 0, -1, 1, -1 }), sizeof dio_level);
    assert_true(volts[0] == 5 && volts[1] == 2 && volts[2] == 7 && volts[3] == 0);
    self.dios = HY_WIRE_DIOS;
    const uint32_t last = UINT32_C(1) << (HY_WIRE_DIOS - 1);
    hy_halsim_apply(&self, &(hy_wire_status){ .dios = last, .dio_levels = last }, false);
    assert_true(is_last_dio_set);
}

static void what_is_no_number_is_not_set(void **state)
{
    (void)state;
    hy_halsim self = start();
    hy_wire_status status = { .has_gyro = true, .has_accel = true };
    status.gyro_rate_dps[2] = NAN;
    status.accel_g[0] = INFINITY;
    hy_halsim_apply(&self, &status, false);
    assert_int_equal(told.gyro[3], 0);
    assert_int_equal(told.accel, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_did_not_change_is_not_set_again),
        cmocka_unit_test(what_others_may_have_changed_is_set_again_after_a_second),
        cmocka_unit_test(a_new_gyro_and_one_that_was_reset_are_told_at_once),
        cmocka_unit_test(an_angle_goes_on_past_a_full_turn),
        cmocka_unit_test(an_angle_goes_on_when_the_robot_starts_again),
        cmocka_unit_test(an_angle_that_was_reset_counts_from_there),
        cmocka_unit_test(an_angle_beyond_a_full_turn_is_not_wrapped),
        cmocka_unit_test(a_reset_while_it_is_told_wins),
        cmocka_unit_test(another_device_is_no_gyro_and_frees_none),
        cmocka_unit_test(a_hal_without_a_sensor_is_told_nothing_of_it),
        cmocka_unit_test(each_reading_has_its_own_value),
        cmocka_unit_test(inputs_of_both_sides_are_set_but_what_robot_code_drives_is_not),
        cmocka_unit_test(what_is_no_number_is_not_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
