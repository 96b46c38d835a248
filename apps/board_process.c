#include "board_process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "app.h"

#define START_MS 10000 // a world is loaded in well under a second

// --------------------------------------------------------------------------- the child's side

// Dies with its parent, however that ends.
static void follow_parent(pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (getppid() != parent) { // it was faster
        _exit(APP_FAILED);
    }
}

static _Noreturn void be_board(pid_t parent, int said, int truth, const char *world)
{
    char truth_path[32];
    snprintf(truth_path, sizeof truth_path, "/dev/fd/%d", truth);
    char *arguments[] = { (char[]){ "board" },
                          (char[]){ "xrp" },
                          (char[]){ "--listen" },
                          (char[]){ "127.0.0.1:0" },
                          (char[]){ "--world" },
                          strdup(world),
                          (char[]){ "--truth" },
                          truth_path,
                          NULL };
    setpgid(0, 0); // Ctrl-C is for the parent, which stops the robot before it ends us
    follow_parent(parent);
    fcntl(said, F_SETFL, O_NONBLOCK); // nobody reads on behind the address: what does not fit is lost
    dup2(said, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    exit(app_board(truth >= 0 ? 8 : 6, arguments));
}

// --------------------------------------------------------------------------- start

static bool wait_for_address(board_process *self, const char *command)
{
    static const char promise[] = "listening on ";
    char text[BOARD_PROCESS_LINE_MAX] = "";
    size_t size = 0;
    while (strchr(text, '\n') == NULL && size < sizeof text - 1) {
        struct pollfd waiting = { .fd = self->said, .events = POLLIN };
        const int ready = poll(&waiting, 1, START_MS);
        const ssize_t got = ready > 0 ? read(self->said, text + size, sizeof text - 1 - size) : 0;
        if (got <= 0) {
            break;
        }
        size += (size_t)got;
    }
    text[strcspn(text, "\n")] = '\0';
    if (strncmp(text, promise, sizeof promise - 1) != 0) {
        app_error(command, "the virtual robot did not start: %s",
                  text[0] != '\0' ? text : "it said nothing");
        return false;
    }
    snprintf(self->url, sizeof self->url, "xrp://%.*s", 100, text + sizeof promise - 1);
    return true;
}

static void close_pipe(int *end)
{
    if (*end >= 0) {
        close(*end);
        *end = -1;
    }
}

static bool open_pipe(int ends[2])
{
    if (pipe(ends) != 0) {
        return false;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

bool board_process_start(board_process *self, const char *command, const char *world, bool truth)
{
    *self = (board_process){ .said = -1, .truth = -1 };
    int said[2] = { -1, -1 }, told[2] = { -1, -1 };
    if (!open_pipe(said) || (truth && !open_pipe(told))) {
        app_error(command, "cannot start the virtual robot: %s", strerror(errno));
        close_pipe(&said[0]);
        close_pipe(&said[1]);
        return false;
    }
    fflush(NULL); // or the child would print it again
    const pid_t parent = getpid();
    self->pid = fork();
    if (self->pid == 0) {
        close(said[0]);
        close_pipe(&told[0]);
        be_board(parent, said[1], told[1], world);
    }
    close(said[1]);
    close_pipe(&told[1]);
    self->said = said[0];
    self->truth = told[0];
    if (self->truth >= 0) {
        fcntl(self->truth, F_SETFL, O_NONBLOCK);
    }
    if (self->pid < 0 || !wait_for_address(self, command)) {
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
    if (self->pid > 0) {
        kill(self->pid, SIGTERM);
        if (self->truth >= 0) { // it may wait for us to make room
            fcntl(self->truth, F_SETFL, 0);
            board_process_read(self);
        }
        while (waitpid(self->pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    self->pid = 0;
    close_pipe(&self->said);
    close_pipe(&self->truth);
}
