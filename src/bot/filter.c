#include <halyard/bot_control.h>

#include "finite.h"

// --------------------------------------------------------------------------- linear filters

static bool all_finite(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_finite(values[i])) {
            return false;
        }
    }
    return true;
}

static void copy(double *to, const double *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i];
    }
}

bool hy_linear_filter_init(hy_linear_filter *self, hy_filter_gains gains, double *memory,
                           size_t memory_count)
{
    const size_t forward = gains.forward_count, back = gains.back_count;
    const size_t most = SIZE_MAX / 8;
    if (forward > most || back > most || forward + back == 0 ||
        memory_count < HY_LINEAR_FILTER_MEMORY(forward, back) ||
        !all_finite(gains.forward, forward) || !all_finite(gains.back, back)) {
        return false;
    }
    *self = (hy_linear_filter){
        .forward = memory,
        .back = memory + forward,
        .inputs = memory + forward + back,
        .outputs = memory + forward + back + forward,
        .forward_count = forward,
        .back_count = back,
    };
    copy(memory, gains.forward, forward);
    copy(memory + forward, gains.back, back);
    hy_linear_filter_reset(self);
    return true;
}

/// e^(-period / time constant): what is left of a step one period later. NaN if the times are not
/// positive.
static double decay(double time_constant_s, double period_s)
{
    const bool are_times = is_finite(time_constant_s) && time_constant_s > 0.0 &&
                           is_finite(period_s) && period_s > 0.0;
    return are_times ? hy_exp(-period_s / time_constant_s) : __builtin_nan("");
}

bool hy_linear_filter_single_pole(hy_linear_filter *self, double time_constant_s, double period_s,
                                  double *memory, size_t memory_count)
{
    const double left = decay(time_constant_s, period_s);
    const double forward[1] = { 1.0 - left }, back[1] = { -left };
    return hy_linear_filter_init(self, (hy_filter_gains){ forward, back, 1, 1 }, memory,
                                 memory_count);
}

bool hy_linear_filter_high_pass(hy_linear_filter *self, double time_constant_s, double period_s,
                                double *memory, size_t memory_count)
{
    const double left = decay(time_constant_s, period_s);
    const double forward[2] = { left, -left }, back[1] = { -left };
    return hy_linear_filter_init(self, (hy_filter_gains){ forward, back, 2, 1 }, memory,
                                 memory_count);
}

bool hy_linear_filter_moving_average(hy_linear_filter *self, size_t taps, double *memory,
                                     size_t memory_count)
{
    if (taps == 0 || taps > SIZE_MAX / 8 || memory_count < HY_LINEAR_FILTER_MEMORY(taps, 0)) {
        return false;
    }
    *self = (hy_linear_filter){ .forward = memory, .inputs = memory + taps, .forward_count = taps };
    for (size_t i = 0; i < taps; i++) {
        memory[i] = 1.0 / (double)taps;
    }
    hy_linear_filter_reset(self);
    return true;
}

static void push_value(double *history, size_t count, double value)
{
    for (size_t i = count; i > 1; i--) {
        history[i - 1] = history[i - 2];
    }
    if (count > 0) {
        history[0] = value;
    }
}

double hy_linear_filter_calculate(hy_linear_filter *self, double input)
{
    if (!is_finite(input)) {
        return self->output;
    }
    push_value(self->inputs, self->forward_count, input);
    double sum = 0.0;
    for (size_t i = 0; i < self->forward_count; i++) {
        sum += self->inputs[i] * self->forward[i];
    }
    for (size_t i = 0; i < self->back_count; i++) {
        sum -= self->outputs[i] * self->back[i];
    }
    sum = finite_or_0(sum); // gains of an unstable filter: it starts again instead of staying infinite
    push_value(self->outputs, self->back_count, sum);
    self->output = sum;
    return sum;
}

