// LINK: telemetry text base
// Any bytes are read as a binary frame of NetworkTables 4.1: values lie within it, what is read is written back to the same values, and
// messages and damage account for every byte.

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "telemetry/telemetry_nt4.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_written(const hy_nt4_value *value)
{
    const hy_room room = { malloc(HY_NT4_HEAD_MAX + value->value.size),
                           HY_NT4_HEAD_MAX + value->value.size };
    hy_nt4_values again = { .rest = { room.data, hy_nt4_write(room, value) } };
    hy_nt4_value same;
    assert(again.rest.size > 0 && hy_nt4_next(&again, &same) && again.rest.size == 0);
    assert(same.id == value->id && same.time_us == value->time_us && same.type == value->type);
    assert(same.value.size == value->value.size &&
           memcmp(same.value.data, value->value.data, same.value.size) == 0);
    free(room.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hy_nt4_values frame = { .rest = { data, size } };
    for (hy_nt4_value value; hy_nt4_next(&frame, &value);) {
        double number;
        bool flag;
        hy_bytes bytes;
        assert(value.value.data >= data && value.value.size <= size &&
               (size_t)(value.value.data - data) <= size - value.value.size);
        const bool fits = hy_nt4_value_fits(&value);
        assert(fits || !hy_nt4_value_number(&value, &number));
        assert(fits || !hy_nt4_value_flag(&value, &flag));
        assert(fits || !hy_nt4_value_bytes(&value, &bytes));
        check_written(&value);
    }
    assert(frame.is_malformed || frame.rest.size == 0);
    return 0;
}
