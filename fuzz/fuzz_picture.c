// LINK: worldfile match world config base
// PNG pictures as mats: a mat with all its cells, or none and a reason. The checksums of the input are made right, without which
// libpng looks at nothing; its last byte decides whether they are.
#define _GNU_SOURCE
#include "../src/worldfile/read.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEAD 8 // a PNG's first bytes; then chunks of [size][name][content][checksum]

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t checksum_of(const uint8_t *bytes, size_t size)
{
    uint32_t sum = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320u : 0);
        }
    }
    return ~sum;
}

static uint32_t get_u32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void mend_checksums(uint8_t *bytes, size_t size)
{
    for (size_t at = HEAD; at + 12 <= size && get_u32(bytes + at) <= size - at - 12;) {
        const size_t content = get_u32(bytes + at);
        const uint32_t sum = checksum_of(bytes + at + 4, content + 4);
        for (size_t i = 0; i < 4; i++) {
            bytes[at + 8 + content + i] = (uint8_t)(sum >> (24 - 8 * i));
        }
        at += content + 12;
    }
}

static void read_file(const char *path)
{
    hy_mat_spec mat = { .cells = NULL };
    const char *why = NULL;
    const hy_status status = hy_read_picture(path, &mat, &why);
    assert((status == HY_OK) == (mat.cells != NULL));
    assert(status == HY_OK || (why != NULL && why[0] != '\0'));
    uint64_t sum = 0;
    for (size_t i = 0; status == HY_OK && i < mat.columns * mat.rows; i++) {
        sum += mat.cells[i];
    }
    assert(status != HY_OK || sum <= 255 * (uint64_t)HY_MAT_CELLS);
    free(mat.cells);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // A large picture takes a second to unpack, whatever is in it.
    if (size < HEAD + 24 || get_u32(data + HEAD + 8) > 512 || get_u32(data + HEAD + 12) > 512) {
        return 0;
    }
    uint8_t *const bytes = malloc(size);
    assert(bytes != NULL);
    memcpy(bytes, data, size);
    if (data[size - 1] % 8 != 7) {
        mend_checksums(bytes, size - 1);
    }
    char path[32];
    const int file = memfd_create("picture", 0);
    assert(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    read_file(path);
    (void)close(file);
    free(bytes);
    return 0;
}
