// The lines of a drive script: what they mean, and what is said where about wrong ones.
#include "cmocka_all.h"
#include <halyard/wire.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../apps/robot/script.h"

static const hy_dialect *dialect = &hy_dialect_xrp;

static int read_one(const char *line, double before_s, script_command *out, script_error *error)
{
    script_reader reader = { .text = { (const uint8_t *)line, strlen(line) },
                             .dialect = dialect,
                             .time_s = before_s };
    const int got = script_read_line(&reader, out, error);
    assert_int_equal(reader.at, strlen(line));
    return got;
}

static void good_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        double time_s;
        script_verb verb;
        unsigned channel;
        double number[2];
    } lines[] = {
        { "0 enable", 0.0, SCRIPT_ENABLE, 0, { 0, 0 } },
        { "2.5\tdisable\r\n", 2.5, SCRIPT_DISABLE, 0, { 0, 0 } },
        { "  3 drive -1 0.25 # fast", 3.0, SCRIPT_DRIVE, 0, { -1, 0.25 } },
        { "+0.5 arcade 0.5 -0.5", 2.0, SCRIPT_ARCADE, 0, { 0.5, -0.5 } },
        { "1.5 motor 3 1e-1", 1.5, SCRIPT_MOTOR, 3, { 0.1, 0 } },
        { "9 servo 1 1", 9.0, SCRIPT_SERVO, 1, { 1, 0 } },
        { "9 led on", 9.0, SCRIPT_LED, 0, { 1, 0 } },
        { "9 led off", 9.0, SCRIPT_LED, 0, { 0, 0 } },
        { "9 wait", 9.0, SCRIPT_WAIT, 0, { 0, 0 } },
        { "9 quit#", 9.0, SCRIPT_QUIT, 0, { 0, 0 } },
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        script_command command;
        script_error error = { .what = "" };
        if (read_one(lines[i].line, 1.5 * (lines[i].time_s >= 1.5), &command, &error) != 1) {
            fail_msg("'%s': %s", lines[i].line, error.what);
        }
        assert_true(command.time_s == lines[i].time_s);
        assert_int_equal(command.verb, lines[i].verb);
        assert_int_equal(command.channel, lines[i].channel);
        assert_true(command.number[0] == lines[i].number[0]);
        assert_true(command.number[1] == lines[i].number[1]);
    }
}

static void empty_lines(void **state)
{
    (void)state;
    static const char *const lines[] = { "\n", "   \t \r\n", "# all a comment", "  # 1 enable\n" };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        script_command command;
        script_error error;
        assert_int_equal(read_one(lines[i], 0.0, &command, &error), 0);
    }
}

static void say_keeps_its_text(void **state)
{
    (void)state;
    script_command command;
    script_error error;
    assert_int_equal(read_one("1 say  hello,  world  # not this", 0.0, &command, &error), 1);
    assert_int_equal(command.text.size, strlen("hello,  world"));
    assert_memory_equal(command.text.data, "hello,  world", command.text.size);
}

static void wrong_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        unsigned column;
        const char *what; // a part of the sentence
    } lines[] = {
        { "enable", 1, "starts with a time" },
        //^
        { "nan enable", 1, "starts with a time" },
        { "0x1 enable", 1, "starts with a time" },
        { "-1 enable", 1, "starts with a time" },
        { "+ enable", 1, "starts with a time" },
        { "++1 enable", 1, "starts with a time" },
        { "0.5 enable", 1, "before that of the line before" }, // the line before was at 1 s
        { "1e9 enable", 1, "over 1e+06 s" },
        { "1", 2, "command is missing" },
        { "1 jump", 3, "no command 'jump'" },
        //  ^
        { "1 Enable", 3, "no command 'Enable'" },
        { "1 drive", 8, "an effort is missing" },
        { "1 drive 0.5", 12, "an effort is missing" },
        { "1 drive 0.5 fast", 13, "has to be a number, not 'fast'" },
        //             ^
        { "1 drive 0.5 1.5", 13, "between -1 and 1, not 1.5" },
        { "1 drive 0.5 inf", 13, "has to be a number" },
        { "1 drive 0.5 0.5 0.5", 17, "'0.5' is too much" },
        { "1 motor 1.5 0.5", 9, "whole number" },
        { "1 motor 32 0.5", 9, "between 0 and 31" },
        { "1 servo 0 -0.1", 11, "between 0 and 1" },
        { "1 led", 6, "'on' or 'off'" },
        { "1 led bright", 7, "'on' or 'off'" },
        { "1 quit now", 8, "'now' is too much" },
        { "1 \033[2J", 3, "no command '?[2J'" },
        { "1 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 3, "no command" },
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        script_command command;
        script_error error = { .what = "" };
        if (read_one(lines[i].line, 1.0, &command, &error) != -1) {
            fail_msg("'%s' was taken", lines[i].line);
        }
        if (error.column != lines[i].column || strstr(error.what, lines[i].what) == NULL) {
            fail_msg("'%s': column %u, %s", lines[i].line, error.column, error.what);
        }
    }
}

