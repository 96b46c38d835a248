/// @file text.h
/// JSON into a buffer that is never left: what does not fit is noticed at the end.
#ifndef HY_VIEW_TEXT_H
#define HY_VIEW_TEXT_H

#include <halyard/base.h>

/// A text under way.
typedef struct {
    uint8_t *bytes;
    size_t size, room;
    bool is_full; ///< Something did not fit: what is there is no JSON.
} view_text;

view_text view_text_in(hy_room room);

/// Adds it as it is.
void view_put(view_text *self, const char *json);

/// A string with its quotation marks. What is no UTF-8 becomes '?', for browsers hang up on it.
void view_put_string(view_text *self, const char *text);

/// A number with up to `decimals` (0 .. 6) digits behind the point; within +-1e9, NaN is 0.
void view_put_number(view_text *self, double value, int decimals);

void view_put_flag(view_text *self, bool value);

/// `"key":`, with a comma before it unless it is an object's first.
void view_put_key(view_text *self, const char *key);

/// Numbers as a list: [1,2].
void view_put_list(view_text *self, const double *values, size_t count, int decimals);

/// A comma unless `index` is 0.
void view_put_comma(view_text *self, size_t index);

#endif
