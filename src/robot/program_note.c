#include "program_note.h"

#include <halyard/robot_program.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Of the run that this thread is in: hy_program_say() has no argument for it.
static _Thread_local program_note *current;

program_note *program_note_use(program_note *note)
{
    program_note *const before = current;
    current = note;
    return before;
}

void hy_program_say(const char *format, ...)
{
    char text[PROGRAM_NOTE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (current != NULL) {
        current->has_changed = current->has_changed || strcmp(text, current->text) != 0;
        memcpy(current->text, text, sizeof text);
    }
}
