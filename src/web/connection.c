#include "connection.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "accept_key.h"
#include "origin.h"
#include "text/text.h"

#define FIRST_TEXT   0x81
#define FIRST_BINARY 0x82
#define FIRST_CLOSE  0x88
#define FIRST_PING   0x89
#define FIRST_PONG   0x8a

// What a browser may do with what comes from here: nothing that involves another server.
#define POLICY                                                                             \
    "content-security-policy: default-src 'self'; img-src 'self' data: blob:; object-src " \
    "'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"              \
    "x-content-type-options: nosniff\r\n"                                                  \
    "x-frame-options: deny\r\n"                                                            \
    "referrer-policy: no-referrer\r\n"                                                     \
    "server: halyard\r\n"

void web_connection_start(web_connection *self, hy_room message)
{
    memset(self, 0, sizeof *self);
    self->message = message;
    self->stage = WEB_ASKING;
}

// --------------------------------------------------------------------------- sending

static bool is_sending(const web_connection *self)
{
    return self->sent < self->answer_size + self->body.size;
}

hy_bytes web_connection_output(const web_connection *self)
{
    if (self->sent < self->answer_size) {
        return (hy_bytes){ self->answer + self->sent, self->answer_size - self->sent };
    }
    const size_t sent = self->sent - self->answer_size;
    return sent < self->body.size ? (hy_bytes){ self->body.data + sent, self->body.size - sent }
                                  : (hy_bytes){ NULL, 0 };
}

hy_bytes web_connection_output_after(const web_connection *self)
{
    return self->sent < self->answer_size ? self->body : (hy_bytes){ NULL, 0 };
}

static void begin_sending(web_connection *self, hy_bytes body)
{
    self->body = body;
    self->sent = 0;
}

static void send_control(web_connection *self, uint8_t first, const uint8_t *payload, size_t size)
{
    self->answer_size = web_frame_head(self->answer, first, size);
    if (size > 0) {
        memcpy(self->answer + self->answer_size, payload, size);
        self->answer_size += size;
    }
    begin_sending(self, (hy_bytes){ NULL, 0 });
}

static void send_waiting(web_connection *self)
{
    if (is_sending(self)) {
        return;
    }
    if (self->has_close) {
        self->has_close = false;
        send_control(self, FIRST_CLOSE, self->control, self->control_size);
    } else if (self->stage == WEB_OPEN && self->has_pong) {
        self->has_pong = false;
        send_control(self, FIRST_PONG, self->control, self->control_size);
    }
}

void web_connection_sent(web_connection *self, size_t size)
{
    self->sent += size;
    if (!is_sending(self) && self->stage == WEB_ANSWERING) {
        self->stage = self->closes ? WEB_LEAVING : WEB_ASKING;
    }
    send_waiting(self);
}

bool web_connection_takes_text(const web_connection *self)
{
    return self->stage == WEB_OPEN && !is_sending(self);
}

void web_connection_say(web_connection *self, hy_bytes message, bool is_binary)
{
    assert(web_connection_takes_text(self));
    self->answer_size =
        web_frame_head(self->answer, is_binary ? FIRST_BINARY : FIRST_TEXT, message.size);
    begin_sending(self, message);
}

void web_connection_ping(web_connection *self)
{
    if (web_connection_takes_text(self)) {
        send_control(self, FIRST_PING, NULL, 0);
    }
}

/// A close frame, once what is under way is sent.
static void add_close(web_connection *self, const uint8_t *payload, size_t size)
{
    self->stage = WEB_LEAVING;
    self->has_pong = false;
    self->has_close = true;
    memcpy(self->control, payload, size);
    self->control_size = size;
    send_waiting(self);
}

void web_connection_leave(web_connection *self, unsigned code, const char *why)
{
    if (self->stage != WEB_OPEN) {
        self->stage = WEB_LEAVING;
        self->answer_size = self->sent = self->body.size = 0;
        return;
    }
    uint8_t payload[WEB_CONTROL_MAX] = { (uint8_t)(code >> 8), (uint8_t)code };
    snprintf((char *)payload + 2, sizeof payload - 2, "%s", why);
    add_close(self, payload, 2 + strlen((const char *)payload + 2));
}

