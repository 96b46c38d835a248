// LINK: record sim worldfile match board config world wire base
// Any bytes are verified as a recording, or refused with a sentence.
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
    return 0;
}
