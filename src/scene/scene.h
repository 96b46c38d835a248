/// @file scene.h
/// What can be drawn and told of a world or a match: scenes and states as structs, the JSON that a
/// page gets of them (docs/spec/page.md), and the messages of the interface document (icd.h),
/// converted from and to the SI units of match.h. No socket, no clock.
///
///     static size_t draw(const hy_world_model *model, hy_room room)
///     {
///         hy_scene_of_world drawn;
///         hy_text text = hy_text_in(room);
///         if (hy_scene_make(&drawn, model, (hy_point){ 0 })) {
///             hy_scene_write(&text, &drawn.scene);
///         }
///         hy_scene_free(&drawn);
///         return text.size;
///     }
#ifndef HALYARD_SCENE_H
#define HALYARD_SCENE_H

#include <halyard/icd.h>
#include <halyard/match.h>
#include <halyard/world.h>

#include "text/text.h"

// --------------------------------------------------------------------------- a scene

#define HY_SCENE_ROBOTS 8 ///< Most robots of a scene.

/// An outline of the caller's, closed; two points are a line.
typedef struct {
    const hy_point *points;
    size_t count;
} hy_scene_outline;

typedef struct {
    double height_m;
    hy_scene_outline outline;
} hy_scene_wall;

typedef struct {
    hy_alliance alliance; ///< HY_ALLIANCE_NONE is shown as red.
    hy_scene_outline outline;
} hy_scene_goal;

typedef struct {
    const char *role; ///< "body", "bumper", "intake_center", "intake_left", "intake_right", "tube".
    double low_m, high_m;
    hy_scene_outline outline; ///< In the robot's axes.
} hy_scene_part;

typedef struct {
    double x_m, y_m, radius_m, width_m;
} hy_scene_wheel;

/// A sensor that is not wired (world_spec.h).
typedef struct {
    const char *name, *type; ///< Type: hy_sensor_type_name().
    double x_m, y_m, heading_rad;
    double half_rad, far_m; ///< Of a range sensor; of a lidar only `far_m`. Else 0.
} hy_scene_sensor;

typedef struct {
    const char *kind;     ///< Of its vehicle: hy_world_vehicle_kind().
    const char *name;     ///< UTF-8; what is not is shown as such.
    const char *alliance; ///< "Blue", "Red"; NULL: none.
    unsigned player;      ///< 0: no page can drive it.
    const hy_scene_part *parts;
    size_t part_count;
    const hy_scene_wheel *wheels;
    size_t wheel_count;
    bool has_range_cone;
    hy_point range_at;
    double range_half_rad, range_far_m;
    hy_point reflectance_at[HY_PIN_REFLECTANCE];
    size_t reflectance_count;
    unsigned encoders, servos;
    const hy_scene_sensor *sensors; ///< Beside those above.
    size_t sensor_count;
    const hy_robot_traits *traits; ///< What sets it apart from its type; NULL: it cannot have any.
    const char *gltf_url;          ///< NULL: the page draws a shape of its own.
    hy_bytes gltf;                 ///< The binary glTF file behind `gltf_url`.
} hy_scene_robot;

#define HY_SCENE_EVENTS 500 ///< Most events of a recording.

/// Something in a recording to jump to.
typedef struct {
    double t_s;
    const char *kind; ///< "enable", "disable", "start" and "end" of a match's clock,
                      ///< "score_blue", "score_red", "contact", "watchdog".
    unsigned robot;   ///< Which one, from 1; 0: none.
} hy_scene_event;

/// What a page is told of a recording that it shows.
typedef struct {
    double from_s;                ///< Where what is shown of it begins.
    double length_s;              ///< Where it ends.
    const hy_scene_event *events; ///< In the order of time, at most HY_SCENE_EVENTS.
    size_t event_count;
    unsigned left_out; ///< Events for which there was no room: of the most frequent kind, what
                       ///< followed another of the same robot soonest.
    unsigned outliers; ///< Values that are not shown, for their times are far from the others'.
} hy_scene_replay;

/// An earlier run that is shown beside the living one (record_phantoms.h).
typedef struct {
    const char *name;     ///< UTF-8.
    unsigned look;        ///< The robot of the scene that it looks like, from 1.
    double length_s;      ///< From its start to its end.
    double driven_m;      ///< In this time.
    const double *laps_s; ///< How long each of its laps took.
    size_t lap_count;     ///< Of `laps_s`.
} hy_scene_phantom;

