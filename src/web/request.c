#include "request.h"

#include <string.h>

#include "text/text.h"

#define METHOD_MAX 16

// --------------------------------------------------------------------------- the end of a head

static bool is_allowed(uint8_t byte)
{
    return (byte >= 0x20 && byte != 0x7f) || byte == '\r' || byte == '\n' || byte == '\t';
}

size_t web_request_find_end(const uint8_t *bytes, size_t from, size_t size, bool *is_bad)
{
    *is_bad = false;
    for (size_t i = from; i < size; i++) {
        if (!is_allowed(bytes[i])) {
            *is_bad = true;
            return 0;
        }
        if (bytes[i] == '\n' && i >= 3 && memcmp(bytes + i - 3, "\r\n\r\n", 4) == 0) {
            return i + 1;
        }
    }
    return 0;
}

// --------------------------------------------------------------------------- lines

/// Ends the line at `*rest` and moves behind it; NULL if a line end is not "\r\n".
static char *take_line(char **rest)
{
    char *const line = *rest;
    char *const end = line + strcspn(line, "\r\n");
    if (end[0] != '\r' || end[1] != '\n') {
        return NULL;
    }
    end[0] = '\0';
    *rest = end + 2;
    return line;
}

static bool is_token(const char *text)
{
    static const char allowed[] = "!#$%&'*+-.^_`|~0123456789"
                                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return text[0] != '\0' && text[strspn(text, allowed)] == '\0';
}

/// "GET /path?query HTTP/1.1"
static unsigned parse_request_line(char *line, web_request *out, bool *is_1_0)
{
    char *const target = strchr(line, ' ');
    char *const version = target != NULL ? strchr(target + 1, ' ') : NULL;
    if (version == NULL || target - line > METHOD_MAX || target[1] != '/') {
        return 400;
    }
    *target = '\0';
    *version = '\0';
    char *const end = target + 1 + strcspn(target + 1, "?#");
    out->query = *end == '?' ? end + 1 : "";
    *end = '\0';
    *is_1_0 = strcmp(version + 1, "HTTP/1.0") == 0;
    if (!is_token(line) || strncmp(version + 1, "HTTP/", 5) != 0) {
        return 400;
    }
    if (!*is_1_0 && strcmp(version + 1, "HTTP/1.1") != 0) {
        return 505;
    }
    out->path = target + 1;
    out->is_get = strcmp(line, "GET") == 0;
    out->is_head = strcmp(line, "HEAD") == 0;
    return 0;
}

// --------------------------------------------------------------------------- fields

typedef struct {
    const char *content_length, *transfer_encoding;
} body_fields;

/// Where the value of a field is kept; NULL: nobody needs it.
static const char **place_of(const char *name, web_request *out, body_fields *body)
{
    const struct {
        const char *name, **place;
    } known[] = {
        { "host", &out->host },
        { "origin", &out->origin },
        { "upgrade", &out->upgrade },
        { "connection", &out->connection },
        { "if-none-match", &out->known_tag },
        { "accept-encoding", &out->encodings },
        { "sec-websocket-key", &out->key },
        { "sec-websocket-version", &out->version },
        { "sec-websocket-protocol", &out->protocols },
        { "content-length", &body->content_length },
        { "transfer-encoding", &body->transfer_encoding },
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (hy_text_is_alike(name, known[i].name)) {
            return known[i].place;
        }
    }
    return NULL;
}

static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) {
        length--;
    }
    text[length] = '\0';
    return text;
}

/// False if it is no field, or a known one that came already: two of them could mean different things to different readers.
static bool parse_field(char *line, web_request *out, body_fields *body)
{
    char *const colon = strchr(line, ':');
    if (colon == NULL) {
        return false;
    }
    *colon = '\0';
    const char **const place = place_of(line, out, body);
    if (!is_token(line) || (place != NULL && *place != NULL)) {
        return false;
    }
    if (place != NULL) {
        *place = trim(colon + 1);
    }
    return true;
}

static void fill_gaps(web_request *out)
{
    const char **const texts[] = { &out->host,       &out->origin,    &out->upgrade,
                                   &out->connection, &out->known_tag, &out->encodings,
                                   &out->key,        &out->version,   &out->protocols };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i] = *texts[i] != NULL ? *texts[i] : "";
    }
}

unsigned web_request_parse(char *head, size_t size, web_request *out)
{
    *out = (web_request){ .is_get = false };
    body_fields body = { NULL, NULL };
    bool is_1_0 = false;
    head[size - 2] = '\0'; // instead of the last line end: the empty line's, which nobody needs
    char *rest = head;
    char *line = take_line(&rest);
    const unsigned refusal = line != NULL ? parse_request_line(line, out, &is_1_0) : 400;
    if (refusal != 0) {
        return refusal;
    }
    while (*rest != '\0') {
        line = take_line(&rest);
        if (line == NULL || !parse_field(line, out, &body)) {
            return 400;
        }
    }
    if (!is_1_0 && out->host == NULL) { // ntcore sends an empty one
        return 400;
    }
    fill_gaps(out);
    out->has_body = body.transfer_encoding != NULL ||
                    (body.content_length != NULL && strcmp(body.content_length, "0") != 0);
    out->keeps_alive = !is_1_0 && !web_request_lists(out->connection, "close", true);
    return 0;
}

// --------------------------------------------------------------------------- lists

/// The next element of a comma-separated list and its length, and moves behind it; NULL at the end.
static const char *take_element(const char **list, size_t *length)
{
    const char *const element = *list + strspn(*list, ", \t");
    *length = strcspn(element, ",");
    *list = element + *length;
    while (*length > 0 && (element[*length - 1] == ' ' || element[*length - 1] == '\t')) {
        --*length;
    }
    return *length > 0 ? element : NULL;
}

bool web_request_lists(const char *list, const char *element, bool ignores_case)
{
    const size_t wanted = strlen(element);
    size_t length;
    for (const char *at; (at = take_element(&list, &length)) != NULL;) {
        if (length == wanted && (ignores_case ? hy_text_begins_alike(at, element, wanted)
                                              : strncmp(at, element, wanted) == 0)) {
            return true;
        }
    }
    return false;
}

bool web_request_shows(const char *list, const char *secret)
{
    const size_t wanted = strlen(secret);
    bool is_shown = false;
    size_t length;
    for (const char *at; (at = take_element(&list, &length)) != NULL;) {
        volatile char difference = 0; // volatile: the compiler must not shorten the loop
        for (size_t i = 0; i < wanted && length == wanted; i++) {
            difference = (char)(difference | (at[i] ^ secret[i]));
        }
        // coverage: no element is empty, and so no empty secret is shown in any case
        is_shown = is_shown || (length == wanted && wanted > 0 && difference == 0);
    }
    return is_shown;
}

bool web_request_accepts_gzip(const web_request *self)
{
    for (const char *element = self->encodings; *element != '\0';) {
        element += strspn(element, ", \t");
        const size_t length = strcspn(element, ",");
        if (strcspn(element, ",; \t") == 4 && hy_text_begins_alike(element, "gzip", 4)) {
            const char *const weight = memchr(element, '=', length);
            return weight == NULL || strcspn(weight, "123456789") < strcspn(weight, ",");
        }
        element += length;
    }
    return false;
}
