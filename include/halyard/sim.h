/// @file sim.h
/// A whole simulation as one object: a world, or a match in it, and the boards of its robots. No
/// operating system, no socket, no clock. Every step takes one constant input and changes one
/// state; datagrams, truth and the hash are read from it.
///
///     static void simulate(const hy_world_model *model)
///     {
///         const hy_sim_board board = { .vehicle = 0, .options = { .kind = &hy_board_xrp } };
///         const hy_sim_setup setup = { .world = model, .boards = &board, .board_count = 1 };
///         hy_sim *sim;
///         hy_world_error error;
///         if (hy_sim_open(&setup, &sim, &error) != HY_OK) { puts(error.text); return; }
///         for (int64_t now_us = 10000; now_us <= 1000000; now_us += 10000) {
///             hy_sim_step(sim, &(hy_sim_input){ .now_us = now_us, .world_steps = 1 });
///             for (hy_sim_datagram status; hy_sim_next_datagram(sim, &status);) { /* send it */ }
///         }
///         hy_sim_close(sim);
///     }
///
/// Deterministic: the same setup and inputs give the same hash, bit for bit, in any thread and on
/// any machine. Simulations may share models, which are constant. Each belongs to one thread at a
/// time.
#ifndef HALYARD_SIM_H
#define HALYARD_SIM_H

#include <halyard/board.h>
#include <halyard/faults.h>
#include <halyard/match.h>
#include <halyard/world.h>

HY_API_BEGIN

#define HY_SIM_BOARDS   HY_WORLD_VEHICLES ///< Most boards of one simulation.
#define HY_SIM_LIST_MAX 64                ///< Most entries of one list of an input.
#define HY_SIM_QUEUE    160               ///< Most datagrams that wait for hy_sim_next_datagram().
/// Latest time of a simulation, 285 years: later ones count as this.
#define HY_SIM_TIME_MAX_US (INT64_C(1) << 53)

// --------------------------------------------------------------------------- start

/// The electronics of one vehicle.
typedef struct {
    size_t vehicle; ///< Of the world; in a match one of its extra vehicles.
    hy_board_options options;
} hy_sim_board;

/// What is simulated.
typedef struct {
    /// One of the two, the caller's until hy_sim_close(); the other is NULL.
    const hy_world_model *world;
    const hy_match_model *match;
    const hy_sim_board *boards; ///< Copied. At most HY_SIM_BOARDS, each in a vehicle of its own.
    size_t board_count;
    uint64_t seed; ///< For all sensor noise.
    /// What goes wrong between the boards and their clients, and in the boards; copied. NULL:
    /// nothing. Needs 600 kB a board.
    const hy_faults_spec *faults;
    double lidar_noise_m; ///< Standard deviation of all lidar ranges; 0: none.
    double match_s;       ///< Length of a match; 0: HY_MATCH_SECONDS.
} hy_sim_setup;

typedef struct hy_sim hy_sim;

/// Starts a simulation at time 0 and switches its boards on. On failure `*sim` is NULL and `error`
/// has a sentence: HY_ERANGE (a board's vehicle is missing or driven by another), HY_EMEMORY, or
/// HY_EFULL (the engine has 128 worlds a process). Allocates; end it with hy_sim_close().
hy_status hy_sim_open(const hy_sim_setup *setup, hy_sim **sim, hy_world_error *error);

/// What it was started with, and the seed of its last start. What it points to is the simulation's,
/// or the caller's models. `faults` is NULL if nothing goes wrong. O(1).
hy_sim_setup hy_sim_setup_of(const hy_sim *self);

/// Makes it what hy_sim_open() gave with this seed, bit for bit. Allocates nothing; the physics
/// engine frees its memory and takes it anew. Costs about as much as a start without loading.
void hy_sim_restart(hy_sim *self, uint64_t seed);

/// Frees the simulation; NULL is harmless. The models stay the caller's.
void hy_sim_close(hy_sim *self);

// --------------------------------------------------------------------------- input

/// A datagram to a board in an input; one from a board out of hy_sim_next_datagram().
typedef struct {
    size_t board; ///< Which one, from 0.
    /// Who sent it, or who gets it. Nobody (all zero): the host has lost datagrams to this board,
    /// hy_board_note_loss(); with any bytes: a person stops the board, hy_board_stop().
    hy_endpoint peer;
    /// When it arrived at the host: from 0 to the input's now_us, and limited to these. It may lie
    /// before the last input's: the board knows then how old it is, see hy_board_receive().
    int64_t at_us;
    /// The caller's during hy_sim_step(); the simulation's until its next step if it comes out of
    /// it.
    hy_bytes bytes;
} hy_sim_datagram;

