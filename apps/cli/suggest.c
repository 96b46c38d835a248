#include "suggest.h"

#include <string.h>

#define NAME_MAX_SIZE 32 // longer names are not compared
#define SHORT_SIZE    4  // shorter names may have one letter wrong

static unsigned smallest(unsigned a, unsigned b, unsigned c)
{
    const unsigned least = a < b ? a : b;
    return least < c ? least : c;
}

// Levenshtein distance: the letters to insert, remove or replace. Computed row by row (Wagner and Fischer 1974). Needs both sizes
// to be at most NAME_MAX_SIZE.
static unsigned edit_distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
    unsigned row[NAME_MAX_SIZE + 1];
    for (size_t k = 0; k <= b_size; k++) {
        row[k] = (unsigned)k;
    }
    for (size_t i = 1; i <= a_size; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t k = 1; k <= b_size; k++) {
            const unsigned above = row[k];
            row[k] = smallest(above + 1, row[k - 1] + 1, diagonal + (a[i - 1] != b[k - 1] ? 1 : 0));
            diagonal = above;
        }
    }
    return row[b_size];
}

suggestion suggestion_start(const char *typed, size_t size)
{
    return (suggestion){ .typed = typed, .size = size, .distance = size < SHORT_SIZE ? 2 : 3 };
}

void suggestion_consider(suggestion *self, const char *name)
{
    const size_t size = strlen(name);
    if (size > NAME_MAX_SIZE || self->size > NAME_MAX_SIZE) {
        return;
    }
    const bool is_prefix =
        self->size >= 2 && size >= self->size && memcmp(name, self->typed, self->size) == 0;
    const unsigned distance = is_prefix ? 1 : edit_distance(self->typed, self->size, name, size);
    if (distance < self->distance) {
        self->distance = distance;
        self->name = name;
    }
}
