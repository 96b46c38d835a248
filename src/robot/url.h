/// @file url.h
/// "xrp://HOST[:PORT]" taken apart.
#ifndef HALYARD_ROBOT_URL_H
#define HALYARD_ROBOT_URL_H

#include <halyard/robot.h>

#define HY_ROBOT_HOST_SIZE 300 ///< A DNS name has at most 253 characters, and a port may follow.

/// The dialect that `url` asks for, and in `host` what stands behind its slashes. NULL if it is no robot's URL.
const hy_dialect *hy_robot_url_split(const char *url, char host[HY_ROBOT_HOST_SIZE]);

/// hy_robot_missing() for an address that is known.
const char *hy_robot_missing_at(const hy_dialect *dialect, const hy_endpoint *address,
                                char text[HY_ROBOT_MISSING_MAX]);

#endif
