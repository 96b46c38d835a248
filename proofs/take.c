// Every block, whatever its tag, its size and its bytes: what the decoders of a dialect do with it has no run-time error. The payload
// is an array of exactly its size, so a byte read behind it would be one. Payloads longer than any that is understood are all alike: their
// first bytes are an array, and a byte read behind that would be an error as well.
#include "arbitrary.h"

#ifdef PROVE_TEENSY
#include "../src/wire/teensy.c"
#define DIALECT teensy
#else
#include "../src/wire/xrp.c"
#define DIALECT xrp
#endif

#define LONG_PAYLOAD (PAYLOAD_GYRO + 1)

static uint8_t bytes[LONG_PAYLOAD];
static hy_wire_command command;
static hy_wire_status status;

static void take(size_t array, size_t size, uint8_t channel)
{
    uint8_t *const payload = bytes + sizeof bytes - array;
    if (array > 0) {
        payload[0] = channel;
    }
    const hy_block block = { .tag = arbitrary_u8(), .payload = { payload, size } };
    (void)command_take(&DIALECT, &block, &command);
    (void)status_take(&DIALECT, &block, &status);
    //@ slevel merge;
    ;
}

int main(void)
{
    arbitrary(bytes, sizeof bytes);
    for (unsigned known = 0; known <= HY_WIRE_DIOS;
         known++) { // the last one stands for all that no dialect has
        const uint8_t channel =
            known < HY_WIRE_DIOS ? (uint8_t)known : arbitrary_u8_from(HY_WIRE_DIOS);
        for (size_t size = 0; size < LONG_PAYLOAD; size++) {
            take(size, size, channel);
        }
        take(LONG_PAYLOAD, arbitrary_size(LONG_PAYLOAD, HY_WIRE_PAYLOAD_MAX), channel);
    }
    return 0;
}
