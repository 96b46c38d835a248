// The tests that move the robot. Each begins at rest, and the session ends each with silence.
#include "conform.h"

#include <inttypes.h>
#include <string.h>

#define STANDS_COUNTS 3 // a wheel at rest may creep by so many
#define STOPPED_SHARE \
    0.25 // of the rate while driving: slower than this has stopped, or coasts to a stop
#define SETTLE_US 300000 // in which a wheel stops that is not braked
#define WINDOW_US 160000 // in which a rate is measured: at least three statuses of an XRP

static const conform_command disabled = { 0, 0.0F };
static const conform_command enabled_at_rest = { HY_WIRE_CONTROL_ENABLED, 0.0F };

static conform_command ahead(const conform_session *self)
{
    return (conform_command){ HY_WIRE_CONTROL_ENABLED, self->effort };
}

static int32_t turned_since(const conform_session *self, int32_t count)
{
    return (int32_t)((uint32_t)conform_encoder_count(self) - (uint32_t)count);
}

// Drives until the wheel turns steadily. False, and the test has failed, if it does not turn.
static bool drive_wheel(conform_session *self, double *rate)
{
    conform_rest(self);
    *rate = conform_drive_steadily(self);
    return conform_check(self, *rate > 0.0,
                         "the wheel does not turn at an effort of %.2f; is the robot's power on?",
                         (double)self->effort);
}

// Whether the wheel has stopped: its rate in the newest statuses against that while driving.
static void expect_stopped(conform_session *self, double driven)
{
    const double rate = conform_rate(self, WINDOW_US);
    conform_check(self, rate == rate && rate < STOPPED_SHARE * driven,
                  "%.0f counts/s, after %.0f while driving", rate, driven);
}

static void expect_turning(conform_session *self, double driven)
{
    const double rate = conform_rate(self, WINDOW_US);
    conform_check(self, rate >= 0.5 * driven, "%.0f counts/s, after %.0f while driving", rate,
                  driven);
}

// Whether the wheel stands for `duration_us` while `command` is sent.
static void expect_standing(conform_session *self, conform_command command, int64_t duration_us)
{
    const int32_t before = conform_encoder_count(self);
    conform_command_for(self, command, duration_us);
    const int32_t turned = turned_since(self, before);
    conform_check(self, turned <= STANDS_COUNTS && turned >= -STANDS_COUNTS,
                  "turned by %" PRId32 " counts", turned);
}

// Whether the wheel turns within `limit_us` of sending `command`. `when` completes the sentence that the wheel turns.
static void expect_moves(conform_session *self, conform_command command, int64_t limit_us,
                         const char *when)
{
    const bool moves = conform_moves(self, command, limit_us);
    conform_check(self, moves, "the wheel %s %s", moves ? "turns" : "does not turn", when);
}

// --------------------------------------------------------------------------- enable and disable

static void test_enabled_robot_moves(conform_session *self)
{
    double rate;
    if (drive_wheel(self, &rate)) {
        conform_check(self, true, "%.0f counts/s at an effort of %.2f", rate, (double)self->effort);
    }
}

static void test_disable_stops(conform_session *self)
{
    double rate;
    if (drive_wheel(self, &rate)) {
        conform_command_for(self, disabled, SETTLE_US + WINDOW_US);
        expect_stopped(self, rate);
    }
}

static void test_disabled_robot_stands(conform_session *self)
{
    conform_rest(self);
    expect_standing(self, (conform_command){ 0, self->effort }, 500000);
}

static void test_only_one_enables(conform_session *self)
{
    static const uint8_t controls[] = { 2, 3, 0x81, 0xff };
    for (size_t i = 0; i < sizeof controls; i++) {
        conform_rest(self);
        expect_standing(self, (conform_command){ controls[i], self->effort }, 300000);
    }
}

static void test_nothing_comes_back(conform_session *self)
{
    double rate;
    if (drive_wheel(self, &rate)) {
        conform_rest(self);
        expect_standing(self, (conform_command){ HY_WIRE_CONTROL_ENABLED, CONFORM_NO_EFFORT },
                        500000);
    }
}

