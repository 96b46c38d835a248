// `halyard board` as people call it: one clear sentence for what is wrong, on the command line and in the machine.
#include "cmocka_all.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "program.h"
#include "refusal.h"

#define PATIENCE_US 30000000

static void test_wrong_command_lines(void **state)
{
    (void)state;
    check_refusal(ARGUMENTS("bord"), 2, "unknown subcommand 'bord'; did you mean 'board'?");
    check_refusal(ARGUMENTS("nothing"), 2, "unknown subcommand 'nothing'; 'halyard --help'");
    check_refusal(ARGUMENTS("board"), 2, "is missing");
    check_refusal(ARGUMENTS("board", "teensi"), 2, "must be 'xrp' or 'teensy', not 'teensi'");
    check_refusal(ARGUMENTS("board", "teensy", "--bugs", "stock"), 2,
                  "no stock firmware for a teensy");
    check_refusal(ARGUMENTS("board", "teensy", "--hardware", "beta"), 2, "leave it out for a teensy");
    check_refusal(ARGUMENTS("board", "teensy", "--robot", "typicl"), 2, "'typicl' is no robot");
    check_refusal(ARGUMENTS("board", "xrp", "--robot", "typicl"), 2, "'typicl' is no robot");
    check_refusal(ARGUMENTS("drive", "xrp://localhost", "--robot", "7"), 2, "for a virtual robot");
    check_refusal(ARGUMENTS("drive", "xrp://localhost", "--hardware", "beta"), 2,
                  "--hardware is for a virtual robot");
    check_refusal(ARGUMENTS("drive", "virtual", "--hardware", "gamma"), 2, "no such XRP");
    check_refusal(ARGUMENTS("board", "xrp", "extra"), 2, "unexpected argument 'extra'");
    check_refusal(ARGUMENTS("board", "xrp", "--liste", "x"), 2,
                  "unknown option '--liste'; did you mean --listen?");
    check_refusal(ARGUMENTS("board", "xrp", "-l"), 2, "unknown option '-l'");
    check_refusal(ARGUMENTS("board", "xrp", "--bugs", "some"), 2,
                  "--bugs must be 'none' or 'stock', not 'some'");
    check_refusal(ARGUMENTS("board", "xrp", "--seed", "-1"), 2, "--seed needs a whole number");
    check_refusal(ARGUMENTS("board", "xrp", "--seed"), 2, "--seed needs a value");
    check_refusal(ARGUMENTS("board", "xrp", "--duration", "soon"), 2,
                  "--duration needs a number, not 'soon'");
    check_refusal(ARGUMENTS("board", "xrp", "--duration=0"), 2,
                  "--duration must be between 0.001 and");
    check_refusal(ARGUMENTS("board", "xrp", "--press", "3"), 2, "--press needs two times");
    check_refusal(ARGUMENTS("board", "xrp", "--press", "3:2"), 2, "--press needs two times");
    check_refusal(ARGUMENTS("board", "xrp", "--press", "-1:2"), 2, "--press needs two times");
    check_refusal(ARGUMENTS("board", "xrp", "--duration", "0x10"), 2, "--duration needs a number");
    check_refusal(ARGUMENTS("board", "xrp", "--page", "/tmp"), 2, "--page needs --view");
    check_refusal(ARGUMENTS("board", "xrp", "--faults", "loss=2"), 2, "write it like loss=5%");
    check_refusal(ARGUMENTS("board", "xrp", "--faults", "bad-wify"), 2, "no such file");
    check_refusal(ARGUMENTS("board", "xrp", "--faults", "/dev/zero"), 2, "not a file of faults");
    check_refusal(ARGUMENTS("board", "xrp", "--faults", "/"), 2,
                  "/: cannot be read (Is a directory)");
    check_refusal(ARGUMENTS("board", "xrp", "--faults", " "), 2, "there is no fault in ' '");
}

