// A check as logic: what to ask when, and what the answers tell.
#include "check.h"

#include <halyard/robot.h>

#include <string.h>

#include "probe.h"

// While finding out how the robot deals with somebody who asks:
#define ROUNDS       6
#define ROUND_PROBES 3 // together: a board that answers gives two of them the same number
// To the next round. It shifts against the 50 ms of an XRP, so that one of the rounds comes right before a status: only
// such a one is answered by a robot whose owner takes its stream back within 20 ms.
#define ROUND_US        308000
#define ROUND_ANSWER_US 300000 // after such an answer: a stream would have shown itself by then
#define LATE_ENOUGH     2      // so many late statuses are a stream

// While measuring:
#define ANSWER_LIMIT_US 250000 // a probe without an answer by then is lost
#define PROBE_US        50000  // no more often than a robot sends statuses
#define PROBE_BESIDE_US 200000 // beside a stream of our own
#define ASK_AGAIN_US \
    540000 // a stream that has stopped for so long is asked for again (shifted as well) ...
#define ASK_AGAIN_LIMIT  4 // ... so many times: its owner may be back
#define SAMPLES_A_SECOND 100

const char *hy_robot_manner_text(hy_robot_manner manner)
{
    switch (manner) {
#define MANNER_TEXT(name, text) \
    case name: return text;
        HY_ROBOT_MANNER_MAP(MANNER_TEXT)
#undef MANNER_TEXT
    }
    return "unknown";
}

size_t hy_robot_check_room(int64_t duration_us)
{
    return 2 * ((size_t)(duration_us / 1000000) + 1) * SAMPLES_A_SECOND; // intervals and round trips
}

static void add_sample(hy_robot_samples *samples, int64_t value_us)
{
    if (samples->count < samples->room) {
        samples->values_us[samples->count++] = value_us;
    }
}

void hy_robot_check_start(hy_robot_check *self, const hy_robot_check_options *options,
                          hy_robot_samples memory, int64_t now_us)
{
    const size_t half = memory.room / 2;
    *self = (hy_robot_check){
        .options = *options,
        .report = { .age_us = INT64_MAX },
        .end_us = now_us + ROUNDS * ROUND_US,
        .round_due_us = now_us,
        .probed_us = INT64_MIN,
        .first_us = INT64_MIN,
        .last_us = INT64_MIN,
        .asked_again_us = INT64_MIN,
        .intervals = { memory.values_us, half, 0 },
        .round_trips = { half > 0 ? memory.values_us + half : NULL, half, 0 },
    };
}

// --------------------------------------------------------------------------- what is sent

static bool ask_probe(hy_robot_question *out)
{
    out->data[0] = HY_ROBOT_PROBE.data[0];
    out->size = HY_ROBOT_PROBE.size;
    out->is_probe = true;
    return true;
}

static bool ask_in_rounds(hy_robot_check *self, int64_t now_us, hy_robot_question *out)
{
    if (self->round_left == 0) {
        if (self->rounds == ROUNDS || now_us < self->round_due_us) {
            return false;
        }
        self->rounds++;
        self->round_left = ROUND_PROBES;
        self->round_due_us = now_us + ROUND_US;
        self->asked_us = now_us;
    }
    self->round_left--;
    return ask_probe(out);
}

// Did asking again for a stream that had stopped bring one single status? Then it was taken away again.
static void judge_asking_again(hy_robot_check *self, int64_t now_us)
{
    if (self->asked_again_us != INT64_MIN && now_us - self->asked_again_us >= ASK_AGAIN_US &&
        self->gate.accepted - self->statuses_then == 1) {
        self->report.is_owned = true;
    }
}

static int64_t heard_us(const hy_robot_check *self)
{
    const int64_t since_us = self->last_us > self->begin_us ? self->last_us : self->begin_us;
    return since_us > self->asked_again_us ? since_us : self->asked_again_us;
}

