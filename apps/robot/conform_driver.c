#include "conform_driver.h"

#include <stdio.h>
#include <stdlib.h>

#include "text/text_plain.h"

bool conform_driver_start(conform_driver *self, const char *const *command, unsigned port)
{
    char text[16];
    snprintf(text, sizeof text, "%u", port);
    return setenv("HALYARD_CONFORM_PORT", text, 1) == 0 &&
           hy_child_start_program(&self->process, command, &self->input);
}

void conform_driver_show(conform_driver *self)
{
    const char *line;
    while ((line = hy_child_read(&self->process)) != NULL) {
        hy_print(stderr, "  | %s\n", line);
    }
}

void conform_driver_tell(const conform_driver *self, const char *line)
{
    // A program that has ended does not read it; SIGPIPE is ignored.
    if (line != NULL && fprintf(self->input, "%s\n", line) < 0) {
        fprintf(stderr, "the program does not read its standard input\n");
    }
}

void conform_driver_close(conform_driver *self)
{
    if (self->input != NULL) {
        fclose(self->input);
        self->input = NULL;
    }
    hy_child_close(&self->process, 0);
}
