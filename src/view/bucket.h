/// @file bucket.h
/// Limits the rate at which a page may send messages: a token bucket. Pure: time is an argument.
#ifndef HY_VIEW_BUCKET_H
#define HY_VIEW_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

#define VIEW_BUCKET_RATE 200 ///< Messages a second,
#define VIEW_BUCKET_SEAT_RATE \
    150 ///< and so many more for each player that the page owns: a page sends 125 for a moving stick.
#define VIEW_BUCKET_BURST_US 1000000 ///< It holds what this time brings.
#define VIEW_BUCKET_OVER_US  2000000 ///< Over the limit for longer than this is too long.
#define VIEW_BUCKET_CALM_US \
    1000000 ///< So long without a message too many ends being over the limit.

/// Start it with view_bucket_start().
typedef struct {
    int64_t level; // a millionth of a message each
    int64_t filled_us;
    int64_t over_since_us, last_over_us;
    bool is_over;
} view_bucket;

typedef enum {
    VIEW_BUCKET_PASSES,
    VIEW_BUCKET_OVER,     ///< Too many.
    VIEW_BUCKET_TOO_LONG, ///< Too many for too long: end the connection.
} view_bucket_verdict;

/// A full bucket of a page that owns nothing.
void view_bucket_start(view_bucket *self, int64_t now_us);

/// A message of a page that owns `seats` players. Time never falls. O(1).
view_bucket_verdict view_bucket_take(view_bucket *self, unsigned seats, int64_t now_us);

#endif