typedef struct {
    bool is_match; ///< Else a board's world.
    const char *title;
    double floor_m[4];    ///< x0, y0, x1, y1.
    double floor_shade;   ///< 0 white .. 1 black.
    const char *mat_url;  ///< NULL: no mat.
    hy_bytes mat_png;     ///< The picture behind `mat_url`.
    double mat_m[4];      ///< x, y, width, height.
    const char *gltf_url; ///< As a robot's: of floor, walls and goals. NULL: none.
    hy_bytes gltf;        ///< The binary glTF file behind `gltf_url`.
    const hy_scene_wall *walls;
    size_t wall_count;
    const hy_scene_goal *goals;
    size_t goal_count;
    double piece_radius_m;
    const char *faults; ///< What goes wrong on purpose (faults.h), as it was asked for; NULL: nothing.
    double match_s;     ///< Length of a match; 0: unknown.
    const hy_scene_robot *robots; ///< At most HY_SCENE_ROBOTS.
    size_t robot_count;
    const hy_scene_replay *replay; ///< NULL: it is no recording.
    const hy_scene_phantom *phantoms;
    size_t phantom_count; ///< Of `phantoms`.
} hy_scene;

/// A value of a channel.
typedef struct {
    double t_s, value;
} hy_scene_sample;

/// Values of one channel of a recording; the caller's.
typedef struct {
    unsigned channel;         ///< Which one, from 0.
    hy_scene_sample *samples; ///< Where they are.
    size_t room;              ///< Of whoever fills it: for how many there is room, at least 4.
    size_t count;             ///< How many there are.
} hy_scene_series;

// --------------------------------------------------------------------------- a state

/// A robot now. Counts of 0 leave the list out.
typedef struct {
    double x_m, y_m, heading_rad;
    hy_icd_lidar lidar; ///< Since the last state that went out; azimuth and range are shown.
    /// The same of each lidar in the scene's `sensors`, in their order and own axes.
    const hy_icd_lidar *scans;
    size_t scan_count;
    const hy_world_reading *readings; ///< Of the scene's `sensors`.
    size_t reading_count;
    bool has_battery; ///< The next two are known.
    double battery_v;
    bool browned_out; ///< Its outputs are off until the battery has recovered.
    // Of a tank.
    double drive_rad_s[2], intake_rad_s[3], tube_rad_s;
    // Of a board.
    double duty[HY_PIN_MOTORS]; ///< Forward positive, like the encoders.
    size_t duty_count;
    double encoder_counts[HY_PIN_ENCODERS];
    size_t encoder_count;
    double range_m;                         ///< Negative or NaN: the sensor has not measured.
    double reflectance[HY_PIN_REFLECTANCE]; ///< The same.
    size_t reflectance_count;
    double servo_rad[HY_PIN_SERVOS];
    size_t servo_count;
    double azimuth_rad[4];
    size_t azimuth_count;
    bool enabled, led, button, touching;
    bool driven, stopped; ///< A program commands it; hy_board_is_stopped().
    bool has_range;
    bool is_tank, is_board; ///< Which of the two groups is there.
    bool is_extra;          ///< Of a board's group, only `enabled` is known, and maybe the battery.
} hy_scene_robot_state;

/// A phantom of the scene now, and how far the first robot is behind it.
typedef struct {
    double x_m, y_m, heading_rad;
    bool has_gap;       ///< The next two are there: the first robot is on its path.
    double gap_s;       ///< So much later than the phantom it is where it is; negative: earlier.
    double gap_m;       ///< So far behind it is along the path; negative: ahead.
    unsigned splits;    ///< Quarters of a lap, or of the phantom's whole run, that it has passed.
    double split_gap_s; ///< `gap_s` at the last of them.
} hy_scene_phantom_state;

#define HY_SCENE_VALUES 64 ///< Most of them in a state.

/// A number that a robot program publishes, to be plotted.
typedef struct {
    const char *name; ///< What is no UTF-8 in it is shown as '?'.
    double value;     ///< Finite.
} hy_scene_value;

#define HY_SCENE_VALUE_NAME 64 ///< Bytes of its name, with its NUL.
#define HY_SCENE_TRUTH      3  ///< Values of a pose: x and y in metres, heading in radians.

