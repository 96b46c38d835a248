// Where the robot is, as the environment says: what is taken, what it becomes, and what is refused with which sentence.
#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include <halyard/link.h>

#include "../../src/halsim/settings.h"
#include "stderr_text.h"

static const hy_halsim_board board = { .name = "me", .host_variable = "HOST", .port_variable = "PORT" };

/// Reads both; what was said on stderr goes to `said`.
static bool read_settings(const char *host, const char *port, hy_halsim_settings *out,
                          stderr_text *said)
{
    *said = stderr_text_begin();
    const bool make_sense = hy_halsim_settings_read(out, &board, host, port);
    stderr_text_end(said);
    return make_sense;
}

static void a_place_is_an_address_or_a_name_with_a_port(void **state)
{
    (void)state;
    static const struct {
        const char *host, *port, *wanted;
        bool is_literal;
    } rows[] = {
        { NULL, NULL, "127.0.0.1:3540", true },
        { "", "", "127.0.0.1:3540", true },
        { "localhost", "1", "127.0.0.1:1", true },
        { "0.0.0.0", "65535", "127.0.0.1:65535", true }, // where one listens, not where one sends to
        { "::", "03540", "[::1]:3540", true },
        { "10.0.0.1", "3541", "10.0.0.1:3541", true },
        { "fe80::1", NULL, "[fe80::1]:3540", true },
        { "[::1]", "9", "[::1]:9", true },
        { "gosrobot-1234.local", NULL, "gosrobot-1234.local:3540", false },
        { "10robots", NULL, "10robots:3540", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hy_halsim_settings out;
        stderr_text said;
        assert_true(read_settings(rows[i].host, rows[i].port, &out, &said));
        assert_string_equal(out.host, rows[i].wanted);
        assert_string_equal(said.text, "");
        hy_endpoint wanted = { .port = 0 };
        assert_true(!rows[i].is_literal || hy_endpoint_parse(rows[i].wanted, 0, &wanted) == HY_OK);
        assert_true(hy_endpoint_equal(&out.literal, &wanted)); // nobody for a name
    }
}

static void what_makes_no_sense_is_refused_with_its_variable_and_value(void **state)
{
    (void)state;
    static const char no_port[] = "but a port is a number from 1 to 65535";
    static const char no_host[] = "which is neither an address nor a host name";
    static const struct {
        const char *host, *port, *variable, *why;
    } rows[] = {
        { NULL, "0", "PORT is \"0\"", no_port },
        { NULL, "65536", "PORT is \"65536\"", no_port },
        { NULL, "100000", "PORT is \"100000\"", no_port },
        { NULL, "000001", "PORT is \"000001\"", no_port },
        { NULL, "-1", "PORT is \"-1\"", no_port },
        { NULL, "35a", "PORT is \"35a\"", no_port },
        { NULL, " 1", "PORT is \" 1\"", no_port },
        { "10.0.0.300", NULL, "HOST is \"10.0.0.300\"", no_host },
        { "192.168.42", NULL, "HOST is \"192.168.42\"", no_host },
        { "10.0.0.1:3540", NULL, "HOST is \"10.0.0.1:3540\"", no_host },
        { "http://robot", NULL, "HOST is \"http://robot\"", no_host },
        { "robot local", NULL, "HOST is \"robot local\"", no_host },
        { "me@robot", NULL, "HOST is \"me@robot\"", no_host },
        { "fe80::1::2", NULL, "HOST is \"fe80::1::2\"", no_host },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hy_halsim_settings out;
        stderr_text said;
        char wanted[512];
        if (read_settings(rows[i].host, rows[i].port, &out, &said)) {
            fail_msg("taken: %s", rows[i].variable);
        }
        snprintf(wanted, sizeof wanted, "me: not loaded: %s, %s\n", rows[i].variable, rows[i].why);
        assert_string_equal(said.text, wanted);
    }
}

static void a_name_of_253_characters_fits_and_one_that_does_not_is_refused(void **state)
{
    (void)state;
    char name[400];
    stderr_text said;
    hy_halsim_settings out;
    memset(name, 'a', sizeof name);
    name[HY_HALSIM_HOST_MAX - sizeof ":3540"] = '\0';
    assert_true(strlen(name) >= 253);
    assert_true(read_settings(name, NULL, &out, &said));
    assert_int_equal(strlen(out.host), HY_HALSIM_HOST_MAX - 1);
    name[HY_HALSIM_HOST_MAX - sizeof ":3540"] = 'a';
    name[HY_HALSIM_HOST_MAX - sizeof ":3540" + 1] = '\0';
    assert_false(read_settings(name, NULL, &out, &said));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_is_an_address_or_a_name_with_a_port),
        cmocka_unit_test(what_makes_no_sense_is_refused_with_its_variable_and_value),
        cmocka_unit_test(a_name_of_253_characters_fits_and_one_that_does_not_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
