// What a WebSocket's frames may be: lengths in each form, texts, codes of a close; each bound from both sides.
#include "cmocka_all.h"

#include "../../src/web/frames.h"

#include <string.h>

#include "text/text.h"

// --------------------------------------------------------------------------- texts

// RFC 3629, 4: the first and the last of each row of its grammar, and their neighbours outside.
static void texts_are_utf8_or_not(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
        bool is_utf8;
    } rows[] = {
        { "", 0, true },
        { "\0\x7f", 2, true },
        { "\x80", 1, false },
        { "\xbf", 1, false },
        { "\xc1\xbf", 2, false }, // longer than needed
        { "\xc2\x80\xdf\xbf", 4, true },
        { "\xc2\x7f", 2, false },
        { "\xdf\xc0", 2, false },
        { "\xe0\x9f\xbf", 3, false }, // longer than needed
        { "\xe0\xa0\x80\xe1\x80\x80\xec\xbf\xbf", 9, true },
        { "\xed\x80\x80\xed\x9f\xbf", 6, true },
        { "\xed\xa0\x80", 3, false }, // a surrogate
        { "\xee\x80\x80\xef\xbf\xbf", 6, true },
        { "\xe1\x80\x7f", 3, false },
        { "\xe1\x80\xc0", 3, false },
        { "\xf0\x8f\xbf\xbf", 4, false }, // longer than needed
        { "\xf0\x90\x80\x80\xf1\x80\x80\x80\xf3\xbf\xbf\xbf\xf4\x80\x80\x80\xf4\x8f\xbf\xbf", 20,
          true },
        { "\xf4\x90\x80\x80", 4, false }, // beyond Unicode
        { "\xf5\x80\x80\x80", 4, false },
        { "\xff", 1, false },
        { "\xf1\x80\x7f\x80", 4, false },
        { "\xf1\x80\x80\x7f", 4, false },
        { "\xf1\x80\x80\xc0", 4, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const hy_bytes text = { (const uint8_t *)rows[i].text, rows[i].size };
        if (hy_utf8_is_valid(text) != rows[i].is_utf8) {
            fail_msg("row %zu", i);
        }
        for (size_t size = 0; size < text.size; size++) { // a sequence that ends too early is none
            const bool is_whole = (text.data[size] & 0xc0) != 0x80;
            if (rows[i].is_utf8 && hy_utf8_is_valid((hy_bytes){ text.data, size }) != is_whole) {
                fail_msg("row %zu, %zu bytes of it", i, size);
            }
        }
    }
}

// --------------------------------------------------------------------------- lengths

enum { MESSAGE_MAX = 70000 };

static uint8_t message[MESSAGE_MAX];

/// The event of a client's frame of text whose head is `head`, and whose payload is zeros.
static web_frame_event take_frame(const uint8_t *head, size_t head_size, size_t message_max,
                                  unsigned *code)
{
    static uint8_t bytes[14 + MESSAGE_MAX];
    web_frames frames = { .message = message, .message_max = message_max };
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, head, head_size);
    hy_bytes all = { bytes, sizeof bytes };
    const web_frame_event event = web_frames_take(&frames, &all);
    *code = frames.code;
    return event;
}