static void test_enabling_packet_counts(conform_session *self)
{
    conform_rest(self);
    const int32_t before = conform_encoder_count(self);
    conform_send(self, &self->owner, ++self->seq, ahead(self));
    conform_command_for(self, (conform_command){ HY_WIRE_CONTROL_ENABLED, CONFORM_NO_EFFORT },
                        400000);
    conform_check(self, turned_since(self, before) > STANDS_COUNTS, "turned by %" PRId32 " counts",
                  turned_since(self, before));
}

static void test_missing_block_keeps_the_output(conform_session *self)
{
    double rate;
    if (drive_wheel(self, &rate)) {
        conform_command_for(self, (conform_command){ HY_WIRE_CONTROL_ENABLED, CONFORM_NO_EFFORT },
                            800000);
        expect_turning(self, rate);
    }
}

// --------------------------------------------------------------------------- the watchdog

static void test_watchdog(conform_session *self)
{
    double rate;
    if (!drive_wheel(self, &rate)) {
        return;
    }
    const int64_t last_us = hy_clock_now_us();
    conform_send(self, &self->owner, ++self->seq, ahead(self));
    conform_listen(self, 350000);
    expect_turning(self, rate); // a short gap in the air must not stop it
    conform_listen(self, last_us + CONFORM_WATCHDOG_US + SETTLE_US + WINDOW_US - hy_clock_now_us());
    expect_stopped(self, rate);
}

// --------------------------------------------------------------------------- sequence numbers

static void test_duplicates(conform_session *self)
{
    conform_rest(self);
    conform_command_for(self, enabled_at_rest, 200000);
    const int32_t before = conform_encoder_count(self);
    for (int i = 0; i < 15; i++) {
        conform_send(self, &self->owner, ++self->seq, enabled_at_rest);
        conform_send(self, &self->owner, self->seq, ahead(self)); // the same number again
        conform_listen(self, CONFORM_COMMAND_US);
    }
    conform_check(self, turned_since(self, before) <= STANDS_COUNTS, "turned by %" PRId32 " counts",
                  turned_since(self, before));
}

static void test_late_commands(conform_session *self)
{
    conform_rest(self);
    self->seq = (uint16_t)(self->seq + 100);
    conform_command_for(self, enabled_at_rest, 200000);
    const int32_t before = conform_encoder_count(self);
    for (int i = 0; i < 15; i++) {
        conform_send(self, &self->owner, ++self->seq, enabled_at_rest);
        conform_send(self, &self->owner, (uint16_t)(self->seq - 5), ahead(self));
        conform_listen(self, CONFORM_COMMAND_US);
    }
    conform_check(self, turned_since(self, before) <= STANDS_COUNTS, "turned by %" PRId32 " counts",
                  turned_since(self, before));
}

static void test_gap_in_the_numbers(conform_session *self)
{
    conform_rest(self);
    conform_command_for(self, enabled_at_rest, 100000);
    self->seq = (uint16_t)(self->seq + 1000);
    conform_check(self, conform_moves(self, ahead(self), 400000), "turned by %" PRId32 " counts",
                  turned_since(self, 0));
}

// A few commands on the way to each number: half of the numbers ahead is the most that modular order takes.
static void count_up_to(conform_session *self, uint16_t number)
{
    while (self->seq < number && !self->is_over) {
        self->seq = (uint16_t)(number - self->seq > 20000 ? self->seq + 20000 : number);
        conform_send(self, &self->owner, self->seq, disabled);
        conform_listen(self, CONFORM_COMMAND_US);
    }
}

static void test_wrap(conform_session *self)
{
    double rate;
    conform_rest(self);
    count_up_to(self, 65500);
    rate = conform_drive_steadily(self); // 25 commands: up to 65525
    if (!conform_check(self, rate > 0.0, "the wheel does not turn before the wrap")) {
        return;
    }
    conform_command_for(self, ahead(self), 300000); // 15 commands: over 65535 to 4
    conform_command_for(self, enabled_at_rest, SETTLE_US + WINDOW_US);
    expect_stopped(self, rate);
}

