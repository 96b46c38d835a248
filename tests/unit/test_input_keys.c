// Bytes of terminals to key events: what xterm, kitty and tmux send, and what no terminal should.
#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "input/input.h"

// Feeds the bytes at one instant, then lets `pause_us` pass, and writes every event as a word:
// "w" pressed, "+w" repeated, "-w" released, "^c" with Ctrl, "in", "out", "releases", "no-releases".
static void describe(const hy_key_event *event, char *text, size_t size)
{
    static const char *const names[] = { "up", "down", "left", "right", "home", "end", "other" };
    char key[16];
    if (event->what >= HY_FOCUS_IN) {
        snprintf(text, size, "%s",
                 event->what == HY_FOCUS_IN    ? "in"
                 : event->what == HY_FOCUS_OUT ? "out"
                 : event->releases             ? "releases"
                                               : "no-releases");
        return;
    }
    if (event->key >= HY_KEY_UP) {
        snprintf(key, sizeof key, "%s", names[event->key - HY_KEY_UP]);
    } else if (event->key > ' ' && event->key < 127) {
        snprintf(key, sizeof key, "%c", (int)event->key);
    } else {
        snprintf(key, sizeof key, "%u", event->key);
    }
    snprintf(text, size, "%s%s%s%s%s",
             event->what == HY_KEY_RELEASE  ? "-"
             : event->what == HY_KEY_REPEAT ? "+"
                                            : "",
             event->modifiers & HY_MODIFIER_CTRL ? "^" : "",
             event->modifiers & HY_MODIFIER_ALT ? "!" : "",
             event->modifiers & HY_MODIFIER_SHIFT ? "$" : "", key);
}

static void add_word(char *words, size_t size, const hy_key_event *event)
{
    const size_t used = strlen(words);
    char word[32];
    describe(event, word, sizeof word);
    snprintf(words + used, size - used, "%s%s", used > 0 ? " " : "", word);
}

static void expect(const char *bytes, size_t size, int64_t pause_us, const char *wanted)
{
    hy_key_parser parser = { 0 };
    hy_key_event events[HY_KEY_EVENTS_MAX];
    char words[256] = "";
    for (size_t i = 0; i < size; i++) {
        const unsigned count = hy_key_parse(&parser, (uint8_t)bytes[i], 1000, events);
        for (unsigned n = 0; n < count; n++) {
            add_word(words, sizeof words, &events[n]);
        }
    }
    if (hy_key_parse_pause(&parser, 1000 + pause_us, events)) {
        add_word(words, sizeof words, events);
    }
    assert_string_equal(words, wanted);
}

#define EXPECT(bytes, wanted)              expect(bytes, sizeof(bytes) - 1, 0, wanted)
#define EXPECT_PAUSE(bytes, pause, wanted) expect(bytes, sizeof(bytes) - 1, pause, wanted)

static void plain_keys(void **state)
{
    (void)state;
    EXPECT("wasd", "w a s d");
    EXPECT("WQ", "$w $q");
    EXPECT(" +-", "32 + -");
    EXPECT("\r\n\t\177\b", "13 13 9 127 127");
    EXPECT("\003\032", "^c ^z");
    EXPECT(("\0"), "^32");
}

static void utf8_and_what_is_not(void **state)
{
    (void)state;
    EXPECT("\xc3\xa9", "233");            // e acute
    EXPECT("\xe2\x82\xac", "8364");       // euro
    EXPECT("\xf0\x9f\xa4\x96", "129302"); // robot face
    EXPECT("\xc3w", "w");                 // cut by a key
    EXPECT("\xc3\033[A", "up");           // cut by a sequence
    EXPECT("\x80\xff\xf5\xc0w", "w");     // bytes that start nothing
    EXPECT("\xf4\xbf\xbf\xbfw", "w");     // beyond Unicode
    EXPECT("\xe0\x81\x81w", "w");         // 'A', written too long
}

static void sequences(void **state)
{
    (void)state;
    EXPECT("\033[A\033[B\033[C\033[D", "up down right left");
    EXPECT("\033OA\033OD", "up left"); // application mode
    EXPECT("\033[1;5A", "^up");
    EXPECT("\033[H\033[F\033[Z", "home end $9");
    EXPECT("\033[15~\033OP", "other other"); // F5, F1
    EXPECT("\033[?62;22c", "");              // an answer to somebody's question
    EXPECT("\033[24;80R", "");
}

