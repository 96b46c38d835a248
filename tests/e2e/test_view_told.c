// What pages are told and what they may ask for: the view in this process, pages without a browser, and a clock that is counted.
#include "cmocka_all.h"

#include <halyard/link.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "view/view_page.h"
#include "ws_client.h"

#define LIMIT_US (20 * (int64_t)1000000)
#define START_US (1000 * (int64_t)1000000)

// --------------------------------------------------------------------------- the view and its pages

typedef struct {
    hy_view *view;
    int64_t now_us;    // that the view is told
    unsigned happened; // since somebody asked
} bench;

static const hy_scene_link links[] = { { .player = 1 }, { .player = 2 } };

static void start_with(bench *b, hy_view_options options, const hy_scene *scene)
{
    options.without_folder = "no page";
    assert_int_equal(hy_endpoint_parse("127.0.0.1:0", 0, &options.listen), HY_OK);
    *b = (bench){ .now_us = START_US };
    assert_int_equal(hy_view_open(&b->view, &options, scene), HY_OK);
}

static void start(bench *b)
{
    static const hy_scene scene = { .title = "first" };
    start_with(b,
               (hy_view_options){
                   .watchers = true, .players = 3, .buttons = 3, .can_reset = true, .can_tune = true },
               &scene);
}

// How many messages of pages the view has read.
static uint64_t count_read(const bench *b)
{
    const hy_view_counters count = hy_view_count(b->view);
    return count.messages + count.dropped + count.over_limit + count.refused + count.wrong_tokens;
}

static void poll_view(bench *b)
{
    b->happened |= hy_view_poll(b->view, b->now_us);
}

static void poll_once_readable(bench *b)
{
    struct pollfd waiting = { .fd = (int)hy_view_descriptor(b->view), .events = POLLIN };
    assert_int_equal(poll(&waiting, 1, (int)(LIMIT_US / 1000)), 1);
    poll_view(b);
}

// A page says something, and the view reads it; what happened.
static unsigned say(bench *b, ws_client *page, const char *text)
{
    const uint64_t before = count_read(b);
    b->happened = 0;
    assert_true(ws_say(page, text));
    while (count_read(b) == before) {
        poll_once_readable(b);
    }
    return b->happened;
}

// A page with the token, or that of a seat; NULL: with none.
static ws_client open_page(bench *b, const char *token)
{
    ws_client page;
    char text[64], protocols[96];
    snprintf(text, sizeof text, "token %s", token != NULL ? token : "none");
    snprintf(protocols, sizeof protocols, "halyard-page, token.%s", token != NULL ? token : "none");
    assert_true(ws_open(&page, hy_view_address(b->view).port, &(ws_options){ .protocol = protocols }));
    (void)say(b, &page, text);
    return page;
}

static ws_client open_own_page(bench *b)
{
    return open_page(b, hy_view_token(b->view));
}

static void expect(ws_client *page, const char *part)
{
    if (!ws_await(page, part, LIMIT_US)) {
        fail_msg("nothing has '%s'; the last was %s", part, page->text);
    }
}

// Nothing that was sent before now has `part`.
static void expect_none(bench *b, ws_client *page, const char *part)
{
    (void)say(b, page, "ping no more");
    do {
        assert_true(ws_hear(page, LIMIT_US));
        assert_int_equal(strncmp(page->text, "{\"type\":\"", 9), 0);
        if (strstr(page->text, part) != NULL) {
            fail_msg("%s", page->text);
        }
    } while (strstr(page->text, "no more") == NULL);
}

static void expect_end(bench *b, ws_client *page)
{
    assert_true(ws_await_end(page, LIMIT_US));
    assert_int_equal(page->close_code, 1008);
    ws_close(page);
    poll_view(b);
}

// --------------------------------------------------------------------------- coming

