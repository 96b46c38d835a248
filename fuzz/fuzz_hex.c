// LINK: base
// What follows `halyard dump --hex`: bytes, or one sentence. Bytes that are read and printed are read again as the same.
#include "../apps/tools/hex.c"

#include <assert.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *print_bytes(const uint8_t *bytes, size_t size)
{
    char *const text = malloc(3 * size + 1);
    assert(text != NULL);
    text[0] = '\0';
    for (size_t i = 0; i < size; i++) {
        (void)snprintf(text + 3 * i, 4, "%02x ", bytes[i]);
    }
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t bytes[64], again[64];
    hex_error error = { "" };
    char *const text = malloc(size + 1);
    assert(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    const int count = hex_read(text, bytes, sizeof bytes, &error);
    assert(count <= (int)sizeof bytes && (count < 0) == (error.text[0] != '\0'));
    if (count >= 0) {
        char *const printed = print_bytes(bytes, (size_t)count);
        assert(hex_read(printed, again, sizeof again, &error) == count);
        assert(memcmp(bytes, again, (size_t)count) == 0);
        free(printed);
    }
    free(text);
    return 0;
}
