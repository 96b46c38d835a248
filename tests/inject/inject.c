// Preloaded into a program (LD_PRELOAD), it makes one call of one kind fail: HALYARD_INJECT=read:3 lets the third read() fail.
// HALYARD_INJECT_REPORT names a file that gets a line at the end of each process: how many calls of each kind there were, how
// many blocks of memory the program itself had allocated and not freed, and by which of its instructions.
//
// glibc only: its allocators have names of their own, __libc_malloc() and so on, so that these may replace malloc().
#undef _FORTIFY_SOURCE // which would replace the functions that are defined here
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

// Of each kind: which calls belong to it is below; what errno is when one fails.
#define KINDS(X)           \
    X(alloc, ENOMEM)       \
    X(open, EMFILE)        \
    X(read, EIO)           \
    X(write, ENOSPC)       \
    X(stat, EACCES)        \
    X(fsync, EIO)          \
    X(socket, EMFILE)      \
    X(bind, EACCES)        \
    X(listen, EADDRINUSE)  \
    X(accept, EMFILE)      \
    X(option, ENOPROTOOPT) \
    X(name, ENOBUFS)       \
    X(send, ENOBUFS)       \
    X(recv, ENOMEM)        \
    X(poll, ENOMEM)        \
    X(mmap, ENOMEM)        \
    X(pipe, EMFILE)        \
    X(fork, EAGAIN)        \
    X(thread, EAGAIN)

#define KIND_NUMBER(name, error) kind_##name,
enum { KINDS(KIND_NUMBER) kind_count };
#define KIND_NAME(name, error) #name,
static const char *const kind_names[] = { KINDS(KIND_NAME) };
#define KIND_ERROR(name, error) error,
static const int kind_errors[] = { KINDS(KIND_ERROR) };

static int chosen = -1;
static long failing;
static _Atomic long calls[kind_count];

static bool fails(int kind)
{
    if (atomic_fetch_add(&calls[kind], 1) + 1 != failing || kind != chosen) {
        return false;
    }
    errno = kind_errors[kind];
    return true;
}

#define REAL(name) __typeof__(&(name)) const real = (__typeof__(&(name)))dlsym(RTLD_NEXT, #name)

// --------------------------------------------------------------------------- memory

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

// Blocks that code of the program itself allocated: an open hash table. A freed one leaves a mark, for what lies behind it.
#define BLOCKS (1u << 20)
static struct {
    _Atomic uintptr_t block;
    uintptr_t caller;
} held[BLOCKS];
#define FREED ((uintptr_t)1)
static uintptr_t program_begin, program_end;
static atomic_flag held_lock = ATOMIC_FLAG_INIT;

static void lock_held(void)
{
    while (atomic_flag_test_and_set_explicit(&held_lock, memory_order_acquire)) {
    }
}

static void unlock_held(void)
{
    atomic_flag_clear_explicit(&held_lock, memory_order_release);
}

static size_t find_slot(uintptr_t block, bool for_new)
{
    size_t i = (block >> 4) * 0x9e3779b97f4a7c15u % BLOCKS;
    while (held[i].block != 0 && held[i].block != block && !(for_new && held[i].block == FREED)) {
        i = (i + 1) % BLOCKS;
    }
    return i;
}

static void *hold(void *memory, const void *caller)
{
    const uintptr_t from = (uintptr_t)caller;
    if (memory != NULL && from >= program_begin && from < program_end) {
        lock_held();
        const size_t i = find_slot((uintptr_t)memory, true);
        held[i].block = (uintptr_t)memory;
        held[i].caller = from;
        unlock_held();
    }
    return memory;
}

static void let_go(void *memory)
{
    if (memory != NULL && program_end != 0) {
        lock_held();
        const size_t i = find_slot((uintptr_t)memory, false);
        if (held[i].block != 0) {
            held[i].block = FREED;
        }
        unlock_held();
    }
}

void *malloc(size_t size)
{
    return fails(kind_alloc) ? NULL : hold(__libc_malloc(size), __builtin_return_address(0));
}

void *calloc(size_t count, size_t size)
{
    return fails(kind_alloc) ? NULL : hold(__libc_calloc(count, size), __builtin_return_address(0));
}

