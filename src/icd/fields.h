/// @file fields.h
/// What the messages are made of. One list for reading and writing; docs/spec/icd.md says the same.
#ifndef HY_ICD_FIELDS_H
#define HY_ICD_FIELDS_H

#include <halyard/icd.h>

#include "text/text.h"

/// When a field is written; 0 is in both forms.
enum {
    HY_ICD_WITH_DOCUMENT = 1 << HY_ICD_DOCUMENT,
    HY_ICD_WITH_LATER = 1 << HY_ICD_LATER,
    HY_ICD_WITH_POSE = 1 << 2, ///< In both forms, if there is a pose.
};

extern const hy_json_record hy_icd_sticks_record, hy_icd_commands_record, hy_icd_sensors_record,
    hy_icd_match_record, hy_icd_status_record, hy_icd_used_sticks_record;

/// The bits of x, y and theta among the fields of hy_icd_sensors_record.
#define HY_ICD_POSE_BITS 7u

#endif
