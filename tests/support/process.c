#include "process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmocka_all.h"

extern char **environ;

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void process_start(process *self, const char *const argv[])
{
    int out[2], err[2];
    assert_int_equal(pipe(out), 0);
    assert_int_equal(pipe(err), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    for (size_t i = 0; i < 2; i++) {
        posix_spawn_file_actions_addclose(&actions, out[i]);
        posix_spawn_file_actions_addclose(&actions, err[i]);
    }
    char *arguments[64];
    size_t count = 0;
    for (; argv[count] != NULL; count++) {
        assert_true(count + 1 < sizeof arguments / sizeof arguments[0]);
        arguments[count] = (char *)(uintptr_t)argv[count]; // posix_spawn() leaves them alone
    }
    arguments[count] = NULL;
    *self = (process){ .out = out[0], .err = err[0] };
    assert_int_equal(posix_spawn(&self->pid, argv[0], &actions, NULL, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    close(err[1]);
}

static bool wait_readable(int fd, int64_t until_ms)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    const int64_t left_ms = until_ms - now_ms();
    return poll(&p, 1, left_ms > 0 ? (int)left_ms : 0) > 0;
}

bool process_read_line(process *self, char *line, size_t room, int timeout_ms)
{
    const int64_t until_ms = now_ms() + timeout_ms;
    for (size_t size = 0; size + 1 < room; size++) {
        if (!wait_readable(self->out, until_ms) || read(self->out, &line[size], 1) != 1) {
            return false;
        }
        if (line[size] == '\n') {
            line[size] = '\0';
            return true;
        }
    }
    return false;
}

// Reads both pipes dry, so that the program never waits for us; true once both are closed.
static bool drain(process *self, size_t *used, int64_t until_ms)
{
    struct pollfd pipes[2] = { { .fd = self->err, .events = POLLIN },
                               { .fd = self->out, .events = POLLIN } };
    while (pipes[0].fd >= 0 || pipes[1].fd >= 0) {
        const int64_t left_ms = until_ms - now_ms();
        if (left_ms <= 0 || poll(pipes, 2, (int)left_ms) < 0) {
            return false;
        }
        for (size_t i = 0; i < 2; i++) {
            char bytes[1024];
            if (pipes[i].fd < 0 || pipes[i].revents == 0) {
                continue;
            }
            const ssize_t count = read(pipes[i].fd, bytes, sizeof bytes);
            pipes[i].fd = count > 0 ? pipes[i].fd : -1;
            for (ssize_t k = 0; i == 0 && k < count && *used + 1 < sizeof self->errors; k++) {
                self->errors[(*used)++] = bytes[k];
            }
        }
    }
    return true;
}

int process_end(process *self, int signal_number, int timeout_ms)
{
    if (signal_number != 0) {
        kill(self->pid, signal_number);
    }
    size_t used = 0;
    const bool ended = drain(self, &used, now_ms() + timeout_ms);
    if (!ended) {
        kill(self->pid, SIGKILL);
    }
    int status = 0;
    while (waitpid(self->pid, &status, 0) < 0 && errno == EINTR) {
    }
    close(self->out);
    close(self->err);
    return ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