// --------------------------------------------------------------------------- answers

static const char *reason_of(unsigned code)
{
    switch (code) {
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 304: return "Not Modified";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 426: return "Upgrade Required";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Bad Request";
    }
}

/// Begins an answer; `fields` are whole lines.
static void answer(web_connection *self, unsigned code, const char *fields, hy_bytes body)
{
    const int length =
        snprintf((char *)self->answer, sizeof self->answer, "HTTP/1.1 %u %s\r\n%s%s%s\r\n", code,
                 reason_of(code), code == 101 ? "" : POLICY, fields,
                 self->closes ? "connection: close\r\n" : "");
    assert(length > 0 && (size_t)length < sizeof self->answer);
    self->answer_size = (size_t)length;
    self->stage = WEB_ANSWERING;
    begin_sending(self, body);
}

/// A whole answer of one sentence.
static void answer_sentence(web_connection *self, unsigned code, const char *text, bool has_body)
{
    char fields[128];
    snprintf(fields, sizeof fields,
             "content-type: text/plain; charset=utf-8\r\ncontent-length: %zu\r\n"
             "cache-control: no-store\r\n",
             strlen(text));
    answer(self, code, fields, (hy_bytes){ (const uint8_t *)text, has_body ? strlen(text) : 0 });
}

/// Refuses a request, and the connection with it: what else it sends would not be understood.
static web_happening refuse_connection(web_connection *self, unsigned code, const char *text,
                                       bool has_body)
{
    self->closes = true;
    answer_sentence(self, code, text, has_body);
    return WEB_REFUSED;
}

static web_happening refuse_head(web_connection *self, unsigned code)
{
    return refuse_connection(self, code,
                             code == 431   ? "this request is too long\n"
                             : code == 505 ? "only HTTP/1.1 is spoken here\n"
                                           : "this is not an HTTP request\n",
                             true);
}

/// Sends a file, compressed if there is such a file too and the client decodes it.
static void answer_file(web_connection *self, const web_site *site, const web_request *request,
                        const web_file *file)
{
    char fields[320], length[64] = "";
    const web_file *const gzip = web_files_find_gzip(&site->files, file);
    const bool is_gzip = gzip != NULL && web_request_accepts_gzip(request);
    const web_file *const sent = is_gzip ? gzip : file;
    const bool is_known = strstr(request->known_tag, sent->tag) != NULL;
    if (!is_known) {
        snprintf(length, sizeof length, "content-length: %zu\r\n", sent->size);
    }
    snprintf(fields, sizeof fields,
             "content-type: %.64s\r\n%s%s%s%scache-control: %s\r\netag: %s\r\n", file->type, length,
             gzip != NULL ? "vary: accept-encoding\r\n" : "",
             is_gzip && !is_known ? "content-encoding: gzip\r\n" : "",
             site->any_page_reads_files ? "access-control-allow-origin: *\r\n" : "",
             file->is_frozen ? "public, max-age=31536000, immutable" : "no-cache", sent->tag);
    const bool has_body = !is_known && request->is_get;
    answer(self, is_known ? 304 : 200, fields, (hy_bytes){ sent->bytes, has_body ? sent->size : 0 });
}

static web_happening answer_request(web_connection *self, const web_site *site,
                                    const web_request *request)
{
    self->closes = !request->keeps_alive || request->has_body;
    if (!request->is_get && !request->is_head) {
        return refuse_connection(self, 405, "only GET and HEAD are answered here\n", true);
    }
    if (!site->any_page_reads_files && request->host[0] != '\0' &&
        !web_host_is_own(&site->names, request->host)) {
        return refuse_connection(self, 403,
                                 "this is served by its IP address; under another name only if the "
                                 "program was started with --allow-host NAME\n",
                                 request->is_get);
    }
    const web_file *const file = web_files_find(&site->files, request->path, request->query);
    if (file != NULL) {
        answer_file(self, site, request, file);
    } else if (strcmp(request->path, "/") == 0 && site->without_folder[0] != '\0') {
        answer_sentence(self, 503, site->without_folder, request->is_get);
    } else {
        answer_sentence(self, 404, "there is no such file here\n", request->is_get);
    }
    return WEB_REQUESTED;
}

