// Commands and their groups: each kind is four functions over the same struct. The scheduler is in
// scheduler.c.
#include "commands.h"

typedef enum {
    KIND_NONE, // not made
    KIND_CALLS,
    KIND_ONCE,
    KIND_WAIT,
    KIND_SEQUENCE,
    KIND_PARALLEL,
    KIND_RACE,
    KIND_DEADLINE,
    KIND_TIMEOUT,
    KIND_REPEAT,
} command_kind;

// --------------------------------------------------------------------------- making single ones

static void make(hy_command *self, command_kind kind, void *context, uint32_t requirements)
{
    *self = (hy_command){ .requirements = requirements, .context = context, .kind = (uint8_t)kind };
}

void hy_command_init(hy_command *self, const hy_command_calls *calls, void *context,
                     uint32_t requirements)
{
    make(self, KIND_CALLS, context, requirements);
    self->calls = *calls;
}

void hy_command_once(hy_command *self, hy_command_call run, void *context, uint32_t requirements)
{
    make(self, KIND_ONCE, context, requirements);
    self->calls.start = run;
}

void hy_command_always(hy_command *self, hy_command_call run, void *context, uint32_t requirements)
{
    make(self, KIND_CALLS, context, requirements);
    self->calls.step = run;
}

void hy_command_wait(hy_command *self, int64_t duration_us)
{
    make(self, KIND_WAIT, NULL, 0);
    self->duration_us = duration_us;
    self->runs_when_disabled = true;
}

void hy_command_wait_until(hy_command *self, bool (*condition)(void *context, int64_t now_us),
                           void *context)
{
    make(self, KIND_CALLS, context, 0);
    self->calls.is_finished = condition;
    self->runs_when_disabled = true;
}

// --------------------------------------------------------------------------- making groups

static bool is_free(const hy_command *command)
{
    return command->kind != KIND_NONE && !command->is_member && !command->scheduled;
}

static bool can_be_members(hy_command *const *members, size_t count, bool at_once)
{
    uint32_t needed = 0;
    if (count == 0 || count > HY_COMMAND_MEMBERS) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (members[k] == members[i]) {
                return false;
            }
        }
        if (!is_free(members[i]) || (at_once && (needed & members[i]->requirements) != 0)) {
            return false;
        }
        needed |= members[i]->requirements;
    }
    return true;
}

static bool make_group(hy_command *self, command_kind kind, hy_command *const *members, size_t count)
{
    if (!can_be_members(members, count, kind != KIND_SEQUENCE)) {
        return false;
    }
    make(self, kind, NULL, 0);
    self->members = members;
    self->member_count = count;
    self->runs_when_disabled = true;
    for (size_t i = 0; i < count; i++) {
        members[i]->is_member = true;
        self->requirements |= members[i]->requirements;
        self->runs_when_disabled = self->runs_when_disabled && members[i]->runs_when_disabled;
        self->is_uninterruptible = self->is_uninterruptible || members[i]->is_uninterruptible;
    }
    return true;
}

bool hy_command_sequence(hy_command *self, hy_command *const *members, size_t count)
{
    return make_group(self, KIND_SEQUENCE, members, count);
}

bool hy_command_parallel(hy_command *self, hy_command *const *members, size_t count)
{
    return make_group(self, KIND_PARALLEL, members, count);
}

bool hy_command_race(hy_command *self, hy_command *const *members, size_t count)
{
    return make_group(self, KIND_RACE, members, count);
}

bool hy_command_deadline(hy_command *self, hy_command *const *members, size_t count)
{
    return make_group(self, KIND_DEADLINE, members, count);
}

/// A group of one, which needs no array of the caller's.
static bool make_around(hy_command *self, command_kind kind, hy_command *inner)
{
    hy_command *const only[1] = { inner };
    if (!make_group(self, kind, only, 1)) {
        return false;
    }
    self->members = NULL;
    self->member_count = 0;
    self->inner = inner;
    return true;
}

bool hy_command_timeout(hy_command *self, hy_command *inner, int64_t duration_us)
{
    if (!make_around(self, KIND_TIMEOUT, inner)) {
        return false;
    }
    self->duration_us = duration_us;
    return true;
}

bool hy_command_repeat(hy_command *self, hy_command *inner)
{
    return make_around(self, KIND_REPEAT, inner);
}

bool command_is_made(const hy_command *self)
{
    return self->kind != KIND_NONE;
}

// --------------------------------------------------------------------------- running them

