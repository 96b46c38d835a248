// The parts of the web server that know no socket: heads of requests, frames, keys, origins, places.
#include "cmocka_all.h"

#include "../../src/web/accept_key.h"
#include "../../src/web/client.h"
#include "../../src/web/connection.h"
#include "../../src/web/crowd.h"
#include "../../src/web/origin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t message[HY_WEB_MESSAGE_MAX]; // of a connection

// --------------------------------------------------------------------------- requests

static unsigned parse(const char *text, web_request *out, char head[WEB_REQUEST_MAX])
{
    bool is_bad = false;
    const size_t size = strlen(text);
    memcpy(head, text, size + 1);
    if (web_request_find_end((uint8_t *)head, 0, size, &is_bad) != size) {
        return is_bad ? 1 : 2;
    }
    return web_request_parse(head, size, out);
}

static void a_request_is_split(void **state)
{
    (void)state;
    static char head[WEB_REQUEST_MAX];
    web_request request;
    assert_int_equal(parse("GET /a/b?c#d HTTP/1.1\r\nHOST:  x:1 \t\r\nOrigin:\thttp://x:1\r\n"
                           "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nX: y\r\n"
                           "Sec-WebSocket-Key: k\r\nsec-websocket-version: 13\r\n"
                           "Sec-WebSocket-Protocol: a,  b\r\nIf-None-Match: \"t\"\r\n\r\n",
                           &request, head),
                     0);
    assert_true(request.is_get && !request.is_head && request.keeps_alive && !request.has_body);
    assert_string_equal(request.path, "/a/b");
    assert_string_equal(request.query, "c#d");
    assert_string_equal(request.host, "x:1");
    assert_string_equal(request.origin, "http://x:1");
    assert_string_equal(request.upgrade, "websocket");
    assert_string_equal(request.key, "k");
    assert_string_equal(request.version, "13");
    assert_string_equal(request.known_tag, "\"t\"");
    assert_true(web_request_lists(request.connection, "upgrade", true));
    assert_false(web_request_lists(request.connection, "upgrade", false));
    assert_true(web_request_lists(request.protocols, "b", false));
    assert_false(web_request_lists(request.protocols, "", false));
    assert_false(web_request_lists(request.protocols, "a,", false));
    assert_int_equal(parse("HEAD / HTTP/1.0\r\n\r\n", &request, head), 0);
    assert_true(request.is_head && !request.is_get && !request.keeps_alive);
    assert_string_equal(request.query, "");
    assert_string_equal(request.origin, "");
    assert_int_equal(parse("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nConnection: "
                           "CLOSE\r\n\r\n",
                           &request, head),
                     0);
    assert_true(request.has_body && !request.keeps_alive && !request.is_get && !request.is_head);
    assert_int_equal(parse("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", &request, head),
                     0);
    assert_false(request.has_body);
    assert_int_equal(
        parse(
            "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n",
            &request, head),
        0);
    assert_true(request.has_body); // what comes behind it is no request
}

static void a_secret_is_shown_by_an_element_of_a_list(void **state)
{
    (void)state;
    assert_true(web_request_shows("token.abc", "token.abc"));
    assert_true(web_request_shows("halyard-page, token.abc", "token.abc"));
    assert_true(web_request_shows("token.abd,token.abc \t, token.ab", "token.abc"));
    assert_false(web_request_shows("halyard-page, token.abd", "token.abc"));
    assert_false(web_request_shows("token.ab, token.abcd, Token.abc", "token.abc"));
    assert_false(web_request_shows("token.abc.token", "token.abc"));
    assert_false(web_request_shows("", "token.abc"));
    assert_false(web_request_shows("halyard-page, ,", "")); // there is no token
}

