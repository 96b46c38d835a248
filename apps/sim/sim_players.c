#include "sim_players.h"

#include <stdlib.h>

#include "cli/app.h"

#define SWEEP_POINTS SIM_PLAYERS_SWEEP
#define SWEEP_STEPS  10      // ten times a second
#define STATUS_STEPS 10      // the same
#define WINDOW_US    1000000 // over which a rate is counted

// --------------------------------------------------------------------------- life

bool sim_players_open(sim_players *self, const char *command, const sim_players_options *options,
                      unsigned count)
{
    *self = (sim_players){ .count = count, .views = count, .options = options };
    if (options->views > 0 && options->views < count) {
        self->views = options->views;
    }
    self->reader = hy_icd_reader_open();
    self->text = malloc(HY_ICD_MESSAGE_MAX);
    if (self->reader == NULL || self->text == NULL) {
        hy_print_error(command, "there is not enough memory");
        return false;
    }
    const icd_options *const icd = &options->icd;
    bool ok = true;
    for (unsigned i = 0; i < count && ok; i++) {
        ok = icd_find(icd, options->core, HY_ICD_CORE_SIM, i + 1, &self->core[i]) &&
             icd_open(icd, HY_ICD_SIM_CORE, i + 1, &self->to_core[i]);
    }
    for (unsigned i = 0; i < self->views && ok; i++) {
        ok = icd_find(icd, options->view, HY_ICD_VIEW, i + 1, &self->view[i]) &&
             icd_find(icd, options->view, HY_ICD_VIEW_STATUS, i + 1, &self->status_at[i]) &&
             icd_open(icd, HY_ICD_SIM_VIEW, i + 1, &self->to_view[i]);
    }
    return ok;
}

void sim_players_close(sim_players *self)
{
    for (unsigned i = 0; i < self->count; i++) {
        hy_link_close(&self->to_core[i]);
        hy_link_close(&self->to_view[i]);
    }
    hy_icd_reader_close(self->reader);
    free(self->text);
}

// --------------------------------------------------------------------------- receiving

typedef struct {
    sim_players *self;
    unsigned player;
    int64_t now_us;
} receiver;

static void list_command(sim_players *self, unsigned player, const hy_match_commands *commands,
                         int64_t at_us)
{
    core_input *const input = &self->input[player - 1];
    if (input->listed < SIM_PLAYERS_COMMANDS) {
        input->listed++;
        input->newest = self->command_count++;
        self->commands[input->newest] = (hy_sim_command){ player, at_us, *commands };
        return;
    }
    self->commands[input->newest].at_us = at_us;
    hy_match_commands *const last = &self->commands[input->newest].commands;
    const hy_match_commands before = *last;
    *last = *commands;
    last->timer_start_stop |= before.timer_start_stop; // a button that was pressed stays so
    last->reset |= before.reset;
    last->outtake |= before.outtake;
}

static void take_commands(void *context, const hy_datagram *datagram)
{
    const receiver *const to = context;
    sim_players *const self = to->self;
    hy_icd_commands commands;
    if (!icd_is_from(&self->options->icd, datagram, &self->core[to->player - 1])) {
        self->counters.rx_strangers++;
    } else if (hy_icd_read_commands(self->reader, datagram->bytes, &commands) != HY_OK) {
        self->counters.rx_malformed++;
        icd_refuse(&self->options->icd, datagram, self->reader);
    } else if (to->now_us - datagram->at_us >= HY_MATCH_SILENCE_US) {
        self->counters.rx_old++;
    } else {
        self->counters.commands++;
        core_input *const input = &self->input[to->player - 1];
        input->commands++;
        input->received_us = datagram->at_us;
        const hy_match_commands shares = hy_match_commands_from_icd(&commands);
        list_command(self, to->player, &shares, datagram->at_us);
    }
}

