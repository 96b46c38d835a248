// The terminal, taken over and given back. Its state is the process's, because a terminal left raw
// outlives the program: exit() and the handlers of crashes must find it.

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "system_terminal.h"

#define COLUMNS_DEFAULT 80
#define ROWS_DEFAULT    24
#define SIZE_MAX_SANE   1000 // a terminal that claims more is not believed

// Alternate screen, hidden cursor, focus reports, bracketed paste; then the kitty keyboard protocol:
// 1 unambiguous + 2 event types + 4 alternate keys + 8 all keys as sequences, and what came of it.
static const char take_over[] = "\033[?1049h\033[?25l\033[?1004h\033[?2004h\033[>15u\033[?u";
// In reverse; the keyboard's stack belongs to the screen, so it comes before leaving that.
static const char give_back[] = "\033[<u\033[?2004l\033[?1004l\033[0m\033[?25h\033[?1049l";

static const int crashes[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGQUIT };
enum { CRASHES = sizeof crashes / sizeof crashes[0] };

static struct {
    volatile sig_atomic_t is_open;
    int output; // a description of our own: non-blocking without making the shell's so
    struct termios before, raw;
    struct sigaction crash_before[CRASHES];
} terminal;

bool hy_terminal_is_there(void)
{
    const char *const kind = getenv("TERM");
    const bool is_dumb = kind == NULL || kind[0] == '\0' || strcmp(kind, "dumb") == 0;
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !is_dumb;
}

bool hy_terminal_is_stream(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

bool hy_terminal_is_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

// Where there is no job control, everybody is in the foreground.
static bool is_foreground(void)
{
    const pid_t group = tcgetpgrp(STDIN_FILENO);
    return group < 0 || group == getpgrp();
}

static bool is_still_raw(void)
{
    struct termios now;
    return tcgetattr(STDIN_FILENO, &now) == 0 && now.c_iflag == terminal.raw.c_iflag &&
           now.c_oflag == terminal.raw.c_oflag && now.c_lflag == terminal.raw.c_lflag &&
           memcmp(now.c_cc, terminal.raw.c_cc, sizeof now.c_cc) == 0;
}

// Never waits: a terminal that takes nothing loses what it has not shown yet, so that this fits. Nor does it
// stop us when a shell has already taken the terminal; what that has set by then stays.
// Calls only what POSIX 2.4.3 calls async-signal-safe.
static void restore(void)
{
    if (!terminal.is_open) {
        return;
    }
    terminal.is_open = 0;
    sigset_t stop, before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &stop, &before);
    const size_t size = sizeof give_back - 1;
    if (hy_terminal_write(give_back, size) < size) {
        tcflush(terminal.output, TCOFLUSH);
        hy_terminal_write(give_back, size); // the terminal may be gone: nothing is left to do then
    }
    if (is_foreground() || is_still_raw()) {
        tcflush(STDIN_FILENO, TCIFLUSH); // keys that nobody asked for
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal.before);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void on_crash(int number)
{
    restore();
    signal(number, SIG_DFL);
    raise(number);
}

static void watch_crashes(bool watch)
{
    for (size_t i = 0; i < CRASHES; i++) {
        if (!watch) {
            sigaction(crashes[i], &terminal.crash_before[i], NULL);
            continue;
        }
        sigaction(crashes[i], NULL, &terminal.crash_before[i]);
        if (terminal.crash_before[i].sa_handler == SIG_DFL) { // a sanitizer's or debugger's stays
            struct sigaction action = { .sa_handler = on_crash };
            sigemptyset(&action.sa_mask);
            sigaction(crashes[i], &action, NULL);
        }
    }
}

static void close_output(void)
{
    if (terminal.output >= 0) {
        close(terminal.output);
    }
    terminal.output = -1;
}

static int reopen_terminal(void)
{
    if (!isatty(STDOUT_FILENO)) {
        return -1;
    }
    const int flags = O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
    const char *const path = ttyname(STDOUT_FILENO);
    const int own = path != NULL ? open(path, flags) : -1;
    // Where its name is hidden, or another user's, there is the one that every process knows its own by.
    return own >= 0 ? own : open("/dev/tty", flags);
}

intptr_t hy_terminal_open_output(void)
{
    const int own = reopen_terminal();
    return own >= 0 ? own : STDOUT_FILENO;
}

// A pipe that is ready has room for a whole line; what is ready because it is broken says so.
bool hy_terminal_try_output(intptr_t handle, hy_bytes bytes)
{
    struct pollfd room = { .fd = (int)handle, .events = POLLOUT };
    const ssize_t written = poll(&room, 1, 0) > 0 ? write((int)handle, bytes.data, bytes.size) : 0;
    if (written >= 0 || errno == EAGAIN || errno == EINTR) {
        errno = 0;
    }
    return written == (ssize_t)bytes.size;
}

void hy_terminal_close_output(intptr_t handle)
{
    if (handle != STDOUT_FILENO) {
        close((int)handle);
    }
}

static bool set_raw(void)
{
    terminal.raw = terminal.before;
    terminal.raw.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | IXON | ISTRIP);
    terminal.raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
    terminal.raw.c_cc[VMIN] = 0; // read() never waits
    terminal.raw.c_cc[VTIME] = 0;
    tcflush(STDIN_FILENO, TCIFLUSH); // what was typed before was not meant for us
    return tcsetattr(STDIN_FILENO, TCSANOW, &terminal.raw) == 0 &&
           tcgetattr(STDIN_FILENO, &terminal.raw) == 0; // as the terminal took it
}

