// A robot program run again on what it read: SPEC recording, "The robot program".
#include <halyard/program.h>
#include <halyard/telemetry.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "journal_event.h"
#include "note.h"
#include "replay_run.h"
#include "replay_values.h"

#define VERSION_CHANNEL "/Metadata/Halyard"
#define DIALECT_CHANNEL "/Metadata/Dialect" // only if it is 2027
#define DROPPED_CHANNEL "/Halyard/Dropped"
#define DIFFERENCE_MAX  600 // bytes of a sentence
#define USUAL_CAUSES                                                                           \
    ". If the program is the same as then, it reads what no recording has, such as rand() or " \
    "time(): docs/guide/replay.md says what to use instead"

typedef struct {
    const program_replay_setup *setup;
    const hy_program *program;
    hy_program_replay_report *report;
    hy_wpilog_reader reader;
    uint32_t version_entry, dialect_entry, journal_entry, dropped_entry; // 0: not started
    char version[64];
    uint64_t number; // of the next event
    journal_event event;
    journal_event texts; // the last JOURNAL_STATE
    hy_telemetry *telemetry;
    hy_channel motors[HY_PROGRAM_ROBOTS], messages;
    program_note note;
    replay_values values;
    uint64_t at_us;                  // recorded time of the event
    char said[PROGRAM_NOTE_MAX];     // last, in the recording
    char shown[PROGRAM_NOTE_MAX];    // last, now
    char difference[DIFFERENCE_MAX]; // the first one; "": none
    size_t robots;
    bool is_started, is_over, has_ended, loop_differs;
} replay;

#define PRINTS __attribute__((format(printf, 3, 4)))

PRINTS
static void finish(replay *self, hy_replay_result result, const char *format, ...)
{
    hy_program_replay_report *const report = self->report;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(report->text, sizeof report->text, format, arguments);
    va_end(arguments);
    report->result = result;
    self->is_over = true;
}

// --------------------------------------------------------------------------- differences

// Of what is called now; only the first difference is kept.
PRINTS
static void differ(replay *self, const char *what, const char *format, ...)
{
    char text[DIFFERENCE_MAX - 100];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    self->loop_differs = true;
    if (self->difference[0] == '\0') {
        (void)snprintf(self->difference, sizeof self->difference, "loop %" PRIu64 " (%.3f s), %s: %s",
                       self->report->loops + 1, (double)self->at_us * 1e-6, what, text);
    }
}

static void compare_said(replay *self, const char *what)
{
    const char *const now = program_note_text(&self->note);
    if (self->event.has_said) {
        (void)snprintf(self->said, sizeof self->said, "%.79s", self->event.text);
    }
    if (strcmp(now, self->said) != 0) {
        differ(self, what, "what it says: recorded \"%s\", now \"%s\"", self->said, now);
    }
    if (strcmp(now, self->shown) != 0) {
        (void)snprintf(self->shown, sizeof self->shown, "%s", now);
        hy_telemetry_put_text(self->telemetry, self->messages, now);
    }
}

static void compare_values(replay *self, const char *what, bool has_drops)
{
    uint8_t text[DIFFERENCE_MAX - 100];
    const replay_values_result result =
        has_drops
            ? VALUES_UNKNOWN
            : replay_values_compare(&self->values, self->event.puts, (hy_room){ text, sizeof text });
    self->report->unknown_calls += result == VALUES_UNKNOWN;
    if (result == VALUES_DIFFER) {
        differ(self, what, "%s", (const char *)text);
    }
}

// Bit for bit.
static bool is_same(float a, float b)
{
    uint32_t bits[2];
    memcpy(&bits[0], &a, sizeof a);
    memcpy(&bits[1], &b, sizeof b);
    return bits[0] == bits[1];
}

