/// @file view.h
/// The page in the browser: what it is told about a match or a robot, and what it may say (docs/spec/page.md).
///
/// The caller describes the scene, then the state as it changes, and asks what the pages want: sticks, buttons, a reset.
/// The server behind it has a thread of its own; all functions here belong to one thread, the caller's, and none waits for a
/// browser. Nothing allocates after the start.
#ifndef HALYARD_VIEW_H
#define HALYARD_VIEW_H

#include <halyard/base.h>
#include <halyard/icd.h>
#include <halyard/web.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HY_VIEW_ROBOTS          8
#define HY_VIEW_SILENCE_US      150000 ///< Sticks that were not repeated for so long are let go.
#define HY_VIEW_STATE_PERIOD_US 16667  ///< States go out at most this often, on the average.
#define HY_VIEW_POLL_MESSAGES   256
#define HY_VIEW_PRESS_US        100000 ///< The shortest press of a button, so that none is overlooked.
#define HY_VIEW_TOKEN_SIZE \
    33                    ///< 128 random bits as hexadecimal digits, with the end of the string.
#define HY_VIEW_PORT 5800 ///< Where the page is served unless told otherwise.

// --------------------------------------------------------------------------- the scene

typedef struct {
    double x_m, y_m;
} hy_view_point;

/// An outline of the caller's, closed; two points are a line.
typedef struct {
    const hy_view_point *points;
    size_t count;
} hy_view_outline;

typedef struct {
    double height_m;
    hy_view_outline outline;
} hy_view_wall;

typedef struct {
    hy_icd_alliance alliance;
    hy_view_outline outline;
} hy_view_goal;

typedef struct {
    const char *role; ///< "body", "bumper", "intake_center", "intake_left", "intake_right", "tube".
    double low_m, high_m;
    hy_view_outline outline; ///< In the robot's axes.
} hy_view_part;

typedef struct {
    double x_m, y_m, radius_m, width_m;
} hy_view_wheel;

typedef struct {
    const char *kind;     ///< Of its vehicle: hy_world_vehicle_kind().
    const char *name;     ///< UTF-8; what is not is shown as such.
    const char *alliance; ///< "Blue", "Red"; NULL: none.
    unsigned player;      ///< 0: no page can drive it.
    const hy_view_part *parts;
    size_t part_count;
    const hy_view_wheel *wheels;
    size_t wheel_count;
    bool has_range_cone;
    hy_view_point range_at;
    double range_half_rad, range_far_m;
    hy_view_point reflectance_at[HY_PIN_REFLECTANCE];
    size_t reflectance_count;
    unsigned encoders, servos;
} hy_view_robot_scene;

typedef struct {
    bool is_match; ///< Else a board's world.
    const char *title;
    double floor_m[4];   ///< x0, y0, x1, y1.
    double floor_shade;  ///< 0 white .. 1 black.
    const char *mat_url; ///< NULL: no mat.
    double mat_m[4];     ///< x, y, width, height.
    const hy_view_wall *walls;
    size_t wall_count;
    const hy_view_goal *goals;
    size_t goal_count;
    double piece_radius_m;
    double match_s; ///< Length of a match; 0: unknown.
    const hy_view_robot_scene *robots; ///< At most HY_VIEW_ROBOTS.
    size_t robot_count;
} hy_view_scene;

// --------------------------------------------------------------------------- the state

/// A robot now. Counts of 0 leave the list out.
typedef struct {
    double x_m, y_m, heading_rad;
    hy_icd_lidar lidar; ///< Since the last state that went out; azimuth and range are shown.
    // Of a tank.
    double drive_rad_s[2], intake_rad_s[3], tube_rad_s;
    // Of a board.
    double duty[HY_PIN_MOTORS];
    size_t duty_count;
    double encoder_counts[HY_PIN_ENCODERS];
    size_t encoder_count;
    double range_m;
    double reflectance[HY_PIN_REFLECTANCE];
    size_t reflectance_count;
    double servo_rad[HY_PIN_SERVOS];
    size_t servo_count;
    double azimuth_rad[4];
    size_t azimuth_count;
    double battery_v;
    bool enabled, led, button, touching;
    bool has_range;
    bool is_tank, is_board; ///< Which of the two groups is there.
    bool is_guest;          ///< Of a board's group, only `enabled` is known.
} hy_view_robot;

typedef struct {
    double t_s;
    bool is_match; ///< The next five are there.
    int blue_score, red_score;
    bool timer_runs, in_collision;
    double timer_s;
    const hy_view_robot *robots; ///< At most HY_VIEW_ROBOTS.
    size_t robot_count;
    const hy_icd_piece *pieces; ///< At most HY_ICD_PIECES.
    size_t piece_count;
    bool is_sim_known; ///< The next three are there: what the sim says of itself.
    double speed;      ///< Simulated time over real time.
    double step_us;    ///< What a step costs.
    int refused;       ///< Datagrams that it did not accept since its start.
} hy_view_state;

/// How a player's links do. What is negative is unknown.
typedef struct {
    unsigned player;
    int core;  ///< 1: its core answers, 0: it does not.
    int heard; ///< 1: the sim hears its core, 0: it does not.
    bool sim;  ///< Its sim -> view messages arrive.
    double rate_hz, age_ms;
    double loss; ///< 0 .. 1.
    double latency_ms;
    double core_rate_hz, core_age_ms; ///< Of the commands that the sim gets from its core.
    double core_latency_ms;           ///< From a command's arrival to the step that obeyed it.
} hy_view_link;

// --------------------------------------------------------------------------- life

