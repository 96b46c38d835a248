/// @file program_nt.h
/// What `--nt-allow` is followed by. For programs with a loop of their own.
///
///     static size_t read(hy_nt_network networks[HY_NT_ALLOW_MAX])
///     {
///         size_t count;
///         return hy_program_nt_networks("10.12.34.0/24", networks, &count) ? count : 0;
///     }
#ifndef HALYARD_PROGRAM_NT_H
#define HALYARD_PROGRAM_NT_H

#include <halyard/nt.h>

HY_API_BEGIN

/// Reads "ADDR[/BITS],..." into `networks`; false if it is something else, or over HY_NT_ALLOW_MAX
/// of them.
bool hy_program_nt_networks(const char *list, hy_nt_network networks[HY_NT_ALLOW_MAX],
                            size_t *count);

HY_API_END

#endif
