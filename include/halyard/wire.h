/// @file wire.h
/// The bytes that a robot program and a robot exchange over UDP: all dialects, both directions, the
/// rules of the sequence number, and the stop that is never lost. Every byte is specified in
/// docs/spec/wire.md.
///
/// Freestanding C11: no operating system, no allocation, no global state, no clock (time is an
/// argument). Nothing here reads or writes outside the bytes it is given. Quantities keep the units
/// of the wire, which their names state; what lies above converts once. Every function may be
/// called from any thread; one struct (an iterator, a writer, a commander) serves one thread at a
/// time.
///
///     static float first_motor(const hy_dialect *dialect, hy_bytes datagram)
///     {
///         hy_wire_command command;
///         const hy_wire_report report = dialect->command_decode(datagram, &command);
///         const bool is_there = report.error != HY_WIRE_NO_HEADER && (command.motors & 1u) != 0;
///         return is_there ? command.motor[0] : 0.0f;
///     }
///
/// ## A client's side of a link
///
/// A client's side of the link to one robot, as pure logic: where the robot may be and where it
/// answers, which of its statuses are new, whether it has started again, whether it is silent, and
/// what to send to it. It owns no socket and no clock:
///
///     static void take(hy_peer *peer, const hy_dialect *dialect, const hy_endpoint *robot,
///                      hy_bytes bytes)
///     {
///         hy_peer_init(peer, dialect, 500000);
///         hy_peer_set_addresses(peer, robot, 1);
///         hy_wire_status status; // a datagram came at 1 s:
///         if (hy_peer_take(peer, robot, bytes, 1000000, &status) & HY_PEER_STATUS) {
///             printf("%d\n", (int)status.encoder[0].count);
///         }
///     }
///
/// Freestanding; one peer serves one thread at a time. Every call is O(1) or O(size of the
/// datagram).
///
/// ## The XRP's dialect
///
/// The XRP's dialect (docs/spec/wire.md 4), for a program that speaks one dialect and links only
/// that. Programs that speak every dialect take them from the table of robots, halyard/robots.h.
///
///     uint8_t bytes[HY_WIRE_COMMAND_MAX];
///     const hy_wire_command command = { .seq = 1, .motors = 1, .motor = { 0.5f } };
///     const size_t size = hy_xrp_command_encode(&command, (hy_room){ bytes, sizeof bytes });
///
/// ## The Teensy's dialect
///
/// The Teensy's dialect (docs/spec/wire.md 5), for a program that speaks one dialect and links only
/// that. Programs that speak every dialect take them from the table of robots, halyard/robots.h.
///
///     uint8_t bytes[HY_WIRE_COMMAND_MAX];
///     const hy_wire_command command = { .seq = 1, .motors = 1, .motor = { 0.5f } };
///     const size_t size = hy_teensy_command_encode(&command, (hy_room){ bytes, sizeof bytes });
#ifndef HALYARD_WIRE_H
#define HALYARD_WIRE_H

#include <halyard/base.h>

HY_API_BEGIN

#define HY_WIRE_PORT        3540 ///< UDP port of a robot, whatever its dialect.
#define HY_WIRE_HEADER_SIZE 3    ///< Sequence (2 bytes) and control (1 byte).
/// Largest payload of one block: its size byte counts the tag too.
#define HY_WIRE_PAYLOAD_MAX     254
#define HY_WIRE_CONTROL_ENABLED 1 ///< Of a command's control byte; every other value disables.
/// Bytes that a whole struct would take, the most that an encoder can write: 8 motors, 4 servos, 32
/// DIOs; and 8 encoders, 32 DIOs, gyro, accelerometer, 8 analogs. No dialect has all of these: the
/// longest command has 187 bytes, the longest status 287 (XRP) or 333 (Teensy).
#define HY_WIRE_COMMAND_MAX 215
#define HY_WIRE_STATUS_MAX  347

