// A search asks each address once, at a pace that no network minds, and notes who answers how.
#include <halyard/robot.h>
#include <halyard/robots.h>

#include <stdio.h>
#include <string.h>

#include "probe.h"
#include "system/system_sockets.h"

#define SWEEP_PREFIX_BITS 24
#define RECEIVE_BATCHES   8   // a flood must not hold the caller
#define PROBE_REFUSALS    100 // a buffer that stays full for a second is no passing matter

// --------------------------------------------------------------------------- who speaks

// How badly `datagram` fits `dialect`: the blocks that no robot with this dialect sends. Negative: not at all.
static int misfit(const hy_dialect *dialect, hy_bytes datagram)
{
    hy_wire_status status;
    const hy_wire_report report = dialect->status_decode(datagram, &status);
    const bool tells_something = status.encoders != 0 || status.analogs != 0 || status.dios != 0 ||
                                 status.has_gyro || status.has_accel;
    if (report.error != HY_WIRE_WELL_FORMED || !tells_something) {
        return -1;
    }
    return report.unknown + report.too_short;
}

const hy_dialect *hy_robot_recognize(hy_bytes datagram, const hy_dialect *likely)
{
    int least = likely != NULL ? misfit(likely, datagram) : -1;
    const hy_dialect *best = least >= 0 ? likely : NULL;
    const hy_robot_type *type;
    for (size_t i = 0; (type = hy_robot_type_at(i)) != NULL; i++) {
        const int unfit = misfit(type->dialect, datagram);
        if (unfit >= 0 && (best == NULL || unfit < least)) {
            best = type->dialect;
            least = unfit;
        }
    }
    return best;
}

hy_status hy_robot_probe(hy_link *link, const hy_endpoint *address)
{
    return hy_link_send(link, address, HY_ROBOT_PROBE);
}

// --------------------------------------------------------------------------- networks

static uint32_t ipv4_of(const hy_endpoint *endpoint)
{
    const uint8_t *const ip = &endpoint->ip[12];
    return (uint32_t)ip[0] << 24 | (uint32_t)ip[1] << 16 | (uint32_t)ip[2] << 8 | ip[3];
}

static hy_endpoint ipv4_endpoint(uint32_t address, uint16_t port)
{
    const uint8_t bytes[4] = { (uint8_t)(address >> 24), (uint8_t)(address >> 16),
                               (uint8_t)(address >> 8), (uint8_t)address };
    return hy_endpoint_ipv4(bytes, port);
}

// The bits of `network` that tell its hosts apart.
static uint32_t host_mask(const hy_robot_network *network)
{
    return network->prefix_bits == 0    ? UINT32_MAX
           : network->prefix_bits >= 32 ? 0
                                        : UINT32_MAX >> network->prefix_bits;
}

typedef struct {
    hy_robot_network *out;
    size_t count, room;
} network_list;

static void add_network(void *context, const hy_network *found)
{
    network_list *const self = context;
    if (self->count == self->room) {
        return;
    }
    hy_robot_network *const out = &self->out[self->count++];
    *out =
        (hy_robot_network){ .own = ipv4_endpoint(found->own, 0), .is_loopback = found->is_loopback };
    for (uint32_t bits = found->mask; bits != 0; bits <<= 1) {
        out->prefix_bits++;
    }
    snprintf(out->name, sizeof out->name, "%s", found->name);
}

int hy_robot_networks(hy_robot_network *out, size_t room)
{
    network_list list = { out, 0, room };
    const hy_status status = hy_network_each(add_network, &list);
    return status == HY_OK ? (int)list.count : status;
}

bool hy_robot_network_has(const hy_robot_network *network, const hy_endpoint *address)
{
    const uint32_t difference = ipv4_of(&network->own) ^ ipv4_of(address);
    return hy_endpoint_is_ipv4(address) && (difference & ~host_mask(network)) == 0;
}

uint32_t hy_robot_network_hosts(const hy_robot_network *network)
{
    const uint32_t mask = host_mask(network);
    return mask < 3 ? 0 : mask - 2; // without the network's own two addresses and this computer's
}

// --------------------------------------------------------------------------- a search

hy_status hy_robot_search_open(hy_robot_search *self, hy_robot_candidate *candidates, size_t room)
{
    *self = (hy_robot_search){ .candidates = candidates, .room = room };
    const hy_endpoint any = { .port = 0 };
    if (hy_link_open(&self->link, &any) == HY_OK) {
        return HY_OK;
    }
    const hy_endpoint any_ipv4 = ipv4_endpoint(0, 0); // a system without IPv6
    return hy_link_open(&self->link, &any_ipv4);
}

