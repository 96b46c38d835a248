// The session with a robot under test: sending, listening, judging.
#include "conform.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "probe.h"
#include "system/system_sockets.h"
#include "system/system_threads.h"

#define PROGRESS_US      100000
#define MOVES_COUNTS     6
#define STEADY_WINDOW_US 300000
#define STOP_COPIES      6

// --------------------------------------------------------------------------- what a status says

static void note_bad_value(conform_session *self, const char *what, double value)
{
    self->survey.bad_values++;
    snprintf(self->survey.bad_value, sizeof self->survey.bad_value, "%s is %g", what, value);
}

#define NOT_MEASURED_V \
    (-1.0) // what the XRP's firmware sends for an analog input without a sensor, or before it has measured

// Values that no robot measures: NaN and infinity, volts outside of 0..5, a period over a clock of 0 ticks a second.
static void check_values(conform_session *self, const hy_wire_status *status)
{
    for (unsigned i = 0; i < HY_WIRE_ANALOGS; i++) {
        const double volts = (double)status->analog_v[i];
        if ((status->analogs >> i & 1) != 0 && !(volts >= 0.0 && volts <= 5.0) &&
            volts != NOT_MEASURED_V) {
            note_bad_value(self, "an analog input", volts);
        }
    }
    for (unsigned i = 0; i < 3; i++) {
        if (status->has_gyro && !isfinite(status->gyro_rate_dps[i] + status->gyro_angle_deg[i])) {
            note_bad_value(self, "the gyro", (double)status->gyro_angle_deg[i]);
        }
        if (status->has_accel && !isfinite(status->accel_g[i])) {
            note_bad_value(self, "the accelerometer", (double)status->accel_g[i]);
        }
    }
    for (unsigned i = 0; i < HY_WIRE_ENCODERS; i++) {
        const hy_wire_encoder *const encoder = &status->encoder[i];
        if ((status->encoders >> i & 1) == 0) {
            continue;
        }
        self->survey.with_period += encoder->has_period;
        self->survey.without_period += !encoder->has_period;
        if (encoder->has_period && encoder->period_den == 0) {
            note_bad_value(self, "the clock of an encoder's period", 0.0);
        }
    }
}

static bool has_all_blocks(const hy_dialect *dialect, const hy_wire_status *status)
{
    const bool has_accel = dialect->tag[HY_WIRE_ACCEL] == 0 || status->has_accel;
    return status->encoders == (1u << dialect->encoders) - 1 && (status->dios & 1) != 0 &&
           status->analogs != 0 && status->has_gyro && has_accel;
}

static void check_number(conform_session *self, uint16_t seq, int64_t at_us)
{
    conform_survey *const survey = &self->survey;
    if (survey->statuses == 0) {
        survey->first_us = survey->last_us = at_us;
        return;
    }
    const uint16_t before = self->history[(self->count - 1) % CONFORM_HISTORY].status.seq;
    const uint16_t ahead = (uint16_t)(seq - before);
    if (ahead == 0) {
        survey->repeated++;
    } else if (ahead < 0x8000) {
        survey->lost += ahead - 1u;
        survey->numbers += ahead;
        survey->last_us = at_us;
    } else if (seq < 64) {
        survey->restarts++; // it counts from the beginning again
    } else {
        survey->backwards++;
    }
}

static void take_status(conform_session *self, const hy_datagram *datagram)
{
    conform_survey *const survey = &self->survey;
    hy_wire_status status;
    const hy_wire_report report = self->dialect->status_decode(datagram->bytes, &status);
    const size_t size = datagram->bytes.size;
    survey->malformed += report.error != HY_WIRE_WELL_FORMED;
    survey->unknown += report.unknown + (uint64_t)report.too_short;
    if (report.error == HY_WIRE_NO_HEADER) {
        return;
    }
    check_number(self, status.seq, datagram->at_us);
    check_values(self, &status);
    survey->missing_blocks += !has_all_blocks(self->dialect, &status);
    survey->least_size =
        survey->statuses == 0 || size < survey->least_size ? size : survey->least_size;
    survey->most_size = size > survey->most_size ? size : survey->most_size;
    survey->statuses++;
    self->history[self->count % CONFORM_HISTORY] = (conform_status){ status, datagram->at_us };
    self->count++;
}

