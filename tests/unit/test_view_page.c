// Serving the built page: where its files lie, on which address, with which token, and the sentence when that cannot be.
#include <halyard/link.h>
#include <halyard/view_page.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmocka_all.h"

#define TOKEN "00112233445566778899aabbccddeeff"

static char folder[] = "/tmp/halyard-page-XXXXXX";
static char index_name[64];

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    (void)snprintf(index_name, sizeof index_name, "%s/index.html", folder);
    FILE *const file = fopen(index_name, "w");
    return file == NULL || fputs("<html></html>", file) < 0 || fclose(file) != 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return unlink(index_name) != 0 || rmdir(folder) != 0;
}

static int forget_environment(void **state)
{
    (void)state;
    return unsetenv(HY_VIEW_PAGE_NAME) != 0 || unsetenv(HY_VIEW_TOKEN_NAME) != 0;
}

static hy_status serve(const hy_view_place *place, hy_view **out, hy_view_error *error)
{
    static const hy_scene scene = { .floor_m = { 0, 0, 2, 2 } };
    const hy_view_options options = { .watchers = !place->watchers };
    const hy_status status = hy_view_serve(out, place, &options, &scene, error);
    assert_int_equal(status == HY_OK, *out != NULL);
    return status;
}

static void the_page_lies_where_somebody_says_or_beside_the_program(void **state)
{
    (void)state;
    static char too_long[1200];
    memset(too_long, 'x', sizeof too_long - 1);
    const struct {
        const char *folder, *installed, *in_environment;
    } places[] = {
        { folder, NULL, "/nonexistent" }, { NULL, "/nonexistent", folder }, { NULL, folder, NULL },
        { NULL, "/nonexistent", NULL }, // perhaps where it was built
        { NULL, too_long, NULL },
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const hy_view_place place = { .listen = "127.0.0.1:0",
                                      .folder = places[i].folder,
                                      .installed = places[i].installed,
                                      .watchers = i == 0 };
        hy_view *view;
        hy_view_error error;
        (void)forget_environment(NULL);
        if (places[i].in_environment != NULL) {
            assert_int_equal(setenv(HY_VIEW_PAGE_NAME, places[i].in_environment, 1), 0);
        }
        assert_int_equal(serve(&place, &view, &error), HY_OK);
        const bool may_miss = i >= 3 && strstr(error.text, "The page has not been built") != NULL;
        if (error.text[0] != '\0' && !may_miss) {
            fail_msg("place %zu: %s", i, error.text);
        }
        hy_view_stop(view);
    }
}

static void the_address_has_the_token(void **state)
{
    (void)state;
    const hy_view_place place = { .listen = "127.0.0.1:0", .folder = folder };
    hy_view *view;
    hy_view_error error;
    char url[HY_VIEW_URL_MAX], expected[HY_VIEW_URL_MAX];
    assert_int_equal(setenv(HY_VIEW_TOKEN_NAME, TOKEN, 1), 0);
    assert_int_equal(serve(&place, &view, &error), HY_OK);
    (void)snprintf(expected, sizeof expected, "http://127.0.0.1:%u/#" TOKEN,
                   hy_view_address(view).port);
    assert_string_equal(hy_view_url(view, url), expected);
    hy_view_stop(view);
}

static void assert_refused(const hy_view_place *place, hy_status status, const char *says)
{
    hy_view *view;
    hy_view_error error;
    assert_int_equal(serve(place, &view, &error), status);
    if (strstr(error.text, says) == NULL) {
        fail_msg("'%s' does not say '%s'", error.text, says);
    }
}

static void what_cannot_be_served_is_told(void **state)
{
    (void)state;
    assert_refused(&(hy_view_place){ .listen = "here and there", .folder = folder }, HY_EADDRESS,
                   "'here and there' is no place to serve the page: ");
    assert_refused(&(hy_view_place){ .listen = "192.0.2.1:0", .folder = folder }, HY_EADDRESS,
                   "cannot serve the page on 192.0.2.1:0: it is not an address of this machine");
    assert_refused(&(hy_view_place){ .listen = "127.0.0.1:0", .folder = "/nonexistent" }, HY_EFILE,
                   "the page in /nonexistent cannot be read");

    const hy_view_place first = { .listen = "127.0.0.1:0", .folder = folder };
    hy_view *view;
    hy_view_error error;
    char taken[HY_ENDPOINT_TEXT_MAX];
    assert_int_equal(serve(&first, &view, &error), HY_OK);
    const hy_endpoint address = hy_view_address(view);
    const hy_view_place second = { .listen = hy_endpoint_format(&address, taken), .folder = folder };
    assert_refused(&second, HY_EINUSE, "choose another port, or port 0 for any free one");
    hy_view_stop(view);

    char deep[256];
    (void)snprintf(deep, sizeof deep, "%s", folder);
    for (int depth = 0; depth < 10; depth++) {
        (void)strcat(deep, "/d"); // NOLINT: there is room
        assert_int_equal(mkdir(deep, 0700), 0);
    }
    assert_refused(&first, HY_EFULL, "cannot be read");
    for (int depth = 0; depth < 10; depth++) {
        assert_int_equal(rmdir(deep), 0);
        *strrchr(deep, '/') = '\0';
    }

    assert_int_equal(setenv(HY_VIEW_TOKEN_NAME, "secret", 1), 0);
    assert_refused(&(hy_view_place){ .folder = folder }, HY_EFORMAT, "needs 32 hexadecimal digits");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_page_lies_where_somebody_says_or_beside_the_program,
                               forget_environment),
        cmocka_unit_test_setup(the_address_has_the_token, forget_environment),
        cmocka_unit_test_setup(what_cannot_be_served_is_told, forget_environment),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