hy_status hy_terminal_open(void)
{
    static bool is_registered;
    if (terminal.is_open) {
        return HY_EINUSE;
    }
    if (!hy_terminal_is_there()) {
        return HY_ESYSTEM;
    }
    if (!is_foreground()) {
        return HY_AGAIN;
    }
    terminal.output = reopen_terminal();
    if (terminal.output < 0 || tcgetattr(STDIN_FILENO, &terminal.before) != 0) {
        close_output();
        return HY_ESYSTEM;
    }
    terminal.is_open = 1;
    is_registered = is_registered || atexit(hy_terminal_close) == 0;
    watch_crashes(true);
    const size_t size = sizeof take_over - 1;
    if (!set_raw() || hy_terminal_write(take_over, size) < size) {
        hy_terminal_close();
        return HY_ESYSTEM;
    }
    return HY_OK;
}

intptr_t hy_terminal_handle(void)
{
    return terminal.is_open ? STDIN_FILENO : -1;
}

void hy_terminal_close(void)
{
    if (!terminal.is_open) {
        return;
    }
    restore();
    watch_crashes(false);
    close_output();
}

void hy_terminal_size(unsigned *columns, unsigned *rows)
{
    struct winsize size = { 0 };
    const bool is_known = terminal.is_open && ioctl(terminal.output, TIOCGWINSZ, &size) == 0 &&
                          size.ws_col > 0 && size.ws_row > 0 && size.ws_col <= SIZE_MAX_SANE &&
                          size.ws_row <= SIZE_MAX_SANE;
    *columns = is_known ? size.ws_col : COLUMNS_DEFAULT;
    *rows = is_known ? size.ws_row : ROWS_DEFAULT;
}

int hy_terminal_read(uint8_t *bytes, size_t size)
{
    struct pollfd waiting = { .fd = STDIN_FILENO, .events = POLLIN };
    if (poll(&waiting, 1, 0) <= 0) {
        return 0;
    }
    const ssize_t got = read(STDIN_FILENO, bytes, size);
    if (got > 0) {
        return (int)got;
    }
    // poll() said that there is something: nothing at all is the end of the terminal.
    return got < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : -1;
}

size_t hy_terminal_write(const char *bytes, size_t size)
{
    size_t taken = 0;
    while (taken < size) {
        const ssize_t written = write(terminal.output, bytes + taken, size - taken);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            break;
        }
        taken += (size_t)written;
    }
    return taken;
}