// Most channels of each kind in any dialect: what the structs below have room for.
#define HY_WIRE_MOTORS         8
#define HY_WIRE_SERVOS         4
#define HY_WIRE_SERVO_FIRST_ID 4 ///< Servo 1 has id 4 on the wire.
#define HY_WIRE_DIOS           32
#define HY_WIRE_ANALOGS        8
#define HY_WIRE_ENCODERS       8

// --------------------------------------------------------------------------- blocks

/// What a block carries. Its tag differs between dialects.
typedef enum {
    HY_WIRE_UNKNOWN,
    HY_WIRE_MOTOR,
    HY_WIRE_SERVO,
    HY_WIRE_DIO,
    HY_WIRE_ANALOG,
    HY_WIRE_GYRO,
    HY_WIRE_ACCEL,
    HY_WIRE_ENCODER,
    HY_WIRE_KINDS ///< Number of kinds, HY_WIRE_UNKNOWN included.
} hy_wire_kind;

/// One [size][tag][payload] block; the payload points into the datagram.
typedef struct {
    uint8_t tag;      ///< What the payload is, in the sender's dialect: hy_dialect_kind().
    size_t at;        ///< Offset of the size byte in the datagram.
    hy_bytes payload; ///< 0..254 bytes behind the tag; valid as long as the datagram.
} hy_block;

/// Walks the blocks of a datagram. Private but for `malformed` and `error_at`.
typedef struct {
    hy_bytes datagram;
    size_t next;     ///< Offset of the next size byte.
    bool malformed;  ///< The last block ran past the datagram.
    size_t error_at; ///< Offset of the size byte of that block.
} hy_block_iter;

/// Starts behind the header of `datagram`, which may be shorter than a header: then there is no
/// block. The bytes must outlive the iterator. O(1), cannot fail.
hy_block_iter hy_block_begin(hy_bytes datagram);

/// Steps to the next block. False at the end: `malformed` then tells a clean end from a cut block.
/// A size byte of 0 is padding, one byte long. O(1) but for padding, no copy.
bool hy_block_next(hy_block_iter *iter, hy_block *out);

/// Builds a datagram block by block. `full` is set, and stays set, once something did not fit; what
/// was written before it stays whole.
typedef struct {
    hy_room room;
    size_t size; ///< Bytes written so far.
    bool full;
} hy_block_writer;

/// Starts a datagram in `room` with its header; `room` must outlive the writer. Too small a room
/// sets `full`. O(1).
hy_block_writer hy_block_write_begin(hy_room room, uint16_t seq, uint8_t control);

/// Appends one block, whose payload is copied. False, and `full`, if it does not fit or `payload`
/// is longer than HY_WIRE_PAYLOAD_MAX. O(size of the payload).
bool hy_block_write(hy_block_writer *writer, uint8_t tag, hy_bytes payload);

/// One block, understood: the fields that its kind has are set, the others are 0.
typedef struct {
    /// HY_WIRE_UNKNOWN also for a known tag whose payload is too short for its kind.
    hy_wire_kind kind;
    uint8_t id;      ///< Channel as it stands in the block; 0 for gyro and accelerometer.
    bool has_period; ///< Encoder: the long form, with the period.
    float value;   ///< Motor [-1, +1], servo [0, 1], analog volts: as sent, not clamped, maybe NaN.
    uint8_t level; ///< DIO: the byte as sent; only 1 is "high".
    int32_t count; ///< Encoder.
    uint32_t period_num, period_den; ///< Encoder: see hy_wire_encoder_rate().
    float rate_dps[3], angle_deg[3]; ///< Gyro, about x, y, z.
    float accel_g[3];                ///< Accelerometer, along x, y, z.
} hy_wire_value;

// --------------------------------------------------------------------------- packets

