/// @file wire_receivers.h
/// Models of the robots out there: who takes which command number.
#ifndef HALYARD_TESTS_WIRE_RECEIVERS_H
#define HALYARD_TESTS_WIRE_RECEIVERS_H

#include <halyard/wire.h>

/// The stock XRP firmware, SPEC wire 7.1: the number must exceed the largest so far, or be one of
/// the last five, which always pass. After the watchdog's time without one, everything begins anew.
typedef struct {
    uint16_t max;
    int64_t accepted_us;
} stock_rule;

#define STOCK_WATCHDOG_US 500000

static inline bool stock_rule_accept(stock_rule *self, uint16_t seq, int64_t now_us)
{
    if (now_us - self->accepted_us > STOCK_WATCHDOG_US) {
        self->max = 0;
    }
    if (seq > self->max || 65535 - seq < 5) {
        self->max = seq;
        self->accepted_us = now_us;
        return true;
    }
    return false;
}

/// Plain modular order, as a newcomer's robot would have it.
typedef struct {
    uint16_t last;
    bool started;
} modular_rule;

static inline bool modular_rule_accept(modular_rule *self, uint16_t seq)
{
    const uint16_t ahead = (uint16_t)(seq - self->last);
    if (self->started && (ahead == 0 || ahead >= 32768)) {
        return false;
    }
    self->last = seq;
    self->started = true;
    return true;
}

#endif