static void a_page_is_told_what_it_may_do(void **state)
{
    (void)state;
    bench b;
    char wanted[128];
    start(&b);
    hy_view_set_addresses(b.view, "10.0.0.2:5800");
    ws_client own = open_own_page(&b), other = open_page(&b, NULL);
    expect(&own, "\"type\":\"hello\"");
    assert_non_null(strstr(own.text, "\"may_command\":true,\"seat\":0,\"watchers\":true,"));
    assert_non_null(strstr(own.text, "\"addresses\":\"10.0.0.2:5800\""));
    snprintf(wanted, sizeof wanted, "\"token\":\"%s\"", hy_view_token(b.view));
    assert_non_null(strstr(own.text, wanted));
    assert_non_null(strstr(own.text, "\"title\":\"first\""));
    expect(&other, "\"may_command\":false,\"seat\":0,\"watchers\":true,");
    assert_null(strstr(other.text, "\"token\""));
    assert_null(strstr(other.text, "\"addresses\""));
    hy_view_set_addresses(b.view, "10.0.0.3:5800"); // those that are there are told, too
    expect(&own, "10.0.0.3:5800");
    assert_int_equal(say(&b, &other, "reset"), 0);
    expect(&other, "\"type\":\"sorry\",\"text\":\"this page may only look");
    assert_int_equal(say(&b, &other, "ping 7"), 0);
    expect(&other, "{\"type\":\"pong\",\"text\":\"7\"}");
    assert_int_equal(say(&b, &own, "reset"), HY_VIEW_RESET);
    ws_close(&own);
    ws_close(&other);
    hy_view_close(b.view);
}

// What a file that only this user can read leads to; the file itself stays.
static void take_once(hy_view *view, char path[4096], char once[HY_VIEW_TOKEN_SIZE])
{
    struct stat facts;
    char text[2000] = "", wanted[HY_VIEW_TOKEN_SIZE + 100];
    const char *const made = hy_view_make_redirect(view);
    assert_non_null(made);
    snprintf(path, 4096, "%s", made);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 07777, 0600);
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    const char *const hash = strchr(text, '#');
    assert_non_null(hash);
    snprintf(once, HY_VIEW_TOKEN_SIZE, "%s", hash + 1);
    char address[HY_ENDPOINT_TEXT_MAX];
    const hy_endpoint listens = hy_view_address(view);
    snprintf(wanted, sizeof wanted, "url=http://%s/#%s\"", hy_endpoint_format(&listens, address),
             once);
    assert_non_null(strstr(text, wanted));
    assert_true(hy_view_is_token(once));
    assert_null(strstr(path, once));
}

static void a_page_begins_with_its_token(void **state)
{
    (void)state;
    bench b;
    ws_client silent;
    const hy_scene scene = { .title = "first" };
    start_with(&b, (hy_view_options){ .watchers = false }, &scene);
    ws_client wrong = open_page(&b, NULL);
    expect_end(&b, &wrong);
    assert_false(hy_view_is_watched(b.view));
    assert_true(ws_open(&silent, hy_view_address(b.view).port, NULL));
    poll_once_readable(&b);
    b.now_us += 2000000;
    poll_view(&b);
    ws_client right = open_own_page(&b);
    assert_true(hy_view_is_watched(b.view));
    b.now_us += 1;
    poll_view(&b);
    expect_end(&b, &silent);
    (void)say(&b, &right, "ping 1"); // the other one is still there
    ws_close(&right);
    while (hy_view_is_watched(b.view)) {
        poll_once_readable(&b);
    }
    char home[] = "/tmp/halyard-home-XXXXXX", copy[HY_VIEW_TOKEN_SIZE], path[4096];
    assert_non_null(mkdtemp(home));
    assert_int_equal(setenv("HOME", home, 1) | unsetenv("XDG_DOWNLOAD_DIR"), 0);
    take_once(b.view, path, copy);
    char other[HY_VIEW_TOKEN_SIZE];
    snprintf(other, sizeof other, "%s", copy);
    assert_int_equal(access(path, R_OK), 0);
    take_once(b.view, path, copy); // the file before is gone, and what it had is no good
    assert_string_not_equal(copy, other);
    ws_client first = open_page(&b, copy), second = open_page(&b, copy);
    expect(&first, "\"may_command\":true");
    expect_end(&b, &second);
    assert_int_equal(access(path, R_OK), -1);
    ws_close(&first);
    take_once(b.view, path, copy);
    hy_view_close(b.view);
    assert_int_equal(rmdir(home), 0); // nothing is left in it
}

