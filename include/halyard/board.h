/// @file board.h
/// What a robot's electronics do between radio and pins: an XRP as its stock firmware behaves on
/// the wire, with or without its defects, or a Teensy that drives a swerve robot. A board owns no
/// socket and no clock: feed it datagrams, sensor readings and the time; ask it for datagrams to
/// send and for its outputs.
///
/// No allocation. One thread at a time. Every call is O(size of the datagram) or O(1). `now_us` is
/// any clock that does not fall from call to call. If it falls all the same, the watchdog and the
/// statuses come too late by as much, and encoder periods are wrong until it has caught up.
///
///     // A virtual robot without a socket; `memory` has hy_board_size() bytes.
///     static void answer(void *memory, const hy_endpoint *client, hy_bytes command)
///     {
///         const hy_board_options options = { .kind = &hy_board_xrp };
///         hy_board *const board = hy_board_init(memory, &options, 0);
///         hy_board_receive(board, client, command, 1000);
///         hy_board_sense(board, &(hy_sensors){ .battery_v = 6.0 }, 10000);
///         uint8_t bytes[HY_WIRE_STATUS_MAX];
///         hy_endpoint to;
///         const size_t size = hy_board_send(board, 10000, &to, (hy_room){ bytes, sizeof bytes });
///         printf("%zu bytes; motor 0 at %.2f\n", size, hy_board_actuators(board)->motor_duty[0]);
///     }
///
/// ## What a board's kind consists of
///
/// A kind of board: what one robot's firmware and hardware do differently from another's. To add a
/// robot, write a dialect, a kind and a row of the table of robots (halyard/robots.h). Everything
/// that is not here is the same for all boards: who commands, enabling, the watchdog, encoders, the
/// LED, the button, the stream of statuses.
///
///     static void move(hy_board *self, const hy_wire_value *v)
///     {
///         if (v->kind == HY_WIRE_MOTOR && v->id < 2) {
///             const double duty = hy_clamp((double)v->value, -1.0, 1.0, 0.0);
///             hy_board_outputs(self)->motor_duty[v->id] = duty;
///         }
///     }
///     extern const hy_dialect my_dialect;
///     const hy_board_kind my_board = { .dialect = &my_dialect,
///                                      .status_period_us = 20000,
///                                      .encoder_hz = 1000000,
///                                      .led_dio = 1,
///                                      .move = move };
///
/// The functions of a kind are called by the board's own calls, on the same thread: no allocation,
/// no clock, O(1).
#ifndef HALYARD_BOARD_H
#define HALYARD_BOARD_H

#include <halyard/base.h>
#include <halyard/wire.h>

HY_API_BEGIN

/// The firmware and hardware of one controller: its dialect, its pins, what it makes of them. What
/// it consists of is at the end of this header, for a robot of one's own; halyard/robots.h lists
/// the robots that there are.
typedef struct hy_board_kind hy_board_kind;

/// RP2350: four servos, encoder clock 9 375 000 Hz. docs/spec/xrp-robot.md
extern const hy_board_kind hy_board_xrp;
extern const hy_board_kind hy_board_xrp_beta; ///< RP2040: two servos, encoder clock 8 312 500 Hz.
extern const hy_board_kind hy_board_teensy;   ///< docs/spec/teensy-robot.md

/// Which encoder block the firmware sends.
typedef enum {
    HY_ENCODER_LONG,  ///< Count and period (firmware 1.1.0 and newer): 128-byte status.
    HY_ENCODER_SHORT, ///< Count only (firmware 1.0.1 and older): 96-byte status.
} hy_encoder_format;

/// What to build.
typedef struct {
    const hy_board_kind *kind;        ///< Must be set; it must outlive the board.
    hy_encoder_format encoder_format; ///< Of any kind.
    /// Keep every known defect of the stock firmware (sequence wrap, stream theft, stale bytes
    /// under a cut block, no clamping, overflowing values), for testing clients against the real
    /// thing. Only for a kind that has them: hy_board_has_stock_bugs().
    bool stock_bugs;
} hy_board_options;

#define HY_XRP_STATUS_PERIOD_US 50000 ///< As measured of the stock firmware: 20 statuses a second.
/// docs/spec/teensy-robot.md: as often as WPILib commands.
#define HY_TEENSY_STATUS_PERIOD_US 20000
/// Outputs off after so long without an accepted command.
#define HY_BOARD_WATCHDOG_US 500000

