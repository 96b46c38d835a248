// Bytes of WPILOG 1.0 that its writer and its reader share.
#ifndef TELEMETRY_WPILOG_H
#define TELEMETRY_WPILOG_H

// "WPILOG", version 1.0, an extra header of 0 bytes.
#define WPILOG_HEADER                                  \
    {                                                  \
        'W', 'P', 'I', 'L', 'O', 'G', 0, 1, 0, 0, 0, 0 \
    }

#define WPILOG_RECORD_HEAD_MAX 17 // lengths, entry, size of the payload, time

#define WPILOG_CONTROL_ENTRY 0
enum {
    WPILOG_CONTROL_START = 0,
    WPILOG_CONTROL_FINISH = 1,
    WPILOG_CONTROL_SET_METADATA = 2,
};

#endif
