// Commands that were held up on their way never start a robot that was stopped behind them: every order of twelve datagrams, with
// pauses anywhere. Orders whose prefixes leave the gate in the same state are followed once, so that all 12! of them are covered.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "environment.h"

#include <halyard/wire.h>

#define MS INT64_C(1000)

enum { DATAGRAMS = 12 };

typedef struct {
    uint16_t seq;
    bool stops;
    int sent; ///< Which of its sender's commands it carries: a later one is larger. Copies are equal.
} datagram;

// --------------------------------------------------------------------------- states

/// One of these passes before each datagram: none, a silence, and in long runs a pause that no steady count has. Numbers that rise for a second
/// without a pause are test_wire_sequence's.
static const int64_t pauses_us[] = { 0, 600 * MS, 260 * MS };

#define PAUSES (sizeof pauses_us / sizeof pauses_us[0])

/// How things stand after some of the datagrams. What is not here does not change what a gate does next.
typedef struct {
    uint16_t given; ///< Bit n: datagram n has arrived.
    uint16_t last, candidate, run_last, stop, former;
    uint8_t flags;
    uint8_t newest_stop; ///< The newest stop that was accepted, as `sent`; since the last restart, if `forgives`.
    int32_t silent_us, candidate_age_us, run_age_us, run_length_us;
} key;

typedef struct {
    key key;
    hy_seq_gate gate;
    int64_t now_us;
} node;

/// Beyond a second no age makes a difference.
static int32_t age(int64_t now_us, int64_t then_us)
{
    const int64_t us = now_us - then_us;
    return us > 1000 * MS ? (int32_t)(1000 * MS) : (int32_t)us;
}

static key key_of(const node *n)
{
    const hy_seq_gate *g = &n->gate;
    key k;
    memset(&k, 0, sizeof k);
    k.given = n->key.given;
    k.newest_stop = n->key.newest_stop;
    k.last = g->last;
    k.flags = (uint8_t)(g->started | g->candidate_stops << 1 | g->has_stop << 2 | g->has_former << 3);
    k.stop = g->has_stop ? g->stop : 0;
    k.former = g->has_former ? g->former : 0;
    k.silent_us = age(n->now_us, g->accepted_us);
    k.candidate_age_us = age(n->now_us, g->candidate_us);
    k.run_age_us = age(n->now_us, g->run_us);
    k.run_length_us = age(n->now_us, g->run_began_us);
    // What is too old to be looked at is all the same.
    k.candidate = k.candidate_age_us < HY_SEQ_SILENCE_US ? g->candidate : 0;
    k.candidate_age_us =
        k.candidate_age_us < HY_SEQ_SILENCE_US ? k.candidate_age_us : HY_SEQ_SILENCE_US;
    k.silent_us = k.silent_us < HY_SEQ_SILENCE_US ? k.silent_us : HY_SEQ_SILENCE_US;
    if (k.run_age_us > 200 * MS) {
        k.run_last = 0;
        k.run_age_us = k.run_length_us = 1000 * MS;
    } else {
        k.run_last = g->run_last;
    }
    return k;
}

/// The states that so many datagrams lead to, each once: a hash table of places in a list.
#define SLOTS  (1U << 19)
#define STATES (SLOTS / 2)

typedef struct {
    node *nodes;
    uint32_t *slots; ///< 0: free, else the place in `nodes` plus 1.
    size_t count;
} layer;

static layer now, next;

static size_t slot_of(const key *k)
{
    const uint8_t *bytes = (const uint8_t *)k;
    uint64_t hash = 14695981039346656037U;
    for (size_t i = 0; i < sizeof *k; i++) {
        hash = (hash ^ bytes[i]) * 1099511628211U;
    }
    return (size_t)(hash ^ hash >> 32) % SLOTS;
}

static void add(layer *to, const node *n)
{
    size_t slot = slot_of(&n->key);
    for (; to->slots[slot] != 0; slot = (slot + 1) % SLOTS) {
        if (memcmp(&to->nodes[to->slots[slot] - 1].key, &n->key, sizeof n->key) == 0) {
            return;
        }
    }
    assert_true(to->count < STATES);
    to->nodes[to->count++] = *n;
    to->slots[slot] = (uint32_t)to->count;
}

