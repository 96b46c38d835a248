/// @file wire_invariants.h
/// What must hold of any bytes whatever: used by the tests that damage vectors, by the random
/// packets and by the fuzz target. The heart of it is a second decoder, as plain as can be: it
/// collects the blocks first and then looks up what each output was told last.
#ifndef HALYARD_TESTS_WIRE_INVARIANTS_H
#define HALYARD_TESTS_WIRE_INVARIANTS_H

#include <halyard/wire.h>
#include <string.h>

/// The first broken invariant in words, or NULL. `datagram` of at most 64 KiB.
const char *wire_broken_invariant(hy_bytes datagram);

#endif