static void test_first_number_zero(conform_session *self)
{
    conform_reopen(self); // a port that has sent nothing yet
    const int32_t before = conform_encoder_count(self);
    for (int i = 0; i < 3; i++) { // the same datagram: two may be lost, and one is enough
        conform_send(self, &self->owner, 0, ahead(self));
    }
    conform_listen(self, 400000);
    conform_check(self, turned_since(self, before) > STANDS_COUNTS, "turned by %" PRId32 " counts",
                  turned_since(self, before));
}

static void test_restarted_client(conform_session *self)
{
    conform_rest(self);
    self->seq = 3000;
    conform_command_for(self, disabled, 300000);
    conform_listen(self, CONFORM_SILENCE_US);
    self->seq = 0;
    conform_command_for(self, disabled,
                        200000); // as WPILib's extension begins: disabled, from small numbers
    expect_moves(self, ahead(self), 900000, "1.1 s after its first command");
}

static void test_stop_of_any_number(conform_session *self)
{
    double rate;
    conform_rest(self);
    self->seq = (uint16_t)(self->seq + 1000);
    if (!drive_wheel(self, &rate)) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        conform_send(self, &self->owner, (uint16_t)(self->seq - 500), disabled);
        conform_listen(self, CONFORM_COMMAND_US);
    }
    conform_listen(self, SETTLE_US + WINDOW_US - 3 * CONFORM_COMMAND_US);
    expect_stopped(self, rate);
}

// --------------------------------------------------------------------------- other senders

static void test_stranger_does_not_drive(conform_session *self)
{
    conform_rest(self);
    if (!conform_open_stranger(self)) {
        conform_skip(self, "the system refused a second socket");
        return;
    }
    conform_command_for(self, enabled_at_rest, 200000);
    const int32_t before = conform_encoder_count(self);
    for (uint16_t i = 0; i < 15; i++) {
        conform_send(self, &self->owner, ++self->seq, enabled_at_rest);
        conform_send(self, &self->stranger, (uint16_t)(self->seq + 1000 + i), ahead(self));
        conform_listen(self, CONFORM_COMMAND_US);
    }
    // A robot that sends its statuses to the last sender tells us only now how far it has turned.
    conform_command_for(self, disabled, SETTLE_US);
    conform_check(self, turned_since(self, before) <= STANDS_COUNTS, "turned by %" PRId32 " counts",
                  turned_since(self, before));
}

static void test_stray_65535(conform_session *self)
{
    conform_rest(self);
    if (!conform_open_stranger(self)) {
        conform_skip(self, "the system refused a second socket");
        return;
    }
    conform_command_for(self, enabled_at_rest, 200000);
    for (int i = 0; i < 3; i++) {
        conform_send(self, &self->stranger, 65535, disabled);
    }
    conform_listen(self, CONFORM_COMMAND_US);
    expect_moves(self, ahead(self), 300000, "by the program's own commands of 0.3 s");
}

// --------------------------------------------------------------------------- blocks

// The stock firmware reads on behind a datagram, in what earlier ones left there. Zeros behind efforts of 0 make that harmless.
static void clear_receive_buffer(conform_session *self)
{
    uint8_t bytes[1024] = { 0 };
    hy_block_writer writer = conform_write(self, (hy_room){ bytes, sizeof bytes }, 0);
    for (uint8_t motor = 0; motor < self->dialect->motors; motor++) {
        const hy_wire_value value = { .kind = HY_WIRE_MOTOR, .id = motor };
        hy_block_write_value(&writer, self->dialect, &value);
    }
    conform_send_bytes(self, &self->owner,
                       (hy_bytes){ bytes, sizeof bytes }); // the zeros behind are padding
    conform_listen(self, CONFORM_COMMAND_US);
}