void conform_survey_start(conform_session *self)
{
    self->survey = (conform_survey){ 0 };
}

// --------------------------------------------------------------------------- listening

static void receive_statuses(conform_session *self)
{
    hy_datagram batch[HY_LINK_BATCH];
    size_t count = hy_link_receive(&self->owner, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        take_status(self, &batch[i]);
    }
    if (self->stranger.is_open) {
        self->stranger_count += hy_link_receive(&self->stranger, batch, HY_LINK_BATCH);
    }
}

static void report_progress(conform_session *self, int64_t now_us)
{
    const hy_conform_options *const options = self->options;
    if (options->progress == NULL || self->result == NULL) {
        return;
    }
    if (now_us / PROGRESS_US != self->pumped_us / PROGRESS_US) {
        self->is_over = self->is_over || options->progress(options->context, self->result->test,
                                                           self->index, self->test_count);
    }
}

// Takes in what comes until `until_us`; early if the caller has ended the run.
static void pump(conform_session *self, int64_t until_us)
{
    for (;;) {
        const int64_t now_us = hy_clock_now_us();
        const int64_t pause_us = now_us - self->pumped_us - CONFORM_COMMAND_US;
        self->held_us = pause_us > self->held_us ? pause_us : self->held_us;
        report_progress(self, now_us);
        self->pumped_us = now_us;
        receive_statuses(self);
        if (now_us >= until_us || self->is_over) {
            return;
        }
        const int64_t wait_us = until_us - now_us;
        (void)hy_wait_to_read(hy_link_descriptor(&self->owner),
                              self->stranger.is_open ? hy_link_descriptor(&self->stranger) : -1,
                              wait_us < CONFORM_COMMAND_US ? wait_us : CONFORM_COMMAND_US);
    }
}

void conform_listen(conform_session *self, int64_t duration_us)
{
    pump(self, hy_clock_now_us() + duration_us);
}

// --------------------------------------------------------------------------- sending

void conform_send_bytes(conform_session *self, hy_link *from, hy_bytes bytes)
{
    // Without motion, and once the caller has ended the run, no packet may enable. That is checked where bytes leave, so that no test
    // can forget it.
    if ((!self->options->allow_motion || self->is_over) && bytes.size >= HY_WIRE_HEADER_SIZE &&
        bytes.data[2] == HY_WIRE_CONTROL_ENABLED) {
        return;
    }
    (void)hy_link_send(from, &self->address, bytes); // what is lost looks like loss on the air
}

hy_block_writer conform_write(conform_session *self, hy_room room, uint8_t control)
{
    return hy_block_write_begin(room, ++self->seq, control);
}

void conform_send(conform_session *self, hy_link *from, uint16_t seq, conform_command command)
{
    uint8_t bytes[HY_WIRE_COMMAND_MAX];
    hy_block_writer writer =
        hy_block_write_begin((hy_room){ bytes, sizeof bytes }, seq, command.control);
    for (uint8_t motor = 0; motor < self->dialect->motors && !isnan(command.effort); motor++) {
        const bool is_driven = (self->motors >> motor & 1) != 0;
        const hy_wire_value value = { .kind = HY_WIRE_MOTOR,
                                      .id = motor,
                                      .value = is_driven ? command.effort : 0.0F };
        hy_block_write_value(&writer, self->dialect, &value);
    }
    conform_send_bytes(self, from, (hy_bytes){ bytes, writer.size });
}