/// What the core of a player commands; see hy_match_command().
typedef struct {
    unsigned player; ///< From 1.
    /// When it arrived at the host, as a datagram's: the player's silence is counted from then.
    int64_t at_us;
    hy_match_commands commands;
} hy_sim_command;

/// All vehicles and pieces; in a match also its timer and scores.
#define HY_SIM_RESET_ALL SIZE_MAX

/// A vehicle is put where it started, at rest, unless something else is there; or HY_SIM_RESET_ALL.
typedef struct {
    size_t vehicle;
} hy_sim_reset;

/// The user button of a vehicle is pressed or released; it stays so until the next such entry.
typedef struct {
    size_t vehicle;
    bool is_down;
} hy_sim_button;

/// A board is switched off and on again, with the options that it has.
typedef struct {
    size_t board;
} hy_sim_power_cycle;

/// Somebody pushed a vehicle while its gyro was calibrated at power-up: from now on, until its
/// board is switched off and on or it is reset, the gyro errs; see hy_world_calibrate_gyro().
typedef struct {
    size_t vehicle;
} hy_sim_push;

/// Datagrams came to a board that does no more than count them; see hy_sim_give().
typedef struct {
    size_t board;
    hy_board_refused refused;
} hy_sim_refusal;

/// A piece is put somewhere, free; see hy_world_place_piece() and, in a match,
/// hy_match_place_piece().
typedef struct {
    size_t piece;
    double x_m, y_m, z_m;
    double vx_m_s, vy_m_s, vz_m_s;
} hy_sim_placement;

/// A board is switched off, changed and switched on again.
typedef struct {
    size_t board;
    hy_encoder_format encoder_format;
    bool stock_bugs; ///< Without effect for a kind that has none.
} hy_sim_board_change;

/// All that acts on a simulation in one step. Zero-initialised: nothing happens. Lists are the
/// caller's, at most HY_SIM_LIST_MAX entries each, and take effect in the order in which they stand
/// here; entries that name what the simulation does not have are ignored. Whatever does not fit
/// goes into one more input with the same `now_us`.
typedef struct {
    /// The time of boards and of silences; an earlier one counts as the last. Simulated time is a
    /// count of steps, and stands beside it: after a stall of its host a simulation goes on with
    /// one input whose time is later by as much.
    int64_t now_us;
    /// 1: the world moves by one step, which ends at `now_us`. 0: boards only receive, time out and
    /// answer.
    unsigned world_steps;
    const hy_sim_datagram *datagrams;
    size_t datagram_count;
    const hy_sim_command *commands; ///< Without a match ignored.
    size_t command_count;
    const hy_sim_reset *resets;
    size_t reset_count;
    const hy_sim_button *buttons;
    size_t button_count;
    const hy_sim_power_cycle *power_cycles;
    size_t power_cycle_count;
    const hy_sim_placement *placements;
    size_t placement_count;
    /// Standard deviation of all lidar ranges from now on; the last one counts.
    const double *lidar_noises_m;
    size_t lidar_noise_count;
    const hy_sim_board_change *board_changes;
    size_t board_change_count;
    const hy_sim_push *pushes;
    size_t push_count;
    const hy_sim_refusal *refusals;
    size_t refusal_count;
} hy_sim_input;

/// Advances the simulation by one input: the only way in. No allocation but the engine's own
/// growth. Costs a step of the world or match, about 0.2 us a board, and what datagrams cost.
void hy_sim_step(hy_sim *self, const hy_sim_input *input);

/// Gives a datagram that has arrived as an input of its own at `now_us`, cut to what its board
/// looks at. One that the board would only count is not given, and counted in `refusal`, which
/// belongs into a later input: strangers then fill no recording. With faults every datagram is
/// given whole. True if it was given.
bool hy_sim_give(hy_sim *self, int64_t now_us, const hy_sim_datagram *datagram,
                 hy_sim_refusal *refusal);

/// Is told of an input at the end of its step, before the datagrams that it caused are taken.
typedef void (*hy_sim_watcher)(void *context, const hy_sim *sim, const hy_sim_input *input);

