// The terminal that a person sits at, one in a process.
#ifndef HALYARD_SYSTEM_TERMINAL_H
#define HALYARD_SYSTEM_TERMINAL_H

#include <halyard/base.h>

#include <stdio.h>

/// True if the standard input and output are a terminal that a person can sit at.
bool hy_terminal_is_there(void);

/// Whether a person sees what is printed there, or types what is read.
bool hy_terminal_is_stream(FILE *stream);

/// Whether its characters are UTF-8, after setlocale().
bool hy_terminal_is_utf8(void);

/// A handle for writing to the standard output without ever waiting: a terminal is opened once more, so that the shell's description
/// of it stays as it is. End it with hy_terminal_close_output().
intptr_t hy_terminal_open_output(void);

/// True: all of it was taken. False: not now (errno is 0), or never (errno). A pipe takes lines of up to 512 bytes as a whole.
bool hy_terminal_try_output(intptr_t handle, hy_bytes bytes);

void hy_terminal_close_output(intptr_t handle);

/// Takes over the terminal: keys come at once and unechoed, the picture moves to the alternate
/// screen, focus and key releases are reported where it can. Ctrl-C and Ctrl-Z stay signals where
/// the terminal sends them as bytes; with key releases they are key events. It is given back by
/// hy_terminal_close(), at exit(), and as well as a signal handler can when the program crashes.
/// HY_AGAIN while the program is a background job of its shell, HY_ESYSTEM if it is no terminal or
/// takes nothing; HY_EINUSE if it is already open. Nothing here waits for the terminal, not even
/// for one that is stalled.
hy_status hy_terminal_open(void);

/// A handle for hy_wait() that becomes readable with a key; -1 while the terminal is not open.
intptr_t hy_terminal_handle(void);

/// Gives it back; harmless when it is not open. Pictures that a stalled terminal has not shown yet
/// are dropped.
void hy_terminal_close(void);

/// The columns and rows; 80 x 24 where the terminal does not say.
void hy_terminal_size(unsigned *columns, unsigned *rows);

/// Reads up to `size` bytes that wait. 0: none; -1: the terminal is gone.
int hy_terminal_read(uint8_t *bytes, size_t size);

/// Writes as much as the terminal takes now; returns how many bytes that were.
size_t hy_terminal_write(const char *bytes, size_t size);

#endif