/// Counters of a board; they only grow.
typedef struct {
    uint64_t commands;     ///< Accepted.
    uint64_t rx_too_short; ///< Dropped: no header (probes among them).
    uint64_t rx_sequence;  ///< Dropped: duplicate or late.
    /// Of these: commands of the owner with control 0, which disabled all the same.
    uint64_t late_stops;
    /// Dropped: in order, but the board got it HY_BOARD_WATCHDOG_US after its arrival or later.
    uint64_t rx_old;
    uint64_t losses;          ///< hy_board_note_loss().
    uint64_t rx_strangers;    ///< Dropped: not from the owner, who is alive.
    uint64_t rx_malformed;    ///< Accepted, but with a block that ran past the datagram.
    uint64_t probes_answered; ///< One-byte datagrams from strangers answered by one status.
    uint64_t probes_dropped;  ///< Probes that found too many others waiting for their answer.
    uint64_t watchdog_trips;  ///< The outputs were shut off for lack of commands.
    uint64_t statuses;        ///< Sent.
    /// Numbers that accepted commands skipped: hy_seq_gate.lost of all. 0 with stock defects.
    uint64_t commands_lost;
} hy_board_counters;

/// A board; what it is made of is its own. It lies in memory of the caller's, and ends when that
/// does: nothing has to be closed.
typedef struct hy_board hy_board;

/// Bytes that a board of any kind needs; the caller provides them, the library keeps none.
size_t hy_board_size(void);

/// True if there is a stock firmware of `kind` whose defects can be kept.
bool hy_board_has_stock_bugs(const hy_board_kind *kind);

/// Starts a board in `memory` (hy_board_size() bytes, aligned as malloc() does) as if just powered
/// up at `now_us`.
hy_board *hy_board_init(void *memory, const hy_board_options *options, int64_t now_us);

/// A datagram arrived from `from`. Any bytes will do: what is no command of whoever owns the board
/// is counted and dropped, one byte from anybody else is a probe that hy_board_send() answers with
/// one status (docs/spec/xrp-robot.md, section 2). The bytes are not kept. `at_us` is when it
/// arrived at this machine, and may lie before the times of the other calls, which it does not move
/// on: the watchdog runs from there, and a command that has waited for HY_BOARD_WATCHDOG_US moves
/// nothing.
void hy_board_receive(hy_board *self, const hy_endpoint *from, hy_bytes datagram, int64_t at_us);

/// Datagrams that a board does no more with than to count them.
typedef struct {
    uint64_t strangers, too_short; ///< See hy_board_counters.
} hy_board_refused;

/// Whether a datagram has to be received. False: receiving it would do no more than count it, and
/// `sum` counts it instead, for hy_board_note_refused(). True: `datagram` is cut to what receiving
/// it would look at. The board is as before. O(1), about 0.1 us.
bool hy_board_admits(const hy_board *self, const hy_endpoint *from, hy_bytes *datagram,
                     int64_t at_us, hy_board_refused *sum);

/// Adds to the board's counters, as if those datagrams had been received.
void hy_board_note_refused(hy_board *self, const hy_board_refused *sum);

/// Datagrams were lost before the board got them, maybe stops: the outputs are shut off until the
/// next command. Who owns the board owns it until the watchdog's time is over: a flood of datagrams
/// is no way to take it over.
void hy_board_note_loss(hy_board *self);

/// Somebody stops the robot, whoever drives it: the outputs are shut off, and no command enables it
/// before its owner has sent one with control 0. Such a stop holds until a program begins anew.
void hy_board_stop(hy_board *self);

/// The pins at `now_us`; call it after every step of the world, times never falling. Also runs the
/// watchdog.
void hy_board_sense(hy_board *self, const hy_sensors *sensors, int64_t now_us);

/// Whether it makes no difference to this board what hy_sensors.reflectance hy_board_sense() gets,
/// if hy_board_see_floor() brings it before hy_board_send() writes a status, which is from
/// hy_board_due_us() on, and before hy_board_hash(). Looking at a mat costs more than all the rest
/// of a step, and a status is sent only every few steps.
bool hy_board_sees_floor_late(const hy_board *self);