/// A robot's pose in the frame of its start, as odometry has it that began there: "truth/x",
/// "truth/y", "truth/heading", which is not wrapped. Not finite if a pose is not. O(1).
void hy_scene_truth(hy_world_pose start, hy_world_pose robot, hy_scene_value out[HY_SCENE_TRUTH]);

/// Names a member, 0 to 2, of a pose that a program publishes as `channel`: its name without the
/// first slash, cut if it is too long, and "/x", "/y" or "/heading". The page draws such poses.
/// O(1).
void hy_scene_name_pose(const char *channel, size_t member, char out[HY_SCENE_VALUE_NAME]);

typedef struct {
    double t_s;
    bool is_simulated; ///< The next one is there.
    /// Steps times their length; after a stall of the host it lies behind `t_s`.
    double simulated_s;
    bool is_match; ///< The next five are there.
    int blue_score, red_score;
    bool timer_runs, in_collision;
    double timer_s;
    const hy_scene_robot_state *robots; ///< At most HY_SCENE_ROBOTS.
    size_t robot_count;
    const hy_icd_piece *pieces; ///< At most HY_ICD_PIECES.
    size_t piece_count;
    bool is_sim_known; ///< The next three are there: what the sim says of itself.
    double speed;      ///< Simulated time over real time.
    double step_us;    ///< What a step costs.
    int refused;       ///< Datagrams that it did not accept since its start.
    bool is_replay;    ///< The next two are there; `t_s` is then that of the show.
    double replay_s;   ///< The moment of the recording that is shown.
    double pace;       ///< Recorded time over real time; 0: it is paused.
    const hy_scene_phantom_state *phantoms; ///< Of the scene's, in their order.
    size_t phantom_count;                   ///< Of `phantoms`.
    bool has_run;         ///< The next ones are there: the first robot races against phantoms.
    double run_s;         ///< Since its start.
    const double *laps_s; ///< How long each of its laps took.
    size_t lap_count;     ///< Of `laps_s`.
    const hy_scene_value *values;
    size_t value_count; ///< Of `values`.
} hy_scene_state;

/// How a player's links do. What is negative is unknown.
typedef struct {
    unsigned player;
    int core;    ///< 1: its core answers, 0: it does not.
    int heard;   ///< 1: the sim hears its core, 0: it does not.
    bool sim;    ///< Its sim -> view messages arrive.
    bool is_bot; ///< A bot drives it while nobody else does.
    double rate_hz, age_ms;
    double loss; ///< 0 .. 1.
    double latency_ms;
    double core_rate_hz, core_age_ms; ///< Of the commands that the sim gets from its core.
    double core_latency_ms;           ///< From a command's arrival to the step that obeyed it.
} hy_scene_link;

// --------------------------------------------------------------------------- the scene of a world

/// A scene and the memory behind it.
typedef struct {
    /// The caller may change names, alliances and what is not there, before it is shown.
    hy_scene scene;
    /// Behind scene.robots: the world's vehicles in their order.
    hy_scene_robot robots[HY_SCENE_ROBOTS];
    // Private.
    hy_point *points;
    size_t point_count, point_room;
    uint8_t *mat;
    hy_scene_wall *walls;
    size_t wall_count;
    hy_scene_goal goals[HY_WORLD_GOALS];
    hy_scene_part parts[HY_SCENE_ROBOTS * HY_WORLD_PARTS];
    size_t part_count;
    hy_scene_wheel wheels[HY_SCENE_ROBOTS * 4];
    size_t wheel_count;
    hy_scene_sensor sensors[HY_SCENE_ROBOTS * HY_WORLD_SENSORS];
    size_t sensor_count;
    uint8_t *gltf[1 + HY_SCENE_ROBOTS]; // the field's, and each robot's; malloc()ed
} hy_scene_of_world;

/// The scene of a world, whose origin is at minus `middle` then: the field's frame for a match, (0,
/// 0) for a board's world. The title is the model's. Reads the glTF files that the model names; one
/// that cannot be read is left out. False if memory is used up.
bool hy_scene_make(hy_scene_of_world *self, const hy_world_model *model, hy_point middle);
void hy_scene_free(hy_scene_of_world *self);