typedef struct {
    hy_endpoint listen; ///< Port 0: any free one.
    const char *folder; ///< The built page; NULL: `without_folder` is all that is served.
    const char *without_folder;
    const hy_web_file *files; ///< What the scene refers to: the mat's picture.
    size_t file_count;
    bool watchers;    ///< Who does not have the token may look.
    unsigned players; ///< Bit n: pages may drive player n + 1.
    unsigned buttons; ///< Robots, from 1 on, that have a button to press.
    bool can_reset;
    /// A token of the caller's, so that pages find back after a restart; NULL: a fresh one.
    const char *token;
} hy_view_options;

typedef struct hy_view hy_view;

/// Counters; they only grow.
typedef struct {
    uint64_t messages; ///< Understood.
    uint64_t dropped;  ///< Not understood, or not allowed.
    uint64_t over_limit; ///< Not obeyed, for their page sent too many; of sticks the newest are obeyed.
    uint64_t refused; ///< Commands that were answered by `sorry`.
    uint64_t wrong_tokens;
    uint64_t states; ///< That were written, whoever then saw them.
} hy_view_counters;

/// Starts to serve a scene; fails as hy_web_start(), with HY_ERANGE if the scene is too large to be described (1 MiB), and with
/// HY_EFORMAT if the token is none.
hy_status hy_view_start(hy_view **out, const hy_view_options *options, const hy_view_scene *scene);
void hy_view_stop(hy_view *self); ///< NULL is harmless.

hy_endpoint hy_view_address(const hy_view *self);
const char *hy_view_token(const hy_view *self); ///< The view's.

/// Whether a text is a token: 32 hexadecimal digits in lower case.
bool hy_view_is_token(const char *text);

/// 128 fresh random bits, for hy_view_options.token; false if the system has none.
bool hy_view_new_token(char token[HY_VIEW_TOKEN_SIZE]);

/// Readable while hy_view_poll() has something to do.
intptr_t hy_view_descriptor(const hy_view *self);

hy_view_counters hy_view_count(const hy_view *self);

// --------------------------------------------------------------------------- what pages are told

/// A new scene, if it differs from the last. HY_ERANGE if it is more than a quarter larger than the first, plus 16 kB.
hy_status hy_view_set_scene(hy_view *self, const hy_view_scene *scene);

/// Whether any page is told what happens. O(1).
bool hy_view_is_watched(const hy_view *self);

/// Whether a state would be seen: somebody looks, and HY_VIEW_STATE_PERIOD_US have passed. O(1).
bool hy_view_wants_state(const hy_view *self, int64_t now_us);

/// The state as of now. Costs what its text does: about 10 us for six robots and 200 lidar points.
void hy_view_set_state(hy_view *self, const hy_view_state *state, int64_t now_us);

/// How the links do; at most HY_ICD_PLAYERS. Pages are told at once: call it five times a second.
void hy_view_set_links(hy_view *self, const hy_view_link *links, size_t count);

// --------------------------------------------------------------------------- what pages want

enum {
    HY_VIEW_NEW_STICKS = 1, ///< Of some player, or one was released.
    HY_VIEW_RESET = 2,
};

/// Takes in what the pages said until `now_us`; returns what of the above happened. Call it when the descriptor is readable and
/// at least once a second. One call takes in at most HY_VIEW_POLL_MESSAGES, so it costs at most about a millisecond; if there is more, the
/// descriptor stays readable.
unsigned hy_view_poll(hy_view *self, int64_t now_us);

/// Whether a page drives `player` (1 .. HY_ICD_PLAYERS).
bool hy_view_is_driven(const hy_view *self, unsigned player);

/// Its sticks; all zero if nobody drives it or its page has been silent for HY_VIEW_SILENCE_US.
hy_icd_sticks hy_view_sticks(const hy_view *self, unsigned player, int64_t now_us);

/// Takes a player away from the page that drives it, and tells it why: one sentence.
void hy_view_take_away(hy_view *self, unsigned player, const char *why);

/// Whether somebody holds the button of `robot` (from 1) down.
bool hy_view_button(const hy_view *self, unsigned robot, int64_t now_us);

// --------------------------------------------------------------------------- measuring a link

/// How one player's messages arrive, and how long a stick takes to show. All zero is ready.
typedef struct {
    // Private.
    int64_t last_us, bucket_us;
    unsigned bucket[5], newest;
    int64_t moved_us; // when the stick did that an answer is awaited for; 0: none is
    double moved_from[3];
    double latency_ms[9];
    unsigned latencies;
    bool has_sticks;
    hy_icd_sticks sticks;
} hy_view_meter;

/// A message arrived.
void hy_view_meter_arrived(hy_view_meter *self, int64_t now_us);

/// Messages a second over the last second, and the age of the newest; negative if there is none.
double hy_view_meter_rate_hz(hy_view_meter *self, int64_t now_us);
double hy_view_meter_age_ms(const hy_view_meter *self, int64_t now_us);

/// These sticks are in force from now on, while the robot is seen as `seen`; then: so it is seen now. The time between
/// a stick that moved and motors that changed is the latency.
void hy_view_meter_sticks(hy_view_meter *self, const hy_icd_sticks *sticks,
                          const hy_icd_vehicle *seen, int64_t now_us);
void hy_view_meter_seen(hy_view_meter *self, const hy_icd_vehicle *seen, int64_t now_us);

/// The median of the last measurements, milliseconds; negative if there is none.
double hy_view_meter_latency_ms(const hy_view_meter *self);

#ifdef __cplusplus
}
#endif

#endif