static hy_robot_candidate *find_candidate(hy_robot_search *self, const hy_endpoint *address)
{
    for (size_t i = 0; i < self->count; i++) {
        if (hy_endpoint_equal(&self->candidates[i].address, address)) {
            return &self->candidates[i];
        }
    }
    return NULL;
}

hy_status hy_robot_search_add(hy_robot_search *self, const hy_endpoint *address)
{
    if (address->port == 0) {
        return HY_EADDRESS;
    }
    if (find_candidate(self, address) != NULL) {
        return HY_OK;
    }
    if (self->count == self->room) {
        return HY_EFULL;
    }
    self->candidates[self->count++] =
        (hy_robot_candidate){ .address = *address, .asked_us = INT64_MIN, .answered_us = INT64_MIN };
    return HY_OK;
}

hy_status hy_robot_search_add_network(hy_robot_search *self, const hy_robot_network *network,
                                      uint16_t port)
{
    if (network->prefix_bits < SWEEP_PREFIX_BITS) {
        return HY_ERANGE;
    }
    const uint32_t own = ipv4_of(&network->own), mask = host_mask(network);
    hy_status status = port == 0 ? HY_EADDRESS : HY_OK;
    for (uint32_t host = 1; host < mask && status == HY_OK; host++) {
        const uint32_t address = (own & ~mask) | host;
        if (address != own) {
            const hy_endpoint endpoint = ipv4_endpoint(address, port);
            status = hy_robot_search_add(self, &endpoint);
        }
    }
    return status;
}

static void take_answer(hy_robot_search *self, const hy_datagram *datagram)
{
    hy_robot_candidate *const candidate = find_candidate(self, &datagram->peer);
    if (candidate == NULL || candidate->asked_us == INT64_MIN) {
        return;
    }
    const hy_dialect *const dialect = hy_robot_recognize(datagram->bytes, candidate->dialect);
    if (dialect == NULL) {
        candidate->others++;
        return;
    }
    if (candidate->statuses++ == 0) {
        self->found++;
        candidate->dialect = dialect;
        candidate->answered_us = datagram->read_us;
    }
    candidate->late_statuses += datagram->read_us - candidate->asked_us > HY_ROBOT_STREAM_US;
}

static void receive_answers(hy_robot_search *self)
{
    hy_datagram batch[HY_LINK_BATCH];
    for (int i = 0; i < RECEIVE_BATCHES; i++) {
        const size_t count = hy_link_receive(&self->link, batch, HY_LINK_BATCH);
        for (size_t k = 0; k < count; k++) {
            take_answer(self, &batch[k]);
        }
        if (count < HY_LINK_BATCH) {
            return;
        }
    }
}

static void ask_next(hy_robot_search *self, int64_t now_us)
{
    hy_robot_candidate *const candidate = &self->candidates[self->asked];
    const hy_status status = hy_robot_probe(&self->link, &candidate->address);
    self->send_due_us = now_us + HY_ROBOT_PROBE_PERIOD_US;
    if (status == HY_AGAIN && ++self->refusals < PROBE_REFUSALS) {
        return; // its turn comes again
    }
    self->refusals = 0;
    candidate->is_unreachable = status != HY_OK;
    candidate->asked_us = now_us;
    self->asked++;
    self->end_us = now_us + HY_ROBOT_ANSWER_US;
}

bool hy_robot_search_poll(hy_robot_search *self, int64_t now_us)
{
    receive_answers(self);
    if (self->asked < self->count) {
        if (now_us >= self->send_due_us) {
            ask_next(self, now_us);
        }
        return true;
    }
    return self->count > 0 && now_us < self->end_us;
}

int64_t hy_robot_search_due_us(const hy_robot_search *self)
{
    return self->asked < self->count ? self->send_due_us : self->end_us;
}

intptr_t hy_robot_search_descriptor(const hy_robot_search *self)
{
    return hy_link_descriptor(&self->link);
}

bool hy_robot_search_wait(hy_robot_search *self, int64_t until_us)
{
    for (;;) {
        const int64_t now_us = hy_clock_now_us();
        if (!hy_robot_search_poll(self, now_us)) {
            return false;
        }
        if (now_us >= until_us) {
            return true;
        }
        const int64_t due_us = hy_robot_search_due_us(self);
        (void)hy_wait_to_read(hy_robot_search_descriptor(self), -1,
                              (due_us < until_us ? due_us : until_us) - now_us);
    }
}

void hy_robot_search_close(hy_robot_search *self)
{
    hy_link_close(&self->link);
}
