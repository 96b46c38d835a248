// A crit-bit tree (D. J. Bernstein): a node tells two groups of names apart by the first bit in which they differ.

#include <stdlib.h>
#include <string.h>

#include "text_names.h"

// A name, and the node that was made when it was added. A child is twice an index, and one more if it is a name.
struct hy_name {
    hy_bytes name;
    size_t bit;
    uint32_t child[2];
};

// Each byte has nine bits, the first of which says that it is there: no name is the begin of another then.
static unsigned bit_at(hy_bytes name, size_t bit)
{
    const size_t byte = bit / 9;
    return byte < name.size && (bit % 9 == 0 || (name.data[byte] >> (8 - bit % 9) & 1) != 0);
}

static bool are_equal(hy_bytes a, hy_bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

// The name that is this one if it is there.
static uint32_t find_candidate(const hy_names *self, hy_bytes name)
{
    uint32_t at = self->root;
    while (at % 2 == 0) {
        at = self->names[at / 2].child[bit_at(name, self->names[at / 2].bit)];
    }
    return at / 2;
}

uint32_t hy_names_find(const hy_names *self, hy_bytes name)
{
    const uint32_t found = self->count > 0 ? find_candidate(self, name) : 0;
    return self->count > 0 && are_equal(self->names[found].name, name) ? found + 1 : 0;
}

static bool make_room(hy_names *self)
{
    if (self->count < self->room) {
        return true;
    }
    const uint32_t room = self->room < UINT32_MAX / 8 ? self->room * 2 + 64 : 0;
    struct hy_name *const names = room > 0 ? realloc(self->names, room * sizeof *names) : NULL;
    if (names == NULL) { // coverage: memory ran out
        return false;
    }
    self->names = names;
    self->room = room;
    return true;
}

static size_t first_difference(hy_bytes a, hy_bytes b)
{
    size_t bit = 0;
    while (bit / 9 < a.size && bit / 9 < b.size && a.data[bit / 9] == b.data[bit / 9]) {
        bit += 9;
    }
    while (bit_at(a, bit) == bit_at(b, bit)) {
        bit++;
    }
    return bit;
}

uint32_t hy_names_add(hy_names *self, hy_bytes name)
{
    const uint32_t found = hy_names_find(self, name);
    if (found > 0 || !make_room(self)) {
        return found;
    }
    const uint32_t leaf = 2 * self->count + 1;
    struct hy_name *const added = &self->names[self->count];
    added->name = name;
    if (self->count == 0) {
        self->root = leaf;
    } else {
        added->bit = first_difference(name, self->names[find_candidate(self, name)].name);
        uint32_t *at = &self->root;
        while (*at % 2 == 0 && self->names[*at / 2].bit < added->bit) {
            at = &self->names[*at / 2].child[bit_at(name, self->names[*at / 2].bit)];
        }
        const unsigned side = bit_at(name, added->bit);
        added->child[side] = leaf;
        added->child[1 - side] = *at;
        *at = 2 * self->count;
    }
    return ++self->count;
}

void hy_names_free(hy_names *self)
{
    free(self->names);
    *self = (hy_names){ .names = NULL };
}