static void lengths_have_their_shortest_form(void **state)
{
    (void)state;
    static const struct {
        uint8_t head[14];
        size_t size, message_max;
        unsigned code; // 0: it is a message
    } rows[] = {
        { { 0x81, 0x80 | 125 }, 6, 125, 0 },
        { { 0x81, 0x80 | 125 }, 6, 124, WEB_CLOSE_TOO_LONG },
        { { 0x81, 0x80 | 126, 0, 126 }, 8, 126, 0 },
        { { 0x81, 0x80 | 126, 0, 125 }, 8, 126, WEB_CLOSE_PROTOCOL },
        { { 0x81, 0x80 | 126, 0xff, 0xff }, 8, 65535, 0 },
        { { 0x81, 0x80 | 126, 0xff, 0xff }, 8, 65534, WEB_CLOSE_TOO_LONG },
        { { 0x81, 0x80 | 127, 0, 0, 0, 0, 0, 1, 0, 0 }, 14, 65536, 0 },
        { { 0x81, 0x80 | 127, 0, 0, 0, 0, 0, 0, 0xff, 0xff }, 14, 65536, WEB_CLOSE_PROTOCOL },
        { { 0x81, 0x80 | 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
          14,
          65536,
          WEB_CLOSE_TOO_LONG },
        { { 0x81, 0x80 | 127, 0x80, 0, 0, 0, 0, 1, 0, 0 }, 14, 65536, WEB_CLOSE_PROTOCOL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned code;
        const web_frame_event event =
            take_frame(rows[i].head, rows[i].size, rows[i].message_max, &code);
        if (event != (rows[i].code == 0 ? WEB_FRAME_MESSAGE : WEB_FRAME_ERROR) ||
            (rows[i].code != 0 && code != rows[i].code)) {
            fail_msg("row %zu: event %d, code %u", i, (int)event, code);
        }
    }
}

// What is too long in all is refused with the frame that makes it so, before its bytes come.
static void parts_of_a_message_are_added_up(void **state)
{
    (void)state;
    static const uint8_t first[] = { 0x01, 0x82, 0, 0, 0, 0, 'a', 'b' };
    static const uint8_t last[] = { 0x80, 0x83, 0, 0, 0, 0, 'c', 'd', 'e' };
    for (size_t room = 4; room <= 5; room++) {
        web_frames frames = { .message = message, .message_max = room };
        hy_bytes bytes = { first, sizeof first };
        assert_int_equal(web_frames_take(&frames, &bytes), WEB_FRAME_NONE);
        bytes = (hy_bytes){ last, room == 4 ? 6 : sizeof last };
        assert_int_equal(web_frames_take(&frames, &bytes),
                         room == 4 ? WEB_FRAME_ERROR : WEB_FRAME_MESSAGE);
        assert_int_equal(room == 4 ? frames.code : frames.message_size,
                         room == 4 ? WEB_CLOSE_TOO_LONG : 5);
    }
}

static void heads_are_written_in_their_shortest_form(void **state)
{
    (void)state;
    static const struct {
        size_t payload, size;
        uint8_t head[10];
    } rows[] = {
        { 0, 2, { 0x82, 0 } },
        { 125, 2, { 0x82, 125 } },
        { 126, 4, { 0x82, 126, 0, 126 } },
        { 65535, 4, { 0x82, 126, 0xff, 0xff } },
        { 65536, 10, { 0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0 } },
        { 0x123456, 10, { 0x82, 127, 0, 0, 0, 0, 0, 0x12, 0x34, 0x56 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t head[10];
        assert_int_equal(web_frame_head(head, 0x82, rows[i].payload), rows[i].size);
        assert_memory_equal(head, rows[i].head, rows[i].size);
    }
}

// --------------------------------------------------------------------------- closes

static web_frame_event take_close(const uint8_t *payload, size_t size, unsigned *code)
{
    uint8_t bytes[6 + WEB_CONTROL_MAX] = { 0x88, (uint8_t)(0x80 | size) };
    memcpy(bytes + 6, payload, size);
    web_frames frames = { .message = message, .message_max = sizeof message };
    hy_bytes all = { bytes, 6 + size };
    const web_frame_event event = web_frames_take(&frames, &all);
    *code = frames.code;
    return event;
}

// RFC 6455, 7.4: 1004 to 1006 and 1015 are never sent, and what lies between the ranges is nobody's.
static void a_close_has_a_code_that_may_be_sent(void **state)
{
    (void)state;
    for (unsigned sent = 0; sent <= UINT16_MAX; sent++) {
        const uint8_t payload[2] = { (uint8_t)(sent >> 8), (uint8_t)sent };
        const bool is_right = (sent >= 1000 && sent <= 1014 && (sent < 1004 || sent > 1006)) ||
                              (sent >= 3000 && sent < 5000);
        unsigned code;
        const web_frame_event event = take_close(payload, 2, &code);
        if (event != (is_right ? WEB_FRAME_CLOSE : WEB_FRAME_ERROR) ||
            code != (is_right ? sent : WEB_CLOSE_PROTOCOL)) {
            fail_msg("%u: event %d, code %u", sent, (int)event, code);
        }
    }
}

static void a_close_has_all_of_its_code_and_a_text(void **state)
{
    (void)state;
    unsigned code;
    assert_int_equal(take_close((const uint8_t *)"", 0, &code), WEB_FRAME_CLOSE);
    assert_int_equal(code, WEB_CLOSE_NO_CODE);
    assert_int_equal(take_close((const uint8_t *)"\x03", 1, &code), WEB_FRAME_ERROR);
    assert_int_equal(code, WEB_CLOSE_PROTOCOL);
    assert_int_equal(take_close((const uint8_t *)"\x03\xe8\xc3\xa4", 4, &code), WEB_FRAME_CLOSE);
    assert_int_equal(code, 1000);
    assert_int_equal(take_close((const uint8_t *)"\x03\xe8\xc3", 3, &code), WEB_FRAME_ERROR);
    assert_int_equal(code, WEB_CLOSE_NOT_UTF8);
    uint8_t longest[WEB_CONTROL_MAX] = { 0x03, 0xe8 };
    assert_int_equal(take_close(longest, sizeof longest, &code), WEB_FRAME_CLOSE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_utf8_or_not),
        cmocka_unit_test(lengths_have_their_shortest_form),
        cmocka_unit_test(parts_of_a_message_are_added_up),
        cmocka_unit_test(heads_are_written_in_their_shortest_form),
        cmocka_unit_test(a_close_has_a_code_that_may_be_sent),
        cmocka_unit_test(a_close_has_all_of_its_code_and_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