static void what_is_no_request_is_refused(void **state)
{
    (void)state;
    static char head[WEB_REQUEST_MAX];
    static const struct {
        const char *text;
        unsigned status; // 1: a byte that cannot be; 2: no end
    } wrong[] = {
        { "\r\n\r\n", 400 },
        { "GET\r\n\r\n", 400 },
        { "GET /\r\n\r\n", 400 },
        { "GET x HTTP/1.1\r\nHost: x\r\n\r\n", 400 },
        { "PRI * HTTP/2.0\r\n\r\n", 400 },
        { "G ET / HTTP/1.1\r\nHost: x\r\n\r\n", 400 },
        { "GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505 },
        { "GET / HTTP/1.1x\r\nHost: x\r\n\r\n", 505 },
        { "GET / SPDY/1.1\r\nHost: x\r\n\r\n", 400 },
        { "GET / HTTP/1.1\r\n\r\n", 400 },        // no host
        { "GET / HTTP/1.1\r\nHost:\r\n\r\n", 0 }, // an empty one is one
        { "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400 },
        { "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nupgrade: websocket\r\n\r\n", 400 },
        { "GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400 },      // a blank before the colon
        { "GET / HTTP/1.1\r\nHost: x\r\n y\r\n\r\n", 400 }, // a folded line
        { "GET / HTTP/1.1\r\nHost: x\r\nnothing\r\n\r\n", 400 },
        { "GET / HTTP/1.1\r\nHost: x\r\na b: c\r\n\r\n", 400 }, // names that are none
        { "GET / HTTP/1.1\r\nHost: x\r\n: c\r\n\r\n", 400 },
        { "G(T / HTTP/1.1\r\nHost: x\r\n\r\n", 400 },
        { "GET / HTTP/1.1\nHost: x\r\n\r\n", 400 }, // line ends that are none
        { "GET / HTTP/1.1\r\nHost: x\ry: z\r\n\r\n", 400 },
        { "GET / HTTP/1.1\r\nHost: x\x01\r\n\r\n", 1 },
        { "GET / HTTP/1.1\r\nHost: x\x7f\r\n\r\n", 1 },
        { "GET / HTTP/1.1\r\nHost: x\r\n", 2 },
        { "GET / HTTP/1.1\n\nHost: x", 2 },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        web_request request;
        const unsigned status = parse(wrong[i].text, &request, head);
        if (status != wrong[i].status) {
            fail_msg("%s: %u", wrong[i].text, status);
        }
    }
}

static void own_origins_are_known(void **state)
{
    (void)state;
    static const char *const own[] = { "127.0.0.1:5800", "localhost:1",   "LOCALHOST",
                                       "[::1]:5800",     "[fe80::1]",     "10.0.0.5",
                                       "my-pc",          "Robot.local:80" };
    const hy_web_names names = { { "my-pc", "http://y", "robot.local" }, 3 };
    const hy_web_names none = { .count = 0 };
    static const char *const strange[] = { "",
                                           "evil.example:80",
                                           "[evil.example]:80",
                                           "[::1",
                                           "[::1]x",
                                           "[]",
                                           "[127.0.0.1]",

                                           "a.b",
                                           "x:80", // whoever runs the network's name service chooses these
                                           "evil.local",
                                           "a.localhost",
                                           "localhost.",
                                           "y",
                                           "http://y",
                                           "my-pc.evil.example",
                                           "1.2.3",
                                           "1.2.3.4.5",
                                           "256.0.0.1",
                                           "127.0.0.1.",
                                           "2130706433",
                                           "[0000:0000:0000:0000:0000:0000:0000:0000:0000:1]",
                                           "[0000:0000:0000:0000:0000:0000:0000:0000:000000]",
                                           "xlocalhost.x",
                                           ".local.",
                                           "1.2.3.x" };
    char origin[64];
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        snprintf(origin, sizeof origin, "http://%s", own[i]);
        assert_true(web_origin_is_own(&names, origin, own[i]));
        assert_int_equal(web_origin_is_own(&none, origin, own[i]), i < 6);
        assert_false(web_origin_is_own(&names, origin, "127.0.0.1:99"));
    }
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        snprintf(origin, sizeof origin, "http://%s", strange[i]);
        assert_false(web_origin_is_own(&names, origin, strange[i]));
    }
    assert_false(web_origin_is_own(&names, "file://my-pc", "my-pc"));
    assert_false(web_origin_is_own(&names, "null", "null"));
}

static void names_and_origins_have_a_form(void **state)
{
    (void)state;
    static const char *const hosts[] = { "robot.local", "my-pc", "a_b.C9" };
    static const char *const no_hosts[] = { "",      "a b", "robot:80", "http://x",
                                            "[::1]", "a/b", "\x9b" };
    static const char *const origins[] = { "http://localhost:5173", "app://.", "https://[::1]:8080",
                                           "vscode-webview://0a-1b" };
    static const char *const no_origins[] = {
        "",          "null",       "*",       "http:",       "://x",         "http://",
        "http://x/", "http://x y", "file://", "http://x;ls", "http://$(ls)", "http://\x9b"
    };
    char long_name[HY_WEB_NAME_SIZE + 1] = "";
    memset(long_name, 'a', HY_WEB_NAME_SIZE);
    hy_web_names names = { .count = 0 };
    for (size_t i = 0; i < sizeof no_origins / sizeof no_origins[0]; i++) {
        assert_false(hy_web_allow_origin(&names, no_origins[i]));
    }
    for (size_t i = 0; i < sizeof no_hosts / sizeof no_hosts[0]; i++) {
        assert_false(hy_web_allow_host(&names, no_hosts[i]));
    }
    assert_false(hy_web_allow_host(&names, long_name));
    assert_int_equal(names.count, 0);
    assert_true(hy_web_allow_host(&names, long_name + 1));
    for (size_t i = 0; i < sizeof origins / sizeof origins[0]; i++) {
        assert_true(hy_web_allow_origin(&names, origins[i]));
        assert_ptr_equal(web_origin_find(&names, origins[i]), names.at[names.count - 1]);
    }
    while (names.count < HY_WEB_NAMES_MAX) {
        assert_true(hy_web_allow_host(&names, hosts[names.count % 3]));
    }
    assert_false(hy_web_allow_host(&names, hosts[0]));
    assert_null(web_origin_find(&names, "robot.local"));
}

static void keys_are_answered(void **state)
{
    (void)state;
    char answer[WEB_ACCEPT_SIZE];
    assert_true(web_key_is_valid("dGhlIHNhbXBsZSBub25jZQ=="));
    web_accept_key("dGhlIHNhbXBsZSBub25jZQ==", answer); // RFC 6455, 1.3
    assert_string_equal(answer, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    assert_false(web_key_is_valid(""));
    assert_false(web_key_is_valid("dGhlIHNhbXBsZSBub25jZQ="));
    assert_false(web_key_is_valid("dGhlIHNhbXBsZSBub25jZQ===="));
    assert_false(web_key_is_valid("dGhlIHNhbXBsZSBub25j!Q=="));
    assert_false(web_key_is_valid("dGhlIHNhbXBsZSBub25jZQ=A"));
}

// --------------------------------------------------------------------------- files

static void a_file_may_be_that_of_a_path_with_its_query(void **state)
{
    (void)state;
    web_files files = { 0 };
    const hy_bytes bytes = { (const uint8_t *)"{}", 2 };
    const hy_web_file all[] = { { "/index.html", "text/html", bytes },
                                { "/?format=json", "application/json", bytes },
                                { "/a?b", "text/plain", bytes } };
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(web_files_add(&files, &all[i]), HY_OK);
    }
    const struct {
        const char *path, *query, *found;
    } cases[] = {
        { "/", "", "/index.html" },
        { "/", "format=json", "/?format=json" },
        { "/", "format=jso", "/index.html" }, // one that nobody knows means nothing, as ever
        { "/a", "b", "/a?b" },
        { "/a", "", NULL },
        { "", "", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const web_file *const file = web_files_find(&files, cases[i].path, cases[i].query);
        assert_int_equal(file != NULL, cases[i].found != NULL);
        if (file != NULL) {
            assert_string_equal(file->path, cases[i].found);
        }
    }
    web_files_free(&files);
}

static void folders_are_read_eight_deep(void **state)
{
    (void)state;
    char top[] = "/tmp/halyard-files-XXXXXX", command[192];
    web_files files = { 0 };
    assert_non_null(mkdtemp(top));
    snprintf(command, sizeof command,
             "cd %s && mkdir -p a/a/a/a/a/a/a/a && echo deep > a/a/a/a/a/a/a/a/x.html", top);
    assert_int_equal(system(command), 0);
    assert_int_equal(web_files_read(&files, top), HY_OK);
    assert_non_null(web_files_find(&files, "/a/a/a/a/a/a/a/a/x.html", ""));
    web_files_free(&files);
    snprintf(command, sizeof command, "mkdir %s/a/a/a/a/a/a/a/a/a", top);
    assert_int_equal(system(command), 0);
    assert_int_equal(web_files_read(&files, top), HY_EFULL);
    web_files_free(&files);
    // A path that has no room is not read as another one.
    snprintf(
        command,
        sizeof command, "cd %s && rm -r a && d=$(printf '%%0250d' 0) && mkdir -p $d/$d/$d/$d && echo > $d/$d/$d/$d/x",
        top);
    assert_int_equal(system(command), 0);
    web_files_free(&files);
    assert_int_equal(web_files_read(&files, top), HY_EFULL);
    web_files_free(&files);
    // A file that is shorter than it was: this one says that it has 4096 bytes.
    snprintf(command, sizeof command, "rm -r %s/* && ln -s /sys/class/net/lo/mtu %s/x", top, top);
    assert_int_equal(system(command), 0);
    assert_int_equal(web_files_read(&files, top), HY_EFILE);
    web_files_free(&files);
    snprintf(command, sizeof command, "rm -r %s", top);
    assert_int_equal(system(command), 0);
}

// --------------------------------------------------------------------------- connections

static web_site site_with_a_file(void)
{
    static const uint8_t text[] = "0123456789";
    web_site site = { .endpoint_count = 1, .names = { { "x", "http://y" }, 2 } };
    const hy_web_file file = { "/file", "text/plain", { text, 10 } };
    assert_int_equal(web_files_add(&site.files, &file), HY_OK);
    snprintf(site.endpoints[0].path, sizeof site.endpoints[0].path, "/live");
    snprintf(site.endpoints[0].protocol, sizeof site.endpoints[0].protocol, "p");
    return site;
}

typedef struct {
    web_connection *talk;
    char sent[8192], said[8192]; // by the server; messages that it took, each in brackets
    size_t sent_size;
} talker;

/// Moves all that is to be sent, a few bytes at a time.
static void collect(talker *self)
{
    for (hy_bytes out; (out = web_connection_output(self->talk)).size > 0;) {
        const size_t size = out.size < 7 ? out.size : 7;
        assert_true(self->sent_size + size < sizeof self->sent);
        memcpy(self->sent + self->sent_size, out.data, size);
        self->sent_size += size;
        web_connection_sent(self->talk, size);
    }
}

static void step_all(talker *self, const web_site *site)
{
    for (int i = 0; i < 1000; i++) {
        const web_happening happened = web_connection_step(self->talk, site);
        if (happened == WEB_MESSAGE) {
            const web_frames *const frames = &self->talk->frames;
            snprintf(self->said + strlen(self->said), sizeof self->said - strlen(self->said),
                     "[%.*s]", (int)frames->message_size, (const char *)frames->message);
        }
        collect(self);
        if (happened == WEB_NOTHING && web_connection_step(self->talk, site) == WEB_NOTHING) {
            return;
        }
    }
    fail_msg("it never ends");
}

static void feed(talker *self, const web_site *site, const char *bytes, size_t size, size_t piece)
{
    for (size_t at = 0; at < size; at += piece) {
        const size_t some = size - at < piece ? size - at : piece;
        const hy_room room = web_connection_room(self->talk);
        assert_true(room.size >= some);
        memcpy(room.data, bytes + at, some);
        web_connection_received(self->talk, some);
        step_all(self, site);
    }
}

#define UPGRADE                                                                             \
    "GET /live HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nConnection: Upgrade\r\nUpgrade: " \
    "websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==" \
    "\r\nSec-WebSocket-Protocol: p\r\n\r\n"

// Requests, the upgrade, messages in pieces, a ping and a close, all at once or byte by byte: it makes no difference.
static void pieces_make_no_difference(void **state)
{
    (void)state;
    static const char bytes[] =
        "GET /file HTTP/1.1\r\nHost: x\r\n\r\n"
        "HEAD /file HTTP/1.1\r\nHost: x\r\n\r\n" UPGRADE "\x81\x82\x01\x02\x03\x04ik"
        "\x01\x81\0\0\0\0a\x89\x81\0\0\0\0!\x80\x81\0\0\0\0b"
        "\x81\x80\0\0\0\0\x88\x82\0\0\0\0\x03\xe8";
    web_site site = site_with_a_file();
    web_connection *const talk = malloc(sizeof *talk);
    static talker first, other;
    for (size_t piece = sizeof bytes - 1; piece > 0; piece = piece > 40 ? 40 : piece - 1) {
        talker *const self = piece == sizeof bytes - 1 ? &first : &other;
        memset(self, 0, sizeof *self);
        self->talk = talk;
        web_connection_start(talk, (hy_room){ message, sizeof message });
        feed(self, &site, bytes, sizeof bytes - 1, piece);
        assert_int_equal(talk->stage, WEB_LEAVING);
        assert_string_equal(self->said, "[hi][ab][]");
        assert_int_equal(self->sent_size, first.sent_size);
        assert_memory_equal(self->sent, first.sent, first.sent_size);
    }
    assert_memory_equal(first.sent + first.sent_size - 7, "\x8a\x01!\x88\x02\x03\xe8", 7);
    assert_non_null(strstr(first.sent, "\r\n\r\n0123456789HTTP/1.1 200 OK\r\n"));
    free(talk);
    web_files_free(&site.files);
}

// A file with a gzip form is sent in it to who decodes it, plain to all others, and caches learn that there are two.
static void gzip_is_sent_to_clients_that_accept_it(void **state)
{
    (void)state;
    static const struct {
        const char *fields;
        bool is_gzip, knows_gzip;
    } cases[] = {
        { "", false, false },
        { "Accept-Encoding: gzip, deflate, br\r\n", true, false },
        { "Accept-Encoding: br;q=0.5,\tGZIP ; q=0.010\r\n", true, false },
        { "Accept-Encoding: gzip;q=0, br;q=1\r\n", false, false },
        { "Accept-Encoding: gzip;q=0.000\r\n", false, false },
        { "Accept-Encoding: gzipped, x-gzip, identity\r\n", false, false },
        { "Accept-Encoding: gzip\r\n", true, true },
        { "Accept-Encoding: br\r\n", false, false },
        { "Accept-Encoding: zstd\r\n", false, false }, // as long as "gzip"
    };
    web_site site = site_with_a_file();
    const hy_web_file gzip = { "/file.gz", "application/gzip", { (const uint8_t *)"gzip", 4 } };
    assert_int_equal(web_files_add(&site.files, &gzip), HY_OK);
    web_connection *const talk = malloc(sizeof *talk);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char request[256];
        const char *const tag = cases[i].knows_gzip ? site.files.files[1].tag : "\"unknown\"";
        snprintf(request, sizeof request,
                 "GET /file HTTP/1.1\r\nHost: x\r\nIf-None-Match: %s\r\n%s\r\n", tag,
                 cases[i].fields);
        talker self = { .talk = talk };
        web_connection_start(talk, (hy_room){ message, sizeof message });
        feed(&self, &site, request, strlen(request), 1000);
        assert_non_null(strstr(self.sent, "\r\nvary: accept-encoding\r\n"));
        assert_non_null(strstr(self.sent, "\r\ncontent-type: text/plain\r\n"));
        assert_non_null(strstr(self.sent, site.files.files[cases[i].is_gzip ? 1 : 0].tag));
        const bool is_known = cases[i].is_gzip && cases[i].knows_gzip;
        const char *const body = strstr(self.sent, "\r\n\r\n") + 4;
        assert_string_equal(body, is_known ? "" : cases[i].is_gzip ? "gzip" : "0123456789");
        assert_int_equal(strstr(self.sent, "content-encoding: gzip\r\n") != NULL,
                         cases[i].is_gzip && !is_known);
    }
    free(talk);
    web_files_free(&site.files);
}

static void a_text_is_finished_before_a_close(void **state)
{
    (void)state;
    web_site site = site_with_a_file();
    web_connection *const talk = malloc(sizeof *talk);
    talker self = { .talk = talk };
    web_connection_start(talk, (hy_room){ message, sizeof message });
    feed(&self, &site, UPGRADE, sizeof UPGRADE - 1, 1000);
    assert_true(web_connection_takes_text(talk));
    web_connection_say(talk, (hy_bytes){ (const uint8_t *)"text", 4 }, false);
    assert_false(web_connection_takes_text(talk));
    assert_int_equal(web_connection_output(talk).size, 2); // the frame's head, and behind it the text
    assert_int_equal(web_connection_output_after(talk).size, 4);
    web_connection_sent(talk, 3);
    assert_int_equal(web_connection_output(talk).size, 3);
    assert_int_equal(web_connection_output_after(talk).size, 0);
    web_connection_leave(talk, WEB_CLOSE_POLICY, "why");
    self.sent_size = 0;
    collect(&self);
    assert_int_equal(self.sent_size, 3 + 2 + 5);
    assert_memory_equal(self.sent, "ext\x88\x05\x03\xf0why", 10);
    free(talk);
    web_files_free(&site.files);
}

static void who_has_to_leave_is_sent_nothing_more(void **state)
{
    (void)state;
    static const char request[] = "GET /file HTTP/1.1\r\nHost: x\r\n\r\n";
    web_site site = site_with_a_file();
    web_connection *const talk = malloc(sizeof *talk);
    web_connection_start(talk, (hy_room){ message, sizeof message });
    memcpy(web_connection_room(talk).data, request, sizeof request - 1);
    web_connection_received(talk, sizeof request - 1);
    assert_int_equal(web_connection_step(talk, &site), WEB_REQUESTED);
    web_connection_sent(talk, 5);
    assert_true(web_connection_output(talk).size > 0);
    web_connection_leave(talk, WEB_CLOSE_POLICY, "why");
    assert_int_equal(talk->stage, WEB_LEAVING);
    assert_int_equal(web_connection_output(talk).size, 0);
    free(talk);
    web_files_free(&site.files);
}

static void what_cannot_be_upgraded_is_answered_with_why(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *status, *body;
    } rows[] = {
        { "Version: 13", "Version: 12", "426 ", "" },
        { "Version: 13", "Version:", "426 ", "" },
        { "GET", "HEAD", "403 ", "" },
        { "GET", "POST", "403 ", "connections are upgraded to WebSockets only\n" },
        { "Upgrade: websocket", "Upgrade: h2c", "403 ",
          "connections are upgraded to WebSockets only\n" },
        { "Connection: Upgrade", "Connection: close", "403 ",
          "connections are upgraded to WebSockets only\n" },
        { "Origin: http://x", "Origin: http://y", "403 ",
          "only pages of this server may connect here\n" },
        { "/live", "/livf", "403 ", "only pages of this server may connect here\n" },
        { "/live", "/live/", "403 ", "only pages of this server may connect here\n" },
        { "/live", "/file", "403 ", "only pages of this server may connect here\n" },
        { "Protocol: p", "Protocol: q", "403 ", "only pages of this server may connect here\n" },
        { "ZQ==", "ZQ=", "400 ", "this is not a WebSocket's key\n" },
    };
    web_site site = site_with_a_file();
    web_connection *const talk = malloc(sizeof *talk);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char request[sizeof UPGRADE + 64];
        const char *const at = strstr(UPGRADE, rows[i].from);
        assert_non_null(at);
        snprintf(request, sizeof request, "%.*s%s%s", (int)(at - UPGRADE), UPGRADE, rows[i].to,
                 at + strlen(rows[i].from));
        talker self = { .talk = talk };
        web_connection_start(talk, (hy_room){ message, sizeof message });
        feed(&self, &site, request, strlen(request), 1000);
        print_message("%s -> %s\n", rows[i].from, rows[i].to);
        const char *const body = strstr(self.sent, "\r\n\r\n");
        assert_non_null(body);
        assert_int_equal(strncmp(self.sent, "HTTP/1.1 ", 9), 0);
        assert_int_equal(strncmp(self.sent + 9, rows[i].status, strlen(rows[i].status)), 0);
        assert_string_equal(body + 4, rows[i].body);
    }
    free(talk);
    web_files_free(&site.files);
}

