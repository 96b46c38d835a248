// LINK: view scene match world web link icd text base
// What pages say, in any order: lines that begin with the number of a page, '+' or '-' (it comes, it goes), or a text. Whatever
// that is, a player is driven by a page that is there and has the token, sticks stay in range, and what is answered is JSON
// that fits.

#include "../src/view/clients.h"
#include "scene/scene.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TOKEN      "00112233445566778899aabbccddeeff"
#define SEAT_TOKEN "ffeeddccbbaa99887766554433221100"

static void check_axis(int value, int low)
{
    assert(value >= low && value <= HY_ICD_FULL);
}

static void check_players(const clients *self)
{
    for (size_t i = 0; i < HY_ICD_PLAYERS; i++) {
        const clients_player *const player = &self->player[i];
        assert(player->owner >= -1 && player->owner < HY_WEB_CLIENTS);
        if (player->owner >= 0) {
            const clients_page *const page = &self->pages[player->owner];
            assert(page->is_there && page->is_known && page->may_command);
            assert((self->players >> i & 1) != 0);
            assert(page->seat == 0 || page->seat == i + 1);
        }
        check_axis(player->sticks.left_x, -HY_ICD_FULL);
        check_axis(player->sticks.left_y, -HY_ICD_FULL);
        check_axis(player->sticks.right_x, -HY_ICD_FULL);
        check_axis(player->sticks.right_y, -HY_ICD_FULL);
        check_axis(player->sticks.left_trigger, 0);
        check_axis(player->sticks.right_trigger, 0);
        assert(player->owner >= 0 || player->sticks.left_y == 0);
    }
}

static void check_buttons(const clients *self)
{
    for (size_t i = 0; i < CLIENTS_ROBOTS; i++) {
        const bool *const first = self->button[i].is_held_by, *const end = first + HY_WEB_CLIENTS;
        for (const bool *held = first; (held = memchr(held, true, (size_t)(end - held))) != NULL;
             held++) {
            const unsigned page = (unsigned)(held - first);
            assert(self->pages[page].is_there && clients_has_token(self, page));
        }
    }
}

static void check_changes(clients *self)
{
    for (hy_view_change change; clients_take_change(self, &change);) {
        assert(change.index < (change.is_choice ? self->choosers : self->numbers));
        assert(change.is_start || change.is_choice || isfinite(change.value));
    }
}

static void check_answer(const clients_reply *reply)
{
    uint8_t bytes[6 * CLIENTS_WORD_SIZE + 64];
    hy_text text = hy_text_in((hy_room){ bytes, sizeof bytes });
    assert(memchr(reply->word, '\0', sizeof reply->word) != NULL);
    hy_scene_write_word(&text, "sorry", reply->word);
    assert(!text.is_full && text.bytes[0] == '{' && text.bytes[text.size - 1] == '}');
}

static void act(clients *self, hy_bytes line, int64_t now_us)
{
    const unsigned page = line.data[0] % HY_WEB_CLIENTS;
    const hy_bytes text = { line.data + 1, line.size - 1 };
    const bool comes = text.size == 1 && text.data[0] == '+';
    const bool goes = text.size == 1 && text.data[0] == '-';
    if (comes && !self->pages[page].is_there) {
        clients_open(self, page, now_us);
    } else if (goes) {
        clients_close(self, page);
    } else if (self->pages[page].is_there && text.size <= HY_WEB_MESSAGE_MAX) {
        const clients_reply reply = clients_receive(self, page, text, now_us % 5 == 0, now_us);
        check_answer(&reply);
        if (reply.what == CLIENTS_DISCONNECTED) {
            clients_disconnect(self, page);
            assert(clients_receive(self, page, text, now_us % 5 == 0, now_us).what ==
                   CLIENTS_NOTHING);
        }
    }
}

static void send_ended_away(clients *self, int64_t now_us)
{
    const char *why;
    for (int page; (page = clients_find_ended(self, now_us, &why)) >= 0;) {
        assert(why != NULL);
        clients_disconnect(self, (unsigned)page);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static hy_icd_reader *reader;
    if (reader == NULL) {
        reader = hy_icd_reader_open();
    }
    clients self = { .token = TOKEN, .players = 0x07, .buttons = 0x1, .reader = reader };
    self.watchers = size % 2 == 0;
    self.numbers = HY_SCENE_TUNABLES;
    self.choosers = 1;
    clients_start(&self);
    memcpy(self.player[1].seat_token, SEAT_TOKEN, sizeof SEAT_TOKEN);
    int64_t now_us = 0;
    while (size > 0) {
        const uint8_t *const end = memchr(data, '\n', size);
        const size_t length = end != NULL ? (size_t)(end - data) : size;
        if (length > 0) {
            now_us += (data[0] & 0x80) != 0 ? 100 : 1000000; // so that pages also say too much
            act(&self, (hy_bytes){ data, length }, now_us);
            (void)clients_settle(&self, now_us);
            check_changes(&self);
            send_ended_away(&self, now_us);
            check_players(&self);
            check_buttons(&self);
        }
        const size_t taken = length < size ? length + 1 : size;
        data += taken;
        size -= taken;
    }
    return 0;
}
