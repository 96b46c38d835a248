// LINK: record sim worldfile match board config world wire base
// Any bytes are verified and shown as a recording, or refused with a sentence.
#include <halyard/record_playback.h>
#include <halyard/record_replay.h>

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hy_replay_report report;
    hy_replay_verify((hy_bytes){ data, size }, &report);
    assert(strlen(report.text) > 0);
    assert(report.result != HY_REPLAY_EQUAL || report.hashes > 0);
    assert(report.offset <= size);
    hy_playback *playback;
    hy_world_error error = { "" };
    if (hy_playback_open((hy_bytes){ data, size }, &playback, &error) == HY_OK) {
        const double length_s = hy_playback_scene(playback)->replay->length_s;
        assert(hy_playback_state(playback, length_s / 2)->replay_s <= length_s);
        (void)hy_playback_state(playback, length_s);
    } else {
        assert(strlen(error.text) > 0);
    }
    hy_playback_close(playback);
    return 0;
}