// Programs name no origin, or "file://"; pages name theirs.
static void programs_are_let_in_where_they_are_allowed(void **state)
{
    (void)state;
    static const struct {
        const char *origin;
        bool ok;
    } rows[] = { { "", true },
                 { "Origin: file://\r\n", true },
                 { "Origin: FILE://\r\n", true },
                 { "Origin: http://x\r\n", true },
                 { "Origin: http://y\r\n", true },
                 { "Origin: HTTP://Y\r\n", true },
                 { "Origin: http://y:80\r\n", false },
                 { "Origin: x\r\n", false }, // a name for this host is no origin
                 { "Origin: null\r\n", false } };
    web_site site = site_with_a_file();
    web_connection *const talk = malloc(sizeof *talk);
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        const size_t row = i / 2;
        char request[sizeof UPGRADE + 64];
        const char *const at = strstr(UPGRADE, "Origin: http://x\r\n");
        snprintf(request, sizeof request, "%.*s%s%s", (int)(at - UPGRADE), UPGRADE,
                 rows[row].origin, at + strlen("Origin: http://x\r\n"));
        site.endpoints[0].allows_programs = i % 2 == 0;
        talker self = { .talk = talk };
        web_connection_start(talk, (hy_room){ message, sizeof message });
        feed(&self, &site, request, strlen(request), 1000);
        const bool is_page = strstr(rows[row].origin, "http://x") != NULL;
        const bool is_other = row == 4 || row == 5;
        assert_int_equal(talk->stage == WEB_OPEN, i % 2 == 0 ? rows[row].ok : is_page);
        assert_ptr_equal(talk->origin, i % 2 == 0 && is_other ? site.names.at[1] : NULL);
    }
    static const char *const paths[] = { "*", "/*", "/li*", "/live*",
                                         "/live" }; // of which "/live" is one
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        snprintf(site.endpoints[0].path, sizeof site.endpoints[0].path, "%s", paths[i]);
        talker self = { .talk = talk };
        web_connection_start(talk, (hy_room){ message, sizeof message });
        feed(&self, &site, UPGRADE, sizeof UPGRADE - 1, 1000);
        assert_int_equal(talk->stage, WEB_OPEN);
    }
    free(talk);
    web_files_free(&site.files);
}

