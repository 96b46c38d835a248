// --tunables and --save-tunables: the numbers that a dashboard found, kept in a YAML file from one run to the next.
#ifndef HALYARD_PROGRAM_SAVED_H
#define HALYARD_PROGRAM_SAVED_H

#include <halyard/run.h>

#define PROGRAM_SAVED_ERROR_MAX 300 // bytes of a sentence

typedef struct program_saved program_saved;

// Reads the file at `path`; HY_OK, or a sentence in `error`, with the line. Without a path `*out` is NULL, as after an error. The
// caller frees it with free().
hy_status program_saved_read(const char *path, program_saved **out,
                             char error[PROGRAM_SAVED_ERROR_MAX]);

// Sets `*value` to what `name` was saved with; leaves it if that is not in the file. `self` may be NULL.
void program_saved_apply(const program_saved *self, const char *name, double *value);

// How many tunables there are, and the name and value of one. `self` may be NULL.
size_t program_saved_count(const program_saved *self);
const char *program_saved_at(const program_saved *self, size_t index, double *value);

// Adds one to `*self`, which is allocated if it is NULL. False: no memory, or there are HY_TUNABLES_MAX.
bool program_saved_add(program_saved **self, const char *name, double value);

// Writes all tunables to the file at `path`, which is replaced as a whole or not at all; without a path does nothing. HY_OK, or a
// sentence in `error`.
hy_status program_saved_write(const char *path, const hy_tunables *tunables,
                              char error[PROGRAM_SAVED_ERROR_MAX]);

#endif
