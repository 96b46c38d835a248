/// @file robot.h
/// A robot program on a PC: connect to a robot by its URL, command it, read its sensors.
///
/// The robot starts disabled, and every way out of the program stops it: disable, close, exit(),
/// the return from main(), SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE; and so does SIGTSTP (Ctrl-Z)
/// before it suspends. A stop is sent at once and repeated for 100 ms with the motors at 0, so that
/// lost datagrams do not matter. Nothing but hy_robot_enable() ever enables.
///
///     hy_robot *robot;
///     if (hy_robot_open(&robot, "xrp://192.168.42.1") != HY_OK) { return 1; }
///     while (!hy_robot_enable(robot) && hy_robot_wait(robot, 20000)) { /* until it answers */ }
///     hy_robot_set_efforts(robot, 0.5, 0.5); // half power ahead
///     hy_robot_wait(robot, 1000000);         // commands go out, statuses come in
///     printf("encoder 0: %.0f counts\n", hy_robot_encoder_counts(robot, 0));
///     hy_robot_close(robot);
///
/// ## Finding robots
///
/// Finding robots without getting into anybody's way: a class shares its network.
///
/// Who is there is asked with a probe: one datagram of one byte, which no receiver can take for a
/// command, because a command has three (docs/spec/xrp-robot.md, section 2). A Halyard board
/// answers it with one status and does nothing else. The stock XRP firmware sends its stream to
/// whoever spoke last: to a probe until the next command of the program that drives it, 20 ms
/// later, which costs that program one status at most, and for good if there is no such program. So
/// an address gets one probe a search, and a stock robot that is being driven answers only by
/// chance: the program that drives it knows where it is.
///
///     hy_robot_candidate candidates[300];
///     hy_robot_network networks[8];
///     hy_robot_search search;
///     if (hy_robot_search_open(&search, candidates, 300) != HY_OK) { return 1; }
///     const int count = hy_robot_networks(networks, 8);
///     for (int i = 0; i < count; i++) {
///         hy_robot_search_add_network(&search, &networks[i], HY_WIRE_PORT);
///     }
///     while (hy_robot_search_wait(&search, INT64_MAX)) { }
///     printf("%zu robots\n", search.found);
///     hy_robot_search_close(&search);
#ifndef HALYARD_ROBOT_H
#define HALYARD_ROBOT_H

#include <halyard/base.h>
#include <halyard/faults.h>
#include <halyard/link.h>
#include <halyard/wire.h>

HY_API_BEGIN

#define HY_ROBOT_COMMAND_PERIOD_US 20000 ///< A command goes out this often (50 Hz), enabled or not.
/// Without a status for this long the robot counts as lost and is disabled.
#define HY_ROBOT_SILENCE_US 500000
/// A program that does not poll for this long finds its robot disabled, because the robot's own
/// watchdog may have stopped it by then, and commands that go on must not start it again.
#define HY_ROBOT_PAUSE_US  400000
#define HY_ROBOT_ADDRESSES 4 ///< Most addresses of a name that are tried in turn until one answers.

/// Counters of a connection; they only grow.
typedef struct {
    uint64_t commands;    ///< Datagrams sent, repetitions among them.
    uint64_t statuses;    ///< Statuses used.
    uint64_t rx_sequence; ///< Statuses dropped as duplicate or late.
    /// Statuses with a block that ran past the datagram (what stood before it is used), or without
    /// a header.
    uint64_t rx_malformed;
    hy_wire_report first_malformed; ///< What was wrong with the first of those.
    uint64_t lost;                  ///< Statuses that did not arrive, by their numbers.
    uint64_t restarts;              ///< Times that the robot started again.
    uint64_t lost_robots;           ///< Times that the robot went silent while enabled.
    uint64_t pauses; ///< Times that the program did not poll for HY_ROBOT_PAUSE_US while enabled.
} hy_robot_counters;

/// A connection to one robot, made by hy_robot_open(). It belongs to one thread.
typedef struct hy_robot hy_robot;

