/// @file match_ports.h
/// Ports for the programs of a match under test. The document fixes them but for the shift, and tests run side by side: each takes
/// a shift of its own, and all of them stay below the ports that systems give away by themselves.
#ifndef HALYARD_TESTS_MATCH_PORTS_H
#define HALYARD_TESTS_MATCH_PORTS_H

#include <halyard/icd.h>
#include <halyard/link.h>

typedef struct {
    unsigned shift;
    char shift_text[8]; ///< For a command line.
    // Private.
    hy_link lock;
} match_ports;

/// Takes a shift whose ports are free for all players; fails the test if there is none.
void match_ports_take(match_ports *self);
void match_ports_give_back(match_ports *self);

/// The endpoint of `port` of `player` on this machine.
hy_endpoint match_ports_at(const match_ports *self, hy_icd_port port, unsigned player);

/// Opens a socket there, as the program would that belongs there; fails the test if it cannot.
void match_ports_open(const match_ports *self, hy_icd_port port, unsigned player, hy_link *out);

#endif
