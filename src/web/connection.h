/// @file connection.h
/// One connection to the web server, from the first request to the last frame, without its socket: received bytes go in, bytes to send
/// come out. Knows no thread, no socket and no clock.
#ifndef HY_WEB_CONNECTION_H
#define HY_WEB_CONNECTION_H

#include "files.h"
#include "frames.h"
#include "request.h"

#define WEB_PATH_MAX   256
#define WEB_ANSWER_MAX 1280 ///< Bytes of an answer's head and a sentence.

/// What is served; constant while the server runs.
typedef struct {
    web_files files;
    char without_folder[512];
    struct {
        char path[64], protocol[64];
        bool accepts_binary, allows_programs;
    } endpoints[HY_WEB_ENDPOINTS];
    size_t endpoint_count;
    bool is_open;              ///< Nobody needs a token.
    bool any_page_reads_files; ///< Also one of another server.
    hy_web_names names;
    char token_protocol[80]; ///< Asked for beside an endpoint's protocol by who has the token; "": there is no token.
} web_site;

typedef enum {
    WEB_ASKING,    ///< Waits for a request's head.
    WEB_ANSWERING, ///< Sends the answer to one.
    WEB_OPEN,      ///< Is a WebSocket.
    WEB_LEAVING, ///< What is left to send goes out; what is received is ignored. Then it is closed.
} web_stage;

/// Start it with web_connection_start().
typedef struct {
    // Read-only.
    web_stage stage;
    unsigned endpoint;       ///< Of a WebSocket.
    bool has_token;          ///< The WebSocket's request showed it.
    char path[WEB_PATH_MAX]; ///< That the WebSocket asked for; cut.
    const char *origin;      ///< The one of the site's names that let it in; NULL: it needed none.
    const char *refused;     ///< The origin for which it was refused, until bytes are received.
    web_frames frames;       ///< The same: the last message.
    // Private.
    hy_room message; // for `frames`
    bool closes;     // after this answer
    uint8_t received[WEB_REQUEST_MAX];
    size_t received_at, received_size; // bytes from..to that are not dealt with
    size_t searched;                   // of them, for the end of a head
    uint8_t answer[WEB_ANSWER_MAX];    // and heads of frames, and control frames
    size_t answer_size;
    hy_bytes body;                    // not copied
    size_t sent;                      // of the answer, then of the body
    uint8_t control[WEB_CONTROL_MAX]; // the payload of a pong or close that waits until it can be sent
    size_t control_size;
    bool has_pong, has_close;
} web_connection;

typedef enum {
    WEB_NOTHING,
    WEB_REQUESTED, ///< A file was asked for, and is being sent.
    WEB_REFUSED,   ///< A request was; its answer is being sent.
    WEB_OPENED,    ///< A WebSocket, at `endpoint`.
    WEB_MESSAGE,   ///< In `frames`, until the next step.
    WEB_TOO_LONG,  ///< A message was: the connection is leaving.
    WEB_CLOSED,    ///< A WebSocket is leaving.
} web_happening;

/// `message` is room for the longest message that is accepted, as long as the connection lasts.
void web_connection_start(web_connection *self, hy_room message);

/// Where received bytes go. No room: step first, or the connection is at its limit and leaves at the next step.
hy_room web_connection_room(web_connection *self);
void web_connection_received(web_connection *self, size_t size);

/// Deals with what was received until something happens. Call it until WEB_NOTHING, after bytes were received or sent.
web_happening web_connection_step(web_connection *self, const web_site *site);

/// The bytes to send next; size 0: none. With those that follow them at once, such as a message behind its frame's head.
hy_bytes web_connection_output(const web_connection *self);
hy_bytes web_connection_output_after(const web_connection *self);
void web_connection_sent(web_connection *self, size_t size);

/// Whether a text can be sent now: it is a WebSocket, and nothing else is under way.
bool web_connection_takes_text(const web_connection *self);

/// Sends a message, which stays where it is until web_connection_takes_text() again. A ping asks the client for a sign of life.
void web_connection_say(web_connection *self, hy_bytes message, bool is_binary);
void web_connection_ping(web_connection *self);

/// Ends a WebSocket with a code and a sentence of up to 120 bytes, once what is under way is sent; ends another connection at once.
void web_connection_leave(web_connection *self, unsigned code, const char *why);

#endif