/// Draws the floor of `model` as a PNG picture, north up, at most 2048 pixels wide and high, and
/// makes it the scene's mat; nothing where a glTF model draws the field and the world has no mat.
/// False if memory is used up: the scene has no mat then. O(pixels).
bool hy_scene_draw_mat(hy_scene_of_world *self, const hy_world_model *model);

/// Angles of a robot's modules, in the order of its wheels in the scene, from its truth. Returns
/// how many there are: 0 if its wheels do not steer.
size_t hy_scene_azimuths(const hy_world_fittings *fittings, const hy_truth *truth, double out[4]);

// --------------------------------------------------------------------------- the scene of a match

/// Lidar points of one robot that are kept between two states: a sweep and a quarter.
#define HY_SCENE_SCAN_POINTS 1024
/// Without a status for so long, what it said is unknown ...
#define HY_SCENE_STATUS_SILENT_US 500000
/// ... and without one for so long, its robots leave the scene.
#define HY_SCENE_EXTRA_GONE_US 2000000
/// Most robots of other kinds, beside the players.
#define HY_SCENE_EXTRAS (HY_SCENE_ROBOTS - HY_ICD_PLAYERS)

/// Estimates the simulated time of states from their times of arrival. Zero: none has arrived.
typedef struct {
    // Private.
    bool is_running;
    double state_us;
} hy_state_clock;

/// A match as its simulator describes it in the messages of icd.h: merges states, collects lidar
/// points until a state is made of them, and keeps the scene to the robots that the messages have.
typedef struct {
    hy_icd_match match; ///< Of the last message, without its lidar points.
    bool is_known;      ///< A message was received.
    bool is_new;        ///< ... since the last hy_scene_of_match_state().
    hy_scene scene;     ///< Read-only: the scene of the last hy_scene_of_match_update().
    // Private.
    hy_scene_robot robots[HY_SCENE_ROBOTS]; // behind scene.robots
    hy_scene_robot players[HY_ICD_PLAYERS]; // the looks of each player
    const hy_scene *extra_looks;            // a robot of each other kind
    char names[HY_SCENE_ROBOTS][HY_ICD_TEAM_SIZE];
    hy_icd_robot extras[HY_SCENE_EXTRAS];
    size_t extra_count;
    hy_scene_robot_state states[HY_SCENE_ROBOTS];
    hy_icd_player links[HY_ICD_PLAYERS]; ///< As the last status has them.
    double speed, step_us;
    int refused;
    int64_t start_us, status_us;
    hy_state_clock clock;
    double state_us;
    hy_icd_lidar_point points[HY_ICD_PLAYERS][HY_SCENE_SCAN_POINTS];
    size_t point_count[HY_ICD_PLAYERS];
} hy_scene_of_match;

/// Begins with `scene`, made of `model`: all its players and no others. `extra_looks` has a robot
/// of each kind that a status may name. The scenes must outlive `self`. O(robots), cannot fail.
void hy_scene_of_match_init(hy_scene_of_match *self, const hy_scene_of_world *scene,
                            const hy_match_model *model, const hy_scene *extra_looks, int64_t now_us);

/// Takes in the message that hy_icd_read_match() has just read into `self->match`; it arrived at
/// `arrived_us`, of the same clock as `now_us` elsewhere. O(lidar points), cannot fail.
void hy_scene_of_match_receive(hy_scene_of_match *self, int64_t arrived_us);

/// Takes in what a status says of the simulator and of robots of other kinds. Robots of a kind that
/// `extra_looks` lacks, and more than HY_SCENE_EXTRAS, are left out. O(robots), cannot fail.
void hy_scene_of_match_receive_status(hy_scene_of_match *self, const hy_icd_status *status,
                                      int64_t now_us);

/// Brings `self->scene` up to date. True if it changed: it must then be shown before the next
/// state. O(robots), cannot fail.
bool hy_scene_of_match_update(hy_scene_of_match *self, int64_t now_us);

/// The state now; call hy_scene_of_match_update() before. Its lists are `self`'s, valid until the
/// next call with `self`. O(robots), cannot fail.
hy_scene_state hy_scene_of_match_state(hy_scene_of_match *self, int64_t now_us);

// --------------------------------------------------------------------------- JSON for a page

// The messages of docs/spec/page.md. What does not fit sets `out->is_full`. O(size of the text).

