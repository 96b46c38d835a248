/// @file icd.h
/// The messages of the four-part simulator, joystick -> core -> vehicle sim -> sim view: JSON text
/// to structs and back. Byte for byte in docs/spec/icd.md. Opens no socket.
///
/// Reading takes numbers as integers or fractions (truncated toward zero where the field is whole),
/// and false or true for 0 or 1; it ignores unknown keys, keeps the default (0, false, empty) for
/// missing ones and for null, lets the last of doubled keys win, and clamps to the ranges given
/// here, other numbers to +-1e9. Comments and a comma behind the last item, as in the samples of
/// the interface document, are passed over. What is not JSON otherwise, not an object, or has a
/// value of the wrong type is refused whole with HY_EFORMAT; the output is untouched then. Both
/// forms of the interface are always understood.
///
/// No allocation but by hy_icd_reader_open(). O(size of the text).
///
///     static size_t drive(hy_icd_reader *reader, hy_bytes received, hy_room room)
///     {
///         hy_icd_sticks sticks;
///         if (hy_icd_read_sticks(reader, received, &sticks) != HY_OK) { return 0; }
///         const hy_icd_commands commands = { .left_drive = sticks.left_y };
///         return hy_icd_write_commands(&commands, room); // bytes to send to the sim
///     }
#ifndef HALYARD_ICD_H
#define HALYARD_ICD_H

#include <halyard/base.h>

HY_API_BEGIN

#define HY_ICD_PLAYERS 6 ///< Most players of a match; they count from 1.
/// Most game pieces of one message; what a longer one has more is dropped and counted.
#define HY_ICD_PIECES      64
#define HY_ICD_FULL        512   ///< Full deflection, full trigger, full motor speed.
#define HY_ICD_MESSAGE_MAX 65507 ///< Bytes of the longest datagram that IPv4 carries.
#define HY_ICD_TEAM_SIZE   32 ///< Room for a name with the end of the string; a longer one is cut.
#define HY_ICD_ROBOTS      16 ///< Most robots of a status that are not vehicles of the interface.

// --------------------------------------------------------------------------- ports

/// The UDP ports of player 1; every program sends from the port that it listens on.
typedef enum {
    HY_ICD_JOYSTICK = 2000,      ///< Joystick: heartbeats from the core.
    HY_ICD_CORE_JOYSTICK = 4000, ///< Core: sticks from the joystick.
    HY_ICD_CORE_SIM = 6000,      ///< Core: vehicle state from the sim.
    HY_ICD_SIM_CORE = 8000,      ///< Sim: commands from the core.
    HY_ICD_SIM_VIEW = 10000,     ///< Sim: heartbeats from the view.
    HY_ICD_VIEW = 12000,         ///< View: the match from the sim.
    HY_ICD_VIEW_STATUS = 14000,  ///< View: the status from our sim; not of the document.
    HY_ICD_SIM_STICKS = 16000,   ///< Sim: the sticks that our core used; not of the document.
} hy_icd_port;

#define HY_ICD_PORTS 8 ///< How many of them there are.

/// The port of `player` (1 .. HY_ICD_PLAYERS): 10 apart.
static inline uint16_t hy_icd_port_of(hy_icd_port port, unsigned player)
{
    return (uint16_t)((unsigned)port + 10u * (player - 1u));
}

/// Other ports than the document's: those of player 1, in the order of hy_icd_port; 0 leaves the
/// document's.
typedef struct {
    uint16_t first[HY_ICD_PORTS];
} hy_icd_ports;

/// hy_icd_port_of() under `ports`; there is no such port if it is above 65535.
static inline unsigned hy_icd_port_under(const hy_icd_ports *ports, hy_icd_port port,
                                         unsigned player)
{
    const unsigned first = ports->first[(unsigned)port / 2000u - 1u];
    return (first != 0 ? first : (unsigned)port) + 10u * (player - 1u);
}

// --------------------------------------------------------------------------- messages

/// Joystick -> core. Axes [-512, +512], x to the right, y up (forward); triggers [0, 512].
typedef struct {
    int left_x, left_y, right_x, right_y;
    int left_trigger, right_trigger;
    bool dpad_up, dpad_down, dpad_left, dpad_right;
    bool left_bumper, right_bumper;
    bool a, b, x, y;
    bool back, start, guide;
} hy_icd_sticks;