static void take_heartbeat(sim_players *self, unsigned player, const hy_datagram *datagram)
{
    if (!icd_is_from(&self->options->icd, datagram, &self->view[player - 1])) {
        self->counters.rx_strangers++;
    } else if (hy_icd_read_heartbeat(self->reader, datagram->bytes) != HY_OK) {
        self->counters.rx_malformed++;
        icd_refuse(&self->options->icd, datagram, self->reader);
    } else {
        self->counters.heartbeats++;
    }
}

/// All that waits, before the match acts on any of it. What the system had to drop is newer, and may have been a stop: the robot stands.
static void receive_from(sim_players *self, unsigned player, int64_t now_us)
{
    receiver to = { self, player, now_us };
    hy_link *const link = &self->to_core[player - 1];
    core_input *const input = &self->input[player - 1];
    if (hy_link_receive_waiting(link, take_commands, &to) == 0) {
        return;
    }
    const uint64_t overflowed = hy_link_overflowed(link);
    if (overflowed != input->overflowed) {
        input->overflowed = overflowed;
        self->counters.losses++;
        list_command(self, player, &(hy_match_commands){ 0 }, now_us);
    }
}

static void receive_heartbeats(sim_players *self, unsigned player)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self->to_view[player - 1], batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        take_heartbeat(self, player, &batch[i]);
    }
}

void sim_players_probe(sim_players *self, unsigned player, int64_t now_us)
{
    core_input *const input = &self->input[player - 1];
    const uint64_t before = self->counters.commands;
    receive_from(self, player, now_us);
    if (self->counters.commands > before && input->waits_us == 0) {
        input->waits_us = now_us;
    }
}

void sim_players_receive(sim_players *self, int64_t now_us)
{
    for (unsigned player = 1; player <= self->count; player++) {
        receive_from(self, player, now_us);
    }
    const unsigned viewer = (unsigned)(self->steps % HY_ICD_PLAYERS) + 1;
    if (viewer <= self->views) {
        receive_heartbeats(self, viewer);
    }
}

static void keep_buttons(hy_match_commands *commands)
{
    *commands = (hy_match_commands){ .timer_start_stop = commands->timer_start_stop,
                                     .reset = commands->reset,
                                     .outtake = commands->outtake };
}

void sim_players_give(sim_players *self, hy_sim_input *input, int64_t start_us)
{
    for (size_t i = 0; i < self->command_count; i++) {
        self->commands[i].at_us -= start_us;
        if (self->standing_from > 0 && self->commands[i].player >= self->standing_from) {
            keep_buttons(&self->commands[i].commands);
        }
    }
    input->commands = self->commands;
    input->command_count = self->command_count;
    self->command_count = 0;
    for (unsigned i = 0; i < self->count; i++) {
        self->input[i].listed = 0;
    }
}

// --------------------------------------------------------------------------- sending

static void send(sim_players *self, hy_link *link, const hy_endpoint *to, size_t size)
{
    const bool sent = hy_link_send(link, to, (hy_bytes){ self->text, size }) == HY_OK;
    self->counters.tx_messages += sent;
    self->counters.tx_failed += !sent;
}

// As the document's program does it: every message has a whole turn of the lidar, so a view that draws what it got last
// shows it steadily. In the later form, whose views add points up, all points of a turn go out at once.
static hy_lidar_points lidar_of(const sim_players *self, const hy_match *match, unsigned player,
                                hy_lidar_points newest)
{
    if (!self->options->sweeps) {
        return newest;
    }
    const bool is_turn =
        self->options->form == HY_ICD_DOCUMENT || self->steps % SWEEP_STEPS == player % SWEEP_STEPS;
    return is_turn && hy_match_points(match, player) >= SWEEP_POINTS
               ? hy_match_lidar(match, player, SWEEP_POINTS)
               : (hy_lidar_points){ NULL, 0 };
}

