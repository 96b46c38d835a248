#include "wire_checks.h"

#include <stdlib.h>
#include <string.h>

#define TOKEN_MAX 1024

typedef struct {
    hy_wire_command command;
    hy_wire_status status;
    hy_wire_report report;
    uint8_t bytes[HY_WIRE_STATUS_MAX];
    size_t size;
    bool has_bytes; // else the datagram itself
    const char *problem;
} expectation;

static int hex_value(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

size_t wire_bytes_from_hex(const char *text, hy_room room)
{
    size_t size = 0;
    while (size < room.size) {
        const int high = hex_value(text[2 * size]);
        const int low = high < 0 ? -1 : hex_value(text[2 * size + 1]);
        if (low < 0) {
            break;
        }
        room.data[size++] = (uint8_t)(high << 4 | low);
    }
    return size;
}

// --------------------------------------------------------------------------- reading the fields

/// "motor12=..." is called `name`, and `*index` becomes 12.
static bool is_field(const char *token, const char *name, unsigned limit, unsigned *index)
{
    const size_t length = strlen(name);
    char *end;
    if (strncmp(token, name, length) != 0 || token[length] < '0' || token[length] > '9') {
        return false;
    }
    *index = (unsigned)strtoul(token + length, &end, 10);
    return *end == '=' && *index < limit;
}

static void read_floats(const char *text, float *out, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char *end;
        out[i] = strtof(text, &end);
        text = *end == ',' ? end + 1 : end;
    }
}

static hy_wire_encoder read_encoder(const char *text)
{
    char *end;
    hy_wire_encoder encoder = { .count = (int32_t)strtol(text, &end, 10) };
    if (*end == '/') {
        encoder.has_period = true;
        encoder.period_num = (uint32_t)strtoul(end + 1, &end, 10);
        encoder.period_den = (uint32_t)strtoul(end + 1, NULL, 10);
    }
    return encoder;
}

static void expect_dio(unsigned id, bool is_high, uint32_t *dios, uint32_t *levels)
{
    *dios |= UINT32_C(1) << id;
    *levels |= (uint32_t)is_high << id;
}

static bool read_channel(const char *token, const char *value, expectation *out)
{
    unsigned i;
    if (is_field(token, "motor", HY_WIRE_MOTORS, &i)) {
        out->command.motors = (uint8_t)(out->command.motors | 1U << i);
        read_floats(value, &out->command.motor[i], 1);
    } else if (is_field(token, "servo", HY_WIRE_SERVOS, &i)) {
        out->command.servos = (uint8_t)(out->command.servos | 1U << i);
        read_floats(value, &out->command.servo[i], 1);
    } else if (is_field(token, "analog", HY_WIRE_ANALOGS, &i)) {
        out->status.analogs = (uint8_t)(out->status.analogs | 1U << i);
        read_floats(value, &out->status.analog_v[i], 1);
    } else if (is_field(token, "encoder", HY_WIRE_ENCODERS, &i)) {
        out->status.encoders = (uint8_t)(out->status.encoders | 1U << i);
        out->status.encoder[i] = read_encoder(value);
    } else if (is_field(token, "dio", HY_WIRE_DIOS, &i)) {
        expect_dio(i, *value == '1', &out->command.dios, &out->command.dio_levels);
        expect_dio(i, *value == '1', &out->status.dios, &out->status.dio_levels);
    } else {
        return false;
    }
    return true;
}

static bool read_axes(const char *token, const char *value, hy_wire_status *out)
{
    if (strncmp(token, "gyro=", 5) == 0) {
        float axes[6];
        read_floats(value, axes, 6);
        memcpy(out->gyro_rate_dps, axes, sizeof out->gyro_rate_dps);
        memcpy(out->gyro_angle_deg, axes + 3, sizeof out->gyro_angle_deg);
        out->has_gyro = true;
        return true;
    }
    if (strncmp(token, "accel=", 6) == 0) {
        read_floats(value, out->accel_g, 3);
        out->has_accel = true;
        return true;
    }
    return false;
}

static bool read_report(const char *token, const char *value, hy_wire_report *out)
{
    const unsigned long number = strtoul(value, NULL, 10);
    if (strncmp(token, "unknown=", 8) == 0) {
        out->unknown = (uint16_t)number;
    } else if (strncmp(token, "short=", 6) == 0) {
        out->too_short = (uint16_t)number;
    } else if (strncmp(token, "cut=", 4) == 0) {
        out->error = HY_WIRE_CUT_BLOCK;
        out->error_at = number;
    } else if (strcmp(token, "error=header") == 0) {
        out->error = HY_WIRE_NO_HEADER;
    } else {
        return false;
    }
    return true;
}

static bool read_packet(const char *token, const char *value, expectation *out)
{
    const unsigned long number = strtoul(value, NULL, 10);
    if (strncmp(token, "seq=", 4) == 0) {
        out->command.seq = out->status.seq = (uint16_t)number;
    } else if (strncmp(token, "control=", 8) == 0) {
        out->command.control = out->status.control = (uint8_t)number;
    } else if (strncmp(token, "encodes=", 8) == 0) {
        out->size = wire_bytes_from_hex(value, (hy_room){ out->bytes, sizeof out->bytes });
        out->has_bytes = true;
    } else {
        return false;
    }
    return true;
}