/// Core -> sim. Motor speeds [-512, +512]: 512 is the motor's largest.
typedef struct {
    int left_drive, right_drive;
    int intake_center, intake_left, intake_right, tube;
    bool timer_start_stop, reset, outtake;
} hy_icd_commands;

/// One echo, in the sensor's frame: angles are written to 1e-6, ranges to 1e-4. A range of -1 is
/// "nothing within reach".
typedef hy_lidar_point hy_icd_lidar_point;

/// Points that belong to somebody else. Reading puts them into the reader: valid until it reads
/// again, whatever comes of that. No message has more points than a reader takes.
typedef hy_lidar_points hy_icd_lidar;

/// Sim -> core: what the robot feels.
typedef struct {
    /// Ticks, 0 .. 1023, wrapping; 1024 a turn of the wheel, up when driving forward. Limited to 0
    /// .. 1024, as the document has it.
    int left_encoder, right_encoder;
    bool has_pose;              ///< x, y and theta were there; written if true.
    double x_m, y_m, theta_rad; ///< The heading is accumulated, never wrapped.
    int ingested;               ///< Pieces aboard; only in the later form.
    hy_icd_lidar lidar;
} hy_icd_sensors;

/// Where a piece is; the numbers of the wire. Unknown ones are read as HY_ICD_FREE.
typedef enum {
    HY_ICD_FREE,
    HY_ICD_INTAKE_CENTER,
    HY_ICD_INTAKE_LEFT,
    HY_ICD_INTAKE_RIGHT,
    HY_ICD_TUBE,
    HY_ICD_BLUE_GOAL,
    HY_ICD_RED_GOAL,
} hy_icd_ingestion;

/// A robot in sim -> view. Speeds in rad/s, as commanded.
typedef struct {
    char team[HY_ICD_TEAM_SIZE]; ///< UTF-8, ended by a NUL.
    /// Read as blue if the message names none, as red if it is any text but "Blue", as the
    /// reference does. HY_ALLIANCE_NONE is written as "Blue".
    hy_alliance alliance;
    double x_m, y_m, theta_rad;
    double intake_center_rad_s, intake_left_rad_s, intake_right_rad_s, tube_rad_s;
    double left_drive_rad_s, right_drive_rad_s;
    hy_icd_lidar lidar;
} hy_icd_vehicle;

typedef struct {
    double x_m, y_m, z_m;
    hy_icd_ingestion ingestion;
} hy_icd_piece;

/// Sim -> view: the match.
typedef struct {
    int blue_score, red_score;
    bool timer_runs;
    double timer_s; ///< Left.
    bool in_collision;
    size_t vehicle_count; ///< At most HY_ICD_PLAYERS.
    hy_icd_vehicle vehicle[HY_ICD_PLAYERS];
    size_t piece_count; ///< At most HY_ICD_PIECES.
    hy_icd_piece piece[HY_ICD_PIECES];
} hy_icd_match;

// --------------------------------------------------------------------------- status

/// How the sim hears one player's core.
typedef struct {
    bool connected;
    double rate_hz;    ///< Commands a second.
    double age_ms;     ///< Of the last command.
    double latency_ms; ///< From the command's arrival to the step that obeyed it.
    double battery_v;  ///< Of the player's robot, under its load; 0: nobody simulates it.
    bool browned_out;  ///< The robot's outputs are off until its battery has recovered.
} hy_icd_player;

/// A robot in the same world that speaks another protocol.
typedef struct {
    char kind[16]; ///< Of its vehicle: hy_world_vehicle_kind().
    char name[HY_ICD_TEAM_SIZE];
    double x_m, y_m, theta_rad;
    bool enabled;
    double battery_v; ///< As a player's.
} hy_icd_robot;

/// Sim -> view, optional: what the interface document cannot carry. Sent to HY_ICD_VIEW_STATUS.
typedef struct {
    size_t player_count; ///< At most HY_ICD_PLAYERS.
    hy_icd_player player[HY_ICD_PLAYERS];
    size_t robot_count; ///< At most HY_ICD_ROBOTS.
    hy_icd_robot robot[HY_ICD_ROBOTS];
    double speed;   ///< Simulated time over real time.
    double step_us; ///< What a step of the world costs.
    int dropped;    ///< Datagrams that the sim refused since its start.
} hy_icd_status;

