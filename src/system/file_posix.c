#include "system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAPPINGS_MAX 32

// --------------------------------------------------------------------------- files that become shorter

// A mapping that the handler looks after. `end` is written while `begin` is 0, which is a free one.
typedef struct {
    _Atomic uintptr_t begin;
    uintptr_t end;
} file_guard;

static file_guard guards[MAPPINGS_MAX];
static struct sigaction unguarded; // what a SIGBUS did before

// The page that is missing, and all behind it in its mapping, become zeros. mmap() is a mere system call wherever there are signals.
static bool fill_from(uintptr_t at)
{
    for (size_t i = 0; i < MAPPINGS_MAX; i++) {
        const uintptr_t begin = atomic_load(&guards[i].begin);
        if (begin != 0 && at >= begin && at < guards[i].end) {
            const uintptr_t page = at - (at - begin) % (uintptr_t)sysconf(_SC_PAGESIZE);
            return mmap((void *)page, guards[i].end - page, PROT_READ,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
        }
    }
    return false;
}

static void on_missing_page(int number, siginfo_t *info, void *context)
{
    static const char sentence[] =
        "halyard: a file became shorter while it was read: what is missing counts as zeros\n";
    const int error = errno;
    (void)number;
    (void)context;
    if (!fill_from((uintptr_t)info->si_addr)) {
        (void)sigaction(SIGBUS, &unguarded, NULL); // then the instruction is tried again
    } else if (write(STDERR_FILENO, sentence, sizeof sentence - 1) < 0) {
        // nobody reads it
    }
    errno = error;
}

static void catch_missing_pages(void)
{
    struct sigaction now, action = { .sa_sigaction = on_missing_page, .sa_flags = SA_SIGINFO };
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGBUS, NULL, &now);
    if ((now.sa_flags & SA_SIGINFO) == 0 || now.sa_sigaction != on_missing_page) {
        unguarded = now;
        (void)sigaction(SIGBUS, &action, NULL);
    }
}

static file_guard *find_guard(uintptr_t begin)
{
    for (size_t i = 0; i < MAPPINGS_MAX; i++) {
        if (atomic_load(&guards[i].begin) == begin) {
            return &guards[i];
        }
    }
    return NULL;
}

// --------------------------------------------------------------------------- mapping

// NULL, or why the open file cannot be mapped.
static const char *map(int file, hy_bytes *out)
{
    struct stat facts;
    file_guard *const guard = find_guard(0);
    if (fstat(file, &facts) != 0) {
        return strerror(errno);
    }
    if (!S_ISREG(facts.st_mode) || facts.st_size < 0 || (uintmax_t)facts.st_size > SIZE_MAX) {
        return "it is no file that can be read as a whole";
    }
    if (facts.st_size == 0) {
        return NULL;
    }
    if (guard == NULL) {
        return "too many files are being read";
    }
    void *const bytes = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) {
        return strerror(errno);
    }
    *out = (hy_bytes){ bytes, (size_t)facts.st_size };
    catch_missing_pages();
    guard->end = (uintptr_t)bytes + out->size;
    atomic_store(&guard->begin, (uintptr_t)bytes);
    return NULL;
}

bool hy_file_map(const char *path, hy_bytes *out, char error[HY_SYSTEM_ERROR_MAX])
{
    *out = (hy_bytes){ NULL, 0 };
    const int file =
        open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe is refused, not waited for
    const char *const why = file < 0 ? strerror(errno) : map(file, out);
    if (file >= 0) {
        (void)close(file); // the mapping stays
    }
    if (why != NULL) {
        (void)snprintf(error, HY_SYSTEM_ERROR_MAX, "%.200s: %s%s", path,
                       file < 0 ? "cannot be opened: " : "", why);
    }
    return why == NULL;
}

void hy_file_unmap(hy_bytes *self)
{
    if (self->size > 0) {
        file_guard *const guard = find_guard((uintptr_t)self->data);
        if (guard != NULL) {
            atomic_store(&guard->begin, 0);
        }
        (void)munmap((void *)(uintptr_t)self->data, self->size);
    }
    *self = (hy_bytes){ NULL, 0 };
}

// --------------------------------------------------------------------------- names of one file

static bool is_one(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

// Bytes of the folder in a path, with its '/'.
static size_t folder_size(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

static bool find_folder(const char *path, struct stat *out)
{
    char folder[HY_FILE_PATH_MAX];
    const int length =
        snprintf(folder, sizeof folder, "%.*s.", (int)folder_size(path), path); // "a/." or "."
    return length < (int)sizeof folder && stat(folder, out) == 0;
}

bool hy_file_is_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    const bool is_a = stat(a, &of_a) == 0, is_b = stat(b, &of_b) == 0;
    if (is_a && is_b) {
        return S_ISREG(of_a.st_mode) && is_one(&of_a, &of_b);
    }
    return !is_a && !is_b && strcmp(a + folder_size(a), b + folder_size(b)) == 0 &&
           find_folder(a, &of_a) && find_folder(b, &of_b) && is_one(&of_a, &of_b);
}

// --------------------------------------------------------------------------- files and folders

hy_file_kind hy_file_look(const char *path, size_t *size)
{
    struct stat facts;
    if (stat(path, &facts) != 0) {
        return HY_FILE_MISSING;
    }
    if (size != NULL) {
        *size = (size_t)facts.st_size;
    }
    return S_ISREG(facts.st_mode)   ? HY_FILE_REGULAR
           : S_ISDIR(facts.st_mode) ? HY_FILE_FOLDER
           : S_ISCHR(facts.st_mode) ? HY_FILE_DEVICE
                                    : HY_FILE_OTHER;
}

bool hy_file_is_readable(const char *path)
{
    return access(path, R_OK) == 0;
}

bool hy_file_changed(const char *path, uint64_t *out_ns)
{
    struct stat facts;
    if (stat(path, &facts) != 0) {
        return false;
    }
#ifdef __APPLE__
    const struct timespec changed = facts.st_mtimespec;
#else
    const struct timespec changed = facts.st_mtim;
#endif
    *out_ns = (uint64_t)changed.tv_sec * 1000000000 + (uint64_t)changed.tv_nsec;
    return true;
}

FILE *hy_file_open(const char *path)
{
    return hy_file_look(path, NULL) == HY_FILE_REGULAR ? fopen(path, "rb") : NULL;
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

bool hy_folder_open(hy_folder *self, const char *path)
{
    struct dirent **entries = NULL;
    const int count = scandir(path, &entries, is_shown, alphasort);
    *self = (hy_folder){ count > 0 ? (size_t)count : 0, entries };
    return count >= 0;
}

const char *hy_folder_name(const hy_folder *self, size_t index)
{
    return ((struct dirent **)self->entries)[index]->d_name;
}

void hy_folder_close(hy_folder *self)
{
    struct dirent **const entries = self->entries;
    for (size_t i = 0; i < self->count; i++) {
        free(entries[i]);
    }
    free(entries);
    *self = (hy_folder){ 0, NULL };
}
