// Puts what the robot senses into the HAL, on the worker's thread and as soon as it comes: robot code
// reads the HAL whenever it likes, not only after a step, so a status that waited for the next step
// would be up to 20 ms old for nothing. What the worker and the HAL's callbacks share is copied under
// the lock; the HAL is called without it.
#include <float.h>
#include <math.h>
#include <string.h>

#include "state.h"

#define STATUSES_A_SECOND 20

#define TURN_DEG 360.0

// --------------------------------------------------------------------------- ways

/// The first reading, and the first of a robot that has started again.
static void begin_way(hy_halsim_way *self, double raw)
{
    if (self->state == HY_HALSIM_WAY_HOLDS) {
        self->offset += raw - self->raw;
    }
    self->state = HY_HALSIM_WAY_MOVES;
}

static void reset_way(hy_halsim_way *self)
{
    self->offset = self->raw;
    if (self->state == HY_HALSIM_WAY_NEW) {
        self->state = HY_HALSIM_WAY_HOLDS; // the first reading is the zero
    }
}

static void rebase_way(hy_halsim_way *self)
{
    if (self->state == HY_HALSIM_WAY_MOVES) {
        self->state = HY_HALSIM_WAY_HOLDS;
    }
}

/// The robot has started again, and has not moved for that.
static void rebase(hy_halsim_inputs *self)
{
    for (size_t id = 0; id < HY_WIRE_ENCODERS; id++) {
        rebase_way(&self->encoder[id].count);
    }
    for (size_t i = 0; i < 3; i++) {
        rebase_way(&self->angle[i]);
    }
}

// --------------------------------------------------------------------------- encoders

static hy_halsim_encoder *encoder_on(hy_halsim *self, int32_t channel_a, int32_t channel_b)
{
    const int32_t lower = channel_a < channel_b ? channel_a : channel_b;
    const int32_t from_first = lower - self->board->encoder_first_dio;
    const bool is_pair = channel_a - channel_b == 1 || channel_b - channel_a == 1;
    if (!is_pair || from_first < 0 || from_first % 2 != 0 ||
        from_first / 2 >= self->board->dialect->encoders) {
        return NULL;
    }
    return &self->inputs.encoder[from_first / 2];
}

static void forget_slot(hy_halsim *self, int32_t slot)
{
    for (size_t i = 0; i < HY_WIRE_ENCODERS; i++) {
        if (self->inputs.encoder[i].slot == slot) {
            self->inputs.encoder[i].slot = -1;
        }
    }
}

/// The HAL's slots keep what their last encoder left, also that it was reset: then the next reset
/// would go unnoticed.
static void clear_slot(const hal_functions *hal, int32_t slot)
{
    hal->HALSIM_SetEncoderCount(slot, 0);
    if (hal->has[HAL_PERIOD]) {
        hal->HALSIM_SetEncoderPeriod(slot, DBL_MAX); // as HAL_ResetEncoder() does
    } else if (hal->has[HAL_RATE]) {
        hal->HALSIM_SetEncoderRate(slot, 0);
    }
}

static void on_encoder_initialized(const char *name, void *param, const hal_value *value)
{
    (void)name;
    const hy_halsim_ref *const ref = param;
    hy_halsim *const self = ref->self;
    const int32_t slot = (int32_t)ref->index;
    const bool is_there = value->data.as_bool != 0;
    const int32_t channel_a = is_there ? self->hal.HALSIM_GetEncoderDigitalChannelA(slot) : 0;
    const int32_t channel_b = is_there ? self->hal.HALSIM_GetEncoderDigitalChannelB(slot) : 0;
    if (is_there) {
        clear_slot(&self->hal, slot);
    }
    hy_os_lock_take(&self->lock);
    forget_slot(self, slot);
    hy_halsim_encoder *const encoder = is_there ? encoder_on(self, channel_a, channel_b) : NULL;
    if (encoder != NULL) {
        encoder->slot = slot;
        encoder->count.offset = 0;
        if (encoder->count.state == HY_HALSIM_WAY_HOLDS) {
            encoder->count.state = HY_HALSIM_WAY_NEW;
        }
    }
    hy_os_lock_give(&self->lock);
}