/// Client to robot. A block that is not commanded is not sent, and leaves the robot's output alone.
typedef struct {
    uint16_t seq;                ///< hy_seq_sender_next() has the numbers that lose no command.
    uint8_t control;             ///< HY_WIRE_CONTROL_ENABLED enables; every other value disables.
    uint8_t motors;              ///< Bit n: motor n is commanded.
    uint8_t servos;              ///< Bit n: servo n (id n + 4) is commanded.
    uint32_t dios;               ///< Bit n: DIO n is commanded.
    uint32_t dio_levels;         ///< Bit n: DIO n is high.
    float motor[HY_WIRE_MOTORS]; ///< Effort, [-1, +1]. Decoded as sent; encoded clamped, NaN as 0.
    /// Position, [0, 1]. Decoded as sent; encoded clamped, NaN not at all.
    float servo[HY_WIRE_SERVOS];
} hy_wire_command;

/// One encoder, as the robot reports it.
typedef struct {
    int32_t count;       ///< Quadrature counts; wraps.
    uint32_t period_num; ///< (clock ticks per count << 1) | 1 if counting up.
    uint32_t period_den; ///< Clock ticks per second.
    bool has_period;     ///< False: firmware that sends only the count.
} hy_wire_encoder;

/// Robot to client. What a robot does not report has its bit or flag clear and its value 0.
typedef struct {
    uint16_t seq;             ///< hy_seq_gate_accept() says whether it is new.
    uint8_t control;          ///< Unspecified; 0 from the stock firmware.
    uint8_t encoders;         ///< Bit n: encoder n is reported.
    uint8_t analogs;          ///< Bit n: analog input n is reported.
    bool has_gyro, has_accel; ///< Whether the fields of that name below were reported.
    uint32_t dios;            ///< Bit n: DIO n is reported.
    uint32_t dio_levels;      ///< Bit n: DIO n is high.
    hy_wire_encoder encoder[HY_WIRE_ENCODERS];
    float gyro_rate_dps[3],
        gyro_angle_deg[3]; ///< About x, y, z; the XRP's z angle starts at 180 and wraps at 360.
    float accel_g[3];      ///< Along x, y, z; z is +1 at rest.
    float analog_v[HY_WIRE_ANALOGS]; ///< Volts, 0..5.
} hy_wire_status;

typedef enum {
    HY_WIRE_WELL_FORMED,
    HY_WIRE_NO_HEADER, ///< Fewer than 3 bytes: nothing was decoded.
    HY_WIRE_CUT_BLOCK, ///< A block runs past the datagram: what stood before it was decoded.
} hy_wire_error;

/// What decoding met. Skipped blocks are no error: the field's newer firmware sends kinds that
/// older clients do not know.
typedef struct {
    hy_wire_error error;
    size_t error_at;  ///< HY_WIRE_CUT_BLOCK: offset of that block's size byte.
    uint16_t unknown; ///< Blocks skipped for their tag, or for a channel the dialect does not have.
    uint16_t too_short; ///< Blocks skipped because their payload is too short for their kind.
} hy_wire_report;

/// The static text for `error`, never NULL.
const char *hy_wire_error_text(hy_wire_error error);

// --------------------------------------------------------------------------- dialects

/// One robot's dialect: its tags, its channels and their names, and its codecs. All const.
typedef struct hy_dialect {
    const char *name;           ///< Also the scheme of a robot's URL.
    uint8_t tag[HY_WIRE_KINDS]; ///< Tag of each kind; 0 where the dialect has no such block.
    uint8_t motors, servos, dios, analogs, encoders; ///< Number of channels.
    const char *const *motor_names,
        *const *servo_names, *const *dio_names, *const *analog_names,
                                                    /// One name a channel, e.g. "Left Motor"; DIOs
                                                    /// and analogs without one have NULL.
                                                    *const *encoder_names;

    /// Decodes a datagram into `out`, which is written whole. Later duplicates win. O(size).
    hy_wire_report (*command_decode)(hy_bytes datagram, hy_wire_command *out);
    hy_wire_report (*status_decode)(hy_bytes datagram, hy_wire_status *out);
    /// Encodes into `room`; returns the bytes written, 0 if `room` is too small. A channel that the
    /// dialect does not have is left out.
    size_t (*command_encode)(const hy_wire_command *command, hy_room room);
    size_t (*status_encode)(const hy_wire_status *status, hy_room room);
} hy_dialect;