// --------------------------------------------------------------------------- open and close

/// Connects to "xrp://HOST[:PORT]" or "teensy://HOST[:PORT]"; a name is resolved here, which may
/// block. The robot need not be there yet. HY_EADDRESS (not a robot's URL), HY_ENAME,
/// HY_EUNREACHABLE, HY_EMEMORY, HY_ESYSTEM; `*out` is then NULL.
///
/// Allocates about 80 kB, and the library keeps the address: a program that just ends still has its
/// robot stopped when its own variables are gone. End it with hy_robot_close(). The first call
/// registers an exit handler. While a robot is open the library handles those of SIGINT, SIGTERM,
/// SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP and SIGCONT that had the system's default action when the
/// first was opened.
hy_status hy_robot_open(hy_robot **out, const char *url);

/// The dialect that a robot's URL asks for; NULL if it is no robot's URL. Looks nothing up.
const hy_dialect *hy_robot_dialect(const char *url);

/// Stops the robot, which blocks for 100 ms (what is left of them after an emergency stop), closes
/// and frees. NULL is harmless.
void hy_robot_close(hy_robot *self);

/// True once a signal has asked the program to end; robots are disabled from then on. A second
/// SIGINT ends the program hard if it comes 200 ms or more after the first.
bool hy_robot_is_ending(void);

/// True from SIGTSTP until the process resumes: the first hy_robot_poll() disables,
/// and the one that finds all robots stopped, 100 ms later, suspends the process and returns when
/// it resumes. Nothing is enabled then. Between the two a program can give back its terminal. A
/// robot that is not polled is waited for HY_ROBOT_PAUSE_US at most.
bool hy_robot_is_suspending(void);

/// For a program whose robots are all simulated in its own process: until
/// hy_robot_unwatch_signals() signals are handled as while a robot is open, and
/// hy_robot_is_ending() and hy_robot_is_suspending() tell of them. Calls may be nested.
void hy_robot_watch_signals(void);
void hy_robot_unwatch_signals(void);

/// Suspends the process if hy_robot_is_suspending(), and returns when it resumes. Only for a
/// program without an open robot, for which nothing has to be stopped before.
void hy_robot_suspend(void);

// --------------------------------------------------------------------------- faults on purpose

/// From now on datagrams to and from the robot suffer `faults` (copied; NULL ends them), and the
/// next command has their start number, if they have one. Commands that disable are never lost,
/// delayed or altered, and what was held back before one is dropped. HY_ERANGE: faults of a robot
/// itself, which only `halyard board` has. HY_EPERMISSION: corruption, truncation, a start number
/// or outages for a robot one of whose addresses is not on this machine. HY_EMEMORY. `error` has a
/// sentence then, and nothing is injected. Allocates 540 kB, which hy_robot_close() frees.
hy_status hy_robot_set_faults(hy_robot *self, const hy_faults_spec *faults, hy_faults_error *error);

/// What these faults have done so far to datagrams to the robot and from it. False, and all is 0:
/// none are injected. O(1).
bool hy_robot_get_faults(const hy_robot *self, hy_faults_counters *to_robot,
                         hy_faults_counters *from_robot);

/// Reads what stands behind --faults: items and presets (hy_faults_parse()), or the name of a file
/// of them. HY_EFORMAT, HY_EFILE.
hy_status hy_robot_read_faults(const char *text, hy_faults_spec *out, hy_faults_error *error);

// --------------------------------------------------------------------------- enable and disable

/// Enables; false while the robot is silent, while a stop is still being repeated, after an
/// emergency stop, and once the program has been asked to end or to pause.
bool hy_robot_enable(hy_robot *self);

/// Disables at once: motors 0, also the commanded ones, so that a robot enabled again stands still
/// until it is told to move.
void hy_robot_disable(hy_robot *self);

/// Disables at once, and for good: only a new connection can enable again.
void hy_robot_emergency_stop(hy_robot *self);