/// Comes before the HAL sets the count to 0.
static void on_encoder_reset(const char *name, void *param, const hal_value *value)
{
    (void)name;
    const hy_halsim_ref *const ref = param;
    hy_halsim *const self = ref->self;
    if (value->data.as_bool == 0) {
        return;
    }
    hy_os_lock_take(&self->lock);
    for (size_t i = 0; i < HY_WIRE_ENCODERS; i++) {
        hy_halsim_encoder *const encoder = &self->inputs.encoder[i];
        if (encoder->slot == (int32_t)ref->index) {
            reset_way(&encoder->count);
            self->inputs.resets++;
        }
    }
    hy_os_lock_give(&self->lock);
}

/// Two's complement, which the HAL's counter is.
static int32_t shown_count(const hy_halsim_encoder *encoder)
{
    const uint32_t count = (uint32_t)(int64_t)(encoder->count.raw - encoder->count.offset);
    return count <= INT32_MAX ? (int32_t)count : -(int32_t)(UINT32_MAX - count) - 1;
}

static void set_period(const hal_functions *hal, int32_t slot, const hy_wire_encoder *encoder)
{
    const uint32_t ticks = encoder->period_num >> 1;
    if (!encoder->has_period || ticks == 0 || encoder->period_den == 0) {
        return;
    }
    const double size_s = (double)ticks / encoder->period_den;
    const double period_s = (encoder->period_num & 1) != 0 ? size_s : -size_s;
    if (hal->has[HAL_PERIOD]) {
        hal->HALSIM_SetEncoderPeriod(slot, period_s);
    } else if (hal->has[HAL_RATE]) {
        hal->HALSIM_SetEncoderRate(slot, hal->HALSIM_GetEncoderDistancePerPulse(slot) / period_s);
    }
}

/// What a status is to say to the HAL, copied under the lock.
typedef struct {
    int32_t slot[HY_WIRE_ENCODERS], count[HY_WIRE_ENCODERS];
    double angle_deg[3];
    hal_handle gyro[HY_HALSIM_GYRO_VALUES];
    uint32_t resets;
} shown_inputs;

static void copy_inputs(const hy_halsim_inputs *self, const hy_wire_status *status, shown_inputs *out)
{
    for (unsigned id = 0; status->encoders >> id != 0; id++) {
        out->slot[id] = (status->encoders >> id & 1) != 0 ? self->encoder[id].slot : -1;
        if (out->slot[id] >= 0) {
            out->count[id] = shown_count(&self->encoder[id]);
        }
    }
    for (size_t i = 0; i < 3; i++) {
        out->angle_deg[i] = self->angle[i].raw - self->angle[i].offset;
    }
    memcpy(out->gyro, self->gyro, sizeof out->gyro);
    out->resets = self->resets;
}

static void apply_encoders(const hy_halsim *self, const hy_wire_status *status,
                           const shown_inputs *inputs)
{
    for (unsigned id = 0; status->encoders >> id != 0; id++) {
        if (inputs->slot[id] >= 0) {
            set_period(&self->hal, inputs->slot[id], &status->encoder[id]);
            self->hal.HALSIM_SetEncoderCount(inputs->slot[id], inputs->count[id]);
        }
    }
}

// --------------------------------------------------------------------------- gyro

/// From half a turn on the other way around is the shorter one. But readings that ever lie beyond a turn are not of a gyro that
/// begins again there: a Teensy's go on.
static double turns_between(double from_deg, double to_deg)
{
    const bool goes_on = fabs(from_deg) > TURN_DEG || fabs(to_deg) > TURN_DEG;
    return goes_on ? 0 : to_deg > from_deg ? TURN_DEG : -TURN_DEG;
}

static void take_angle(hy_halsim_way *self, double raw_deg)
{
    if (self->state != HY_HALSIM_WAY_MOVES) {
        begin_way(self, raw_deg);
    } else if (fabs(raw_deg - self->raw) > TURN_DEG / 2) {
        self->offset += turns_between(self->raw, raw_deg);
    }
    self->raw = raw_deg;
}

