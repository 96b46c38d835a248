// Endpoints as text, and names: what is understood, what is refused, and with which status.
#include "cmocka_all.h"

#include <halyard/link.h>

#include <net/if.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_PORT 3540

static hy_endpoint ipv4(uint8_t a, uint8_t b, uint8_t c, uint8_t d, uint16_t port)
{
    return (hy_endpoint){ { HY_IPV4_PREFIX, a, b, c, d }, 0, port };
}

static void expect_endpoint(const char *text, hy_endpoint expected)
{
    hy_endpoint endpoint;
    print_message("  \"%s\"\n", text);
    assert_int_equal(hy_endpoint_parse(text, DEFAULT_PORT, &endpoint), HY_OK);
    assert_true(hy_endpoint_equal(&endpoint, &expected));
}

static void literals_are_read(void **state)
{
    (void)state;
    const hy_endpoint loopback6 = { { [15] = 1 }, 0, 3541 };
    expect_endpoint("127.0.0.1:3541", ipv4(127, 0, 0, 1, 3541));
    expect_endpoint("127.0.0.1", ipv4(127, 0, 0, 1, DEFAULT_PORT));
    expect_endpoint("192.168.42.1:1", ipv4(192, 168, 42, 1, 1));
    expect_endpoint("255.255.255.255:65535", ipv4(255, 255, 255, 255, 65535));
    expect_endpoint("0.0.0.0:0", ipv4(0, 0, 0, 0, 0));
    expect_endpoint("[::1]:3541", loopback6);
    expect_endpoint("[0:0:0:0:0:0:0:1]:3541", loopback6);
    expect_endpoint("[::]", (hy_endpoint){ .port = DEFAULT_PORT });
    expect_endpoint("[2001:db8::ff]:7",
                    (hy_endpoint){ { 0x20, 0x01, 0x0d, 0xb8, [15] = 0xff }, 0, 7 });
    expect_endpoint("[::ffff:10.0.0.2]:7", ipv4(10, 0, 0, 2, 7));
    expect_endpoint("[fe80::1]", (hy_endpoint){ { 0xfe, 0x80, [15] = 1 }, 0, DEFAULT_PORT });
    expect_endpoint("[fe80::1%7]:9", (hy_endpoint){ { 0xfe, 0x80, [15] = 1 }, 7, 9 });
}

static void what_is_no_literal_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        ":",
        ":3540",
        "localhost",
        "localhost:3540",
        "127.0.0.1:",
        "127.0.0.1:65536",
        "127.0.0.1:00000003540", // more digits than a number of 32 bits has
        "127.0.0.1:-1",
        "127.0.0.1:+1",
        "127.0.0.1: 1",
        "127.0.0.1:1 ",
        "127.0.0.1:0x10",
        "127.0.0.1:99999999999999999999",
        "127.0.0.1:1:2",
        " 127.0.0.1",
        "127.0.0.1 ",
        "127.0.0",
        "127.1",
        "127.0.0.256",
        "127.0.0.1.1",
        "127.0.0.0x1",
        "1.2.3.-4",
        "[127.0.0.1]:1",
        "::1",
        "::1:3540",
        "[::1",
        "::1]",
        "[]",
        "[]:1",
        "[::1]3540",
        "[::1]:",
        "[::1]x:1",
        "[::1]:65536",
        "[[::1]]",
        "[:::1]",
        "[1:2:3:4:5:6:7:8:9]",
        "[12345::]",
        "[::1%1]",
        "[2001:db8::1%1]",
        "[fe80::1%]",
        "[fe80::1%0]",
        "[fe80::1%-1]",
        "[fe80::1%4294967296]",
        "[fe80::1%no-such-if]",
        "[fe80::1%1%1]",
        "[00000000000000000000000000000000000000000000000000000000000000001]",
        "127.0.0.1/3540",
        "xrp://127.0.0.1",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        hy_endpoint endpoint = ipv4(1, 2, 3, 4, 5);
        const hy_endpoint before = endpoint;
        print_message("  \"%s\"\n", wrong[i]);
        assert_int_equal(hy_endpoint_parse(wrong[i], DEFAULT_PORT, &endpoint), HY_EADDRESS);
        assert_true(hy_endpoint_equal(&endpoint, &before));
    }
}

static void every_prefix_of_an_address_is_survived(void **state)
{
    (void)state;
    static const char *const right[] = { "255.255.255.255:65535",
                                         "[fe80::1234:5678%4294967295]:65535" };
    for (size_t i = 0; i < 2; i++) {
        char text[64];
        hy_endpoint endpoint;
        for (size_t length = 0; length <= strlen(right[i]); length++) {
            snprintf(text, sizeof text, "%.*s", (int)length, right[i]);
            hy_endpoint_parse(text, DEFAULT_PORT, &endpoint);
        }
        assert_int_equal(hy_endpoint_parse(text, DEFAULT_PORT, &endpoint), HY_OK);
    }
}

static void expect_text(hy_endpoint endpoint, const char *expected)
{
    char text[HY_ENDPOINT_TEXT_MAX];
    assert_ptr_equal(hy_endpoint_format(&endpoint, text), text);
    assert_string_equal(text, expected);
}

static void endpoints_are_written(void **state)
{
    (void)state;
    expect_text(ipv4(127, 0, 0, 1, 3540), "127.0.0.1:3540");
    expect_text((hy_endpoint){ { [15] = 1 }, 0, 65535 }, "[::1]:65535");
    expect_text((hy_endpoint){ .port = 0 }, "[::]:0");
    expect_text((hy_endpoint){ { 0xfe, 0x80, [15] = 1 }, 4000000000, 9 }, "[fe80::1%4000000000]:9");
}

