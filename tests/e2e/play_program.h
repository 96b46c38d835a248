/// @file play_program.h
/// `halyard play` under test, and its children.
#ifndef HALYARD_TESTS_PLAY_PROGRAM_H
#define HALYARD_TESTS_PLAY_PROGRAM_H

#include "match_ports.h"
#include "program.h"

#define PLAY_CHILDREN_MAX 16

typedef program play_starter(const char *const *arguments);

/// The ports of all matches of a test program, between these two, its group's setup and teardown.
extern match_ports play_ports;
int play_take_ports(void **state);
int play_give_ports_back(void **state);

/// Starts a match of `players`, "1" to "6", by program_start or program_start_in_terminal.
program play_start(play_starter *start, const char *players);

/// Its children in the order of their start; 0 on systems that do not list them.
size_t play_children(const program *play, pid_t children[PLAY_CHILDREN_MAX]);

/// Waits until they are gone; fails the test if one stays.
void play_assert_gone(const pid_t *children, size_t count);

#endif