static void compare_outputs(replay *self, const hy_outputs *now)
{
    const hy_outputs *const then = &self->event.outputs;
    char what[32];
    (void)snprintf(what, sizeof what, "robot %u", self->event.index + 1);
    if (now->motors != then->motors || now->servos != then->servos || now->led != then->led) {
        differ(self, what, "motors, servos and LED: recorded %02x %02x %d, now %02x %02x %d",
               then->motors, then->servos, then->led, now->motors, now->servos, now->led);
    }
    for (unsigned i = 0; i < sizeof now->motor / sizeof now->motor[0]; i++) {
        if ((now->motors & then->motors & 1U << i) != 0 && !is_same(now->motor[i], then->motor[i])) {
            differ(self, what, "motor %u: recorded %.9g, now %.9g", i, (double)then->motor[i],
                   (double)now->motor[i]);
        }
    }
    for (unsigned i = 0; i < sizeof now->servo / sizeof now->servo[0]; i++) {
        if ((now->servos & then->servos & 1U << i) != 0 && !is_same(now->servo[i], then->servo[i])) {
            differ(self, what, "servo %u: recorded %.9g, now %.9g", i, (double)then->servo[i],
                   (double)now->servo[i]);
        }
    }
}

static void end_loop(replay *self)
{
    hy_program_replay_report *const report = self->report;
    report->loops++;
    if (self->loop_differs) {
        report->differing_loops++;
        report->first_loop = report->first_loop > 0 ? report->first_loop : report->loops;
    }
    self->loop_differs = false;
}

// --------------------------------------------------------------------------- calls of the program

static void begin_call(replay *self, const char *what)
{
    self->values.is_capturing = true;
    if (self->setup->watch != NULL) {
        program_watch_call(self->setup->watch, what);
    }
}

static void end_call(replay *self)
{
    if (self->setup->watch != NULL) {
        program_watch_call(self->setup->watch, NULL);
    }
    self->values.is_capturing = false;
}

static hy_loop_call call_of(const hy_program *program, unsigned which)
{
    const hy_robot_program *const loop = &program->loop;
    switch (which) {
    case CALL_ROBOT_INIT: return loop->robot_init;
    case CALL_ROBOT_PERIODIC: return loop->robot_periodic;
    case CALL_SIMULATION_INIT: return loop->simulation_init;
    case CALL_SIMULATION_PERIODIC: return loop->simulation_periodic;
    default: break;
    }
    const hy_mode_calls *const mode = &loop->mode[which / JOURNAL_CALLS_A_MODE];
    switch (which % JOURNAL_CALLS_A_MODE) {
    case CALL_INIT: return mode->init;
    case CALL_PERIODIC: return mode->periodic;
    default: return mode->exit;
    }
}

static void supervise(replay *self)
{
    hy_program_state *const state = &self->event.state;
    state->message = self->texts.text;
    for (size_t i = 0; i < state->robots; i++) {
        state->link[i].address = self->texts.address[i];
    }
    const hy_program_wish wish = self->program->supervise(self->program->loop.context, state);
    if (wish != self->event.wish) {
        differ(self, "supervise", "its wish: recorded %d, now %d", (int)self->event.wish, (int)wish);
    }
}

static void call_program(replay *self, bool has_drops)
{
    const hy_program *const program = self->program;
    const journal_event *const event = &self->event;
    const char *const what = event->kind == JOURNAL_CALL  ? journal_call_name(event->index)
                             : event->kind == JOURNAL_KEY ? "key"
                                                          : "supervise";
    begin_call(self, what);
    if (event->kind == JOURNAL_CALL && call_of(program, event->index) != NULL) {
        call_of(program, event->index)(program->loop.context, event->now_us);
    } else if (event->kind == JOURNAL_KEY && program->key != NULL) {
        program->key(program->loop.context, &event->key, event->now_us);
    } else if (event->kind == JOURNAL_SUPERVISE && program->supervise != NULL) {
        supervise(self);
    }
    end_call(self);
    compare_values(self, what, has_drops);
    compare_said(self, what);
}

// --------------------------------------------------------------------------- calls of devices

