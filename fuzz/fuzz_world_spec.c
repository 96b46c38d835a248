// LINK: match world base
// Any bytes are a spec or are refused. A spec of the newest version gives the same bytes when it is written, an older one more;
// and it compiles or is refused with one sentence.
#include <halyard/match.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define VERSION_OFFSET   4    // SPEC world-spec 1
#define NEWER_FIELDS_MAX 4096 // bytes of the fields that version 1 lacks, of all vehicles

// The version that is written.
static uint8_t newest_version(void)
{
    static hy_world_spec empty;
    uint8_t head[VERSION_OFFSET + 2] = { 0 };
    hy_world_spec_init(&empty);
    hy_world_spec_write(&empty, (hy_room){ head, sizeof head });
    return head[VERSION_OFFSET];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static hy_world_spec spec;
    if (hy_world_spec_read((hy_bytes){ data, size }, &spec) != HY_OK) {
        return 0;
    }
    // What an older version's bytes lack is written as zeros.
    const bool is_older = data[VERSION_OFFSET] < newest_version();
    const size_t room = is_older ? size + NEWER_FIELDS_MAX : size;
    uint8_t *const again = malloc(room);
    assert(again != NULL);
    const size_t written = hy_world_spec_write(&spec, (hy_room){ again, room });
    assert(is_older ? written >= size : written == size && memcmp(again, data, size) == 0);
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
