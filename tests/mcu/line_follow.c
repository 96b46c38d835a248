// The very file examples/line_follow.c on a bare microcontroller, in lock-step with a PC: this
// stands in for hy_program_main(), gives it each status that it got on the PC at the time when it
// got it, and compares every datagram that it sends with the PC's, byte for byte. The first
// argument is the trace, on the PC (line_trace.c).
#include <halyard/program.h>
#include <halyard/run.h>
#include <halyard/wire.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/program/note.h"
#include "../golden/wire_checks.h"

#define LINE_BYTES 512

static struct {
    const hy_program *program;
    hy_commander commander;
    hy_seq_gate gate;
    hy_timed_robot loop;
    hy_wire_datagram out[2];
    unsigned made, compared; // of `out`
    unsigned drives, statuses, loops, commands, moving, failures;
    bool enabled, started;
} run;

void hy_program_set_status(const char *format, ...)
{
    (void)format;
}

void program_note_outputs(const hy_outputs *out)
{
    (void)out;
}

// Nothing is recorded here.
void hy_program_put_number(const char *name, double value)
{
    (void)name, (void)value;
}

bool hy_program_tunable(const char *name, double *value, double low, double high)
{
    (void)name, (void)value, (void)low, (void)high;
    return false;
}

hy_telemetry *hy_program_telemetry(void)
{
    return NULL;
}

void hy_publish_pid(hy_telemetry *telemetry, const char *name, const hy_pid *pid)
{
    (void)telemetry, (void)name, (void)pid;
}

static void start_drive(void)
{
    hy_program_devices_init(&run.program->robots[0]);
    hy_commander_init(&run.commander, &hy_dialect_xrp);
    run.gate = (hy_seq_gate){ 0 };
    run.made = run.compared = 0;
    run.enabled = run.started = false;
    run.drives++;
}

static void hear(hy_bytes bytes, int64_t now_us)
{
    hy_wire_status status;
    hy_xrp_status_decode(bytes, &status);
    if (hy_seq_gate_accept(&run.gate, status.seq, now_us)) {
        hy_program_devices_update(&run.program->robots[0], &status, now_us);
    }
    run.statuses++;
}

static void step(int64_t now_us)
{
    if (!run.started) {
        hy_timed_robot_init(&run.loop, &run.program->loop, HY_LOOP_PERIOD_US, false, now_us);
        run.started = true;
    }
    const hy_mode mode = run.enabled ? hy_program_mode(run.program) : HY_MODE_DISABLED;
    if (!hy_timed_robot_begin(&run.loop, mode, now_us)) {
        run.failures++; // the PC's was due
        return;
    }
    hy_program_devices_command(&run.program->robots[0], &run.commander.command, now_us);
    run.made = hy_commander_write(&run.commander, now_us, run.out);
    run.compared = 0;
    hy_timed_robot_end(&run.loop, now_us);
    run.loops++;
    run.moving += run.commander.command.motor[0] != 0.0f;
}

static void compare(hy_bytes wanted, int64_t now_us)
{
    if (run.compared == run.made) {
        step(now_us);
    }
    const hy_wire_datagram *const ours = &run.out[run.compared];
    const bool same = run.compared < run.made && ours->size == wanted.size &&
                      memcmp(ours->data, wanted.data, wanted.size) == 0;
    if (!same && run.failures++ == 0) {
        printf("  drive %u: the command at %ld ms is not the PC's\n", run.drives,
               (long)(now_us / 1000));
    }
    run.compared++;
    run.commands++;
}

static void play(char *line)
{
    static uint8_t bytes[LINE_BYTES / 2];
    char *rest = strchr(line, ' ');
    if (rest == NULL) {
        if (strcmp(line, "start\n") == 0) {
            start_drive();
        } else {
            run.enabled = hy_commander_enable(&run.commander);
        }
        return;
    }
    const int64_t now_us = strtoll(rest, &rest, 10);
    const size_t size = wire_bytes_from_hex(rest + 1, (hy_room){ bytes, sizeof bytes });
    if (line[0] == 's') {
        hear((hy_bytes){ bytes, size }, now_us);
    } else {
        compare((hy_bytes){ bytes, size }, now_us);
    }
}

int hy_program_main(const hy_program *program, int argc, char **argv)
{
    static char line[LINE_BYTES];
    FILE *const trace = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (trace == NULL) {
        printf("  the trace cannot be read\n");
        return EXIT_FAILURE;
    }
    run.program = program;
    while (run.failures == 0 && fgets(line, sizeof line, trace) != NULL) {
        play(line);
    }
    printf("  examples/line_follow.c, %u drives, %u statuses in, %u loops, %u of them moving: %u "
           "commands out, %s\n",
           run.drives, run.statuses, run.loops, run.moving, run.commands,
           run.failures == 0 ? "byte for byte the PC's" : "NOT the PC's");
    return run.failures == 0 && run.moving > 1000 ? EXIT_SUCCESS : EXIT_FAILURE;
}
