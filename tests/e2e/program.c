#include "program.h"

#include <halyard/link.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define END_LIMIT_US  30000000
#define ARGUMENTS_MAX 2000

void program_go_first(void)
{
    const struct sched_param lowest = { .sched_priority = 1 };
    (void)sched_setscheduler(0, SCHED_RR, &lowest); // only the superuser may
}

static _Noreturn void be(const char *const *arguments)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); // a test that fails leaves nothing behind
#endif
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 }); // some are made to crash
    char *copy[ARGUMENTS_MAX + 1] = { NULL };
    for (size_t i = 0; i < ARGUMENTS_MAX && arguments[i] != NULL; i++) {
        copy[i] = strdup(arguments[i]);
    }
    execv(copy[0], copy);
    perror(copy[0]);
    _exit(127);
}

static program adopt(pid_t pid, int end)
{
    fcntl(end, F_SETFD, FD_CLOEXEC);
    fcntl(end, F_SETFL, O_NONBLOCK);
    return (program){ .pid = pid, .output = calloc(1, PROGRAM_OUTPUT_MAX + 1), .end = end };
}

program program_start(const char *const *arguments)
{
    int ends[2];
    if (pipe(ends) != 0) {
        abort();
    }
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        const int nothing = open("/dev/null", O_RDONLY);
        dup2(nothing, STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        be(arguments);
    }
    close(ends[1]);
    return adopt(pid, ends[0]);
}

program program_start_in_terminal(const char *const *arguments)
{
    struct winsize size = { .ws_row = 30, .ws_col = 100 };
    int end;
    fflush(NULL);
    const pid_t pid = forkpty(&end, NULL, NULL, &size);
    if (pid == 0) {
        setenv("TERM", "xterm", 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        be(arguments);
    }
    return adopt(pid, end);
}

void program_type(program *self, const char *keys)
{
    const size_t length = strlen(keys);
    if (write(self->end, keys, length) != (ssize_t)length) {
        abort();
    }
}

void program_stop(const program *self)
{
    int status = 0;
    kill(self->pid, SIGSTOP);
    if (waitpid(self->pid, &status, WUNTRACED) != self->pid || !WIFSTOPPED(status)) {
        abort();
    }
}

void program_resize(program *self, unsigned columns, unsigned rows)
{
    const struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };
    ioctl(self->end, TIOCSWINSZ, &size);
}

void program_hang_up(program *self)
{
    close(self->end);
    self->end = open("/dev/null", O_RDONLY);
}

// Says so if it has crashed, and leaves its status to program_end(). It ends a moment after its output does.
static void report_crash(const program *self)
{
    siginfo_t how = { .si_pid = 0 };
    for (int i = 0; i < 100 && how.si_pid == 0; i++) {
        if (i > 0) {
            usleep(10000);
        }
        if (waitid(P_PID, (id_t)self->pid, &how, WEXITED | WNOHANG | WNOWAIT) != 0) {
            return;
        }
    }
    static const int crashes[] = { SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGSYS };
    for (size_t i = 0; how.si_pid != 0 && i < sizeof crashes / sizeof crashes[0]; i++) {
        if (how.si_code != CLD_EXITED && how.si_status == crashes[i]) {
            fprintf(stderr, "a program was ended by signal %d; it had said:\n%s\n", crashes[i],
                    self->output);
        }
    }
}

// Returns false at the end of its output.
static bool read_some(program *self)
{
    char bytes[4096];
    const ssize_t got = read(self->end, bytes, sizeof bytes);
    if (got > 0) {
        const size_t room = PROGRAM_OUTPUT_MAX - self->size;
        const size_t kept = (size_t)got < room ? (size_t)got : room;
        memcpy(self->output + self->size, bytes, kept);
        self->size += kept;
        self->output[self->size] = '\0';
    }
    const bool is_open = got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
    if (!is_open) {
        report_crash(self);
    }
    return is_open;
}

bool program_await(program *self, const char *text, int64_t limit_us)
{
    const int64_t end_us = hy_clock_now_us() + limit_us;
    bool is_open = true;
    while (is_open && (text == NULL || strstr(self->output, text) == NULL)) {
        const int64_t left_us = end_us - hy_clock_now_us();
        if (left_us <= 0) {
            return false;
        }
        struct pollfd waiting = { .fd = self->end, .events = POLLIN };
        poll(&waiting, 1, (int)(left_us / 1000) + 1);
        is_open = read_some(self);
    }
    return text == NULL ? !is_open : strstr(self->output, text) != NULL;
}

// The first whole line of the output that begins with `start`; NULL if there is none yet.
static const char *find_line(const char *output, const char *start)
{
    const char *line = output;
    while (line != NULL && strncmp(line, start, strlen(start)) != 0) {
        const char *const end = strchr(line, '\n');
        line = end != NULL ? end + 1 : NULL;
    }
    return line != NULL && strchr(line, '\n') != NULL ? line : NULL;
}

bool program_await_line(program *self, const char *start, char *rest, size_t size, int64_t limit_us)
{
    const int64_t end_us = hy_clock_now_us() + limit_us;
    const char *line;
    while ((line = find_line(self->output, start)) == NULL) {
        const int64_t left_us = end_us - hy_clock_now_us();
        struct pollfd waiting = { .fd = self->end, .events = POLLIN };
        if (left_us <= 0 || (poll(&waiting, 1, (int)(left_us / 1000) + 1) > 0 && !read_some(self))) {
            return false;
        }
    }
    line += strlen(start);
    const size_t length = strcspn(line, "\r\n");
    if (length < size) {
        memcpy(rest, line, length);
        rest[length] = '\0';
    }
    return length < size;
}

bool program_await_ready(program *self, const char *key, char *value, size_t size, int64_t limit_us)
{
    char pairs[512] = " ", wanted[32];
    if (!program_await_line(self, "halyard: ready ", pairs + 1, sizeof pairs - 1, limit_us)) {
        return false;
    }
    snprintf(wanted, sizeof wanted, " %s=", key);
    const char *const at = strstr(pairs, wanted);
    return at != NULL && snprintf(value, size, "%.*s", (int)strcspn(at + strlen(wanted), " "),
                                  at + strlen(wanted)) < (int)size;
}

size_t program_unread(const program *self)
{
    int bytes = 0;
    return ioctl(self->end, FIONREAD, &bytes) == 0 ? (size_t)bytes : 0;
}

void program_forget(program *self)
{
    self->size = 0;
    self->output[0] = '\0';
}

/// Whether it has ended in time.
static bool has_ended(program *self)
{
    if (program_await(self, NULL, END_LIMIT_US / 3)) {
        return true;
    }
#ifdef __SANITIZE_THREAD__
    // The thread sanitizer of gcc 12 now and then forgets a signal that comes while a program does not wait (4 of 300 beside
    // other work; none of 600 without it): strace shows its own handler for it, and ours is never called.
    kill(self->pid, SIGTERM);
#endif
    return program_await(self, NULL, 2 * (END_LIMIT_US / 3));
}

int program_end(program *self, char *output_copy, size_t size)
{
    if (!has_ended(self)) {
        kill(self->pid, SIGKILL);
    }
    int status = 0;
    while (waitpid(self->pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (output_copy != NULL) {
        snprintf(output_copy, size, "%s", self->output);
    }
    close(self->end);
    free(self->output);
    *self = (program){ .pid = 0 };
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
