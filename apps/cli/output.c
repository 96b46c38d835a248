#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "system/system_terminal.h"
#include "text/text_plain.h"

void output_open(output *self)
{
    *self = (output){ .handle = hy_terminal_open_output() };
    fflush(stdout); // the order of lines stays
}

void output_line(output *self, const char *format, ...)
{
    char line[OUTPUT_LINE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    const size_t length = strlen(line);
    for (size_t at = 0, size; at < length; at += size) {
        bool is_plain;
        size = hy_plain_next((hy_bytes){ (const uint8_t *)line + at, length - at }, &is_plain);
        memset(line + at, is_plain ? line[at] : '?', is_plain ? 1 : size);
    }
    line[length] = '\n';
    if (self->error == 0 &&
        !hy_terminal_try_output(self->handle, (hy_bytes){ (const uint8_t *)line, length + 1 })) {
        self->error = errno;
        self->dropped++;
    }
}

void output_close(output *self)
{
    hy_terminal_close_output(self->handle);
}

bool output_complain(const output *self, const char *command)
{
    if (self->error != 0) {
        hy_print_error(command, "cannot write to stdout: %s", strerror(self->error));
    } else if (self->dropped > 0) {
        hy_print_error(command, "%" PRIu64 " lines are lost: nobody read stdout", self->dropped);
    }
    return self->error == 0;
}
