// How often pages are told of states and of who drives: the view in this process, pages without a browser, and a clock that is counted.
#include "cmocka_all.h"

#include <halyard/link.h>

#include <poll.h>
#include <stdio.h>

#include "view/view.h"
#include "ws_client.h"

#define LIMIT_US (20 * (int64_t)1000000)
#define STEP_US  10000

static void show_page(hy_view *view, ws_client *page)
{
    char token[64], protocols[96];
    snprintf(token, sizeof token, "token %s", hy_view_token(view));
    snprintf(protocols, sizeof protocols, "halyard-page, token.%s", hy_view_token(view));
    assert_true(ws_open(page, hy_view_address(view).port, &(ws_options){ .protocol = protocols }));
    assert_true(ws_say(page, token));
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (!hy_view_is_watched(view)) {
        struct pollfd waiting = { .fd = (int)hy_view_descriptor(view), .events = POLLIN };
        assert_true(poll(&waiting, 1, 20000) == 1 && hy_clock_now_us() < end_us);
        hy_view_poll(view, hy_clock_now_us());
    }
}

// Steps of a simulation that sends each of its states, a little early or late.
static void every_state_of_a_sim_is_published(void **state)
{
    (void)state;
    const hy_scene scene = { .robot_count = 0 };
    hy_view_options options = { .without_folder = "no page" };
    assert_int_equal(hy_endpoint_parse("127.0.0.1:0", 0, &options.listen), HY_OK);
    hy_view *view;
    ws_client page = { .socket = -1 };
    assert_int_equal(hy_view_open(&view, &options, &scene), HY_OK);
    assert_false(hy_view_wants_state(view, STEP_US)); // nobody looks
    show_page(view, &page);
    const int64_t start_us = hy_clock_now_us() + 1000000;
    int published = 0, at_once = 0;
    for (int step = 0; step < 100; step++) {
        const int64_t now_us = start_us + step * STEP_US + step * 7919 % 4000 - 2000;
        const hy_scene_state shown = { .t_s = step * 0.01 };
        if (hy_view_wants_state(view, now_us)) {
            hy_view_set_state(view, &shown, now_us);
            published++;
        }
        at_once += hy_view_wants_state(view, now_us + 1000); // a second state in one moment
    }
    assert_int_equal(published, 100);
    assert_int_equal(at_once, 0);
    ws_close(&page);
    hy_view_close(view);
}

static void poll_until(hy_view *view, uint64_t messages, int64_t now_us)
{
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (hy_view_count(view).messages < messages) {
        struct pollfd waiting = { .fd = (int)hy_view_descriptor(view), .events = POLLIN };
        assert_true(poll(&waiting, 1, 20000) == 1 && hy_clock_now_us() < end_us);
        hy_view_poll(view, now_us);
    }
}

// Somebody with a seat gives himself one name after the other, as fast as a page may: all pages would be told each time.
static void a_flood_of_names_is_told_to_all_once(void **state)
{
    (void)state;
    enum { WATCHERS = 20, NAMES = 150, PAGES = WATCHERS + 1 };
    const hy_scene scene = { .robot_count = 0 };
    const hy_scene_link link = { .player = 1 };
    hy_view_options options = { .without_folder = "no page", .players = 1, .watchers = true };
    assert_int_equal(hy_endpoint_parse("127.0.0.1:0", 0, &options.listen), HY_OK);
    hy_view *view;
    ws_client driver = { .socket = -1 };
    static ws_client watchers[WATCHERS];
    assert_int_equal(hy_view_open(&view, &options, &scene), HY_OK);
    show_page(view, &driver);
    const int64_t now_us = hy_clock_now_us() + 1000000;
    for (size_t i = 0; i < WATCHERS; i++) {
        const ws_options plain = { .protocol = "halyard-page" };
        assert_true(ws_open(&watchers[i], hy_view_address(view).port, &plain));
        assert_true(ws_say(&watchers[i], "no token"));
        while (hy_view_count(view).wrong_tokens <= i) {
            hy_view_poll(view, now_us);
        }
    }
    hy_view_set_links(view, &link, 1);
    assert_true(ws_say(&driver, "own 1"));
    poll_until(view, 2, now_us); // the token was the first
    const uint64_t before = hy_view_count(view).players;
    for (int i = 0; i < NAMES; i++) {
        char text[32];
        snprintf(text, sizeof text, "name N%d.", i);
        assert_true(ws_say(&driver, text));
    }
    poll_until(view, 2 + NAMES, now_us);
    assert_in_range(hy_view_count(view).players - before, NAMES,
                    NAMES + PAGES); // each to the page itself
    hy_view_set_links(view, &link, 1);
    assert_true(ws_await(&watchers[WATCHERS - 1], "\"name\":\"N149.\"", LIMIT_US));
    for (size_t i = 0; i < WATCHERS; i++) {
        ws_close(&watchers[i]);
    }
    ws_close(&driver);
    hy_view_close(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_of_a_sim_is_published),
        cmocka_unit_test(a_flood_of_names_is_told_to_all_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
