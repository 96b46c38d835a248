#include "icd_print.h"
#include "text/text_plain.h"

#define TEXT_MAX 200 // characters of a message; one with lidar points has 60,000

static const struct {
    hy_icd_port port;
    const char *name;
} messages[] = {
    { HY_ICD_JOYSTICK, "heartbeat of the core" },
    { HY_ICD_CORE_JOYSTICK, "sticks" },
    { HY_ICD_CORE_SIM, "sensors" },
    { HY_ICD_SIM_CORE, "commands" },
    { HY_ICD_SIM_VIEW, "heartbeat of the view" },
    { HY_ICD_VIEW, "match" },
    { HY_ICD_VIEW_STATUS, "status of the sim" },
    { HY_ICD_SIM_STICKS, "sticks that the core used" },
};

static const char *name_of(hy_icd_port port)
{
    return messages[(unsigned)port / 2000 - 1].name;
}

static bool is_blank(uint8_t c) // SPEC RFC 8259 2
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool icd_print_find(uint16_t to, hy_bytes bytes, icd_print_meaning *out)
{
    size_t first = 0;
    while (first < bytes.size && is_blank(bytes.data[first])) {
        first++;
    }
    if (first == bytes.size || bytes.data[first] != '{') {
        return false;
    }
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        for (unsigned player = 1; player <= HY_ICD_PLAYERS; player++) {
            if (hy_icd_port_of(messages[i].port, player) == to) {
                *out = (icd_print_meaning){ messages[i].port, player };
                return true;
            }
        }
    }
    return false;
}

// Why a message is refused; NULL: it is not.
static const char *error_of(hy_icd_reader *reader, hy_icd_port port, hy_bytes bytes)
{
    static union {
        hy_icd_sticks sticks;
        hy_icd_commands commands;
        hy_icd_sensors sensors;
        hy_icd_match match;
        hy_icd_status status;
    } value;
    hy_status status = HY_OK;
    switch (port) {
    case HY_ICD_JOYSTICK:
    case HY_ICD_SIM_VIEW: status = hy_icd_read_heartbeat(reader, bytes); break;
    case HY_ICD_CORE_JOYSTICK: status = hy_icd_read_sticks(reader, bytes, &value.sticks); break;
    case HY_ICD_CORE_SIM: status = hy_icd_read_sensors(reader, bytes, &value.sensors); break;
    case HY_ICD_SIM_CORE: status = hy_icd_read_commands(reader, bytes, &value.commands); break;
    case HY_ICD_VIEW: status = hy_icd_read_match(reader, bytes, &value.match); break;
    case HY_ICD_SIM_STICKS: status = hy_icd_read_used_sticks(reader, bytes, &value.sticks); break;
    case HY_ICD_VIEW_STATUS: status = hy_icd_read_status(reader, bytes, &value.status); break;
    }
    return status != HY_OK ? hy_icd_reader_why(reader) : NULL;
}

// The first `size` bytes on one line: ends of lines, which JSON has only between its values, are left out with the blanks
// behind them.
static void print_line(FILE *out, hy_bytes bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t end = at;
        while (end < size && (bytes.data[end] == ' ' || !is_blank(bytes.data[end]))) {
            end++;
        }
        hy_print_plain(out, (hy_bytes){ bytes.data + at, end - at }, "");
        at = end;
        if (at < size && bytes.data[at] == '\t') {
            fputc(' ', out);
            at++;
        } else {
            while (at < size && is_blank(bytes.data[at])) {
                at++;
            }
        }
    }
}

void icd_print_json(FILE *out, hy_icd_reader *reader, icd_print_meaning meaning, hy_bytes bytes)
{
    const char *const error = error_of(reader, meaning.port, bytes);
    hy_print(out, "{\"message\":\"%s\",\"player\":%u,\"body\":", name_of(meaning.port),
             meaning.player);
    if (error == NULL) {
        print_line(out, bytes, bytes.size);
        fputs(",\"error\":null}\n", out);
    } else {
        hy_print(out, "null,\"error\":\"%s\"}\n", error);
    }
}

void icd_print_text(FILE *out, hy_icd_reader *reader, icd_print_meaning meaning, hy_bytes bytes,
                    const char *title)
{
    const char *const error = error_of(reader, meaning.port, bytes);
    const bool is_cut = bytes.size > TEXT_MAX;
    hy_print(out, "%s  %s, player %u, %zu bytes\n", title, name_of(meaning.port), meaning.player,
             bytes.size);
    fputs("  ", out);
    print_line(out, bytes, is_cut ? TEXT_MAX : bytes.size);
    fputs(is_cut ? " ...\n" : "\n", out);
    if (error != NULL) {
        hy_print(out, "  refused: %s\n", error);
    }
}