// Sends one packet with control 1 whose blocks are `before`, then the test's effort for all driven motors, then `after`.
static void send_between(conform_session *self, hy_bytes before, float effort, hy_bytes after)
{
    uint8_t bytes[HY_WIRE_COMMAND_MAX + 64];
    hy_block_writer writer =
        conform_write(self, (hy_room){ bytes, sizeof bytes }, HY_WIRE_CONTROL_ENABLED);
    memcpy(bytes + writer.size, before.data, before.size);
    writer.size += before.size;
    for (uint8_t motor = 0; motor < self->dialect->motors && !isnan(effort); motor++) {
        const bool is_driven = (self->motors >> motor & 1) != 0;
        const hy_wire_value value = { .kind = HY_WIRE_MOTOR,
                                      .id = motor,
                                      .value = is_driven ? effort : 0.0F };
        hy_block_write_value(&writer, self->dialect, &value);
    }
    memcpy(bytes + writer.size, after.data, after.size);
    conform_send_bytes(self, &self->owner, (hy_bytes){ bytes, writer.size + after.size });
}

// Sends such packets 50 times a second and expects the wheel to turn.
static void expect_obeyed(conform_session *self, hy_bytes before)
{
    conform_rest(self);
    clear_receive_buffer(self);
    const int32_t start = conform_encoder_count(self);
    for (int i = 0; i < 20; i++) {
        send_between(self, before, self->effort, (hy_bytes){ (const uint8_t *)"", 0 });
        conform_listen(self, CONFORM_COMMAND_US);
    }
    conform_check(self, turned_since(self, start) > STANDS_COUNTS, "turned by %" PRId32 " counts",
                  turned_since(self, start));
}

static void test_cut_block(conform_session *self)
{
    conform_rest(self);
    clear_receive_buffer(self);
    const double rate = conform_drive_steadily(self);
    if (!conform_check(self, rate > 0.0, "the wheel does not turn")) {
        return;
    }
    // Of the first driven motor's block only the head is there. A receiver that reads on finds what is left of the clearing
    // datagram, effort 0, and stops the motor.
    const uint8_t tag = self->dialect->tag[HY_WIRE_MOTOR];
    uint8_t motor = 0;
    while ((self->motors >> motor & 1) == 0) {
        motor++;
    }
    const uint8_t head[] = { 0x06, tag, motor };
    for (int i = 0; i < 20; i++) {
        uint8_t cleared[256] = { 0 }; // padding only: overwrites what the driving commands left behind
        conform_write(self, (hy_room){ cleared, sizeof cleared }, HY_WIRE_CONTROL_ENABLED);
        conform_send_bytes(self, &self->owner, (hy_bytes){ cleared, sizeof cleared });
        uint8_t cut[16];
        const hy_block_writer writer =
            conform_write(self, (hy_room){ cut, sizeof cut }, HY_WIRE_CONTROL_ENABLED);
        memcpy(cut + writer.size, head, sizeof head);
        conform_send_bytes(self, &self->owner, (hy_bytes){ cut, writer.size + sizeof head });
        conform_listen(self, CONFORM_COMMAND_US);
    }
    expect_turning(self, rate);
}

static void test_padding(conform_session *self)
{
    static const uint8_t padding[] = { 0, 0, 0 };
    expect_obeyed(self, (hy_bytes){ padding, sizeof padding });
}

static void test_unknown_blocks(conform_session *self)
{
    static const uint8_t blocks[] = { 0x03, 0x7f, 0x01, 0x02, 0x01, 0x7e };
    expect_obeyed(self, (hy_bytes){ blocks, sizeof blocks });
}

static void test_short_block(conform_session *self)
{
    const uint8_t block[] = { 0x03, self->dialect->tag[HY_WIRE_MOTOR], 0x00, 0x3f };
    expect_obeyed(self, (hy_bytes){ block, sizeof block });
}

static void test_last_block_wins(conform_session *self)
{
    uint8_t blocks[64];
    hy_block_writer writer = { .room = { blocks, sizeof blocks } };
    for (uint8_t motor = 0; motor < self->dialect->motors && motor < 2; motor++) {
        const hy_wire_value value = { .kind = HY_WIRE_MOTOR, .id = motor, .value = -self->effort };
        hy_block_write_value(&writer, self->dialect, &value);
    }
    expect_obeyed(self, (hy_bytes){ blocks, writer.size });
}

