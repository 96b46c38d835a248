/// @file bot_commands.h
/// Small commands that are put together to behaviours, and a scheduler that never lets two of them
/// move the same part of the robot. Names and rules are those of WPILib's command-based
/// programming.
///
/// Commands are structs of the caller's, which live as long as anybody refers to them; nothing is
/// allocated. Everything runs on the thread that calls hy_scheduler_run(), once a loop. Times are
/// microseconds of a clock that does not go backwards.
///
///     static hy_scheduler scheduler;
///     static hy_command wait, beep, both;
///     static hy_command *members[] = { &wait, &beep };
///
///     static void start(hy_command_call beep_once, int64_t now_us)
///     {
///         hy_command_wait(&wait, 500000);
///         hy_command_once(&beep, beep_once, NULL, 0);
///         hy_command_sequence(&both, members, 2);
///         hy_scheduler_schedule(&scheduler, &both, now_us);
///         hy_scheduler_run(&scheduler, true, now_us); // and again every loop
///     }
#ifndef HALYARD_BOT_COMMANDS_H
#define HALYARD_BOT_COMMANDS_H

#include <halyard/base.h>

HY_API_BEGIN

#define HY_SUBSYSTEMS 32 ///< Parts of a robot: numbers 0..31 of the caller's choice.

/// The set that has only this subsystem; sets are joined by |.
#define HY_REQUIRES(subsystem) (UINT32_C(1) << (subsystem))

typedef struct hy_command hy_command;

/// What a command does: each may be NULL. `context` is the caller's.
typedef void (*hy_command_call)(void *context, int64_t now_us);
typedef struct {
    hy_command_call start; ///< Once, first.
    hy_command_call step;  ///< Once a loop, from the loop of the start on.
    bool (*is_finished)(void *context, int64_t now_us); ///< Behind every step; NULL: never.
    void (*end)(void *context, bool interrupted,
                int64_t now_us); ///< Once, last: finished, or interrupted.
} hy_command_calls;

/// A command. Made by one of the functions below; to be changed by nobody else.
struct hy_command {
    uint32_t requirements; ///< Read-only: a set of subsystems.
    /// The caller's to set: goes on while the robot is disabled. False at first.
    bool runs_when_disabled;
    /// The caller's to set: others that need the same subsystems wait. False at first.
    bool is_uninterruptible;
    // Private.
    hy_command_calls calls;
    void *context;
    hy_command *const *members;
    hy_command *inner;
    hy_command *next;
    int64_t duration_us, began_us;
    size_t member_count, current;
    uint32_t done; // bit n: member n has ended
    uint8_t kind;
    bool scheduled, is_member, cancelled;
};

#define HY_COMMAND_MEMBERS 32 ///< Most members of a group.

// --------------------------------------------------------------------------- making commands

/// A command of these calls. `calls` is copied.
void hy_command_init(hy_command *self, const hy_command_calls *calls, void *context,
                     uint32_t requirements);

/// Calls `run` once, and is finished; or once a loop, for ever. NULL does nothing.
void hy_command_once(hy_command *self, hy_command_call run, void *context, uint32_t requirements);
void hy_command_always(hy_command *self, hy_command_call run, void *context, uint32_t requirements);

/// Does nothing for `duration_us`.
void hy_command_wait(hy_command *self, int64_t duration_us);

/// Does nothing until `condition` is true.
void hy_command_wait_until(hy_command *self, bool (*condition)(void *context, int64_t now_us),
                           void *context);

/// Groups. `members` has 1 to HY_COMMAND_MEMBERS commands, is not copied and must outlive the
/// group; the members belong to the group from then on and cannot be scheduled alone. A group needs
/// what its members need, runs while disabled only if all of them do, and is uninterruptible if one
/// is. False, and nothing changes, if a member is a member already, or scheduled, or if two that
/// run at the same time need the same subsystem.
/// - sequence: one after the other;
/// - parallel: all at once, until the last is finished;
/// - race: all at once, until the first is finished: the others are interrupted;
/// - deadline: all at once, until members[0] is finished.
bool hy_command_sequence(hy_command *self, hy_command *const *members, size_t count);
bool hy_command_parallel(hy_command *self, hy_command *const *members, size_t count);
bool hy_command_race(hy_command *self, hy_command *const *members, size_t count);
bool hy_command_deadline(hy_command *self, hy_command *const *members, size_t count);

/// `inner`, interrupted after `duration_us`. False as for groups.
bool hy_command_timeout(hy_command *self, hy_command *inner, int64_t duration_us);

/// `inner` again and again. False as for groups.
bool hy_command_repeat(hy_command *self, hy_command *inner);

// --------------------------------------------------------------------------- running them

/// Runs commands. All zero: nothing runs.
///
/// The calls of a command (start, step, is_finished, end, conditions, members of groups too) may
/// ask the scheduler for anything, about their own command and any other:
/// - schedule: the command waits until all others have been stepped in this loop, then it starts;
///   in the order in which they were asked for. What starts and ends of that time, or those outside
///   of a loop, ask for waits for the next hy_scheduler_run(). Twice is once.
/// - cancel: a command that waits is forgotten, and may be asked for again; this includes the one
///   for which the present end makes room. One that runs is not stepped again (a group completes
///   its present step), ends before the loop or the outermost call is over, and is refused until
///   its own `end` is called. From then on it counts as not scheduled, and may start again.
/// - defaults: what is set now is used from the next start of that subsystem's default; a default
///   that runs goes on until something else needs the subsystem, or it is cancelled.
/// - hy_scheduler_run() does nothing there.
///
/// So no command starts twice without an end between, two that need the same subsystem never run at
/// the same time, and a loop makes a bounded number of calls whatever they ask for. A command
/// belongs to one scheduler, and must not be made anew while it is scheduled.
typedef struct {
    uint64_t refused; ///< Read-only: commands that could not be scheduled.
    // Private.
    hy_command *first, *pending, *starting;
    hy_command *defaults[HY_SUBSYSTEMS];
    bool running;
} hy_scheduler;

/// Starts `command` now; if a command's call asks for it, later (see above). What runs and needs
/// the same subsystems is interrupted. True if `command` runs or waits now, as one does that ran
/// before. False, and counted, if what runs is uninterruptible, or `command` is a member of a
/// group, was not made, or is cancelled and has not ended; false, too, if an end or its own start
/// cancels it. One that waits may still be refused when its turn comes: by something
/// uninterruptible (counted), or because the robot is disabled.
bool hy_scheduler_schedule(hy_scheduler *self, hy_command *command, int64_t now_us);

/// Interrupts `command`, or everything that runs or waits, uninterruptible or not; if a command's
/// call asks for it, before the loop is over.
void hy_scheduler_cancel(hy_scheduler *self, hy_command *command, int64_t now_us);
void hy_scheduler_cancel_all(hy_scheduler *self, int64_t now_us);

/// True if `command` runs or waits, and is not cancelled. O(1).
bool hy_scheduler_is_scheduled(const hy_scheduler *self, const hy_command *command);

/// What `subsystem` does while no other command needs it; NULL for nothing. False, and nothing
/// changes, if the command does not need that subsystem alone, or there is no such subsystem.
bool hy_scheduler_set_default(hy_scheduler *self, unsigned subsystem, hy_command *command);

/// One loop: steps all commands in the order in which they were scheduled, ends the finished ones,
/// and starts defaults of idle subsystems. With `enabled` false, everything that does not run while
/// disabled is interrupted, and nothing of that sort starts. O(commands).
void hy_scheduler_run(hy_scheduler *self, bool enabled, int64_t now_us);

HY_API_END

#endif
