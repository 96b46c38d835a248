// LINK: robot text link base
// Lines that programs print when they are ready: the first byte says how long the key is, then come the key and the line.
// A value that is found stands in the line behind its key and has no blank in it.
#include "../src/host/host_ready.c"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *copy_text(const uint8_t *bytes, size_t size)
{
    char *const text = malloc(size + 1);
    assert(text != NULL);
    memcpy(text, bytes, size);
    text[size] = '\0';
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const size_t key_size = data[0] % 16 < size - 1 ? data[0] % 16 : size - 1;
    char *const key = copy_text(data + 1, key_size);
    char *const line = copy_text(data + 1 + key_size, size - 1 - key_size);
    for (size_t room = 1; room <= 64; room *= 4) {
        char value[64];
        if (!hy_ready_line_find(line, key, value, room)) {
            assert(value[0] == '\0');
            continue;
        }
        assert(hy_ready_line_is(line) && strlen(value) < room && strchr(value, ' ') == NULL);
        char pair[HY_READY_LINE_MAX];
        assert(snprintf(pair, sizeof pair, " %s=%s", key, value) > 1 && strstr(line, pair) != NULL);
    }
    free(line);
    free(key);
    return 0;
}
