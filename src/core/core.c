// One core between its joystick and its sim.
#include <halyard/core.h>

#include <stdio.h>

#include "system/system_threads.h"

#define STOP_REPEATS   6 // at once and every 20 ms, for 100 ms
#define STOP_PERIOD_US 20000

#define REPORT_PERIOD_US 100000 // of sticks that do not change

// --------------------------------------------------------------------------- open and close

// The endpoint of a host given without a port, or of this machine.
static hy_status resolve_host(const char *host, unsigned port, hy_endpoint *out)
{
    if (port > UINT16_MAX) {
        return HY_ERANGE;
    }
    const int found = hy_link_resolve(host != NULL ? host : "127.0.0.1", (uint16_t)port, out, 1);
    if (found < 1) {
        return found == 0 ? HY_ENAME : (hy_status)found;
    }
    return out->port == port ? HY_OK : HY_EADDRESS; // a port of its own would be ignored
}

typedef struct {
    hy_link *link;
    const char *listen, *peer_host;
    unsigned port, peer_port;
    hy_endpoint *peer;
} line;

static hy_status open_line(const line *it)
{
    hy_endpoint local;
    hy_status status = resolve_host(it->listen, it->port, &local);
    if (status == HY_OK) {
        status = resolve_host(it->peer_host, it->peer_port, it->peer);
    }
    if (status == HY_OK && !hy_link_can_reach(&local, it->peer)) {
        status = HY_EADDRESS;
    }
    return status == HY_OK ? hy_link_open(it->link, &local) : status;
}

// Of its player; find() refuses what is above 65535.
static unsigned port_of(const hy_core_options *o, hy_icd_port port)
{
    return o->shift + hy_icd_port_under(&o->ports, port, o->player);
}

static hy_status open_lines(hy_core *self, const hy_core_options *o)
{
    const line lines[] = {
        { &self->to_joystick, o->listen, o->joystick, port_of(o, HY_ICD_CORE_JOYSTICK),
          port_of(o, HY_ICD_JOYSTICK), &self->joystick },
        { &self->to_sim, o->listen, o->sim, port_of(o, HY_ICD_CORE_SIM),
          port_of(o, HY_ICD_SIM_CORE), &self->sim },
    };
    hy_status status = open_line(&lines[0]);
    if (status == HY_OK) {
        status = open_line(&lines[1]);
    }
    if (status == HY_OK && o->report_sticks) {
        status = resolve_host(o->sim, port_of(o, HY_ICD_SIM_STICKS), &self->sticks_at);
    }
    return status;
}

static void close_all(hy_core *self)
{
    hy_link_close(&self->to_joystick);
    hy_link_close(&self->to_sim);
    hy_icd_reader_close(self->reader);
    self->reader = NULL;
}

hy_status hy_core_open(hy_core *self, const hy_core_options *options, hy_core_program *program,
                       void *context)
{
    *self = (hy_core){ .program = program,
                       .context = context,
                       .refused = options->refused,
                       .any_address = options->any_address,
                       .any_port = options->any_port };
    if (options->player < 1 || options->player > HY_ICD_PLAYERS || options->shift > UINT16_MAX) {
        return HY_ERANGE;
    }
    self->sticks_us = self->sensors_us = INT64_MIN / 2; // long ago
    self->reader = hy_icd_reader_open();
    const hy_status status = self->reader != NULL ? open_lines(self, options) : HY_EMEMORY;
    if (status != HY_OK) {
        close_all(self);
    }
    return status;
}

// --------------------------------------------------------------------------- sending

static void send_commands(hy_core *self, const hy_icd_commands *commands)
{
    uint8_t text[1024];
    const size_t size = hy_icd_write_commands(commands, (hy_room){ text, sizeof text });
    self->commands = *commands;
    self->counters.commands++;
    // What the network refuses is counted by the link; the next command is 10 ms away.
    (void)hy_link_send(&self->to_sim, &self->sim, (hy_bytes){ text, size });
}

