#include "host_page.h"

#include <halyard/link.h>
#include <halyard/robot.h>
#include <halyard/worldfile.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/system_child.h"
#include "text/text_plain.h"

#ifdef __APPLE__
#define OPENER "open"
#else
#define OPENER "xdg-open"
#endif

#define POLL_PERIOD_US 200000 // for pages that say nothing

// --------------------------------------------------------------------------- its options

// clang-format off
static const hy_option table[] = {
    { HY_OPTION(OPTIONAL, hy_host_page_options, view), .name = "view", .value = "ADDR:PORT", .help = "show it in the browser (default " HY_VIEW_LISTEN "; port 0: any free one)" },
    { HY_OPTION(TEXT, hy_host_page_options, place.folder), .name = "page", .value = "DIR", .needs = "view", .help = "the folder of the built page (default: where it was built, or installed)" },
    { HY_OPTION(FLAG, hy_host_page_options, place.watchers), .name = "watchers", .needs = "view", .help = "let pages without the token watch, but not drive" },
    { HY_OPTION(FLAG, hy_host_page_options, opens), .name = "open", .needs = "view", .help = "open the page in this user's browser, if there is a display" },
};
// clang-format on

static bool check_token(const char *program)
{
    const char *const token = getenv(HY_VIEW_TOKEN_NAME);
    const bool ok = token == NULL || hy_view_is_token(token);
    if (!ok) {
        hy_print_error(program,
                       HY_VIEW_TOKEN_NAME
                       " in the environment is not a token: it needs %d hexadecimal digits "
                       "in lower case; without it a fresh one is made",
                       HY_VIEW_TOKEN_SIZE - 1);
    }
    return ok;
}

static bool check(const char *program, void *to)
{
    hy_host_page_options *const asked = to;
    const bool names_one = asked->view != NULL && asked->view[0] != '\0';
    asked->place.listen = names_one ? asked->view : HY_VIEW_LISTEN;
    return asked->view == NULL || check_token(program);
}

hy_option_group hy_host_page_group(hy_host_page_options *to)
{
    return (hy_option_group)HY_OPTION_GROUP_CHECKED("The page", table, to, check);
}

hy_option_group hy_host_page_group_without_view(hy_host_page_options *to)
{
    hy_option_group group = hy_host_page_group(to);
    group.options++;
    group.count--;
    return group;
}

bool hy_host_page_keep_token(void)
{
    char token[HY_VIEW_TOKEN_SIZE];
    return getenv(HY_VIEW_TOKEN_NAME) != NULL ||
           (hy_view_new_token(token) && setenv(HY_VIEW_TOKEN_NAME, token, 1) == 0);
}

// --------------------------------------------------------------------------- a page of any scene

static hy_status serve(hy_view **out, const hy_view_place *place, const hy_view_options *options,
                       const hy_scene *scene, hy_view_error *error)
{
    char installed[HY_WORLDFILE_PATH_MAX];
    hy_view_place all = *place;
    all.installed = hy_worldfile_installed("page", installed) ? installed : NULL;
    return hy_view_serve(out, &all, options, scene, error);
}

hy_view *hy_host_page_serve(const char *program, const hy_view_place *place,
                            const hy_view_options *options, const hy_scene *scene)
{
    hy_view *view = NULL;
    hy_view_error error;
    (void)serve(&view, place, options, scene, &error);
    if (error.text[0] != '\0') {
        hy_print_error(program, "%s", error.text);
    }
    return view;
}

// A terminal that came over a network has none: there a text browser would start, which takes the terminal.
static bool has_display(void)
{
#ifdef __APPLE__
    return true;
#else
    const char *const x = getenv("DISPLAY"), *const wayland = getenv("WAYLAND_DISPLAY");
    return (x != NULL && x[0] != '\0') || (wayland != NULL && wayland[0] != '\0');
#endif
}

