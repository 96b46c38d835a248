// Follows what robot code commands: motors and servos are SimDevices, digital outputs are channels.
// All of it runs on robot code's threads, inside of HAL calls.
#include <string.h>

#include "state.h"

#define SERVO_MIDDLE 0.5F

static hy_halsim_ref *ref_of(void *param)
{
    return param;
}

// --------------------------------------------------------------------------- motors and servos

static const hy_halsim_output *output_of(const hy_halsim_ref *ref)
{
    return &ref->self->board->outputs[ref->index];
}

/// False if it is no number. Robot code's motors are doubles.
static bool read_number(const hal_value *value, double *out)
{
    if (value->type == HAL_TYPE_DOUBLE) {
        *out = value->data.as_double;
        return true;
    }
    *out = value->type == HAL_TYPE_INT ? value->data.as_int : (double)value->data.as_long;
    return value->type == HAL_TYPE_INT || value->type == HAL_TYPE_LONG;
}

static void set_motor(hy_halsim *self, unsigned motor, double value)
{
    const float effort = (float)(hy_clamp(value, -1, 1, 0) + 0.0); // -0.0 is sent as 0
    atomic_store_explicit(&self->outputs.motor[motor], effort, memory_order_relaxed);
}

static void set_servo(hy_halsim *self, unsigned servo, double value)
{
    hy_halsim_outputs *const outputs = &self->outputs;
    hy_os_lock_take(&self->lock);
    // A servo that is told no position stays where it is.
    float *const position = &outputs->servo[servo];
    *position = (float)hy_clamp(value, 0, 1, (double)*position);
    outputs->servos = (uint8_t)(outputs->servos | 1U << servo);
    hy_os_lock_give(&self->lock);
}

static void on_motor_changed(const char *name, void *param, hal_handle handle, int32_t direction,
                             const hal_value *value)
{
    (void)name;
    (void)handle;
    (void)direction;
    const hy_halsim_ref *const ref = ref_of(param);
    double effort;
    if (read_number(value, &effort)) {
        set_motor(ref->self, output_of(ref)->channel, effort);
    }
}

static void on_servo_changed(const char *name, void *param, hal_handle handle, int32_t direction,
                             const hal_value *value)
{
    (void)name;
    (void)handle;
    (void)direction;
    const hy_halsim_ref *const ref = ref_of(param);
    double position;
    if (read_number(value, &position)) {
        set_servo(ref->self, output_of(ref)->channel, position);
    }
}

static bool is_command(hy_wire_kind kind, const char *name)
{
    if (kind == HY_WIRE_SERVO) {
        return strcmp(name, "position") == 0;
    }
    return strcmp(name, "speed") == 0 || strcmp(name, "velocity") == 0 ||
           strcmp(name, "throttle") == 0;
}

static void on_value_created(const char *name, void *param, hal_handle handle, int32_t direction,
                             const hal_value *value)
{
    (void)value;
    const hy_halsim_ref *const ref = ref_of(param);
    const hy_wire_kind kind = output_of(ref)->kind;
    if (direction == HAL_DIRECTION_OUTPUT && is_command(kind, name)) {
        ref->self->hal.HALSIM_RegisterSimValueChangedCallback(
            handle, param, kind == HY_WIRE_MOTOR ? on_motor_changed : on_servo_changed, 1);
    }
}

static hy_halsim_ref *find_output(hy_halsim *self, const char *name)
{
    for (size_t i = 0; i < self->board->output_count; i++) {
        if (strcmp(self->board->outputs[i].device, name) == 0) {
            return &self->refs[i];
        }
    }
    return NULL;
}

static void on_device_created(const char *name, void *param, hal_handle device)
{
    hy_halsim *const self = param;
    hy_halsim_ref *const ref = find_output(self, name);
    if (ref != NULL) {
        self->hal.HALSIM_RegisterSimValueCreatedCallback(device, ref, on_value_created, 1);
    } else {
        hy_halsim_gyro_created(self, name, device);
    }
}

/// A motor whose object is gone stops; a servo's arm stays up.
static void on_device_freed(const char *name, void *param, hal_handle device)
{
    hy_halsim *const self = param;
    const hy_halsim_ref *const ref = find_output(self, name);
    if (ref == NULL) {
        hy_halsim_gyro_freed(self, device);
    } else if (output_of(ref)->kind == HY_WIRE_MOTOR) {
        set_motor(self, output_of(ref)->channel, 0);
    }
}

// --------------------------------------------------------------------------- digital outputs

static void set_bit(const hy_halsim_ref *ref, uint32_t *bits, const hal_value *value)
{
    const uint32_t bit = UINT32_C(1) << ref->index;
    hy_os_lock_take(&ref->self->lock);
    *bits = value->data.as_bool != 0 ? *bits | bit : *bits & ~bit;
    hy_os_lock_give(&ref->self->lock);
}

static void on_dio_initialized(const char *name, void *param, const hal_value *value)
{
    (void)name;
    set_bit(ref_of(param), &ref_of(param)->self->outputs.dio_initialized, value);
}

static void on_dio_is_input(const char *name, void *param, const hal_value *value)
{
    (void)name;
    set_bit(ref_of(param), &ref_of(param)->self->outputs.dio_inputs, value);
}

static void on_dio_value(const char *name, void *param, const hal_value *value)
{
    (void)name;
    set_bit(ref_of(param), &ref_of(param)->self->outputs.dio_levels, value);
}

// --------------------------------------------------------------------------- the driver station

static void set_flag(hy_halsim *self, bool *flag, const hal_value *value)
{
    hy_os_lock_take(&self->lock);
    *flag = value->data.as_bool != 0;
    hy_halsim_update_enabled(self);
    hy_os_lock_give(&self->lock);
}

static void on_enabled(const char *name, void *param, const hal_value *value)
{
    (void)name;
    hy_halsim *const self = param;
    set_flag(self, &self->outputs.enabled, value);
}

static void on_emergency_stop(const char *name, void *param, const hal_value *value)
{
    (void)name;
    hy_halsim *const self = param;
    set_flag(self, &self->outputs.emergency_stopped, value);
}

// --------------------------------------------------------------------------- what the rest calls

void hy_halsim_init_outputs(hy_halsim *self)
{
    self->outputs.servos = self->board->servos_always;
    for (size_t i = 0; i < HY_WIRE_SERVOS; i++) {
        self->outputs.servo[i] = SERVO_MIDDLE;
    }
}

void hy_halsim_follow_outputs(hy_halsim *self)
{
    const hal_functions *const hal = &self->hal;
    for (unsigned i = 0; i < self->dios; i++) {
        const int32_t channel = (int32_t)i;
        hal->HALSIM_RegisterDIOInitializedCallback(channel, on_dio_initialized, &self->refs[i], 1);
        hal->HALSIM_RegisterDIOIsInputCallback(channel, on_dio_is_input, &self->refs[i], 1);
        hal->HALSIM_RegisterDIOValueCallback(channel, on_dio_value, &self->refs[i], 1);
    }
    hal->HALSIM_RegisterSimDeviceCreatedCallback("", self, on_device_created, 1);
    if (hal->has[HAL_FREED]) {
        hal->HALSIM_RegisterSimDeviceFreedCallback("", self, on_device_freed, 0);
    }
    hal->HALSIM_RegisterDriverStationEnabledCallback(on_enabled, self, 1);
    if (hal->has[HAL_ESTOP]) {
        hal->HALSIM_RegisterDriverStationEStopCallback(on_emergency_stop, self, 1);
    }
}
