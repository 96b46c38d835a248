// A report in plain words: one function a thing that can be wrong.
#include <halyard/robot.h>
#include <halyard/robot_check.h>
#include <halyard/robots.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// From here on it is trouble. A robot has 500 ms of patience with its commands, which share the air with its statuses.
#define LOSS_TROUBLE       0.05
#define SILENCE_TROUBLE_US 250000
#define JITTER_TROUBLE \
    1.0 // of the period: one status in twenty comes later than the next one should
#define RATE_TROUBLE     0.8 // of what such a robot sends
#define DELAY_TROUBLE_US 100000
#define ADVICE_MAX       128
#define FEW              20 // statuses or probes: less says nothing about loss

const char *hy_robot_finding_text(hy_robot_finding_kind kind)
{
    static const char *const names[] = {
#define FINDING_NAME(name, text) [name] = text,
        HY_ROBOT_FINDING_MAP(FINDING_NAME)
#undef FINDING_NAME
    };
    return (unsigned)kind < HY_FINDINGS ? names[kind] : "unknown";
}

typedef struct {
    const hy_robot_report *report;
    const char *url;
    const hy_endpoint *address;
    hy_robot_finding *out;
    size_t room, count;
} list;

__attribute__((format(printf, 4, 5))) static void add(list *self, hy_robot_finding_kind kind,
                                                      bool is_trouble, const char *format, ...)
{
    if (self->count == self->room) {
        return;
    }
    hy_robot_finding *const finding = &self->out[self->count++];
    finding->kind = kind;
    finding->is_trouble = is_trouble;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
}

static double ms(int64_t duration_us)
{
    return (double)duration_us * 1e-3;
}

static int64_t period_us(const hy_dialect *dialect)
{
    return hy_robot_status_period_us(hy_robot_type_of_dialect(dialect));
}

// --------------------------------------------------------------------------- nobody there

static bool is_access_point(const hy_endpoint *address)
{
    static const uint8_t network[15] = { HY_IPV4_PREFIX, 192, 168, 42 };
    return memcmp(address->ip, network, sizeof network) == 0;
}

static const char *silent_advice(const list *self, char room[ADVICE_MAX])
{
    if (hy_endpoint_is_loopback(self->address)) {
        const hy_robot_type *const wanted = hy_robot_type_of_dialect(hy_robot_dialect(self->url));
        snprintf(room, ADVICE_MAX, "On this computer 'halyard board %s' starts a virtual robot.",
                 (wanted != NULL ? wanted : hy_robot_type_at(0))->name);
        return room;
    }
    if (is_access_point(self->address)) {
        return self->report->is_near ? "This computer is in the robot's Wi-Fi: is the robot "
                                       "switched on, and is WPILib's "
                                       "firmware on it (not MicroPython)? Switch it off and on."
                                     : "Is this computer connected to the robot's Wi-Fi "
                                       "(XRP-xxxx)? It has no address in "
                                       "192.168.42.x.";
    }
    return self->report->is_near ? "Is the robot switched on, and is this the address that it has "
                                   "now? 'halyard doctor "
                                   "--sweep' looks through this network."
                                 : "This computer is in another network: connect both to the same "
                                   "Wi-Fi, or ask for the "
                                   "robot's address again.";
}

static void judge_absence(list *self)
{
    char address[HY_ENDPOINT_TEXT_MAX], advice[ADVICE_MAX];
    hy_endpoint_format(self->address, address);
    const hy_robot_report *const report = self->report;
    if (report->manner == HY_ROBOT_STRANGE) {
        add(self, HY_FINDING_STRANGE, true,
            "Something answers at %s, but not as a robot does: %" PRIu64
            " datagrams were no status. Another program uses that port; is the address right?",
            address, report->others);
    } else if (report->is_unreachable) {
        add(self, HY_FINDING_NO_WAY, true,
            "This computer knows no way to %s. Is its Wi-Fi on and connected to the robot's "
            "network "
            "(XRP-xxxx)?",
            address);
    } else if (report->reports > 0) {
        add(self, HY_FINDING_REFUSED, true, "The network says that nobody listens at %s. %s",
            address, silent_advice(self, advice));
    } else {
        add(self, HY_FINDING_SILENT, true, "No robot answers at %s. %s%s", address,
            silent_advice(self, advice),
            report->is_near ? " One that another program commands may stay silent as well: its "
                              "statuses go there."
                            : "");
    }
}

