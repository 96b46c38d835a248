// Which machines --nt-allow lets in: what it reads, and whom that names.
#include "host/host_nt_text.h"
#include <halyard/link.h>

#include <string.h>

#include "cmocka_all.h"

static bool allows(const char *list, const char *address)
{
    hy_nt_network networks[HY_NT_ALLOW_MAX];
    size_t count;
    hy_endpoint from;
    assert_true(hy_nt_text_networks(list, networks, &count));
    assert_int_equal(hy_endpoint_parse(address, 1, &from), HY_OK);
    for (size_t i = 0; i < count; i++) {
        if (hy_nt_network_has(&networks[i], from.ip)) {
            return true;
        }
    }
    return false;
}

static void test_who_is_in(void **state)
{
    (void)state;
    assert_true(allows("10.12.34.5", "10.12.34.5"));
    assert_false(allows("10.12.34.5", "10.12.34.4"));
    assert_true(allows("10.12.34.0/24", "10.12.34.255"));
    assert_false(allows("10.12.34.0/24", "10.12.35.0"));
    assert_true(allows("10.12.34.128/25", "10.12.34.200"));
    assert_false(allows("10.12.34.128/25", "10.12.34.127"));
    assert_true(allows("192.168.1.1,10.0.0.0/8", "10.200.3.4"));
    assert_true(allows("0.0.0.0/0", "8.8.8.8"));
    assert_false(allows("0.0.0.0/0", "[2001:db8::1]")); // all of IPv4, and no more
    assert_true(allows("[2001:db8::]/32", "[2001:db8:1::7]"));
    assert_false(allows("[2001:db8::]/32", "[2001:db9::7]"));
    assert_false(allows("[2001:db8::]/32", "10.0.0.1"));
}

static void test_what_is_no_list(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",          "10.0.0.1,",   "10.0.0",           "10.0.0.1/33",
        "10.0.0.1/", "10.0.0.1/-1", "10.0.0.1/8x",      "10.0.0.1/ 8",
        "robot",     "10.0.0.1:80", "[2001:db8::]/129", "10.0.0.1/99999999999999999999"
    };
    hy_nt_network networks[HY_NT_ALLOW_MAX];
    size_t count;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (hy_nt_text_networks(wrong[i], networks, &count)) {
            fail_msg("'%s' is taken for a list of networks", wrong[i]);
        }
    }
    char many[17 * 8 + 1] = "";
    for (int i = 0; i < 17; i++) {
        strcat(many, i < 16 ? "1.2.3.4," : "1.2.3.4");
    }
    assert_false(hy_nt_text_networks(many, networks, &count));
    many[16 * 8 - 1] = '\0';
    assert_true(hy_nt_text_networks(many, networks, &count));
    assert_int_equal(count, HY_NT_ALLOW_MAX);
}

static void test_what_goes_together(void **state)
{
    (void)state;
    assert_null(hy_nt_text_conflict(NULL, false, false));
    assert_null(hy_nt_text_conflict("0.0.0.0", false, false));
    assert_null(hy_nt_text_conflict("0.0.0.0", true, false));
    assert_null(hy_nt_text_conflict("10.12.34.5:5811", true, true));
    static const char *const unreachable[] = { NULL, "", "127.0.0.1:0", "nt://10.12.34.2" };
    for (size_t i = 0; i < sizeof unreachable / sizeof unreachable[0]; i++) {
        const char *const said = hy_nt_text_conflict(unreachable[i], true, false);
        assert_non_null(said);
        assert_non_null(strstr(said, "--nt-allow needs --nt=ADDR"));
    }
    assert_string_equal(hy_nt_text_conflict("0.0.0.0", false, true), "--nt-write needs --nt-allow");
}

static void test_what_is_said_of_other_machines(void **state)
{
    (void)state;
    char said[HY_NT_SAID_MAX];
    hy_nt_options options = { .others_may_write = false };
    hy_nt *nt;
    assert_int_equal(hy_nt_text_address("127.0.0.1:0", &options), HY_OK);
    assert_int_equal(hy_nt_open(&nt, &options), HY_OK);
    assert_false(hy_nt_text_notice(nt, false, false, said));
    hy_nt_close(nt);
    assert_int_equal(hy_nt_text_address("0.0.0.0:0", &options), HY_OK);
    assert_int_equal(hy_nt_open(&nt, &options), HY_OK);
    assert_true(hy_nt_text_notice(nt, false, false, said));
    assert_non_null(strstr(said, "no other machine may connect"));
    assert_true(hy_nt_text_notice(nt, true, false, said));
    assert_non_null(strstr(said, "can read what is published; nothing is encrypted"));
    assert_true(hy_nt_text_notice(nt, true, true, said));
    assert_non_null(strstr(said, "change tunables; nothing is encrypted"));
    hy_nt_close(nt);
    assert_string_equal(hy_nt_text_failure("9.9.9.9", HY_EADDRESS),
                        "it is not an address of this machine");
    assert_string_equal(hy_nt_text_failure("nt://x:0", HY_EADDRESS), hy_status_text(HY_EADDRESS));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_who_is_in),
                                        cmocka_unit_test(test_what_is_no_list),
                                        cmocka_unit_test(test_what_goes_together),
                                        cmocka_unit_test(test_what_is_said_of_other_machines) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