void conform_command_for(conform_session *self, conform_command command, int64_t duration_us)
{
    const int64_t end_us = hy_clock_now_us() + duration_us;
    for (int64_t due_us = hy_clock_now_us(); due_us < end_us && !self->is_over;
         due_us += CONFORM_COMMAND_US) {
        pump(self, due_us);
        conform_send(self, &self->owner, ++self->seq, command);
    }
    pump(self, end_us);
}

void conform_rest(conform_session *self)
{
    conform_command_for(self, (conform_command){ 0, 0.0F }, 300000);
}

void conform_stop(conform_session *self)
{
    for (int i = 0; i < STOP_COPIES; i++) {
        conform_send(self, &self->owner, ++self->seq, (conform_command){ 0, 0.0F });
        hy_time_sleep(CONFORM_COMMAND_US);
    }
}

void conform_reopen(conform_session *self)
{
    hy_link_close(&self->stranger);
    conform_listen(self, CONFORM_SILENCE_US);
    if (self->is_over) { // the silence was cut short: only stops from the address that drove count now
        return;
    }
    hy_link fresh = { 0 };
    if (hy_link_open_to(&fresh, &self->address) == HY_OK) { // else the old one, which counts on
        hy_link_close(&self->owner);
        self->owner = fresh;
        self->seq = 0;
    }
    self->stranger_count = 0;
}

bool conform_open_stranger(conform_session *self)
{
    self->stranger_count = 0;
    return self->stranger.is_open || hy_link_open_to(&self->stranger, &self->address) == HY_OK;
}

// --------------------------------------------------------------------------- what the wheel does

int32_t conform_encoder_count(const conform_session *self)
{
    return self->count == 0
               ? 0
               : self->history[(self->count - 1) % CONFORM_HISTORY].status.encoder[self->encoder].count;
}

double conform_rate(const conform_session *self, int64_t window_us)
{
    if (self->count == 0) {
        return NAN;
    }
    const conform_status *const newest = &self->history[(self->count - 1) % CONFORM_HISTORY];
    const conform_status *oldest = newest;
    for (size_t back = 2; back <= self->count && back <= CONFORM_HISTORY; back++) {
        const conform_status *const at = &self->history[(self->count - back) % CONFORM_HISTORY];
        if (newest->at_us - at->at_us > window_us) {
            break;
        }
        oldest = at;
    }
    const int64_t span_us = newest->at_us - oldest->at_us;
    const uint32_t turned = (uint32_t)newest->status.encoder[self->encoder].count -
                            (uint32_t)oldest->status.encoder[self->encoder].count;
    return span_us > 0 ? (double)(int32_t)turned * 1e6 / (double)span_us : NAN;
}

double conform_drive_steadily(conform_session *self)
{
    const conform_command ahead = { HY_WIRE_CONTROL_ENABLED, self->effort };
    conform_command_for(self, ahead, 200000 + STEADY_WINDOW_US);
    const double rate = conform_rate(self, STEADY_WINDOW_US);
    return rate > 0.0 ? rate : 0.0;
}

bool conform_moves(conform_session *self, conform_command command, int64_t limit_us)
{
    const uint32_t before = (uint32_t)conform_encoder_count(self);
    for (int64_t spent_us = 0; spent_us < limit_us && !self->is_over; spent_us += CONFORM_COMMAND_US) {
        conform_command_for(self, command, CONFORM_COMMAND_US);
        if ((int32_t)((uint32_t)conform_encoder_count(self) - before) >= MOVES_COUNTS) {
            return true;
        }
    }
    return false;
}

// --------------------------------------------------------------------------- judging

bool conform_check(conform_session *self, bool is_good, const char *format, ...)
{
    if (self->result->verdict != HY_CONFORM_PASSED) {
        return is_good;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(self->result->came, sizeof self->result->came, format, arguments);
    va_end(arguments);
    if (!is_good) {
        self->result->verdict = HY_CONFORM_FAILED;
    }
    return is_good;
}

void conform_skip(conform_session *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(self->result->came, sizeof self->result->came, format, arguments);
    va_end(arguments);
    self->result->verdict = HY_CONFORM_NOT_TESTED;
}
