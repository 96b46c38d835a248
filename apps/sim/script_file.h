/// @file script_file.h
/// A player's script (player.h) from a file.
#ifndef HALYARD_APPS_SCRIPT_FILE_H
#define HALYARD_APPS_SCRIPT_FILE_H

#include <halyard/player.h>

/// hy_player_script_parse() of a file of up to 1 MB; also HY_EFILE and HY_ERANGE (longer).
hy_status script_file_load(hy_player_script *self, const char *path, hy_player_error error);

#endif
