/// @file token.h
/// The secret in the page's address: only a page that sends it may command.
#ifndef HY_VIEW_TOKEN_H
#define HY_VIEW_TOKEN_H

#include "view.h"

/// Copies `given`, or for NULL makes a token of 128 new random bits. HY_EFORMAT: `given` is no token. HY_ESYSTEM: the system has no random bits.
hy_status view_token_take(char token[HY_VIEW_TOKEN_SIZE], const char *given);

/// Whether `said` is the token. The comparison takes the same time wherever the first difference is.
bool view_token_is(const char token[HY_VIEW_TOKEN_SIZE], hy_bytes said);

#endif