static void an_interface_goes_by_its_name(void **state)
{
    (void)state;
    char name[IF_NAMESIZE], text[HY_ENDPOINT_TEXT_MAX];
    if (if_indextoname(1, name) == NULL) {
        skip();
    }
    snprintf(text, sizeof text, "[fe80::1%%%s]:9", name);
    expect_endpoint(text, (hy_endpoint){ { 0xfe, 0x80, [15] = 1 }, 1, 9 });
    expect_text((hy_endpoint){ { 0xfe, 0x80, [15] = 1 }, 1, 9 }, text);
}

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(9);
    for (int i = 0; i < 20000; i++) {
        hy_endpoint endpoint = { .port = (uint16_t)hy_random_bits(&random) }, again;
        for (size_t k = 0; k < 16; k++) { // zeros are what "::" stands for
            endpoint.ip[k] = (uint8_t)(hy_random_below(&random, 2) * hy_random_below(&random, 256));
        }
        if (i % 3 == 0) {
            endpoint.ip[0] = 0xfe;
            endpoint.ip[1] = 0x80;
            endpoint.scope = (uint32_t)hy_random_bits(&random);
        }
        char text[HY_ENDPOINT_TEXT_MAX];
        hy_endpoint_format(&endpoint, text);
        assert_int_equal(hy_endpoint_parse(text, 0, &again), HY_OK);
        assert_true(hy_endpoint_equal(&endpoint, &again));
    }
}

// --------------------------------------------------------------------------- names

static void literals_resolve_to_themselves(void **state)
{
    (void)state;
    hy_endpoint found[4];
    const hy_endpoint four = ipv4(10, 1, 2, 3, 4), six = { { [15] = 1 }, 0, DEFAULT_PORT };
    assert_int_equal(hy_link_resolve("10.1.2.3:4", DEFAULT_PORT, found, 4), 1);
    assert_true(hy_endpoint_equal(&found[0], &four));
    assert_int_equal(hy_link_resolve("[::1]", DEFAULT_PORT, found, 4), 1);
    assert_true(hy_endpoint_equal(&found[0], &six));
    assert_int_equal(hy_link_resolve("[::1]", DEFAULT_PORT, found, 0), 0);
}

static void localhost_resolves_with_ipv4_first(void **state)
{
    (void)state;
    hy_endpoint found[4];
    const hy_endpoint four = ipv4(127, 0, 0, 1, 77);
    const int count = hy_link_resolve("localhost:77", DEFAULT_PORT, found, 4);
    assert_in_range(count, 1, 4);
    assert_true(hy_endpoint_equal(&found[0], &four));
    for (int i = 1; i < count; i++) {
        assert_int_equal(found[i].port, 77);
        assert_int_equal(found[i].ip[15], 1);
    }
    assert_int_equal(hy_link_resolve("localhost", DEFAULT_PORT, found, 1), 1);
    assert_int_equal(found[0].port, DEFAULT_PORT);
}

static void a_name_that_nobody_has_is_not_known(void **state)
{
    (void)state;
    hy_endpoint found[4];
    // RFC 6761 keeps "invalid" free of names for ever.
    assert_int_equal(hy_link_resolve("no-such-robot.invalid", DEFAULT_PORT, found, 4), HY_ENAME);
}

static void what_can_be_no_name_is_not_asked_for(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",         ":3540",     "127.1",        "3540",    "10.0.0.256",  "0x7f000001",
        "a.0X7f",   "ro bot",    "robot/",       "robot%1", "user@robot",  "robot:65536",
        "robot:1:", "[robot]:1", "[10.0.0.1]:1", "robot\n", "xrp://robot", "*",
    };
    char too_long[400];
    memset(too_long, 'a', sizeof too_long);
    too_long[sizeof too_long - 1] = '\0';
    hy_endpoint found[4];
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        print_message("  \"%s\"\n", wrong[i]);
        assert_int_equal(hy_link_resolve(wrong[i], DEFAULT_PORT, found, 4), HY_EADDRESS);
    }
    assert_int_equal(hy_link_resolve(too_long, DEFAULT_PORT, found, 4), HY_EADDRESS);
    too_long[256] = '\0'; // one character more than there is room for
    assert_int_equal(hy_link_resolve(too_long, DEFAULT_PORT, found, 4), HY_EADDRESS);
}

static void like_reaches_like_and_every_address_both(void **state)
{
    (void)state;
    static const struct {
        const char *local, *peer;
        bool can;
    } pairs[] = {
        { "127.0.0.1:1", "192.0.2.1:2", true }, { "0.0.0.0:1", "192.0.2.1:2", true },
        { "[::1]:1", "[2001:db8::1]:2", true }, { "[::]:1", "192.0.2.1:2", true },
        { "127.0.0.1:1", "[::1]:2", false },    { "0.0.0.0:1", "[::1]:2", false },
        { "[::1]:1", "127.0.0.1:2", false },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        hy_endpoint local, peer;
        assert_int_equal(hy_endpoint_parse(pairs[i].local, 0, &local), HY_OK);
        assert_int_equal(hy_endpoint_parse(pairs[i].peer, 0, &peer), HY_OK);
        assert_int_equal(hy_link_can_reach(&local, &peer), pairs[i].can);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literals_are_read),
        cmocka_unit_test(what_is_no_literal_is_refused),
        cmocka_unit_test(every_prefix_of_an_address_is_survived),
        cmocka_unit_test(endpoints_are_written),
        cmocka_unit_test(an_interface_goes_by_its_name),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(literals_resolve_to_themselves),
        cmocka_unit_test(localhost_resolves_with_ipv4_first),
        cmocka_unit_test(a_name_that_nobody_has_is_not_known),
        cmocka_unit_test(what_can_be_no_name_is_not_asked_for),
        cmocka_unit_test(like_reaches_like_and_every_address_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