// --------------------------------------------------------------------------- writing

/// Which form of the interface is written.
typedef enum {
    HY_ICD_DOCUMENT, ///< The interface document's: `lidarSweep` objects, pieces with x, y, z.
    /// The later one: `lidarPoints` triples, pieces with `position`, `numIngestedBalls`.
    HY_ICD_LATER,
} hy_icd_form;

/// What both core -> joystick and view -> sim say: {}.
#define HY_ICD_HEARTBEAT "{}"

/// Write one message into `room` (HY_ICD_MESSAGE_MAX bytes are always enough) and return its size
/// in bytes; 0 if it does not fit. No NUL is added. Values are clamped, NaN and infinities written
/// as 0, what is not UTF-8 as U+FFFD. Other numbers have six digits behind the point and no
/// needless zeros. Needs 16 KiB of stack.
size_t hy_icd_write_sticks(const hy_icd_sticks *sticks, hy_room room);
size_t hy_icd_write_commands(const hy_icd_commands *commands, hy_room room);
size_t hy_icd_write_status(const hy_icd_status *status, hy_room room);

/// The sticks that a core used, optional, core -> sim: what a recording of a match has of a
/// player's hands. Sent to HY_ICD_SIM_STICKS.
size_t hy_icd_write_used_sticks(const hy_icd_sticks *sticks, hy_room room);

/// The same for messages with lidar points, of which a message takes as many as fit into `room`.
/// `*from` says how many points went out in earlier messages of the same state and is moved on;
/// call again with the same state until all have gone: a first message goes out also without any.
/// For a match, points count over all vehicles in their order. 0, and `*from` as it was, if the
/// state with one more point does not fit.
///
///     size_t from = 0;
///     do {
///         size = hy_icd_write_sensors(&sensors, form, &from, room);
///         ... send ...
///     } while (from < sensors.lidar.count); // and size > 0, if `room` is a small one
size_t hy_icd_write_sensors(const hy_icd_sensors *sensors, hy_icd_form form, size_t *from,
                            hy_room room);
size_t hy_icd_write_match(const hy_icd_match *match, hy_icd_form form, size_t *from, hy_room room);

/// All lidar points of all vehicles.
size_t hy_icd_match_points(const hy_icd_match *match);

// --------------------------------------------------------------------------- reading

/// Memory for reading, 1.5 MiB, of which a message touches what it needs. One thread at a time.
typedef struct hy_json_reader hy_icd_reader;

/// NULL if memory is used up. End with hy_icd_reader_close(); NULL is harmless there.
hy_icd_reader *hy_icd_reader_open(void);
void hy_icd_reader_close(hy_icd_reader *self);

/// HY_OK, HY_EFORMAT (see above), or HY_ERANGE: longer than HY_ICD_MESSAGE_MAX, or needs more
/// memory than a reader has.
hy_status hy_icd_read_sticks(hy_icd_reader *self, hy_bytes text, hy_icd_sticks *out);
hy_status hy_icd_read_commands(hy_icd_reader *self, hy_bytes text, hy_icd_commands *out);
hy_status hy_icd_read_sensors(hy_icd_reader *self, hy_bytes text, hy_icd_sensors *out);
hy_status hy_icd_read_match(hy_icd_reader *self, hy_bytes text, hy_icd_match *out);
hy_status hy_icd_read_status(hy_icd_reader *self, hy_bytes text, hy_icd_status *out);
hy_status hy_icd_read_used_sticks(hy_icd_reader *self, hy_bytes text, hy_icd_sticks *out);

/// A heartbeat is any JSON object; the reference sends an empty one.
hy_status hy_icd_read_heartbeat(hy_icd_reader *self, hy_bytes text);

/// Why the last message was refused: "leftJoystick is not a list of two numbers"; "" if it was not.
/// Valid until the reader reads again.
const char *hy_icd_reader_why(const hy_icd_reader *self);

/// Pieces, vehicles, players and robots that accepted messages had more of than the structs take;
/// only grows.
uint64_t hy_icd_reader_left_out(const hy_icd_reader *self);

HY_API_END

#endif
