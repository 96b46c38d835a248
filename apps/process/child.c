#include "child.h"

#include <halyard/link.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define WAIT_STEP_MS 10

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

static _Noreturn void be(pid_t parent, int said, app_run *run, const char *const *arguments)
{
    signal(SIGINT, SIG_DFL); // the parent's handlers would be no use here
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0); // Ctrl-C is for the parent, which ends its children in order
    follow_parent(parent);
    fcntl(said, F_SETFL, O_NONBLOCK); // a parent that does not read loses lines, and holds nobody up
    dup2(said, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    char *copies[CHILD_ARGUMENTS_MAX + 1] = { NULL };
    int count = 0, status = APP_FAILED;
    while (count < CHILD_ARGUMENTS_MAX && arguments[count] != NULL &&
           (copies[count] = strdup(arguments[count])) != NULL) {
        count++;
    }
    if (count < CHILD_ARGUMENTS_MAX && arguments[count] != NULL) {
        (void)fputs("cannot start: there is not enough memory\n", stderr);
    } else {
        status = run(count, copies);
    }
    for (int i = 0; i < count; i++) {
        free(copies[i]);
    }
    exit(status);
}

// --------------------------------------------------------------------------- start

static void close_end(int *end)
{
    if (*end >= 0) {
        close(*end);
        *end = -1;
    }
}

bool child_start(child *self, app_run *run, const char *const *arguments)
{
    *self = (child){ .said = -1 };
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fflush(NULL); // or the child would print it again
    const pid_t parent = getpid();
    self->pid = fork();
    if (self->pid == 0) {
        close(ends[0]);
        be(parent, ends[1], run, arguments);
    }
    close(ends[1]);
    self->said = ends[0];
    if (self->pid < 0) {
        self->pid = 0;
        close_end(&self->said);
        return false;
    }
    return true;
}

// --------------------------------------------------------------------------- what it says

// Takes one character; true when that completes a line.
static bool take(child *self, char c)
{
    if (c != '\n') {
        self->line[self->size++] = c;
    }
    const bool is_whole = c == '\n' || self->size == sizeof self->line - 1;
    if (is_whole) {
        self->line[self->size] = '\0';
        self->size = 0;
    }
    return is_whole;
}

const char *child_read(child *self)
{
    for (;;) {
        while (self->at < self->end) {
            if (take(self, self->bytes[self->at++])) {
                return self->line;
            }
        }
        const bool has_budget = self->said >= 0 && self->read_size < CHILD_TURN_MAX;
        const ssize_t got = has_budget ? read(self->said, self->bytes, sizeof self->bytes) : 0;
        if (got <= 0) {
            self->read_size = 0;
            return NULL;
        }
        self->at = 0;
        self->end = (size_t)got;
        self->read_size += (size_t)got;
    }
}

const char *child_await(child *self, int64_t until_us)
{
    for (int64_t left_us; self->said >= 0 && (left_us = until_us - hy_clock_now_us()) > 0;) {
        const char *const line = child_read(self);
        struct pollfd waiting = { .fd = self->said, .events = POLLIN };
        if (line != NULL || (poll(&waiting, 1, (int)(left_us / 1000 + 1)) > 0 &&
                             (waiting.revents & POLLIN) == 0)) { // it has ended
            return line;
        }
    }
    return NULL;
}

// --------------------------------------------------------------------------- its end

static int status_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

bool child_has_ended(child *self, int *status)
{
    int raw = 0;
    if (self->pid <= 0 || waitpid(self->pid, &raw, WNOHANG) != self->pid) {
        return false;
    }
    self->pid = 0;
    *status = status_of(raw);
    return true;
}

void child_stop(const child *self)
{
    child_signal(self, SIGTERM);
}

void child_signal(const child *self, int number)
{
    if (self->pid > 0) {
        kill(self->pid, number);
    }
}

int child_close(child *self, int limit_ms)
{
    int status = 0;
    for (int waited_ms = 0; self->pid > 0 && !child_has_ended(self, &status);
         waited_ms += WAIT_STEP_MS) {
        if (waited_ms == limit_ms) {
            kill(self->pid, SIGKILL);
        }
        nanosleep(&(struct timespec){ .tv_nsec = WAIT_STEP_MS * 1000000L }, NULL);
    }
    if (self->said > 0) { // a child that never was has 0
        close_end(&self->said);
    }
    return status;
}
