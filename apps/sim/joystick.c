// `halyard joystick`: a player's hands, from the keyboard, a game pad or a script, to the player's core.

#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/app.h"
#include "host/host_loop.h"
#include "host/host_ready.h"
#include "host/host_refusals.h"
#include "icd_options.h"
#include "input/input.h"
#include "joystick_view.h"
#include "script_file.h"
#include "stick_pace.h"

#define COMMAND "halyard joystick"

#define PERIOD_US    10000
#define SENT_US      9000 // after the last message: called every 10 ms, a little early is early enough
#define FRAME_US     50000
#define HEARTBEAT_US 100000 // the core has answered within so long, or is away

#define NO_PAD "no game pad yet: plug one in"

// Sent at the end with everything let go, so that a lost one does not matter.
#define LAST_MESSAGES 5

typedef enum {
    FROM_TERMINAL, // its keys, or a pad that is plugged in
    FROM_PAD,
    FROM_SCRIPT,
} hands;

typedef struct {
    icd_options icd;
    const char *core, *script;
    uint64_t pad; // from 1; 0: the first there is
    double duration_s;
    bool keys, list;
} joystick_options;

typedef struct {
    joystick_options options;
    hands hands;
    hy_gamepads *pads;
    hy_player_script script;
    hy_key_parser parser;
    hy_key_pad key_pad;
    hy_link link;
    hy_endpoint core;
    hy_icd_reader *reader;
    hy_host_loop loop;
    joystick_picture picture;
    stick_pace pace;
    int64_t start_us, heartbeat_us, frame_due_us;
    uint64_t rx_strangers, rx_malformed;
    bool has_terminal, was_connected;
    screen screen;
} joystick;

// --------------------------------------------------------------------------- the command line

static bool check(const char *program, void *to)
{
    joystick_options *const o = to;
    (void)program;
    if ((o->script != NULL) + o->keys + (o->pad > 0) > 1) {
        hy_print_error(COMMAND, "--script, --keys and --pad exclude each other: give one of them");
        return false;
    }
    if (o->pad > HY_GAMEPADS_MAX) {
        hy_print_error(COMMAND, "--pad %" PRIu64 ": game pads are 1 to %d, as --list counts them",
                       o->pad, HY_GAMEPADS_MAX);
        return false;
    }
    return icd_options_check(&o->icd, COMMAND);
}

static hy_options_result read_options(int argc, char **argv, joystick_options *out)
{
    *out = (joystick_options){ .icd = ICD_OPTIONS };
    // clang-format off
    const hy_option table[] = {
        { HY_OPTION(WHOLE, joystick_options, pad), .name = "pad", .value = "N", .help = "use only game pad N, as numbered by --list (default: the first that is connected)" },
        { HY_OPTION(FLAG, joystick_options, keys), .name = "keys", .help = "use only the keyboard, even if a game pad is connected" },
        { HY_OPTION(TEXT, joystick_options, script), .name = "script", .value = "FILE", .reads = true, .help = "play a script instead of reading a pad or keys" },
        { HY_OPTION(FLAG, joystick_options, list), .name = "list", .help = "list the game pads and exit" },
        { HY_OPTION(NUMBER, joystick_options, duration_s), .name = "duration", .value = "SECONDS", .low = 0.01, .high = 1e9, .help = "exit after that time (default: on Ctrl-C, or at the end of the script)" },
        ICD_OPTION_PLAYER(joystick_options, icd),
        ICD_OPTION_HOST("core", joystick_options, core, "core"),
        ICD_OPTION_COMMON(joystick_options, icd),
    };
    // clang-format on
    hy_option_group groups[] = { HY_OPTION_GROUP_CHECKED(NULL, table, out, check) };
    const hy_command_line line = {
        COMMAND, "sends a player's sticks and buttons to the player's core", groups, 1,
        "A script's line is a time and what changes then: '0 left_y=512', "
        "'+1.5 left_y=0 start=1', '+2 quit'. Names: left_x\n"
        "left_y right_x right_y left_trigger right_trigger a b x y back "
        "start guide left_bumper right_bumper dpad_up\n"
        "dpad_down dpad_left dpad_right."
    };
    return hy_options_parse(&line, argc, argv);
}