static void a_newcomer_is_told_what_there_is(void **state)
{
    (void)state;
    static const char *const channels[] = { "/Robot/Pose", "/Robot/Battery" };
    const hy_scene scene = { .title = "first" };
    const hy_scene_tunable number = { "kP", 0.5, 0, 1 };
    const hy_scene_tuning tuning = { .numbers = &number, .number_count = 1 };
    static char long_name[1 << 20];
    memset(long_name, 'n', sizeof long_name - 1);
    bench b;
    start_with(&b,
               (hy_view_options){ .players = 3,
                                  .can_tune = true,
                                  .is_replay = true,
                                  .channels = channels,
                                  .channel_count = 2 },
               &scene);
    ws_client before = open_own_page(&b);
    hy_view_set_links(b.view, links, 2);
    hy_view_set_tuning(b.view, &tuning);
    hy_view_set_state(b.view, &(hy_scene_state){ .t_s = 1.25 }, b.now_us);
    ws_client after = open_own_page(&b);
    ws_client *const pages[] = { &before, &after };
    static const char *const parts[] = {
        "\"type\":\"hello\"",
        "{\"type\":\"seats\",\"seats\":[]}",
        "\"type\":\"players\"",
        "\"type\":\"tunables\",\"numbers\":[{\"name\":\"kP\",\"value\":0.5",
        "{\"type\":\"channels\",\"names\":[\"/Robot/Pose\",\"/Robot/Battery\"]}",
        "\"type\":\"state\",\"t\":1.25",
    };
    for (unsigned seen = 0; seen != 0x3f;) { // in any order: they go out as soon as they are there
        assert_true(ws_hear(&after, LIMIT_US));
        for (size_t i = 0; i < 6; i++) {
            seen |= strstr(after.text, parts[i]) != NULL ? 1U << i : 0;
        }
    }
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(say(&b, pages[i], "tune 0 0.75"), HY_VIEW_CHANGE);
        hy_view_change change;
        assert_true(hy_view_take_change(b.view, &change));
        assert_true(change.index == 0 && change.value == 0.75);
        assert_int_equal(say(&b, pages[i], "tune 1 0.75"), 0); // there is no such number
        assert_false(hy_view_take_change(b.view, &change));
    }
    assert_int_equal(say(&b, &after, "replay seek 5"), HY_VIEW_REPLAY);
    assert_true(hy_view_take_replay(b.view).to_ms == 5 && !hy_view_take_replay(b.view).seeks);
    assert_int_equal(say(&b, &after, "replay plot 500 1500 1"), HY_VIEW_REPLAY);
    hy_view_plot asked;
    assert_true(hy_view_take_plot(b.view, &asked));
    hy_scene_sample sample = { 1, 12.5 };
    const hy_scene_series series = { .channel = 1, .samples = &sample, .room = 1, .count = 1 };
    hy_view_show_plot(b.view, &asked, &series, 1);
    expect(&after, "{\"type\":\"plot\",\"from\":0.5,\"to\":1.5,\"series\":[{\"channel\":1,"
                   "\"samples\":[1,12.5]}]}");
    expect_none(&b, &before, "\"type\":\"plot\"");
    const hy_scene_tunable too_long = { long_name, 0.5, 0, 1 };
    const hy_scene_chooser chooser = { .name = "routine" };
    const hy_scene_tuning no_tuning = { &too_long, 1, &chooser, 1 };
    hy_view_set_tuning(b.view, &no_tuning); // what has no room is not there
    assert_int_equal(say(&b, &before, "tune 0 0.75"), 0);
    assert_int_equal(say(&b, &before, "choose 0 0"), 0);
    expect_none(&b, &before, "\"type\":\"tunables\"");
    ws_client last = open_own_page(&b);
    expect_none(&b, &last, "\"type\":\"tunables\"");
    ws_close(&last);
    ws_close(&before);
    ws_close(&after);
    hy_view_close(b.view);
}

