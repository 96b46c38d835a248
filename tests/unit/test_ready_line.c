// The line by which programs tell others that they can be reached, written and read.
#include "host/host_ready.h"

#include <halyard/link.h>

#include <string.h>

#include "cmocka_all.h"

static void pairs_are_written_in_their_order(void **state)
{
    (void)state;
    char text[HY_READY_LINE_MAX + 32] = "";
    FILE *const file = tmpfile();
    assert_non_null(file);
    hy_endpoint every;
    assert_int_equal(hy_endpoint_parse("0.0.0.0:3540", 0, &every), HY_OK);
    hy_ready_line line = { .pairs = "" };
    hy_ready_line_add(&line, "players", "%u", 2U);
    hy_ready_line_add_address(&line, "udp", &every); // where one connects to
    hy_ready_line_print(&line, file);
    rewind(file);
    assert_non_null(fgets(text, sizeof text, file));
    text[strcspn(text, "\n")] = '\0';
    static const char start[] = "halyard: ready players=2 udp=127.0.0.1:3540";
    assert_int_equal(strncmp(text, start, sizeof start - 1), 0);
    const char *const others = text + sizeof start - 1; // if this machine has other addresses
    assert_true(others[0] == '\0' || strncmp(others, " udp_others=", 12) == 0);
    assert_null(strstr(others, "0.0.0.0"));
    fclose(file);
}

static void what_does_not_fit_is_left_out_whole(void **state)
{
    (void)state;
    char longest[HY_READY_LINE_MAX] = "";
    memset(longest, 'x', sizeof longest - 1);
    hy_ready_line line = { .pairs = "" };
    hy_ready_line_add(&line, "a", "1");
    hy_ready_line_add(&line, "b", "%s", longest);
    hy_ready_line_add(&line, "c", "3");
    hy_ready_line_add(&line, longest, "4"); // not even its key
    hy_ready_line_add(&line, "d", "5");
    assert_string_equal(line.pairs, " a=1 c=3 d=5");
}

static void values_are_found_by_their_key(void **state)
{
    (void)state;
    static const char line[] =
        "halyard: ready apage=1 page=http://127.0.0.1:5800/#a=b udp=1.2.3.4:5 udp=x";
    char value[32];
    assert_true(hy_ready_line_find(line, "page", value, sizeof value));
    assert_string_equal(value, "http://127.0.0.1:5800/#a=b");
    assert_true(hy_ready_line_find(line, "udp", value, sizeof value));
    assert_string_equal(value, "1.2.3.4:5");
    assert_false(hy_ready_line_find(line, "pag", value, sizeof value));
    assert_string_equal(value, "");
    assert_false(hy_ready_line_find(line, "page", value, 26)); // one byte short
    assert_false(hy_ready_line_find("ready: player 1 page=x", "page", value, sizeof value));
    assert_true(hy_ready_line_is("halyard: ready"));
    assert_true(hy_ready_line_is(line));
    assert_false(hy_ready_line_is("halyard: readyudp=x"));
    assert_false(hy_ready_line_is("halyard board: ready"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_written_in_their_order),
        cmocka_unit_test(what_does_not_fit_is_left_out_whole),
        cmocka_unit_test(values_are_found_by_their_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
