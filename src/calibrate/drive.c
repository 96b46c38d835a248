// The script as the devices of a robot program, which keep what they were told and what they commanded.

#include <halyard/robots.h>

#include <math.h>
#include <string.h>

#include "calibrate.h"

// --------------------------------------------------------------------------- the recording

void hy_calibration_add_command(hy_calibration_log *log, int64_t at_us, const double effort[2])
{
    const size_t count = log->command_count;
    const double *const last = count > 0 ? log->commands[count - 1].effort : NULL;
    if (last != NULL && last[0] == effort[0] && last[1] == effort[1]) {
        return;
    }
    if (count == HY_CALIBRATION_LOG) {
        log->is_full = true;
        return;
    }
    log->commands[log->command_count++] = (hy_calibration_command){ at_us, { effort[0], effort[1] } };
}

// The way from one reading of a counter that wraps to the next.
static int32_t counted(int32_t from, int32_t to)
{
    return (int32_t)((uint32_t)to - (uint32_t)from);
}

void hy_calibration_add_status(hy_calibration_log *log, int64_t at_us, const hy_readings *readings)
{
    const unsigned wheels = 3; // encoders 0 and 1
    const double yaw_rad = hy_rad_from_deg((double)readings->gyro_angle_deg[2]);
    if ((readings->encoders & wheels) != wheels || !readings->has_gyro || !isfinite(yaw_rad)) {
        return;
    }
    if (log->status_count == HY_CALIBRATION_LOG) {
        log->is_full = true;
        return;
    }
    hy_calibration_status *const now = &log->statuses[log->status_count];
    *now = (hy_calibration_status){ .at_us = at_us };
    for (size_t side = 0; side < 2; side++) {
        now->counts[side] = readings->encoder[side].count;
    }
    now->yaw_rad = yaw_rad;
    if (log->status_count > 0) {
        const hy_calibration_status *const last = now - 1;
        for (size_t side = 0; side < 2; side++) {
            const int32_t before = (int32_t)(uint32_t)(int64_t)last->counts[side];
            now->counts[side] = last->counts[side] + counted(before, readings->encoder[side].count);
        }
        now->yaw_rad = last->yaw_rad + hy_wrap_angle(yaw_rad - last->yaw_rad);
    }
    log->status_count++;
}

// --------------------------------------------------------------------------- the devices

static void init(void *devices)
{
    hy_calibration_drive *const self = devices;
    *self = (hy_calibration_drive){ .log = self->log };
}

static void update(void *devices, const hy_readings *readings, int64_t now_us)
{
    const hy_calibration_drive *const self = devices;
    if (self->is_running) {
        hy_calibration_add_status(self->log, now_us, readings);
    }
}

static void outputs(void *devices, hy_outputs *out, int64_t now_us)
{
    hy_calibration_drive *const self = devices;
    *out = (hy_outputs){ .motors = 3 };
    if (!self->is_running) {
        return;
    }
    double effort[2];
    self->piece = hy_calibration_efforts((double)(now_us - self->begin_us) * 1e-6, effort);
    hy_calibration_add_command(self->log, now_us, effort);
    out->motor[0] = (float)effort[0];
    out->motor[1] = (float)-effort[1]; // it is mounted the other way round
    if (self->piece == NULL) {
        self->is_running = false;
        self->is_done = true;
    }
}

static void rebase(void *devices)
{
    ((hy_calibration_drive *)devices)->is_running = false; // its counts began again
}

static void stop(void *devices, int64_t now_us)
{
    (void)now_us;
    ((hy_calibration_drive *)devices)->is_running = false;
}

void hy_calibration_begin(void *drive, int64_t now_us)
{
    hy_calibration_drive *const self = drive;
    self->log->command_count = self->log->status_count = 0;
    self->is_running = true;
    self->is_done = false;
    self->begin_us = now_us;
}

const hy_device_class hy_calibration_devices = {
    .button_dio = 0,
    .led_dio = 1,
    .init = init,
    .update = update,
    .outputs = outputs,
    .rebase = rebase,
    .stop = stop,
};
