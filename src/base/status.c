#include <halyard/base.h>

const char *hy_status_text(hy_status status)
{
    switch (status) {
#define STATUS_CASE(name, value, text) \
    case name: return text;
        HY_STATUS_MAP(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown status";
}
