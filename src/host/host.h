// A simulation, or several, beside a clock: when their steps are due, what happens on a host that cannot keep up, and what is attached to
// them, such as a recording or a page. It knows no protocol and no message.
//
//     static bool step(void *context, int64_t now_us) { ... hy_host_stepped(&self->host, self->sim); return true; }
//
//     hy_host_start(&self->host, "halyard board", hy_sim_step_us(sim), 1.0, hy_clock_now_us());
//     self->host.step = step;
//     hy_host_attach(&self->host, &recording);
//     hy_host_turn(&self->host, now_us); // from the events of the caller's loop, and when hy_host_due_us() has come
#ifndef HALYARD_HOST_HOST_H
#define HALYARD_HOST_HOST_H

#include <halyard/sim.h>

/// What a host calls of an attachment; NULL: it need not be called for that.
typedef struct {
    void (*on_turn)(void *self, int64_t now_us);    ///< In each turn, after its steps and inputs.
    void (*on_step)(void *self, const hy_sim *sim); ///< After each step of the attached simulation.
    int64_t (*due_us)(void *self);                  ///< When it wants a turn next.
    void (*close)(void *self);
} hy_attachment_functions;

#define HY_HOST_ATTACHMENTS 12

typedef struct {
    /// Moves all simulations by one step that ends at `due_us`, and calls hy_host_stepped(). False: no further step. NULL: there is no
    /// simulation, only what is attached.
    bool (*step)(void *context, int64_t due_us);
    /// Takes what has come until `now_us` from sockets, keys and pages; NULL: nothing comes.
    void (*take_inputs)(void *context, int64_t now_us);
    void *context;
    const char *program; ///< Who says what there is to say.
    int64_t start_us;    ///< The simulations' time 0. Only read it, and what follows.
    int64_t due_us;      ///< When the next step ends.
    int64_t skipped_us;  ///< Real time that was left out, all in all.
    // Private.
    double period_us; // of a step in real time
    double carry_us;  // of `due_us`, below a microsecond
    bool is_unpaced;
    size_t count;
    struct {
        const hy_attachment_functions *functions;
        void *self;
    } attached[HY_HOST_ATTACHMENTS];
} hy_host;

/// Begins at `now_us`: the first step ends one step later. `speed` is simulated over real time; 0: as fast as it goes. Then every turn
/// makes 64 steps, and what is called gets times that count steps from `now_us` on, so that two such runs are equal.
void hy_host_start(hy_host *self, const char *program, int64_t step_us, double speed, int64_t now_us);

/// The caller's until hy_host_close(). Attachments are called in the order in which they were attached, and closed in the reverse one.
void hy_host_attach(hy_host *self, const hy_attachment_functions *functions, void *attachment);

/// All that is due at `now_us`: steps, at most 64, then inputs, then attachments. What a host is behind by more than 250 ms is left out, by whole steps,
/// with a sentence. False once `step` has returned false.
bool hy_host_turn(hy_host *self, int64_t now_us);

/// To be called by `step` with the simulation to which the attachments belong.
void hy_host_stepped(hy_host *self, const hy_sim *sim);

/// What time 0 of the simulations is for what arrives at the host's clock. Without a pace everything arrives at the present step.
int64_t hy_host_origin_us(const hy_host *self);

/// When the next turn is due.
int64_t hy_host_due_us(const hy_host *self);

/// Closes what was attached.
void hy_host_close(hy_host *self);

#endif