static void what_is_no_request_is_answered_with_why(void **state)
{
    (void)state;
    static const struct {
        const char *request, *status, *body;
    } rows[] = {
        { "nonsense\r\n\r\n", "400 ", "this is not an HTTP request\n" },
        { "GET / HTTP/2.0\r\nHost: x\r\n\r\n", "505 ", "only HTTP/1.1 is spoken here\n" },
        { "GET / HTTP/1.1\r\nHost: \x01", "400 ", "this is not an HTTP request\n" },
        { "POST / HTTP/1.1\r\nHost: x\r\n\r\n", "405 ", "only GET and HEAD are answered here\n" },
        { "GET /file HTTP/1.1\r\nHost: evil.local\r\n\r\n", "403 ",
          "this is served by its IP address; under another name only if the program was started "
          "with --allow-host NAME\n" },
        { "GET /file HTTP/1.1\r\nHost: y\r\n\r\n", "403 ",
          "this is served by its IP address; under another name only if the program was started "
          "with --allow-host NAME\n" },
        { "GET /no HTTP/1.1\r\nHost:\r\n\r\n", "404 ", "there is no such file here\n" },
        { "GET /no HTTP/1.1\r\nHost: x\r\n\r\n", "404 ", "there is no such file here\n" },
        { "HEAD /no HTTP/1.1\r\nHost: x\r\n\r\n", "404 ", "" },
    };
    web_site site = site_with_a_file();
    web_connection *const talk = malloc(sizeof *talk);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        talker self = { .talk = talk };
        web_connection_start(talk, (hy_room){ message, sizeof message });
        feed(&self, &site, rows[i].request, strlen(rows[i].request), 1000);
        assert_int_equal(strncmp(self.sent + strlen("HTTP/1.1 "), rows[i].status, 4), 0);
        assert_string_equal(strstr(self.sent, "\r\n\r\n") + 4, rows[i].body);
        assert_int_equal(talk->stage, i < 6 ? WEB_LEAVING : WEB_ASKING);
        assert_int_equal(strstr(self.sent, "\r\nconnection: close\r\n") != NULL, i < 6);
    }
    free(talk);
    web_files_free(&site.files);
}