void hy_linear_filter_reset(hy_linear_filter *self)
{
    for (size_t i = 0; i < self->forward_count; i++) {
        self->inputs[i] = 0.0;
    }
    for (size_t i = 0; i < self->back_count; i++) {
        self->outputs[i] = 0.0;
    }
    self->output = 0.0;
}

// --------------------------------------------------------------------------- median

bool hy_median_filter_init(hy_median_filter *self, size_t size, double *memory, size_t memory_count)
{
    if (size == 0 || size > SIZE_MAX / 8 || memory_count < HY_MEDIAN_FILTER_MEMORY(size)) {
        return false;
    }
    *self = (hy_median_filter){ .values = memory, .sorted = memory + size, .size = size };
    for (size_t i = 0; i < HY_MEDIAN_FILTER_MEMORY(size); i++) {
        memory[i] = 0.0;
    }
    return true;
}

static void take_out(double *sorted, size_t count, double value)
{
    size_t i = 0;
    while (i < count && sorted[i] != value) {
        i++;
    }
    for (; i + 1 < count; i++) {
        sorted[i] = sorted[i + 1];
    }
}

/// `count` values are there before; the room has one more.
static void put_in(double *sorted, size_t count, double value)
{
    size_t i = count;
    for (; i > 0 && sorted[i - 1] > value; i--) {
        sorted[i] = sorted[i - 1];
    }
    sorted[i] = value;
}

double hy_median_filter_calculate(hy_median_filter *self, double input)
{
    if (!is_finite(input) || self->size == 0) {
        return self->output;
    }
    if (self->count == self->size) {
        take_out(self->sorted, self->count, self->values[self->next]);
        self->count--;
    }
    put_in(self->sorted, self->count, input);
    self->count++;
    self->values[self->next] = input;
    self->next = (self->next + 1) % self->size;
    const double upper = self->sorted[self->count / 2];
    const double lower = self->sorted[(self->count - 1) / 2];
    self->output = lower == upper ? upper : lower / 2.0 + upper / 2.0;
    return self->output;
}

void hy_median_filter_reset(hy_median_filter *self)
{
    self->count = 0;
    self->next = 0;
    self->output = 0.0;
}

// --------------------------------------------------------------------------- slew and debounce

bool hy_slew_limiter_init(hy_slew_limiter *self, double rise_per_s, double fall_per_s,
                          double initial, int64_t now_us)
{
    if (!is_finite(rise_per_s) || rise_per_s < 0.0 || !is_finite(fall_per_s) || fall_per_s > 0.0 ||
        !is_finite(initial)) {
        return false;
    }
    *self = (hy_slew_limiter){ initial, rise_per_s, fall_per_s, now_us };
    return true;
}

double hy_slew_limiter_calculate(hy_slew_limiter *self, double input, int64_t now_us)
{
    const double elapsed_s = now_us > self->then_us ? (double)(now_us - self->then_us) * 1e-6 : 0.0;
    const double change = finite_or_0(input) - self->output;
    self->output += limited(change, self->fall_per_s * elapsed_s, self->rise_per_s * elapsed_s);
    self->then_us = now_us;
    return self->output;
}

bool hy_slew_limiter_reset(hy_slew_limiter *self, double value, int64_t now_us)
{
    if (!is_finite(value)) {
        return false;
    }
    self->output = value;
    self->then_us = now_us;
    return true;
}

void hy_debouncer_init(hy_debouncer *self, int64_t time_us, hy_debounce_kind kind, int64_t now_us)
{
    *self = (hy_debouncer){ .time_us = time_us > 0 ? time_us : 0,
                            .since_us = now_us,
                            .kind = kind,
                            .baseline = kind == HY_DEBOUNCE_FALLING };
}

bool hy_debouncer_calculate(hy_debouncer *self, bool input, int64_t now_us)
{
    if (input == self->baseline) {
        self->since_us = now_us;
    }
    if (now_us - self->since_us < self->time_us) {
        return self->baseline;
    }
    if (self->kind == HY_DEBOUNCE_BOTH) {
        self->baseline = input;
        self->since_us = now_us;
    }
    return input;
}
