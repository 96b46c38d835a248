// All golden vectors on a bare microcontroller: the same checks as on a PC, at every alignment, the
// elementary functions to the bit, and how much stack the codecs take. The first argument is the folder of the vectors, on the PC.
#include <halyard/wire.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../golden/wire_checks.h"
#include "../support/base_bits.h"

#define LINE_BYTES  1280
#define STACK_PAINT 0xA5
#define STACK_BYTES 1024 // painted below the caller of a codec

typedef const char *(*checker)(const hy_dialect *dialect, hy_bytes datagram, const char *fields);

static const struct {
    const char *file;
    const hy_dialect *dialect;
    checker check;
} sources[] = {
    { "xrp/command.expected", &hy_dialect_xrp, wire_check_command },
    { "xrp/edge.expected", &hy_dialect_xrp, wire_check_command },
    { "xrp/status.expected", &hy_dialect_xrp, wire_check_status },
    { "wpilib/command.expected", &hy_dialect_xrp, wire_check_command },
    { "wpilib/status.expected", &hy_dialect_xrp, wire_check_status },
    { "teensy/command.expected", &hy_dialect_teensy, wire_check_command },
    { "teensy/status.expected", &hy_dialect_teensy, wire_check_status },
};

static unsigned vectors, failures;

static void check_line(size_t source, char *line)
{
    static _Alignas(4) uint8_t bytes[512 + 3];
    char *hex = strchr(line, '|');
    char *fields = hex == NULL ? NULL : strchr(hex + 1, '|');
    if (line[0] == '#' || fields == NULL) {
        return;
    }
    fields[strcspn(fields, "\r\n")] = '\0';
    hex += 1 + strspn(hex + 1, " ");
    vectors++;
    for (size_t shift = 0; shift < 4; shift++) { // a core without unaligned loads must not notice
        const size_t size = wire_bytes_from_hex(hex, (hy_room){ bytes + shift, 512 });
        const hy_bytes datagram = { bytes + shift, size };
        const char *wrong = sources[source].check(sources[source].dialect, datagram, fields + 1);
        if (wrong != NULL) {
            failures++;
            printf("%s: %.40s: differs in: %s\n", sources[source].file, line, wrong);
        }
    }
}

static bool check_file(size_t source, const char *folder)
{
    static char line[LINE_BYTES];
    snprintf(line, sizeof line, "%s/%s", folder, sources[source].file);
    FILE *f = fopen(line, "r");
    if (f == NULL) {
        printf("%s cannot be read\n", line);
        return false;
    }
    while (fgets(line, sizeof line, f) != NULL) {
        check_line(source, line);
    }
    fclose(f);
    return true;
}

// --------------------------------------------------------------------------- stack

static hy_wire_command command;
static hy_wire_status status;
static uint8_t packet[HY_WIRE_STATUS_MAX];
static size_t packet_size;
static hy_commander commander;
static hy_wire_datagram datagrams[2];

static void run_command_encode(void)
{
    packet_size = hy_xrp_command_encode(&command, (hy_room){ packet, sizeof packet });
}

static void run_command_decode(void)
{
    hy_xrp_command_decode((hy_bytes){ packet, packet_size }, &command);
}

static void run_status_encode(void)
{
    packet_size = hy_xrp_status_encode(&status, (hy_room){ packet, sizeof packet });
}

static void run_status_decode(void)
{
    hy_xrp_status_decode((hy_bytes){ packet, packet_size }, &status);
}

static void run_commander_write(void)
{
    hy_commander_write(&commander, 0, datagrams);
}

/// Paints the memory below the stack and sees how far down `run` scratched the paint off.
__attribute__((noinline)) static unsigned stack_of(void (*run)(void))
{
    uintptr_t stack_pointer;
    __asm__ volatile("mov %0, sp" : "=r"(stack_pointer));
    volatile uint8_t *const top = (volatile uint8_t *)stack_pointer;
    volatile uint8_t *const bottom = top - STACK_BYTES;
    for (volatile uint8_t *p = bottom; p < top; p++) {
        *p = STACK_PAINT;
    }
    run();
    volatile uint8_t *p = bottom;
    while (p < top && *p == STACK_PAINT) {
        p++;
    }
    return (unsigned)(top - p);
}

static void print_stacks(void)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } runs[] = {
        { "command encode", run_command_encode },   { "command decode", run_command_decode },
        { "status encode", run_status_encode },     { "status decode", run_status_decode },
        { "commander write", run_commander_write },
    };
    command = (hy_wire_command){ .motors = 0x0F, .servos = 0x0F, .dios = UINT32_MAX };
    status = (hy_wire_status){
        .encoders = 0x0F, .analogs = 0xFF, .has_gyro = true, .has_accel = true, .dios = 1
    };
    hy_commander_init(&commander, &hy_dialect_xrp);
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        printf("  stack of %-16s %u bytes\n", runs[i].name, stack_of(runs[i].run));
    }
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : ".";
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        if (!check_file(i, folder)) {
            return EXIT_FAILURE;
        }
    }
    const bool same_bits = base_bits(BASE_BITS_SHORT_ROUNDS) == BASE_BITS_SHORT;
    printf("  elementary functions of base: %s\n", same_bits ? "the bits of a PC" : "OTHER BITS");
    print_stacks();
    printf("  %u vectors at 4 alignments, %u failures\n", vectors, failures);
    return vectors == 0 || failures != 0 || !same_bits ? EXIT_FAILURE : EXIT_SUCCESS;
}
