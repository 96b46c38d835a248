#include "system_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "system_sockets.h"
#include "system_threads.h"

extern char **environ;

#define WAIT_STEP_MS 10
#define FAILED       1   // the exit status of what could not be started
#define NOT_FOUND    127 // as a shell's

// --------------------------------------------------------------------------- the child's side

// Dies with its parent, however that ends.
static void follow_parent(pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (getppid() != parent) { // it was faster
        _exit(FAILED);
    }
}

static _Noreturn void be(pid_t parent, int said, hy_child_run *run, const char *const *arguments)
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
    char *copies[HY_CHILD_ARGUMENTS_MAX + 1] = { NULL };
    int count = 0, status = FAILED;
    while (count < HY_CHILD_ARGUMENTS_MAX && arguments[count] != NULL &&
           (copies[count] = strdup(arguments[count])) != NULL) {
        count++;
    }
    if (count < HY_CHILD_ARGUMENTS_MAX && arguments[count] != NULL) {
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

bool hy_child_start(hy_child *self, hy_child_run *run, const char *const *arguments)
{
    *self = (hy_child){ .said = -1 };
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fflush(NULL); // or the child would print it again
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        be(parent, ends[1], run, arguments);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    self->said = ends[0];
    self->pid = pid;
    return true;
}

static int input_of_program[2]; // between pipe() and fork(): what run_program() reads from

static int run_program(int argc, char **argv)
{
    if (argc == 0 || argv[0] == NULL) {
        return NOT_FOUND;
    }
    dup2(input_of_program[0], STDIN_FILENO);
    close(input_of_program[0]);
    close(input_of_program[1]);
    // A program may not expect that its output can refuse to take more.
    fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) & ~O_NONBLOCK);
    signal(SIGXFSZ, SIG_DFL); // it may not expect that either
    execvp(argv[0], argv);
    fprintf(stderr, "%s: cannot be started (%s)\n", argv[0], strerror(errno));
    return NOT_FOUND;
}

bool hy_child_start_program(hy_child *self, const char *const *command, FILE **input)
{
    *input = NULL;
    if (pipe(input_of_program) != 0) {
        return false;
    }
    const bool is_started = hy_child_start(self, run_program, command);
    close(input_of_program[0]);
    *input = fdopen(input_of_program[1], "w");
    if (*input == NULL) {
        close(input_of_program[1]);
    } else {
        (void)setvbuf(*input, NULL, _IOLBF, 0);
    }
    return is_started && *input != NULL;
}

void hy_child_become(const char *const *command)
{
    signal(SIGXFSZ, SIG_DFL); // it may not expect that a write fails
    (void)execvp(command[0], (char *const *)(uintptr_t)command);
}

// The caller frees it. NULL: there is no memory.
static char **environment_without(const char *name)
{
    const size_t length = strlen(name);
    size_t count = 0, kept = 0;
    while (environ[count] != NULL) {
        count++;
    }
    char **const variables = calloc(count + 1, sizeof *variables);
    for (size_t i = 0; i < count && variables != NULL; i++) {
        if (strncmp(environ[i], name, length) != 0 || environ[i][length] != '=') {
            variables[kept++] = environ[i];
        }
    }
    return variables;
}

static int spawn_apart(char **words, char **variables)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    pid_t child;
    if (posix_spawn_file_actions_init(&files) != 0) {
        return ENOMEM;
    }
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&files);
        return ENOMEM;
    }
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) {
        posix_spawn_file_actions_addopen(&files, file, "/dev/null", O_RDWR, 0);
    }
    const int error = posix_spawnp(&child, words[0], &files, &attributes, words, variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

bool hy_child_start_apart(const char *program, const char *argument, const char *hidden)
{
    char *words[] = { (char *)(uintptr_t)program, (char *)(uintptr_t)argument, NULL };
    char **const variables = environment_without(hidden);
    errno = variables != NULL ? spawn_apart(words, variables) : ENOMEM;
    free(variables);
    return errno == 0;
}

// --------------------------------------------------------------------------- what it says

// Takes one character; true when that completes a line.
static bool take(hy_child *self, char c)
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

const char *hy_child_read(hy_child *self)
{
    for (;;) {
        while (self->at < self->end) {
            if (take(self, self->bytes[self->at++])) {
                return self->line;
            }
        }
        const bool has_budget = self->said >= 0 && self->read_size < HY_CHILD_TURN_MAX;
        const ssize_t got = has_budget ? read((int)self->said, self->bytes, sizeof self->bytes) : 0;
        if (got <= 0) {
            self->read_size = 0;
            return NULL;
        }
        self->at = 0;
        self->end = (size_t)got;
        self->read_size += (size_t)got;
    }
}

const char *hy_child_await(hy_child *self, int64_t until_us)
{
    for (int64_t left_us; self->said >= 0 && (left_us = until_us - hy_time_now_us()) > 0;) {
        const char *const line = hy_child_read(self);
        hy_wait_source waiting = { .handle = self->said, .wants_read = true };
        if (line != NULL || (hy_wait(&waiting, 1, left_us) > 0 && !waiting.has_bytes)) { // it has ended
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

bool hy_child_has_ended(hy_child *self, int *status)
{
    int raw = 0;
    if (self->pid <= 0 || waitpid((pid_t)self->pid, &raw, WNOHANG) != self->pid) {
        return false;
    }
    self->pid = 0;
    *status = status_of(raw);
    return true;
}

static void send_signal(const hy_child *self, int number)
{
    if (self->pid > 0) {
        kill((pid_t)self->pid, number);
    }
}

void hy_child_stop(const hy_child *self)
{
    send_signal(self, SIGTERM);
}

void hy_child_interrupt(const hy_child *self)
{
    send_signal(self, SIGINT);
}

int hy_child_close(hy_child *self, int limit_ms)
{
    int status = 0;
    for (int waited_ms = 0; self->pid > 0 && !hy_child_has_ended(self, &status);
         waited_ms += WAIT_STEP_MS) {
        if (waited_ms == limit_ms) {
            kill((pid_t)self->pid, SIGKILL);
        }
        hy_time_sleep(WAIT_STEP_MS * 1000);
    }
    if (self->said > 0) { // a child that never was has 0
        close((int)self->said);
        self->said = -1;
    }
    return status;
}
