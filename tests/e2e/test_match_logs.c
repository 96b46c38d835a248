// Log files of a match by each of its programs: what the sim, the core and the view write with --record, and that the sticks that a
// core used are in the sim's file only if that core reports them.
#include <halyard/telemetry.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "match_ports.h"
#include "program.h"

#define SECOND_US 1000000
#define LIMIT_US  (60 * SECOND_US)
#define FILE_MAX  (1 << 22)

#define BUTTONS "NT:/AdvantageKit/DriverStation/Joystick0/ButtonValues"
#define AXES    "NT:/AdvantageKit/DriverStation/Joystick0/AxisValues"
#define START   128 // among the buttons: the eighth

static match_ports ports;
static char token[256] = "no page yet"; // of the page
static uint8_t bytes[FILE_MAX];

// --------------------------------------------------------------------------- reading

static bool is_text(hy_bytes text, const char *wanted)
{
    return text.size == strlen(wanted) && memcmp(text.data, wanted, text.size) == 0;
}

typedef struct {
    size_t values;
    bool exists, has_wanted; // one of the values was what was asked for
} channel_facts;

// The values of a channel of the file at `path`, and whether one is `wanted`.
static channel_facts channel_of(const char *path, const char *name, hy_bytes wanted)
{
    channel_facts facts = { 0 };
    uint32_t entry = 0;
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    hy_wpilog_reader reader;
    assert_int_equal(hy_wpilog_reader_init(&reader, (hy_bytes){ bytes, size }), HY_OK);
    for (hy_wpilog_record record; hy_wpilog_next(&reader, &record);) {
        if (record.kind == HY_WPILOG_START && is_text(record.name, name)) {
            entry = record.entry;
            facts.exists = true;
        } else if (record.kind == HY_WPILOG_VALUE && facts.exists && record.entry == entry) {
            facts.values++;
            facts.has_wanted =
                facts.has_wanted || (record.value.size == wanted.size &&
                                     memcmp(record.value.data, wanted.data, wanted.size) == 0);
        }
    }
    assert_null(reader.damage);
    assert_true(strlen(token) >= 8);
    for (size_t i = 0; i + strlen(token) <= size; i++) {
        if (memcmp(&bytes[i], token, strlen(token)) == 0) {
            fail_msg("%s has the page's token", path);
        }
    }
    return facts;
}

static bool has_number(const char *path, const char *name, int64_t number)
{
    uint8_t wanted[8];
    for (size_t i = 0; i < sizeof wanted; i++) {
        wanted[i] = (uint8_t)((uint64_t)number >> (8 * i));
    }
    return channel_of(path, name, (hy_bytes){ wanted, sizeof wanted }).has_wanted;
}

static bool has_flag(const char *path, const char *name, uint8_t flag)
{
    return channel_of(path, name, (hy_bytes){ &flag, 1 }).has_wanted;
}

static size_t count_of(const char *path, const char *name)
{
    return channel_of(path, name, (hy_bytes){ NULL, 0 }).values;
}

// --------------------------------------------------------------------------- playing

typedef struct {
    char folder[32], sim[64], core[64], view[64], script[64];
} files;

static void name_files(files *self)
{
    snprintf(self->folder, sizeof self->folder, "/tmp/halyard-logs-XXXXXX");
    assert_non_null(mkdtemp(self->folder));
    snprintf(self->sim, sizeof self->sim, "%s/sim.wpilog", self->folder);
    snprintf(self->core, sizeof self->core, "%s/core.wpilog", self->folder);
    snprintf(self->view, sizeof self->view, "%s/view.wpilog", self->folder);
    snprintf(self->script, sizeof self->script, "%s/sticks", self->folder);
    FILE *const script = fopen(self->script, "w");
    assert_non_null(script);
    fputs("0.2 start=1\n+0.3 start=0\n+0.3 quit\n", script);
    fclose(script);
}

static void remove_files(const files *self)
{
    unlink(self->sim);
    unlink(self->core);
    unlink(self->view);
    unlink(self->script);
    rmdir(self->folder);
}

static void end_program(program *self)
{
    kill(self->pid, SIGINT);
    assert_int_equal(program_end(self, NULL, 0), 0);
}

#define SHIFT "--shift", ports.shift_text

static void play(const files *at, bool reports)
{
    const char *const sim_line[] = { HALYARD_BINARY, "sim",      "--players", "1",
                                     SHIFT,          "--record", at->sim,     NULL };
    const char *const core_line[] = { HALYARD_BINARY,
                                      "core",
                                      SHIFT,
                                      "--record",
                                      at->core,
                                      reports ? "--report-sticks" : NULL,
                                      NULL };
    const char *const view_line[] = { HALYARD_BINARY, "view",     SHIFT,    "--listen",
                                      "127.0.0.1:0",  "--record", at->view, NULL };
    const char *const joystick_line[] = { HALYARD_BINARY, "joystick", SHIFT,
                                          "--script",     at->script, NULL };
    program sim = program_start(sim_line);
    assert_true(program_await(&sim, "halyard: ready", LIMIT_US));
    program view = program_start(view_line);
    char page[256];
    assert_true(program_await_ready(&view, "page", page, sizeof page, LIMIT_US));
    assert_non_null(strchr(page, '#'));
    snprintf(token, sizeof token, "%s", strchr(page, '#') + 1);
    program core = program_start(core_line);
    assert_true(program_await(&core, "sim connected", LIMIT_US));
    program joystick = program_start(joystick_line);
    assert_true(program_await(&core, "joystick connected", LIMIT_US));
    assert_int_equal(program_end(&joystick, NULL, 0), 0);
    end_program(&core);
    end_program(&view);
    end_program(&sim);
}