static void only_what_the_robot_can_obey(void **state)
{
    (void)state;
    static hy_dialect of_no_robot;
    of_no_robot = hy_dialect_xrp; // another one, with the same words
    static const struct {
        const char *line;
        const hy_dialect *dialect;
        unsigned column; // 0: it can
        const char *what;
    } lines[] = {
        { "1 motor 3 0.5", &hy_dialect_xrp, 0, NULL },
        { "1 motor 4 0.5", &hy_dialect_xrp, 9, "a robot of the kind xrp:// has no motor 4" },
        //        ^
        { "1 servo 3 0.5", &hy_dialect_xrp, 0, NULL },
        { "1 servo 4 0.5", &hy_dialect_xrp, 9, "has no servo 4" },
        { "1 motor 7 0.5", &hy_dialect_teensy, 0, NULL },
        { "1 motor 8 0.5", &hy_dialect_teensy, 9, "a robot of the kind teensy:// has no motor 8" },
        { "1 servo 0 0.5", &hy_dialect_teensy, 9, "has no servo 0" },
        { "1 drive 0.5 0.5", &hy_dialect_teensy, 3, "'drive' is for a robot with two wheels" },
        { "1 drive 0.5 0.5", &of_no_robot, 3, "'drive' is for a robot with two wheels" },
        //  ^
        { "1 arcade 0.5 0.5", &hy_dialect_teensy, 3, "'arcade' is for a robot with two wheels" },
        { "1 led on", &hy_dialect_teensy, 3, "'led' is for a robot with two wheels" },
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        script_command command;
        script_error error = { .what = "" };
        dialect = lines[i].dialect;
        const int got = read_one(lines[i].line, 1.0, &command, &error);
        if (got != (lines[i].column == 0 ? 1 : -1) || error.column != lines[i].column ||
            (got < 0 && strstr(error.what, lines[i].what) == NULL)) {
            fail_msg("'%s': column %u, %s", lines[i].line, error.column, error.what);
        }
    }
    dialect = &hy_dialect_xrp;
}

static void a_text_fits_a_line(void **state)
{
    (void)state;
    char line[SCRIPT_TEXT_MAX + 10] = "1 say ";
    memset(line + 6, 'x', SCRIPT_TEXT_MAX + 1);
    script_command command;
    script_error error;
    assert_int_equal(read_one(line, 0.0, &command, &error), -1);
    assert_int_equal(error.column, 7);
    line[6 + SCRIPT_TEXT_MAX] = '\0';
    assert_int_equal(read_one(line, 0.0, &command, &error), 1);
}

static void load_text(const char *text, script *out, hy_status wanted, char *error, size_t error_size)
{
    char path[] = "/tmp/halyard_script_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    assert_int_equal(script_load(out, dialect, path, error, error_size), wanted);
    if (wanted != HY_OK) {
        assert_memory_equal(error, path, strlen(path));
        memmove(error, error + strlen(path), strlen(error + strlen(path)) + 1);
    }
    unlink(path);
}

static void whole_files(void **state)
{
    (void)state;
    script loaded;
    char error[512];
    load_text("# a drive\n\n0 enable\n+1 drive 1 1\n+1 quit", &loaded, HY_OK, error, sizeof error);
    assert_int_equal(loaded.count, 3);
    assert_true(loaded.commands[2].time_s == 2.0);
    script_free(&loaded);
    load_text("", &loaded, HY_OK, error, sizeof error);
    assert_int_equal(loaded.count, 0);
    script_free(&loaded);
    load_text("0 enable\n\n1 drive 0.5 x\n", &loaded, HY_EFORMAT, error, sizeof error);
    assert_memory_equal(error, ":3:13: an effort", strlen(":3:13: an effort"));
    assert_null(loaded.commands);
    static char many[(1 << 20) + 2];
    for (int i = 0; i < 200; i++) { // more than there is room for at first
        snprintf(many + strlen(many), sizeof many - strlen(many), "%d enable\n", i);
    }
    load_text(many, &loaded, HY_OK, error, sizeof error);
    assert_int_equal(loaded.count, 200);
    assert_true(loaded.commands[0].time_s == 0.0 && loaded.commands[199].time_s == 199.0);
    script_free(&loaded);
    memset(many, '\n', sizeof many - 1);
    load_text(many, &loaded, HY_ERANGE, error, sizeof error);
    assert_string_equal(error, ": longer than 1 MB: that is no script");
    assert_null(loaded.commands);
    many[1 << 20] = '\0';
    load_text(many, &loaded, HY_OK, error, sizeof error);
    assert_int_equal(loaded.count, 0);
    script_free(&loaded);
    assert_int_equal(script_load(&loaded, dialect, "/", error, sizeof error), HY_EFILE);
    assert_string_equal(error, "/: cannot be read: Is a directory");
    assert_int_equal(script_load(&loaded, dialect, "/nowhere/at/all", error, sizeof error), HY_EFILE);
    assert_string_equal(error, "/nowhere/at/all: cannot be read: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_lines),         cmocka_unit_test(empty_lines),
        cmocka_unit_test(say_keeps_its_text), cmocka_unit_test(wrong_lines),
        cmocka_unit_test(whole_files),        cmocka_unit_test(only_what_the_robot_can_obey),
        cmocka_unit_test(a_text_fits_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
