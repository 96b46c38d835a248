// LINK: worldfile match world config base
// The reference simulator's robotConfig.yml: what follows "players:" is any text. It is a match with as many players as robots,
// the same whenever it is read, or one sentence.
#include <halyard/worldfile.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BEGIN "players:\n"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The bytes of what was read; NULL after one sentence.
static uint8_t *read_config(hy_bytes text, size_t *size)
{
    hy_match_spec spec;
    hy_world_error error = { "" };
    const hy_worldfile_text file = { text, "fuzz", "/nonexistent" };
    const hy_status status = hy_worldfile_parse_match(&file, &spec, &error);
    uint8_t *bytes = NULL;
    if (status == HY_OK) {
        *size = hy_world_spec_write(&spec.world, (hy_room){ NULL, 0 });
        bytes = malloc(*size);
        assert(bytes != NULL && hy_world_spec_write(&spec.world, (hy_room){ bytes, *size }) == *size);
        hy_match_model *model = NULL;
        const hy_status compiled = hy_match_compile(&spec, &model, &error);
        assert((compiled == HY_OK) == (model != NULL));
        assert(compiled == HY_OK || error.text[0] != '\0');
        hy_match_free(model);
    } else {
        assert(strncmp(error.text, "fuzz:", 5) == 0);
    }
    hy_match_spec_free(&spec);
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *const text = malloc(sizeof BEGIN - 1 + size);
    assert(text != NULL);
    memcpy(text, BEGIN, sizeof BEGIN - 1);
    memcpy(text + sizeof BEGIN - 1, data, size);
    size_t first_size = 0, second_size = 0;
    uint8_t *const first = read_config((hy_bytes){ text, sizeof BEGIN - 1 + size }, &first_size);
    uint8_t *const second = read_config((hy_bytes){ text, sizeof BEGIN - 1 + size }, &second_size);
    assert((first == NULL) == (second == NULL) && first_size == second_size);
    assert(first == NULL || memcmp(first, second, first_size) == 0);
    free(second);
    free(first);
    free(text);
    return 0;
}