/// True from hy_robot_enable() until something disables. O(1).
bool hy_robot_is_enabled(const hy_robot *self);

/// True once no repetition of a stop is left to send.
bool hy_robot_is_stopped(const hy_robot *self);

// --------------------------------------------------------------------------- commands

/// Commands a motor, servo or DIO from the next datagram on. `effort` is clamped to [-1, +1] and
/// NaN is 0; `position` is clamped to [0, 1], `servo` counts from 0. False if the robot has no such
/// channel, or `position` is NaN.
bool hy_robot_set_motor(hy_robot *self, unsigned motor, float effort);
bool hy_robot_set_servo(hy_robot *self, unsigned servo, float position);
bool hy_robot_set_dio(hy_robot *self, unsigned dio, bool level);

/// Commands the left and the right motor of a robot with two wheels, both positive forward, however
/// they are mounted; otherwise as hy_robot_set_motor(). False if it is no such robot.
bool hy_robot_set_efforts(hy_robot *self, double left, double right);

/// Commands what `command` says from the next datagram on, instead of what was commanded before:
/// its motors, servos and DIOs as they are. Its number and its control are not used.
void hy_robot_set_command(hy_robot *self, const hy_wire_command *command);

// --------------------------------------------------------------------------- readings

/// What the newest status says, in SI units; channels count from 0. NaN if it does not report that:
/// before the first status, no such channel, or firmware without that sensor. O(1), as all getters.
double hy_robot_encoder_counts(const hy_robot *self, unsigned encoder); ///< Wraps at 2^31.
/// Counts a second; 0 at rest.
double hy_robot_encoder_rate(const hy_robot *self, unsigned encoder);
/// Volts, [0, 5]. A negative voltage is how firmware says that there is no sensor: NaN.
double hy_robot_analog_v(const hy_robot *self, unsigned analog);

/// True if the newest status reports the DIO as high.
bool hy_robot_dio(const hy_robot *self, unsigned dio);

/// Angular rates and angles about x, y, z, as the robot measures them; an XRP's angle about z
/// starts at pi and wraps at 2 pi. All NaN and false if the newest status has no gyro.
bool hy_robot_gyro(const hy_robot *self, double rate_rad_s[3], double angle_rad[3]);

/// Specific force along x, y, z: at rest on level ground (0, 0, +9.80665). All NaN and false if the
/// newest status has none.
bool hy_robot_accel(const hy_robot *self, double accel_m_s2[3]);

/// The newest status as it was sent, in the wire's units; all zero before the first. It stays the
/// robot's and changes with every poll.
const hy_wire_status *hy_robot_get_status(const hy_robot *self);

/// When the newest status came (hy_clock_now_us()); INT64_MIN before the first.
int64_t hy_robot_get_status_us(const hy_robot *self);

// --------------------------------------------------------------------------- the loop

/// Lets `duration_us` pass while commands go out and statuses come in: the simplest loop there is.
/// INT64_MAX is for ever. True when it has passed; false, early, once the program has been asked to
/// end: the stop is sent by then. If no robot has answered 2 s after it was opened, stderr says
/// once what to do.
bool hy_robot_wait(hy_robot *self, int64_t duration_us);

/// For a loop of one's own: receives what has come and sends what is due at `now_us`
/// (hy_clock_now_us()). Call it when hy_robot_descriptor() is readable, at hy_robot_due_us(), and
/// after a signal. Not called for HY_ROBOT_PAUSE_US (the program was suspended, or busy), it
/// disables.
void hy_robot_poll(hy_robot *self, int64_t now_us);

/// When hy_robot_poll() has something to send next, on the clock of hy_clock_now_us(). O(1).
int64_t hy_robot_due_us(const hy_robot *self);

/// The socket, for poll(2) and its like; it stays the robot's. Ask before every wait: it may be
/// another one after a poll as long as no status has come, or -1 (which poll(2) skips) while the
/// system has none left. O(1).
intptr_t hy_robot_descriptor(const hy_robot *self);

