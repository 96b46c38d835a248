// LINK: wire base
// Any bytes, through both dialects: what wire_invariants.h says holds. In short: iterator, writer and
// both codecs agree with a second, plainer decoder, and what was decoded encodes to a fixed point.
#include <halyard/wire.h>
#include <stdio.h>
#include <stdlib.h>

#include "../tests/golden/wire_invariants.c" // a fuzz target is one file

#define INTERESTING_MAX 512 // longer ones repeat themselves, slowly

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *broken =
        size > INTERESTING_MAX ? NULL : wire_broken_invariant((hy_bytes){ data, size });
    if (broken != NULL) {
        fprintf(stderr, "%s\n", broken);
        abort();
    }
    return 0;
}
