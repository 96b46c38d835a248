/// @file view.h
/// The page in the browser: what it is told about a match or a robot, and what it may say
/// (docs/spec/page.md).
///
/// The caller describes the scene, then the state as it changes, and asks what the pages want:
/// sticks, buttons, a reset. The server behind it has a thread of its own; all functions here
/// belong to one thread, the caller's, and none waits for a browser. Nothing allocates after the
/// start.
///
///     static void show(const hy_view_options *options, const hy_scene *scene,
///                      const hy_scene_state *state)
///     {
///         hy_view *view;
///         if (hy_view_open(&view, options, scene) != HY_OK) { return; }
///         for (int64_t now_us = 0; now_us < 10000000; now_us += 10000) {
///             hy_view_poll(view, now_us);
///             if (hy_view_wants_state(view, now_us)) { hy_view_set_state(view, state, now_us); }
///         }
///         hy_view_close(view);
///     }
#ifndef HALYARD_VIEW_H
#define HALYARD_VIEW_H

#include <halyard/base.h>
#include <halyard/icd.h>

#include "scene/scene.h"
#include "web/web.h"

#define HY_VIEW_SILENCE_US 150000 ///< Sticks that were not repeated for so long are let go.
#define HY_VIEW_STATE_PERIOD_US \
    5000 ///< States go out at most this often: each of a sim with steps of 10 ms.
#define HY_VIEW_POLL_MESSAGES 256
/// The shortest press of a button, so that none is overlooked.
#define HY_VIEW_PRESS_US 100000
/// 128 random bits as hexadecimal digits, with the end of the string.
#define HY_VIEW_TOKEN_SIZE 33
#define HY_VIEW_PORT       5800 ///< Where the page is served unless told otherwise.

// --------------------------------------------------------------------------- life

typedef struct {
    hy_endpoint listen; ///< Port 0: any free one.
    const char *folder; ///< The built page; NULL: `without_folder` is all that is served.
    const char *without_folder;
    bool watchers;    ///< Who does not have the token may look.
    unsigned players; ///< Bit n: pages may drive player n + 1.
    unsigned buttons; ///< Robots, from 1 on, that have a button to press.
    bool can_reset;   ///< Pages may reset the world and stop its robots.
    bool can_tune;    ///< Pages may change what hy_view_set_tuning() names: hy_view_take_change().
    bool is_replay;   ///< Pages may choose the moment and the pace: hy_view_take_replay().
    const char *const *channels; ///< Of a recording: what pages may plot, hy_view_take_plot().
    size_t channel_count;
    /// A token of the caller's, so that pages find back after a restart; NULL: a fresh one.
    const char *token;
    hy_web_names names; ///< By what names pages may call this computer: hy_web_allow_host().
} hy_view_options;

typedef struct hy_view hy_view;

/// Counters; they only grow.
typedef struct {
    uint64_t messages; ///< Understood.
    uint64_t dropped;  ///< Not understood, not allowed, or sticks that were too old.
    /// Not obeyed, for their page sent too many; of sticks the newest are obeyed.
    uint64_t over_limit;
    uint64_t refused; ///< Commands that were answered by `sorry`.
    uint64_t wrong_tokens;
    uint64_t states;  ///< That were written, whoever then saw them.
    uint64_t players; ///< Messages that tell a page who drives.
} hy_view_counters;

/// Starts to serve a scene; fails as hy_web_open(), with HY_ERANGE if the scene is too large to be
/// described (1 MiB), and with HY_EFORMAT if the token is none.
hy_status hy_view_open(hy_view **out, const hy_view_options *options, const hy_scene *scene);
void hy_view_close(hy_view *self); ///< NULL is harmless.

/// Where pages are served, with the real port. O(1).
hy_endpoint hy_view_address(const hy_view *self);
const char *hy_view_token(const hy_view *self); ///< The view's.

/// Where other devices reach the page, "host:port host:port"; pages with the token show it as QR
/// codes. Copied, at most 255 bytes.
void hy_view_set_addresses(hy_view *self, const char *addresses);

/// Writes an HTML file that leads a browser to the page, as if it had the token, for command lines
/// that other users of the machine can read: only this user can read the file, and what it has is
/// good for one page. It lies in the user's folder for downloads, or home, which browsers in a
/// sandbox can read too, and is removed when that page is there, or the view is stopped. Its path,
/// the view's; NULL if it cannot be written. A new call makes the last file invalid.
const char *hy_view_make_redirect(hy_view *self);

/// Whether a text is a token: 32 hexadecimal digits in lower case.
bool hy_view_is_token(const char *text);

/// 128 fresh random bits, for hy_view_options.token; false if the system has none.
bool hy_view_new_token(char token[HY_VIEW_TOKEN_SIZE]);

/// Readable while hy_view_poll() has something to do.
intptr_t hy_view_descriptor(const hy_view *self);

/// The counters as they are now: a copy. O(1).
hy_view_counters hy_view_count(const hy_view *self);

// --------------------------------------------------------------------------- what pages are told

/// Sends pages a new scene, if it differs from the last. HY_ERANGE if its JSON is larger than 1.25
/// times the first scene's plus 16 kB.
hy_status hy_view_set_scene(hy_view *self, const hy_scene *scene);

/// Whether any page is connected that states are sent to. O(1).
bool hy_view_is_watched(const hy_view *self);

/// Whether a state would be sent: a page is connected, and HY_VIEW_STATE_PERIOD_US have passed
/// since the last. O(1).
bool hy_view_wants_state(const hy_view *self, int64_t now_us);

/// Sends pages the state of `now_us`. O(size of its JSON): about 10 us for six robots and 200 lidar
/// points.
void hy_view_set_state(hy_view *self, const hy_scene_state *state, int64_t now_us);