/// Calls `watcher` at the end of every hy_sim_step(): how recordings get all inputs (record_sim.h).
/// One watcher at a time; NULL: nobody.
void hy_sim_watch(hy_sim *self, hy_sim_watcher watcher, void *context);

// --------------------------------------------------------------------------- output

/// Takes the next datagram that a board has sent, oldest first; false if there is none. Its `at_us`
/// is the input's in which it was sent. O(1).
bool hy_sim_next_datagram(hy_sim *self, hy_sim_datagram *out);

/// Datagrams that were dropped because HY_SIM_QUEUE others waited. Never falls until a restart.
uint64_t hy_sim_overflowed(const hy_sim *self);

/// What the faults have done so far to datagrams to or from board `index`; all zero without faults.
typedef struct {
    hy_faults_counters to_robot, from_robot;
    unsigned reboots; ///< Of all boards.
} hy_sim_fault_counts;
hy_sim_fault_counts hy_sim_faults(const hy_sim *self, size_t index);

/// The last input's `now_us`; 0 at the start.
int64_t hy_sim_now_us(const hy_sim *self);

/// Steps of the world since the start, and how long one is.
uint64_t hy_sim_steps(const hy_sim *self);
int64_t hy_sim_step_us(const hy_sim *self);

/// The simulated time, seconds: steps since the start times their length. A host's stall leaves it
/// behind hy_sim_now_us().
double hy_sim_simulated_s(const hy_sim *self);

/// What is true of vehicle `index`; see hy_world_truth().
hy_truth hy_sim_truth(const hy_sim *self, size_t index);

/// A hash over the match or world, every board and the datagrams that wait: equal states, equal
/// hashes. O(vehicles and pieces).
uint64_t hy_sim_hash(const hy_sim *self);

/// The same without the datagrams that wait: what recordings are compared by, for it does not
/// matter to it when somebody takes them.
uint64_t hy_sim_state_hash(const hy_sim *self);

// ------------------------------------------------------------------ what it is made of, to be read

/// The world that it moves in, and its state. The simulation's.
const hy_world_model *hy_sim_model(const hy_sim *self);
const hy_world_state *hy_sim_world(const hy_sim *self);

/// The match, its model and how long it lasts, in seconds; NULL, NULL and 0 if there is none.
const hy_match *hy_sim_match(const hy_sim *self);
const hy_match_model *hy_sim_match_model(const hy_sim *self);
double hy_sim_match_s(const hy_sim *self);

/// Board `index`, below hy_sim_boards(), and the vehicle that it sits in.
size_t hy_sim_boards(const hy_sim *self);
const hy_board *hy_sim_board_at(const hy_sim *self, size_t index);
size_t hy_sim_board_vehicle(const hy_sim *self, size_t index);

// ----------------------------------------------------------------------- the byte form of an input

/// docs/spec/sim.md. An input without pushes is written as version 2, and read as that, too.
#define HY_SIM_INPUT_VERSION 3

/// Room for the lists of an input that is read.
typedef struct {
    hy_sim_datagram datagrams[HY_SIM_LIST_MAX];
    hy_sim_command commands[HY_SIM_LIST_MAX];
    hy_sim_reset resets[HY_SIM_LIST_MAX];
    hy_sim_button buttons[HY_SIM_LIST_MAX];
    hy_sim_power_cycle power_cycles[HY_SIM_LIST_MAX];
    hy_sim_placement placements[HY_SIM_LIST_MAX];
    double lidar_noises_m[HY_SIM_LIST_MAX];
    hy_sim_board_change board_changes[HY_SIM_LIST_MAX];
    hy_sim_push pushes[HY_SIM_LIST_MAX];
    hy_sim_refusal refusals[HY_SIM_LIST_MAX];
} hy_sim_lists;

/// Writes `input` into `room` and returns its size in bytes; 0 if it does not fit. The same input
/// gives the same bytes on every machine. O(size).
size_t hy_sim_input_write(const hy_sim_input *input, hy_room room);

/// Reads the input that `bytes` begin with; `*size` are its bytes. Its lists lie in `lists`, the
/// datagrams' bytes in `bytes`. HY_EFORMAT, and nothing is changed but `lists`, if it is cut or
/// malformed: any bytes will do. Written again it gives the same bytes. O(size).
hy_status hy_sim_input_read(hy_bytes bytes, hy_sim_lists *lists, hy_sim_input *input, size_t *size);

HY_API_END

#endif
