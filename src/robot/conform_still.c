// The tests that move nothing: every packet has control 0.
#include "conform.h"

#include <inttypes.h>
#include <string.h>

#include "probe.h"

#define SURVEY_US      2000000
#define RATE_TOLERANCE 0.1
#define MTU_PAYLOAD    1472 // bytes of the longest UDP datagram that Ethernet carries in one piece
#define LONG_DATAGRAM  9000

static const conform_command disabled = { 0, 0.0F };

// --------------------------------------------------------------------------- statuses

static void test_statuses_come(conform_session *self)
{
    conform_command_for(self, disabled, SURVEY_US);
    const conform_survey *const s = &self->survey;
    conform_check(self, s->statuses >= 2 && s->malformed == 0 && s->unknown == 0,
                  "%" PRIu64 " statuses of %zu to %zu bytes, %" PRIu64 " malformed, %" PRIu64
                  " blocks of an unknown kind",
                  s->statuses, s->least_size, s->most_size, s->malformed, s->unknown);
}

static void test_status_numbers(conform_session *self)
{
    conform_command_for(self, disabled, SURVEY_US);
    const conform_survey *const s = &self->survey;
    conform_check(self, s->numbers > 0 && s->repeated == 0 && s->backwards == 0 && s->restarts == 0,
                  "%" PRIu64 " statuses: %" PRIu64 " numbers missing (lost on the way), %" PRIu64
                  " repeated, %" PRIu64 " falling, %" PRIu64 " restarts",
                  s->statuses, s->lost, s->repeated, s->backwards, s->restarts);
}

static void test_status_rate(conform_session *self)
{
    conform_command_for(self, disabled, SURVEY_US);
    const conform_survey *const s = &self->survey;
    const double span_s = (double)(s->last_us - s->first_us) * 1e-6;
    const double rate_hz = span_s > 0.0 ? (double)s->numbers / span_s : 0.0;
    const double wanted_hz = 1e6 / (double)self->status_period_us;
    conform_check(self, fabs(rate_hz - wanted_hz) <= RATE_TOLERANCE * wanted_hz,
                  "%.1f statuses a second (by their numbers); wanted are %.0f", rate_hz, wanted_hz);
}

static void test_status_blocks(conform_session *self)
{
    conform_command_for(self, disabled, 500000);
    const hy_wire_status *const status = &self->history[(self->count - 1) % CONFORM_HISTORY].status;
    conform_check(self, self->survey.statuses > 0 && self->survey.missing_blocks == 0,
                  "%" PRIu64 " of %" PRIu64
                  " statuses lack a block; the last has encoders %02x, digital "
                  "inputs %x, analogs %02x, gyro %s, accelerometer %s",
                  self->survey.missing_blocks, self->survey.statuses, (unsigned)status->encoders,
                  (unsigned)status->dios, (unsigned)status->analogs,
                  status->has_gyro ? "yes" : "no", status->has_accel ? "yes" : "no");
}

static void test_status_values(conform_session *self)
{
    conform_command_for(self, disabled, 500000);
    conform_check(self, self->survey.statuses > 0 && self->survey.bad_values == 0,
                  self->survey.bad_values > 0 ? "%s"
                                              : "%sall values of %" PRIu64 " statuses are in range",
                  self->survey.bad_value, self->survey.statuses);
}

static void test_encoder_form(conform_session *self)
{
    conform_command_for(self, disabled, 500000);
    const conform_survey *const s = &self->survey;
    const bool is_one_form = (s->with_period == 0) != (s->without_period == 0);
    conform_check(self, is_one_form,
                  is_one_form && s->with_period > 0 ? "count and period (firmware 1.1.0 or newer)"
                  : is_one_form                     ? "count only (firmware 1.0.1 or older)"
                                                    : "both forms, or no encoder at all");
}

// --------------------------------------------------------------------------- who gets the statuses