/// The reflectance at the last hy_board_sense(), of a board that sees the floor late.
void hy_board_see_floor(hy_board *self, const double reflectance[HY_PIN_REFLECTANCE]);

/// The next datagram that is due at `now_us`, into `room` (at least HY_WIRE_STATUS_MAX bytes):
/// returns its size and sets `to`; 0 if nothing is due. Call it until it returns 0.
size_t hy_board_send(hy_board *self, int64_t now_us, hy_endpoint *to, hy_room room);

/// When hy_board_send() or the watchdog will have something to do; INT64_MAX if nothing is planned.
int64_t hy_board_due_us(const hy_board *self);

/// What it speaks (static), and how often: microseconds between two statuses.
const hy_dialect *hy_board_dialect(const hy_board *self);
int64_t hy_board_status_period_us(const hy_board *self);

/// What the outputs are now: valid as long as the board, changed by the calls above.
const hy_actuators *hy_board_actuators(const hy_board *self);

/// True while commands are obeyed.
bool hy_board_is_enabled(const hy_board *self);

/// True from hy_board_stop() until its owner has disabled it.
bool hy_board_is_stopped(const hy_board *self);

/// Who commands the board now; nobody if all zero.
hy_endpoint hy_board_owner(const hy_board *self);

/// What happened since the start: the board's own, valid as long as it is and growing with each
/// call.
const hy_board_counters *hy_board_counts(const hy_board *self);

/// A hash over everything that decides what the board does next, its counters included: equal
/// boards, equal hashes. O(1); with stock defects also over the 8 KiB of old bytes that those read.
uint64_t hy_board_hash(const hy_board *self);

// ----------------------------------------------------------------- what a board's kind consists of

#define HY_BOARD_STATE_MAX 8448 ///< Bytes: the most that a kind can keep about one board.

/// What is zero or NULL is a property that the kind does not have, but for `dialect`,
/// `status_period_us`, `encoder_hz` (if the dialect has encoders) and `move`, which every kind
/// needs.
struct hy_board_kind {
    const hy_dialect *dialect;
    int64_t status_period_us;   ///< Between two statuses, > 0.
    int64_t encoder_hz;         ///< Clock that times encoder counts: the status's period_den.
    unsigned servos;            ///< Servos that have a pin; at most HY_PIN_SERVOS.
    unsigned turned_encoders;   ///< Bit n: the firmware reports encoder n with the opposite sign.
    unsigned button_dio;        ///< DIO on which the user button is reported.
    unsigned led_dio;           ///< DIO that lights the LED.
    bool counts_while_disabled; ///< Its encoders count also while the robot is disabled.
    bool has_stock_bugs;        ///< hy_board_options.stock_bugs means something for it.
    size_t state_size;          ///< Bytes of hy_board_own(), at most HY_BOARD_STATE_MAX.
    /// Fills the kind's own state, which is zeroed before, at power-up.
    void (*start)(hy_board *self, int64_t now_us);
    /// Obeys the blocks of an accepted command; NULL: hy_board_obey().
    void (*obey)(hy_board *self, hy_bytes datagram);
    /// Moves what a motor or servo block names; called only while enabled. The value is as it was
    /// sent, maybe NaN.
    void (*move)(hy_board *self, const hy_wire_value *value);
    /// Reads the pins that only this robot has.
    void (*sense)(hy_board *self, const hy_sensors *sensors, int64_t now_us);
    /// Replaces the reflectance that `sense` read, just before a status is written; NULL: the kind
    /// needs it in `sense`. See hy_board_sees_floor_late().
    void (*see_floor)(hy_board *self, const double reflectance[HY_PIN_REFLECTANCE]);
    /// Adds to a status what `sense` read; encoders and the button are there already.
    void (*report)(const hy_board *self, hy_wire_status *status);
    /// Adds the kind's own state to a hash, number by number; NULL: its bytes, which then must not
    /// have pointers or padding.
    void (*hash)(const hy_board *self, hy_hash *hash);
};

/// Obeys every block of a datagram up to its end, or to the first that runs past it.
void hy_board_obey(hy_board *self, hy_bytes datagram);

/// What the kind keeps about this board: `state_size` bytes, aligned for any type.
void *hy_board_own(hy_board *self);
const void *hy_board_own_const(const hy_board *self);

/// The outputs, for `move` to change.
hy_actuators *hy_board_outputs(hy_board *self);

HY_API_END

#endif
