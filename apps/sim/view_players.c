#include "view_players.h"

#include <stdio.h>

#include "cli/app.h"
#include "system/system_threads.h"

#define SIM_SILENT_US 100000
#define PERIOD_MS     10

// Sent at the end for who was driving, so that a lost one does not matter.
#define LAST_MESSAGES 5

bool view_players_open(view_players *self, const char *command, const view_player_options *options,
                       unsigned count, unsigned told)
{
    self->icd = &options->icd;
    self->first = count > 0 ? 1 : (unsigned)options->icd.player;
    self->last = count > 0 ? count : self->first;
    self->last_told = told > 0 ? told : self->last;
    self->told_by = self->first;
    bool ok = true;
    for (unsigned number = self->first; number <= self->last && ok; number++) {
        ok = view_player_init(view_players_at(self, number), command, options, number) &&
             (number > self->last_told || view_player_open(view_players_at(self, number)));
    }
    self->reader = hy_icd_reader_open();
    if (self->reader == NULL) {
        hy_print_error(command, "there is not enough memory");
    }
    return ok && self->reader != NULL;
}

void view_players_close(view_players *self)
{
    for (size_t i = 0; i < HY_ICD_PLAYERS; i++) {
        view_player_close(&self->player[i]);
    }
    hy_icd_reader_close(self->reader);
}

view_player *view_players_at(view_players *self, unsigned number)
{
    return &self->player[number - 1];
}

// --------------------------------------------------------------------------- what the sim says

size_t view_players_receive(view_players *self, unsigned number, hy_datagram *batch, int64_t now_us)
{
    const size_t count = view_player_receive(view_players_at(self, number), batch, now_us);
    for (unsigned untold = self->last_told + 1; untold <= self->last; untold++) {
        view_player_share(view_players_at(self, untold), count, now_us);
    }
    return count;
}

bool view_players_is_silent(view_players *self, unsigned number, int64_t now_us)
{
    const double age_ms = hy_view_meter_age_ms(&view_players_at(self, number)->meter, now_us);
    return age_ms < 0.0 || age_ms > SIM_SILENT_US * 1e-3;
}

static void refuse(view_players *self, const hy_datagram *datagram)
{
    self->rx_malformed++;
    icd_refuse(self->icd, datagram, self->reader);
}

bool view_players_read(view_players *self, const hy_datagram *datagram, hy_icd_match *out)
{
    const bool ok = hy_icd_read_match(self->reader, datagram->bytes, out) == HY_OK;
    if (!ok) {
        refuse(self, datagram);
    }
    return ok;
}

/// All views are told the same, so any will do; a sim that is not ours tells nothing.
bool view_players_take_status(view_players *self, int64_t now_us)
{
    hy_datagram batch[HY_LINK_BATCH];
    bool is_new = false;
    for (unsigned number = self->first; number <= self->last_told; number++) {
        const size_t count = view_player_receive_status(view_players_at(self, number), batch);
        for (size_t i = 0; i < count; i++) {
            if (hy_icd_read_status(self->reader, batch[i].bytes, &self->status) != HY_OK) {
                refuse(self, &batch[i]);
                continue;
            }
            self->status_us = now_us;
            is_new = true;
        }
    }
    return is_new;
}

void view_players_beat(view_players *self)
{
    for (unsigned number = self->first; number <= self->last_told; number++) {
        view_player_beat(view_players_at(self, number));
    }
}

// --------------------------------------------------------------------------- their links

/// What the sim tells of a player's core; NULL if it does not.
static const hy_icd_player *heard_of(const view_players *self, unsigned number, int64_t now_us)
{
    const bool is_known =
        self->status_us != 0 && now_us - self->status_us < HY_SCENE_STATUS_SILENT_US;
    return is_known && number <= self->status.player_count ? &self->status.player[number - 1] : NULL;
}

size_t view_players_links(view_players *self, unsigned bots, int64_t now_us,
                          hy_scene_link links[HY_ICD_PLAYERS])
{
    size_t count = 0;
    for (unsigned number = self->first; number <= self->last; number++) {
        links[count] =
            view_player_link(view_players_at(self, number), heard_of(self, number, now_us), now_us);
        links[count++].is_bot = number + bots > self->last;
    }
    return count;
}

// The reference core repeats the last sticks for ever.
void view_players_let_go(view_players *self)
{
    bool any = true;
    for (int i = 0; i < LAST_MESSAGES && any; i++) {
        any = false;
        for (unsigned number = self->first; number <= self->last; number++) {
            view_player *const player = view_players_at(self, number);
            any = any || player->is_driving;
            view_player_stop(player, hy_clock_now_us());
        }
        if (any) {
            hy_time_sleep(PERIOD_MS * 1000);
        }
    }
}

view_player_counters view_players_sum(const view_players *self)
{
    view_player_counters sum = { 0 };
    for (size_t i = 0; i < HY_ICD_PLAYERS; i++) {
        sum.states += self->player[i].counters.states;
        sum.rx_strangers += self->player[i].counters.rx_strangers;
        sum.tx_sticks += self->player[i].counters.tx_sticks;
    }
    return sum;
}