static void a_broken_frame_is_answered_with_why(void **state)
{
    (void)state;
    static const struct {
        const char *frame, *answer;
        size_t frame_size;
    } rows[] = {
        { "\x83\x80\0\0\0\0", "\x88\x1f\x03\xeathis is not a WebSocket frame", 6 },
        { "\x82\x80\0\0\0\0", "\x88\x1e\x03\xebonly text is understood here", 6 },
        { "\x81\x81\0\0\0\0\xff", "\x88\x18\x03\xefthis text is not UTF-8", 7 },
        { "\x81\xfe\x7f\xff\0\0\0\0", "\x88\x14\x03\xf1too long a message", 8 },
    };
    web_site site = site_with_a_file();
    web_connection *const talk = malloc(sizeof *talk);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        talker self = { .talk = talk };
        web_connection_start(talk, (hy_room){ message, sizeof message });
        feed(&self, &site, UPGRADE, sizeof UPGRADE - 1, 1000);
        self.sent_size = 0;
        feed(&self, &site, rows[i].frame, rows[i].frame_size, 1000);
        assert_int_equal(self.sent_size, strlen(rows[i].answer));
        assert_memory_equal(self.sent, rows[i].answer, self.sent_size);
    }
    free(talk);
    web_files_free(&site.files);
}