static void take_outputs(replay *self, const hy_device_class *of, void *devices)
{
    hy_outputs now;
    double motors[sizeof now.motor / sizeof now.motor[0]];
    of->outputs(devices, &now, self->event.now_us);
    for (size_t i = 0; i < sizeof now.motor / sizeof now.motor[0]; i++) {
        const bool is_set = (now.motors >> i & 1) != 0;
        motors[i] = is_set ? (double)now.motor[i] : 0.0;
    }
    const hy_robot_type *const type =
        hy_program_robot_type(&self->program->robots[self->event.index]);
    hy_telemetry_put_doubles(self->telemetry, self->motors[self->event.index], motors,
                             type != NULL ? type->dialect->motors : sizeof motors / sizeof motors[0]);
    compare_outputs(self, &now);
    if (self->event.index + 1 == self->robots) {
        end_loop(self);
    }
}

static void call_devices(replay *self)
{
    const journal_event *const event = &self->event;
    const hy_program_robot *const robot = &self->program->robots[event->index];
    const hy_device_class *const of = hy_program_device_class(robot);
    void *const devices = robot->devices != NULL ? robot->devices
                          : robot->xrp != NULL   ? (void *)robot->xrp
                                                 : (void *)robot->teensy;
    switch (event->kind) {
    case JOURNAL_UPDATE: of->update(devices, &event->readings, event->now_us); break;
    case JOURNAL_REBASE: of->rebase(devices); break;
    case JOURNAL_STOP: of->stop(devices, event->now_us); break;
    default: take_outputs(self, of, devices); break;
    }
}

// --------------------------------------------------------------------------- start

static bool is_same_program(const replay *self)
{
    const journal_event *const event = &self->event;
    size_t count = 0;
    while (count < HY_PROGRAM_ROBOTS &&
           hy_program_device_class(&self->program->robots[count]) != NULL) {
        const hy_robot_type *const type = hy_program_robot_type(&self->program->robots[count]);
        if (strcmp(event->address[count], type != NULL ? type->name : "") != 0) {
            return false;
        }
        count++;
    }
    return count == event->state.robots &&
           strncmp(event->name, self->program->name, sizeof event->name - 1) == 0;
}

static bool start_telemetry(replay *self)
{
    if (hy_telemetry_open(&self->telemetry) != HY_OK ||
        hy_telemetry_attach(self->telemetry, replay_values_sink(&self->values)) != HY_OK ||
        (self->setup->also != NULL &&
         hy_telemetry_attach(self->telemetry, *self->setup->also) != HY_OK)) {
        return false;
    }
    if (self->dialect_entry != 0) {
        hy_telemetry_set_dialect(self->telemetry, HY_NT_DIALECT_2027);
    }
    for (size_t i = 0; i < self->robots; i++) {
        char name[48] = "/Robot/Motors";
        if (self->robots > 1) {
            (void)snprintf(name, sizeof name, "/Robot%zu/Motors", i + 1);
        }
        self->motors[i] = hy_telemetry_declare(
            self->telemetry, &(hy_channel_spec){ .name = name, .kind = HY_CHANNEL_DOUBLE_ARRAY });
    }
    self->messages = hy_telemetry_declare(
        self->telemetry,
        &(hy_channel_spec){ .name = "messages", .kind = HY_CHANNEL_STRING, .is_file_only = true });
    self->note.telemetry = self->telemetry;
    return true;
}

static void start(replay *self)
{
    if (strcmp(self->version, hy_version()) != 0 || self->event.index != JOURNAL_VERSION) {
        finish(self, HY_REPLAY_IMPOSSIBLE,
               "it was recorded by version %s of Halyard, and this is version %s; only the same "
               "version can run it again",
               self->version[0] != '\0' ? self->version : "(unknown)", hy_version());
    } else if (!is_same_program(self)) {
        finish(self, HY_REPLAY_DIFFERS, "it is a recording of another program: '%.200s' with %s%s",
               self->event.name, self->event.address[0],
               self->event.state.robots > 1 ? " and others" : "");
    } else {
        self->is_started = true;
        self->robots = self->event.state.robots;
        for (size_t i = 0; i < self->robots; i++) {
            hy_program_devices_init(&self->program->robots[i]);
        }
        if (!start_telemetry(self)) {
            finish(self, HY_REPLAY_IMPOSSIBLE, "%s", hy_status_text(HY_EMEMORY));
        }
    }
}

