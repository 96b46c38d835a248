// Every command and every status: the encoders of a dialect have no run-time error, and what they write is never longer than wire.h says. The
// encoders write through the functions of blocks.h only, and proofs/write.c shows what those do in a room that is too small.
#include "arbitrary.h"

#ifdef PROVE_TEENSY
#include "../src/wire/teensy.c"
#define DIALECT hy_dialect_teensy
#else
#include "../src/wire/xrp.c"
#define DIALECT hy_dialect_xrp
#endif

static uint8_t command_bytes[HY_WIRE_COMMAND_MAX], status_bytes[HY_WIRE_STATUS_MAX];

int main(void)
{
    hy_wire_command command;
    hy_wire_status status;
    arbitrary(&command, sizeof command);
    arbitrary(&status, sizeof status);
    for (size_t n = 0; n < HY_WIRE_ENCODERS; n++) {
        status.encoder[n].has_period = arbitrary_bool();
    }
    status.has_gyro = arbitrary_bool();
    status.has_accel = arbitrary_bool();
    const size_t command_size =
        DIALECT.command_encode(&command, (hy_room){ command_bytes, sizeof command_bytes });
    //@ assert HY_WIRE_HEADER_SIZE <= command_size <= HY_WIRE_COMMAND_MAX;
    const size_t status_size =
        DIALECT.status_encode(&status, (hy_room){ status_bytes, sizeof status_bytes });
    //@ assert HY_WIRE_HEADER_SIZE <= status_size <= HY_WIRE_STATUS_MAX;
    return 0;
}