// --------------------------------------------------------------------------- hands to sticks

static int full(double share)
{
    return (int)lround(share * HY_ICD_FULL);
}

static hy_icd_sticks sticks_of(const hy_pad *pad)
{
    const uint32_t b = pad->buttons;
    return (hy_icd_sticks){
        .left_x = full(pad->left_x),
        .left_y = full(pad->left_y),
        .right_x = full(pad->right_x),
        .right_y = full(pad->right_y),
        .left_trigger = full(pad->left_trigger),
        .right_trigger = full(pad->right_trigger),
        .dpad_up = (b & HY_PAD_UP) != 0,
        .dpad_down = (b & HY_PAD_DOWN) != 0,
        .dpad_left = (b & HY_PAD_LEFT) != 0,
        .dpad_right = (b & HY_PAD_RIGHT) != 0,
        .left_bumper = (b & HY_PAD_LEFT_BUMPER) != 0,
        .right_bumper = (b & HY_PAD_RIGHT_BUMPER) != 0,
        .a = (b & HY_PAD_A) != 0,
        .b = (b & HY_PAD_B) != 0,
        .x = (b & HY_PAD_X) != 0,
        .y = (b & HY_PAD_Y) != 0,
        .back = (b & HY_PAD_BACK) != 0,
        .start = (b & HY_PAD_START) != 0,
        .guide = (b & HY_PAD_GUIDE) != 0,
    };
}

// The pad that was asked for, as --list counts them, or the first.
static hy_pad read_pad(joystick *self)
{
    hy_gamepads_update(self->pads);
    unsigned number = 0;
    for (unsigned i = 0; i < HY_GAMEPADS_MAX; i++) {
        const char *const name = hy_gamepads_name(self->pads, i);
        if (name != NULL && (++number == self->options.pad || self->options.pad == 0)) {
            self->picture.source = name;
            return hy_gamepads_read(self->pads, i);
        }
    }
    self->picture.source = NO_PAD;
    return (hy_pad){ 0 };
}

// The keyboard, as long as no pad is plugged in.
static hy_pad read_terminal(joystick *self, int64_t now_us)
{
    const bool has_pad = self->pads != NULL && hy_gamepads_update(self->pads) > 0;
    self->picture.has_keys = !has_pad;
    if (has_pad) {
        return read_pad(self);
    }
    self->picture.source = "keyboard";
    return hy_key_pad_read(&self->key_pad, now_us);
}

static hy_icd_sticks read_hands(joystick *self, int64_t now_us)
{
    if (self->hands == FROM_SCRIPT) {
        return hy_player_script_at(&self->script, (double)(now_us - self->start_us) * 1e-6);
    }
    const hy_pad pad = self->hands == FROM_PAD ? read_pad(self) : read_terminal(self, now_us);
    return sticks_of(&pad);
}

// --------------------------------------------------------------------------- keys

static void take_key(void *context, const hy_key_event *event, int64_t now_us)
{
    joystick *const self = context;
    const bool is_ctrl_c = event->what == HY_KEY_PRESS && event->key == 'c' &&
                           (event->modifiers & HY_MODIFIER_CTRL) != 0;
    if (is_ctrl_c) {
        hy_host_loop_quit(&self->loop);
    } else {
        hy_key_pad_feed(&self->key_pad, event, now_us);
    }
}

static void on_keys(void *context, int64_t now_us)
{
    joystick *const self = context;
    if (!hy_terminal_read_keys(&self->parser, now_us, take_key, self)) {
        hy_host_loop_quit(&self->loop); // the terminal is gone, and the player with it
    }
}

// --------------------------------------------------------------------------- sending, hearing, showing

static void send_sticks(joystick *self, int64_t now_us)
{
    uint8_t text[1024];
    const size_t size = hy_icd_write_sticks(&self->picture.sticks, (hy_room){ text, sizeof text });
    // What the network refuses is counted by the link; the next message is 10 ms away.
    (void)hy_link_send(&self->link, &self->core, (hy_bytes){ text, size });
    self->picture.sent++;
    stick_pace_sent(&self->pace, now_us);
}

