// Which addresses are this computer's own: a program treats a robot there as a virtual one.
#include "cmocka_all.h"

#include <halyard/link.h>

static void only_loopback_is(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_loopback;
    } addresses[] = {
        { "127.0.0.1:3540", true },     { "127.255.1.2:1", true },  { "[::1]:3540", true },
        { "192.168.42.1:3540", false }, { "10.0.0.1:3540", false }, { "126.0.0.1:3540", false },
        { "128.0.0.1:3540", false },    { "0.0.0.0:3540", false },  { "[::2]:3540", false },
        { "[fe80::1]:3540", false },    { "[::]:3540", false },     { "[7f00::1]:3540", false },
        { "[::7f00:1]:3540", false },
    };
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        hy_endpoint endpoint;
        assert_int_equal(hy_endpoint_parse(addresses[i].text, 0, &endpoint), HY_OK);
        if (hy_endpoint_is_loopback(&endpoint) != addresses[i].is_loopback) {
            fail_msg("%s", addresses[i].text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(only_loopback_is) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
