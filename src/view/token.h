/// @file token.h
/// What tells the page of who started the program from anybody else's.
#ifndef HY_VIEW_TOKEN_H
#define HY_VIEW_TOKEN_H

#include <halyard/view.h>

/// Copies `given`, or for NULL makes 128 fresh random bits. HY_EFORMAT (`given` is no token), HY_ESYSTEM (the system has no random bits).
hy_status view_token_take(char token[HY_VIEW_TOKEN_SIZE], const char *given);

/// Whether `said` is the token; takes the same time however much of it is right.
bool view_token_is(const char token[HY_VIEW_TOKEN_SIZE], hy_bytes said);

#endif
