#include "journal.h"

#include <stdio.h>
#include <string.h>

// --------------------------------------------------------------------------- events into the file

// What is too long is cut; NULL counts as "".
static void copy_text(char out[JOURNAL_TEXT_MAX], const char *text)
{
    (void)snprintf(out, JOURNAL_TEXT_MAX, "%s", text != NULL ? text : "");
}

// A call begins. Returns the event, all zero but for its kind.
static journal_event *begin_event(program_journal *self, journal_kind kind)
{
    self->event = (journal_event){ .kind = kind };
    return &self->event;
}

static void put_event(program_journal *self, const journal_event *event)
{
    uint8_t bytes[JOURNAL_EVENT_MAX];
    if (self->telemetry != NULL) {
        const size_t size = journal_event_write(event, self->number++, bytes);
        hy_telemetry_put_bytes(self->telemetry, self->channel, (hy_bytes){ bytes, size });
    }
}

// The call has returned: what it has published and said since there were `puts` values.
static void put_call(program_journal *self, uint32_t puts)
{
    journal_event *const event = &self->event;
    event->puts = self->puts - puts;
    if (self->note != NULL) {
        const char *const said = program_note_text(self->note);
        event->has_said = strcmp(said, self->said) != 0;
        (void)snprintf(self->said, sizeof self->said, "%s", said);
        copy_text(event->text, said);
    }
    put_event(self, event);
}

// A change of a tunable names its channel by number; a later run may have others.
static void keep_tunable(void *context, const hy_channel_info *channel, uint64_t now_us)
{
    (void)now_us;
    program_journal *const self = context;
    if (channel->is_input && self->tunable_count < JOURNAL_INPUTS_MAX) {
        self->tunables[self->tunable_count++] = channel;
    }
}

static void count_put(void *context, const hy_channel_info *channel, uint64_t now_us, hy_bytes value)
{
    (void)now_us;
    (void)value;
    program_journal *const self = context;
    self->puts += channel->kind != HY_CHANNEL_SCHEMA; // which is of a declaration
}

// --------------------------------------------------------------------------- devices

static void init(void *devices)
{
    const journal_robot *const robot = devices;
    robot->of->init(robot->devices);
}

static void update(void *devices, const hy_readings *readings, int64_t now_us)
{
    const journal_robot *const robot = devices;
    journal_event *const event = begin_event(robot->journal, JOURNAL_UPDATE);
    event->index = (unsigned)robot->index;
    event->now_us = now_us;
    event->readings = *readings;
    put_event(robot->journal, event);
    robot->of->update(robot->devices, readings, now_us);
}

static void outputs(void *devices, hy_outputs *out, int64_t now_us)
{
    const journal_robot *const robot = devices;
    robot->of->outputs(robot->devices, out, now_us);
    journal_event *const event = begin_event(robot->journal, JOURNAL_OUTPUTS);
    event->index = (unsigned)robot->index;
    event->now_us = now_us;
    event->outputs = *out;
    put_event(robot->journal, event);
}

static void rebase(void *devices)
{
    const journal_robot *const robot = devices;
    journal_event *const event = begin_event(robot->journal, JOURNAL_REBASE);
    event->index = (unsigned)robot->index;
    put_event(robot->journal, event);
    robot->of->rebase(robot->devices);
}

static void stop(void *devices, int64_t now_us)
{
    const journal_robot *const robot = devices;
    journal_event *const event = begin_event(robot->journal, JOURNAL_STOP);
    event->index = (unsigned)robot->index;
    event->now_us = now_us;
    put_event(robot->journal, event);
    robot->of->stop(robot->devices, now_us);
}