static void browse(const char *program, hy_view *view)
{
    const char *const path = hy_view_make_redirect(view);
    // Other users read its command line, and what the browser starts reads its environment, in which `play` has the token for its programs.
    if (path == NULL || !hy_child_start_apart(OPENER, path, HY_VIEW_TOKEN_NAME)) {
        hy_print_error(program, "--open: cannot start " OPENER ": %s; open the address yourself",
                       strerror(path != NULL ? errno : EIO));
    }
}

void hy_host_page_notice(hy_view *view, const char *may, FILE *out)
{
    char can[256], addresses[HY_ROBOT_REACHABLE_MAX], notice[HY_ROBOT_NOTICE_MAX];
    const hy_endpoint address = hy_view_address(view);
    (void)snprintf(can, sizeof can,
                   "can load the page, and %s if it has the token that ends these addresses; the "
                   "connection is not encrypted, so the token can be read on the way",
                   may);
    if (hy_robot_network_notice(&address, can, notice)) {
        hy_view_set_addresses(view, hy_robot_reachable_at(&address, addresses));
        if (hy_endpoint_is_every(&address)) {
            char *rest = addresses;
            for (const char *one; (one = strtok_r(rest, " ", &rest)) != NULL;) {
                hy_print(out, "or, from another device, http://%s/#%s\n", one, hy_view_token(view));
            }
        }
        hy_print(out, "%s\n", notice);
    }
    (void)fflush(out);
}

void hy_host_page_announce(const char *program, hy_view *view, const char *may, bool opens)
{
    char url[HY_VIEW_URL_MAX];
    hy_print(stdout, "open %s\n", hy_view_url(view, url));
    hy_host_page_notice(view, may, stdout);
    if (opens && has_display()) {
        browse(program, view);
    }
}

// --------------------------------------------------------------------------- the page of a simulation

static unsigned buttons_of(const hy_sim *sim)
{
    unsigned buttons = 0;
    for (size_t i = 0; i < hy_sim_boards(sim); i++) {
        buttons |= 1U << hy_sim_board_vehicle(sim, i);
    }
    return buttons;
}

hy_status hy_host_page_open(hy_host_page *self, const hy_view_place *place, const hy_sim *sim,
                            const char *faults, hy_view_error *error)
{
    self->view = NULL;
    if (!hy_sim_scene_open(&self->scene, sim)) {
        (void)snprintf(error->text, sizeof error->text, "%s", hy_status_text(HY_EMEMORY));
        return HY_EMEMORY;
    }
    (void)hy_scene_draw_mat(&self->scene.world, hy_sim_model(sim)); // without memory: no mat
    self->scene.world.scene.faults = faults;
    if (self->phantoms != NULL) {
        hy_phantoms_show(self->phantoms, &self->scene.world.scene);
    }
    const hy_view_options options = { .buttons = buttons_of(sim), .can_reset = true, .can_tune = true };
    const hy_status status = serve(&self->view, place, &options, &self->scene.world.scene, error);
    if (status != HY_OK) {
        hy_sim_scene_close(&self->scene);
    }
    return status;
}

void hy_host_page_close(hy_host_page *self)
{
    if (self->view != NULL) {
        hy_view_close(self->view);
        hy_sim_scene_close(&self->scene);
        self->view = NULL;
    }
}

bool hy_host_page_poll(hy_host_page *self, int64_t now_us)
{
    self->polled_us = now_us;
    const unsigned happened = self->view != NULL ? hy_view_poll(self->view, now_us) : 0;
    self->is_stopped = self->is_stopped || (happened & HY_VIEW_STOP) != 0;
    return (happened & HY_VIEW_RESET) != 0;
}

bool hy_host_page_take_stop(hy_host_page *self)
{
    const bool is_stopped = self->is_stopped;
    self->is_stopped = false;
    return is_stopped;
}

bool hy_host_page_is_due(const hy_host_page *self, int64_t now_us)
{
    return self->view != NULL && now_us - self->polled_us > POLL_PERIOD_US;
}

bool hy_host_page_button(const hy_host_page *self, size_t vehicle, int64_t now_us)
{
    return self->view != NULL && hy_view_button(self->view, (unsigned)vehicle + 1, now_us);
}