static void test_what_the_machine_refuses(void **state)
{
    (void)state;
    check_refusal(ARGUMENTS("board", "xrp", "--listen", "nosuchhost.invalid:1"), 1,
                  "the host name is not known");
    check_refusal(ARGUMENTS("board", "xrp", "--listen", "127.0.0.1:99999"), 1,
                  "--listen 127.0.0.1:99999: ");
    check_refusal(ARGUMENTS("board", "xrp", "--listen", "192.0.2.1:0"), 1,
                  "not an address of this machine");
    check_refusal(ARGUMENTS("board", "xrp", "--listen", "127.0.0.1:0", "--world", "nowhere"), 1,
                  "there is no world called 'nowhere'; a world is a file, or one of these ");
    check_refusal(ARGUMENTS("board", "xrp", "--world", "xrp-lien"), 1,
                  "there is no world called 'xrp-lien'; did you mean 'xrp-line'? ");
    check_refusal(ARGUMENTS("board", "xrp", "--world", "xrp-lien"), 1,
                  "HALYARD_WORLDS: field2020, teensy-field, teensy-homing, xrp-arena, xrp-circle");
    check_refusal(ARGUMENTS("board", "xrp", "--listen", "127.0.0.1:0", "--world", "./none.yaml"), 1,
                  "./none.yaml: ");
    check_refusal(ARGUMENTS("board", "teensy", "--listen", "127.0.0.1:0", "--world", "xrp-open"), 1,
                  "is of kind xrp; a board of kind teensy needs kind swerve");
    check_refusal(ARGUMENTS("board", "xrp", "--listen", "127.0.0.1:0", "--world", "teensy-field"),
                  1, "is of kind swerve; a board of kind xrp needs kind xrp");
    check_refusal(ARGUMENTS("board", "xrp", "--listen", "127.0.0.1:0", "--world", "/dev/null"), 1,
                  "/dev/null");
    check_refusal(ARGUMENTS("board", "xrp", "--listen", "127.0.0.1:0", "--truth", "/nowhere/t.jsonl"),
                  1, "--truth /nowhere/t.jsonl: cannot be written");
}

static void test_a_port_in_use(void **state)
{
    (void)state;
    char address[64];
    const char *const arguments[] = { HALYARD_BINARY, "board",       "xrp",
                                      "--listen",     "127.0.0.1:0", NULL };
    program first = program_start(arguments);
    assert_true(program_await_ready(&first, "udp", address, sizeof address, PATIENCE_US));
    check_refusal(ARGUMENTS("board", "xrp", "--listen", address), 1,
                  "in use by another program; choose another address or port with --listen");
#ifdef __linux__
    char owner[96];
    snprintf(owner, sizeof owner, "; process %ld has it: halyard board xrp --listen ",
             (long)first.pid);
    check_refusal(ARGUMENTS("board", "xrp", "--listen", address), 1, owner);
    check_refusal(ARGUMENTS("board", "xrp", "--listen", address, "--count", "2"), 1, owner);
    check_refusal(ARGUMENTS("dump", "--listen", address), 1, owner);
    check_refusal(ARGUMENTS("conform", "client", "--listen", address), 2, owner);
#endif
    kill(first.pid, SIGTERM);
    assert_int_equal(program_end(&first, NULL, 0), 0);
}

static void test_help_and_version(void **state)
{
    (void)state;
    const char *const lines[][4] = {
        { HALYARD_BINARY, "--help", NULL },
        { HALYARD_BINARY, "help", NULL },
        { HALYARD_BINARY, "--version", NULL },
        { HALYARD_BINARY, "board", "--help", NULL },
    };
    const char *const starts[] = { "Usage: halyard SUBCOMMAND", "Usage: halyard SUBCOMMAND",
                                   "halyard 0.", "Usage: halyard board" };
    for (size_t i = 0; i < 4; i++) {
        char said[8192];
        program p = program_start(lines[i]);
        assert_int_equal(program_end(&p, said, sizeof said), 0);
        assert_memory_equal(said, starts[i], strlen(starts[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_command_lines),
        cmocka_unit_test(test_what_the_machine_refuses),
        cmocka_unit_test(test_a_port_in_use),
        cmocka_unit_test(test_help_and_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
