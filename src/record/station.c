// Whether robots are enabled, as the driver station of WPILib 2026 or 2027 tells it: docs/spec/nt4.md.
#include <halyard/telemetry.h>

#include <stdio.h>

#include "record.h"

// FMSControlData: bits of an int.
enum { DATA_ENABLED = 1, DATA_AUTONOMOUS = 2, DATA_TEST = 4, DATA_ATTACHED = 32 };

// ControlWord: bits behind the 56 of the operation mode's hash, of which 0 is none.
#define WORD_AUTONOMOUS (UINT64_C(1) << 56)
#define WORD_TELEOP     (UINT64_C(2) << 56)
#define WORD_UTILITY    (UINT64_C(3) << 56)
#define WORD_ENABLED    (UINT64_C(1) << 58)
#define WORD_ATTACHED   (UINT64_C(1) << 61)

static hy_channel declare(hy_telemetry *telemetry, const char *key, hy_channel_kind kind)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s/%s", hy_telemetry_names(telemetry)->station, key);
    const hy_channel_spec spec = {
        .name = name,
        .kind = kind,
        .type = kind == HY_CHANNEL_STRUCT ? &hy_struct_control_word : NULL,
        .rate = HY_CHANNEL_ON_CHANGE,
    };
    return hy_telemetry_declare(telemetry, &spec);
}

static void put_type(hy_telemetry *telemetry)
{
    const char *const station = hy_telemetry_names(telemetry)->station;
    char name[64];
    (void)snprintf(name, sizeof name, "%s/.type", station);
    if (hy_telemetry_find(telemetry, name) == 0) {
        hy_telemetry_put_text(telemetry, declare(telemetry, ".type", HY_CHANNEL_STRING), station + 1);
    }
}

void hy_record_station(hy_telemetry *telemetry, bool is_enabled, hy_station_mode mode)
{
    static const struct {
        int64_t data;
        uint64_t word;
    } modes[] = {
        [HY_STATION_TELEOP] = { 0, WORD_TELEOP },
        [HY_STATION_AUTONOMOUS] = { DATA_AUTONOMOUS, WORD_AUTONOMOUS },
        [HY_STATION_TEST] = { DATA_TEST, WORD_UTILITY },
    };
    put_type(telemetry);
    if (!hy_telemetry_names(telemetry)->has_structs) {
        hy_telemetry_put_int64(telemetry, declare(telemetry, "FMSControlData", HY_CHANNEL_INT64),
                               modes[mode].data | DATA_ATTACHED | (is_enabled ? DATA_ENABLED : 0));
        return;
    }
    const hy_telemetry_control_word word = { modes[mode].word | WORD_ATTACHED |
                                             (is_enabled ? WORD_ENABLED : 0) };
    hy_telemetry_put_struct(telemetry, declare(telemetry, "ControlWord", HY_CHANNEL_STRUCT), &word);
}
