// Files over HTTP, and what else libwebsockets reports to a server as a whole.
#include "listen.h"
#include "server.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define HEADERS_MAX 2048

typedef struct {
    uint8_t bytes[LWS_PRE + HEADERS_MAX];
    uint8_t *at;
} headers;

static void begin(headers *self)
{
    self->at = self->bytes + LWS_PRE;
}

static uint8_t *end_of(headers *self)
{
    return self->bytes + sizeof self->bytes - 1;
}

static bool add(struct lws *wsi, headers *self, enum lws_token_indexes name, const char *value)
{
    return lws_add_http_header_by_token(wsi, name, (const unsigned char *)value, (int)strlen(value),
                                        &self->at, end_of(self)) == 0;
}

static int send_headers(struct lws *wsi, headers *self)
{
    return lws_finalize_write_http_header(wsi, self->bytes + LWS_PRE, &self->at, end_of(self));
}

/// The answer is complete; what the connection's callback returns.
static int complete(struct lws *wsi)
{
    return lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
}

/// A whole answer of one sentence.
static int answer(struct lws *wsi, unsigned code, const char *text)
{
    headers out;
    begin(&out);
    char body[LWS_PRE + 600];
    const int length = snprintf(body + LWS_PRE, sizeof body - LWS_PRE, "%s\n", text);
    const size_t size =
        (size_t)length < sizeof body - LWS_PRE ? (size_t)length : sizeof body - LWS_PRE - 1;
    if (lws_add_http_common_headers(wsi, code, "text/plain; charset=utf-8", size, &out.at,
                                    end_of(&out)) != 0 ||
        !add(wsi, &out, WSI_TOKEN_HTTP_CACHE_CONTROL, "no-store") || send_headers(wsi, &out) != 0 ||
        lws_write(wsi, (unsigned char *)body + LWS_PRE, size, LWS_WRITE_HTTP_FINAL) < 0) {
        return -1;
    }
    return complete(wsi);
}

static bool browser_has_it(struct lws *wsi, const web_file *file)
{
    char tag[64];
    return lws_hdr_copy(wsi, tag, sizeof tag, WSI_TOKEN_HTTP_IF_NONE_MATCH) > 0 &&
           strstr(tag, file->tag) != NULL;
}

/// Starts to send a file; the rest goes out as the connection takes it.
static int serve_file(struct lws *wsi, web_transfer *transfer, const web_file *file, bool has_body)
{
    headers out;
    begin(&out);
    const bool is_known = browser_has_it(wsi, file);
    const char *const cache = file->is_frozen ? "public, max-age=31536000, immutable" : "no-cache";
    const int added =
        is_known ? lws_add_http_header_status(wsi, HTTP_STATUS_NOT_MODIFIED, &out.at, end_of(&out))
                 : lws_add_http_common_headers(wsi, HTTP_STATUS_OK, file->type, file->size, &out.at,
                                               end_of(&out));
    if (added != 0 || !add(wsi, &out, WSI_TOKEN_HTTP_CACHE_CONTROL, cache) ||
        !add(wsi, &out, WSI_TOKEN_HTTP_ETAG, file->tag) || send_headers(wsi, &out) != 0) {
        return -1;
    }
    if (is_known || !has_body || file->size == 0) {
        return complete(wsi);
    }
    *transfer = (web_transfer){ .file = file };
    lws_callback_on_writable(wsi);
    return 0;
}

static int serve(struct lws *wsi, web_transfer *transfer, const char *path)
{
    hy_web *const self = web_of(wsi);
    pthread_mutex_lock(&self->lock);
    self->counters.requests++;
    pthread_mutex_unlock(&self->lock);
    const bool is_get = lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0;
    if (!is_get && lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) == 0) {
        return answer(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, "only GET and HEAD are answered here");
    }
    const web_file *const file = web_files_find(&self->files, path);
    if (file != NULL) {
        return serve_file(wsi, transfer, file, is_get);
    }
    if (strcmp(path, "/") == 0 && self->without_folder[0] != '\0') {
        return answer(wsi, HTTP_STATUS_SERVICE_UNAVAILABLE, self->without_folder);
    }
    return answer(wsi, HTTP_STATUS_NOT_FOUND, "there is no such file here");
}

static int send_more(struct lws *wsi, web_transfer *transfer)
{
    hy_web *const self = web_of(wsi);
    if (transfer->file == NULL) {
        return 0;
    }
    const size_t left = transfer->file->size - transfer->sent;
    const size_t size = left < WEB_CHUNK ? left : WEB_CHUNK;
    memcpy(self->writing + LWS_PRE, transfer->file->bytes + transfer->sent, size);
    if (lws_write(wsi, self->writing + LWS_PRE, size,
                  size == left ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0) {
        return -1;
    }
    transfer->sent += size;
    if (size == left) {
        transfer->file = NULL;
        return complete(wsi);
    }
    lws_callback_on_writable(wsi);
    return 0;
}

/// Only to a WebSocket. libwebsockets would also grant "h2c", and an assert of its HTTP/2 ends the process on a DATA frame of stream 1.
/// After an upgrade that it does not know it has freed the header, so the callback's own argument is not looked at.
static int confirm_upgrade(struct lws *wsi)
{
    char wanted[16];
    const int length = lws_hdr_copy(wsi, wanted, sizeof wanted, WSI_TOKEN_UPGRADE);
    return length > 0 && strcasecmp(wanted, "websocket") == 0 ? 0 : -1;
}

int web_on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                size_t length)
{
    switch (reason) {
    case LWS_CALLBACK_HTTP: return serve(wsi, user, in);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirm_upgrade(wsi);
    case LWS_CALLBACK_HTTP_WRITEABLE: return send_more(wsi, user);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return -1; // a WebSocket without a sub-protocol
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: web_ask_to_write(web_of(wsi)); return 0;
    default: return lws_callback_http_dummy(wsi, reason, user, in, length);
    }
}

int web_on_listener(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t length)
{
    (void)user;
    (void)in;
    (void)length;
    if (reason == LWS_CALLBACK_RAW_RX_FILE) {
        hy_web *const self = web_of(wsi);
        for (int connection; (connection = web_accept(self->listener)) >= 0;) {
            (void)lws_adopt_socket_vhost(self->vhost, connection); // closes it if there is no room
        }
    }
    return reason == LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION
               ? -1
               : 0; // somebody asked for it as a sub-protocol
}