// --------------------------------------------------------------------------- values

static void expect_effort_stops(conform_session *self, const uint8_t effort[4])
{
    double rate;
    if (!drive_wheel(self, &rate)) {
        return;
    }
    uint8_t blocks[8 * 7];
    size_t size = 0;
    for (uint8_t motor = 0; motor < self->dialect->motors; motor++) {
        const uint8_t head[] = { 0x06, self->dialect->tag[HY_WIRE_MOTOR], motor };
        memcpy(blocks + size, head, sizeof head);
        memcpy(blocks + size + sizeof head, effort, 4);
        size += sizeof head + 4;
    }
    const int64_t start_us = hy_clock_now_us();
    while (hy_clock_now_us() - start_us < SETTLE_US + WINDOW_US && !self->is_over) {
        send_between(self, (hy_bytes){ blocks, size }, CONFORM_NO_EFFORT, (hy_bytes){ blocks, 0 });
        conform_listen(self, CONFORM_COMMAND_US);
    }
    expect_stopped(self, rate);
}

static void test_nan_stops(conform_session *self)
{
    expect_effort_stops(self, (const uint8_t[4]){ 0x7f, 0xc0, 0, 0 });
}

static void test_infinity_stops(conform_session *self)
{
    expect_effort_stops(self, (const uint8_t[4]){ 0x7f, 0x80, 0, 0 });
}

static void test_large_effort_is_limited(conform_session *self)
{
    conform_rest(self);
    expect_moves(self, (conform_command){ HY_WIRE_CONTROL_ENABLED, 1e7F }, 300000,
                 "at an effort of 10,000,000");
}

static void test_direction(conform_session *self)
{
    double rate;
    if (!drive_wheel(self, &rate)) {
        return;
    }
    conform_rest(self);
    const int32_t before = conform_encoder_count(self);
    conform_command_for(self, (conform_command){ HY_WIRE_CONTROL_ENABLED, -self->effort }, 400000);
    conform_check(self, turned_since(self, before) < -STANDS_COUNTS,
                  "%.0f counts/s ahead; with the effort negated it turned by %" PRId32 " counts",
                  rate, turned_since(self, before));
}

static void test_period(conform_session *self)
{
    double rate;
    if (!drive_wheel(self, &rate)) {
        return;
    }
    const hy_wire_encoder *const encoder =
        &self->history[(self->count - 1) % CONFORM_HISTORY].status.encoder[self->encoder];
    if (!encoder->has_period) {
        conform_skip(self, "this robot sends no periods");
        return;
    }
    float by_period = 0.0F;
    hy_wire_encoder_rate(encoder, &by_period);
    conform_check(self, fabs((double)by_period - rate) <= 0.25 * rate,
                  "%.0f counts/s by the period, %.0f by the counts", (double)by_period, rate);
}

// --------------------------------------------------------------------------- the list

#define STOCK "the stock XRP firmware, up to 2.1.0, "

