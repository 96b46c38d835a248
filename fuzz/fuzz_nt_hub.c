// LINK: nt telemetry text web base
// What several clients send to our NetworkTables server, without a network: the bytes are steps of a client number and a kind, and a message
// behind the two. Whatever they send, frames are whole, a value's topic was announced to its client first, nobody who is gone is sent anything,
// and only who may write changes our tunable.
#include "../src/nt/hub.h"

#include <assert.h>
#include <string.h>

#define CLIENTS  4
#define TEXT_MAX (1 << 17)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    struct {
        bool is_there, may_write;
        uint64_t announced[(NT_TOPICS + 63) / 64];
    } clients[CLIENTS];
    nt_hub *hub;
    hy_json_reader *reader;
    unsigned sender;
    bool is_full;
} world;

static void note_announcements(world *self, unsigned client, hy_bytes message)
{
    hy_json_items items = hy_json_items_of(hy_json_parse(self->reader, message));
    assert(items.left > 0);
    for (hy_nt4_message one; hy_nt4_next_message(&items, &one);) {
        assert(one.id >= 0 && one.id < NT_TOPICS);
        uint64_t *const word = &self->clients[client].announced[one.id / 64];
        if (one.method == HY_NT4_ANNOUNCE) {
            *word |= UINT64_C(1) << one.id % 64;
        } else if (one.method == HY_NT4_UNANNOUNCE) {
            *word &= ~(UINT64_C(1) << one.id % 64);
        }
    }
}

static void check_values(const world *self, unsigned client, hy_bytes message)
{
    hy_nt4_values frame = { .rest = message };
    for (hy_nt4_value value; hy_nt4_next(&frame, &value);) {
        assert(value.id >= -1 && value.id < NT_TOPICS);
        assert(value.id < 0 || self->clients[client].announced[value.id / 64] >> value.id % 64 & 1);
    }
    assert(!frame.is_malformed && message.size > 0);
}

static bool send_message(void *context, unsigned client, hy_bytes message, bool is_binary)
{
    world *const self = context;
    assert(client < CLIENTS && self->clients[client].is_there && message.size <= NT_MESSAGE_MAX);
    if (self->is_full) {
        return false;
    }
    if (is_binary) {
        check_values(self, client, message);
    } else {
        note_announcements(self, client, message);
    }
    return true;
}

static void forget_client(world *self, unsigned client)
{
    memset(&self->clients[client], 0, sizeof self->clients[client]);
}

static void close_client(void *context, unsigned client, const char *why)
{
    assert(why[0] != '\0');
    forget_client(context, client);
}

static void take_offer(void *context, const nt_topic *topic, const hy_nt4_value *value)
{
    const world *const self = context;
    assert(self->clients[self->sender].may_write && strcmp(topic->name, "/ours/kP") == 0);
    assert(value->value.size > 0);
}

static void take_ignored(void *context, const nt_topic *topic)
{
    const world *const self = context;
    assert(self->clients[self->sender].may_write && strcmp(topic->name, "/ours/x") == 0);
}

static void take_refused(void *context, const uint8_t ip[16], const char *what)
{
    const world *const self = context;
    assert(self->clients[self->sender].may_write && ip[0] == self->sender / 2 && what[0] != '\0');
}

static void take_step(world *self, unsigned kind, hy_bytes message)
{
    nt_hub *const hub = self->hub;
    const unsigned client = self->sender;
    const bool is_there = self->clients[client].is_there;
    switch (kind) {
    case 0:
    case 1:
        if (!is_there &&
            nt_hub_connect(hub, client,
                           &(nt_peer){ .ip = { (uint8_t)(client / 2) }, .may_write = kind == 1 })) {
            self->clients[client].is_there = true;
            self->clients[client].may_write = kind == 1;
        }
        break;
    case 2:
        forget_client(self, client); // before: what is sent to the others is checked
        while (!nt_hub_disconnect(hub, client)) {
        }
        break;
    case 3: self->is_full = message.size % 2 != 0; break;
    case 4:
        nt_hub_put(hub, message.size % 2, (int64_t)message.size,
                   (hy_bytes){ (const uint8_t *)"\x01", 1 });
        break;
    case 5:
    case 6:
        if (is_there) {
            while (!nt_hub_text(hub, client, message)) {
            }
        }
        break;
    default:
        if (is_there) {
            while (!nt_hub_binary(hub, client, message, 1000)) {
            }
        }
    }
}

// The readers, of several megabytes, are made once.
static void start(world *self)
{
    const nt_outlet outlet = { self,       send_message, close_client,
                               take_offer, take_ignored, take_refused };
    if (self->hub == NULL) {
        self->reader = hy_json_reader_open(TEXT_MAX);
        const hy_status status = nt_hub_create(&self->hub, &outlet);
        assert(self->reader != NULL && status == HY_OK);
        (void)status;
    }
    *self = (world){ .hub = self->hub, .reader = self->reader };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static world self;
    start(&self);
    nt_hub *const hub = self.hub;
    (void)nt_hub_declare(hub, "/ours/x", "int", &(nt_own){ .channel = 1 });
    (void)nt_hub_declare(hub, "/ours/kP", "double", &(nt_own){ .channel = 2, .is_tunable = true });
    int64_t at_us = 0;
    for (hy_bytes rest = { data, size }; rest.size >= 3;) {
        const size_t length = (size_t)rest.data[1] | (size_t)rest.data[2] << 8;
        const unsigned first = rest.data[0];
        rest = (hy_bytes){ rest.data + 3, rest.size - 3 };
        const size_t used = length < rest.size ? length : rest.size;
        self.sender = first % CLIENTS;
        take_step(&self, first / CLIENTS % 8, (hy_bytes){ rest.data, used });
        rest = (hy_bytes){ rest.data + used, rest.size - used };
        if (first >= 128) {
            at_us += 5000;
            nt_hub_flush(hub, at_us);
        }
    }
    nt_hub_flush(hub, at_us + 1000000);
    nt_hub_clear(hub);
    return 0;
}