static bool ask_again(hy_robot_check *self, int64_t now_us, hy_robot_question *out)
{
    if (self->report.asked_again == ASK_AGAIN_LIMIT || now_us - heard_us(self) < ASK_AGAIN_US) {
        return false;
    }
    judge_asking_again(self, now_us);
    self->asked_again_us = now_us;
    self->statuses_then = self->gate.accepted;
    self->report.asked_again++;
    return ask_probe(out);
}

static bool ask_for_answer(hy_robot_check *self, int64_t now_us, hy_robot_question *out)
{
    if (self->probed_us != INT64_MIN && now_us - self->probed_us >= ANSWER_LIMIT_US) {
        self->probed_us = INT64_MIN;
        self->probe_due_us =
            now_us + HY_ROBOT_STREAM_US; // an answer that is merely late is not the next one's
    }
    if (self->probed_us != INT64_MIN || now_us < self->probe_due_us) {
        return false;
    }
    self->probed_us = now_us;
    self->probe_due_us = now_us + (self->report.is_commanded ? PROBE_BESIDE_US : PROBE_US);
    self->report.probes++;
    return ask_probe(out);
}

// Control 0, and every motor at 0: the commander is never enabled.
static bool command_nothing(hy_robot_check *self, int64_t now_us, hy_robot_question *out)
{
    if (!self->report.is_commanded || now_us < self->command_due_us) {
        return false;
    }
    hy_wire_datagram datagrams[2]; // two only after 65535 commands, 22 minutes: the second copy is spared then
    (void)hy_commander_write(&self->commander, now_us, datagrams);
    memcpy(out->data, datagrams[0].data, datagrams[0].size);
    out->size = datagrams[0].size;
    out->is_probe = false;
    self->command_due_us = now_us + HY_ROBOT_COMMAND_PERIOD_US;
    return true;
}

bool hy_robot_check_ask(hy_robot_check *self, int64_t now_us, hy_robot_question *out)
{
    if (hy_robot_check_is_over(self, now_us)) {
        return false;
    }
    if (self->phase == HY_CHECK_ASKS) {
        return ask_in_rounds(self, now_us, out);
    }
    if (command_nothing(self, now_us, out)) {
        return true;
    }
    if (self->report.manner == HY_ROBOT_ANSWERS) {
        return ask_for_answer(self, now_us, out);
    }
    return !self->report.is_commanded && ask_again(self, now_us, out);
}

// --------------------------------------------------------------------------- what comes

static void begin_manner(hy_robot_check *self, hy_robot_manner manner, int64_t now_us)
{
    self->report.manner = manner;
    self->phase = HY_CHECK_MEASURES;
    self->begin_us = self->command_due_us = now_us;
    self->probe_due_us = now_us + HY_ROBOT_STREAM_US; // behind the answers to the last round
    self->end_us = now_us + self->options.duration_us;
    self->report.is_commanded = self->options.is_exclusive;
    self->report.has_stream = manner == HY_ROBOT_STREAMS || self->report.is_commanded;
    hy_commander_init(&self->commander, self->options.dialect);
}

// The numbers of answers are those of the stream: if they grow, it goes to somebody.
static void note_answer(hy_robot_check *self, uint16_t seq, int64_t at_us)
{
    if (!self->has_answer) {
        self->foreign_first_us = self->foreign_last_us = at_us;
        self->has_answer = true;
        self->answer_seq = seq;
    } else if (hy_seq_is_newer(seq, self->answer_seq)) {
        self->foreign_statuses += (uint16_t)(seq - self->answer_seq);
        self->foreign_last_us = at_us;
        self->answer_seq = seq;
    }
}

static void take_stream(hy_robot_check *self, uint16_t seq, int64_t at_us)
{
    const uint64_t gaps = self->gate.lost + self->gate.restarts;
    if (!hy_seq_gate_accept(&self->gate, seq, at_us)) {
        return;
    }
    const bool is_first = self->last_us == INT64_MIN;
    const int64_t silence_us = at_us - (is_first ? self->begin_us : self->last_us);
    if (silence_us > self->report.longest_silence_us) {
        self->report.longest_silence_us = silence_us;
    }
    if (is_first) {
        self->first_us = at_us;
    } else if (self->gate.lost + self->gate.restarts == gaps) {
        add_sample(&self->intervals, silence_us);
    }
    self->last_us = at_us;
}