static void test_probe_is_answered(conform_session *self)
{
    conform_reopen(self);
    const size_t before = self->count;
    for (int i = 0; i < 5 && self->count == before; i++) { // one may be lost
        conform_send_bytes(self, &self->owner, HY_ROBOT_PROBE);
        conform_listen(self, 200000);
    }
    const size_t came = self->count - before;
    conform_check(self, came > 0, "%zu status%s came within a second", came, came == 1 ? "" : "es");
}

// The owner says nothing for 200 ms, so that the statuses of that time show whose the stream is.
static void judge_stream(conform_session *self, hy_bytes foreign)
{
    conform_reopen(self);
    if (!conform_open_stranger(self)) {
        conform_skip(self, "the system refused a second socket");
        return;
    }
    conform_command_for(self, disabled, 300000);
    conform_send_bytes(self, &self->stranger, foreign);
    conform_survey_start(self);
    const size_t before = self->count;
    conform_listen(self, 6 * self->status_period_us < 200000 ? 200000 : 4 * self->status_period_us);
    const size_t own = self->count - before;
    conform_check(self, own >= 2 && self->stranger_count <= 1,
                  "%zu statuses came to the owner, %zu to the other sender", own,
                  self->stranger_count);
}

static void test_probe_leaves_the_stream(conform_session *self)
{
    judge_stream(self, HY_ROBOT_PROBE);
}

static void test_strangers_command_leaves_the_stream(conform_session *self)
{
    static const uint8_t command[] = { 0x40, 0x00, 0 }; // number 16384, disabled, no blocks
    judge_stream(self, (hy_bytes){ command, sizeof command });
}

// --------------------------------------------------------------------------- malformed packets

// Sends bytes behind a header with control 0, then looks whether the robot goes on as before.
static void survives(conform_session *self, const char *name, hy_bytes blocks)
{
    static uint8_t packet[HY_WIRE_HEADER_SIZE + LONG_DATAGRAM];
    if (self->result->verdict == HY_CONFORM_FAILED || self->is_over) {
        return;
    }
    conform_survey_start(self);
    const uint16_t number = ++self->seq;
    packet[0] = (uint8_t)(number >> 8);
    packet[1] = (uint8_t)number;
    packet[2] = 0;
    memcpy(packet + HY_WIRE_HEADER_SIZE, blocks.data, blocks.size);
    conform_send_bytes(self, &self->owner, (hy_bytes){ packet, HY_WIRE_HEADER_SIZE + blocks.size });
    conform_command_for(self, disabled, 8 * self->status_period_us);
    conform_check(self, self->survey.statuses > 0, "after %s no status came for %.1f s", name,
                  8e-6 * (double)self->status_period_us);
    conform_check(self, self->survey.restarts == 0, "after %s the robot started again", name);
}

static void test_malformed_packets(conform_session *self)
{
    static uint8_t zeros[LONG_DATAGRAM], noise[MTU_PAYLOAD - HY_WIRE_HEADER_SIZE];
    hy_random random = hy_random_seeded(1);
    for (size_t i = 0; i < sizeof noise; i++) {
        noise[i] = (uint8_t)hy_random_bits(&random);
    }
#define SURVIVES(name, ...) \
    survives(               \
        self, name,         \
        (hy_bytes){ (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }) })
    survives(self, "a header alone", (hy_bytes){ zeros, 0 });
    SURVIVES("a block that promises more than there is", 0x06, 0x12, 0x01);
    SURVIVES("a size byte alone", 0x06);
    SURVIVES("a size of 255", 0xff);
    SURVIVES("a size of 255 with a motor's tag", 0xff, 0x12, 0x00, 0, 0, 0, 0);
    SURVIVES("size 0 at the end", 0x06, 0x12, 0x00, 0, 0, 0, 0, 0x00);
    SURVIVES("a motor block that is too short", 0x02, 0x12, 0x00);
    SURVIVES("a block without payload", 0x01, 0x12);
    SURVIVES("an unknown tag", 0x03, 0x7f, 0x01, 0x02);
    SURVIVES("a motor that does not exist", 0x06, 0x12, 0xc8, 0, 0, 0, 0);