// --------------------------------------------------------------------------- how the link does

/// True if a status came within HY_ROBOT_SILENCE_US.
bool hy_robot_is_up(const hy_robot *self, int64_t now_us);

/// The dialect that the robot's URL asked for.
const hy_dialect *hy_robot_get_dialect(const hy_robot *self);

/// The address that is spoken to now: a name may have several, which are tried in turn until one
/// answers.
hy_endpoint hy_robot_get_address(const hy_robot *self);

/// The counters as they are now. O(1), a copy.
hy_robot_counters hy_robot_get_counters(const hy_robot *self);

/// What can be told of the way from the robot to here; the protocol has nothing to measure the way
/// there with.
typedef struct {
    /// Statuses that came, a second; 0 before the second one, and when they have stopped.
    double rate_hz;
    double loss;       ///< Share of the statuses that got lost, [0, 1], over the same window.
    double loss_total; ///< The same since hy_robot_open().
    int64_t age_us;    ///< Since the newest status; INT64_MAX before the first.
} hy_robot_figures;
hy_robot_figures hy_robot_measure(const hy_robot *self, int64_t now_us);

// --------------------------------------------------------------------------- finding robots

/// Where an XRP is in the Wi-Fi that it makes itself.
#define HY_ROBOT_ACCESS_POINT    "192.168.42.1"
#define HY_ROBOT_PROBE_PERIOD_US 10000   ///< A search asks this often: 100 addresses a second.
#define HY_ROBOT_ANSWER_US       1000000 ///< So long a search waits for the last answers.
/// A status that comes so long after a probe is no answer to it any more: it is a stream.
#define HY_ROBOT_STREAM_US 150000
#define HY_ROBOT_SWEEP_MAX 254 ///< Addresses of the largest network that is swept, a /24.

// --------------------------------------------------------------------------- what an address means

/// Finds up to `room` (> 0) endpoints of "xrp://HOST[:PORT]" or "teensy://HOST[:PORT]", and its
/// dialect. A name may block for seconds. Returns how many, or HY_EADDRESS (not a robot's URL),
/// HY_ENAME, HY_ESYSTEM.
int hy_robot_resolve(const char *url, const hy_dialect **dialect, hy_endpoint *out, size_t room);

#define HY_ROBOT_MISSING_MAX 160

/// What a person can do about a robot that does not answer at `url`, written into `text`: "is it
/// on, and is its address right?", or, if it would be on this computer, the line to type that
/// starts one. Returns `text`. Looks a name up, which may block.
const char *hy_robot_missing(const char *url, char text[HY_ROBOT_MISSING_MAX]);

/// The dialect in which `datagram` is a status, or NULL if it is none: cut, without a block that
/// robots send, or too short. What fits both dialects is taken for `likely` (may be NULL). O(size).
const hy_dialect *hy_robot_recognize(hy_bytes datagram, const hy_dialect *likely);

/// Asks `address` who is there: sends one probe through `link`. A robot answers with one status.
/// Fails as hy_link_send().
hy_status hy_robot_probe(hy_link *link, const hy_endpoint *address);

// ----------------------------------------------------------------------- networks of this computer

/// An IPv4 network that this computer is in.
typedef struct {
    char name[32];        ///< Of the interface.
    hy_endpoint own;      ///< This computer's address in it; port 0.
    unsigned prefix_bits; ///< 24 for a netmask of 255.255.255.0.
    bool is_loopback;
} hy_robot_network;

/// The IPv4 networks of all interfaces that are up, at most `room`. Returns how many, or
/// HY_ESYSTEM. Allocates for the duration of the call (the system's list).
int hy_robot_networks(hy_robot_network *out, size_t room);

#define HY_ROBOT_REACHABLE_MAX 256 ///< Bytes of a list of addresses, with its end.
#define HY_ROBOT_NOTICE_MAX    768 ///< Bytes of a notice, with its end.

