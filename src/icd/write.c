#include "writer.h"

static size_t write_message(const hy_json_record *record, const void *from, hy_room room)
{
    hy_json_text state;
    size_t none = 0;
    hy_json_write(&state, record, from, HY_ICD_WITH_DOCUMENT);
    return hy_icd_weave(&state, &none, room);
}

size_t hy_icd_write_sticks(const hy_icd_sticks *sticks, hy_room room)
{
    return write_message(&hy_icd_sticks_record, sticks, room);
}

size_t hy_icd_write_commands(const hy_icd_commands *commands, hy_room room)
{
    return write_message(&hy_icd_commands_record, commands, room);
}

size_t hy_icd_write_status(const hy_icd_status *status, hy_room room)
{
    return write_message(&hy_icd_status_record, status, room);
}

size_t hy_icd_write_used_sticks(const hy_icd_sticks *sticks, hy_room room)
{
    return write_message(&hy_icd_used_sticks_record, sticks, room);
}

size_t hy_icd_write_sensors(const hy_icd_sensors *sensors, hy_icd_form form, size_t *from,
                            hy_room room)
{
    hy_json_text state;
    const unsigned when = 1U << form | (sensors->has_pose ? HY_ICD_WITH_POSE : 0U);
    hy_json_write(&state, &hy_icd_sensors_record, sensors, when);
    return hy_icd_weave(&state, from, room);
}

size_t hy_icd_write_match(const hy_icd_match *match, hy_icd_form form, size_t *from, hy_room room)
{
    hy_json_text state;
    hy_json_write(&state, &hy_icd_match_record, match, 1U << form);
    return hy_icd_weave(&state, from, room);
}

size_t hy_icd_match_points(const hy_icd_match *match)
{
    size_t sum = 0;
    for (size_t i = 0; i < match->vehicle_count && i < HY_ICD_PLAYERS; i++) {
        sum += match->vehicle[i].lidar.count;
    }
    return sum;
}