static void a_tag_changes_with_the_content(void **state)
{
    (void)state;
    static const char *const contents[] = { "", "aaaaaaaabbbb", "aaaaaaaabbbc", "aaaaaaacbbbb",
                                            "caaaaaaabbbb" };
    web_files files = { 0 };
    for (size_t i = 0; i < 5; i++) {
        const hy_web_file file = { "/x",
                                   "text/plain",
                                   { (const uint8_t *)contents[i], strlen(contents[i]) } };
        assert_int_equal(web_files_add(&files, &file), HY_OK);
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(files.files[k].tag, files.files[i].tag);
        }
    }
    web_files_free(&files);
}

static void files_have_64_mib_at_most(void **state)
{
    (void)state;
    static const uint8_t byte[1] = { 7 };
    web_site site = site_with_a_file(); // of ten bytes
    const hy_web_file large = { "/large", "text/plain", { byte, WEB_BYTES_MAX - 9 } };
    assert_int_equal(web_files_add(&site.files, &large), HY_EFULL);
    assert_int_equal(site.files.count, 1);
    web_files_free(&site.files);
}

// --------------------------------------------------------------------------- messages that wait

// Long and short ones in a buffer of 100 bytes, in all the places that they can have there.
static void messages_wait_in_their_order(void **state)
{
    (void)state;
    web_fifo fifo = { .bytes = NULL };
    assert_true(web_fifo_make(&fifo, 100));
    unsigned put = 0, taken = 0, refused = 0;
    for (int turn = 0; turn < 300; turn++) {
        uint8_t bytes[64], out[64];
        memset(bytes, (int)(put & 0xff), sizeof bytes);
        while (web_fifo_put(&fifo, (hy_bytes){ bytes, put * 7 % 41 },
                            (web_kind){ .is_binary = put % 2 == 0, .is_old = put % 3 == 0 })) {
            put++;
            memset(bytes, (int)(put & 0xff), sizeof bytes);
        }
        refused++;
        for (int i = 0; i <= turn % 3 && taken < put; i++) {
            size_t size = 99;
            web_kind kind;
            assert_true(web_fifo_take(&fifo, out, &size, &kind));
            assert_int_equal(size, taken * 7 % 41);
            assert_true(size == 0 || (out[0] == (taken & 0xff) && out[size - 1] == (taken & 0xff)));
            assert_int_equal(kind.is_binary, taken % 2 == 0);
            assert_int_equal(kind.is_old, taken % 3 == 0);
            taken++;
        }
    }
    assert_true(refused == 300 && taken > 300);
    free(fifo.bytes);
    assert_true(web_fifo_make(&fifo, 8)); // room for one that is empty, to the byte
    fifo.at = fifo.end = 0;
    assert_false(web_fifo_put(&fifo, (hy_bytes){ (const uint8_t *)"x", 1 }, (web_kind){ 0 }));
    assert_true(web_fifo_put(&fifo, (hy_bytes){ NULL, 0 }, (web_kind){ 0 }));
    assert_false(web_fifo_put(&fifo, (hy_bytes){ NULL, 0 }, (web_kind){ 0 }));
    free(fifo.bytes);
}