static void read_fields(const char *fields, expectation *out)
{
    static char copy[TOKEN_MAX];
    memset(out, 0, sizeof *out);
    if (strlen(fields) >= sizeof copy) {
        out->problem = "the fields are longer than this test can read";
        return;
    }
    strcpy(copy, fields);
    for (char *token = strtok(copy, " "); token != NULL; token = strtok(NULL, " ")) {
        const char *const equals = strchr(token, '=');
        const char *const value = equals == NULL ? "" : equals + 1;
        if (!read_packet(token, value, out) && !read_report(token, value, &out->report) &&
            !read_channel(token, value, out) && !read_axes(token, value, &out->status)) {
            out->problem = "the fields hold one that this test does not know";
        }
    }
}

// --------------------------------------------------------------------------- comparing

static bool floats_equal(const float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const bool both_nan = a[i] != a[i] && b[i] != b[i];
        if (!both_nan && memcmp(&a[i], &b[i], sizeof a[i]) != 0) { // -0 is not 0 here
            return false;
        }
    }
    return true;
}

static const char *compare_reports(const hy_wire_report *a, const hy_wire_report *b)
{
    return a->error != b->error           ? "report.error"
           : a->error_at != b->error_at   ? "report.error_at"
           : a->unknown != b->unknown     ? "report.unknown"
           : a->too_short != b->too_short ? "report.too_short"
                                          : NULL;
}

static const char *compare_commands(const hy_wire_command *a, const hy_wire_command *b)
{
    return a->seq != b->seq                                    ? "seq"
           : a->control != b->control                          ? "control"
           : a->motors != b->motors                            ? "motors"
           : a->servos != b->servos                            ? "servos"
           : a->dios != b->dios                                ? "dios"
           : a->dio_levels != b->dio_levels                    ? "dio_levels"
           : !floats_equal(a->motor, b->motor, HY_WIRE_MOTORS) ? "motor[]"
           : !floats_equal(a->servo, b->servo, HY_WIRE_SERVOS) ? "servo[]"
                                                               : NULL;
}

static bool encoders_equal(const hy_wire_encoder *a, const hy_wire_encoder *b)
{
    for (unsigned i = 0; i < HY_WIRE_ENCODERS; i++) {
        if (a[i].count != b[i].count || a[i].has_period != b[i].has_period ||
            a[i].period_num != b[i].period_num || a[i].period_den != b[i].period_den) {
            return false;
        }
    }
    return true;
}

static const char *compare_statuses(const hy_wire_status *a, const hy_wire_status *b)
{
    return a->seq != b->seq                                           ? "seq"
           : a->control != b->control                                 ? "control"
           : a->encoders != b->encoders                               ? "encoders"
           : a->analogs != b->analogs                                 ? "analogs"
           : a->dios != b->dios                                       ? "dios"
           : a->dio_levels != b->dio_levels                           ? "dio_levels"
           : a->has_gyro != b->has_gyro                               ? "has_gyro"
           : a->has_accel != b->has_accel                             ? "has_accel"
           : !encoders_equal(a->encoder, b->encoder)                  ? "encoder[]"
           : !floats_equal(a->analog_v, b->analog_v, HY_WIRE_ANALOGS) ? "analog_v[]"
           : !floats_equal(a->gyro_rate_dps, b->gyro_rate_dps, 3)     ? "gyro_rate_dps[]"
           : !floats_equal(a->gyro_angle_deg, b->gyro_angle_deg, 3)   ? "gyro_angle_deg[]"
           : !floats_equal(a->accel_g, b->accel_g, 3)                 ? "accel_g[]"
                                                                      : NULL;
}

static const char *compare_bytes(const expectation *expected, hy_bytes datagram, hy_bytes encoded)
{
    const hy_bytes wanted =
        expected->has_bytes ? (hy_bytes){ expected->bytes, expected->size } : datagram;
    if (encoded.size != wanted.size) {
        return "the size of what it encodes to";
    }
    return memcmp(encoded.data, wanted.data, wanted.size) != 0 ? "the bytes that it encodes to"
                                                               : NULL;
}

const char *wire_check_command(const hy_dialect *dialect, hy_bytes datagram, const char *fields)
{
    static expectation expected;
    hy_wire_command command;
    uint8_t bytes[HY_WIRE_COMMAND_MAX];
    read_fields(fields, &expected);
    const hy_wire_report report = dialect->command_decode(datagram, &command);
    const size_t size = dialect->command_encode(&command, (hy_room){ bytes, sizeof bytes });
    const char *wrong = expected.problem;
    wrong = wrong != NULL ? wrong : compare_reports(&report, &expected.report);
    wrong = wrong != NULL ? wrong : compare_commands(&command, &expected.command);
    wrong = wrong != NULL ? wrong : compare_bytes(&expected, datagram, (hy_bytes){ bytes, size });
    if (wrong == NULL && dialect->command_encode(&command, (hy_room){ bytes, size - 1 }) != 0) {
        wrong = "it encodes into too little room";
    }
    return wrong;
}

const char *wire_check_status(const hy_dialect *dialect, hy_bytes datagram, const char *fields)
{
    static expectation expected;
    hy_wire_status status;
    uint8_t bytes[HY_WIRE_STATUS_MAX];
    read_fields(fields, &expected);
    const hy_wire_report report = dialect->status_decode(datagram, &status);
    const size_t size = dialect->status_encode(&status, (hy_room){ bytes, sizeof bytes });
    const char *wrong = expected.problem;
    wrong = wrong != NULL ? wrong : compare_reports(&report, &expected.report);
    wrong = wrong != NULL ? wrong : compare_statuses(&status, &expected.status);
    wrong = wrong != NULL ? wrong : compare_bytes(&expected, datagram, (hy_bytes){ bytes, size });
    if (wrong == NULL && dialect->status_encode(&status, (hy_room){ bytes, size - 1 }) != 0) {
        wrong = "it encodes into too little room";
    }
    return wrong;
}
