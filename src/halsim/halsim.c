// Loading, receiving, stopping.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

#define WATCH_US   500000  // how often the worker looks whether the robot is still there
#define SILENCE_US 2000000 // without a status for so long the robot may be elsewhere
#define RESOLVE_US 2000000 // how often a name is asked for again while nobody answers
#define FIRST_ASK_US \
    250000 // how long loading waits for the first answer, so that the first command has somewhere to go
#define ANSWER_US  3000000 // how long commands go out before it is said that nobody answers
#define APPLIED_US 100000  // how long the end waits for a status that is on its way into the HAL

// The reason for this one global: exit() and HALSIM_InitExtension() take no argument.
static hy_halsim extension;

static void print_line(const hy_halsim *self, const char *what, const char *where)
{
    fprintf(stderr, "%s: %s %s\n", self->board->name, what, where);
}

static void print_late(const hy_halsim *self, const char *what, const hy_halsim_settings *settings)
{
    fprintf(stderr, "%s: %s %s (%s was set after the extension was loaded)\n", self->board->name,
            what, settings->host, settings->late);
}

// --------------------------------------------------------------------------- receiving

static void take_status(hy_halsim *self, const hy_datagram *datagram)
{
    hy_wire_status status;
    hy_os_lock_take(&self->lock);
    const bool was_well_formed = self->peer.rx_malformed == 0;
    const unsigned news =
        hy_peer_take(&self->peer, &datagram->peer, datagram->bytes, datagram->at_us, &status);
    if (news != 0) {
        self->unanswered_us = -1;
    }
    const bool is_first_malformed = was_well_formed && self->peer.rx_malformed > 0;
    const hy_wire_report report = self->peer.first_malformed;
    hy_os_lock_give(&self->lock);
    if (is_first_malformed) { // whatever was cut off, what stands before it is used
        fprintf(stderr, "%s: a status of the robot is malformed: %s (byte %u of %u)\n",
                self->board->name, hy_wire_error_text(report.error), (unsigned)report.error_at,
                (unsigned)datagram->bytes.size);
    }
    if (news == 0) {
        return;
    }
    if ((news & HY_PEER_ANSWERS) != 0) {
        char text[HY_ENDPOINT_TEXT_MAX];
        print_line(self, "the robot answers from", hy_endpoint_format(&datagram->peer, text));
    }
    hy_halsim_apply(self, &status, (news & HY_PEER_RESTARTED) != 0);
}

static void receive_statuses(hy_halsim *self)
{
    hy_datagram batch[HY_LINK_BATCH];
    hy_os_lock_take(&self->lock);
    const size_t count = self->ended ? 0 : hy_link_receive(&self->link, batch, HY_LINK_BATCH);
    self->applying = count > 0;
    hy_os_lock_give(&self->lock);
    for (size_t i = 0; i < count; i++) {
        take_status(self, &batch[i]);
    }
    if (count > 0) {
        hy_os_lock_take(&self->lock);
        self->applying = false;
        hy_os_lock_give(&self->lock);
    }
}

/// True once, if nobody has answered the first commands. Under the lock.
static bool is_missing(hy_halsim *self, int64_t now_us)
{
    if (self->unanswered_us <= 0 || now_us - self->unanswered_us < ANSWER_US) {
        return false;
    }
    self->unanswered_us = -1;
    return true;
}

/// One turn of the worker; false at the end.
static bool worker_turn(hy_halsim *self)
{
    hy_os_lock_take(&self->lock);
    const int64_t now_us = hy_clock_now_us();
    const int64_t stop_us = hy_commander_due_us(&self->peer.commander) - now_us;
    const bool has_ended = self->ended;
    const intptr_t socket = self->has_begun ? hy_link_descriptor(&self->link) : -1;
    hy_os_lock_give(&self->lock);
    if (has_ended) {
        return false;
    }
    hy_os_wait(socket, &self->waker, stop_us < WATCH_US ? stop_us : WATCH_US);
    receive_statuses(self);

    hy_os_lock_take(&self->lock);
    if (!self->ended) {
        hy_halsim_send_due(self, hy_clock_now_us());
    }
    const bool is_lost = hy_peer_watch(&self->peer, hy_clock_now_us());
    const bool is_missed = is_missing(self, hy_clock_now_us());
    const hy_halsim_settings *const settings = self->settings;
    hy_os_lock_give(&self->lock);
    if (is_lost) {
        print_line(self, "the robot has fallen silent; commands still go to", settings->host);
    }
    if (is_missed && settings->late != NULL) {
        print_late(self, "nobody answers at", settings);
    } else if (is_missed) {
        print_line(
            self,
            "nobody answers yet (is this machine on the robot's network?); commands still go to",
            settings->host);
    }
    return true;
}

static void work(void *argument)
{
    while (worker_turn(argument)) {
    }
}

// --------------------------------------------------------------------------- names

typedef enum { NAME_UNASKED, NAME_KNOWN, NAME_UNKNOWN } name_state;