static void take_answer(hy_robot_check *self, uint16_t seq, int64_t at_us)
{
    note_answer(self, seq, at_us);
    if (self->probed_us == INT64_MIN) { // its probe was given up, or was of a round
        return;
    }
    add_sample(&self->round_trips, at_us - self->probed_us);
    self->report.answers++;
    self->probed_us = INT64_MIN;
}

static void take_while_asking(hy_robot_check *self, uint16_t seq, int64_t at_us)
{
    const bool is_double = self->has_answer && seq == self->answer_seq;
    note_answer(self, seq, at_us);
    const bool is_late = !is_double && at_us - self->asked_us > HY_ROBOT_STREAM_US;
    self->late_ones += is_late;
    if (is_late && self->late_ones == LATE_ENOUGH) {
        begin_manner(self, HY_ROBOT_STREAMS, at_us);
        take_stream(self, seq, at_us);
    } else if (self->answering_round != 0 && self->rounds > self->answering_round) {
        begin_manner(self, HY_ROBOT_ANSWERS, at_us);
    } else if (is_double && self->answering_round == 0) {
        self->answering_round = self->rounds;
        self->round_due_us = at_us + ROUND_ANSWER_US;
    }
}

// False if `datagram` is no status of the robot's. One that is cut is, once the robot is known.
static bool note_status(hy_robot_check *self, hy_bytes datagram)
{
    const hy_dialect *const dialect = hy_robot_recognize(datagram, self->options.dialect);
    const hy_dialect *const known = dialect != NULL ? dialect : self->report.dialect;
    hy_wire_status status;
    if (known == NULL || known->status_decode(datagram, &status).error == HY_WIRE_NO_HEADER) {
        return false;
    }
    if (dialect == NULL) {
        const bool is_cut = known->status_decode(datagram, &status).error == HY_WIRE_CUT_BLOCK &&
                            status.encoders != 0;
        self->report.malformed += is_cut;
        return is_cut;
    }
    self->report.dialect = dialect;
    for (unsigned i = 0; i < dialect->encoders; i++) {
        self->report.has_periods = self->report.has_periods || status.encoder[i].has_period;
    }
    return true;
}

void hy_robot_check_take(hy_robot_check *self, bool is_at_probes, hy_bytes datagram, int64_t at_us)
{
    if (hy_robot_check_is_over(self, at_us)) {
        return;
    }
    if (!note_status(self, datagram)) {
        self->report.others++;
        return;
    }
    self->statuses++;
    const uint16_t seq = (uint16_t)(datagram.data[0] << 8 | datagram.data[1]);
    const hy_robot_report *const report = &self->report;
    if (self->phase == HY_CHECK_ASKS) {
        take_while_asking(self, seq, at_us);
    } else if (is_at_probes && report->manner == HY_ROBOT_ANSWERS) {
        take_answer(self, seq, at_us);
    } else if (report->has_stream && is_at_probes != report->is_commanded) {
        take_stream(self, seq, at_us);
    }
}

// --------------------------------------------------------------------------- when

static int64_t sooner(int64_t a_us, int64_t b_us)
{
    return a_us < b_us ? a_us : b_us;
}

static int64_t asking_due_us(const hy_robot_check *self)
{
    return self->rounds < ROUNDS || self->round_left > 0 ? sooner(self->round_due_us, self->end_us)
                                                         : self->end_us;
}