void *realloc(void *memory, size_t size)
{
    if (fails(kind_alloc)) {
        return NULL;
    }
    let_go(memory);
    return hold(__libc_realloc(memory, size), __builtin_return_address(0));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(kind_alloc) ? NULL
                             : hold(__libc_memalign(alignment, size), __builtin_return_address(0));
}

char *strdup(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *const copy =
        fails(kind_alloc) ? NULL : hold(__libc_malloc(size), __builtin_return_address(0));
    return copy == NULL ? NULL : memcpy(copy, text, size);
}

void free(void *memory)
{
    let_go(memory);
    __libc_free(memory);
}

// --------------------------------------------------------------------------- files

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    int (*const real)(const char *, int, ...) =
        (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    return fails(kind_open) ? -1 : real(path, flags, mode);
}

int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags)
{
    return open(path, flags);
}

FILE *fopen(const char *path, const char *mode)
{
    REAL(fopen);
    return fails(kind_open) ? NULL : real(path, mode);
}

int scandir(const char *path, struct dirent ***out, int (*is_wanted)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **))
{
    REAL(scandir);
    return fails(kind_open) ? -1 : real(path, out, is_wanted, compare);
}

ssize_t read(int file, void *bytes, size_t size)
{
    REAL(read);
    return fails(kind_read) ? -1 : real(file, bytes, size);
}

size_t fread(void *bytes, size_t size, size_t count, FILE *file)
{
    REAL(fread);
    return fails(kind_read) ? 0 : real(bytes, size, count, file);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    REAL(write);
    return fails(kind_write) ? -1 : real(file, bytes, size);
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    REAL(fwrite);
    return fails(kind_write) ? 0 : real(bytes, size, count, file);
}

int fsync(int file)
{
    REAL(fsync);
    return fails(kind_fsync) ? -1 : real(file);
}

int stat(const char *path, struct stat *about)
{
    REAL(stat);
    return fails(kind_stat) ? -1 : real(path, about);
}

int fstat(int file, struct stat *about)
{
    REAL(fstat);
    return fails(kind_stat) ? -1 : real(file, about);
}

void *mmap(void *at, size_t size, int access, int flags, int file, off_t from)
{
    REAL(mmap);
    return fails(kind_mmap) ? MAP_FAILED : real(at, size, access, flags, file, from);
}

// --------------------------------------------------------------------------- sockets

int socket(int family, int type, int protocol)
{
    REAL(socket);
    return fails(kind_socket) ? -1 : real(family, type, protocol);
}

int bind(int file, const struct sockaddr *address, socklen_t size)
{
    REAL(bind);
    return fails(kind_bind) ? -1 : real(file, address, size);
}

int listen(int file, int backlog)
{
    REAL(listen);
    return fails(kind_listen) ? -1 : real(file, backlog);
}

int accept(int file, struct sockaddr *address, socklen_t *size)
{
    REAL(accept);
    return fails(kind_accept) ? -1 : real(file, address, size);
}

int setsockopt(int file, int level, int option, const void *value, socklen_t size)
{
    REAL(setsockopt);
    return fails(kind_option) ? -1 : real(file, level, option, value, size);
}

int getsockname(int file, struct sockaddr *address, socklen_t *size)
{
    REAL(getsockname);
    return fails(kind_name) ? -1 : real(file, address, size);
}

ssize_t send(int file, const void *bytes, size_t size, int flags)
{
    REAL(send);
    return fails(kind_send) ? -1 : real(file, bytes, size, flags);
}

ssize_t sendmsg(int file, const struct msghdr *message, int flags)
{
    REAL(sendmsg);
    return fails(kind_send) ? -1 : real(file, message, flags);
}

ssize_t sendto(int file, const void *bytes, size_t size, int flags, const struct sockaddr *to,
               socklen_t to_size)
{
    REAL(sendto);
    return fails(kind_send) ? -1 : real(file, bytes, size, flags, to, to_size);
}

int sendmmsg(int file, struct mmsghdr *messages, unsigned count, int flags)
{
    REAL(sendmmsg);
    return fails(kind_send) ? -1 : real(file, messages, count, flags);
}