static void send_if_due(joystick *self, int64_t now_us)
{
    if (stick_pace_is_due(&self->pace, SENT_US, now_us)) {
        send_sticks(self, now_us);
    }
}

static void on_heartbeat(void *context, int64_t now_us)
{
    joystick *const self = context;
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self->link, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        if (!icd_is_from(&self->options.icd, &batch[i], &self->core)) {
            self->rx_strangers++;
        } else if (hy_icd_read_heartbeat(self->reader, batch[i].bytes) != HY_OK) {
            self->rx_malformed++;
            icd_refuse(&self->options.icd, &batch[i], self->reader);
        } else {
            self->picture.heartbeats++;
            self->heartbeat_us = now_us;
            stick_pace_answered(&self->pace, 1, now_us);
        }
    }
    send_if_due(self, now_us);
}

static void draw(joystick *self)
{
    unsigned columns, rows;
    size_t size;
    hy_terminal_size(&columns, &rows);
    screen_begin(&self->screen, columns, rows);
    joystick_view_draw(&self->picture, &self->screen);
    const char *const bytes = screen_end(&self->screen, &size);
    if (hy_terminal_write(bytes, size) < size) {
        screen_forget(&self->screen); // a slow terminal gets the next frame whole
    }
}

static void show(joystick *self, int64_t now_us)
{
    self->picture.connected = now_us - self->heartbeat_us < HEARTBEAT_US;
    if (self->has_terminal && now_us >= self->frame_due_us) {
        self->frame_due_us = now_us + FRAME_US;
        draw(self);
    } else if (!self->has_terminal && self->picture.connected != self->was_connected) {
        printf("%s\n", self->picture.connected ? "connected" : "disconnected");
        fflush(stdout);
    }
    self->was_connected = self->picture.connected;
}

static bool is_over(const joystick *self, int64_t now_us)
{
    const double t_s = (double)(now_us - self->start_us) * 1e-6;
    const double limit_s = self->options.duration_s;
    return (limit_s > 0.0 && t_s >= limit_s) ||
           (self->hands == FROM_SCRIPT && t_s >= self->script.end_s);
}

static void on_time(void *context, int64_t now_us)
{
    joystick *const self = context;
    hy_key_event event;
    if (self->has_terminal && hy_key_parse_pause(&self->parser, now_us, &event)) {
        take_key(self, &event, now_us);
    }
    self->picture.sticks = read_hands(self, now_us);
    send_if_due(self, now_us);
    show(self, now_us);
    if (is_over(self, now_us)) {
        hy_host_loop_quit(&self->loop);
    }
}

// --------------------------------------------------------------------------- life

static bool choose_hands(joystick *self)
{
    const joystick_options *const o = &self->options;
    char why[200] = "";
    if (o->script != NULL) {
        self->hands = FROM_SCRIPT;
        self->picture.source = o->script;
        const bool ok = script_file_load(&self->script, o->script,
                                         (hy_player_error){ why, sizeof why }) == HY_OK;
        if (!ok) {
            hy_print_error(COMMAND, "%s", why);
        }
        return ok;
    }
    const bool has_terminal = hy_terminal_is_there(STDIN_FILENO, STDOUT_FILENO);
    self->pads = o->keys ? NULL : hy_gamepads_open(why, sizeof why);
    self->hands = o->keys || (o->pad == 0 && has_terminal) ? FROM_TERMINAL : FROM_PAD;
    if (self->hands == FROM_PAD && self->pads == NULL) {
        hy_print_error(
            COMMAND,
            "there is nothing to play with: %s; or start it in a terminal, or give a --script", why);
    } else if (self->hands == FROM_TERMINAL && !has_terminal) {
        hy_print_error(COMMAND, "--keys needs a terminal");
    } else {
        (void)read_hands(self, 0); // names the pad
    }
    return self->hands == FROM_PAD ? self->pads != NULL : has_terminal;
}

static bool open_all(joystick *self)
{
    const icd_options *const icd = &self->options.icd;
    const unsigned player = (unsigned)icd->player;
    self->reader = hy_icd_reader_open();
    if (self->reader == NULL) {
        hy_print_error(COMMAND, "there is not enough memory");
        return false;
    }
    return icd_find(icd, self->options.core, HY_ICD_CORE_JOYSTICK, player, &self->core) &&
           choose_hands(self) && icd_open(icd, HY_ICD_JOYSTICK, player, &self->link);
}

