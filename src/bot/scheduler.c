#include "commands.h"

// A command that is `scheduled` is in exactly one list: `first` (it runs), `pending` (it waits for
// the next loop) or `starting` (its turn to start is now). The calls of commands are only made
// while `running` is set, and what they ask for then touches `pending`, takes out of the two queues
// or sets `cancelled`: so nobody but this file changes `first`, and never while it is gone through.

static void append(hy_command **list, hy_command *command)
{
    while (*list != NULL) {
        list = &(*list)->next;
    }
    command->next = NULL;
    command->scheduled = true;
    command->cancelled = false;
    *list = command;
}

/// False if it was not in there.
static bool take_out(hy_command **list, hy_command *command)
{
    while (*list != NULL && *list != command) {
        list = &(*list)->next;
    }
    if (*list == NULL) {
        return false;
    }
    *list = command->next;
    command->scheduled = false;
    return true;
}

static void end_one(hy_scheduler *self, hy_command *command, bool interrupted, int64_t now_us)
{
    take_out(&self->first, command);
    command_end(command, interrupted, now_us);
}

/// Ends what is cancelled, and what needs one of the subsystems.
static void interrupt_all(hy_scheduler *self, uint32_t requirements, int64_t now_us)
{
    hy_command *c = self->first;
    while (c != NULL) {
        if (c->cancelled || (c->requirements & requirements) != 0) {
            end_one(self, c, true, now_us);
            c = self->first; // that may have cancelled one before it
        } else {
            c = c->next;
        }
    }
}

static bool has_room(const hy_scheduler *self, uint32_t requirements)
{
    for (const hy_command *c = self->first; c != NULL; c = c->next) {
        if ((c->requirements & requirements) != 0 && c->is_uninterruptible && !c->cancelled) {
            return false;
        }
    }
    return true;
}

/// Starts the first of `starting`, unless what has to end for it will not, or cancels it.
static void start_next(hy_scheduler *self, int64_t now_us)
{
    hy_command *const command = self->starting;
    if (!has_room(self, command->requirements)) {
        take_out(&self->starting, command);
        self->refused++;
        return;
    }
    interrupt_all(self, command->requirements, now_us);
    if (take_out(&self->starting, command)) {
        append(&self->first, command);
        command_start(command, now_us);
    }
}

/// Ends what is cancelled, or leaves that to whoever calls the command that asks for it.
static void end_cancelled(hy_scheduler *self, int64_t now_us)
{
    if (!self->running) {
        self->running = true;
        interrupt_all(self, 0, now_us);
        self->running = false;
    }
}

bool hy_scheduler_schedule(hy_scheduler *self, hy_command *command, int64_t now_us)
{
    if (command->is_member || !command_is_made(command) ||
        (command->scheduled && command->cancelled)) { // it has to end first
        self->refused++;
        return false;
    }
    if (command->scheduled) {
        return true;
    }
    append(self->running ? &self->pending : &self->starting, command);
    if (!self->running) {
        self->running = true;
        start_next(self, now_us);
        self->running = false;
        end_cancelled(self, now_us);
    }
    return command->scheduled;
}

void hy_scheduler_cancel(hy_scheduler *self, hy_command *command, int64_t now_us)
{
    if (!take_out(&self->pending, command) && !take_out(&self->starting, command)) {
        command->cancelled = true;
        end_cancelled(self, now_us);
    }
}

void hy_scheduler_cancel_all(hy_scheduler *self, int64_t now_us)
{
    while (self->pending != NULL) {
        take_out(&self->pending, self->pending);
    }
    while (self->starting != NULL) {
        take_out(&self->starting, self->starting);
    }
    for (hy_command *c = self->first; c != NULL; c = c->next) {
        c->cancelled = true;
    }
    end_cancelled(self, now_us);
}

bool hy_scheduler_is_scheduled(const hy_scheduler *self, const hy_command *command)
{
    (void)self;
    return command->scheduled && !command->cancelled;
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
    const bool goes_on = !command->cancelled && (enabled || command->runs_when_disabled);
    const bool finished = goes_on && command_step(command, now_us);
    if (!goes_on || finished || command->cancelled) {
        end_one(self, command, !finished, now_us);
    }
}

/// Starts what was asked for until now. What that asks for in turn waits for the next loop, or two
/// commands that start each other would never let this one end.
static void start_pending(hy_scheduler *self, bool enabled, int64_t now_us)
{
    self->starting = self->pending;
    self->pending = NULL;
    while (self->starting != NULL) {
        if (enabled || self->starting->runs_when_disabled) {
            start_next(self, now_us);
        } else {
            take_out(&self->starting, self->starting);
        }
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
        if (command != NULL && (busy >> i & 1) == 0 && !command->scheduled && !command->is_member &&
            (enabled || command->runs_when_disabled)) {
            append(&self->starting, command);
            start_next(self, now_us);
        }
    }
}

void hy_scheduler_run(hy_scheduler *self, bool enabled, int64_t now_us)
{
    if (self->running) {
        return;
    }
    self->running = true;
    hy_command *command = self->first;
    while (command != NULL) {
        hy_command *const next = command->next; // only the command itself is taken out meanwhile
        run_one(self, command, enabled, now_us);
        command = next;
    }
    interrupt_all(self, 0, now_us); // what was cancelled behind its own turn
    start_pending(self, enabled, now_us);
    start_defaults(self, enabled, now_us);
    self->running = false;
    end_cancelled(self, now_us);
}