static void step_on(void)
{
    const layer done = now;
    now = next;
    next = done;
    next.count = 0;
    memset(next.slots, 0, SLOTS * sizeof *next.slots);
}

static int allocate_layers(void **state)
{
    (void)state;
    now = (layer){ malloc(STATES * sizeof(node)), calloc(SLOTS, sizeof(uint32_t)), 0 };
    next = (layer){ malloc(STATES * sizeof(node)), calloc(SLOTS, sizeof(uint32_t)), 0 };
    const bool ok =
        now.nodes != NULL && now.slots != NULL && next.nodes != NULL && next.slots != NULL;
    return ok ? 0 : -1;
}

static int free_layers(void **state)
{
    (void)state;
    free(now.nodes);
    free(now.slots);
    free(next.nodes);
    free(next.slots);
    return 0;
}

// --------------------------------------------------------------------------- every order

typedef struct {
    const char *name;
    datagram datagrams[DATAGRAMS];
    uint16_t before; ///< The number that was taken before them; 0: none.
    bool is_large;   ///< Only the first two kinds of pauses, for the sake of time.
    bool forgives; ///< A restart that two stops prove makes the stops before it forgotten: SPEC wire 7.2.
} scenario;

typedef struct {
    uint64_t steps, states, driven;
} tally;

static void give(const scenario *s, const node *from, int index, int64_t pause_us, tally *sum)
{
    const datagram *d = &s->datagrams[index];
    node after = *from;
    after.now_us += pause_us;
    after.key.given |= (uint16_t)(1U << index);
    const uint64_t restarts = after.gate.restarts;
    const bool taken =
        hy_seq_gate_accept_command(&after.gate, d->seq, d->stops ? 0 : 1, after.now_us);
    sum->steps++;
    if (taken && d->stops) {
        const bool forgets = s->forgives && after.gate.restarts > restarts;
        if (forgets || d->sent > after.key.newest_stop) {
            after.key.newest_stop = (uint8_t)d->sent;
        }
    }
    if (taken && !d->stops) {
        sum->driven++;
        if (d->sent < after.key.newest_stop) {
            fail_msg("%s: command %d (number %u) is obeyed after stop %d", s->name, d->sent, d->seq,
                     after.key.newest_stop);
        }
    }
    after.key = key_of(&after);
    add(&next, &after);
}

static void follow_every_order(const scenario *s)
{
    tally sum = { 0, 0, 0 };
    node first = { .now_us = 1000 * 1000 * MS };
    if (s->before != 0) {
        (void)hy_seq_gate_accept_command(&first.gate, s->before, 1, first.now_us);
    }
    first.key = key_of(&first);
    step_on();
    add(&next, &first);
    step_on();
    const size_t all = s->is_large ? 2 : PAUSES;
    const size_t pauses = is_long_run() ? all : all - 1;
    for (int level = 0; level < DATAGRAMS; level++) {
        for (size_t i = 0; i < now.count; i++) {
            for (int index = 0; index < DATAGRAMS; index++) {
                for (size_t p = 0; p < pauses && (now.nodes[i].key.given >> index & 1) == 0; p++) {
                    give(s, &now.nodes[i], index, pauses_us[p], &sum);
                }
            }
        }
        step_on();
        sum.states += now.count;
    }
    printf("%s: %llu states, %llu steps\n", s->name, (unsigned long long)sum.states,
           (unsigned long long)sum.steps);
    assert_true(sum.driven > 0);
}

// --------------------------------------------------------------------------- twelve datagrams

#define GO(seq, sent)                \
    {                                \
        (uint16_t)(seq), false, sent \
    }
#define STOP(seq, sent)             \
    {                               \
        (uint16_t)(seq), true, sent \
    }

static void commands_and_then_the_stop(void **state)
{
    (void)state;
    static const uint32_t bases[] = { 1, 50, 58, 1000, 32762, 65525, 65530 };
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "six commands from %u on, then six stops", (unsigned)bases[i]);
        scenario s = { .name = name };
        for (int k = 0; k < DATAGRAMS; k++) {
            s.datagrams[k] = (datagram){ (uint16_t)(bases[i] + (uint32_t)k), k >= 6, k + 1 };
        }
        follow_every_order(&s);
    }
}