int64_t hy_robot_check_due_us(const hy_robot_check *self)
{
    if (self->phase != HY_CHECK_MEASURES) {
        return self->phase == HY_CHECK_ASKS ? asking_due_us(self) : INT64_MIN;
    }
    int64_t due_us = self->end_us;
    if (self->report.is_commanded) {
        due_us = sooner(due_us, self->command_due_us);
    }
    if (self->report.manner == HY_ROBOT_ANSWERS) {
        due_us = sooner(due_us, self->probed_us != INT64_MIN ? self->probed_us + ANSWER_LIMIT_US
                                                             : self->probe_due_us);
    } else if (!self->report.is_commanded && self->report.asked_again < ASK_AGAIN_LIMIT) {
        due_us = sooner(due_us, heard_us(self) + ASK_AGAIN_US);
    }
    return due_us;
}

bool hy_robot_check_is_over(const hy_robot_check *self, int64_t now_us)
{
    return self->phase == HY_CHECK_IS_OVER || now_us >= self->end_us;
}

double hy_robot_check_progress(const hy_robot_check *self, int64_t now_us)
{
    if (self->phase != HY_CHECK_MEASURES) {
        return self->phase == HY_CHECK_ASKS ? 0.0 : 1.0;
    }
    return hy_clamp((double)(now_us - self->begin_us) / (double)self->options.duration_us, 0.0, 1.0,
                    1.0);
}

// --------------------------------------------------------------------------- what it tells

static void conclude_asking(hy_robot_check *self)
{
    self->report.statuses = self->statuses;
    self->report.manner = self->statuses > 0        ? HY_ROBOT_BORROWED
                          : self->report.others > 0 ? HY_ROBOT_STRANGE
                                                    : HY_ROBOT_SILENT;
    self->report.is_owned = self->statuses > 0;
}

static void conclude_stream(hy_robot_check *self, int64_t now_us)
{
    hy_robot_report *const report = &self->report;
    const hy_seq_gate *const gate = &self->gate;
    report->statuses = gate->accepted;
    report->lost = gate->lost;
    report->late = gate->late + gate->duplicates;
    report->restarts = gate->restarts;
    const int64_t silence_us = now_us - (self->last_us != INT64_MIN ? self->last_us : self->begin_us);
    if (silence_us > report->longest_silence_us) {
        report->longest_silence_us = silence_us;
    }
    if (gate->accepted == 0) {
        return;
    }
    report->age_us = silence_us;
    report->loss = (double)gate->lost / (double)(gate->lost + gate->accepted);
    const double span_s = (double)(self->last_us - self->first_us) * 1e-6;
    if (span_s > 0.0) {
        report->rate_hz = (double)(gate->accepted - 1) / span_s;
        report->sent_rate_hz = (double)(gate->accepted - 1 + gate->lost) / span_s;
    }
    judge_asking_again(self, now_us);
}

static void conclude_answers(hy_robot_check *self, int64_t now_us)
{
    hy_robot_report *const report = &self->report;
    if (self->probed_us != INT64_MIN && now_us - self->probed_us < ANSWER_LIMIT_US) {
        report->probes--; // its time is not over
    }
    const bool is_ours = report->has_stream && self->gate.accepted > 0;
    const int64_t span_us = self->foreign_last_us - self->foreign_first_us;
    if (!is_ours && span_us > 0) {
        report->foreign_rate_hz = (double)self->foreign_statuses * 1e6 / (double)span_us;
        report->is_owned = true;
    }
    if (!report->has_stream) {
        report->statuses = self->statuses;
    }
}

hy_robot_report hy_robot_check_end(hy_robot_check *self, int64_t now_us)
{
    const int64_t end_us = sooner(now_us, self->end_us);
    if (self->phase == HY_CHECK_ASKS) {
        conclude_asking(self);
    } else if (self->phase == HY_CHECK_MEASURES) {
        self->report.duration_us = end_us - self->begin_us;
        if (self->report.has_stream) {
            conclude_stream(self, end_us);
        }
        if (self->report.manner == HY_ROBOT_ANSWERS) {
            conclude_answers(self, end_us);
        }
        self->report.interval = hy_robot_spread_of(self->intervals.values_us, self->intervals.count);
        self->report.round_trip =
            hy_robot_spread_of(self->round_trips.values_us, self->round_trips.count);
    }
    self->phase = HY_CHECK_IS_OVER;
    return self->report;
}
