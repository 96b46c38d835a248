#include "program_say.h"

#include <halyard/robot_program.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static char note[PROGRAM_NOTE_MAX];
static bool is_new;

void hy_program_say(const char *format, ...)
{
    char text[PROGRAM_NOTE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    is_new = is_new || strcmp(text, note) != 0;
    memcpy(note, text, sizeof note);
}

const char *program_said(void)
{
    return note;
}

const char *program_take_said(void)
{
    const bool was_new = is_new;
    is_new = false;
    return was_new ? note : NULL;
}

void program_say_nothing(void)
{
    note[0] = '\0';
    is_new = false;
}
