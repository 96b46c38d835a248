// LINK: icd text base
// Any text is a message or is refused with a reason. What was read writes and reads back equal, in both
// forms of the interface, however many messages that takes.
#include "../tests/support/icd_round.h"

#include <assert.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static icd_round round;
    if (round.first == NULL) {
        round.first = hy_icd_reader_open();
        round.second = hy_icd_reader_open();
        assert(round.first != NULL && round.second != NULL);
    }
    const char *const wrong = icd_round_all(&round, (hy_bytes){ data, size });
    if (wrong != NULL) {
        fprintf(stderr, "%s\n", wrong);
    }
    assert(wrong == NULL);
    return 0;
}