static bool is_done(const hy_command *self, size_t member)
{
    return (self->done >> member & 1) != 0;
}

static void start_all(hy_command *self, int64_t now_us)
{
    for (size_t i = 0; i < self->member_count; i++) {
        command_start(self->members[i], now_us);
    }
}

void command_start(hy_command *self, int64_t now_us)
{
    self->began_us = now_us;
    self->current = 0;
    self->done = 0;
    switch ((command_kind)self->kind) {
    case KIND_SEQUENCE: command_start(self->members[0], now_us); break;
    case KIND_PARALLEL:
    case KIND_RACE:
    case KIND_DEADLINE: start_all(self, now_us); break;
    case KIND_TIMEOUT:
    case KIND_REPEAT: command_start(self->inner, now_us); break;
    case KIND_NONE:
    case KIND_CALLS:
    case KIND_ONCE:
    case KIND_WAIT:
    default:
        if (self->calls.start != NULL) {
            self->calls.start(self->context, now_us);
        }
    }
}

/// Steps one member; true once it has ended.
static bool step_to_end(hy_command *member, int64_t now_us)
{
    const bool finished = command_step(member, now_us);
    if (finished) {
        command_end(member, false, now_us);
    }
    return finished;
}

static bool step_sequence(hy_command *self, int64_t now_us)
{
    if (!step_to_end(self->members[self->current], now_us)) {
        return false;
    }
    self->current++;
    if (self->current == self->member_count) {
        return true;
    }
    command_start(self->members[self->current], now_us);
    return false;
}

static bool step_all(hy_command *self, int64_t now_us)
{
    bool any = false, all = true;
    for (size_t i = 0; i < self->member_count; i++) {
        if (!is_done(self, i) && step_to_end(self->members[i], now_us)) {
            self->done |= UINT32_C(1) << i;
            any = true;
        }
        all = all && is_done(self, i);
    }
    switch ((command_kind)self->kind) {
    case KIND_RACE: return any;
    case KIND_DEADLINE: return is_done(self, 0);
    default: return all;
    }
}

static bool step_timeout(hy_command *self, int64_t now_us)
{
    self->done = step_to_end(self->inner, now_us) ? 1 : 0;
    return self->done != 0 || now_us - self->began_us >= self->duration_us;
}

static bool step_repeat(hy_command *self, int64_t now_us)
{
    self->done = 0;
    if (step_to_end(self->inner, now_us)) {
        command_start(self->inner, now_us);
    }
    return false;
}

static bool step_calls(hy_command *self, int64_t now_us)
{
    if (self->calls.step != NULL) {
        self->calls.step(self->context, now_us);
    }
    return self->calls.is_finished != NULL && self->calls.is_finished(self->context, now_us);
}

bool command_step(hy_command *self, int64_t now_us)
{
    switch ((command_kind)self->kind) {
    case KIND_CALLS: return step_calls(self, now_us);
    case KIND_WAIT: return now_us - self->began_us >= self->duration_us;
    case KIND_SEQUENCE: return step_sequence(self, now_us);
    case KIND_PARALLEL:
    case KIND_RACE:
    case KIND_DEADLINE: return step_all(self, now_us);
    case KIND_TIMEOUT: return step_timeout(self, now_us);
    case KIND_REPEAT: return step_repeat(self, now_us);
    case KIND_NONE:
    case KIND_ONCE:
    default: return true;
    }
}

/// Interrupts the members that still run: those of a finished race, or of a group that was
/// interrupted itself.
static void end_all(hy_command *self, int64_t now_us)
{
    for (size_t i = 0; i < self->member_count; i++) {
        if (!is_done(self, i)) {
            self->done |= UINT32_C(1) << i;
            command_end(self->members[i], true, now_us);
        }
    }
}

void command_end(hy_command *self, bool interrupted, int64_t now_us)
{
    switch ((command_kind)self->kind) {
    case KIND_SEQUENCE:
        if (self->current < self->member_count) {
            command_end(self->members[self->current], true, now_us);
        }
        break;
    case KIND_PARALLEL:
    case KIND_RACE:
    case KIND_DEADLINE: end_all(self, now_us); break;
    case KIND_TIMEOUT:
    case KIND_REPEAT:
        if (self->done == 0) {
            command_end(self->inner, true, now_us);
        }
        break;
    case KIND_NONE:
    case KIND_CALLS:
    case KIND_ONCE:
    case KIND_WAIT:
    default:
        if (self->calls.end != NULL) {
            self->calls.end(self->context, interrupted, now_us);
        }
    }
}