/// The kind that `tag` has in `dialect`; HY_WIRE_UNKNOWN if none.
hy_wire_kind hy_dialect_kind(const hy_dialect *dialect, uint8_t tag);

/// Understands one block, whatever is in it: what the dialect does not know, or is too short for
/// its kind, becomes HY_WIRE_UNKNOWN. Copies the values, keeps nothing of `block`. O(1).
hy_wire_value hy_block_value(const hy_dialect *dialect, const hy_block *block);

/// Appends one value as a block of its kind, unclamped. False if it does not fit or the dialect has
/// no such kind.
bool hy_block_write_value(hy_block_writer *writer, const hy_dialect *dialect,
                          const hy_wire_value *value);

// --------------------------------------------------------------------------- encoder rates

typedef enum {
    HY_ENCODER_MOVING, ///< The rate is known.
    HY_ENCODER_STILL,  ///< The robot says that the wheel stands; the rate is 0.
    /// No period, or one that has no meaning (0 ticks, denominator 0); the rate is 0.
    HY_ENCODER_UNKNOWN,
} hy_encoder_motion;

/// Signed rate of an encoder in counts per second, never infinite and never NaN:
/// `period_den` / (`period_num` >> 1), negative if bit 0 of `period_num` is clear. Always writes
/// `rate_counts_s`. O(1), one division.
hy_encoder_motion hy_wire_encoder_rate(const hy_wire_encoder *encoder, float *rate_counts_s);

// --------------------------------------------------------------------------- sequence numbers

/// True if `a` is newer than `b` in 16-bit modular order (RFC 1982): 1..32767 ahead.
bool hy_seq_is_newer(uint16_t a, uint16_t b);

/// Decides for a receiver which numbers are new. Zero-initialised: accepts any first number.
/// Modular order; duplicates and late packets are refused. A peer that started again is recognised
/// by two successive numbers of its new count after HY_SEQ_SILENCE_US without an accepted one, so
/// within a second at 20 Hz; after a stop, hy_seq_gate_accept_command() asks for more
/// (docs/spec/wire.md 7.2 has the bounds).
typedef struct {
    // Read-only for the caller; counters only grow.
    uint64_t accepted, late, restarts;
    uint64_t duplicates; ///< Also the second copy of a command from hy_seq_sender.
    /// Numbers skipped over by accepted ones, but for 65535; late arrivals are not taken off.
    uint64_t lost;
    // Private.
    int64_t accepted_us, candidate_us, run_began_us, run_us;
    uint16_t last, candidate, run_last;
    uint16_t stop;   // what is not newer was sent before a stop; means something if has_stop
    uint16_t former; // the last number before the peer started again; means something if has_former
    bool started, candidate_stops, has_stop, has_former;
} hy_seq_gate;

/// Microseconds without an accepted number after which a late one may be a peer that started again.
/// The stock firmware's own watchdog is as long, so a robot that is driven never gets there
/// (docs/spec/wire.md 7.2).
#define HY_SEQ_SILENCE_US 500000

/// True if the datagram numbered `seq`, received at `now_us` (monotonic, not negative), is to be
/// used. O(1).
bool hy_seq_gate_accept(hy_seq_gate *gate, uint16_t seq, int64_t now_us);

/// The same for commands, whose `control` the gate must know: once a stop (any control but
/// HY_WIRE_CONTROL_ENABLED) has been accepted, a command that was sent before it and held up on its
/// way must not pass for a restarted client. After a stop, a client that started again is
/// recognised by two successive numbers with control 0, within a second; or, if it begins enabled,
/// by numbers that rise for a second, so within two (docs/spec/wire.md 7.2). O(1).
bool hy_seq_gate_accept_command(hy_seq_gate *gate, uint16_t seq, uint8_t control, int64_t now_us);

/// Tells the gate that a stop was obeyed whose number it had refused: what it has accepted so far
/// counts as sent before that stop. O(1).
void hy_seq_gate_note_stop(hy_seq_gate *gate);