static void prepare_robots(program_journal *self)
{
    for (size_t i = 0; i < HY_PROGRAM_ROBOTS; i++) {
        hy_program_robot *const robot = &self->program.robots[i];
        const hy_device_class *const of = hy_program_device_class(robot);
        if (of == NULL) {
            return;
        }
        void *const devices = robot->devices != NULL ? robot->devices
                              : robot->xrp != NULL   ? (void *)robot->xrp
                                                     : (void *)robot->teensy;
        self->robots[i] = (journal_robot){ self, i, of, devices };
        self->classes[i] =
            (hy_device_class){ of->button_dio, of->led_dio, init, update, outputs, rebase, stop };
        *robot = (hy_program_robot){ .devices = &self->robots[i],
                                     .of = &self->classes[i],
                                     .type = hy_program_robot_type(&self->recorded->robots[i]),
                                     .url = robot->url };
    }
}

// --------------------------------------------------------------------------- the program's calls

static void call(program_journal *self, unsigned which, hy_loop_call what, int64_t now_us)
{
    journal_event *const event = begin_event(self, JOURNAL_CALL);
    const uint32_t puts = self->puts;
    event->index = which;
    event->now_us = now_us;
    if (what != NULL) {
        what(self->recorded->loop.context, now_us);
    }
    put_call(self, puts);
}

#define MODE_CALL(of, stage, index)                                                          \
    static void of##_##stage(void *context, int64_t now_us)                                  \
    {                                                                                        \
        program_journal *const self = context;                                               \
        call(self, (of)*JOURNAL_CALLS_A_MODE + (index), self->recorded->loop.mode[of].stage, \
             now_us);                                                                        \
    }
#define MODE_CALLS(of)                     \
    MODE_CALL(of, init, CALL_INIT)         \
    MODE_CALL(of, periodic, CALL_PERIODIC) \
    MODE_CALL(of, exit, CALL_EXIT)
#define ROBOT_CALL(member, index)                               \
    static void call_##member(void *context, int64_t now_us)    \
    {                                                           \
        program_journal *const self = context;                  \
        call(self, index, self->recorded->loop.member, now_us); \
    }

MODE_CALLS(HY_MODE_DISABLED)
MODE_CALLS(HY_MODE_AUTONOMOUS)
MODE_CALLS(HY_MODE_TELEOP)
MODE_CALLS(HY_MODE_TEST)
ROBOT_CALL(robot_init, CALL_ROBOT_INIT)
ROBOT_CALL(robot_periodic, CALL_ROBOT_PERIODIC)
ROBOT_CALL(simulation_init, CALL_SIMULATION_INIT)
ROBOT_CALL(simulation_periodic, CALL_SIMULATION_PERIODIC)

#define MODE(of) [of] = { of##_init, of##_periodic, of##_exit }

static bool has_calls(const hy_mode_calls *mode)
{
    return mode->init != NULL || mode->periodic != NULL || mode->exit != NULL;
}

// Calls that the program lacks are noted, too: a later version of it may have them.
static void prepare_loop(program_journal *self)
{
    static const hy_mode_calls modes[HY_MODES] = { MODE(HY_MODE_DISABLED), MODE(HY_MODE_AUTONOMOUS),
                                                   MODE(HY_MODE_TELEOP), MODE(HY_MODE_TEST) };
    hy_robot_program *const loop = &self->program.loop;
    for (size_t i = 0; i < HY_MODES; i++) {
        if (i == HY_MODE_DISABLED || has_calls(&loop->mode[i])) { // else hy_program_mode() changes
            loop->mode[i] = modes[i];
        }
    }
    loop->robot_init = call_robot_init;
    loop->robot_periodic = call_robot_periodic;
    loop->simulation_init = call_simulation_init;
    loop->simulation_periodic = call_simulation_periodic;
    loop->context = self;
}

static void take_key(void *context, const hy_key_event *key, int64_t now_us)
{
    program_journal *const self = context;
    journal_event *const event = begin_event(self, JOURNAL_KEY);
    const uint32_t puts = self->puts;
    event->now_us = now_us;
    event->key = *key;
    if (self->recorded->key != NULL) {
        self->recorded->key(self->recorded->loop.context, key, now_us);
    }
    put_call(self, puts);
}