static void kitty_protocol(void **state)
{
    (void)state;
    EXPECT("\033[119u", "w");
    EXPECT("\033[119;1:1u\033[119;1:2u\033[119;1:3u", "w +w -w");
    EXPECT("\033[119:87;2:3u", "-$w");    // with the shifted key
    EXPECT("\033[1094::119;;1094u", "w"); // the key of a Russian layout that lies where W is
    EXPECT("\033[27u\033[27;1:3u", "27 -27");
    EXPECT("\033[99;5u", "^c");
    EXPECT("\033[119;65u", "w"); // Caps Lock is no modifier for us
    EXPECT("\033[1;1:3A", "-up");
    EXPECT("\033[57441;2u", "$other"); // left Shift
    EXPECT("\033[13u\033[32;1:3u", "13 -32");
    EXPECT("\033[?15u\033[?1u\033[?0u", "releases no-releases no-releases");
}

static void focus(void **state)
{
    (void)state;
    EXPECT("\033[I\033[O", "in out");
}

static void a_lone_escape_is_the_key(void **state)
{
    (void)state;
    EXPECT_PAUSE("\033", HY_KEY_ESCAPE_US - 1, "");
    EXPECT_PAUSE("\033", HY_KEY_ESCAPE_US, "27");
    EXPECT("\033\033", "27"); // the second is still open
    EXPECT_PAUSE("\033\033", HY_KEY_ESCAPE_US, "27 27");
    EXPECT("\033w", "27 w"); // in a hurry
    EXPECT("\033 ", "27 32");
    EXPECT("\033\xc3\xa9", "27 233");
    EXPECT("\033O\033[A", "27 up");
    EXPECT_PAUSE("\033O", HY_KEY_ESCAPE_US, "27");
    EXPECT_PAUSE("\033[", HY_KEY_ESCAPE_US, "27");
    EXPECT_PAUSE("\033[1;", HY_KEY_ESCAPE_US, "27");
}

static void cut_and_endless_sequences(void **state)
{
    (void)state;
    EXPECT("\033[1;5\033[A", "up");
    EXPECT("\033[1\rw", "13 w");
    EXPECT("\033[99999999999999999999u", "1114111");
    EXPECT("\033[1;2;3;4;5;6;7;8;9A", "$up");
    EXPECT("\033[1:2:3:4:5:6:7:8A", "up");
    char endless[200] = "\033[";
    memset(endless + 2, ';', sizeof endless - 2);
    endless[sizeof endless - 1] = 'w';
    hy_key_parser parser = { 0 };
    hy_key_event event[HY_KEY_EVENTS_MAX] = { { 0 } };
    unsigned last = 0;
    for (size_t i = 0; i < sizeof endless; i++) {
        last = hy_key_parse(&parser, (uint8_t)endless[i], 0, event);
    }
    assert_int_equal(last, 1); // back at plain keys
    assert_int_equal(event[0].key, 'w');
}

static void paste_is_swallowed(void **state)
{
    (void)state;
    EXPECT("\033[200~wwww\r\n\033[A\033[201~s", "s");
    EXPECT("\033[200~\033[20\033[201~s", "s");
    EXPECT("\033[200~www", "");
    EXPECT_PAUSE("\033[200~www", HY_KEY_PASTE_SILENCE_US, "");
    // The end of the paste got lost: keys work again after a pause.
    hy_key_parser parser = { 0 };
    hy_key_event event[HY_KEY_EVENTS_MAX];
    static const char lost[] = "\033[200~w";
    for (size_t i = 0; i < sizeof lost - 1; i++) {
        assert_int_equal(hy_key_parse(&parser, (uint8_t)lost[i], 0, event), 0);
    }
    assert_false(hy_key_parse_pause(&parser, HY_KEY_PASTE_SILENCE_US, event));
    assert_int_equal(hy_key_parse(&parser, ' ', HY_KEY_PASTE_SILENCE_US, event), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_keys),
        cmocka_unit_test(utf8_and_what_is_not),
        cmocka_unit_test(sequences),
        cmocka_unit_test(kitty_protocol),
        cmocka_unit_test(focus),
        cmocka_unit_test(a_lone_escape_is_the_key),
        cmocka_unit_test(cut_and_endless_sequences),
        cmocka_unit_test(paste_is_swallowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