/// Whether the HAL has to be told: not what it has already, but that too every second, for others may have set it meanwhile.
static bool is_news(hy_halsim_reading *last, double reading)
{
    const bool is_known = last->left > 0 && last->reading == reading;
    if (is_known) {
        last->left--;
    } else if (fabs(reading) <= DBL_MAX) {
        *last = (hy_halsim_reading){ reading, STATUSES_A_SECOND };
    }
    return !is_known && fabs(reading) <= DBL_MAX;
}

/// Robot code has set a value of the gyro to 0: an angle counts from here, and a rate is the robot's again with the next status.
static void on_gyro_value_reset(const char *name, void *param, hal_handle handle, int32_t direction,
                                const hal_value *value)
{
    (void)name;
    (void)direction;
    (void)value;
    hy_halsim *const self = param;
    hy_os_lock_take(&self->lock);
    for (size_t i = 0; i < 3; i++) {
        if (self->inputs.gyro[3 + i] == handle) {
            reset_way(&self->inputs.angle[i]);
        }
    }
    self->inputs.resets++;
    hy_os_lock_give(&self->lock);
}

static void on_gyro_value_created(const char *name, void *param, hal_handle handle,
                                  int32_t direction, const hal_value *value)
{
    (void)direction;
    (void)value;
    static const char *const names[HY_HALSIM_GYRO_VALUES] = { "rate_x",  "rate_y",  "rate_z",
                                                              "angle_x", "angle_y", "angle_z" };
    hy_halsim *const self = param;
    for (size_t i = 0; i < HY_HALSIM_GYRO_VALUES; i++) {
        if (strcmp(name, names[i]) == 0) {
            hy_os_lock_take(&self->lock);
            self->inputs.gyro[i] = handle;
            self->inputs.resets++;
            hy_os_lock_give(&self->lock);
            self->hal.HALSIM_RegisterSimValueResetCallback(handle, self, on_gyro_value_reset, 0);
        }
    }
}

static void use_gyro(hy_halsim *self, hal_handle device)
{
    hy_os_lock_take(&self->lock);
    self->inputs.gyro_device = device;
    memset(self->inputs.gyro, 0, sizeof self->inputs.gyro);
    hy_os_lock_give(&self->lock);
}

void hy_halsim_gyro_created(hy_halsim *self, const char *name, hal_handle device)
{
    if (strncmp(name, "Gyro:", 5) == 0) {
        use_gyro(self, device);
        self->hal.HALSIM_RegisterSimValueCreatedCallback(device, self, on_gyro_value_created, 1);
    }
}

void hy_halsim_gyro_freed(hy_halsim *self, hal_handle device)
{
    hy_os_lock_take(&self->lock);
    const bool is_ours = self->inputs.gyro_device == device;
    hy_os_lock_give(&self->lock);
    if (is_ours) {
        use_gyro(self, 0);
    }
}

static void apply_gyro(hy_halsim *self, const hy_wire_status *status, const shown_inputs *inputs)
{
    if (self->shown.resets != inputs->resets) {
        memset(self->shown.gyro, 0, sizeof self->shown.gyro);
        self->shown.resets = inputs->resets;
    }
    for (size_t i = 0; i < HY_HALSIM_GYRO_VALUES; i++) {
        const double reading = i < 3 ? (double)status->gyro_rate_dps[i] : inputs->angle_deg[i - 3];
        if (inputs->gyro[i] != 0 && is_news(&self->shown.gyro[i], reading)) {
            const hal_value value = { .data.as_double = reading, .type = HAL_TYPE_DOUBLE };
            self->hal.HAL_SetSimValue(inputs->gyro[i], &value);
        }
    }
}

// --------------------------------------------------------------------------- the simple ones

/// What robot code drives is its own: a robot that reports it is late, not right.
static void apply_dios(const hy_halsim *self, const hy_wire_status *status, uint32_t driven)
{
    const uint32_t reported = status->dios & ~driven;
    for (unsigned channel = 0; channel < self->dios && reported >> channel != 0; channel++) {
        if ((reported >> channel & 1) != 0) {
            self->hal.HALSIM_SetDIOValue((int32_t)channel,
                                         (hal_bool)(status->dio_levels >> channel & 1));
        }
    }
}

