// LINK: nt telemetry text web base
// What a server sends to our client, from its answer to the last frame: the first byte says how (bit 0: as frames after a right answer; the
// rest: in pieces of how many bytes). Whatever it is, everything ends, the pieces make no difference to what is offered, and what goes out is frames with a mask.
#include "../src/nt/uplink.h"
#include "../src/web/caller.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_MAX 4096
#define QUEUE_SIZE  65536

typedef struct {
    web_caller caller;
    nt_uplink *uplink;
    uint8_t message[MESSAGE_MAX], queue[QUEUE_SIZE];
    hy_hash offers;
    bool is_broken;
} client;

static bool send_message(void *context, unsigned number, hy_bytes message, bool is_binary)
{
    client *const self = context;
    assert(number == 0 && message.size > 0);
    return web_caller_send(&self->caller, message, is_binary);
}

static void take_offer(void *context, const nt_topic *topic, const hy_nt4_value *value)
{
    client *const self = context;
    assert(topic->is_tunable && hy_nt4_value_fits(value));
    hy_hash_u64(&self->offers, topic->channel);
    hy_hash_bytes(&self->offers, value->value);
}

static void take_output(client *self)
{
    for (hy_bytes out; (out = web_caller_output(&self->caller)).size > 0;) {
        web_caller_sent(&self->caller, out.size);
    }
}

static void take_piece(client *self, hy_bytes bytes)
{
    web_caller_event event;
    while (!self->is_broken &&
           (event = web_caller_take(&self->caller, &bytes)) != WEB_CALLER_NOTHING) {
        const web_frames *const said = &self->caller.frames;
        const hy_bytes message = { said->message, said->message_size };
        switch (event) {
        case WEB_CALLER_OPENED: nt_uplink_connect(self->uplink, 77); break;
        case WEB_CALLER_CLOSED:
            assert(self->caller.why != NULL);
            self->is_broken = true;
            break;
        default:
            assert(message.size <= MESSAGE_MAX);
            if (said->is_binary) {
                self->is_broken = !nt_uplink_binary(self->uplink, message, 100);
            } else {
                nt_uplink_text(self->uplink, message);
            }
            nt_uplink_flush(self->uplink, 100, 50);
        }
        take_output(self);
    }
}

// Once: what a connection leaves behind ends with it.
static void make_uplink(client *self)
{
    static const uint8_t one[] = { 0xcb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0 };
    const nt_outlet outlet = { .context = self, .send = send_message, .offer = take_offer };
    const hy_status status = nt_uplink_create(&self->uplink, &outlet);
    assert(status == HY_OK);
    (void)status;
    const char *const names[] = { "/Tuning/kP", "/Tuning/kI", "/Robot/Battery" };
    for (hy_channel i = 0; i < 3; i++) {
        const size_t place = nt_uplink_declare(self->uplink, names[i], "double",
                                               &(nt_own){ .channel = i + 1, .is_tunable = i < 2 });
        assert(place == i);
        nt_uplink_put(self->uplink, place, 10, (hy_bytes){ one, sizeof one });
    }
}

static void start(client *self)
{
    if (self->uplink == NULL) {
        make_uplink(self);
    }
    const web_caller_setup setup = { .path = "/nt/halyard",
                                     .host = "x",
                                     .protocol = "nt",
                                     .message = { self->message, sizeof self->message },
                                     .queue = { self->queue, sizeof self->queue } };
    const bool fits = web_caller_start(&self->caller, &setup);
    assert(fits);
    (void)fits;
    self->offers = hy_hash_start();
    self->is_broken = false;
    take_output(self);
}

static void call(client *self, hy_bytes bytes, bool is_open, size_t piece)
{
    start(self);
    if (is_open) {
        char answer[256] = "HTTP/1.1 101 X\r\nSec-WebSocket-Protocol: nt\r\nSec-WebSocket-Accept: ";
        strcat(answer, self->caller.accept); // NOLINT: both are short
        strcat(answer, "\r\n\r\n");          // NOLINT
        take_piece(self, (hy_bytes){ (const uint8_t *)answer, strlen(answer) });
        assert(self->caller.stage == WEB_CALLER_OPEN);
    }
    while (bytes.size > 0 && !self->is_broken) {
        const size_t size = piece < bytes.size ? piece : bytes.size;
        take_piece(self, (hy_bytes){ bytes.data, size });
        bytes = (hy_bytes){ bytes.data + size, bytes.size - size };
    }
    nt_uplink_disconnect(self->uplink);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static client whole, pieces;
    if (size == 0) {
        return 0;
    }
    const hy_bytes bytes = { data + 1, size - 1 };
    const bool is_open = (data[0] & 1) != 0;
    call(&whole, bytes, is_open, SIZE_MAX);
    call(&pieces, bytes, is_open, 1 + data[0] / 2);
    assert(whole.offers.value == pieces.offers.value);
    assert(whole.caller.stage == pieces.caller.stage && whole.is_broken == pieces.is_broken);
    return 0;
}