static bool sticks_differ(const hy_icd_sticks *a, const hy_icd_sticks *b)
{
    return a->left_x != b->left_x || a->left_y != b->left_y || a->right_x != b->right_x ||
           a->right_y != b->right_y || a->left_trigger != b->left_trigger ||
           a->right_trigger != b->right_trigger || a->dpad_up != b->dpad_up ||
           a->dpad_down != b->dpad_down || a->dpad_left != b->dpad_left ||
           a->dpad_right != b->dpad_right || a->left_bumper != b->left_bumper ||
           a->right_bumper != b->right_bumper || a->a != b->a || a->b != b->b || a->x != b->x ||
           a->y != b->y || a->back != b->back || a->start != b->start || a->guide != b->guide;
}

static void report_sticks(hy_core *self, int64_t now_us)
{
    const hy_icd_sticks *const used = &self->input.sticks;
    if (self->sticks_at.port == 0 ||
        (now_us < self->report_due_us && !sticks_differ(used, &self->reported))) {
        return;
    }
    uint8_t text[1024];
    const size_t size = hy_icd_write_used_sticks(used, (hy_room){ text, sizeof text });
    (void)hy_link_send(&self->to_sim, &self->sticks_at, (hy_bytes){ text, size }); // optional
    self->reported = *used;
    self->report_due_us = now_us + REPORT_PERIOD_US;
}

static void run_program(hy_core *self, int64_t now_us)
{
    hy_core_input *const in = &self->input;
    const bool joystick_was_up = in->joystick_up, sim_was_up = in->sim_up;
    in->now_us = now_us;
    in->joystick_up = now_us - self->sticks_us < HY_CORE_SILENCE_US;
    in->sim_up = now_us - self->sensors_us < HY_CORE_SILENCE_US;
    self->counters.joystick_silences += joystick_was_up && !in->joystick_up;
    self->counters.sim_silences += sim_was_up && !in->sim_up;
    if (!in->joystick_up) {
        in->sticks = (hy_icd_sticks){ 0 };
    }
    const hy_icd_commands commands = self->program(self->context, in);
    in->is_new = false;
    in->sensors.lidar.count = 0;
    send_commands(self, &commands);
    self->is_stopped = false;
    report_sticks(self, now_us);
    self->due_us = now_us + HY_CORE_PERIOD_US;
}

static void stop_robot(hy_core *self)
{
    for (int i = 0; i < STOP_REPEATS && self->to_sim.is_open && !self->is_stopped; i++) {
        if (i > 0) {
            hy_time_sleep(STOP_PERIOD_US);
        }
        send_commands(self, &(hy_icd_commands){ 0 });
    }
    self->is_stopped = true;
}

void hy_core_close(hy_core *self)
{
    stop_robot(self);
    close_all(self);
}

// --------------------------------------------------------------------------- receiving

static void refuse(const hy_core *self, const hy_datagram *datagram, uint64_t *count, const char *why)
{
    ++*count;
    if (self->refused != NULL) {
        self->refused(self->context, &datagram->peer, why);
    }
}

/// Whether the `sender` of a datagram is `peer`; refuses it otherwise.
static bool is_from(hy_core *self, const hy_datagram *datagram, const hy_endpoint *sender,
                    const hy_endpoint *peer)
{
    if (self->any_address ? sender->port == peer->port : hy_endpoint_equal(sender, peer)) {
        return true;
    }
    char why[64 + HY_ENDPOINT_TEXT_MAX], text[HY_ENDPOINT_TEXT_MAX];
    (void)snprintf(why, sizeof why, "messages are expected from %s here",
                   hy_endpoint_format(peer, text));
    refuse(self, datagram, &self->counters.rx_strangers, why);
    return false;
}

