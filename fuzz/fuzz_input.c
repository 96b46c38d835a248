// LINK: input base
// Bytes of a terminal, with pauses between them (a byte of 0xfe stands for one). Whatever came before, the
// parser finds back: after a pause, Space is Space and Escape is Escape, so that stopping always works.

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "input/input.h"

#define PAUSE_BYTE 0xfe

static void check_event(const hy_key_event *event)
{
    assert(event->what >= HY_KEY_PRESS && event->what <= HY_KEYBOARD_REPORT);
    assert(event->key <= HY_KEY_OTHER);
    assert(event->key < 'A' || event->key > 'Z');
}

static void check_stick(const hy_key_stick *stick, int64_t now_us)
{
    const hy_stick value = hy_key_stick_read(stick, now_us);
    assert(value.speed >= -1.0 && value.speed <= 1.0);
    assert(value.turn >= -1.0 && value.turn <= 1.0);
}

static void feed(hy_key_parser *parser, hy_key_stick *stick, uint8_t byte, int64_t now_us)
{
    hy_key_event events[HY_KEY_EVENTS_MAX];
    const unsigned count = hy_key_parse(parser, byte, now_us, events);
    assert(count <= HY_KEY_EVENTS_MAX);
    for (unsigned i = 0; i < count; i++) {
        check_event(&events[i]);
        hy_key_stick_feed(stick, &events[i], now_us);
        check_stick(stick, now_us);
    }
}

static void check_stopping_works(hy_key_parser *parser, int64_t now_us)
{
    hy_key_event events[HY_KEY_EVENTS_MAX];
    hy_key_parse_pause(parser, now_us, events);
    assert(hy_key_parse_due_us(parser) == INT64_MAX);
    // A rune may be open; its cut end and the key come as one.
    assert(hy_key_parse(parser, ' ', now_us, events) == 1);
    assert(events[0].what == HY_KEY_PRESS && events[0].key == ' ');
    assert(hy_key_parse(parser, 0x1b, now_us, events) == 0);
    assert(hy_key_parse_pause(parser, now_us + HY_KEY_ESCAPE_US, events));
    assert(events[0].what == HY_KEY_PRESS && events[0].key == HY_KEY_ESCAPE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hy_key_parser parser = { 0 };
    hy_key_stick stick = { 0 };
    int64_t now_us = 0;
    for (size_t i = 0; i < size; i++) {
        if (data[i] != PAUSE_BYTE) {
            feed(&parser, &stick, data[i], now_us);
            continue;
        }
        hy_key_event event;
        now_us += HY_KEY_ESCAPE_US;
        if (hy_key_parse_pause(&parser, now_us, &event)) {
            check_event(&event);
        }
    }
    check_stopping_works(&parser, now_us + HY_KEY_PASTE_SILENCE_US);
    return 0;
}
