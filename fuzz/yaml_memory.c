// The memory of libyaml, which allocates for each word of a file: these four functions take the place of its own, and of most of the
// processor time of the targets that read YAML. A block still begins and ends at bytes that must not be touched, as does what was freed.
// All of it is taken again once every block has been freed, so a block that is never freed is found when the room is used up.
#include <sanitizer/asan_interface.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM  (64u << 20) // bytes; an input of a megabyte takes a third of it
#define ALIGN 16u

void *yaml_malloc(size_t size);
void *yaml_realloc(void *block, size_t size);
void yaml_free(void *block);
char *yaml_strdup(const char *text);

static _Alignas(ALIGN) uint8_t room[ROOM];
static size_t used, blocks;

// In front of each block, in bytes that nobody else may read.
__attribute__((no_sanitize("address"))) static size_t get_size(const void *block)
{
    return *(const size_t *)(const void *)((const uint8_t *)block - ALIGN);
}

__attribute__((no_sanitize("address"))) void *yaml_malloc(size_t wanted)
{
    const size_t size = wanted > 0 ? wanted : 1;
    const size_t taken = ALIGN + (size + ALIGN) / ALIGN * ALIGN; // at least a byte behind it is free
    if (size > ROOM || taken > ROOM - used) {
        fprintf(stderr, "fuzz: libyaml has %zu blocks that nobody frees\n", blocks);
        abort();
    }
    uint8_t *const begin = room + used;
    uint8_t *const block = begin + ALIGN;
    ASAN_POISON_MEMORY_REGION(begin, taken);
    *(size_t *)(void *)begin = size;
    ASAN_UNPOISON_MEMORY_REGION(block, size);
    used += taken;
    blocks++;
    return block;
}

void yaml_free(void *block)
{
    if (block == NULL) {
        return;
    }
    if (__asan_address_is_poisoned(block)) {
        fprintf(stderr, "fuzz: libyaml frees a block twice\n");
        abort();
    }
    ASAN_POISON_MEMORY_REGION(block, get_size(block));
    blocks--;
    used = blocks == 0 ? 0 : used;
}

void *yaml_realloc(void *block, size_t size)
{
    void *const moved = yaml_malloc(size);
    if (block != NULL) {
        const size_t old = get_size(block);
        memcpy(moved, block, old < size ? old : size);
        yaml_free(block);
    }
    return moved;
}

char *yaml_strdup(const char *text)
{
    const size_t size = text == NULL ? 0 : strlen(text) + 1;
    return text == NULL ? NULL : memcpy(yaml_malloc(size), text, size);
}
