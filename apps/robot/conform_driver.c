#include "conform_driver.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/text_plain.h"

static int input_of_child[2]; // between pipe() and fork(): what run_command() reads from

static int run_command(int argc, char **argv)
{
    (void)argc;
    dup2(input_of_child[0], STDIN_FILENO);
    close(input_of_child[0]);
    close(input_of_child[1]);
    // A program may not expect that its output can refuse to take more.
    fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) & ~O_NONBLOCK);
    signal(SIGXFSZ, SIG_DFL); // it may not expect that either
    execvp(argv[0], argv);
    hy_print(stderr, "%s: cannot be started (%s)\n", argv[0], strerror(errno));
    return 127; // as a shell does
}

bool conform_driver_start(conform_driver *self, const char *const *command, unsigned port)
{
    char text[16];
    snprintf(text, sizeof text, "%u", port);
    if (setenv("HALYARD_CONFORM_PORT", text, 1) != 0 || pipe(input_of_child) != 0) {
        return false;
    }
    const bool is_started = child_start(&self->process, run_command, command);
    close(input_of_child[0]);
    self->input = input_of_child[1];
    return is_started;
}

void conform_driver_show(conform_driver *self)
{
    const char *line;
    while ((line = child_read(&self->process)) != NULL) {
        hy_print(stderr, "  | %s\n", line);
    }
}

void conform_driver_tell(const conform_driver *self, const char *line)
{
    // A program that has ended does not read it; SIGPIPE is ignored.
    if (line != NULL && dprintf(self->input, "%s\n", line) < 0) {
        fprintf(stderr, "the program does not read its standard input\n");
    }
}

void conform_driver_close(conform_driver *self)
{
    if (self->input > 0) { // one that never was has 0
        close(self->input);
        self->input = 0;
        child_close(&self->process, 0);
    }
}
