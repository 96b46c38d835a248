#include <halyard/icd.h>

#include "fields.h"

hy_icd_reader *hy_icd_reader_open(void)
{
    return hy_json_reader_open(HY_ICD_MESSAGE_MAX);
}

void hy_icd_reader_close(hy_icd_reader *self)
{
    hy_json_reader_close(self);
}

const char *hy_icd_reader_why(const hy_icd_reader *self)
{
    return hy_json_reader_why(self);
}

uint64_t hy_icd_reader_left_out(const hy_icd_reader *self)
{
    return hy_json_reader_left_out(self);
}

hy_status hy_icd_read_sticks(hy_icd_reader *self, hy_bytes text, hy_icd_sticks *out)
{
    unsigned seen;
    hy_icd_sticks message = { 0 };
    const hy_status status = hy_json_read(self, text, &hy_icd_sticks_record, &message, &seen);
    if (status == HY_OK) {
        *out = message;
    }
    return status;
}

hy_status hy_icd_read_commands(hy_icd_reader *self, hy_bytes text, hy_icd_commands *out)
{
    unsigned seen;
    hy_icd_commands message = { 0 };
    const hy_status status = hy_json_read(self, text, &hy_icd_commands_record, &message, &seen);
    if (status == HY_OK) {
        *out = message;
    }
    return status;
}

hy_status hy_icd_read_sensors(hy_icd_reader *self, hy_bytes text, hy_icd_sensors *out)
{
    unsigned seen;
    hy_icd_sensors message = { 0 };
    const hy_status status = hy_json_read(self, text, &hy_icd_sensors_record, &message, &seen);
    if (status == HY_OK) {
        message.has_pose = (seen & HY_ICD_POSE_BITS) == HY_ICD_POSE_BITS;
        *out = message;
    }
    return status;
}

hy_status hy_icd_read_match(hy_icd_reader *self, hy_bytes text, hy_icd_match *out)
{
    unsigned seen;
    hy_icd_match message = { 0 };
    const hy_status status = hy_json_read(self, text, &hy_icd_match_record, &message, &seen);
    if (status == HY_OK) {
        for (size_t i = 0; i < message.vehicle_count; i++) {
            if (message.vehicle[i].alliance == HY_ALLIANCE_NONE) { // it names none
                message.vehicle[i].alliance = HY_ALLIANCE_BLUE;
            }
        }
        *out = message;
    }
    return status;
}

hy_status hy_icd_read_status(hy_icd_reader *self, hy_bytes text, hy_icd_status *out)
{
    unsigned seen;
    hy_icd_status message = { 0 };
    const hy_status status = hy_json_read(self, text, &hy_icd_status_record, &message, &seen);
    if (status == HY_OK && (seen & 1U) == 0) {
        return hy_json_refuse(self, "status is not 1");
    }
    if (status == HY_OK) {
        *out = message;
    }
    return status;
}

hy_status hy_icd_read_used_sticks(hy_icd_reader *self, hy_bytes text, hy_icd_sticks *out)
{
    unsigned seen;
    hy_icd_sticks message = { 0 };
    const hy_status status = hy_json_read(self, text, &hy_icd_used_sticks_record, &message, &seen);
    if (status == HY_OK && (seen & 1U) == 0) {
        return hy_json_refuse(self, "usedSticks is not 1");
    }
    if (status == HY_OK) {
        *out = message;
    }
    return status;
}

hy_status hy_icd_read_heartbeat(hy_icd_reader *self, hy_bytes text)
{
    static const hy_json_record nothing = { NULL, 0 };
    unsigned seen;
    return hy_json_read(self, text, &nothing, NULL, &seen);
}