// clang-format off
const conform_entry conform_motion_tests[] = {
    { { .id = "enable.moves", .needs_motion = true,
        .title = "An enabled robot drives the motors that are commanded",
        .sent = "control 1 and an effort, 50 times a second for 0.5 s",
        .expected = "the encoder rises",
        .why = "The robot does not drive, or a motor and its encoder are not wired to the same channel." }, test_enabled_robot_moves },
    { { .id = "enable.direction", .needs_motion = true,
        .title = "A negative effort turns the wheel the other way",
        .sent = "an effort, a stop, the same effort negated",
        .expected = "the encoder rises, then falls",
        .why = "Every controller that closes a loop runs away." }, test_direction },
    { { .id = "enable.edge", .needs_motion = true,
        .title = "The packet that enables counts itself",
        .sent = "disabled commands; one packet with control 1 and an effort; then control 1 without motor blocks",
        .expected = "the wheel turns",
        .why = "The first command of a drive is lost." }, test_enabling_packet_counts },
    { { .id = "enable.nothing-returns", .needs_motion = true,
        .title = "Nothing that was commanded before a stop comes back",
        .sent = "an effort, a stop, then control 1 without motor blocks",
        .expected = "the wheel stands",
        .why = "A robot that is enabled again drives away by itself." }, test_nothing_comes_back },
    { { .id = "enable.missing-block", .needs_motion = true,
        .title = "A motor that is not named in a command goes on",
        .sent = "an effort, then control 1 without motor blocks for 0.8 s",
        .expected = "the wheel turns on",
        .why = "Clients that send only what changed stutter." }, test_missing_block_keeps_the_output },
    { { .id = "disable.stops", .needs_motion = true,
        .title = "Control 0 stops the robot",
        .sent = "an effort for 0.5 s, then control 0",
        .expected = "the wheel has stopped 0.3 s later",
        .why = "Disable does not stop the robot." }, test_disable_stops },
    { { .id = "disable.stands", .needs_motion = true,
        .title = "Efforts in a disabled command move nothing",
        .sent = "control 0 with an effort for 0.5 s",
        .expected = "the wheel stands",
        .why = "A disabled robot drives." }, test_disabled_robot_stands },
    { { .id = "disable.control-values", .needs_motion = true,
        .title = "Only control 1 enables",
        .sent = "an effort with control 2, 3, 0x81 and 0xff",
        .expected = "the wheel stands",
        .why = "A damaged packet enables the robot." }, test_only_one_enables },
    { { .id = "watchdog", .needs_motion = true,
        .title = "Silence stops the robot after 500 ms, and not before 350 ms",
        .sent = "an effort for 0.5 s, then nothing",
        .expected = "the wheel turns 350 ms after the last command and has stopped 800 ms after it",
        .why = "A robot whose program crashed, or whose Wi-Fi is gone, drives on." }, test_watchdog },
    { { .id = "stop.any-number", .needs_motion = true,
        .title = "A stop of the program that drives counts whatever its number",
        .sent = "an effort; then control 0 with a number 500 lower, three times",
        .expected = "the wheel has stopped 0.3 s later",
        .why = "One forged or misnumbered packet makes the robot refuse every later stop.",
        .known = STOCK "refuses it" }, test_stop_of_any_number },
    { { .id = "sequence.duplicate", .needs_motion = true,
        .title = "A number that came already is not obeyed again",
        .sent = "commands at rest, each followed by an effort with the same number",
        .expected = "the wheel stands",
        .why = "A repeated datagram brings back an old command." }, test_duplicates },
    { { .id = "sequence.late", .needs_motion = true,
        .title = "A command that was overtaken is not obeyed",
        .sent = "commands at rest, each followed by an effort with a number 5 lower",
        .expected = "the wheel stands",
        .why = "Delayed datagrams make the robot jerk." }, test_late_commands },
    { { .id = "sequence.gap", .needs_motion = true,
        .title = "A command is obeyed after a gap of 1,000 numbers",
        .sent = "commands at rest, then an effort with numbers 1,000 higher",
        .expected = "the wheel turns",
        .why = "The robot is lost after an outage." }, test_gap_in_the_numbers },
    { { .id = "sequence.wrap", .needs_motion = true,
        .title = "Numbers go from 65535 to 0 without a gap",
        .sent = "an effort with numbers up to 65535 and on from 0; then efforts of 0",
        .expected = "the wheel has stopped 0.3 s after the first effort of 0",
        .why = "Every 22 minutes the robot drives on for half a second with its last command, then stops.",
        .known = STOCK "refuses 0 and all that follows for 500 ms (issue 42 of its repository)" }, test_wrap },
    { { .id = "sequence.zero", .needs_motion = true,
        .title = "A first command with number 0 is obeyed",
        .sent = "after a silence an effort with number 0, three times",
        .expected = "the wheel turns",
        .why = "The first command of WPILib's extension is lost.",
        .known = STOCK "never obeys number 0" }, test_first_number_zero },
    { { .id = "sequence.restart", .needs_motion = true,
        .title = "A client that starts again is obeyed",
        .sent = "commands up to number 3,000; 0.65 s of silence; disabled commands from 1 on, then an effort",
        .expected = "the wheel turns within 1.1 s of the first of them",
        .why = "A restarted program cannot drive." }, test_restarted_client },
    { { .id = "owner.drives-alone", .needs_motion = true,
        .title = "Another sender does not drive the robot",
        .sent = "commands at rest, and an effort with higher numbers from another port",
        .expected = "the wheel stands",
        .why = "A second student's program moves a robot that somebody is holding.",
        .known = STOCK "obeys everybody whose number is higher" }, test_stranger_does_not_drive },
    { { .id = "owner.not-locked-out", .needs_motion = true,
        .title = "Another sender cannot lock the driving program out",
        .sent = "commands at rest; number 65535 with control 0 from another port; then an effort",
        .expected = "the wheel turns within 0.3 s",
        .why = "A stray datagram takes the robot from its program for half a second.",
        .known = STOCK "is locked by 65535 from anybody for 500 ms" }, test_stray_65535 },
    { { .id = "malformed.cut-block", .needs_motion = true,
        .title = "A block that is cut moves nothing",
        .sent = "an effort; then commands that end after the head of a motor block",
        .expected = "the wheel turns on",
        .why = "The robot executes bytes that were not sent: those of earlier packets.",
        .known = STOCK "reads on in what earlier datagrams left in its buffer" }, test_cut_block },
    { { .id = "block.padding", .needs_motion = true,
        .title = "Bytes of 0 between blocks are skipped",
        .sent = "three zeros, then motor blocks",
        .expected = "the wheel turns",
        .why = "Clients that pad their packets are not obeyed." }, test_padding },
    { { .id = "block.unknown", .needs_motion = true,
        .title = "Blocks of unknown kinds are skipped",
        .sent = "two blocks with unknown tags, then motor blocks",
        .expected = "the wheel turns",
        .why = "Newer clients cannot drive this robot." }, test_unknown_blocks },
    { { .id = "block.short", .needs_motion = true,
        .title = "A motor block that is too short is skipped",
        .sent = "a motor block with one byte of its effort, then motor blocks",
        .expected = "the wheel turns",
        .why = "One damaged block costs the whole packet." }, test_short_block },
    { { .id = "block.last-wins", .needs_motion = true,
        .title = "Of two blocks for one motor the later one counts",
        .sent = "motor blocks with the effort negated, then with the effort",
        .expected = "the encoder rises",
        .why = "Clients that append corrections drive the wrong way." }, test_last_block_wins },
    { { .id = "value.nan", .needs_motion = true,
        .title = "An effort that is not a number stops the motor",
        .sent = "an effort, then NaN",
        .expected = "the wheel stops",
        .why = "A division by zero in robot code drives the robot." }, test_nan_stops },
    { { .id = "value.infinite", .needs_motion = true,
        .title = "An infinite effort stops the motor",
        .sent = "an effort, then infinity",
        .expected = "the wheel stops",
        .why = "A division by zero in robot code drives the robot." }, test_infinity_stops },
    { { .id = "value.limit", .needs_motion = true,
        .title = "An effort above 1 is full effort",
        .sent = "an effort of 10,000,000",
        .expected = "the wheel turns",
        .why = "A controller that saturates stops the robot, or turns it around.",
        .known = STOCK "computes with overflow: from 1,052,690 on the motor may stand" }, test_large_effort_is_limited },
    { { .id = "encoder.period", .needs_motion = true,
        .title = "An encoder's period agrees with its counts",
        .sent = "an effort for 0.5 s",
        .expected = "the rate from the period within 25 % of the rate from the counts",
        .why = "Speed controllers regulate to a wrong speed." }, test_period },
    { { .id = NULL }, NULL },
};
// clang-format on
