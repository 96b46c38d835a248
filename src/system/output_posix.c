// Files are replaced by new ones under names of their own, so that nobody reads half of one, and no name that others can foresee is used.
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ALREADY_THERE "the file exists already; give another name, or --overwrite to replace it"
#define PERMISSIONS   (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH)

// /dev/stdout and the like are links, through which a descriptor is meant and not a name.
static bool is_descriptor(const char *path)
{
    struct stat link;
    return (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0) &&
           lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
}

// In the folder of `path`, so that it can be renamed to it; hidden, and no longer than any file system takes. `replaced` may be NULL.
static int open_beside(hy_file_output *self, const struct stat *replaced)
{
    uint64_t random;
    const char *const slash = strrchr(self->path, '/');
    const int folder = slash != NULL ? (int)(slash - self->path) + 1 : 0;
    if (!hy_random_bytes(&random, sizeof random)) {
        return -1;
    }
    if (snprintf(self->beside, sizeof self->beside, "%.*s.halyard-%016" PRIx64, folder, self->path,
                 random) >= (int)sizeof self->beside) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int file =
        open(self->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaced != NULL ? 0600 : 0666);
    self->is_beside = file >= 0;
    if (file < 0 || replaced == NULL) {
        return file;
    }
    if (fchown(file, replaced->st_uid, replaced->st_gid) != 0) {
        // only root gives files away, and does it here: they stay their owner's
    }
    (void)fchmod(file, replaced->st_mode & PERMISSIONS);
    return file;
}

// What is there and is no regular file.
static int open_as_it_is(const hy_file_output *self, const struct stat *there, int permissions)
{
    const bool is_pipe = S_ISFIFO(there->st_mode) && (permissions & HY_FILE_PIPES) != 0;
    if (!S_ISCHR(there->st_mode) && !S_ISREG(there->st_mode) && !is_pipe) {
        errno = 0;
        return -1;
    }
    // Without O_NONBLOCK a pipe that nobody reads would be waited for.
    const int file = open(self->path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file >= 0) {
        (void)fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    }
    return file;
}

static int open_output(hy_file_output *self, int permissions)
{
    struct stat there;
    if ((permissions & HY_FILE_OVERWRITE) == 0) {
        self->is_new = true;
        return open(self->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (stat(self->path, &there) != 0) { // a link that leads nowhere is replaced
        return open_beside(self, NULL);
    }
    if (access(self->path, W_OK) != 0) { // a new file could take its place all the same
        return -1;
    }
    return S_ISREG(there.st_mode) && !is_descriptor(self->path)
               ? open_beside(self, &there)
               : open_as_it_is(self, &there, permissions);
}

bool hy_file_create(hy_file_output *self, const char *path, int permissions,
                    char error[HY_SYSTEM_ERROR_MAX])
{
    *self = (hy_file_output){ .stream = NULL };
    if (snprintf(self->path, sizeof self->path, "%s", path) >= (int)sizeof self->path) {
        (void)snprintf(error, HY_SYSTEM_ERROR_MAX, "%.200s: the name is too long", path);
        return false;
    }
    const int file = open_output(self, permissions);
    self->stream = file >= 0 ? fdopen(file, "wb") : NULL;
    if (self->stream != NULL) {
        return true;
    }
    const int number = errno;
    if (file >= 0) {
        (void)close(file);
    }
    const bool is_other = number == 0 || number == ENXIO; // ENXIO: a pipe that nobody reads
    (void)snprintf(error, HY_SYSTEM_ERROR_MAX, "%.200s: %s%s%s", path,
                   is_other           ? "not a regular file; it cannot be written to"
                   : number != EEXIST ? "cannot be written ("
                                      : ALREADY_THERE,
                   is_other || number == EEXIST ? "" : strerror(number),
                   is_other || number == EEXIST ? "" : ")");
    return false;
}

void hy_file_share_as(hy_file_output *self, const char *other)
{
    struct stat facts;
    if (stat(other, &facts) == 0) {
        (void)fchmod(fileno(self->stream), facts.st_mode & PERMISSIONS);
    }
}

bool hy_file_place(hy_file_output *self, char error[HY_SYSTEM_ERROR_MAX])
{
    if (self->is_beside && rename(self->beside, self->path) != 0) {
        (void)snprintf(error, HY_SYSTEM_ERROR_MAX, "%.200s: cannot be replaced (%s)", self->path,
                       strerror(errno));
        return false;
    }
    self->is_beside = false;
    self->is_new = false;
    return true;
}

size_t hy_file_write(hy_file_output *self, hy_bytes bytes)
{
    ssize_t written;
    do {
        written = write(fileno(self->stream), bytes.data, bytes.size);
    } while (written < 0 && errno == EINTR);
    return written > 0 ? (size_t)written : 0;
}

void hy_file_sync(hy_file_output *self)
{
    (void)fflush(self->stream);
    (void)fsync(fileno(self->stream));
}

bool hy_file_close(hy_file_output *self, bool is_wanted, char error[HY_SYSTEM_ERROR_MAX])
{
    if (self->stream == NULL) {
        return true;
    }
    const bool had_error = ferror(self->stream) != 0;
    if (self->is_beside) {
        hy_file_sync(self); // its name must not be on the disk before its contents
    }
    bool is_whole = fclose(self->stream) == 0 && !had_error;
    self->stream = NULL;
    if (!is_whole) {
        (void)snprintf(error, HY_SYSTEM_ERROR_MAX,
                       "%.200s: not all of it could be written; is the disk full?", self->path);
    }
    is_whole = is_whole && (!is_wanted || hy_file_place(self, error));
    if ((!is_wanted || !is_whole) && (self->is_new || self->is_beside)) {
        (void)unlink(self->is_beside ? self->beside : self->path);
    }
    return is_whole;
}

// --------------------------------------------------------------------------- for this user's eyes

static bool is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

// Sandboxes of browsers (snap, Flatpak) hide /tmp, and names in the home folder that begin with a dot.
static bool find_folder(char path[HY_FILE_PATH_MAX])
{
    const char *const downloads = getenv("XDG_DOWNLOAD_DIR"), *const home = getenv("HOME");
    if (downloads != NULL && downloads[0] == '/' && is_folder(downloads)) {
        return snprintf(path, HY_FILE_PATH_MAX, "%s", downloads) < HY_FILE_PATH_MAX;
    }
    if (home == NULL || home[0] != '/' ||
        snprintf(path, HY_FILE_PATH_MAX, "%s/Downloads", home) >= HY_FILE_PATH_MAX) {
        return false;
    }
    if (!is_folder(path)) {
        (void)snprintf(path, HY_FILE_PATH_MAX, "%s", home);
    }
    return true;
}

bool hy_file_write_private(const char *begin, const char *end, hy_bytes contents,
                           char path[HY_FILE_PATH_MAX])
{
    uint64_t random[2];
    char folder[HY_FILE_PATH_MAX];
    path[0] = '\0';
    if (!find_folder(folder) || getentropy(random, sizeof random) != 0 ||
        snprintf(path, HY_FILE_PATH_MAX, "%s/%s%016" PRIx64 "%016" PRIx64 "%s", folder, begin,
                 random[0], random[1], end) >= HY_FILE_PATH_MAX) {
        path[0] = '\0';
        return false;
    }
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool is_written =
        file >= 0 && write(file, contents.data, contents.size) == (ssize_t)contents.size;
    is_written = (file < 0 || close(file) == 0) && is_written;
    if (!is_written) {
        (void)unlink(path);
        path[0] = '\0';
    }
    return is_written;
}