static void a_long_hold_up_before_the_stop(void **state)
{
    (void)state;
    // Numbers that were overtaken by hundreds look like a new count all the more.
    const scenario s = { .name = "commands 1..9, and the stop at 1000",
                         .datagrams = { GO(1, 1), GO(2, 2), GO(3, 3), GO(4, 4), GO(5, 5), GO(6, 6),
                                        GO(7, 7), GO(8, 8), GO(9, 9), STOP(1000, 10),
                                        STOP(1001, 11), STOP(1002, 12) } };
    follow_every_order(&s);
}

static void a_stop_between_commands(void **state)
{
    (void)state;
    const scenario s = { .name = "drive, stop, drive, stop",
                         .datagrams = { GO(100, 1), GO(101, 2), GO(102, 3), STOP(103, 4),
                                        STOP(104, 5), STOP(105, 6), GO(106, 7), GO(107, 8),
                                        GO(108, 9), STOP(109, 10), STOP(110, 11), STOP(111, 12) } };
    follow_every_order(&s);
}

static void doubled_datagrams(void **state)
{
    (void)state;
    const scenario s = { .name = "each datagram twice",
                         .datagrams = { GO(1, 1), GO(1, 1), GO(2, 2), GO(2, 2), GO(3, 3), GO(3, 3),
                                        STOP(30, 4), STOP(30, 4), STOP(31, 5), STOP(31, 5),
                                        STOP(32, 6), STOP(32, 6) } };
    follow_every_order(&s);
}

static void copies_of_a_round(void **state)
{
    (void)state;
    const scenario s = { .name = "both copies of a round's commands",
                         .before = 39,
                         .datagrams = { GO(65535, 1), GO(40, 1), GO(65535, 2), GO(41, 2),
                                        GO(65535, 3), GO(42, 3), STOP(65535, 4), STOP(43, 4),
                                        STOP(65535, 5), STOP(44, 5), STOP(65535, 6), STOP(45, 6) } };
    follow_every_order(&s);
}

static void from_one_round_to_the_next(void **state)
{
    (void)state;
    const scenario s = { .name = "the end of a round, without its copies",
                         .datagrams = { GO(32763, 1), GO(32764, 2), GO(32765, 3), GO(32766, 4),
                                        GO(32767, 5), GO(32768, 6), STOP(0, 8), STOP(1, 9),
                                        STOP(2, 10), STOP(3, 11), STOP(4, 12), STOP(5, 13) } };
    follow_every_order(&s);
}

static void a_restart_behind_the_stop(void **state)
{
    (void)state;
    // The client starts again, disabled, and drives: what is left of its former life moves nothing.
    const scenario s = { .name = "drive, stop, start again, drive",
                         .before = 999,
                         .is_large = true,
                         .datagrams = { GO(1000, 1), GO(1001, 2), GO(1002, 3), STOP(1003, 4),
                                        STOP(1004, 5), STOP(1005, 6), STOP(1, 7), STOP(2, 8),
                                        STOP(3, 9), GO(4, 10), GO(5, 11), GO(6, 12) } };
    follow_every_order(&s);
}

static void a_client_that_begins_disabled(void **state)
{
    (void)state;
    const scenario s = { .name = "begin disabled, drive, stop",
                         .forgives = true,
                         .datagrams = { STOP(1, 1), STOP(2, 2), GO(3, 3), GO(4, 4), GO(5, 5),
                                        GO(6, 6), GO(7, 7), GO(8, 8), GO(9, 9), GO(10, 10),
                                        STOP(11, 11), STOP(12, 12) } };
    follow_every_order(&s);
}

#define ORDERS_TEST(function) \
    cmocka_unit_test_setup_teardown(function, allocate_layers, free_layers)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ORDERS_TEST(commands_and_then_the_stop), ORDERS_TEST(a_long_hold_up_before_the_stop),
        ORDERS_TEST(a_stop_between_commands),    ORDERS_TEST(doubled_datagrams),
        ORDERS_TEST(copies_of_a_round),          ORDERS_TEST(from_one_round_to_the_next),
        ORDERS_TEST(a_restart_behind_the_stop),  ORDERS_TEST(a_client_that_begins_disabled),
    };
    return cmocka_run_group_tests_name("wire orders", tests, NULL, NULL);
}