// --------------------------------------------------------------------------- events

static void change_tunable(replay *self)
{
    const hy_channel channel = hy_telemetry_find(self->telemetry, self->event.name);
    if (self->event.kind == JOURNAL_TUNE) {
        (void)hy_tunables_set(&self->note.tunables, channel, self->event.value);
    } else {
        (void)hy_tunables_choose(&self->note.tunables, channel, self->event.text);
    }
}

static void obey_event(replay *self, bool has_drops)
{
    switch (self->event.kind) {
    case JOURNAL_SAVED:
        (void)program_saved_add(&self->note.saved, self->event.name, self->event.value);
        break;
    case JOURNAL_UPDATE:
    case JOURNAL_REBASE:
    case JOURNAL_STOP:
    case JOURNAL_OUTPUTS:
        if (self->event.index < self->robots) {
            call_devices(self);
        }
        break;
    case JOURNAL_CALL:
    case JOURNAL_KEY:
    case JOURNAL_SUPERVISE: call_program(self, has_drops); break;
    case JOURNAL_STATE: self->texts = self->event; break;
    case JOURNAL_TUNE:
    case JOURNAL_CHOOSE: change_tunable(self); break;
    case JOURNAL_END: self->has_ended = true; break;
    case JOURNAL_START:
    case JOURNAL_KINDS:
    default: break;
    }
}

// Nothing behind `offset` can be replayed.
static void stop_at(replay *self, size_t offset)
{
    self->report->is_partial = true;
    self->report->offset = offset;
    self->is_over = true;
}

static void take_event(replay *self, const hy_wpilog_record *record, size_t offset, bool has_drops)
{
    uint64_t number;
    if (!journal_event_read(record->value, &number, &self->event)) {
        self->report->offset = offset;
        finish(self, HY_REPLAY_DIFFERS,
               "the program's input %" PRIu64 ", at offset %zu, was altered", self->number, offset);
    } else if (number != self->number || (self->event.kind == JOURNAL_START) != (self->number == 0)) {
        stop_at(self, offset);
    } else {
        self->number++;
        self->at_us = record->at_us;
        self->report->recorded_s = (double)record->at_us * 1e-6;
        if (self->event.kind == JOURNAL_START) {
            start(self);
        } else {
            hy_telemetry_set_time(self->telemetry, record->at_us);
            obey_event(self, has_drops);
        }
        replay_values_clear(&self->values);
    }
}

// --------------------------------------------------------------------------- records

static void take_start(replay *self, const hy_wpilog_record *record)
{
    const struct {
        const char *name;
        uint32_t *entry;
    } channels[] = { { VERSION_CHANNEL, &self->version_entry },
                     { DIALECT_CHANNEL, &self->dialect_entry },
                     { JOURNAL_CHANNEL, &self->journal_entry },
                     { DROPPED_CHANNEL, &self->dropped_entry } };
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++) {
        if (*channels[i].entry == 0 && hy_wpilog_text_is(record->name, channels[i].name)) {
            *channels[i].entry = record->entry;
        }
    }
}

// Values were dropped just before the record behind which the reader stands: the file says so in the next one.
static bool is_followed_by_drops(const replay *self)
{
    hy_wpilog_reader ahead = self->reader;
    hy_wpilog_record next;
    return hy_wpilog_next(&ahead, &next) && next.kind == HY_WPILOG_VALUE &&
           next.entry == self->dropped_entry;
}

