#include "match_ports.h"

#include <stdio.h>
#include <unistd.h>

#include "cmocka_all.h"

// 33 shifts, 60 apart, for six players 10 apart: that is less than the 2000 between the document's ports, so no two shifts share
// one. The highest is below 32768, where Linux begins to give ports away.
#define LOWEST 12500
#define APART  60
#define SHIFTS 33

#define LOCK 2055 // nobody's port, under any of the shifts

static hy_endpoint here(unsigned port)
{
    char text[HY_ENDPOINT_TEXT_MAX];
    hy_endpoint out;
    snprintf(text, sizeof text, "127.0.0.1:%u", port);
    assert_int_equal(hy_endpoint_parse(text, 0, &out), HY_OK);
    return out;
}

hy_endpoint match_ports_at(const match_ports *self, hy_icd_port port, unsigned player)
{
    return here(hy_icd_port_of(port, player) + self->shift);
}

static bool is_free(const hy_endpoint *at)
{
    hy_link link;
    const bool ok = hy_link_open(&link, at) == HY_OK;
    hy_link_close(&link);
    return ok;
}

static bool are_free(const match_ports *self)
{
    bool ok = true;
    for (unsigned port = HY_ICD_JOYSTICK; port <= HY_ICD_SIM_STICKS && ok; port += 2000) {
        for (unsigned player = 1; player <= HY_ICD_PLAYERS && ok; player++) {
            const hy_endpoint at = match_ports_at(self, (hy_icd_port)port, player);
            ok = is_free(&at);
        }
    }
    return ok;
}

void match_ports_take(match_ports *self)
{
    for (unsigned i = 0; i < SHIFTS; i++) {
        *self = (match_ports){ .shift = LOWEST + APART * (((unsigned)getpid() + i) % SHIFTS) };
        const hy_endpoint lock = here(LOCK + self->shift);
        if (hy_link_open(&self->lock, &lock) == HY_OK) {
            if (are_free(self)) {
                snprintf(self->shift_text, sizeof self->shift_text, "%u", self->shift);
                return;
            }
            hy_link_close(&self->lock);
        }
    }
    fail_msg("all ports are taken");
}

void match_ports_give_back(match_ports *self)
{
    hy_link_close(&self->lock);
}

void match_ports_open(const match_ports *self, hy_icd_port port, unsigned player, hy_link *out)
{
    const hy_endpoint at = match_ports_at(self, port, player);
    const hy_status status = hy_link_open(out, &at);
    if (status != HY_OK) {
        fail_msg("port %u: %s", at.port, hy_status_text(status));
    }
}
