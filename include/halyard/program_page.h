/// @file program_page.h
/// The page of a simulation in this process: it shows the world around the robots, and its visitors
/// press their buttons and put them back. For loops of one's own; `--view` of a program does all of
/// this (program.h).
///
///     static void show(hy_program_page *page, const hy_sim *sim, int64_t now_us)
///     {
///         hy_program_page_collect(page, sim); // after a step of the world
///         hy_program_page_show(page, sim, now_us);
///         if (hy_program_page_poll(page, now_us)) { puts("a page wants a reset"); }
///     }
#ifndef HALYARD_PROGRAM_PAGE_H
#define HALYARD_PROGRAM_PAGE_H

#include <halyard/record_phantoms.h>
#include <halyard/sim_scene.h>
#include <halyard/view_page.h>

HY_API_BEGIN

/// All zero: there is no page, and every call below does nothing.
typedef struct {
    /// For hy_view_descriptor(), hy_view_url(), hy_view_set_tuning() and hy_view_take_change();
    /// NULL: there is no page.
    hy_view *view;
    /// Shown beside the first robot, if the caller sets it before hy_program_page_open(); the
    /// caller's, to be freed after the page was closed.
    hy_phantoms *phantoms;
    /// Numbers to be plotted on the page, beside those of the simulation: the caller's, who may
    /// change them between two calls of hy_program_page_show(). At most HY_SCENE_VALUES.
    const hy_scene_value *values;
    size_t value_count;
    // Private.
    hy_sim_scene scene;
    int64_t polled_us; // when it last asked the pages
    bool is_stopped;   // by one of them, until the caller takes it
} hy_program_page;

/// Serves the page of `sim`, whose boards' vehicles have buttons; `place` as for hy_view_serve(),
/// with the installed page if it names none. `faults` (may be NULL) is shown on the page. Fails and
/// explains as hy_view_serve(). Allocates and starts a thread; end it with hy_program_page_close().
hy_status hy_program_page_open(hy_program_page *self, const hy_view_place *place, const hy_sim *sim,
                               const char *faults, hy_view_error *error);
void hy_program_page_close(hy_program_page *self);

/// Says where other machines reach the page of `view`, if it is served to them: lines "or, from
/// another device, URL" and a line "network: ..." on stdout, or on stderr, and lets the page show
/// the addresses. `may` is what a page with the token can do: "drive". Allocates for the duration
/// of the call.
void hy_program_page_announce(hy_view *view, const char *may, bool on_stderr);

/// Takes in what pages want until `now_us` (hy_clock_now_us()); true if one of them wants a reset.
/// Call it when hy_view_descriptor() is readable, and when hy_program_page_is_due().
bool hy_program_page_poll(hy_program_page *self, int64_t now_us);

/// Whether a page has stopped the robots since the last call: hy_sim_datagram has how to stop a
/// board. O(1).
bool hy_program_page_take_stop(hy_program_page *self);

/// True if hy_program_page_poll() was long ago: it is to be called for silent pages too. O(1).
bool hy_program_page_is_due(const hy_program_page *self, int64_t now_us);

/// Whether a page holds the button of this vehicle of the world down. O(1).
bool hy_program_page_button(const hy_program_page *self, size_t vehicle, int64_t now_us);

/// Whether a page has said since the last call that this vehicle of the world was pushed while it
/// calibrated its gyro: hy_sim_push. O(1).
bool hy_program_page_take_push(hy_program_page *self, size_t vehicle);

/// Keeps what the sensors saw in a step of the world for the next state. Call it after every step.
void hy_program_page_collect(hy_program_page *self, const hy_sim *sim);

/// Shows the world as it is now, if somebody looks and it is time. Call it after every step.
void hy_program_page_show(hy_program_page *self, const hy_sim *sim, int64_t now_us);

HY_API_END

#endif