ssize_t recv(int file, void *bytes, size_t size, int flags)
{
    REAL(recv);
    return fails(kind_recv) ? -1 : real(file, bytes, size, flags);
}

ssize_t recvfrom(int file, void *bytes, size_t size, int flags, struct sockaddr *from,
                 socklen_t *from_size)
{
    REAL(recvfrom);
    return fails(kind_recv) ? -1 : real(file, bytes, size, flags, from, from_size);
}

ssize_t recvmsg(int file, struct msghdr *message, int flags)
{
    REAL(recvmsg);
    return fails(kind_recv) ? -1 : real(file, message, flags);
}

int recvmmsg(int file, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout)
{
    REAL(recvmmsg);
    return fails(kind_recv) ? -1 : real(file, messages, count, flags, timeout);
}

int poll(struct pollfd *files, nfds_t count, int timeout_ms)
{
    REAL(poll);
    return fails(kind_poll) ? -1 : real(files, count, timeout_ms);
}

int __poll_chk(struct pollfd *files, nfds_t count, int timeout_ms, size_t size);
int __poll_chk(struct pollfd *files, nfds_t count, int timeout_ms, size_t size)
{
    (void)size;
    return poll(files, count, timeout_ms);
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *signals)
{
    REAL(ppoll);
    return fails(kind_poll) ? -1 : real(files, count, timeout, signals);
}

// --------------------------------------------------------------------------- processes and threads

int pipe(int ends[2])
{
    REAL(pipe);
    return fails(kind_pipe) ? -1 : real(ends);
}

pid_t fork(void)
{
    REAL(fork);
    const pid_t child = fails(kind_fork) ? -1 : real();
    if (child == 0) { // what it has of its parent's is not its own to free
        memset(held, 0, sizeof held);
    }
    return child;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *with, void *(*start)(void *),
                   void *context)
{
    REAL(pthread_create);
    return fails(kind_thread) ? EAGAIN : real(thread, with, start, context);
}

// --------------------------------------------------------------------------- beginning and end

// Where the program's own code lies: the first lines of the map of its memory.
static void find_program(void)
{
    char name[4096], line[4400];
    const ssize_t size = readlink("/proc/self/exe", name, sizeof name - 1);
    FILE *const map = fopen("/proc/self/maps", "r");
    name[size > 0 ? size : 0] = '\0';
    while (map != NULL && size > 0 && fgets(line, sizeof line, map) != NULL) {
        unsigned long from, to;
        if (strstr(line, name) != NULL && sscanf(line, "%lx-%lx", &from, &to) == 2) {
            program_begin = program_begin == 0 ? from : program_begin;
            program_end = to;
        }
    }
    if (map != NULL) {
        (void)fclose(map);
    }
}

__attribute__((constructor)) static void begin(void)
{
    find_program();
    const char *const what = getenv("HALYARD_INJECT");
    for (int i = 0; what != NULL && i < kind_count; i++) {
        const size_t length = strlen(kind_names[i]);
        if (strncmp(what, kind_names[i], length) == 0 && what[length] == ':') {
            failing = atol(what + length + 1);
            chosen = i;
        }
    }
}

__attribute__((destructor)) static void report(void)
{
    chosen = -1;
    long counts[kind_count]; // before this function's own
    for (int i = 0; i < kind_count; i++) {
        counts[i] = calls[i];
    }
    const char *const path = getenv("HALYARD_INJECT_REPORT");
    FILE *const file = path == NULL ? NULL : fopen(path, "a");
    if (file == NULL) {
        return;
    }
    unsigned long blocks = 0;
    char where[400] = "";
    for (size_t i = 0; i < BLOCKS; i++) {
        if (held[i].block > FREED) {
            const size_t used = strlen(where);
            (void)snprintf(where + used, sizeof where - used, " %#lx",
                           held[i].caller - program_begin);
            blocks++;
        }
    }
    for (int i = 0; i < kind_count; i++) {
        (void)fprintf(file, "%s:%ld ", kind_names[i], counts[i]);
    }
    (void)fprintf(file, "blocks:%lu%s\n", blocks, where);
    (void)fclose(file);
}