static void too_long_a_list_of_channels_is_left_out(void **state)
{
    (void)state;
    static char long_name[1 << 20];
    const char *const channels[] = { long_name };
    const hy_scene scene = { .title = "first" };
    bench b;
    memset(long_name, 'n', sizeof long_name - 1);
    start_with(&b, (hy_view_options){ .channels = channels, .channel_count = 1 }, &scene);
    ws_client own = open_own_page(&b);
    expect(&own, "\"type\":\"hello\"");
    expect_none(&b, &own, "\"type\":\"channels\"");
    expect_none(&b, &own, "\"type\":\"channels\"");
    ws_close(&own);
    hy_view_close(b.view);
}

// --------------------------------------------------------------------------- driving

static void who_drives_is_told_to_all(void **state)
{
    (void)state;
    bench b;
    start(&b);
    hy_view_set_links(b.view, links, 2);
    ws_client one = open_own_page(&b), two = open_own_page(&b);
    b.now_us += 1000000;
    poll_view(&b);
    uint64_t told = hy_view_count(b.view).players;
    assert_int_equal(say(&b, &one, "own 2"), HY_VIEW_NEW_STICKS);
    assert_int_equal(hy_view_count(b.view).players - told, 3); // the page itself at once, then all
    assert_true(hy_view_is_driven(b.view, 2) && !hy_view_is_driven(b.view, 1));
    assert_false(hy_view_is_driven(b.view, 0) || hy_view_is_driven(b.view, HY_ICD_PLAYERS + 1));
    expect(&one, "{\"player\":2,\"owner\":\"you\"");
    expect(&two, "{\"player\":2,\"owner\":\"other\"");
    assert_non_null(strstr(two.text, "{\"player\":1,\"owner\":\"nobody\""));
    told = hy_view_count(b.view).players;
    assert_int_equal(say(&b, &one, "name Ana"), HY_VIEW_NEW_STICKS);
    b.now_us += 49999; // all are told at most 20 times a second
    poll_view(&b);
    assert_int_equal(hy_view_count(b.view).players - told, 1);
    b.now_us += 1;
    poll_view(&b);
    assert_int_equal(hy_view_count(b.view).players - told, 3);
    poll_view(&b);
    assert_int_equal(hy_view_count(b.view).players - told, 3);
    expect(&two, "{\"player\":2,\"owner\":\"other\",\"name\":\"Ana\"");
    assert_int_equal(say(&b, &two, "own 2"), 0);
    expect(&two, "player 2 is driven by another page");

    assert_int_equal(say(&b, &one, "sticks 2 {\"leftJoystick\":[0,512]}"), HY_VIEW_NEW_STICKS);
    assert_int_equal(hy_view_sticks(b.view, 2, b.now_us + HY_VIEW_SILENCE_US).left_y, 512);
    assert_int_equal(hy_view_sticks(b.view, 2, b.now_us + HY_VIEW_SILENCE_US + 1).left_y, 0);
    assert_int_equal(hy_view_sticks(b.view, 1, b.now_us).left_y, 0);
    assert_int_equal(say(&b, &one, "sticks 2 {\"guide\":1}"), HY_VIEW_NEW_STICKS);
    expect(&two, "{\"type\":\"reset\",\"player\":2,\"name\":\"Ana\"}");

    hy_view_take_away(b.view, 1, "nobody has it");
    hy_view_take_away(b.view, 2, "a joystick drives this player");
    expect(&one, "{\"type\":\"sorry\",\"text\":\"a joystick drives this player\"}");
    expect(&two, "{\"player\":2,\"owner\":\"nobody\"");
    assert_false(hy_view_is_driven(b.view, 2));
    expect_none(&b, &one, "nobody has it");

    (void)say(&b, &one, "own 1");
    b.happened = 0;
    ws_close(&one); // who leaves lets go
    while (hy_view_is_driven(b.view, 1)) {
        poll_once_readable(&b);
    }
    assert_int_equal(b.happened, HY_VIEW_NEW_STICKS);
    b.now_us += 50000;
    poll_view(&b);
    expect(&two, "{\"player\":1,\"owner\":\"nobody\"");
    ws_close(&two);
    hy_view_close(b.view);
}