bool hy_host_page_take_push(hy_host_page *self, size_t vehicle)
{
    return self->view != NULL && hy_view_take_push(self->view, (unsigned)vehicle + 1);
}

static void move_phantoms(hy_host_page *self, const hy_sim *sim)
{
    const hy_world_pose pose = hy_world_pose_of(hy_sim_world(sim), 0);
    const hy_phantoms_living living = {
        .t_s = hy_sim_simulated_s(sim),
        .x_m = pose.x_m,
        .y_m = pose.y_m,
        .heading_rad = pose.heading_rad,
        .is_running = hy_sim_boards(sim) > 0 && hy_board_is_enabled(hy_sim_board_at(sim, 0)),
    };
    hy_phantoms_move(self->phantoms, &living);
}

void hy_host_page_collect(hy_host_page *self, const hy_sim *sim)
{
    if (self->phantoms != NULL) {
        move_phantoms(self, sim); // also while nobody looks: laps are counted
    }
    if (self->view != NULL && hy_view_is_watched(self->view)) {
        hy_sim_scene_collect(&self->scene, sim);
    }
}

void hy_host_page_show(hy_host_page *self, const hy_sim *sim, int64_t now_us)
{
    if (self->view != NULL && hy_view_wants_state(self->view, now_us)) {
        hy_scene_state state = *hy_sim_scene_state(&self->scene, sim);
        if (self->phantoms != NULL) {
            hy_phantoms_put(self->phantoms, &state);
        }
        state.values = self->values;
        state.value_count = self->value_count;
        hy_view_set_state(self->view, &state, now_us);
    }
}

// --------------------------------------------------------------------------- attached to a host

static void step(void *context, const hy_sim *sim)
{
    hy_host_page_collect(context, sim);
}

static void turn(void *context, int64_t now_us)
{
    hy_host_page *const self = context;
    hy_host_page_show(self, self->sim, now_us);
    if (self->has_news || hy_host_page_is_due(self, now_us)) {
        self->has_news = false;
        self->wants_reset = hy_host_page_poll(self, now_us) || self->wants_reset;
    }
}

static void end(void *context)
{
    hy_host_page *const self = context;
    hy_host_page_close(self);
    hy_phantoms_close(self->phantoms);
    self->phantoms = NULL;
}

static void on_pages(void *context, int64_t now_us)
{
    hy_host_page *const self = context;
    self->has_news = true;
    (void)hy_host_turn(self->host, now_us);
}

bool hy_host_page_start(hy_host_page *self, hy_host *host, const hy_host_page_setup *setup)
{
    static const hy_attachment_functions functions = { .on_turn = turn, .on_step = step, .close = end };
    hy_view_error error = { "" };
    self->host = host;
    self->sim = setup->sim;
    if (setup->page->view == NULL) {
        return true;
    }
    if (!hy_host_phantoms_open_for(host->program, setup->phantoms, setup->sim, &self->phantoms)) {
        return false;
    }
    hy_host_attach(host, &functions, self);
    hy_status status =
        hy_host_page_open(self, &setup->page->place, setup->sim, setup->faults, &error);
    if (error.text[0] != '\0') {
        hy_print_error(host->program, "%s", error.text);
    }
    if (status == HY_OK) {
        hy_host_page_announce(host->program, self->view, setup->may, setup->page->opens);
        status = hy_loop_watch(setup->loop, hy_view_descriptor(self->view), on_pages, self);
    }
    return status == HY_OK;
}

bool hy_host_page_take_reset(hy_host_page *self)
{
    const bool wants_reset = self->wants_reset;
    self->wants_reset = false;
    return wants_reset;
}

void hy_host_page_add(const hy_host_page *self, hy_ready_line *ready)
{
    char url[HY_VIEW_URL_MAX];
    if (self->view != NULL) {
        hy_ready_line_add(ready, "page", "%s", hy_view_url(self->view, url));
    }
}
