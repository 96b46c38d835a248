/// @file stderr_text.h
/// What a function says on stderr, as text.
#ifndef HALYARD_TESTS_STDERR_TEXT_H
#define HALYARD_TESTS_STDERR_TEXT_H

#include <assert.h>
#include <stdio.h>
#include <unistd.h>

typedef struct {
    FILE *file;
    int before;
    char text[1024];
} stderr_text;

/// From here on stderr goes to a file, until stderr_text_end().
static inline stderr_text stderr_text_begin(void)
{
    fflush(stderr);
    stderr_text self = { .file = tmpfile(), .before = dup(STDERR_FILENO) };
    assert(self.file != NULL && self.before >= 0);
    dup2(fileno(self.file), STDERR_FILENO);
    return self;
}

/// Gives stderr back; what was said is in `text`.
static inline void stderr_text_end(stderr_text *self)
{
    fflush(stderr);
    dup2(self->before, STDERR_FILENO);
    close(self->before);
    rewind(self->file);
    self->text[fread(self->text, 1, sizeof self->text - 1, self->file)] = '\0';
    fclose(self->file);
}

#endif