static void seats_are_for_one_player(void **state)
{
    (void)state;
    bench b;
    char token[HY_VIEW_TOKEN_SIZE] = "";
    start(&b);
    hy_view_set_links(b.view, links, 2);
    ws_client own = open_own_page(&b), watcher = open_page(&b, NULL);
    (void)say(&b, &own, "invite 2");
    expect(&own, "{\"type\":\"seats\",\"seats\":[{\"player\":2,\"token\":\"");
    memcpy(token, strstr(own.text, "token\":\"") + 8, HY_VIEW_TOKEN_SIZE - 1);
    assert_non_null(strstr(own.text, "\"used\":false"));
    ws_client seated = open_page(&b, token);
    expect(&seated, "\"may_command\":true,\"seat\":2,");
    assert_null(strstr(seated.text, token));
    assert_null(strstr(seated.text, hy_view_token(b.view)));
    expect(&own, "\"used\":true");
    (void)say(&b, &seated, "own 2");
    assert_true(hy_view_is_driven(b.view, 2));
    (void)say(&b, &seated, "own 1");
    expect(&seated, "this page may only drive player 2");
    b.now_us += 50000;
    poll_view(&b); // all that was new is told
    expect(&watcher, "{\"player\":2,\"owner\":\"other\"");
    assert_int_equal(say(&b, &own, "revoke 2"), HY_VIEW_NEW_STICKS); // its player is free at once
    assert_false(hy_view_is_driven(b.view, 2));
    expect(&own, "{\"type\":\"seats\",\"seats\":[]}");
    b.now_us += 50000;
    poll_view(&b);
    expect(&watcher, "{\"player\":2,\"owner\":\"nobody\"");
    expect_end(&b, &seated);
    (void)say(&b, &own, "invite 1");
    expect(&own, "{\"type\":\"seats\",\"seats\":[{\"player\":1,\"token\":\"");
    memcpy(token, strstr(own.text, "token\":\"") + 8, HY_VIEW_TOKEN_SIZE - 1);
    ws_client second = open_page(&b, token);
    expect(&own, "\"used\":true");
    ws_close(&second); // the seat is free again
    do {
        poll_once_readable(&b);
    } while (!ws_await(&own, "\"used\":false", 10000));
    expect_none(&b, &watcher, "\"type\":\"seats\"");
    ws_close(&own);
    ws_close(&watcher);
    hy_view_close(b.view);
}

static void buttons_and_pushes_are_asked_for(void **state)
{
    (void)state;
    bench b;
    start(&b);
    ws_client own = open_own_page(&b);
    assert_int_equal(say(&b, &own, "own 1"), HY_VIEW_NEW_STICKS);
    assert_int_equal(hy_view_count(b.view).players, 0); // without links there is nothing to tell
    assert_false(hy_view_button(b.view, 1, b.now_us));
    (void)say(&b, &own, "button 1 down");
    assert_true(hy_view_button(b.view, 1, b.now_us + 10 * LIMIT_US)); // as long as it is held
    (void)say(&b, &own, "button 1 up");
    assert_true(hy_view_button(b.view, 1, b.now_us + HY_VIEW_PRESS_US - 1));
    assert_false(hy_view_button(b.view, 1, b.now_us + HY_VIEW_PRESS_US));
    assert_false(hy_view_button(b.view, 2, b.now_us));
    assert_false(hy_view_take_push(b.view, 1));
    for (unsigned robot = 1; robot <= 2; robot++) {
        assert_int_equal(say(&b, &own, robot == 1 ? "push 1" : "push 2"), HY_VIEW_PUSH);
        assert_false(hy_view_take_push(b.view, 3 - robot));
        assert_true(hy_view_take_push(b.view, robot));
        assert_false(hy_view_take_push(b.view, robot));
    }
    ws_close(&own);
    hy_view_close(b.view);
}

