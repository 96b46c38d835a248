#include "view_player.h"

#include <stddef.h>
#include <string.h>

#include "cli/app.h"
#include "system/system.h"

#define PERIOD_US \
    9000 // of the joystick's messages: called every 10 ms, a little early is early enough
#define HURRY_US     4000 // the same if something changed
#define CORE_AWAY_US 250000
#define SIM_AWAY_US  500000
#define RELEASES     10

// Pages can do without the status, so nothing ends where its port is taken.
static bool open_status(view_player *self)
{
    hy_endpoint local;
    const icd_options *const icd = &self->options->icd;
    if (!icd_find(icd, icd->listen, HY_ICD_VIEW_STATUS, self->player, &local)) {
        return false;
    }
    const hy_status status = hy_link_open(&self->status, &local);
    if (status != HY_OK) {
        char text[HY_ENDPOINT_TEXT_MAX], owner[HY_PORT_OWNER_MAX];
        hy_print_error(
            self->command,
            "cannot listen on %s: %s; the page does not show the sim's status: its connection to "
            "the cores, and robots that are no tanks%s",
            hy_endpoint_format(&local, text), hy_status_text(status),
            hy_port_owner(status, local.port, false, owner));
    }
    return true;
}

bool view_player_init(view_player *self, const char *command, const view_player_options *options,
                      unsigned player)
{
    *self = (view_player){ .options = options, .command = command, .player = player };
    return icd_find(&options->icd, options->sim, HY_ICD_SIM_VIEW, player, &self->sim_peer) &&
           icd_find(&options->icd, options->core, HY_ICD_CORE_JOYSTICK, player, &self->core_peer);
}

bool view_player_open(view_player *self)
{
    return icd_open(&self->options->icd, HY_ICD_VIEW, self->player, &self->sim) && open_status(self);
}

void view_player_close(view_player *self)
{
    hy_link_close(&self->sim);
    hy_link_close(&self->status);
    view_player_give_back(self);
}

// --------------------------------------------------------------------------- the sim

/// Keeps only what is from `peer`; returns how many are left.
static size_t sift(view_player *self, hy_datagram *batch, size_t count, const hy_endpoint *peer)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (icd_is_from(&self->options->icd, &batch[i], peer)) {
            batch[kept++] = batch[i];
        } else {
            self->counters.rx_strangers++;
        }
    }
    return kept;
}

void view_player_share(view_player *self, size_t count, int64_t now_us)
{
    for (size_t i = 0; i < count; i++) {
        hy_view_meter_arrived(&self->meter, now_us);
    }
}

size_t view_player_receive(view_player *self, hy_datagram *batch, int64_t now_us)
{
    const size_t count = hy_link_receive(&self->sim, batch, HY_LINK_BATCH);
    const size_t kept = sift(self, batch, count, &self->sim_peer);
    view_player_share(self, kept, now_us);
    self->counters.states += kept;
    return kept;
}

size_t view_player_receive_status(view_player *self, hy_datagram *batch)
{
    if (!self->status.is_open) {
        return 0;
    }
    const size_t count = hy_link_receive(&self->status, batch, HY_LINK_BATCH);
    const size_t kept = sift(self, batch, count, &self->sim_peer);
    self->counters.statuses += kept;
    return kept;
}

static void send(hy_link *link, const hy_endpoint *to, const uint8_t *bytes, size_t size)
{
    (void)hy_link_send(link, to, (hy_bytes){ bytes, size }); // what is lost is sent again soon
}

void view_player_beat(view_player *self)
{
    send(&self->sim, &self->sim_peer, (const uint8_t *)HY_ICD_HEARTBEAT, strlen(HY_ICD_HEARTBEAT));
}

// --------------------------------------------------------------------------- the joystick

bool view_player_take(view_player *self, int64_t now_us)
{
    if (!self->is_driving) {
        self->is_driving =
            icd_open(&self->options->icd, HY_ICD_JOYSTICK, self->player, &self->joystick);
        self->pace = (stick_pace){ 0 };
        self->taken_us = now_us;
        self->heartbeat_us = 0;
    }
    self->releases_left = 0;
    return self->is_driving;
}