// Not even to make room for another one.
static void a_message_that_is_read_is_not_moved(void **state)
{
    (void)state;
    static const uint8_t letters[] = "abcd";
    const web_kind none = { .is_binary = false };
    web_fifo fifo = { .bytes = NULL };
    hy_bytes read;
    web_kind kind;
    uint8_t out[1];
    size_t size;
    assert_true(web_fifo_make(&fifo, 3 * (WEB_FIFO_HEAD + 1)));
    for (size_t i = 0; i < 3; i++) {
        assert_true(web_fifo_put(&fifo, (hy_bytes){ letters + i, 1 }, none));
    }
    assert_true(web_fifo_take(&fifo, out, &size, &kind));
    assert_true(web_fifo_peek(&fifo, &read, &kind));
    assert_false(web_fifo_put(&fifo, (hy_bytes){ letters + 3, 1 }, none));
    assert_int_equal(read.data[0], 'b');
    web_fifo_release(&fifo);
    assert_true(web_fifo_put(&fifo, (hy_bytes){ letters + 3, 1 }, none));
    for (size_t i = 1; i < 4; i++) {
        assert_true(web_fifo_take(&fifo, out, &size, &kind));
        assert_int_equal(out[0], letters[i]);
    }
    assert_false(web_fifo_peek(&fifo, &read, &kind));
    free(fifo.bytes);
}

// --------------------------------------------------------------------------- clients

static void assert_event(web_client *client, hy_web_what what, const char *text)
{
    hy_web_event event;
    assert_true(web_client_take(client, &event));
    assert_int_equal(event.what, what);
    assert_int_equal(event.endpoint, 1);
    assert_int_equal(event.bytes.size, strlen(text));
    assert_memory_equal(event.bytes.data, text, strlen(text));
}

// Whatever the last one left there, a place is as good as new.
static void a_place_is_used_again(void **state)
{
    (void)state;
    static const size_t slots[] = { 4, 4 };
    static const uint8_t ip[16] = { 0 };
    const hy_bytes text = { (const uint8_t *)"text", 4 };
    const web_kind kind = { .is_binary = false };
    web_client client = { .phase = WEB_CLIENT_FREE };
    hy_web_event event;
    assert_true(web_client_make(&client, &(web_client_sizes){ slots, 2, 16, 16 }));
    for (int i = 0; i < 3; i++) {
        assert_false(web_client_take(&client, &event));
        web_client_open(&client, &(web_client_origin){ 1, ip, "/live", NULL }, i);
        assert_false(web_client_is_waiting(&client));
        assert_int_equal(client.standing, WEB_STRANGER);
        assert_false(client.is_held_back);
        assert_int_equal(client.since_us, i);
        assert_event(&client, HY_WEB_CONNECTED, "");
        assert_false(web_client_take(&client, &event));
        assert_true(web_fifo_put(&client.inbox, text, kind));
        assert_event(&client, HY_WEB_MESSAGE, "text");

        assert_false(web_client_show(&client, 1, text));
        assert_true(web_client_is_waiting(&client));
        assert_int_equal(web_client_fresh(&client), 1);
        assert_false(web_client_show(&client, 0, text));
        assert_int_equal(web_client_fresh(&client), 0);
        assert_true(web_client_show(&client, 0, text)); // instead of the one before
        client.slots[0].is_fresh = client.slots[1].is_fresh = false;
        assert_true(web_client_fresh(&client) < 0);
        assert_true(web_fifo_put(&client.queue, text, kind));
        assert_true(web_client_is_waiting(&client));

        client.slots[1].is_fresh = client.is_closing = client.is_held_back = true;
        client.standing = WEB_MEMBER;
        assert_false(web_client_take(&client, &event)); // now the last message has gone
        assert_true(web_fifo_put(&client.inbox, text, kind));
        client.phase = WEB_CLIENT_GONE;
        assert_false(web_client_is_waiting(&client));
        assert_event(&client, HY_WEB_MESSAGE, "text"); // it said so before it went
        web_client_again(&client);
        assert_event(&client, HY_WEB_MESSAGE, "text");
        assert_event(&client, HY_WEB_CLOSED, "");
        web_client_again(&client);
        assert_event(&client, HY_WEB_CLOSED, "");
    }
    web_client_free(&client);
}

// --------------------------------------------------------------------------- places

#define NOW_US 1000000 // everybody has just come

static web_place place(uint8_t address, int64_t came_us, bool may_go)
{
    return (web_place){ .is_taken = true,
                        .is_counted = may_go,
                        .may_go = may_go,
                        .ip = { [10] = 0xff, [11] = 0xff, [12] = 10, [15] = address },
                        .came_us = came_us };
}

static void strangers_give_way(void **state)
{
    (void)state;
    const web_crowd_limits limits = { .in_all = 4, .from_one = 3 };
    web_place places[6] = { place(1, 50, true), place(1, 40, true), place(2, 10, true) };
    assert_int_equal(web_crowd_choose(places, 6, place(1, 0, true).ip, &limits, NOW_US), 3); // free
    places[3] = place(1, 60, true);
    assert_int_equal(web_crowd_choose(places, 6, place(1, 0, true).ip, &limits, NOW_US),
                     1); // its own oldest
    assert_int_equal(web_crowd_choose(places, 6, place(3, 0, true).ip, &limits, NOW_US),
                     1); // of the most
    places[3].is_leaving = true;
    assert_int_equal(web_crowd_choose(places, 6, place(1, 0, true).ip, &limits, NOW_US), 3);
    places[3].is_leaving = false;
    places[1].may_go = false;
    assert_int_equal(web_crowd_choose(places, 6, place(1, 0, true).ip, &limits, NOW_US), 0);
    places[0].may_go = places[3].may_go = false;
    assert_int_equal(web_crowd_choose(places, 6, place(1, 0, true).ip, &limits, NOW_US), -1);
    assert_int_equal(web_crowd_choose(places, 6, place(3, 0, true).ip, &limits, NOW_US), 2);
    places[2].may_go = true;
    places[2].ip[15] = 1; // a place behind the last is no place: neither counted nor taken
    assert_int_equal(
        web_crowd_choose(places, 1, place(1, 0, true).ip, &(web_crowd_limits){ 4, 2 }, NOW_US), -1);
    assert_int_equal(
        web_crowd_choose(places, 2, place(1, 0, true).ip, &(web_crowd_limits){ 4, 3 }, NOW_US), -1);
    assert_int_equal(
        web_crowd_choose(places, 2, place(3, 0, true).ip, &(web_crowd_limits){ 3, 3 }, NOW_US), -1);
    for (size_t i = 0; i < 4; i++) { // who has a valid token is not counted
        places[i] = place(1, 0, false);
    }
    assert_int_equal(web_crowd_choose(places, 6, place(1, 0, true).ip, &limits, NOW_US), 4);
}