static size_t draw(void *context, hy_room room)
{
    const program_journal *const self = context;
    return self->recorded->draw(self->recorded->loop.context, room);
}

// The texts of a state change seldom.
static void put_texts(program_journal *self, const hy_program_state *state)
{
    journal_event *const texts = begin_event(self, JOURNAL_STATE);
    hy_hash hash = hy_hash_start();
    texts->state.robots = state->robots;
    copy_text(texts->text, state->message);
    hy_hash_bytes(&hash, (hy_bytes){ (const uint8_t *)texts->text, JOURNAL_TEXT_MAX });
    for (size_t i = 0; i < state->robots; i++) {
        copy_text(texts->address[i], state->link[i].address);
        hy_hash_bytes(&hash, (hy_bytes){ (const uint8_t *)texts->address[i], JOURNAL_TEXT_MAX });
    }
    if (self->telemetry != NULL && hash.value != self->texts) {
        self->texts = hash.value;
        put_event(self, texts);
    }
}

static hy_program_wish supervise(void *context, const hy_program_state *state)
{
    program_journal *const self = context;
    put_texts(self, state);
    journal_event *const event = begin_event(self, JOURNAL_SUPERVISE);
    const uint32_t puts = self->puts;
    event->state = *state;
    event->wish = self->recorded->supervise(self->recorded->loop.context, state);
    put_call(self, puts);
    return event->wish;
}

// --------------------------------------------------------------------------- start and end

void program_journal_prepare(program_journal *self, const hy_program *program)
{
    *self = (program_journal){ .program = *program, .recorded = program };
    prepare_robots(self);
    prepare_loop(self);
    self->program.key = take_key;
    self->program.draw = program->draw != NULL ? draw : NULL;
    self->program.supervise = program->supervise != NULL ? supervise : NULL;
}

static void put_start(program_journal *self)
{
    journal_event *const event = begin_event(self, JOURNAL_START);
    event->index = JOURNAL_VERSION;
    copy_text(event->name, self->recorded->name);
    for (size_t i = 0; i < HY_PROGRAM_ROBOTS && self->robots[i].of != NULL; i++) {
        const hy_robot_type *const type = self->program.robots[i].type;
        copy_text(event->address[i], type != NULL ? type->name : NULL);
        event->state.robots = i + 1;
    }
    put_event(self, event);
}

void program_journal_begin(program_journal *self, hy_telemetry *telemetry, program_note *note)
{
    const hy_channel_spec spec = {
        .name = JOURNAL_CHANNEL, .kind = HY_CHANNEL_RAW, .is_file_only = true, .is_input = true
    };
    if (self == NULL || telemetry == NULL) {
        return;
    }
    const hy_telemetry_sink counter = { self, keep_tunable, count_put };
    self->channel = hy_telemetry_declare(telemetry, &spec);
    self->note = note;
    if (self->channel == 0 || hy_telemetry_attach(telemetry, counter) != HY_OK) {
        return; // no memory: a recording without this
    }
    self->telemetry = telemetry;
    put_start(self);
    for (size_t i = 0; i < program_saved_count(note->saved); i++) {
        journal_event *const event = begin_event(self, JOURNAL_SAVED);
        copy_text(event->name, program_saved_at(note->saved, i, &event->value));
        put_event(self, event);
    }
}

void program_journal_change(program_journal *self, hy_channel channel, double value, const char *text)
{
    for (size_t i = 0; self != NULL && i < self->tunable_count; i++) {
        if (self->tunables[i]->handle == channel) {
            journal_event *const event =
                begin_event(self, text != NULL ? JOURNAL_CHOOSE : JOURNAL_TUNE);
            event->value = value;
            copy_text(event->name, self->tunables[i]->name);
            copy_text(event->text, text);
            put_event(self, event);
        }
    }
}

void program_journal_end(program_journal *self)
{
    if (self != NULL) {
        put_event(self, begin_event(self, JOURNAL_END));
        self->telemetry = NULL; // nothing more is recorded
    }
}