static void take_sticks(hy_core *self, const hy_datagram *datagram, int64_t now_us)
{
    hy_endpoint sender = datagram->peer;
    if (self->any_port) { // it listens where every joystick does, wherever it sends from
        sender.port = self->joystick.port;
    }
    if (!is_from(self, datagram, &sender, &self->joystick)) {
        return;
    }
    if (now_us - datagram->at_us >= HY_CORE_SILENCE_US) { // this program did not run for a while
        self->counters.rx_old++;
        return;
    }
    if (hy_icd_read_sticks(self->reader, datagram->bytes, &self->input.sticks) != HY_OK) {
        refuse(self, datagram, &self->counters.rx_malformed, hy_icd_reader_why(self->reader));
        return;
    }
    self->counters.sticks++;
    self->sticks_us = datagram->at_us;
    static const uint8_t heartbeat[] = HY_ICD_HEARTBEAT;
    (void)hy_link_send(&self->to_joystick, &sender, (hy_bytes){ heartbeat, sizeof heartbeat - 1 });
    self->counters.heartbeats++;
    run_program(
        self, now_us); // each message: a button that was pressed and let go in one batch still counts
}

static void keep_points(hy_core *self, const hy_icd_lidar *lidar)
{
    hy_icd_lidar *const kept = &self->input.sensors.lidar;
    for (size_t i = 0; i < lidar->count; i++) {
        if (kept->count == HY_CORE_LIDAR_MAX) {
            self->counters.lidar_left_out += lidar->count - i;
            return;
        }
        self->points[kept->count++] = lidar->points[i];
    }
}

static void take_sensors(hy_core *self, const hy_datagram *datagram, int64_t now_us)
{
    if (!is_from(self, datagram, &datagram->peer, &self->sim)) {
        return;
    }
    hy_icd_sensors sensors;
    if (hy_icd_read_sensors(self->reader, datagram->bytes, &sensors) != HY_OK) {
        refuse(self, datagram, &self->counters.rx_malformed, hy_icd_reader_why(self->reader));
        return;
    }
    self->counters.sensors++;
    keep_points(self, &sensors.lidar);
    sensors.lidar = (hy_icd_lidar){ self->points, self->input.sensors.lidar.count };
    self->input.sensors = sensors;
    self->sensors_us = now_us;
    self->input.is_new = true;
}

typedef void taker(hy_core *self, const hy_datagram *datagram, int64_t now_us);

static void receive_link(hy_core *self, hy_link *link, taker *take, int64_t now_us)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(link, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        take(self, &batch[i], now_us);
    }
}

void hy_core_poll(hy_core *self, int64_t now_us)
{
    receive_link(self, &self->to_sim, take_sensors, now_us);
    receive_link(self, &self->to_joystick, take_sticks, now_us);
    if (now_us >= self->due_us) {
        run_program(self, now_us);
    }
}

// --------------------------------------------------------------------------- all of it

typedef struct {
    hy_core *core;
    hy_loop loop;
} service;

static void on_event(void *context, int64_t now_us)
{
    hy_core_poll(((service *)context)->core, now_us);
}

static void on_signal(void *context, int signal_number)
{
    (void)signal_number;
    hy_loop_quit(&((service *)context)->loop);
}

static hy_status watch_links(service *self)
{
    hy_loop *const loop = &self->loop;
    hy_loop_init(loop);
    hy_status status =
        hy_loop_watch(loop, hy_link_descriptor(&self->core->to_joystick), on_event, self);
    if (status == HY_OK) {
        status = hy_loop_watch(loop, hy_link_descriptor(&self->core->to_sim), on_event, self);
    }
    if (status == HY_OK) {
        status = hy_loop_every(loop, hy_clock_now_us(), HY_CORE_PERIOD_US, on_event, self);
    }
    return status == HY_OK ? hy_loop_on_signals(loop, on_signal, self) : status;
}

hy_status hy_core_serve(hy_core *self)
{
    service serving = { .core = self };
    hy_status status = watch_links(&serving);
    if (status == HY_OK) {
        status = hy_loop_run(&serving.loop);
    }
    stop_robot(self); // before a second signal can end the process
    hy_loop_on_signals(&serving.loop, NULL, NULL);
    return status;
}

hy_status hy_core_run(const hy_core_options *options, hy_core_program *program, void *context)
{
    hy_core core;
    hy_status status = hy_core_open(&core, options, program, context);
    if (status == HY_OK) {
        status = hy_core_serve(&core);
        hy_core_close(&core);
    }
    return status;
}
