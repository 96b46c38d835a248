/// @file robot_conform_client.h
/// Grades a program that drives robots: WPILib's extension, XRP-rs, one of yours. It speaks to this
/// tester as if that were a robot; the tester answers with statuses, watches every command, falls
/// silent once, starts again as after a reboot, with lower numbers of its statuses, and sends
/// damaged statuses.
///
/// Pure: no socket and no clock. `halyard conform client` is the loop around it.
///
///     static void test(hy_conform_client *tester, hy_bytes datagram, hy_room room, int64_t now_us)
///     {
///         hy_conform_client_receive(tester, datagram, now_us); // each command
///         while (hy_conform_client_send(tester, now_us, room) > 0) { /* to whoever sent last */ }
///         if (hy_conform_client_is_over(tester, now_us)) {
///             hy_conform_report report;
///             hy_conform_client_finish(tester, false, now_us, &report);
///         }
///     }
#ifndef HALYARD_ROBOT_CONFORM_CLIENT_H
#define HALYARD_ROBOT_CONFORM_CLIENT_H

#include <halyard/robot_check.h>

/// Of enabled driving: then the robot falls silent for HY_CONFORM_CLIENT_SILENCE_US, and has
/// started again afterwards.
#define HY_CONFORM_CLIENT_SILENT_AFTER_US 1500000
#define HY_CONFORM_CLIENT_SILENCE_US      1500000
/// A program that has sent nothing for so long has ended.
#define HY_CONFORM_CLIENT_END_US 2000000

/// What a run waits for, in this order.
typedef enum {
    HY_CONFORM_CLIENT_AWAITS_COMMAND,
    HY_CONFORM_CLIENT_AWAITS_ENABLE,
    HY_CONFORM_CLIENT_DRIVES,
    HY_CONFORM_CLIENT_IS_SILENT, ///< Or has started again less than a second ago.
    /// A program that has disabled for the silence has to be enabled again; others skip this.
    HY_CONFORM_CLIENT_AWAITS_ENABLE_AGAIN,
    HY_CONFORM_CLIENT_DAMAGES,    ///< The robot has started again, and sends damaged statuses.
    HY_CONFORM_CLIENT_AWAITS_END, ///< All has been sent.
} hy_conform_client_stage;

/// A program under test. Private: read nothing of it.
typedef struct {
    const hy_dialect *dialect;
    int64_t status_period_us, start_us, command_us, status_due_us, enabled_since_us,
        silent_since_us, disable_us;
    int64_t longest_gap_us, reaction_us, told_us, enabled_again_us;
    uint64_t commands, malformed, unknown, repeated, falling, recount_stops, bad_values, stops,
        single_stops, moving_stops, self_enabled, damaged_sent, commands_after_damage,
        commands_after_reboot, wrapped_commands, wrapped_copies;
    uint32_t numbers[2];                 // the first number, the newest
    uint16_t status_number, last_before; // of the statuses; of those before the silence
    unsigned copies_of_stop;             // of the stop that was sent last
    unsigned burst;                      // damaged statuses that are to be sent at once
    size_t status_size;                  // of an undamaged one
    int exit_status;                     // once it has ended
    uint8_t control;                     // of the newest command
    bool has_command, has_enabled, first_was_disabled, fell_silent, has_rebooted, has_wrapped,
        has_recounted, has_enabled_recount, has_ended, is_stopped_by_silence, awaits_enable_again,
        sends_damaged;
    char bad_value[64];
} hy_conform_client;

/// Starts as a robot of `dialect` (static) that nobody has spoken to yet.
void hy_conform_client_init(hy_conform_client *self, const hy_dialect *dialect, int64_t now_us);

/// A datagram of the program. O(size).
void hy_conform_client_receive(hy_conform_client *self, hy_bytes datagram, int64_t now_us);

/// The next status that is due, into `room` (HY_WIRE_STATUS_MAX bytes); 0 if none is. Call it until
/// it returns 0.
size_t hy_conform_client_send(hy_conform_client *self, int64_t now_us, hy_room room);

/// When hy_conform_client_send() has something to do.
int64_t hy_conform_client_due_us(const hy_conform_client *self);

/// How far the run is.
hy_conform_client_stage hy_conform_client_stage_of(const hy_conform_client *self);

/// What the person at the program has to do in this stage, for the screen: static.
const char *hy_conform_client_next_step(hy_conform_client_stage stage);

/// Tells that the program was made to enable again in HY_CONFORM_CLIENT_AWAITS_ENABLE_AGAIN: that
/// it does not is its fault then, not its user's.
void hy_conform_client_told_to_enable(hy_conform_client *self, int64_t now_us);

/// Whether the newest command enables. O(1).
bool hy_conform_client_is_enabled(const hy_conform_client *self);

/// Tells how the program ended, where that is known: its exit status, or minus the number of the
/// signal that ended it.
void hy_conform_client_program_ended(hy_conform_client *self, int exit_status);

/// True once the program has driven and ended.
bool hy_conform_client_is_over(const hy_conform_client *self, int64_t now_us);

/// Writes the results. `is_cut_short`: the run was ended from outside, and the program may still
/// run.
void hy_conform_client_finish(const hy_conform_client *self, bool is_cut_short, int64_t now_us,
                              hy_conform_report *report);

/// How a program can be ended while it is enabled, apart from how its first run ended.
typedef enum {
    HY_CONFORM_CLIENT_SIGTERM,
    HY_CONFORM_CLIENT_SIGINT,
    HY_CONFORM_CLIENT_SIGKILL, ///< Never tested: no program can do anything then.
    HY_CONFORM_CLIENT_ENDS,
} hy_conform_client_end;

/// Adds the result of a run that ended so, behind those of hy_conform_client_finish(). `run` was
/// told of the program's end, if it ended; NULL: there was no such run, as there is none for
/// HY_CONFORM_CLIENT_SIGKILL.
void hy_conform_client_add_end(const hy_conform_client *run, hy_conform_client_end end,
                               hy_conform_report *report);

/// The tests, as hy_conform_test_at().
const hy_conform_test *hy_conform_client_test_at(size_t index);

#endif