// --------------------------------------------------------------------------- scenes and states

static void states_go_out_every_five_milliseconds(void **state)
{
    (void)state;
    bench b;
    start(&b);
    assert_false(hy_view_wants_state(b.view, b.now_us)); // nobody looks
    ws_client own = open_own_page(&b);
    assert_true(hy_view_wants_state(b.view, b.now_us));
    hy_view_set_state(b.view, &(hy_scene_state){ .t_s = 1 }, b.now_us);
    assert_false(hy_view_wants_state(b.view, b.now_us + HY_VIEW_STATE_PERIOD_US - 1));
    assert_true(hy_view_wants_state(b.view, b.now_us + HY_VIEW_STATE_PERIOD_US));
    assert_int_equal(hy_view_count(b.view).states, 1);
    expect(&own, "\"type\":\"state\",\"t\":1");
    ws_close(&own);
    hy_view_close(b.view);
}

static void a_new_scene_is_told(void **state)
{
    (void)state;
    static char long_title[40000];
    const hy_scene first = { .title = "first" }, second = { .title = "second" };
    const hy_scene as_long = { .title = "third" };
    bench b;
    start(&b);
    ws_client own = open_own_page(&b);
    expect(&own, "\"title\":\"first\"");
    hy_view_set_state(b.view, &(hy_scene_state){ .t_s = 1 }, b.now_us);
    expect(&own, "\"type\":\"state\"");
    assert_int_equal(hy_view_set_scene(b.view, &first), HY_OK);
    expect_none(&b, &own, "\"type\":\"hello\""); // it is the same
    assert_int_equal(hy_view_set_scene(b.view, &as_long), HY_OK);
    expect(&own, "\"title\":\"third\"");
    assert_int_equal(hy_view_set_scene(b.view, &second), HY_OK);
    expect(&own, "\"title\":\"second\"");
    ws_client other = open_page(&b, NULL);
    expect(&other, "\"title\":\"second\"");
    expect_none(&b, &other, "\"type\":\"state\""); // the last one was of the old scene
    memset(long_title, 'x', sizeof long_title - 1);
    assert_int_equal(hy_view_set_scene(b.view, &(hy_scene){ .title = long_title }), HY_ERANGE);
    expect_none(&b, &own, "\"type\":\"hello\"");
    ws_close(&own);
    ws_close(&other);
    hy_view_close(b.view);
}

static void expect_file(const bench *b, const char *path, const char *type, const char *content)
{
    char request[256];
    size_t size;
    snprintf(request, sizeof request,
             "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", path);
    char *const answer = http_get("127.0.0.1", hy_view_address(b->view).port, request, &size);
    assert_non_null(answer);
    assert_int_equal(strncmp(answer, "HTTP/1.1 200", 12), 0);
    assert_non_null(strstr(answer, type));
    assert_string_equal(strstr(answer, "\r\n\r\n") + 4, content);
    free(answer);
}

static hy_bytes text_of(const char *text)
{
    return (hy_bytes){ (const uint8_t *)text, strlen(text) };
}

static void files_of_a_scene_are_served(void **state)
{
    (void)state;
    const hy_scene_robot robots[] = { { .gltf_url = "/a.glb", .gltf = text_of("robot a") },
                                      { .gltf_url = "/b.glb", .gltf = text_of("robot b") },
                                      { .gltf_url = "/a.glb", .gltf = text_of("not again") },
                                      { .name = "drawn by the page" } };
    const hy_scene scene = { .title = "files",
                             .mat_url = "/mat.png",
                             .mat_png = text_of("picture"),
                             .gltf_url = "/field.glb",
                             .gltf = text_of("field"),
                             .robots = robots,
                             .robot_count = 4 };
    bench b;
    start_with(&b, (hy_view_options){ .watchers = true }, &scene);
    expect_file(&b, "/mat.png", "\r\ncontent-type: image/png\r\n", "picture");
    expect_file(&b, "/field.glb", "\r\ncontent-type: model/gltf-binary\r\n", "field");
    expect_file(&b, "/a.glb", "\r\ncontent-type: model/gltf-binary\r\n", "robot a");
    expect_file(&b, "/b.glb", "\r\ncontent-type: model/gltf-binary\r\n", "robot b");
    hy_view_close(b.view);
}