void view_player_let_go(view_player *self)
{
    if (self->is_driving && self->releases_left == 0) {
        self->releases_left = RELEASES;
    }
}

void view_player_give_back(view_player *self)
{
    hy_link_close(&self->joystick);
    self->is_driving = false;
}

// What the core answered since the last message, each at the time when it came.
static void take_heartbeats(view_player *self)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self->joystick, batch, HY_LINK_BATCH);
    const size_t kept = sift(self, batch, count, &self->core_peer);
    self->counters.heartbeats += kept;
    for (size_t i = 0; i < kept; i++) {
        stick_pace_answered(&self->pace, 1, batch[i].at_us);
        self->heartbeat_us = batch[i].at_us;
    }
}

// Nothing lies between the fields, so the bytes up to the last one are the fields.
#define STICKS_SIZE (offsetof(hy_icd_sticks, guide) + sizeof(bool))
_Static_assert(STICKS_SIZE == 6 * sizeof(int) + 13 * sizeof(bool), "gaps in the sticks");

static bool is_same(const hy_icd_sticks *a, const hy_icd_sticks *b)
{
    return memcmp(a, b, STICKS_SIZE) == 0;
}

static const hy_icd_sticks nothing_held = { .left_x = 0 };

static void send_sticks(view_player *self, const hy_icd_sticks *sticks, int64_t now_us)
{
    uint8_t text[1024];
    const size_t size = hy_icd_write_sticks(sticks, (hy_room){ text, sizeof text });
    send(&self->joystick, &self->core_peer, text, size);
    self->sent = *sticks;
    stick_pace_sent(&self->pace, now_us);
    self->counters.tx_sticks++;
}

bool view_player_send(view_player *self, const hy_icd_sticks *sticks, int64_t now_us)
{
    const bool is_release = self->releases_left > 0;
    const hy_icd_sticks *const now = is_release ? &nothing_held : sticks;
    const int64_t least_us = is_same(now, &self->sent) ? PERIOD_US : HURRY_US;
    if (!self->is_driving || stick_pace_is_early(&self->pace, least_us, now_us)) {
        return true; // answers wait in the socket: nobody needs them before
    }
    take_heartbeats(self);
    if (!stick_pace_is_due(&self->pace, least_us, now_us)) {
        return true;
    }
    send_sticks(self, now, now_us);
    if (is_release) {
        self->releases_left--;
        return self->releases_left > 0;
    }
    return true;
}

void view_player_stop(view_player *self, int64_t now_us)
{
    if (self->is_driving) {
        send_sticks(self, &nothing_held, now_us);
    }
}

// --------------------------------------------------------------------------- how it does

/// Whether the core answers, as in hy_scene_link. It is not known before there was time for an answer.
static int core_answers(const view_player *self, int64_t now_us)
{
    if (!self->is_driving) {
        return -1;
    }
    if (self->heartbeat_us != 0 && now_us - self->heartbeat_us < CORE_AWAY_US) {
        return 1;
    }
    return now_us - self->taken_us < CORE_AWAY_US ? -1 : 0;
}

hy_scene_link view_player_link(view_player *self, const hy_icd_player *heard, int64_t now_us)
{
    const double age_ms = hy_view_meter_age_ms(&self->meter, now_us);
    const bool is_heard = heard != NULL && heard->connected; // else the sim may never have heard one
    return (hy_scene_link){
        .player = self->player,
        .core = core_answers(self, now_us),
        .sim = age_ms >= 0.0 && age_ms < SIM_AWAY_US * 1e-3,
        .rate_hz = hy_view_meter_rate_hz(&self->meter, now_us),
        .age_ms = age_ms,
        .loss = -1.0, // the interface document's messages have no number
        .latency_ms = hy_view_meter_latency_ms(&self->meter),
        .heard = heard == NULL ? -1 : heard->connected,
        .core_rate_hz = heard == NULL ? -1.0 : heard->rate_hz,
        .core_age_ms = is_heard ? heard->age_ms : -1.0,
        .core_latency_ms = is_heard ? heard->latency_ms : -1.0,
    };
}
