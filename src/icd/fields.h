/// @file fields.h
/// What the messages are made of. One list for reading and writing; docs/spec/icd.md says the same.
#ifndef HY_ICD_FIELDS_H
#define HY_ICD_FIELDS_H

#include <halyard/icd.h>

typedef enum {
    HY_ICD_INT,     ///< An int, limited to low .. high; `count` of them in a list if it is not 0.
    HY_ICD_FLAG,    ///< A bool, 0 or 1 on the wire; in lists like ints.
    HY_ICD_BOOL,    ///< A bool, false or true on the wire.
    HY_ICD_REAL,    ///< A double, limited to low .. high; in lists like ints.
    HY_ICD_CHOICE,  ///< An int 0 .. high; any other is read as 0.
    HY_ICD_TEXT,    ///< A char array of `count` bytes.
    HY_ICD_COLOUR,  ///< A hy_icd_alliance.
    HY_ICD_VERSION, ///< Always 1, and nowhere in the struct.
    HY_ICD_SWEEP,   ///< A hy_icd_lidar as a list of objects.
    HY_ICD_TRIPLES, ///< A hy_icd_lidar as a list of lists.
    HY_ICD_GROUP,   ///< An object whose members are in the same struct.
    HY_ICD_RECORDS, ///< A list of objects: an array of structs and its count.
} hy_icd_kind;

/// When a field is written, 0 is in both forms; reading takes it always.
enum {
    HY_ICD_WITH_DOCUMENT = 1 << HY_ICD_DOCUMENT,
    HY_ICD_WITH_LATER = 1 << HY_ICD_LATER,
    HY_ICD_WITH_POSE = 1 << 2, ///< In both forms, if there is a pose.
};

typedef struct hy_icd_record hy_icd_record;

typedef struct {
    const char *key;
    size_t key_size;
    const char *why; ///< What is said of a wrong type.
    hy_icd_kind kind;
    unsigned when;
    size_t count;
    size_t offset;
    double low, high;
    const hy_icd_record *record; ///< Of a group, or of each of the records.
    size_t stride;               ///< From one record to the next.
    size_t count_offset;         ///< Where the number of records is; there are at most `count`.
} hy_icd_field;

/// The members of a JSON object, in the order in which they are written. At most 32.
struct hy_icd_record {
    const hy_icd_field *fields;
    size_t count;
};

extern const hy_icd_record hy_icd_sticks_record, hy_icd_commands_record, hy_icd_sensors_record,
    hy_icd_match_record, hy_icd_status_record, hy_icd_point_record;

/// The bits of x, y and theta among the fields of hy_icd_sensors_record.
#define HY_ICD_POSE_BITS 7u

#endif
