#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "input/input.h"
#include "text/text_plain.h"

void output_open(output *self)
{
    const int own = hy_terminal_reopen();
    *self = (output){ .descriptor = own >= 0 ? own : STDOUT_FILENO };
    fflush(stdout); // the order of lines stays
}

// A pipe that is ready has room for a whole line; what is ready because it is broken says so.
static bool write_now(output *self, const char *bytes, size_t size)
{
    struct pollfd room = { .fd = self->descriptor, .events = POLLOUT };
    if (poll(&room, 1, 0) <= 0) {
        return false;
    }
    const ssize_t written = write(self->descriptor, bytes, size);
    if (written < 0 && errno != EAGAIN && errno != EINTR) {
        self->error = errno;
    }
    return written == (ssize_t)size;
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
    if (self->error == 0 && !write_now(self, line, length + 1)) {
        self->dropped++;
    }
}

void output_close(output *self)
{
    if (self->descriptor != STDOUT_FILENO) {
        close(self->descriptor);
    }
    self->descriptor = -1;
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
