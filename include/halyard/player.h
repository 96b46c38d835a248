/// @file player.h
/// A player of the four-part simulator: from sticks to commands as the reference core does it,
/// sticks from a script, and a player that plays by itself. Pure: opens no socket and no file, and
/// time is an argument.
///
///     hy_player_mapping mapping = { 0 };
///     const hy_icd_sticks sticks = { .left_y = HY_ICD_FULL };
///     const hy_icd_commands commands = hy_player_map(&mapping, &sticks);
///
/// ## A player that plays by itself
///
/// A player of the four-part simulator that plays a whole match by itself: it finds balls with its
/// robot's lidar, drives around obstacles and other robots, takes the balls in and brings them to
/// its alliance's goal. It knows of the match only what the sim tells every core: the robot's pose,
/// its lidar and, in the later form of the messages, how many balls are aboard; and, as every team
/// does, the map of the field.
///
/// Pure: opens no socket and no file, and time is an argument. One thread at a time.
///
///     static hy_icd_commands play(hy_player_bot *bot, const hy_icd_sensors *newest,
///                                 int64_t now_us)
///     {
///         return hy_player_bot_drive(bot, newest, true, now_us);
///     }
#ifndef HALYARD_PLAYER_H
#define HALYARD_PLAYER_H

#include <halyard/base.h>
#include <halyard/icd.h>

HY_API_BEGIN

// --------------------------------------------------------------------------- the reference mapping

/// How sticks become commands, as the reference core has it. Zero-initialised is two-handed.
typedef struct {
    bool one_handed; ///< The left stick also turns; toggled when `back` is released.
    // Private.
    bool back_was_down;
} hy_player_mapping;

/// Two-handed: the left stick drives, the right one turns; one-handed: the left one does both. Half
/// of the turn, rounded toward zero, is added to the left side and taken from the right one, and
/// both are clamped to [-512, +512]. The left trigger runs all intakes, the right one the tube;
/// start is the timer's, guide resets, A takes out. Pure, O(1).
hy_icd_commands hy_player_map(hy_player_mapping *self, const hy_icd_sticks *sticks);

// --------------------------------------------------------------------------- sticks from a script

/// A player's sticks as text:
///
///     # a comment
///     0     left_y=512              # full ahead
///     +1.5  left_y=0 start=1        # one and a half seconds after the line before
///     +0.1  start=0
///     +2    quit                    # the end of the text ends it too
///
/// A line is a time and what changes then; everything keeps its value until it changes again. The
/// time is in seconds since the start, or, with '+', since the time of the line before; it never
/// falls. Axes are -512..512, triggers 0..512, buttons 0 or 1.
///
/// What a script can set: its name, the member of hy_icd_sticks, its type, its least and largest
/// value.
#define HY_PLAYER_SCRIPT_KEYS(X)                           \
    X("left_x", left_x, int, -HY_ICD_FULL, HY_ICD_FULL)    \
    X("left_y", left_y, int, -HY_ICD_FULL, HY_ICD_FULL)    \
    X("right_x", right_x, int, -HY_ICD_FULL, HY_ICD_FULL)  \
    X("right_y", right_y, int, -HY_ICD_FULL, HY_ICD_FULL)  \
    X("left_trigger", left_trigger, int, 0, HY_ICD_FULL)   \
    X("right_trigger", right_trigger, int, 0, HY_ICD_FULL) \
    X("dpad_up", dpad_up, bool, 0, 1)                      \
    X("dpad_down", dpad_down, bool, 0, 1)                  \
    X("dpad_left", dpad_left, bool, 0, 1)                  \
    X("dpad_right", dpad_right, bool, 0, 1)                \
    X("left_bumper", left_bumper, bool, 0, 1)              \
    X("right_bumper", right_bumper, bool, 0, 1)            \
    X("a", a, bool, 0, 1)                                  \
    X("b", b, bool, 0, 1)                                  \
    X("x", x, bool, 0, 1)                                  \
    X("y", y, bool, 0, 1)                                  \
    X("back", back, bool, 0, 1)                            \
    X("start", start, bool, 0, 1)                          \
    X("guide", guide, bool, 0, 1)

/// The sticks from `time_s` on.
typedef struct {
    double time_s;
    hy_icd_sticks sticks;
} hy_player_script_step;

/// A whole script; zero-initialised is an empty one, which is over at once.
typedef struct {
    hy_player_script_step *steps;
    size_t count;
    double end_s; ///< When it is over.
} hy_player_script;

/// Where an error message goes: one sentence, cut at `size`.
typedef struct {
    char *text;
    size_t size;
} hy_player_error;

