// LINK: player icd text base
// Scripts of game pads: any bytes are a script whose steps are in order and in range, or one sentence that names the line.
#include <halyard/player.h>

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_sticks(const hy_icd_sticks *sticks)
{
#define IN_RANGE(name_, member_, type_, low_, high_) \
    assert(sticks->member_ >= (low_) && sticks->member_ <= (high_));
    HY_PLAYER_SCRIPT_KEYS(IN_RANGE)
#undef IN_RANGE
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hy_player_script script = { 0 };
    char text[256] = "";
    const hy_status status = hy_player_script_parse(&script, (hy_bytes){ data, size }, "fuzz",
                                                    (hy_player_error){ text, sizeof text });
    if (status != HY_OK) {
        assert(status == HY_EFORMAT && strncmp(text, "fuzz:", 5) == 0);
        assert(script.count == 0);
        return 0;
    }
    double before_s = 0.0;
    for (size_t i = 0; i < script.count; i++) {
        assert(script.steps[i].time_s >= before_s && script.steps[i].time_s <= script.end_s);
        before_s = script.steps[i].time_s;
        check_sticks(&script.steps[i].sticks);
        const hy_icd_sticks now = hy_player_script_at(&script, script.steps[i].time_s);
        check_sticks(&now);
    }
    hy_player_script_free(&script);
    return 0;
}
