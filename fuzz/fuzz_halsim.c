// LINK: halsim link wire base
// What a robot sends to a WPILib program: any statuses at any time, between encoders that come, go and are reset. What gets
// into the HAL is finite and of a channel that it has.
//
// Input: records of [what and wait][size or slot][bytes of one datagram].
#include "../src/halsim/state.h"

#include <halyard/wire.h>

#include <assert.h>
#include <string.h>

#define SLOTS    8
#define CHANNELS 31
#define ANALOGS  8
#define HANDLES  6

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// --------------------------------------------------------------------------- a HAL

static hal_notify *on_initialized, *on_reset;
static void *params[SLOTS];
static hal_value_notify *on_gyro_value, *on_gyro_reset;
static int32_t first_channel[SLOTS];

static int32_t follow_initialized(int32_t slot, hal_notify *call, void *param, hal_bool now)
{
    (void)now;
    assert(slot >= 0 && slot < SLOTS);
    on_initialized = call;
    params[slot] = param;
    return 1;
}

static int32_t follow_reset(int32_t slot, hal_notify *call, void *param, hal_bool now)
{
    (void)now;
    assert(slot >= 0 && slot < SLOTS && params[slot] == param);
    on_reset = call;
    return 1;
}

static int32_t follow_values(hal_handle device, void *param, hal_value_notify *call, hal_bool now)
{
    (void)device, (void)param, (void)now;
    on_gyro_value = call;
    return 1;
}

static int32_t follow_gyro_reset(hal_handle handle, void *param, hal_value_notify *call, hal_bool now)
{
    (void)param, (void)now;
    assert(handle >= 1 && handle <= HANDLES);
    on_gyro_reset = call;
    return 1;
}

static int32_t channel_a(int32_t slot)
{
    return first_channel[slot];
}

static int32_t channel_b(int32_t slot)
{
    return first_channel[slot] + 1;
}

static void set_count(int32_t slot, int32_t count)
{
    (void)count;
    assert(slot >= 0 && slot < SLOTS);
}

static void set_period(int32_t slot, double period_s)
{
    assert(slot >= 0 && slot < SLOTS && period_s - period_s == 0 && period_s != 0);
}

static void set_level(int32_t channel, hal_bool level)
{
    assert(channel >= 0 && channel < CHANNELS && (level == 0 || level == 1));
}

static void set_voltage(int32_t channel, double volts)
{
    assert(channel >= 0 && channel < ANALOGS && volts - volts == 0);
}

static void set_accel(int32_t index, double g)
{
    assert(index == 0 && g - g == 0);
}

static void set_value(hal_handle handle, const hal_value *value)
{
    assert(handle >= 1 && handle <= HANDLES && value->type == HAL_TYPE_DOUBLE);
    assert(value->data.as_double - value->data.as_double == 0);
}

// --------------------------------------------------------------------------- a program

static hy_halsim self;

static void start_program(void)
{
    static const hy_halsim_board board = { .name = "fuzz",
                                           .dialect = &hy_dialect_xrp,
                                           .encoder_first_dio = 4 };
    self =
        (hy_halsim){ .board = &board, .dios = CHANNELS, .analogs = ANALOGS, .encoder_slots = SLOTS };
    self.hal = (hal_functions){ .HALSIM_RegisterEncoderInitializedCallback = follow_initialized,
                                .HALSIM_RegisterEncoderResetCallback = follow_reset,
                                .HALSIM_RegisterSimValueCreatedCallback = follow_values,
                                .HALSIM_RegisterSimValueResetCallback = follow_gyro_reset,
                                .HALSIM_GetEncoderDigitalChannelA = channel_a,
                                .HALSIM_GetEncoderDigitalChannelB = channel_b,
                                .HALSIM_SetEncoderCount = set_count,
                                .HALSIM_SetEncoderPeriod = set_period,
                                .HALSIM_SetDIOValue = set_level,
                                .HALSIM_SetAnalogInVoltage = set_voltage,
                                .HALSIM_SetAccelerometerX = set_accel,
                                .HALSIM_SetAccelerometerY = set_accel,
                                .HALSIM_SetAccelerometerZ = set_accel,
                                .HAL_SetSimValue = set_value };
    self.hal.has[HAL_PERIOD] = self.hal.has[HAL_GYRO] = self.hal.has[HAL_ACCEL] = true;
    for (unsigned i = 0; i < HY_WIRE_DIOS; i++) {
        self.refs[i] = (hy_halsim_ref){ &self, i };
    }
    hy_os_lock_init(&self.lock);
    hy_halsim_init_inputs(&self);
    hy_halsim_follow_inputs(&self);
    hy_peer_init(&self.peer, &hy_dialect_xrp, 500000);
}

static void change_encoder(uint8_t slot, hal_notify *call, bool is_true)
{
    const hal_value value = { .data.as_bool = is_true, .type = HAL_TYPE_BOOLEAN };
    first_channel[slot % SLOTS] = slot / SLOTS - 2;
    call("", params[slot % SLOTS], &value);
}

static void change_gyro(uint8_t how)
{
    static const char *const names[HANDLES] = { "rate_x",  "rate_y",  "rate_z",
                                                "angle_x", "angle_y", "angle_z" };
    if (how % 8 == 7) {
        hy_halsim_gyro_freed(&self, 9);
    } else if (how % 8 == 6) {
        hy_halsim_gyro_created(&self, "Gyro:fuzz", 9);
    } else if (how >= 128 && on_gyro_reset != NULL) {
        on_gyro_reset(names[how % 8], &self, how % 8 + 1, HAL_DIRECTION_INPUT, NULL);
    } else if (on_gyro_value != NULL) {
        on_gyro_value(names[how % 8], &self, how % 8 + 1, HAL_DIRECTION_INPUT, NULL);
    }
}

static void take_status(hy_bytes datagram, int64_t now_us)
{
    static const hy_endpoint robot = { .ip = { [10] = 0xff, 0xff, 127, 0, 0, 1 }, .port = 3540 };
    hy_wire_status status;
    hy_peer_set_addresses(&self.peer, &robot, 1);
    const unsigned news = hy_peer_take(&self.peer, &robot, datagram, now_us, &status);
    if (news != 0) {
        hy_halsim_apply(&self, &status, (news & HY_PEER_RESTARTED) != 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    start_program();
    int64_t now_us = 1000000;
    for (size_t at = 0; size - at >= 2;) {
        const uint8_t what = data[at], more = data[at + 1];
        at += 2;
        now_us += what / 4 * 10000;
        switch (what % 4) {
        case 0: change_encoder(more, on_initialized, (what & 4) != 0); break;
        case 1: change_encoder(more, on_reset, (what & 4) != 0); break;
        case 2: change_gyro(more); break;
        default: {
            const size_t length = more < size - at ? more : size - at;
            take_status((hy_bytes){ data + at, length }, now_us);
            at += length;
        }
        }
    }
    return 0;
}
