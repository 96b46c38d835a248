// Recordings as log files (WPILOG), with the channels of every robot program's recording.
#include <halyard/telemetry.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibrate.h"

#define CLOSEST_US 15000 // statuses come every 50 ms
#define LONGEST_US 240000000
#define LATEST_US  ((uint64_t)1 << 50)

// --------------------------------------------------------------------------- channels

// What of a recording is used.
enum {
    MOTORS,
    ENABLED,
    ENCODERS,
    ANGLE,
    AGE,
    CHANNELS,
};

static const struct {
    const char *name, *type, *unit;
} channels[CHANNELS] = {
    [MOTORS] = { "/Robot/Motors", "double[]", NULL },
    [ENABLED] = { "/Robot/Enabled", "boolean", NULL },
    [ENCODERS] = { "/Robot/Sensors/Encoders", "double[]", "counts" },
    [ANGLE] = { "/Robot/Sensors/GyroAngle", "double[]", "rad" },
    [AGE] = { "/Robot/Link/StatusAge", "double", "s" },
};

// --------------------------------------------------------------------------- writing

static hy_channel declare(hy_telemetry *to, size_t which, hy_channel_kind kind)
{
    return hy_telemetry_declare(to, &(hy_channel_spec){ .name = channels[which].name,
                                                        .kind = kind,
                                                        .unit = channels[which].unit });
}

void hy_calibration_publish(const hy_calibration_log *log, hy_telemetry *to)
{
    const hy_channel motors = declare(to, MOTORS, HY_CHANNEL_DOUBLE_ARRAY),
                     encoders = declare(to, ENCODERS, HY_CHANNEL_DOUBLE_ARRAY),
                     angle = declare(to, ANGLE, HY_CHANNEL_DOUBLE_ARRAY),
                     age = declare(to, AGE, HY_CHANNEL_DOUBLE);
    const hy_calibration_command *command = log->commands, *const last = command + log->command_count;
    const hy_calibration_status *status = log->statuses, *const newest = status + log->status_count;
    int64_t begin_us = log->command_count > 0 ? command->at_us : 0;
    if (log->status_count > 0 && (log->command_count == 0 || status->at_us < begin_us)) {
        begin_us = status->at_us;
    }
    while (command != last || status != newest) {
        if (status == newest || (command != last && command->at_us <= status->at_us)) {
            hy_telemetry_set_time(to, (uint64_t)(command->at_us - begin_us));
            hy_telemetry_put_doubles(to, motors,
                                     (const double[]){ command->effort[0], -command->effort[1] }, 2);
            command++;
        } else {
            hy_telemetry_set_time(to, (uint64_t)(status->at_us - begin_us));
            hy_telemetry_put_doubles(to, encoders, status->counts, 2);
            hy_telemetry_put_doubles(to, angle, (const double[]){ 0, 0, status->yaw_rad }, 3);
            hy_telemetry_put_double(to, age, 0);
            status++;
        }
    }
}

// --------------------------------------------------------------------------- reading

typedef struct {
    hy_calibration_log *log;
    hy_wpilog_times times;
    uint32_t entry[CHANNELS];
    bool is_known[CHANNELS]; // it has an entry
    bool has_value[CHANNELS];
    int64_t at_us;         // of the values that follow
    bool is_new[CHANNELS]; // at that time
    bool is_disabled;
    int64_t begin_us; // -1: nothing has come
    double counts[2], yaw_rad, age_s, effort[2];
} log_reading;

static double double_at(hy_bytes value, size_t index)
{
    uint64_t bits = 0;
    double number;
    for (size_t i = 0; i < 8; i++) {
        bits |= (uint64_t)value.data[8 * index + i] << 8 * i;
    }
    memcpy(&number, &bits, sizeof number);
    return isfinite(number) ? number : 0;
}

// A status: not the one before again, which a program publishes as often as it loops. One that is new may have come in the
// same moment as the one before, after a pause of the network.
static void take_status(log_reading *self)
{
    hy_calibration_log *const log = self->log;
    const double age_s = hy_clamp(self->age_s, 0, 10, 0);
    const int64_t at_us = self->at_us - (int64_t)(age_s * 1e6);
    const hy_calibration_status *const last =
        log->status_count > 0 ? &log->statuses[log->status_count - 1] : NULL;
    const bool is_same = last != NULL && last->counts[0] == self->counts[0] &&
                         last->counts[1] == self->counts[1] &&
                         fabs(hy_wrap_angle(last->yaw_rad - self->yaw_rad)) < 1e-9;
    if (is_same && age_s > 0 && at_us < last->at_us + CLOSEST_US) {
        return;
    }
    if (log->status_count == HY_CALIBRATION_LOG) {
        log->is_full = true;
        return;
    }
    const double turns = last != NULL ? round((last->yaw_rad - self->yaw_rad) / (2 * HY_PI)) : 0;
    log->statuses[log->status_count++] = (hy_calibration_status){
        at_us, { self->counts[0], self->counts[1] }, self->yaw_rad + turns * 2 * HY_PI
    };
}