/// Numbers commands so that neither the stock firmware's rule nor a modular receiver ever loses
/// one: 1..65535 once; from then on every command twice, as 65535 and as n = 0..32768, then one as
/// 65535 alone, and so on (docs/spec/wire.md says why). Zero-initialised: starts at 1.
typedef struct {
    uint16_t next; // private
    bool wrapped;  // private
} hy_seq_sender;

/// A sender whose first number is `first`, to test how a robot takes the numbers behind it. O(1).
hy_seq_sender hy_seq_sender_at(uint16_t first);

/// The numbers under which the next command is to be sent, in this order: returns how many, 1 or 2.
/// O(1).
unsigned hy_seq_sender_next(hy_seq_sender *sender, uint16_t seq[2]);

// --------------------------------------------------------------------------- the commander

// docs/spec/wire.md 8: at a loss of 20 %, 0.0064 % of stops get through with none of their six
// commands.
#define HY_STOP_REPEAT_US   20000  ///< Microseconds: a stop is repeated this often ...
#define HY_STOP_DURATION_US 100000 ///< ... for at least this long.

/// One datagram of a command.
typedef struct {
    uint8_t data[HY_WIRE_COMMAND_MAX];
    size_t size; ///< Bytes of `data` that are to be sent.
} hy_wire_datagram;

/// Commands a robot: numbers the commands, gates them by "enabled", and makes sure that a stop
/// arrives. It owns no socket and no clock; whoever owns them asks it what to send, and when.
typedef struct {
    /// What the robot is to do while enabled; the caller changes motors, servos and DIOs at will.
    /// `seq` and `control` are the commander's.
    hy_wire_command command;
    // Private.
    const hy_dialect *dialect;
    hy_seq_sender seq;
    int64_t stop_began_us, stop_due_us;
    uint8_t stop_left; ///< Datagrams.
    bool enabled, stopping;
} hy_commander;

/// Starts disabled, with every motor of the dialect commanded to 0 and nothing else. `dialect` must
/// outlive it. O(1).
void hy_commander_init(hy_commander *self, const hy_dialect *dialect);

/// From the next datagram on, the robot obeys. Does nothing while a stop is being repeated.
/// Returns whether the commander is enabled now.
bool hy_commander_enable(hy_commander *self);

/// Disables: motors to 0, at once and repeated every HY_STOP_REPEAT_US for HY_STOP_DURATION_US.
/// The caller sends what hy_commander_write() gives without delay. Calling it again starts the
/// repetition again. `command.motor` becomes 0, so that enabling later moves nothing by itself.
void hy_commander_stop(hy_commander *self, int64_t now_us);

/// True from a hy_commander_enable() that was granted until the next hy_commander_stop(). It tells
/// what is commanded, not whether the robot has heard it. O(1).
bool hy_commander_is_enabled(const hy_commander *self);

/// When a repetition of the stop is due; INT64_MAX if none. A stop that was just called is due at
/// once.
int64_t hy_commander_due_us(const hy_commander *self);

/// True once nothing of a stop is left to send: a program may exit then.
bool hy_commander_is_done(const hy_commander *self);

/// Writes the command as it is now: one or two datagrams, to be sent in this order. A disabled
/// commander writes control 0 and motors 0 whatever `command` says; DIOs and servos go out as they
/// are. Returns how many of `out` are to be sent. `now_us` is any clock that does not fall; it is
/// looked at only until hy_commander_is_done(). O(1), cannot fail.
unsigned hy_commander_write(hy_commander *self, int64_t now_us, hy_wire_datagram out[2]);

// ----------------------------------------------------------------------- a client's side of a link

#define HY_PEER_ADDRESSES 4 ///< Most addresses that one robot's name may have.

/// What a datagram was; several bits may be set. 0: nothing to be used.
typedef enum {
    HY_PEER_STATUS = 1,    ///< A new status.
    HY_PEER_ANSWERS = 2,   ///< With it, the robot answers: it had not yet, or was silent.
    HY_PEER_RESTARTED = 4, ///< With it, the robot counts anew, and so do its encoders and its gyro.
} hy_peer_news;

