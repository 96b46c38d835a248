// `halyard joystick`: a player's hands, from the keyboard, a game pad or a script, to the player's core.

#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "cli/app.h"
#include "host/host_loop.h"
#include "host/host_ready.h"
#include "host/host_refusals.h"
#include "icd_options.h"
#include "joystick_hands.h"
#include "joystick_view.h"
#include "stick_pace.h"
#include "system/system_signals.h"
#include "system/system_terminal.h"
#include "system/system_threads.h"
#include "text/text_plain.h"

#define COMMAND "halyard joystick"

#define PERIOD_US    10000
#define SENT_US      9000 // after the last message: called every 10 ms, a little early is early enough
#define FRAME_US     50000
#define HEARTBEAT_US 100000 // the core has answered within so long, or is away

// Sent at the end with everything let go, so that a lost one does not matter.
#define LAST_MESSAGES 5

typedef struct {
    icd_options icd;
    const char *core, *script;
    uint64_t pad; // from 1; 0: the first there is
    double duration_s;
    bool keys, list;
} joystick_options;

typedef struct {
    joystick_options options;
    joystick_hands hands;
    hy_key_parser parser;
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
    return icd_options_check(&o->icd, COMMAND);
}

static hy_options_result read_options(int argc, char **argv, joystick_options *out)
{
    *out = (joystick_options){ .icd = ICD_OPTIONS };
    // clang-format off
    const hy_option table[] = {
        { HY_OPTION(WHOLE, joystick_options, pad), .name = "pad", .value = "N", .high = HY_GAMEPADS_MAX, .help = "use only game pad N, as numbered by --list (default: the first that is connected)" },
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

// --------------------------------------------------------------------------- keys

static void take_key(void *context, const hy_key_event *event, int64_t now_us)
{
    joystick *const self = context;
    const bool is_ctrl_c = event->what == HY_KEY_PRESS && event->key == 'c' &&
                           (event->modifiers & HY_MODIFIER_CTRL) != 0;
    if (is_ctrl_c) {
        hy_host_loop_quit(&self->loop);
    } else {
        hy_key_pad_feed(&self->hands.keys, event, now_us);
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
        hy_print(stdout, "%s\n", self->picture.connected ? "connected" : "disconnected");
        fflush(stdout);
    }
    self->was_connected = self->picture.connected;
}

static bool is_over(const joystick *self, int64_t now_us)
{
    const double t_s = (double)(now_us - self->start_us) * 1e-6;
    const double limit_s = self->options.duration_s;
    return (limit_s > 0.0 && t_s >= limit_s) ||
           (self->hands.from == FROM_SCRIPT && t_s >= self->hands.script.end_s);
}

static void show_hands(joystick *self)
{
    self->picture.source = self->hands.source;
    self->picture.has_keys = self->hands.has_keys;
}

static void on_time(void *context, int64_t now_us)
{
    joystick *const self = context;
    hy_key_event event;
    if (self->has_terminal && hy_key_parse_pause(&self->parser, now_us, &event)) {
        take_key(self, &event, now_us);
    }
    self->picture.sticks =
        joystick_hands_read(&self->hands, now_us, (double)(now_us - self->start_us) * 1e-6);
    show_hands(self);
    send_if_due(self, now_us);
    show(self, now_us);
    if (is_over(self, now_us)) {
        hy_host_loop_quit(&self->loop);
    }
}

// --------------------------------------------------------------------------- life

static bool open_hands(joystick *self)
{
    const joystick_options *const o = &self->options;
    const joystick_wishes wishes = { o->script, (unsigned)o->pad, o->keys };
    const bool ok = joystick_hands_open(&self->hands, COMMAND, &wishes);
    show_hands(self); // names the pad
    return ok;
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
           open_hands(self) && icd_open(icd, HY_ICD_JOYSTICK, player, &self->link);
}

static void open_terminal(joystick *self)
{
    hy_host_loop *const loop = &self->loop;
    setlocale(LC_CTYPE, "");
    self->screen.ascii = !hy_terminal_is_utf8();
    hy_signals_ignore_suspend(); // a player who is suspended would leave the terminal as it is
    loop->status = hy_terminal_open();
    self->has_terminal = loop->status == HY_OK;
    hy_refusals_wait(self->has_terminal);
    hy_host_loop_watch(loop, hy_terminal_handle(), on_keys, self);
}

static bool start(joystick *self)
{
    hy_host_loop *const loop = &self->loop;
    hy_host_loop_init(loop, COMMAND);
    if (!hy_host_loop_start(loop)) { // a signal gives the terminal back
        return false;
    }
    hy_host_loop_watch(loop, hy_link_descriptor(&self->link), on_heartbeat, self);
    if (self->hands.from != FROM_SCRIPT && hy_terminal_is_there()) {
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
        hy_time_sleep(PERIOD_US);
    }
}

static bool serve(joystick *self)
{
    bool ok = start(self);
    if (ok && !self->has_terminal) {
        hy_ready_line ready = { .pairs = "" };
        hy_ready_line_add(&ready, "player", "%u", self->picture.player);
        hy_ready_line_print(&ready, stdout);
        hy_print(stdout, "ready: player %u, %s\n", self->picture.player, self->picture.source);
        fflush(stdout);
    }
    if (ok) {
        ok = hy_host_loop_run(&self->loop);
        let_go(self);
    }
    hy_terminal_close();
    hy_refusals_wait(false);
    const figure figures[] = {
        { "messages", (double)self->picture.sent },
        { "answers", (double)self->picture.heartbeats },
        { "from_strangers", (double)self->rx_strangers },
        { "malformed", (double)self->rx_malformed },
    };
    if (self->options.icd.is_json) {
        FIGURES_PRINT(figures);
    } else {
        icd_print_end(COMMAND, "ended; messages sent", self->picture.sent,
                      self->rx_strangers + self->rx_malformed);
    }
    return ok;
}

int app_joystick(int argc, char **argv)
{
    static joystick self; // too large for a stack; there is one terminal
    const hy_options_result result = read_options(argc, argv, &self.options);
    if (result != HY_OPTIONS_OK) {
        return app_status(result);
    }
    if (self.options.list) {
        return joystick_hands_list(COMMAND) ? APP_OK : APP_FAILED;
    }
    self.picture.player = (unsigned)self.options.icd.player;
    const bool ok = open_all(&self) && serve(&self);
    hy_link_close(&self.link);
    hy_icd_reader_close(self.reader);
    joystick_hands_close(&self.hands);
    return ok ? APP_OK : APP_FAILED;
}
