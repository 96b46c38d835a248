/// @file lidar_paths.h
/// The paths that may be there; each says for itself whether this program was built with it.
#ifndef HY_WORLD_LIDAR_PATHS_H
#define HY_WORLD_LIDAR_PATHS_H

#include "lidar.h"

extern const hy_lidar_path hy_lidar_avx512;
extern const hy_lidar_path hy_lidar_avx2;
extern const hy_lidar_path hy_lidar_baseline;

#endif