// --------------------------------------------------------------------------- tests

static void every_program_of_a_match_writes_a_log(void **state)
{
    (void)state;
    files at;
    name_files(&at);
    play(&at, true);
    assert_true(has_number(at.sim, BUTTONS, START) && has_number(at.sim, BUTTONS, 0));
    assert_true(has_flag(at.sim, "NT:/Match/Running", 1));

    assert_true(has_number(at.core, BUTTONS, START) && has_number(at.core, BUTTONS, 0));
    assert_true(count_of(at.core, AXES) > 0);
    assert_true(count_of(at.core, "NT:/Robot/Sensors/Pose") > 0);
    assert_true(count_of(at.core, "NT:/Robot/Commands") > 0);
    assert_true(has_flag(at.core, "DS:enabled", 1));
    const char said[] = "joystick connected";
    assert_true(channel_of(at.core, "messages", (hy_bytes){ (const uint8_t *)said, sizeof said - 1 })
                    .has_wanted);
    assert_int_equal(count_of(at.core, "systemTime"), 1);

    assert_true(count_of(at.view, "NT:/Robot/Truth/Pose") > 0);
    assert_true(count_of(at.view, "NT:/Field/Pieces") > 0);
    assert_true(has_flag(at.view, "NT:/Match/Running", 1));
    assert_false(channel_of(at.view, BUTTONS, (hy_bytes){ NULL, 0 }).exists); // no page drives
    remove_files(&at);
}

// As with an original core, which has no such option.
static void sticks_are_absent_if_the_core_does_not_report_them(void **state)
{
    (void)state;
    files at;
    name_files(&at);
    play(&at, false);
    assert_true(has_flag(at.sim, "NT:/Match/Running", 1));
    assert_false(channel_of(at.sim, BUTTONS, (hy_bytes){ NULL, 0 }).exists);
    assert_true(has_number(at.core, BUTTONS, START));
    remove_files(&at);
}

// Only its core is believed, and only what is such a message.
static void strangers_report_no_sticks(void **state)
{
    (void)state;
    files at;
    name_files(&at);
    const char *const sim_line[] = { HALYARD_BINARY, "sim",      "--players", "1",
                                     SHIFT,          "--record", at.sim,      NULL };
    program sim = program_start(sim_line);
    assert_true(program_await(&sim, "halyard: ready", LIMIT_US));
    const hy_icd_sticks sticks = { .left_x = 512 };
    uint8_t text[1024];
    const size_t size = hy_icd_write_used_sticks(&sticks, (hy_room){ text, sizeof text });
    const hy_endpoint to = match_ports_at(&ports, HY_ICD_SIM_STICKS, 1);
    hy_link stranger, core;
    match_ports_open(&ports, HY_ICD_JOYSTICK, 1, &stranger);
    match_ports_open(&ports, HY_ICD_CORE_SIM, 1, &core);
    assert_int_equal(hy_link_send(&stranger, &to, (hy_bytes){ text, size }), HY_OK);
    assert_int_equal(hy_link_send(&core, &to, (hy_bytes){ text, size - 1 }), HY_OK);
    hy_link_close(&stranger);
    hy_link_close(&core);
    usleep(SECOND_US / 5); // that nothing comes of it cannot be waited for
    end_program(&sim);
    assert_false(channel_of(at.sim, AXES, (hy_bytes){ NULL, 0 }).exists);
    remove_files(&at);
}

static void files_that_cannot_be_written(void **state)
{
    (void)state;
    static const char *const commands[] = { "core", "view" };
    for (size_t i = 0; i < 2; i++) {
        const char *const there[] = { HALYARD_BINARY, commands[i], SHIFT, "--record", "/dev", NULL };
        static char output[PROGRAM_OUTPUT_MAX];
        program refused = program_start(there);
        assert_int_equal(program_end(&refused, output, sizeof output), 2);
        assert_non_null(strstr(output, "--record /dev: the file exists already"));
        const char *const nowhere[] = { HALYARD_BINARY, commands[i],         SHIFT,
                                        "--record",     "/nowhere/a.wpilog", NULL };
        refused = program_start(nowhere);
        assert_int_equal(program_end(&refused, output, sizeof output), 1);
        assert_non_null(strstr(output, "/nowhere/a.wpilog: cannot be written"));
    }
}

static int take_ports(void **state)
{
    (void)state;
    match_ports_take(&ports);
    return 0;
}

static int give_ports_back(void **state)
{
    (void)state;
    match_ports_give_back(&ports);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_program_of_a_match_writes_a_log),
        cmocka_unit_test(sticks_are_absent_if_the_core_does_not_report_them),
        cmocka_unit_test(strangers_report_no_sticks),
        cmocka_unit_test(files_that_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, take_ports, give_ports_back);
}