// Only one turn in the document's form fits into a message. Of several robots' turns every second point is left out, or two
// of three ..: in messages by turns each would delete what the other had drawn.
static void thin_out(sim_players *self, hy_match_state *state)
{
    size_t sweeps = 0;
    for (size_t i = 0; i < state->robot_count; i++) {
        sweeps += state->robot[i].lidar.count == SWEEP_POINTS;
    }
    for (size_t i = 0; i < state->robot_count && sweeps > 1; i++) {
        hy_lidar_points *const lidar = &state->robot[i].lidar;
        size_t kept = 0;
        for (size_t k = 0; k < lidar->count; k += sweeps) {
            self->thinned[i][kept++] = lidar->points[k];
        }
        *lidar = (hy_lidar_points){ self->thinned[i], kept };
    }
}

static void send_sensors(sim_players *self, const hy_match *match, unsigned player)
{
    hy_match_sensors readings;
    hy_match_read_sensors(match, player, &readings);
    readings.lidar = lidar_of(self, match, player, readings.lidar);
    hy_icd_sensors sensors;
    hy_icd_sensors_from_match(&readings, &sensors);
    size_t from = 0;
    do {
        const hy_room room = { self->text, HY_ICD_MESSAGE_MAX };
        const size_t size = hy_icd_write_sensors(&sensors, self->options->form, &from, room);
        send(self, &self->to_core[player - 1], &self->core[player - 1], size);
    } while (from < sensors.lidar.count);
}

static void send_state(sim_players *self, const hy_match *match)
{
    hy_match_state state;
    hy_match_read_state(match, &state);
    for (unsigned i = 0; i < state.robot_count; i++) {
        state.robot[i].lidar = lidar_of(self, match, i + 1, state.robot[i].lidar);
    }
    if (self->options->sweeps && self->options->form == HY_ICD_DOCUMENT) {
        thin_out(self, &state);
    }
    hy_icd_match message;
    hy_icd_match_from_state(&state, &message);
    const size_t points = hy_icd_match_points(&message);
    size_t from = 0;
    do {
        const hy_room room = { self->text, HY_ICD_MESSAGE_MAX };
        const size_t size = hy_icd_write_match(&message, self->options->form, &from, room);
        for (unsigned i = 0; i < self->views; i++) {
            send(self, &self->to_view[i], &self->view[i], size);
        }
    } while (from < points);
}

void sim_players_send(sim_players *self, const hy_match *match, int64_t now_us)
{
    for (unsigned player = 1; player <= self->count; player++) {
        core_input *const input = &self->input[player - 1];
        if (input->waits_us != 0) { // the step obeyed it
            input->latency_ms = (double)(now_us - input->waits_us) * 1e-3;
            input->waits_us = 0;
        }
        send_sensors(self, match, player);
    }
    send_state(self, match);
    self->steps++;
}

// --------------------------------------------------------------------------- status

bool sim_players_status_is_due(const sim_players *self)
{
    return self->steps % STATUS_STEPS == 0;
}

static void count_rates(sim_players *self, int64_t now_us)
{
    const int64_t past_us = now_us - self->window_us;
    if (past_us < WINDOW_US) {
        return;
    }
    for (unsigned i = 0; i < self->count; i++) {
        self->input[i].rate_hz = (double)self->input[i].commands * 1e6 / (double)past_us;
        self->input[i].commands = 0;
    }
    self->window_us = now_us;
}

void sim_players_send_status(sim_players *self, hy_icd_status *status, int64_t now_us)
{
    count_rates(self, now_us);
    status->player_count = self->count;
    for (unsigned i = 0; i < self->count; i++) {
        const core_input *const input = &self->input[i];
        const int64_t age_us = now_us - input->received_us;
        hy_icd_player *const player = &status->player[i];
        player->connected = input->received_us != 0 && age_us < HY_MATCH_SILENCE_US;
        player->rate_hz = input->rate_hz;
        player->age_ms = input->received_us != 0 ? (double)age_us * 1e-3 : 0.0;
        player->latency_ms = input->latency_ms;
    }
    status->dropped = (int)(self->counters.rx_malformed + self->counters.rx_strangers);
    const size_t size = hy_icd_write_status(status, (hy_room){ self->text, HY_ICD_MESSAGE_MAX });
    for (unsigned i = 0; i < self->views; i++) {
        send(self, &self->to_view[i], &self->status_at[i], size);
    }
}
