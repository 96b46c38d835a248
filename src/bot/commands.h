/// @file commands.h
/// Private: what the scheduler asks of a command, and a group of its members.
#ifndef HALYARD_BOT_COMMANDS_PRIVATE_H
#define HALYARD_BOT_COMMANDS_PRIVATE_H

#include <halyard/bot.h>

/// False for a struct that no function has made a command of.
bool command_is_made(const hy_command *self);

void command_start(hy_command *self, int64_t now_us);

/// One loop; true if the command is finished, and must be ended.
bool command_step(hy_command *self, int64_t now_us);

void command_end(hy_command *self, bool interrupted, int64_t now_us);

#endif