static void apply_analogs(const hy_halsim *self, const hy_wire_status *status)
{
    for (unsigned channel = 0; channel < self->analogs && status->analogs >> channel != 0; channel++) {
        if ((status->analogs >> channel & 1) != 0 && isfinite(status->analog_v[channel])) {
            self->hal.HALSIM_SetAnalogInVoltage((int32_t)channel, (double)status->analog_v[channel]);
        }
    }
}

static void apply_accelerometer(hy_halsim *self, const float accel_g[3])
{
    void (*const set[3])(int32_t index, double g) = { self->hal.HALSIM_SetAccelerometerX,
                                                      self->hal.HALSIM_SetAccelerometerY,
                                                      self->hal.HALSIM_SetAccelerometerZ };
    for (size_t axis = 0; axis < 3; axis++) {
        if (is_news(&self->shown.accel[axis], (double)accel_g[axis])) {
            set[axis](0, (double)accel_g[axis]);
        }
    }
}

// --------------------------------------------------------------------------- what the rest calls

void hy_halsim_init_inputs(hy_halsim *self)
{
    for (size_t i = 0; i < HY_WIRE_ENCODERS; i++) {
        self->inputs.encoder[i].slot = -1;
    }
}

void hy_halsim_follow_inputs(hy_halsim *self)
{
    for (unsigned i = 0; i < self->encoder_slots; i++) {
        const int32_t slot = (int32_t)i;
        self->hal.HALSIM_RegisterEncoderInitializedCallback(slot, on_encoder_initialized,
                                                            &self->refs[i], 1);
        self->hal.HALSIM_RegisterEncoderResetCallback(slot, on_encoder_reset, &self->refs[i], 0);
    }
}

static void take_status(hy_halsim_inputs *self, const hy_wire_status *status, bool is_new_count)
{
    if (is_new_count) {
        rebase(self);
    }
    for (unsigned id = 0; status->encoders >> id != 0; id++) {
        if ((status->encoders >> id & 1) != 0) {
            hy_halsim_way *const count = &self->encoder[id].count;
            if (count->state != HY_HALSIM_WAY_MOVES) {
                begin_way(count, status->encoder[id].count);
            }
            count->raw = status->encoder[id].count;
        }
    }
    for (size_t i = 0; i < 3; i++) {
        const double angle_deg = (double)status->gyro_angle_deg[i];
        if (status->has_gyro && fabs(angle_deg) <= (double)FLT_MAX) { // not if it is no number
            take_angle(&self->angle[i], angle_deg);
        }
    }
}

/// True if robot code has reset something since `inputs` were copied; then they are copied again.
static bool copy_resets(hy_halsim *self, const hy_wire_status *status, shown_inputs *inputs)
{
    hy_os_lock_take(&self->lock);
    const bool has_reset = self->inputs.resets != inputs->resets;
    if (has_reset) {
        copy_inputs(&self->inputs, status, inputs);
    }
    hy_os_lock_give(&self->lock);
    return has_reset;
}

void hy_halsim_apply(hy_halsim *self, const hy_wire_status *status, bool is_new_count)
{
    shown_inputs inputs;
    hy_os_lock_take(&self->lock);
    take_status(&self->inputs, status, is_new_count);
    copy_inputs(&self->inputs, status, &inputs);
    const uint32_t driven = self->outputs.dio_initialized & ~self->outputs.dio_inputs;
    hy_os_lock_give(&self->lock);

    // A reset on another thread may come between copying and setting; then all is set again.
    do {
        apply_encoders(self, status, &inputs);
        if (status->has_gyro && self->hal.has[HAL_GYRO]) {
            apply_gyro(self, status, &inputs);
        }
    } while (copy_resets(self, status, &inputs));
    apply_dios(self, status, driven);
    apply_analogs(self, status);
    if (status->has_accel && self->hal.has[HAL_ACCEL]) {
        apply_accelerometer(self, status->accel_g);
    }
}