// --------------------------------------------------------------------------- becoming a WebSocket

/// Whether a request's path is that of an endpoint, or begins with it if it ends with '*'.
static bool is_path(const char *path, const char *endpoint)
{
    const size_t size = strlen(endpoint);
    return size > 0 && endpoint[size - 1] == '*' ? strncmp(path, endpoint, size - 1) == 0
                                                 : strcmp(path, endpoint) == 0;
}

/// Whether a WebSocket may come from a page of the request's origin, or from no page at all.
static bool is_allowed(web_connection *self, const web_site *site, int endpoint,
                       const web_request *request)
{
    const bool allows_others = site->endpoints[endpoint].allows_programs;
    const bool is_program =
        request->origin[0] == '\0' || hy_text_is_alike(request->origin, "file://");
    if ((allows_others && is_program) ||
        web_origin_is_own(&site->names, request->origin, request->host)) {
        return true;
    }
    self->origin = allows_others ? web_origin_find(&site->names, request->origin) : NULL;
    self->refused = allows_others && self->origin == NULL ? request->origin : NULL;
    return self->origin != NULL;
}

/// The first endpoint that a request asks for, or -1.
static int find_endpoint(const web_site *site, const web_request *request)
{
    for (size_t i = 0; i < site->endpoint_count; i++) {
        if (is_path(request->path, site->endpoints[i].path) &&
            web_request_lists(request->protocols, site->endpoints[i].protocol, false)) {
            return (int)i;
        }
    }
    return -1;
}

/// What is asked for must be a WebSocket and nothing else: no other protocol is spoken here, HTTP/2 least of all.
static web_happening upgrade(web_connection *self, const web_site *site, const web_request *request)
{
    if (!hy_text_is_alike(request->upgrade, "websocket") || !request->is_get || request->has_body ||
        !web_request_lists(request->connection, "upgrade", true)) {
        return refuse_connection(self, 403, "connections are upgraded to WebSockets only\n",
                                 !request->is_head);
    }
    if (strcmp(request->version, "13") != 0) {
        self->closes = true;
        answer(self, 426, "sec-websocket-version: 13\r\ncontent-length: 0\r\n",
               (hy_bytes){ NULL, 0 });
        return WEB_REFUSED;
    }
    const int endpoint = find_endpoint(site, request);
    if (endpoint < 0 || !is_allowed(self, site, endpoint, request)) {
        return refuse_connection(self, 403, "only pages of this server may connect here\n", true);
    }
    if (!web_key_is_valid(request->key)) {
        return refuse_connection(self, 400, "this is not a WebSocket's key\n", true);
    }
    char key[WEB_ACCEPT_SIZE], fields[256];
    web_accept_key(request->key, key);
    snprintf(fields, sizeof fields,
             "upgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: %s\r\n"
             "sec-websocket-protocol: %s\r\n",
             key, site->endpoints[endpoint].protocol);
    answer(self, 101, fields, (hy_bytes){ NULL, 0 });
    self->stage = WEB_OPEN;
    self->endpoint = (unsigned)endpoint;
    self->has_token = web_request_shows(request->protocols, site->token_protocol);
    (void)snprintf(self->path, sizeof self->path, "%s", request->path);
    self->frames = (web_frames){ .accepts_binary = site->endpoints[endpoint].accepts_binary,
                                 .message = self->message.data,
                                 .message_max = self->message.size };
    return WEB_OPENED;
}

// --------------------------------------------------------------------------- receiving

