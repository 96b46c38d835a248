// LINK: web text base
// What clients of the web server send, from the first request to the last frame: the first byte says how (bit 0: as frames of a WebSocket
// that was granted before; the rest: in pieces of how many bytes), what follows is sent. Whatever that is, messages are what the server promises,
// answers are HTTP or frames, everything ends, and the pieces make no difference.
#include "../src/web/connection.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "text/text.h"

#define UPGRADE                                                                             \
    "GET /live HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nConnection: Upgrade\r\nUpgrade: " \
    "websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ="  \
    "=\r\nSec-WebSocket-Protocol: page\r\n\r\n"

typedef struct {
    web_connection talk;
    uint8_t message[HY_WEB_MESSAGE_MAX];
    hy_hash messages;
    size_t message_count, sent;
} client;

static web_site site;

static void make_site(void)
{
    static const uint8_t page[] = "<!doctype html>";
    const hy_web_file file = { "/index.html", "text/html", { page, sizeof page - 1 } };
    const hy_web_file gzip = { "/index.html.gz", "application/gzip", { page, 5 } };
    if (site.endpoint_count > 0) {
        return;
    }
    const hy_status status = web_files_add(&site.files, &file);
    const hy_status gzip_status = web_files_add(&site.files, &gzip);
    assert(status == HY_OK && gzip_status == HY_OK);
    (void)status, (void)gzip_status;
    memcpy(site.endpoints[0].path, "/live", 6);
    memcpy(site.endpoints[0].protocol, "page", 5);
    memcpy(site.endpoints[1].path, "/binary", 8);
    memcpy(site.endpoints[1].protocol, "data", 5);
    site.endpoints[1].accepts_binary = true;
    site.endpoint_count = 2;
    site.names = (hy_web_names){ { "x", "http://y" }, 2 };
}

static void check_message(client *self)
{
    const web_frames *const said = &self->talk.frames;
    const hy_bytes bytes = { said->message, said->message_size };
    assert(self->talk.stage == WEB_OPEN && bytes.size <= HY_WEB_MESSAGE_MAX);
    assert(said->is_binary ? site.endpoints[self->talk.endpoint].accepts_binary
                           : hy_utf8_is_valid(bytes));
    for (size_t i = 0; i < bytes.size; i++) {
        hy_hash_u64(&self->messages, bytes.data[i]);
    }
    hy_hash_u64(&self->messages, UINT64_C(1) << 32 | bytes.size);
    self->message_count++;
}

/// Takes what the server sends, and checks how it begins.
static void take_output(client *self)
{
    hy_bytes out = web_connection_output(&self->talk);
    if (out.size > 0 && self->sent == 0) {
        assert(out.size > 9 && memcmp(out.data, "HTTP/1.1 ", 9) == 0);
    }
    for (; out.size > 0; out = web_connection_output(&self->talk)) {
        const hy_bytes after = web_connection_output_after(&self->talk);
        self->sent += out.size + after.size;
        web_connection_sent(&self->talk, out.size + after.size);
    }
}

static void step_all(client *self)
{
    for (web_happening happened = WEB_REQUESTED; happened != WEB_NOTHING;) {
        happened = web_connection_step(&self->talk, &site);
        if (happened == WEB_MESSAGE) {
            check_message(self);
        }
        if (happened == WEB_OPENED) {
            assert(self->talk.endpoint < site.endpoint_count);
        }
        if (happened == WEB_CLOSED || happened == WEB_TOO_LONG) {
            assert(self->talk.stage == WEB_LEAVING);
        }
        take_output(self);
    }
}

static void send_in_pieces(client *self, hy_bytes bytes, size_t piece)
{
    while (bytes.size > 0) {
        const hy_room room = web_connection_room(&self->talk);
        assert(room.size > 0); // a whole request, or its refusal, fits: nothing waits for ever
        size_t size = piece < bytes.size ? piece : bytes.size;
        size = size < room.size ? size : room.size;
        memcpy(room.data, bytes.data, size);
        web_connection_received(&self->talk, size);
        bytes = (hy_bytes){ bytes.data + size, bytes.size - size };
        step_all(self);
    }
}

static void serve(client *self, hy_bytes bytes, bool is_open, size_t piece)
{
    web_connection_start(&self->talk, (hy_room){ self->message, sizeof self->message });
    self->messages = hy_hash_start();
    self->message_count = self->sent = 0;
    if (is_open) {
        send_in_pieces(self, (hy_bytes){ (const uint8_t *)UPGRADE, sizeof UPGRADE - 1 }, SIZE_MAX);
        assert(self->talk.stage == WEB_OPEN && self->talk.endpoint == 0);
    }
    send_in_pieces(self, bytes, piece);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static client whole, pieces;
    make_site();
    if (size == 0) {
        return 0;
    }
    const hy_bytes bytes = { data + 1, size - 1 };
    const bool is_open = (data[0] & 1) != 0;
    serve(&whole, bytes, is_open, SIZE_MAX);
    serve(&pieces, bytes, is_open, 1 + data[0] / 2);
    assert(whole.message_count == pieces.message_count);
    assert(whole.messages.value == pieces.messages.value);
    assert(whole.talk.stage == pieces.talk.stage);
    return 0;
}