// What was recorded at one time is complete.
static void take_moment(log_reading *self)
{
    static const double nothing[2] = { 0, 0 };
    if (self->is_new[MOTORS] || (self->is_new[ENABLED] && self->has_value[MOTORS])) {
        hy_calibration_add_command(self->log, self->at_us,
                                   self->is_disabled ? nothing : self->effort);
    }
    memset(self->is_new, 0, sizeof self->is_new);
}

static void take_value(log_reading *self, size_t which, hy_bytes value)
{
    static const size_t least[CHANNELS] = {
        [MOTORS] = 16, [ENABLED] = 1, [ENCODERS] = 16, [ANGLE] = 24, [AGE] = 8
    };
    if (value.size < least[which]) {
        return;
    }
    self->is_new[which] = self->has_value[which] = true;
    switch (which) {
    case MOTORS:
        self->effort[0] = hy_clamp(double_at(value, 0), -1, 1, 0);
        self->effort[1] = hy_clamp(-double_at(value, 1), -1, 1, 0);
        break;
    case ENABLED: self->is_disabled = value.data[0] == 0; break;
    case ENCODERS:
        self->counts[0] = hy_clamp(double_at(value, 0), -1e9, 1e9, 0);
        self->counts[1] = hy_clamp(double_at(value, 1), -1e9, 1e9, 0);
        break;
    case ANGLE: self->yaw_rad = hy_clamp(double_at(value, 2), -1e6, 1e6, 0); break;
    default:
        self->age_s = double_at(value, 0);
        if (self->is_new[ENCODERS] && self->is_new[ANGLE]) {
            take_status(self);
            self->is_new[ENCODERS] = self->is_new[ANGLE] = false;
        }
        break;
    }
}

// The channel that begins, in a file: "NT:/Robot/Motors". CHANNELS: another.
static size_t find_channel(const hy_wpilog_record *start)
{
    const size_t head = strlen("NT:");
    if (start->name.size < head || memcmp(start->name.data, "NT:", head) != 0) {
        return CHANNELS;
    }
    const hy_bytes name = { start->name.data + head, start->name.size - head };
    size_t which = 0;
    while (which < CHANNELS && !(hy_wpilog_text_is(name, channels[which].name) &&
                                 hy_wpilog_text_is(start->type, channels[which].type))) {
        which++;
    }
    return which;
}

static void take_record(log_reading *self, const hy_wpilog_record *record)
{
    if (record->kind == HY_WPILOG_START) {
        const size_t which = find_channel(record);
        if (which != CHANNELS && !self->is_known[which]) {
            self->is_known[which] = true;
            self->entry[which] = record->entry;
        }
        return;
    }
    const bool is_usable = record->kind == HY_WPILOG_VALUE && record->at_us < LATEST_US &&
                           !hy_wpilog_is_outlier(&self->times, record->at_us) &&
                           (int64_t)record->at_us >= self->at_us;
    for (size_t i = 0; is_usable && i < CHANNELS; i++) {
        if (self->is_known[i] && self->entry[i] == record->entry) {
            if ((int64_t)record->at_us != self->at_us) {
                take_moment(self);
                self->at_us = (int64_t)record->at_us;
            }
            self->begin_us = self->begin_us >= 0 ? self->begin_us : self->at_us;
            if (self->at_us - self->begin_us <= LONGEST_US) {
                take_value(self, i, record->value);
            } else {
                self->log->is_full = true;
            }
        }
    }
}

hy_status hy_calibration_read(hy_bytes file, hy_calibration_log *log, const char **missing)
{
    log_reading reading = { .log = log, .times = hy_wpilog_find_times(file), .begin_us = -1 };
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    *log = (hy_calibration_log){ .command_count = 0 };
    *missing = NULL;
    if (hy_wpilog_reader_init(&reader, file) != HY_OK) {
        (void)snprintf(log->damage, sizeof log->damage, "%s", reader.damage);
        return HY_EFORMAT;
    }
    while (hy_wpilog_next(&reader, &record)) {
        take_record(&reading, &record);
    }
    take_moment(&reading);
    hy_wpilog_describe_damage(&reader, log->damage, sizeof log->damage);
    hy_wpilog_describe_outliers(&reading.times, file, log->damage, sizeof log->damage);
    static const size_t needed[] = { MOTORS, ENCODERS, ANGLE, AGE };
    for (size_t i = 0; i < sizeof needed / sizeof needed[0] && *missing == NULL; i++) {
        *missing = reading.has_value[needed[i]] ? NULL : channels[needed[i]].name;
    }
    return *missing == NULL ? HY_OK : HY_ERANGE;
}