static void open_terminal(joystick *self)
{
    hy_host_loop *const loop = &self->loop;
    setlocale(LC_CTYPE, "");
    self->screen.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    signal(SIGTSTP, SIG_IGN); // a player who is suspended would leave the terminal as it is
    loop->status = hy_terminal_open(STDIN_FILENO, STDOUT_FILENO);
    self->has_terminal = loop->status == HY_OK;
    hy_refusals_wait(self->has_terminal);
    hy_host_loop_watch(loop, STDIN_FILENO, on_keys, self);
}

static bool start(joystick *self)
{
    hy_host_loop *const loop = &self->loop;
    hy_host_loop_init(loop, COMMAND);
    if (!hy_host_loop_start(loop)) { // a signal gives the terminal back
        return false;
    }
    hy_host_loop_watch(loop, hy_link_descriptor(&self->link), on_heartbeat, self);
    if (self->hands != FROM_SCRIPT && hy_terminal_is_there(STDIN_FILENO, STDOUT_FILENO)) {
        open_terminal(self);
    }
    self->start_us = hy_clock_now_us();
    self->heartbeat_us = self->start_us - HEARTBEAT_US;
    hy_host_loop_every(loop, self->start_us, PERIOD_US, on_time, self);
    return true;
}

// The hands let go, whatever the reason for the end.
static void let_go(joystick *self)
{
    self->picture.sticks = (hy_icd_sticks){ 0 };
    for (int i = 0; i < LAST_MESSAGES; i++) {
        send_sticks(self, hy_clock_now_us());
        usleep(PERIOD_US);
    }
}

static bool serve(joystick *self)
{
    bool ok = start(self);
    if (ok && !self->has_terminal) {
        hy_ready_line ready = { .pairs = "" };
        hy_ready_line_add(&ready, "player", "%u", self->picture.player);
        hy_ready_line_print(&ready, stdout);
        printf("ready: player %u, %s\n", self->picture.player, self->picture.source);
        fflush(stdout);
    }
    if (ok) {
        ok = hy_host_loop_run(&self->loop);
        let_go(self);
    }
    hy_terminal_close();
    hy_refusals_wait(false);
    hy_print_error(COMMAND,
                   "%" PRIu64 " messages sent, %" PRIu64 " answers; dropped %" PRIu64
                   " from strangers, %" PRIu64 " malformed",
                   self->picture.sent, self->picture.heartbeats, self->rx_strangers,
                   self->rx_malformed);
    return ok;
}

static int list_pads(void)
{
    char why[200] = "";
    hy_gamepads *const pads = hy_gamepads_open(why, sizeof why);
    if (pads == NULL) {
        hy_print_error(COMMAND, "%s", why);
        return APP_FAILED;
    }
    unsigned number = 0;
    hy_gamepads_update(pads);
    for (unsigned i = 0; i < HY_GAMEPADS_MAX; i++) {
        if (hy_gamepads_name(pads, i) != NULL) {
            printf("%u: %s\n", ++number, hy_gamepads_name(pads, i));
        }
    }
    if (number == 0) {
        printf("no game pad is plugged in\n");
    }
    if (hy_gamepads_unknown(pads) > 0) {
        printf("joysticks whose layout SDL2 does not know: %u; SDL_GAMECONTROLLERCONFIG in the "
               "environment can describe them\n",
               hy_gamepads_unknown(pads));
    }
    hy_gamepads_close(pads);
    return APP_OK;
}

int app_joystick(int argc, char **argv)
{
    static joystick self; // too large for a stack; there is one terminal
    const hy_options_result result = read_options(argc, argv, &self.options);
    if (result != HY_OPTIONS_OK) {
        return app_status(result);
    }
    if (self.options.list) {
        return list_pads();
    }
    self.picture.player = (unsigned)self.options.icd.player;
    const bool ok = open_all(&self) && serve(&self);
    hy_link_close(&self.link);
    hy_icd_reader_close(self.reader);
    hy_gamepads_close(self.pads);
    hy_player_script_free(&self.script);
    return ok ? APP_OK : APP_FAILED;
}