static name_state ask(hy_halsim *self, const hy_halsim_settings *settings, name_state before)
{
    hy_endpoint found[HY_PEER_ADDRESSES];
    const int count = hy_link_resolve(settings->host, HY_WIRE_PORT, found, HY_PEER_ADDRESSES);
    hy_os_lock_take(&self->lock);
    if (count > 0 && self->settings == settings) {
        hy_peer_set_addresses(&self->peer, found, (size_t)count);
    }
    self->has_asked = true;
    hy_os_lock_give(&self->lock);
    if (count > 0) {
        if (before == NAME_UNKNOWN) {
            print_line(self, "now known:", settings->host);
        }
        return NAME_KNOWN;
    }
    if (before == NAME_UNASKED) {
        print_line(self, "asking again in the background, not known yet:", settings->host);
    }
    return before == NAME_KNOWN ? NAME_KNOWN : NAME_UNKNOWN;
}

/// Asks for the robot's name until it answers, and again whenever it does not: it may have moved. Ends when another place holds.
static void resolve_thread(void *argument)
{
    const hy_halsim_ref *const ref = argument;
    hy_halsim *const self = ref->self;
    const hy_halsim_settings *const settings = &self->read[ref->index];
    name_state state = NAME_UNASKED;
    for (;;) {
        hy_os_lock_take(&self->lock);
        const bool has_ended = self->ended || self->settings != settings;
        const bool answers = self->peer.answering.port != 0;
        hy_os_lock_give(&self->lock);
        if (has_ended) {
            return;
        }
        if (!answers) {
            state = ask(self, settings, state);
        }
        hy_os_sleep(RESOLVE_US);
    }
}

static void wait_for_name(hy_halsim *self)
{
    const int64_t until_us = hy_clock_now_us() + FIRST_ASK_US;
    for (bool has_asked = false; !has_asked && hy_clock_now_us() < until_us;) {
        hy_os_sleep(1000);
        hy_os_lock_take(&self->lock);
        has_asked = self->has_asked;
        hy_os_lock_give(&self->lock);
    }
}

// --------------------------------------------------------------------------- the end

/// After the end the HAL is taken apart, so the worker must be out of it. Not for ever: it may be dead,
/// or wait for a lock of the HAL that this thread holds. Under the lock, which it gives away meanwhile.
static void await_worker(hy_halsim *self)
{
    const int64_t until_us = hy_clock_now_us() + APPLIED_US;
    while (self->applying && hy_clock_now_us() < until_us) {
        hy_os_lock_give(&self->lock);
        hy_os_sleep(1000);
        hy_os_lock_take_at_exit(&self->lock);
    }
}

/// Stops the robot and returns once the repetitions are out. The worker repeats too if it still
/// runs; on some systems the end of a process ends it first.
static void stop_for_good(hy_halsim *self)
{
    if (!hy_os_is_same_process()) {
        return;
    }
    hy_os_lock_take_at_exit(&self->lock);
    self->ending = true; // another thread may still step
    if (!self->ended) {
        hy_commander_stop(&self->peer.commander, hy_clock_now_us());
        hy_halsim_send_due(self, hy_clock_now_us());
    }
    while (!self->ended && !hy_commander_is_done(&self->peer.commander)) {
        const int64_t wait_us = hy_commander_due_us(&self->peer.commander) - hy_clock_now_us();
        hy_os_lock_give(&self->lock);
        hy_os_sleep(wait_us > 0 ? wait_us : 0);
        hy_os_lock_take_at_exit(&self->lock);
        hy_halsim_send_due(self, hy_clock_now_us());
    }
    self->ended = true;
    await_worker(self);
    hy_os_lock_give(&self->lock);
    hy_os_waker_wake(&self->waker);
}

static void on_hal_shutdown(void *param)
{
    stop_for_good(param);
}

static void on_exit_stop(void)
{
    stop_for_good(&extension);
}

// --------------------------------------------------------------------------- where the robot is

/// A name may lead to either family, today or after the robot has moved; a literal never leaves its
/// own, and a socket for IPv4 alone is the cheaper one to send on.
static hy_status open_link(hy_halsim *self)
{
    const hy_endpoint any = { .port = 0 };
    const hy_endpoint any_ipv4 = { .ip = { HY_IPV4_PREFIX } };
    const bool is_ipv4 = hy_endpoint_is_ipv4(&self->settings->literal);
    const hy_status status = hy_link_open(&self->link, is_ipv4 ? &any_ipv4 : &any);
    const bool has_no_ipv6 = status == HY_EADDRESS && hy_endpoint_is_nobody(&self->settings->literal);
    return has_no_ipv6 ? hy_link_open(&self->link, &any_ipv4) : status;
}

/// Uses the place that was read as number `index`: HY_OK, or nothing can be sent. Under the lock, or before there are threads.
static hy_status use_place(hy_halsim *self, unsigned index)
{
    self->settings = &self->read[index];
    const bool is_name = hy_endpoint_is_nobody(&self->settings->literal);
    hy_peer_set_addresses(&self->peer, &self->settings->literal, is_name ? 0 : 1);
    const hy_status status = open_link(self);
    if (status == HY_OK && is_name && !hy_os_thread_start(resolve_thread, &self->refs[index])) {
        return HY_ESYSTEM;
    }
    return status;
}

