#include "board_process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/app.h"

#define START_MS 10000 // a world is loaded in well under a second
#define END_MS   2000

// --------------------------------------------------------------------------- start

static bool wait_for_address(board_process *self, const char *command)
{
    static const char promise[] = "listening on ";
    const char *const said = child_await(&self->board, START_MS);
    if (said == NULL || strncmp(said, promise, sizeof promise - 1) != 0) {
        app_error(command, "the virtual robot did not start: %s",
                  said != NULL ? said : "it said nothing");
        return false;
    }
    snprintf(self->url, sizeof self->url, "%s://%.*s", self->type->name, 100,
             said + sizeof promise - 1);
    return true;
}

static void close_pipe(int *end)
{
    if (*end >= 0) {
        close(*end);
        *end = -1;
    }
}

static bool start_child(board_process *self, int truth)
{
    char path[32];
    snprintf(path, sizeof path, "/dev/fd/%d", truth);
    const char *const arguments[] = { "board",
                                      self->type->name,
                                      "--listen",
                                      "127.0.0.1:0",
                                      "--world",
                                      self->type->world,
                                      truth >= 0 ? "--truth" : NULL,
                                      path,
                                      NULL };
    return child_start(&self->board, app_board, arguments);
}

bool board_process_start(board_process *self, const char *command, const hy_robot_type *type,
                         bool truth)
{
    *self = (board_process){ .type = type, .truth = -1 };
    int told[2] = { -1, -1 };
    const bool is_started = (!truth || pipe(told) == 0) && start_child(self, told[1]);
    if (!is_started) {
        app_error(command, "cannot start the virtual robot: %s", strerror(errno));
    }
    close_pipe(&told[1]);
    self->truth = told[0];
    if (self->truth >= 0) {
        fcntl(self->truth, F_SETFL, O_NONBLOCK);
    }
    if (!is_started || !wait_for_address(self, command)) {
        board_process_end(self);
        return false;
    }
    return true;
}

// --------------------------------------------------------------------------- truth

static bool number_behind(const char *line, const char *key, double *out)
{
    const char *const found = strstr(line, key);
    if (found == NULL) {
        return false;
    }
    *out = strtod(found + strlen(key), NULL);
    return true;
}

static void take_line(board_process *self)
{
    double x_m, y_m;
    self->line[self->line_size] = '\0';
    self->line_size = 0;
    if (!number_behind(self->line, "\"x_m\":", &x_m) || !number_behind(self->line, "\"y_m\":", &y_m) ||
        !number_behind(self->line, "\"heading_rad\":", &self->heading_rad)) {
        return;
    }
    self->driven_m += self->is_placed ? hypot(x_m - self->x_m, y_m - self->y_m) : 0.0;
    self->is_placed = true;
    self->x_m = x_m;
    self->y_m = y_m;
}

// Returns false at the end of the pipe, or when nothing waits.
static bool read_some(board_process *self)
{
    char bytes[4096];
    const ssize_t got = read(self->truth, bytes, sizeof bytes);
    for (ssize_t i = 0; i < got; i++) {
        if (bytes[i] == '\n') {
            take_line(self);
        } else if (self->line_size < sizeof self->line - 1) {
            self->line[self->line_size++] = bytes[i];
        }
    }
    return got > 0 || (got < 0 && errno == EINTR);
}

void board_process_read(board_process *self)
{
    while (self->truth >= 0 && read_some(self)) {
    }
}

void board_process_end(board_process *self)
{
    child_stop(&self->board);
    if (self->truth >= 0) { // it may wait for us to make room; the end of the pipe is its end
        fcntl(self->truth, F_SETFL, 0);
        board_process_read(self);
    }
    child_close(&self->board, END_MS);
    close_pipe(&self->truth);
}
