#include "processor.h"
#include "xrp_lanes.h"

size_t hy_xrp_paths(const hy_xrp_path *paths[HY_XRP_PATHS])
{
    size_t count = 0;
    if (hy_xrp_avx512.step != NULL && hy_has_avx512()) {
        paths[count++] = &hy_xrp_avx512;
    }
    if (hy_xrp_avx2.step != NULL && hy_has_avx2()) {
        paths[count++] = &hy_xrp_avx2;
    }
    paths[count++] = &hy_xrp_baseline;
    return count;
}
