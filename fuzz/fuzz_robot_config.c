// LINK: worldfile match world config base
// The reference simulator's robotConfig.yml: what follows "players:" is any text. It is a match with as many players as robots,
// the same whenever it is read, or one sentence.
#include <halyard/worldfile.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BEGIN "players:\n"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compile(const hy_match_spec *spec)
{
    hy_match_model *model = NULL;
    hy_world_error error = { "" };
    const hy_status status = hy_match_compile(spec, &model, &error);
    assert((status == HY_OK) == (model != NULL));
    assert(status == HY_OK || error.text[0] != '\0');
    hy_match_free(model);
}

// The bytes of what was read; NULL after one sentence.
static uint8_t *read_config(hy_bytes text, bool is_compiled, size_t *size)
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
        if (is_compiled) {
            compile(&spec);
        }
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
    const hy_bytes file = { text, sizeof BEGIN - 1 + size };
    size_t first_size = 0, second_size = 0;
    uint8_t *const first = read_config(file, true, &first_size);
    if (first != NULL) {
        uint8_t *const second = read_config(file, false, &second_size);
        assert(second != NULL && first_size == second_size);
        assert(memcmp(first, second, first_size) == 0);
        free(second);
    }
    free(first);
    free(text);
    return 0;
}