static bool read_settings(hy_halsim *self, const hy_halsim_board *board, unsigned index)
{
    char *const host = hy_os_environment(board->host_variable);
    char *const port = hy_os_environment(board->port_variable);
    hy_halsim_settings *const out = &self->read[index];
    const bool make_sense =
        index == 0 ? hy_halsim_settings_read(out, board, host, port)
                   : hy_halsim_settings_read_again(out, &self->read[0], board, host, port);
    free(host);
    free(port);
    return make_sense;
}

// --------------------------------------------------------------------------- robot code's steps

/// The first command is due. Programs that set the variables in their own code have done so, on this thread or before it began; so
/// this is the one moment at which the environment, which has no lock, is read again. Under the lock.
static void begin(hy_halsim *self)
{
    self->has_begun = true;
    hy_status status = HY_OK;
    if (!read_settings(self, self->board, 1)) {
        self->ended = true;
    } else if (self->read[1].late != NULL) {
        hy_link_close(&self->link);
        status = use_place(self, 1);
        print_late(self, "commands go to", self->settings);
    }
    if (status != HY_OK) {
        print_line(self, "no command is sent:", hy_status_text(status));
        self->ended = true;
    }
    hy_os_waker_wake(&self->waker); // the worker waits for answers from now on
}

/// Whether what is sent next needs the time: a stop that is being repeated does, and the first command.
static bool needs_time(const hy_halsim *self)
{
    return self->unanswered_us == 0 || !hy_commander_is_done(&self->peer.commander);
}

/// HAL_SimPeriodicAfter(), on robot code's thread.
static void on_step(void *param)
{
    hy_halsim *const self = param;
    hy_os_lock_take(&self->lock);
    if (!self->has_begun) {
        begin(self);
    }
    if (!self->ended) {
        if (hy_halsim_may_drive(self) && !self->ending) {
            hy_commander_enable(&self->peer.commander); // not while a stop is being repeated
        }
        hy_halsim_send(self, needs_time(self) ? hy_clock_now_us() : 0);
    }
    hy_os_lock_give(&self->lock);
}

// --------------------------------------------------------------------------- loading

static unsigned at_most(int32_t have, unsigned most)
{
    return have < 0 ? 0 : (unsigned)have < most ? (unsigned)have : most;
}

static void count_channels(hy_halsim *self)
{
    const hal_functions *const hal = &self->hal;
    self->dios = hal->has[HAL_DIO]
                     ? at_most(hal->HAL_GetNumDigitalChannels(), self->board->dialect->dios)
                     : 0;
    self->analogs = hal->has[HAL_ANALOG]
                        ? at_most(hal->HAL_GetNumAnalogInputs(), self->board->dialect->analogs)
                        : 0;
    self->encoder_slots =
        hal->has[HAL_ENCODER] ? at_most(hal->HAL_GetNumEncoders(), HY_WIRE_DIOS) : 0;
    for (unsigned i = 0; i < HY_WIRE_DIOS; i++) {
        self->refs[i] = (hy_halsim_ref){ self, i };
    }
}

int hy_halsim_load(const hy_halsim_board *board)
{
    hy_halsim *const self = &extension;
    if (self->board != NULL) {
        return self->ended ? -1 : 0; // listed twice
    }
    const bool has_accel = board->dialect->tag[HY_WIRE_ACCEL] != 0;
    if (!read_settings(self, board, 0) ||
        !hy_hal_find(&self->hal, hy_os_hal_symbol, board->name, has_accel)) {
        return -1;
    }
    self->board = board;
    hy_os_is_same_process();
    hy_os_lock_init(&self->lock);
    hy_peer_init(&self->peer, board->dialect, SILENCE_US);
    count_channels(self);
    hy_halsim_init_outputs(self);
    hy_halsim_init_inputs(self);
    hy_status status = use_place(self, 0);
    if (status == HY_OK && (!hy_os_waker_open(&self->waker) || !hy_os_thread_start(work, self) ||
                            !hy_os_at_exit(on_exit_stop))) {
        status = HY_ESYSTEM;
    }
    if (status != HY_OK) {
        print_line(self, "not loaded:", hy_status_text(status));
        self->ended = true;
        return -1;
    }
    if (hy_endpoint_is_nobody(&self->read[0].literal)) {
        wait_for_name(self);
    }
    print_line(self, "loaded; commands go to", self->read[0].host);
    hy_halsim_follow_outputs(self);
    hy_halsim_follow_inputs(self);
    self->hal.HALSIM_RegisterSimPeriodicAfterCallback(on_step, self);
    if (self->hal.has[HAL_SHUTDOWN]) {
        self->hal.HAL_OnShutdown(self, on_hal_shutdown);
    }
    return 0;
}
