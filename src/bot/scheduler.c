#include "commands.h"

// A command that runs is in the list from `first`; one that is to start behind the present loop in
// the list from `pending`. Both go on through `next`: `scheduled` tells that a command is in one of
// them.

static void append(hy_command **list, hy_command *command)
{
    while (*list != NULL) {
        list = &(*list)->next;
    }
    command->next = NULL;
    *list = command;
}

/// False if it was not in there.
static bool take_out(hy_command **list, const hy_command *command)
{
    while (*list != NULL && *list != command) {
        list = &(*list)->next;
    }
    if (*list == NULL) {
        return false;
    }
    *list = command->next;
    return true;
}

static void interrupt(hy_scheduler *self, hy_command *command, int64_t now_us)
{
    take_out(&self->first, command);
    command->scheduled = false;
    command_end(command, true, now_us);
}

/// Stops what needs one of the subsystems. False if something of that may not be stopped.
static bool make_room(hy_scheduler *self, uint32_t requirements, int64_t now_us)
{
    for (const hy_command *c = self->first; c != NULL; c = c->next) {
        if ((c->requirements & requirements) != 0 && c->is_uninterruptible && !c->cancelled) {
            return false;
        }
    }
    hy_command *c = self->first;
    while (c != NULL) {
        if ((c->requirements & requirements) != 0) {
            interrupt(self, c, now_us);
            c = self->first; // ending it may have changed the list
        } else {
            c = c->next;
        }
    }
    return true;
}

static bool begin_command(hy_scheduler *self, hy_command *command, int64_t now_us)
{
    if (!make_room(self, command->requirements, now_us)) {
        self->refused++;
        return false;
    }
    command->scheduled = true;
    command->cancelled = false;
    append(&self->first, command);
    command_start(command, now_us);
    return true;
}

bool hy_scheduler_schedule(hy_scheduler *self, hy_command *command, int64_t now_us)
{
    if (command->is_member || !command_is_made(command)) {
        self->refused++;
        return false;
    }
    if (command->scheduled && !command->cancelled) {
        return true;
    }
    if (command->scheduled) { // cancelled in this loop, and wanted again: it ends first
        self->refused++;
        return false;
    }
    if (self->running) {
        command->scheduled = true;
        command->cancelled = false;
        append(&self->pending, command);
        return true;
    }
    self->running = true; // what is scheduled by a start or an end waits until that is over
    const bool began = begin_command(self, command, now_us);
    self->running = false;
    return began;
}

void hy_scheduler_cancel(hy_scheduler *self, hy_command *command, int64_t now_us)
{
    if (!command->scheduled || command->is_member) {
        return;
    }
    if (self->running) {
        command->cancelled = true;
        return;
    }
    if (take_out(&self->pending, command)) { // it has not even started
        command->scheduled = false;
        return;
    }
    self->running = true;
    interrupt(self, command, now_us);
    self->running = false;
}

void hy_scheduler_cancel_all(hy_scheduler *self, int64_t now_us)
{
    for (hy_command *c = self->pending; c != NULL; c = c->next) {
        c->cancelled = true;
    }
    for (hy_command *c = self->first; c != NULL; c = c->next) {
        c->cancelled = true;
    }
    if (!self->running) {
        self->running = true;
        while (self->first != NULL) {
            interrupt(self, self->first, now_us);
        }
        self->running = false;
    }
}

bool hy_scheduler_is_scheduled(const hy_scheduler *self, const hy_command *command)
{
    (void)self;
    return command->scheduled && !command->cancelled && !command->is_member;
}

bool hy_scheduler_set_default(hy_scheduler *self, unsigned subsystem, hy_command *command)
{
    if (subsystem >= HY_SUBSYSTEMS ||
        (command != NULL && (command->is_member || !command_is_made(command) ||
                             command->requirements != HY_REQUIRES(subsystem)))) {
        return false;
    }
    self->defaults[subsystem] = command;
    return true;
}

/// Steps one command, and takes it out of the list once it is over.
static void run_one(hy_scheduler *self, hy_command *command, bool enabled, int64_t now_us)
{
    if (command->cancelled || (!enabled && !command->runs_when_disabled)) {
        interrupt(self, command, now_us);
        return;
    }
    const bool finished = command_step(command, now_us);
    if (finished || command->cancelled) {
        take_out(&self->first, command);
        command->scheduled = false;
        command_end(command, !finished, now_us);
    }
}

/// What was cancelled behind its own turn.
static void end_cancelled(hy_scheduler *self, int64_t now_us)
{
    hy_command *command = self->first;
    while (command != NULL) {
        hy_command *const next = command->next;
        if (command->cancelled) {
            interrupt(self, command, now_us);
        }
        command = next;
    }
}

/// Starts what was asked for until now. What that asks for in turn waits for the next loop, or two
/// commands that start each other would never let this one end.
static void start_pending(hy_scheduler *self, bool enabled, int64_t now_us)
{
    hy_command *command = self->pending;
    self->pending = NULL;
    while (command != NULL) {
        hy_command *const next = command->next;
        command->scheduled = false;
        if (!command->cancelled && (enabled || command->runs_when_disabled)) {
            begin_command(self, command, now_us);
        }
        command = next;
    }
}

static void start_defaults(hy_scheduler *self, bool enabled, int64_t now_us)
{
    uint32_t busy = 0;
    for (const hy_command *c = self->first; c != NULL; c = c->next) {
        busy |= c->requirements;
    }
    for (unsigned i = 0; i < HY_SUBSYSTEMS; i++) {
        hy_command *const command = self->defaults[i];
        if (command != NULL && (busy >> i & 1) == 0 && !command->scheduled &&
            (enabled || command->runs_when_disabled)) {
            begin_command(self, command, now_us);
        }
    }
}

void hy_scheduler_run(hy_scheduler *self, bool enabled, int64_t now_us)
{
    self->running = true;
    hy_command *command = self->first;
    while (command != NULL) {
        // Only the command itself is taken out meanwhile; what others schedule or cancel waits.
        hy_command *const next = command->next;
        run_one(self, command, enabled, now_us);
        command = next;
    }
    end_cancelled(self, now_us);
    start_pending(self, enabled, now_us);
    start_defaults(self, enabled, now_us);
    self->running = false;
}
