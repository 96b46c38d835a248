// What the extension tells the HAL: each reading when it changes, and now and then also if it has not.
#include "cmocka_all.h"

#include <math.h>
#include <string.h>

#include "../../src/halsim/state.h"

static struct {
    unsigned gyro[8], accel; // times that each was set, by the handle
    double last;
} told;

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
        cmocka_unit_test(another_device_is_no_gyro_and_frees_none),
        cmocka_unit_test(a_hal_without_a_sensor_is_told_nothing_of_it),
        cmocka_unit_test(what_is_no_number_is_not_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
