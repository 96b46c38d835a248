// The memory of large blocks, for targets that need some for each input: AddressSanitizer has the system map and forget each of them,
// which takes half of the processor time of such a target. The linker puts these functions in the place of malloc() and its like in
// all that is linked statically (--wrap), and they use the same memory again. A block still lies between bytes that must not be touched;
// one that was freed must not be touched until its memory is used again; one that is never freed is found when all are in use.
#include <sanitizer/allocator_interface.h>
#include <sanitizer/asan_interface.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGE  100000u // bytes; the sanitizer keeps smaller blocks itself
#define ROOM   (4u << 20)
#define BLOCKS 32u
#define EDGE   4096u // bytes before and behind

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

static uint8_t room[BLOCKS][EDGE + ROOM + EDGE];
static size_t size_of[BLOCKS]; // 0: free

static bool is_here(const void *block)
{
    const uintptr_t at = (uintptr_t)block;
    return at >= (uintptr_t)room && at < (uintptr_t)room + sizeof room;
}

static size_t index_of(const void *block)
{
    return ((uintptr_t)block - (uintptr_t)room) / sizeof room[0];
}

static bool fits(size_t size)
{
    return size >= LARGE && size <= ROOM;
}

static void *take(size_t size)
{
    for (size_t at = 0; at < BLOCKS;
         at++) { // the first one that is free: it may still be in the processor's cache
        if (size_of[at] == 0) {
            uint8_t *const block = room[at] + EDGE;
            size_of[at] = size;
            ASAN_POISON_MEMORY_REGION(room[at], EDGE);
            ASAN_UNPOISON_MEMORY_REGION(block, size);
            ASAN_POISON_MEMORY_REGION(block + (size + 7) / 8 * 8, EDGE);
            return block;
        }
    }
    fprintf(stderr, "fuzz: %u large blocks that nobody frees\n", BLOCKS);
    abort();
}

static void give_back(void *block)
{
    const size_t at = index_of(block);
    if (block != room[at] + EDGE || size_of[at] == 0) {
        fprintf(stderr, "fuzz: free() of %p, which is no block, or was freed before\n", block);
        abort();
    }
    memset(block, 0, size_of[at]); // what it pointed to is lost now, if nobody frees it
    ASAN_POISON_MEMORY_REGION(block, size_of[at]);
    size_of[at] = 0;
}

void *__wrap_malloc(size_t size)
{
    return fits(size) ? take(size) : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    if (size == 0 || count > ROOM / size || !fits(count * size)) {
        return __real_calloc(count, size);
    }
    return take(count * size); // of zeros, as each block was left
}

void *__wrap_realloc(void *block, size_t size)
{
    const bool was_here = is_here(block);
    if (block == NULL) {
        return __wrap_malloc(size);
    }
    if (!was_here && !fits(size)) {
        return __real_realloc(block, size);
    }
    void *const moved = __wrap_malloc(size);
    if (moved != NULL) {
        const size_t old =
            was_here ? size_of[index_of(block)] : __sanitizer_get_allocated_size(block);
        memcpy(moved, block, old < size ? old : size);
        __wrap_free(block);
    }
    return moved;
}

void __wrap_free(void *block)
{
    if (is_here(block)) {
        give_back(block);
    } else {
        __real_free(block);
    }
}