#undef SURVIVES
    survives(self, "1,472 random bytes", (hy_bytes){ noise, sizeof noise });
    survives(self, "1,472 zeros", (hy_bytes){ zeros, sizeof noise });
    survives(self, "9,000 zeros", (hy_bytes){ zeros, sizeof zeros });
    if (self->result->verdict == HY_CONFORM_PASSED) {
        conform_check(self, true, "statuses went on, with rising numbers, after each of 13 packets");
    }
}

// --------------------------------------------------------------------------- the list

const conform_entry conform_still_tests[] = {
    { { .id = "status.framing",
        .title = "Every status is well formed",
        .sent = "disabled commands, 50 a second for 2 s",
        .expected = "statuses whose blocks end where the datagram ends, all of known kinds",
        .why = "A client reads wrong values, or reads past the end of its buffer." },
      test_statuses_come },
    { { .id = "status.number",
        .title = "Each status has the next number",
        .sent = "disabled commands, 50 a second for 2 s",
        .expected = "numbers that rise by 1, none twice",
        .why = "A client cannot tell new statuses from old ones; WPILib ignores repeated and "
               "falling numbers." },
      test_status_numbers },
    { { .id = "status.rate",
        .title = "Statuses come at the rate of the specification",
        .sent = "disabled commands, 50 a second for 2 s",
        .expected = "20 statuses a second (XRP) or 50 (Teensy), within 10 %",
        .why = "Control loops act on old readings; clients take the robot for lost." },
      test_status_rate },
    { { .id = "status.blocks",
        .title = "Every status has all encoders, digital input 0, an analog input, the gyro and "
                 "the accelerometer (XRP)",
        .sent = "disabled commands for 0.5 s",
        .expected = "all blocks of the dialect in each status",
        .why = "Robot code sees a sensor that never changes." },
      test_status_blocks },
    { { .id = "status.values",
        .title = "No value is NaN, infinite or out of its range",
        .sent = "disabled commands for 0.5 s",
        .expected = "analog inputs of 0 to 5 V or -1 V (no sensor), finite rates, angles and "
                    "accelerations, an encoder "
                    "clock above 0",
        .why = "One NaN spoils a filter or an odometry for good." },
      test_status_values },
    { { .id = "encoder.form",
        .title = "All encoder blocks have the same form",
        .sent = "disabled commands for 0.5 s",
        .expected = "blocks with count and period, or all with the count alone",
        .why = "Clients decide by the form whether rates are known." },
      test_encoder_form },
    { { .id = "probe.answer",
        .title = "A datagram of one byte is answered by a status",
        .sent = "one byte, five times at most",
        .expected = "a status within a second",
        .why = "Programs that look for robots do not find this one." },
      test_probe_is_answered },
    { { .id = "stream.probe",
        .title = "A probe does not take the statuses from the program that drives",
        .sent = "disabled commands; then one byte from another port, and 200 ms of silence",
        .expected = "the statuses of these 200 ms come to the program, at most one to the prober",
        .why = "Whoever looks for robots interrupts somebody else's drive.",
        .known = "the stock XRP firmware, up to 2.1.0, sends its statuses to the last sender" },
      test_probe_leaves_the_stream },
    { { .id = "stream.stranger",
        .title = "Another program's command does not take the statuses",
        .sent =
            "disabled commands; then a disabled command from another port, and 200 ms of silence",
        .expected = "the statuses of these 200 ms come to the first program",
        .why = "A second student's program blinds the first one.",
        .known = "the stock XRP firmware, up to 2.1.0, sends its statuses to the last sender" },
      test_strangers_command_leaves_the_stream },
    { { .id = "malformed.survive",
        .title = "Malformed packets neither stop nor restart the robot",
        .sent = "13 malformed, very long and empty packets, all with control 0",
        .expected = "statuses go on with rising numbers after each",
        .why = "Any computer in the network can take the robot out of service." },
      test_malformed_packets },
    { { .id = NULL }, NULL },
};
