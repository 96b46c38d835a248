#include <halyard/base.h>

const char *hy_version(void)
{
    return HY_VERSION;
}