/// The value of "scene" in `hello`.
void hy_scene_write(hy_text *out, const hy_scene *scene);

/// What `hello` says beside the scene. All zero: a page that only watches.
typedef struct {
    bool may_command;
    unsigned seat;         ///< The only player that the page may drive; 0: any.
    bool watchers;         ///< Pages without a token may watch.
    const char *addresses; ///< Other devices reach the page there: "host:port host:port"; or NULL.
    const char *token;     ///< For the page to keep in its address; NULL: it has it.
} hy_scene_hello;

/// `hello` with a scene that hy_scene_write() wrote.
void hy_scene_write_hello(hy_text *out, const hy_scene_hello *hello, hy_bytes scene);
void hy_scene_write_state(hy_text *out, const hy_scene_state *state);

/// Who drives a player, as one page sees it.
typedef enum {
    HY_SCENE_NOBODY,
    HY_SCENE_YOU,
    HY_SCENE_OTHER,
} hy_scene_owner;

typedef struct {
    hy_scene_owner owner;
    const char *name; ///< What the person at that page is called; NULL or "": no name was given.
} hy_scene_driver;

/// A token that lets a page drive one player.
typedef struct {
    const char *token;
    unsigned player;
    bool is_used; ///< A page has it.
} hy_scene_seat;

/// `drivers` has one for each link.
void hy_scene_write_players(hy_text *out, const hy_scene_link *links,
                            const hy_scene_driver *drivers, size_t count);

/// A number of a robot program that a page may change.
typedef struct {
    const char *name;
    double value;
    double low, high; ///< Its limits; not finite: there is none.
} hy_scene_tunable;

/// A choice that a page may make for a robot program.
typedef struct {
    const char *name;
    const char *const *options;
    size_t count;  ///< Of `options`.
    size_t chosen; ///< An index of `options`.
} hy_scene_chooser;

#define HY_SCENE_TUNABLES 64 ///< Most numbers that a page may change.
#define HY_SCENE_CHOOSERS 8  ///< Most choices.

/// All that a page may change of a robot program.
typedef struct {
    const hy_scene_tunable *numbers;  ///< At most HY_SCENE_TUNABLES.
    size_t number_count;              ///< Of `numbers`.
    const hy_scene_chooser *choosers; ///< At most HY_SCENE_CHOOSERS.
    size_t chooser_count;             ///< Of `choosers`.
} hy_scene_tuning;

/// `tunables`: what pages may change.
void hy_scene_write_tuning(hy_text *out, const hy_scene_tuning *tuning);

/// `seats`: the tokens that are valid now.
void hy_scene_write_seats(hy_text *out, const hy_scene_seat *seats, size_t count);

/// `reset`: player `player` pressed what resets the match; `name` as in hy_scene_driver.
void hy_scene_write_reset(hy_text *out, unsigned player, const char *name);

/// What of a recording can be plotted.
void hy_scene_write_channels(hy_text *out, const char *const *names, size_t count);

/// Values of a recording between two times.
void hy_scene_write_series(hy_text *out, double from_s, double to_s, const hy_scene_series *series,
                           size_t count);

/// {"type":TYPE,"text":TEXT}.
void hy_scene_write_word(hy_text *out, const char *type, const char *text);

// --------------------------------------------------------------------------- messages of a match

/// Commands of the interface document as shares of full speed: exactly n / 512. O(1), cannot fail.
///
///     hy_icd_read_commands(reader, bytes, &message);
///     const hy_match_commands commands = hy_match_commands_from_icd(&message);
hy_match_commands hy_match_commands_from_icd(const hy_icd_commands *message);

/// Sim -> core. Encoders become ten bits, 1024 counts a turn of the wheel. The lidar's points stay
/// the match's, valid until its next step. O(1), cannot fail.
void hy_icd_sensors_from_match(const hy_match_sensors *sensors, hy_icd_sensors *out);

/// A piece of a match or of any world; a goal of nobody's counts as free. O(1), cannot fail.
hy_icd_piece hy_icd_piece_from_match(const hy_match_piece *piece);

/// Sim -> view. The lidars' points stay the match's, valid until its next step. O(robots and
/// pieces), cannot fail.
void hy_icd_match_from_state(const hy_match_state *state, hy_icd_match *out);

#endif