static void what_cannot_be_started_is_refused(void **state)
{
    (void)state;
    static char long_title[1 << 20];
    memset(long_title, 'x', sizeof long_title - 1);
    hy_view *view = (hy_view *)long_title;
    hy_view_options options = { .token = "not a token" };
    const hy_scene scene = { .title = "first" }, large = { .title = long_title };
    assert_int_equal(hy_endpoint_parse("127.0.0.1:0", 0, &options.listen), HY_OK);
    assert_int_equal(hy_view_open(&view, &options, &scene), HY_EFORMAT);
    assert_null(view);
    options.token = "00112233445566778899aabbccddeeff";
    assert_int_equal(hy_view_open(&view, &options, &large), HY_ERANGE);
    assert_null(view);
    options.folder = "/nowhere";
    assert_int_equal(hy_view_open(&view, &options, &scene), HY_EFILE);
    options.folder = NULL;
    assert_int_equal(hy_view_open(&view, &options, &scene), HY_OK);
    assert_string_equal(hy_view_token(view), options.token);
    hy_view_close(view);
    hy_view_close(NULL);
}

// --------------------------------------------------------------------------- where a page is served

static const hy_scene small_scene = { .title = "small" };

// Serves it at `place`, and expects the words of a refusal.
static void expect_no_page(const hy_view_place *place, hy_status status, const char *words)
{
    hy_view *view;
    hy_view_error error;
    assert_int_equal(
        hy_view_serve(&view, place, &(hy_view_options){ .players = 0 }, &small_scene, &error),
        status);
    assert_null(view);
    if (strstr(error.text, words) == NULL) {
        fail_msg("'%s' does not say '%s'", error.text, words);
    }
}

static void expect_page(const hy_view_place *place, const hy_view_options *options,
                        const char *content)
{
    bench b = { .now_us = START_US };
    char url[HY_VIEW_URL_MAX], wanted[HY_VIEW_URL_MAX];
    hy_view_error error = { "before" };
    assert_int_equal(hy_view_serve(&b.view, place, options, &small_scene, &error), HY_OK);
    assert_string_equal(error.text, "");
    snprintf(wanted, sizeof wanted, "http://127.0.0.1:%u/#%s", hy_view_address(b.view).port,
             hy_view_token(b.view));
    assert_string_equal(hy_view_url(b.view, url), wanted);
    expect_file(&b, "/", "text/html", content);
    ws_client watcher = open_page(&b, NULL);
    if (place->watchers || options->watchers) {
        expect(&watcher, "\"watchers\":true");
        ws_close(&watcher);
    } else {
        expect_end(&b, &watcher);
    }
    hy_view_close(b.view);
}