// --------------------------------------------------------------------------- who else

static void judge_owner(list *self)
{
    const hy_robot_report *const report = self->report;
    if (!report->is_owned) {
        return;
    }
    if (report->manner == HY_ROBOT_BORROWED) {
        add(self, HY_FINDING_OWNED, true,
            "Another program seems to command this robot: it answered, but its statuses go to "
            "somebody "
            "else (or nearly all of them get lost). Find out who drives it, and close that program "
            "before yours. To look closer would take the statuses away from it.");
    } else if (report->is_commanded) {
        add(self, HY_FINDING_OWNED, true,
            "Another program commands this robot: it answers questions, but refuses our commands. "
            "Close "
            "that program, or choose another robot.");
    } else if (report->manner == HY_ROBOT_STREAMS) {
        add(self, HY_FINDING_OWNED, true,
            "Another program began to speak to this robot while we measured: its statuses went "
            "there. "
            "Only one program may command a robot; find the other one.");
    } else {
        add(self, HY_FINDING_OWNED, true,
            "Another program seems to command this robot, or did until it ended: %.1f statuses a "
            "second "
            "go to it. It was not disturbed. If the robot is yours alone, --exclusive makes sure.",
            report->foreign_rate_hz);
    }
}

static void judge_dialect(list *self)
{
    const hy_dialect *const expected = hy_robot_dialect(self->url);
    const hy_dialect *const spoken = self->report->dialect;
    const char *const rest = strstr(self->url, "://");
    if (expected != NULL && rest != NULL && spoken != expected) {
        add(self, HY_FINDING_DIALECT, true,
            "This robot speaks another dialect: use %s%s. With the wrong one its values are "
            "misread, and a "
            "command may move another motor than meant.",
            spoken->name, rest);
    }
}

// --------------------------------------------------------------------------- how well

static void judge_loss(list *self)
{
    const hy_robot_report *const report = self->report;
    const double percent = 100.0 * report->loss;
    if (report->lost > 1 && report->loss >= LOSS_TROUBLE) {
        add(self, HY_FINDING_LOSS, true,
            "The robot answers, but %.0f %% of its statuses get lost, and so do your commands. "
            "Move closer, "
            "keep people and metal out of the way, switch off hotspots nearby, or give the robot "
            "another "
            "Wi-Fi channel.",
            percent);
    } else if (report->lost > 0) {
        add(self, HY_FINDING_LOSS, false,
            "%" PRIu64 " of %" PRIu64 " statuses got lost (%.1f %%); that does no harm.",
            report->lost, report->lost + report->statuses, percent);
    }
}

static void judge_answers(list *self)
{
    const hy_robot_report *const report = self->report;
    const uint64_t missing = report->probes - report->answers;
    if (report->probes > 0 && missing > 1 &&
        (double)missing >= LOSS_TROUBLE * (double)report->probes) {
        add(self, HY_FINDING_UNANSWERED, true,
            "%" PRIu64 " of %" PRIu64 " questions stayed without an answer within 250 ms: they, or "
            "the answers, get lost. Move "
            "closer, keep people and metal out of the way, or give the robot another Wi-Fi "
            "channel.",
            missing, report->probes);
    }
    if (report->round_trip.p95_us >= DELAY_TROUBLE_US) {
        add(self, HY_FINDING_DELAY, true,
            "A question and its answer take %.0f ms and more (one in twenty). Steering feels late: "
            "is somebody "
            "downloading on this network, or is the robot far away?",
            ms(report->round_trip.p95_us));
    }
}