/// The client's side of the link to one robot.
typedef struct {
    hy_commander commander; ///< What is sent; the caller's to command, to write and to stop.
    // Read-only for the caller; counters only grow.
    hy_seq_gate gate; ///< Which statuses were new.
    /// Statuses without a header, or with a block that ran past the datagram (the rest is used).
    uint64_t rx_malformed;
    hy_wire_report first_malformed; ///< What was wrong with the first of those.
    uint64_t rx_sequence;           ///< Statuses dropped as duplicate or late.
    uint64_t restarts;              ///< Times that the robot counted anew.
    int64_t heard_us;               ///< When the newest status came; INT64_MIN before the first.
    /// Where it answers; port 0 while it does not. Maybe not among its addresses any more.
    hy_endpoint answering;
    // Private.
    const hy_dialect *dialect;
    hy_endpoint addresses[HY_PEER_ADDRESSES];
    size_t address_count;
    int64_t silence_us;
    uint16_t last_seq;
} hy_peer;

/// Starts disabled, without an address. Without a status for `silence_us` (> 0) the robot counts as
/// silent. `dialect` must outlive the peer.
void hy_peer_init(hy_peer *self, const hy_dialect *dialect, int64_t silence_us);

/// Where the robot may be: at most HY_PEER_ADDRESSES are used. A robot that answers keeps its
/// address whatever comes here.
void hy_peer_set_addresses(hy_peer *self, const hy_endpoint *addresses, size_t count);

/// Where commands go now: where the robot answers, else to all its addresses, so that none is lost
/// while we find out. Returns how many; valid until the next call.
size_t hy_peer_destinations(const hy_peer *self, const hy_endpoint **out);

/// A datagram came from `from` at `at_us` (monotonic, not negative): returns hy_peer_news bits;
/// with HY_PEER_STATUS, and only then, `out` has the status. What is not of the robot is dropped,
/// what is not new is counted and dropped.
unsigned hy_peer_take(hy_peer *self, const hy_endpoint *from, hy_bytes datagram, int64_t at_us,
                      hy_wire_status *out);

/// True if the robot is not silent: its newest status came less than `silence_us` ago.
static inline bool hy_peer_is_up(const hy_peer *self, int64_t now_us)
{
    return self->heard_us != INT64_MIN && now_us - self->heard_us < self->silence_us;
}

/// True once, when the robot has become silent since the last call. From then on all its addresses
/// are tried again.
bool hy_peer_watch(hy_peer *self, int64_t now_us);

// --------------------------------------------------------------------------- the XRP's dialect

/// The dialect: constant, may be read from any thread.
extern const hy_dialect hy_dialect_xrp;

/// Its codecs by name: as hy_dialect says. A motor block with id 4..7 moves servo id - 4 with
/// -1..+1 for 0..1, and a servo block with id 0..3 drives that motor with 0..1 for -1..+1: the
/// stock firmware does, and clients rely on it.
hy_wire_report hy_xrp_command_decode(hy_bytes datagram, hy_wire_command *out);
hy_wire_report hy_xrp_status_decode(hy_bytes datagram, hy_wire_status *out);
size_t hy_xrp_command_encode(const hy_wire_command *command, hy_room room);
size_t hy_xrp_status_encode(const hy_wire_status *status, hy_room room);

// --------------------------------------------------------------------------- the Teensy's dialect

/// The dialect: constant, may be read from any thread.
extern const hy_dialect hy_dialect_teensy;

/// Its codecs by name: as hy_dialect says.
hy_wire_report hy_teensy_command_decode(hy_bytes datagram, hy_wire_command *out);
hy_wire_report hy_teensy_status_decode(hy_bytes datagram, hy_wire_status *out);
size_t hy_teensy_command_encode(const hy_wire_command *command, hy_room room);
size_t hy_teensy_status_encode(const hy_wire_status *status, hy_room room);

HY_API_END

#endif
