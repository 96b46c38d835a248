// The page of a program: its options, how it says where the page is, and the page of a simulation, which shows the world around the
// robots, and whose visitors press their buttons and put them back.
#ifndef HALYARD_HOST_PAGE_H
#define HALYARD_HOST_PAGE_H

#include <halyard/link.h>
#include <stdio.h>

#include "host.h"
#include "host_phantoms.h"
#include "host_ready.h"
#include "options/options.h"
#include "record/record_phantoms.h"
#include "sim/sim_scene.h"
#include "view/view_page.h"

// --------------------------------------------------------------------------- its options

typedef struct {
    const char *view;    ///< What follows --view; NULL: no page was asked for.
    hy_view_place place; ///< Where it is served, once its group was checked.
    bool opens;          ///< In this user's browser.
} hy_host_page_options;

/// Its options: --view, --page, --watchers and --open.
hy_option_group hy_host_page_group(hy_host_page_options *to);

/// Those of a program whose page has another address option, or is always there: all but --view.
hy_option_group hy_host_page_group_without_view(hy_host_page_options *to);

/// Has every page that this process and its children serve from now on use one token, so that pages find back when a child is
/// restarted. Call it before there are threads. False if the system refuses.
bool hy_host_page_keep_token(void);

// --------------------------------------------------------------------------- a page of any scene

/// hy_view_serve(), with the installed page. NULL with a sentence.
hy_view *hy_host_page_serve(const char *program, const hy_view_place *place,
                            const hy_view_options *options, const hy_scene *scene);

/// Prints "open http://ADDR:PORT/#TOKEN" and what hy_host_page_notice() says. With `opens`, also opens the page in this user's browser, with
/// what may be used once in place of the token: other users can read command lines. A sentence if that does not work.
void hy_host_page_announce(const char *program, hy_view *view, const char *may, bool opens);

/// Says where other machines reach the page, if it is served to them: lines "or, from another device, URL" and a line "network: ...", and
/// lets the page show the addresses. `may` is what a page with the token can do: "drive".
void hy_host_page_notice(hy_view *view, const char *may, FILE *out);

// --------------------------------------------------------------------------- the page of a simulation

/// All zero: there is no page, and every call below does nothing.
typedef struct {
    /// For hy_view_descriptor(), hy_view_url(), hy_view_set_tuning() and hy_view_take_change();
    /// NULL: there is no page.
    hy_view *view;
    /// Shown beside the first robot, if the caller sets it before hy_host_page_open(); the
    /// caller's, to be freed after the page was closed.
    hy_phantoms *phantoms;
    /// Numbers to be plotted on the page, beside those of the simulation: the caller's, who may
    /// change them between two calls of hy_host_page_show(). At most HY_SCENE_VALUES.
    const hy_scene_value *values;
    size_t value_count;
    // Private.
    hy_sim_scene scene;
    const hy_sim *sim;
    hy_host *host;
    int64_t polled_us; // when it last asked the pages
    bool has_news, wants_reset, is_stopped;
} hy_host_page;

/// What hy_host_page_start() needs.
typedef struct {
    const hy_host_page_options *page;
    const hy_host_phantoms *phantoms;
    hy_sim *sim;
    const char *faults; ///< Shown on the page; NULL: none.
    const char *may;    ///< As for hy_host_page_notice().
    hy_loop *loop;      ///< Of the caller: what pages say makes a turn of the host.
} hy_host_page_setup;

/// Opens phantoms and page, if one was asked for, says where it is, and attaches it to `host`. False with a sentence if that cannot be.
bool hy_host_page_start(hy_host_page *self, hy_host *host, const hy_host_page_setup *setup);

/// Whether a page has asked for a reset since the last call.
bool hy_host_page_take_reset(hy_host_page *self);

/// Adds page=URL to the line that says that the program is ready. Does nothing without a page.
void hy_host_page_add(const hy_host_page *self, hy_ready_line *ready);

/// Serves the page of `sim`, whose boards' vehicles have buttons; `place` as for hy_view_serve(), with the installed page. `faults` (may
/// be NULL) is shown on the page. Fails and explains as hy_view_serve(). Allocates and starts a thread; end it with
/// hy_host_page_close().
hy_status hy_host_page_open(hy_host_page *self, const hy_view_place *place, const hy_sim *sim,
                            const char *faults, hy_view_error *error);
void hy_host_page_close(hy_host_page *self);

/// Takes in what pages want until `now_us` (hy_clock_now_us()); true if one of them wants a reset.
/// Call it when hy_view_descriptor() is readable, and when hy_host_page_is_due().
bool hy_host_page_poll(hy_host_page *self, int64_t now_us);

/// Whether a page has stopped the robots since the last call: hy_sim_datagram has how to stop a board. O(1).
bool hy_host_page_take_stop(hy_host_page *self);

/// True if hy_host_page_poll() was long ago: it is to be called for silent pages too. O(1).
bool hy_host_page_is_due(const hy_host_page *self, int64_t now_us);

/// Whether a page holds the button of this vehicle of the world down. O(1).
bool hy_host_page_button(const hy_host_page *self, size_t vehicle, int64_t now_us);

/// Whether a page has said since the last call that this vehicle of the world was pushed while it
/// calibrated its gyro: hy_sim_push. O(1).
bool hy_host_page_take_push(hy_host_page *self, size_t vehicle);

/// Keeps what the sensors saw in a step of the world for the next state. Call it after every step.
void hy_host_page_collect(hy_host_page *self, const hy_sim *sim);

/// Shows the world as it is now, if somebody looks and it is time. Call it after every step.
void hy_host_page_show(hy_host_page *self, const hy_sim *sim, int64_t now_us);

#endif
