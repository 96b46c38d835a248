// How often states go out to a page: the view in this process, a page without a browser, and a clock that is counted.
#include "cmocka_all.h"

#include <halyard/link.h>
#include <halyard/view.h>

#include <poll.h>
#include <stdio.h>

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
    assert_int_equal(hy_view_start(&view, &options, &scene), HY_OK);
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
    hy_view_stop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_of_a_sim_is_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