/// Where other machines reach what listens on `listen`, with blanks between: the address itself,
/// or, if it is 0.0.0.0 or [::], the IPv4 addresses of this computer ("" if it has none). Returns
/// `out`. Allocates for the duration of the call.
const char *hy_robot_reachable_at(const hy_endpoint *listen, char out[HY_ROBOT_REACHABLE_MAX]);

/// The line "network: ..." (without its end) of a program that listens on an address that other
/// machines can reach: where, and what they can do; `can` continues "whoever can reach it", and is
/// cut after 400 bytes. False, and "", for a loopback address. Allocates for the duration of the
/// call.
bool hy_robot_network_notice(const hy_endpoint *listen, const char *can,
                             char text[HY_ROBOT_NOTICE_MAX]);

/// True if `address` is in `network`.
bool hy_robot_network_has(const hy_robot_network *network, const hy_endpoint *address);

/// How many addresses a sweep of `network` asks: all but its own two and this computer's.
uint32_t hy_robot_network_hosts(const hy_robot_network *network);

// --------------------------------------------------------------------------- a search

/// One address and what came from it.
typedef struct {
    hy_endpoint address;
    const hy_dialect *dialect; ///< Of its statuses; NULL while there is none.
    int64_t asked_us;          ///< When the probe went out; INT64_MIN: it has not.
    int64_t answered_us;       ///< When the first status came; INT64_MIN: none has.
    uint32_t statuses;         ///< That came.
    /// Of these, later than HY_ROBOT_STREAM_US after the probe: it sends us its stream.
    uint32_t late_statuses;
    /// Datagrams from there that are no status: something else lives at that port.
    uint32_t others;
    bool is_unreachable; ///< The system had no way to send there.
} hy_robot_candidate;

/// A search under way. The caller owns it and the list; it belongs to one thread. A closed or
/// zero-initialised one holds nothing.
typedef struct {
    // Read-only for the caller.
    hy_robot_candidate *candidates;
    size_t count, room;
    size_t asked; ///< The first so many have had their probe.
    size_t found; ///< Candidates with a status.
    hy_link link;
    // Private.
    int64_t send_due_us, end_us;
    unsigned refusals; // of the present probe, for a full buffer
} hy_robot_search;

/// Starts a search of the addresses that are added next; `candidates` (`room` of them) must outlive
/// it. Nothing is sent yet. Fails as hy_link_open().
hy_status hy_robot_search_open(hy_robot_search *self, hy_robot_candidate *candidates, size_t room);

/// Adds an address, once however often it is given. HY_EFULL; HY_EADDRESS for port 0.
hy_status hy_robot_search_add(hy_robot_search *self, const hy_endpoint *address);

/// Adds every address of `network` but its own two and this computer's. HY_ERANGE, and nothing is
/// added, if it is larger than a /24: so many strangers are not asked. HY_EFULL if not all of it
/// fitted.
hy_status hy_robot_search_add_network(hy_robot_search *self, const hy_robot_network *network,
                                      uint16_t port);

/// Asks whom it is time to ask, takes in what has come; O(count) for a batch of answers. False once
/// it is over, HY_ROBOT_ANSWER_US after the last probe. Call it when the descriptor is readable and
/// at hy_robot_search_due_us().
bool hy_robot_search_poll(hy_robot_search *self, int64_t now_us);

/// When hy_robot_search_poll() has something to do even if nothing comes. O(1).
int64_t hy_robot_search_due_us(const hy_robot_search *self);

/// For poll(2). It stays the search's.
intptr_t hy_robot_search_descriptor(const hy_robot_search *self);

/// Polls and waits until the search is over or `until_us` has come; false once it is over.
bool hy_robot_search_wait(hy_robot_search *self, int64_t until_us);

/// Ends it; the candidates stay as they are. Harmless when closed.
void hy_robot_search_close(hy_robot_search *self);

HY_API_END

#endif