// Whom a newcomer of their address replaces, one after the other: the oldest goes first only among those who are alike.
static void who_has_had_no_time_to_speak_goes_last(void **state)
{
    (void)state;
    const int64_t now_us = 50 * NOW_US, grace_us = WEB_CROWD_GRACE_US;
    const web_crowd_limits limits = { .in_all = 100, .from_one = 1 };
    web_place places[] = {
        place(1, now_us - grace_us + 1, true), // silent, and just in time
        place(1, now_us - grace_us + 2, true), // silent, and younger
        place(1, now_us - grace_us, true),     // was silent for too long
        place(1, now_us - grace_us, true),     // asked for a file, and is being sent it
        place(1, now_us, true),                // asked for a file, and has it, all in no time
        place(1, now_us - 1, true),            // the same, and older
        place(1, now_us, true),                // said a wrong token, and is leaving
    };
    static const int order[] = { 6, 2, 5, 4, 3, 0, 1, -1 };
    places[3].has_spoken = places[4].has_spoken = places[5].has_spoken = true;
    places[3].is_served = places[6].is_leaving = places[6].has_spoken = true;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        assert_int_equal(web_crowd_choose(places, 7, place(1, 0, true).ip, &limits, now_us),
                         order[i]);
        if (order[i] >= 0) {
            places[order[i]].may_go = false;
        }
    }
}

// An address that fills all its places with requests as fast as it can takes nobody's time to speak.
static void no_number_of_requests_replaces_a_newcomer(void **state)
{
    (void)state;
    enum { PLACES = 20 };
    const web_crowd_limits limits = { .in_all = PLACES, .from_one = PLACES };
    web_place places[PLACES];
    for (size_t i = 0; i < PLACES; i++) {
        places[i] = place(1, 0, true);
        places[i].has_spoken = i != 7;
    }
    for (int64_t now_us = 1; now_us < WEB_CROWD_GRACE_US; now_us += 100) {
        const int chosen = web_crowd_choose(places, PLACES, places[0].ip, &limits, now_us);
        assert_true(chosen >= 0 && chosen != 7);
        places[chosen].came_us = now_us;
        places[chosen].has_spoken = true;
    }
    assert_int_equal(web_crowd_choose(places, PLACES, places[0].ip, &limits, WEB_CROWD_GRACE_US), 7);
}

static void a_network_of_ipv6_is_one_address(void **state)
{
    (void)state;
    const uint8_t a[16] = { 0x20, 1, 2, 3, 4, 5, 6, 7, 8 }, b[16] = { 0x20, 1, 2, 3, 4, 5, 6, 7, 9 };
    const uint8_t c[16] = { 0x20, 1, 2, 3, 4, 5, 6, 8, 8 };
    assert_true(web_crowd_is_same(a, b));
    assert_false(web_crowd_is_same(a, c));
    assert_false(web_crowd_is_same(place(1, 0, true).ip, place(2, 0, true).ip));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_split),
        cmocka_unit_test(a_secret_is_shown_by_an_element_of_a_list),
        cmocka_unit_test(what_is_no_request_is_refused),
        cmocka_unit_test(own_origins_are_known),
        cmocka_unit_test(names_and_origins_have_a_form),
        cmocka_unit_test(keys_are_answered),
        cmocka_unit_test(a_file_may_be_that_of_a_path_with_its_query),
        cmocka_unit_test(folders_are_read_eight_deep),
        cmocka_unit_test(pieces_make_no_difference),
        cmocka_unit_test(gzip_is_sent_to_clients_that_accept_it),
        cmocka_unit_test(a_text_is_finished_before_a_close),
        cmocka_unit_test(who_has_to_leave_is_sent_nothing_more),
        cmocka_unit_test(what_cannot_be_upgraded_is_answered_with_why),
        cmocka_unit_test(programs_are_let_in_where_they_are_allowed),
        cmocka_unit_test(what_is_no_request_is_answered_with_why),
        cmocka_unit_test(a_broken_frame_is_answered_with_why),
        cmocka_unit_test(a_tag_changes_with_the_content),
        cmocka_unit_test(files_have_64_mib_at_most),
        cmocka_unit_test(messages_wait_in_their_order),
        cmocka_unit_test(a_message_that_is_read_is_not_moved),
        cmocka_unit_test(a_place_is_used_again),
        cmocka_unit_test(strangers_give_way),
        cmocka_unit_test(who_has_had_no_time_to_speak_goes_last),
        cmocka_unit_test(no_number_of_requests_replaces_a_newcomer),
        cmocka_unit_test(a_network_of_ipv6_is_one_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