static hy_bytes received(const web_connection *self)
{
    return (hy_bytes){ self->received + self->received_at, self->received_size - self->received_at };
}

hy_room web_connection_room(web_connection *self)
{
    const hy_bytes left = received(self);
    if (self->received_at > 0) {
        memmove(self->received, left.data, left.size);
        self->received_at = 0;
        self->received_size = left.size;
    }
    return (hy_room){ self->received + left.size, sizeof self->received - left.size };
}

void web_connection_received(web_connection *self, size_t size)
{
    assert(size <= sizeof self->received - self->received_size);
    self->received_size += size;
    self->refused = NULL;
}

static void forget_received(web_connection *self, size_t size)
{
    self->received_at += size;
    self->searched = 0;
}

static web_happening take_request(web_connection *self, const web_site *site)
{
    bool is_bad;
    const hy_bytes bytes = received(self);
    const size_t size = web_request_find_end(bytes.data, self->searched, bytes.size, &is_bad);
    self->searched = bytes.size;
    if (is_bad) {
        return refuse_head(self, 400);
    }
    if (size == 0) {
        return bytes.size < sizeof self->received ? WEB_NOTHING : refuse_head(self, 431);
    }
    web_request request;
    char *const head = (char *)self->received + self->received_at;
    const unsigned refusal = web_request_parse(head, size, &request);
    forget_received(self, size); // the bytes stay where they are
    return refusal != 0                 ? refuse_head(self, refusal)
           : request.upgrade[0] != '\0' ? upgrade(self, site, &request)
                                        : answer_request(self, site, &request);
}

static web_happening take_close(web_connection *self)
{
    const bool has_code = self->frames.code != WEB_CLOSE_NO_CODE;
    add_close(self, self->frames.control, has_code ? 2 : 0); // the client's own code
    return WEB_CLOSED;
}

static web_happening take_error(web_connection *self)
{
    static const struct {
        unsigned code;
        const char *why;
    } reasons[] = { { WEB_CLOSE_PROTOCOL, "this is not a WebSocket frame" },
                    { WEB_CLOSE_NOT_TEXT, "only text is understood here" },
                    { WEB_CLOSE_NOT_UTF8, "this text is not UTF-8" },
                    { WEB_CLOSE_TOO_LONG, "too long a message" } };
    const char *why = "";
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        why = reasons[i].code == self->frames.code ? reasons[i].why : why;
    }
    web_connection_leave(self, self->frames.code, why);
    return self->frames.code == WEB_CLOSE_TOO_LONG ? WEB_TOO_LONG : WEB_CLOSED;
}

static void keep_pong(web_connection *self)
{
    memcpy(self->control, self->frames.control, self->frames.control_size);
    self->control_size = self->frames.control_size;
    self->has_pong = true; // the newest ping's; a flood of them is one answer
    send_waiting(self);
}

static web_happening take_frames(web_connection *self)
{
    const hy_bytes all = received(self);
    hy_bytes left = all;
    web_happening happened = WEB_NOTHING;
    web_frame_event event = WEB_FRAME_PONG;
    while (happened == WEB_NOTHING && event != WEB_FRAME_NONE) {
        event = web_frames_take(&self->frames, &left);
        switch (event) {
        case WEB_FRAME_MESSAGE: happened = WEB_MESSAGE; break;
        case WEB_FRAME_PING: keep_pong(self); break;
        case WEB_FRAME_CLOSE: happened = take_close(self); break;
        case WEB_FRAME_ERROR: happened = take_error(self); break;
        case WEB_FRAME_PONG:
        case WEB_FRAME_NONE: break;
        }
    }
    forget_received(self, all.size - left.size);
    return happened;
}

web_happening web_connection_step(web_connection *self, const web_site *site)
{
    switch (self->stage) {
    case WEB_ASKING: return take_request(self, site);
    case WEB_OPEN: return take_frames(self);
    case WEB_LEAVING: forget_received(self, received(self).size); break;
    case WEB_ANSWERING: break; // the next request waits
    }
    return WEB_NOTHING;
}
