
#include <string.h>

#include "text.h"

#define NAME_MAX_SIZE 63 // longer names are not compared

static int lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter;
}

bool hy_text_begins_alike(const char *a, const char *b, size_t size)
{
    size_t i = 0;
    while (i < size && a[i] != '\0' && lower(a[i]) == lower(b[i])) {
        i++;
    }
    return i == size || lower(a[i]) == lower(b[i]);
}

bool hy_text_is_alike(const char *a, const char *b)
{
    return hy_text_begins_alike(a, b, SIZE_MAX);
}

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

hy_suggestion hy_suggestion_start(const char *typed, size_t size)
{
    const unsigned wrong_letters = size < 4 ? 1 : size < 9 ? 2 : (unsigned)size / 3;
    return (hy_suggestion){ .typed = typed, .size = size, .distance = wrong_letters + 1 };
}

void hy_suggestion_consider(hy_suggestion *self, const char *name)
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