/// Reads a script; `name` stands for it in messages. On failure the error is a sentence that begins
/// with "NAME:LINE:", `self` is empty, and the status is HY_EFORMAT or HY_EMEMORY. Any bytes will
/// do. Allocates; free with hy_player_script_free().
hy_status hy_player_script_parse(hy_player_script *self, hy_bytes text, const char *name,
                                 hy_player_error error);
void hy_player_script_free(hy_player_script *self); ///< Harmless on an empty one.

/// The sticks at `time_s` since the start; none before the first line and after the end. O(log of
/// the lines).
hy_icd_sticks hy_player_script_at(const hy_player_script *self, double time_s);

// ------------------------------------------------------------------- a player that plays by itself

typedef enum {
    HY_PLAYER_AHEAD,    ///< To a point, nose first, intakes running.
    HY_PLAYER_BACKWARD, ///< To a point, tube first; intakes running as well.
    HY_PLAYER_UNLOAD,   ///< Stand, with the tube running.
    HY_PLAYER_REST,     ///< Stand, for ever.
} hy_player_task;

typedef struct {
    hy_player_task task;
    double x_m,
        y_m; ///< The point, for a blue robot; a red one has it mirrored through the field's middle.
    double near_m; ///< The point is reached at this distance.
} hy_player_stage;

/// One ball of the field of 2020, from where player 1 or 2 starts.
extern const hy_player_stage hy_player_one_ball[];

/// How a robot's heading changes, and what that takes. Zero-initialised knows nothing yet.
typedef struct {
    // Private.
    double heading_rad, rate_rad_s; // the newest heading, and how fast it changes
    int64_t heading_us;
    double turn_sum; // what the missing rate adds to the turn
} hy_player_steering;

/// Collects balls and brings them to its alliance's goal, steering by the pose that the sim
/// reports. Set `stages`, which end with HY_PLAYER_REST; everything else zero is before the start.
typedef struct {
    const hy_player_stage *stages;
    // Private.
    size_t stage;
    int64_t since_us; // of the stage
    bool mirrored;    // red
    bool placed;
    hy_player_steering steering;
} hy_player_demo;

/// The commands at `now_us` for the newest `sensors`, which are `is_new` if they came since the
/// last call: drive, intakes and tube; it presses no button. Nothing without a pose. O(1).
hy_icd_commands hy_player_demo_drive(hy_player_demo *self, const hy_icd_sensors *sensors,
                                     bool is_new, int64_t now_us);

/// Whether it rests.
bool hy_player_demo_is_over(const hy_player_demo *self);

// ------------------------------------------------------------------- a player that plays by itself

/// The map of a field. The bot copies it.
typedef struct {
    /// Of the edge, the obstacles and the goals, metres in the field's frame; hy_match_walls() has
    /// them. 1 to 4096.
    const hy_segment *walls;
    size_t wall_count;    ///< How many `walls`.
    hy_point goal[3];     ///< The middle of each alliance's goal, by hy_alliance.
    double ball_radius_m; ///< Of the game pieces.
} hy_player_field;

/// How well it plays.
typedef enum {
    HY_PLAYER_EASY, ///< One ball at a time, at half the speed, with a rest after each.
    HY_PLAYER_HARD, ///< Three balls at a time, as fast as it can steer.
} hy_player_skill;

/// A bot. Opaque.
typedef struct hy_player_bot hy_player_bot;

/// Makes a bot for a field, about 140 kB for that of 2020; it learns its alliance from the half of
/// the field in which its robot stands at the first state. NULL if memory is used up, or the map
/// has no walls, too many or one that is not finite. End it with hy_player_bot_close().
hy_player_bot *hy_player_bot_open(const hy_player_field *field, hy_player_skill skill);
void hy_player_bot_close(hy_player_bot *self); ///< Harmless on NULL.

/// The commands at `now_us` for the newest `sensors`, which are `is_new` if they came since the
/// last call: drive, intakes and tube; it presses no button. Nothing without a pose. Allocates
/// nothing. O(points and balls), and four times a second O(cells log cells) for a new path.
hy_icd_commands hy_player_bot_drive(hy_player_bot *self, const hy_icd_sensors *sensors, bool is_new,
                                    int64_t now_us);

/// What a bot is doing, for a status line, a picture or a test.
typedef struct {
    const char *doing;   ///< "looking for balls", "fetching a ball", ...; static.
    hy_point target;     ///< Where it drives to, field's frame.
    size_t balls_seen;   ///< Balls on the floor that it knows of.
    unsigned balls_held; ///< That it believes to be aboard.
} hy_player_bot_facts;
/// O(balls).
hy_player_bot_facts hy_player_bot_describe(const hy_player_bot *self);

HY_API_END

#endif
