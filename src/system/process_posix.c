#include "system.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

void hy_process_occupy_streams(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++) {
        if (fcntl(i, F_GETFD) < 0) {
            open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

void hy_process_allow_handles(size_t count)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < count) {
        limit.rlim_cur = limit.rlim_max < count ? limit.rlim_max : count;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

void hy_system_name(char text[HY_SYSTEM_ERROR_MAX])
{
    struct utsname names = { .sysname = "unknown" };
    (void)uname(&names);
    (void)snprintf(text, HY_SYSTEM_ERROR_MAX, "%.100s %.100s", names.sysname, names.machine);
}