static void a_page_has_a_place(void **state)
{
    (void)state;
    static const char token[] = "00112233445566778899aabbccddeeff";
    char folder[] = "/tmp/halyard-page-XXXXXX", command[128], taken[HY_ENDPOINT_TEXT_MAX];
    const hy_view_options closed = { .watchers = false }, open = { .watchers = true };
    unsetenv(HY_VIEW_TOKEN_NAME);
    unsetenv(HY_VIEW_PAGE_NAME);
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "echo the page > %s/index.html", folder);
    assert_int_equal(system(command), 0);
    expect_page(&(hy_view_place){ .listen = "127.0.0.1:0", .folder = folder }, &closed, "the page\n");
    expect_page(&(hy_view_place){ .listen = "127.0.0.1:0", .installed = folder, .watchers = true },
                &closed, "the page\n");
    expect_page(&(hy_view_place){ .listen = "0.0.0.0:0", .installed = folder }, &open, "the page\n");
    assert_int_equal(setenv(HY_VIEW_PAGE_NAME, folder, 1), 0);
    expect_page(&(hy_view_place){ .listen = "127.0.0.1:0", .installed = "/nowhere" }, &closed,
                "the page\n");

    expect_no_page(&(hy_view_place){ .listen = "127.1" }, HY_EADDRESS,
                   "'127.1' is no place to serve the page: ");
    expect_no_page(&(hy_view_place){ .listen = "192.0.2.1:0" }, HY_EADDRESS, // RFC 5737: nobody's
                   "cannot serve the page on 192.0.2.1:0: it is not an address of this machine; "
                   "choose another port");
    expect_no_page(&(hy_view_place){ .listen = "127.0.0.1:0", .folder = "/nowhere" }, HY_EFILE,
                   "the page in /nowhere cannot be read: ");
    bench b;
    start(&b);
    const hy_endpoint here = hy_view_address(b.view);
    expect_no_page(&(hy_view_place){ .listen = hy_endpoint_format(&here, taken) }, HY_EINUSE,
                   hy_status_text(HY_EINUSE));
    hy_view_close(b.view);
    hy_view_error error; // who stops gives the port back
    const hy_view_place there = { .listen = taken, .folder = folder };
    assert_int_equal(hy_view_serve(&b.view, &there, &closed, &small_scene, &error), HY_OK);
    hy_view_close(b.view);
    assert_int_equal(setenv(HY_VIEW_TOKEN_NAME, "x", 1), 0);
    expect_no_page(
        &(hy_view_place){ .listen = "127.0.0.1:0" }, HY_EFORMAT,
        "HALYARD_TOKEN in the environment is not a token: it needs 32 hexadecimal digits");
    assert_int_equal(setenv(HY_VIEW_TOKEN_NAME, token, 1), 0);
    const hy_view_place place = { .listen = "127.0.0.1:0" };
    assert_int_equal(hy_view_serve(&b.view, &place, &closed, &small_scene, &error), HY_OK);
    assert_string_equal(hy_view_token(b.view), token);
    hy_view_close(b.view);
    snprintf(command, sizeof command, "mkdir -p %s/1/2/3/4/5/6/7/8/9", folder); // deeper than is read
    assert_int_equal(system(command), 0);
    expect_no_page(&there, HY_EFULL, "cannot be read: ");
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

// No folder has a page, but perhaps that of this build: then browsers are told how to build it.
static void a_page_may_not_be_built(void **state)
{
    (void)state;
    static char too_long[1200];
    memset(too_long, 'x', sizeof too_long - 1);
    unsetenv(HY_VIEW_TOKEN_NAME);
    unsetenv(HY_VIEW_PAGE_NAME);
    const hy_view_place place = { .listen = "127.0.0.1:0", .installed = too_long };
    hy_view *view;
    hy_view_error error = { "before" };
    assert_int_equal(
        hy_view_serve(&view, &place, &(hy_view_options){ .players = 0 }, &small_scene, &error),
        HY_OK);
    assert_true(error.text[0] == '\0' || strstr(error.text, "has not been built") != NULL);
    hy_view_close(view);
    assert_int_equal(setenv(HY_VIEW_TOKEN_NAME, "x", 1),
                     0); // before a port is opened, which here is that of no test
    expect_no_page(&(hy_view_place){ .listen = NULL }, HY_EFORMAT, "is not a token");
    unsetenv(HY_VIEW_TOKEN_NAME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_told_what_it_may_do),
        cmocka_unit_test(a_page_begins_with_its_token),
        cmocka_unit_test(a_newcomer_is_told_what_there_is),
        cmocka_unit_test(too_long_a_list_of_channels_is_left_out),
        cmocka_unit_test(who_drives_is_told_to_all),
        cmocka_unit_test(seats_are_for_one_player),
        cmocka_unit_test(buttons_and_pushes_are_asked_for),
        cmocka_unit_test(states_go_out_every_five_milliseconds),
        cmocka_unit_test(a_new_scene_is_told),
        cmocka_unit_test(files_of_a_scene_are_served),
        cmocka_unit_test(what_cannot_be_started_is_refused),
        cmocka_unit_test(a_page_has_a_place),
        cmocka_unit_test(a_page_may_not_be_built),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
