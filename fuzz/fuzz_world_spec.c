// LINK: match world base
// Any bytes are a spec or are refused. A spec that is read gives the same bytes when it is written, and compiles or is
// refused with one sentence.
#include <halyard/match.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static hy_world_spec spec;
    if (hy_world_spec_read((hy_bytes){ data, size }, &spec) != HY_OK) {
        return 0;
    }
    uint8_t *again = malloc(size);
    assert(again != NULL);
    assert(hy_world_spec_write(&spec, (hy_room){ again, size }) == size);
    assert(memcmp(again, data, size) == 0);
    free(again);
    hy_world_model *model;
    hy_world_error error;
    const hy_status status = hy_world_compile(&spec, &model, &error);
    assert((status == HY_OK) == (model != NULL));
    assert(status == HY_OK || error.text[0] != '\0');
    hy_world_free(model);
    hy_world_spec_free(&spec);
    return 0;
}
