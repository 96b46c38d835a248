/// @file core.h
/// A robot's core in the four-part simulator: sticks from the joystick and state from the sim in,
/// motor commands out (docs/spec/icd.md). The frame around a mapping of one's own; the reference
/// mapping is in player.h.
///
///     static hy_icd_commands drive(void *context, const hy_core_input *in)
///     {
///         (void)context;
///         return (hy_icd_commands){ .left_drive = in->sticks.left_y,
///                                   .right_drive = in->sticks.right_y };
///     }
///
///     int main(void)
///     {
///         return hy_core_run(&(hy_core_options){ .player = 1 }, drive, NULL) == HY_OK ? 0 : 1;
///     }
///
/// A joystick that is silent for HY_CORE_SILENCE_US has its sticks at zero and its buttons up, and
/// a core that closes or is asked to end (SIGINT, SIGTERM, SIGHUP) stops its robot first: commands
/// of zero, at once and repeated for 100 ms.
#ifndef HALYARD_CORE_H
#define HALYARD_CORE_H

#include <halyard/base.h>
#include <halyard/icd.h>
#include <halyard/link.h>
#include <halyard/player.h>

HY_API_BEGIN

/// Commands go out at least this often; also with every message of the joystick.
#define HY_CORE_PERIOD_US  10000
#define HY_CORE_LIDAR_MAX  1600   ///< Lidar points that wait for the next call: two sweeps.
#define HY_CORE_SILENCE_US 500000 ///< A joystick or a sim that said nothing for so long is away.

// --------------------------------------------------------------------------- a core of one's own

/// What a mapping sees.
typedef struct {
    hy_icd_sticks sticks; ///< All zero while the joystick is away.
    /// The newest state; all zero before the first. Its lidar points are all that came since the
    /// last call.
    hy_icd_sensors sensors;
    bool joystick_up, sim_up; ///< Said something within HY_CORE_SILENCE_US.
    bool is_new;              ///< The sensors came since the last call.
    int64_t now_us;           ///< hy_clock_now_us().
} hy_core_input;

/// Called for every message of the joystick, and every HY_CORE_PERIOD_US without one. What it
/// returns is sent.
typedef hy_icd_commands hy_core_program(void *context, const hy_core_input *input);

/// Called for each message that is dropped as malformed or for its sender, with the reason, which
/// is valid until it returns: "not JSON at byte 7: ...". `context` is the program's.
typedef void hy_core_refused(void *context, const hy_endpoint *from, const char *why);

/// All zero, but for the player, is the usual arrangement on one machine.
typedef struct {
    unsigned player;            ///< 1 .. HY_ICD_PLAYERS.
    const char *listen;         ///< Address to bind, without a port; NULL is 127.0.0.1.
    const char *joystick, *sim; ///< Hosts, literals or names, without a port; NULL is 127.0.0.1.
    hy_icd_ports ports;         ///< All zero: the document's.
    unsigned shift;             ///< Added to every port: another match on the same machine.
    /// Accept any sender's address, only its port is checked, as the reference does.
    bool any_address;
    /// Accept sticks from any port of the joystick's host: of programs that send from a port of the
    /// system's choosing. Heartbeats still go to the port that a joystick listens on, as the
    /// reference's do.
    bool any_port;
    /// Tell the sim which sticks were used, at HY_ICD_SIM_STICKS: when they change and ten times a
    /// second. For recordings; nothing answers.
    bool report_sticks;
    hy_core_refused *refused; ///< NULL: what is dropped is only counted.
} hy_core_options;

/// Counters of a core; they only grow.
typedef struct {
    uint64_t sticks, sensors; ///< Messages used.
    uint64_t commands;        ///< Messages sent, repetitions of a stop among them.
    uint64_t heartbeats;      ///< Answers to the joystick.
    uint64_t rx_malformed;    ///< Dropped: not the message that belongs there.
    /// Dropped: sticks that were read HY_CORE_SILENCE_US after their arrival or later.
    uint64_t rx_old;
    /// Dropped: from another port or address than the joystick's, or the sim's.
    uint64_t rx_strangers;
    /// Points that found HY_CORE_LIDAR_MAX others waiting for the next call.
    uint64_t lidar_left_out;
    uint64_t joystick_silences, sim_silences; ///< Times that one went away.
} hy_core_counters;

/// A core that runs. Belongs to one thread.
typedef struct {
    // Read-only for the caller.
    hy_core_counters counters;
    hy_core_input input;      ///< As given to the program last.
    hy_icd_commands commands; ///< As sent last.
    // Private.
    hy_link to_joystick, to_sim;
    hy_endpoint joystick, sim;
    hy_endpoint sticks_at; // port 0: sticks are not reported
    hy_icd_sticks reported;
    int64_t report_due_us;
    hy_icd_reader *reader;
    hy_core_program *program;
    hy_core_refused *refused;
    void *context;
    hy_icd_lidar_point points[HY_CORE_LIDAR_MAX];
    int64_t sticks_us, sensors_us, due_us;
    bool any_address, any_port, is_stopped;
} hy_core;

/// Opens both ports and starts. HY_EADDRESS (also a host with a port, or IPv6 from IPv4), HY_ENAME,
/// HY_EINUSE, HY_ERANGE (no such player or port), HY_EMEMORY, HY_ESYSTEM; `self` is closed then.
/// Resolving names may block. `self` need not be initialised.
hy_status hy_core_open(hy_core *self, const hy_core_options *options, hy_core_program *program,
                       void *context);

/// Stops the robot, which takes 100 ms, and closes. Harmless on a closed or zero-initialised core.
void hy_core_close(hy_core *self);

/// Receives what has come and sends what is due at `now_us`. Call it when one of the links is
/// readable (hy_link_descriptor(&self->to_joystick), ... to_sim), and every HY_CORE_PERIOD_US.
void hy_core_poll(hy_core *self, int64_t now_us);

/// Polls until the process is asked to end, and stops the robot. HY_OK, HY_EFULL if another loop of
/// the process has the signals, HY_ESYSTEM.
hy_status hy_core_serve(hy_core *self);

/// Open, serve, close. Prints nothing.
hy_status hy_core_run(const hy_core_options *options, hy_core_program *program, void *context);

HY_API_END

#endif
