/// @file network_notice.h
/// What a program says of an address that it listens on: where it can be reached, and who else could.
#ifndef HALYARD_APPS_NETWORK_NOTICE_H
#define HALYARD_APPS_NETWORK_NOTICE_H

#include <halyard/base.h>

#include <stdio.h>

/// One line on stdout, "network: ...", if other machines can reach the address: where, and what they can do; `can` continues "whoever can
/// reach it". Call it behind the line that says that the program is ready, which other programs read.
void network_notice(const hy_endpoint *listen, const char *can);

/// The same on another stream than stdout.
void network_notice_on(FILE *out, const hy_endpoint *listen, const char *can);

#endif
