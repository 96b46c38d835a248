#include <halyard/robot_check.h>

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Of sorted values; `count` > 0.
static int64_t at_rank(const int64_t *sorted, size_t count, size_t percent)
{
    const size_t rank = (percent * count + 99) / 100; // rounded up: 1 is the smallest value
    return sorted[rank > 0 ? rank - 1 : 0];
}

hy_robot_spread hy_robot_spread_of(int64_t *values_us, size_t count)
{
    if (count == 0) {
        return (hy_robot_spread){ 0 };
    }
    qsort(values_us, count, sizeof *values_us, compare);
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)values_us[i];
    }
    const double mean_us = sum / (double)count;
    for (size_t i = 0; i < count; i++) {
        const double off = (double)values_us[i] - mean_us;
        squares += off * off;
    }
    return (hy_robot_spread){
        .count = count,
        .least_us = values_us[0],
        .median_us = at_rank(values_us, count, 50),
        .p95_us = at_rank(values_us, count, 95),
        .p99_us = at_rank(values_us, count, 99),
        .most_us = values_us[count - 1],
        .mean_us = mean_us,
        .deviation_us = hy_sqrt(squares / (double)count),
    };
}