static void judge_silences(list *self)
{
    const hy_robot_report *const report = self->report;
    if (report->longest_silence_us < SILENCE_TROUBLE_US) {
        return;
    }
    if (report->statuses == 0) {
        add(self, HY_FINDING_SILENCES,
            true, "The robot answered at first and then sent nothing for %.1f s. Did it lose its power or the Wi-Fi?",
            ms(report->longest_silence_us) * 1e-3);
        return;
    }
    add(self, HY_FINDING_SILENCES, true,
        "Nothing came for %.0f ms at a time. Commands wait in the same way, and after 500 ms "
        "without one the "
        "robot stops by itself. Weak radio, a busy network or a computer that saves power on Wi-Fi "
        "do this.",
        ms(report->longest_silence_us));
}

static void judge_regularity(list *self)
{
    const hy_robot_report *const report = self->report;
    const int64_t period = period_us(report->dialect);
    const int64_t late_us = report->interval.p95_us - period;
    if (late_us >= (int64_t)(JITTER_TROUBLE * (double)period)) {
        add(self, HY_FINDING_JITTER, true,
            "Statuses come irregularly: one in twenty is %.0f ms late or more. A busy network or a "
            "busy "
            "computer does this; your program sees old values then.",
            ms(late_us));
    }
    const double rate_hz = 1e6 / (double)period;
    if (report->sent_rate_hz > 0.0 && report->sent_rate_hz < RATE_TROUBLE * rate_hz) {
        add(self, HY_FINDING_SLOW, true,
            "The robot sends %.1f statuses a second instead of %.0f: something keeps its firmware "
            "busy, "
            "or it is not the firmware that it should be.",
            report->sent_rate_hz, rate_hz);
    }
}

static void judge_robot(list *self)
{
    const hy_robot_report *const report = self->report;
    if (report->restarts > 0) {
        add(self, HY_FINDING_RESTART, true,
            "The robot started again while we measured. Are its batteries empty, or a plug loose?");
    }
    if (report->malformed > 0) {
        add(self, HY_FINDING_DAMAGE, true,
            "%" PRIu64
            " statuses were cut off. No radio does that: is there a changed firmware on it, or "
            "another program at its address?",
            report->malformed);
    }
    const hy_robot_type *const type = hy_robot_type_of_dialect(report->dialect);
    if (type->old_firmware_advice != NULL && !report->has_periods) {
        add(self, HY_FINDING_FIRMWARE, false, "%s", type->old_firmware_advice);
    }
}

static void judge_measurement(list *self)
{
    const hy_robot_report *const report = self->report;
    if (!report->has_stream && !report->is_owned && report->manner == HY_ROBOT_ANSWERS) {
        add(self, HY_FINDING_NO_STREAM, false,
            "This robot sends its statuses to the program that commands it, so their rate was not "
            "measured. "
            "If it is yours "
            "alone, --exclusive does that, with commands that keep it disabled.");
    }
    const uint64_t seen = report->has_stream ? report->statuses + report->lost : report->probes;
    if (report->manner != HY_ROBOT_BORROWED && seen < FEW && seen > 0) {
        add(self, HY_FINDING_FEW, false,
            "Only %" PRIu64 " %s: too few to judge what gets lost. --duration looks longer.", seen,
            report->has_stream ? "statuses" : "questions");
    }
}

// Both kinds keep their order.
static void put_troubles_first(list *self)
{
    for (size_t i = 1; i < self->count; i++) {
        const hy_robot_finding moved = self->out[i];
        size_t to = i;
        while (moved.is_trouble && to > 0 && !self->out[to - 1].is_trouble) {
            self->out[to] = self->out[to - 1];
            to--;
        }
        self->out[to] = moved;
    }
}

size_t hy_robot_findings(const hy_robot_report *report, const char *url, const hy_endpoint *address,
                         hy_robot_finding *out, size_t room)
{
    list self = { report, url, address, out, room, 0 };
    if (report->dialect == NULL) {
        judge_absence(&self);
        return self.count;
    }
    judge_owner(&self);
    judge_dialect(&self);
    if (report->has_stream && !(report->is_owned && report->statuses == 0)) {
        judge_silences(&self);
        judge_loss(&self);
        judge_regularity(&self);
    }
    judge_answers(&self);
    judge_robot(&self);
    judge_measurement(&self);
    put_troubles_first(&self);
    return self.count;
}