static void read_records(replay *self)
{
    hy_wpilog_record record;
    bool has_drops = false;
    while (!self->is_over && hy_wpilog_next(&self->reader, &record)) {
        const bool is_value = record.kind == HY_WPILOG_VALUE;
        if (record.kind == HY_WPILOG_START) {
            take_start(self, &record);
        }
        if (is_value && record.entry == self->journal_entry) {
            take_event(self, &record, self->reader.begin, has_drops || is_followed_by_drops(self));
            has_drops = false;
        } else if (is_value && record.entry == self->version_entry) {
            hy_wpilog_copy_text(record.value, self->version, sizeof self->version);
        } else if (is_value && record.entry == self->dropped_entry) {
            has_drops = true;
        } else {
            replay_values_take(&self->values, &record);
        }
    }
}

// --------------------------------------------------------------------------- the whole

// Where the recording ends, if that is not the program's end.
static void describe_end(replay *self, char *out, size_t size)
{
    hy_program_replay_report *const report = self->report;
    char damage[300];
    hy_wpilog_describe_damage(&self->reader, damage, sizeof damage);
    const int length = snprintf(out, size, "%s%s", damage[0] != '\0' ? "; " : "", damage);
    out += length; // it fits
    size -= (size_t)length;
    if (report->is_partial) {
        (void)snprintf(out, size,
                       "; input %" PRIu64 " was lost while it was recorded, so nothing behind "
                       "offset %zu can be run again",
                       self->number, report->offset);
    } else if (self->reader.damage != NULL) {
        stop_at(self, self->reader.offset);
    } else if (self->is_started && !self->has_ended) {
        stop_at(self, self->reader.offset);
        (void)snprintf(out, size, "; the recording ends at offset %zu before the program did",
                       report->offset);
    }
}

static void sum_up(replay *self)
{
    hy_program_replay_report *const report = self->report;
    char end[500] = "", values[120] = "", counts[80] = "";
    describe_end(self, end, sizeof end);
    if (self->loop_differs) { // behind the last whole loop
        end_loop(self);
    }
    if (report->unknown_calls > 0) {
        (void)snprintf(values, sizeof values,
                       "; values of %" PRIu64
                       " calls were dropped while recording, and not compared",
                       report->unknown_calls);
    }
    if (report->differing_loops > 0) {
        (void)snprintf(counts, sizeof counts, "; %" PRIu64 " of %" PRIu64 " loops differ",
                       report->differing_loops, report->loops);
    }
    if (!self->is_started) {
        finish(self, HY_REPLAY_IMPOSSIBLE,
               "it has no inputs of a robot program: none with --record made it, or it was cut "
               "before them%s",
               end);
    } else if (self->difference[0] != '\0') {
        finish(self, HY_REPLAY_DIFFERS, "%.400s%s%s%s" USUAL_CAUSES, self->difference, counts,
               values, end);
    } else {
        finish(self, HY_REPLAY_EQUAL, "%" PRIu64 " loops are equal, up to %.3f s%s%s",
               report->loops, report->recorded_s, values, end);
    }
}

static void run_again(replay *self)
{
    if (hy_wpilog_reader_init(&self->reader, self->setup->file) != HY_OK) {
        finish(self, HY_REPLAY_IMPOSSIBLE, "it is no log file (WPILOG): %s", self->reader.damage);
        return;
    }
    program_note *const before = program_note_use(&self->note);
    read_records(self);
    (void)program_note_use(before);
    if (self->report->text[0] == '\0') {
        sum_up(self);
    }
}

void program_replay_run(const program_replay_setup *setup, hy_program_replay_report *report)
{
    *report = (hy_program_replay_report){ .result = HY_REPLAY_IMPOSSIBLE };
    replay *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        (void)snprintf(report->text, sizeof report->text, "%s", hy_status_text(HY_EMEMORY));
        return;
    }
    self->setup = setup;
    self->program = setup->program;
    self->report = report;
    run_again(self);
    hy_telemetry_close(self->telemetry);
    replay_values_free(&self->values);
    free(self->note.saved);
    free(self);
}

void hy_program_replay(const hy_program *program, hy_bytes file, hy_program_replay_report *report)
{
    const program_replay_setup setup = { .program = program, .file = file };
    program_replay_run(&setup, report);
}
