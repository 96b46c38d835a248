/// @file channels.h
/// The channels that make a recording re-runnable: SPEC recording.
#ifndef HY_RECORD_CHANNELS_H
#define HY_RECORD_CHANNELS_H

#include <halyard/base.h>

#define RECORD_VERSION_CHANNEL "/Metadata/Halyard"
#define RECORD_SETUP_CHANNEL   "/Halyard/Replay/Setup"
#define RECORD_INPUT_CHANNEL   "/Halyard/Replay/PackedInput"
#define RECORD_PLAIN_CHANNEL   "/Halyard/Replay/Input" // inputs that are not packed, in older files
#define RECORD_HASH_CHANNEL    "/Halyard/Replay/Hash"

#define RECORD_INPUT_MAX  262144 // bytes of an input with its head; a longer one is lost
#define RECORD_SETUP_PART 65536  // most bytes of one record of the setup
#define RECORD_INPUT_HEAD \
    12 // before the bytes of an input, packed with them: u64 number, u32 check

/// What makes an altered input show at itself, and not only at the next hash.
static inline uint32_t record_input_check(uint64_t number, hy_bytes input)
{
    hy_hash hash = hy_hash_start();
    hy_hash_u64(&hash, number);
    hy_hash_bytes(&hash, input);
    return (uint32_t)(hash.value ^ hash.value >> 32);
}

#endif