/// Sends pages who drives, and the quality of each player's links; at most HY_ICD_PLAYERS. It is
/// sent at once: call it about five times a second. hy_view_poll() sends changes of who drives
/// sooner, at most 20 times a second.
void hy_view_set_links(hy_view *self, const hy_scene_link *links, size_t count);

/// Sends pages what they may change of a robot program; call it when that has changed. Texts that
/// need more than 64 KiB are not sent. Only with `can_tune`. O(size of its JSON).
void hy_view_set_tuning(hy_view *self, const hy_scene_tuning *tuning);

// --------------------------------------------------------------------------- what pages want

enum {
    HY_VIEW_NEW_STICKS = 1, ///< A player's sticks have changed, or a player was released.
    HY_VIEW_RESET = 2,      ///< A page asks for a new start of the world.
    HY_VIEW_REPLAY = 4,     ///< See hy_view_take_replay() and hy_view_take_plot().
    HY_VIEW_CHANGE = 8,     ///< See hy_view_take_change().
    HY_VIEW_PUSH = 16,      ///< See hy_view_take_push().
    HY_VIEW_STOP = 32,      ///< A page stops the robots; they stand until somebody enables them.
};

/// Reads the messages that pages sent until `now_us`; returns which of the above happened. Call it
/// when the descriptor is readable and at least once a second. One call takes in at most
/// HY_VIEW_POLL_MESSAGES, so it costs at most about a millisecond; if there is more, the descriptor
/// stays readable.
unsigned hy_view_poll(hy_view *self, int64_t now_us);

/// A number or a choice that a page with the token changes.
typedef struct {
    bool is_choice;  ///< One of the choosers, else of the numbers, of hy_view_set_tuning().
    size_t index;    ///< Which of them.
    bool is_start;   ///< Back to the start; the next two are not there.
    double value;    ///< Of a number: finite, else any.
    unsigned option; ///< Of a choice: an index of its options, or too large.
} hy_view_change;

/// Takes a change that pages want, the newest of each number and choice. False: there is none.
/// O(HY_SCENE_TUNABLES).
bool hy_view_take_change(hy_view *self, hy_view_change *out);

#define HY_VIEW_PACE_MAX 16000 ///< Fastest pace of a recording, in thousandths of real time.

/// What pages ask of a recording: the newest request of each kind.
typedef struct {
    bool seeks, changes_pace; ///< Which of the two requests came.
    int64_t to_ms;            ///< The moment to show.
    int64_t pace_permille;    ///< Thousandths of real time, 0 .. HY_VIEW_PACE_MAX; 0: pause.
} hy_view_replay;

/// Takes what pages have asked for since the last call. O(1).
hy_view_replay hy_view_take_replay(hy_view *self);

#define HY_VIEW_PLOT_CHANNELS 8    ///< Most channels of a plot.
#define HY_VIEW_PLOT_SAMPLES  1000 ///< Most values of each.

/// A plot of a recording that a page asked for.
typedef struct {
    unsigned page;                            ///< Which page, for hy_view_show_plot().
    int64_t from_ms, to_ms;                   ///< Of the recording; any two times.
    unsigned channels[HY_VIEW_PLOT_CHANNELS]; ///< Any numbers.
    size_t count;
} hy_view_plot;

/// The next plot that a page asked for and that was not taken yet, the newest of each page. False:
/// there is none. O(pages).
bool hy_view_take_plot(hy_view *self, hy_view_plot *out);

/// Sends a page the values that it asked for: at most HY_VIEW_PLOT_CHANNELS series of at most
/// HY_VIEW_PLOT_SAMPLES values.
void hy_view_show_plot(hy_view *self, const hy_view_plot *asked, const hy_scene_series *series,
                       size_t count);

/// Whether a page drives `player` (1 .. HY_ICD_PLAYERS).
bool hy_view_is_driven(const hy_view *self, unsigned player);

/// The sticks of `player`; all zero if no page drives it, or if that page has sent none for
/// HY_VIEW_SILENCE_US.
hy_icd_sticks hy_view_sticks(const hy_view *self, unsigned player, int64_t now_us);

/// Ends the ownership of the page that drives `player`, and sends it the reason: one sentence.
void hy_view_take_away(hy_view *self, unsigned player, const char *why);

/// Whether a page holds the button of `robot` (from 1) down.
bool hy_view_button(const hy_view *self, unsigned robot, int64_t now_us);

/// Whether a page has said since the last call that `robot` (from 1) was pushed while it calibrated
/// its gyro.
bool hy_view_take_push(hy_view *self, unsigned robot);

// --------------------------------------------------------------------------- measuring a link

/// Measures how often a player's messages arrive, and how long it takes until a stick's movement
/// shows in the robot's motors. Zero-initialised is ready.
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

/// Counts a message that arrived at `now_us`.
void hy_view_meter_arrived(hy_view_meter *self, int64_t now_us);

/// Messages a second over the last second, and the age of the newest in milliseconds; negative if
/// none has arrived.
double hy_view_meter_rate_hz(hy_view_meter *self, int64_t now_us);
double hy_view_meter_age_ms(const hy_view_meter *self, int64_t now_us);

/// Notes the sticks that are sent from now on, and the robot as the newest state shows it; the
/// second function notes a newer state. The time from a stick's movement to a change of the motors
/// is the latency.
void hy_view_meter_sticks(hy_view_meter *self, const hy_icd_sticks *sticks,
                          const hy_icd_vehicle *seen, int64_t now_us);
void hy_view_meter_seen(hy_view_meter *self, const hy_icd_vehicle *seen, int64_t now_us);

/// The median of the last measurements, milliseconds; negative if there is none.
double hy_view_meter_latency_ms(const hy_view_meter *self);

#endif
