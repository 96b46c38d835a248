/// @file icd_round.h
/// What holds of any text whatever: reading it refuses it with a reason and leaves the output alone, or what was read
/// can be written in both forms, and each message so written reads and writes the same bytes again.
#ifndef HALYARD_TESTS_ICD_ROUND_H
#define HALYARD_TESTS_ICD_ROUND_H

#include <halyard/icd.h>
#include <string.h>

typedef struct {
    hy_icd_reader *first, *second; ///< Two, for points lie in the reader.
    uint8_t text[HY_ICD_MESSAGE_MAX], again[HY_ICD_MESSAGE_MAX];
} icd_round;

/// True if refusal and its reason come together.
static inline bool icd_is_explained(const hy_icd_reader *reader, hy_status status)
{
    return (status == HY_OK) == (*hy_icd_reader_why(reader) == '\0') &&
           (status == HY_OK || status == HY_EFORMAT || status == HY_ERANGE);
}

static inline bool icd_same_bytes(const icd_round *r, size_t size, size_t size_again)
{
    return size > 0 && size == size_again && memcmp(r->text, r->again, size) == 0;
}

// A struct that reading must leave alone is full of these.
#define ICD_UNTOUCHED 0xA5

static inline bool icd_is_untouched(const void *out, size_t size)
{
    const uint8_t *const bytes = out;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != ICD_UNTOUCHED) {
            return false;
        }
    }
    return true;
}

// Messages without points: read, write, read, write.
#define ICD_ROUND_OF(what)                                                                          \
    static inline const char *icd_round_##what(icd_round *r, hy_bytes text)                         \
    {                                                                                               \
        hy_icd_##what message;                                                                      \
        memset(&message, ICD_UNTOUCHED, sizeof message);                                            \
        const hy_status status = hy_icd_read_##what(r->first, text, &message);                      \
        if (!icd_is_explained(r->first, status)) {                                                  \
            return #what ": refused without a reason";                                              \
        }                                                                                           \
        if (status != HY_OK) {                                                                      \
            return icd_is_untouched(&message, sizeof message) ? NULL                                \
                                                              : #what ": refused, yet written to";  \
        }                                                                                           \
        const size_t size = hy_icd_write_##what(&message, (hy_room){ r->text, sizeof r->text });    \
        if (hy_icd_read_##what(r->second, (hy_bytes){ r->text, size }, &message) != HY_OK) {        \
            return #what ": our own message is refused";                                            \
        }                                                                                           \
        const size_t again = hy_icd_write_##what(&message, (hy_room){ r->again, sizeof r->again }); \
        return icd_same_bytes(r, size, again) ? NULL : #what ": another message the second time";   \
    }
ICD_ROUND_OF(sticks)
ICD_ROUND_OF(commands)
ICD_ROUND_OF(status)

// Messages with points: each of the messages that they take is a whole one by itself.
#define ICD_ROUND_WITH_POINTS(what, points_of)                                                     \
    static inline const char *icd_round_##what##_in(icd_round *r, const hy_icd_##what *message,    \
                                                    hy_icd_form form)                              \
    {                                                                                              \
        hy_icd_##what part;                                                                        \
        size_t from = 0;                                                                           \
        do {                                                                                       \
            const size_t before = from;                                                            \
            const size_t size =                                                                    \
                hy_icd_write_##what(message, form, &from, (hy_room){ r->text, sizeof r->text });   \
            if (hy_icd_read_##what(r->second, (hy_bytes){ r->text, size }, &part) != HY_OK) {      \
                return #what ": our own message is refused";                                       \
            }                                                                                      \
            if (points_of(&part) != from - before) {                                               \
                return #what ": lost or doubled points";                                           \
            }                                                                                      \
            size_t none = 0;                                                                       \
            const size_t again =                                                                   \
                hy_icd_write_##what(&part, form, &none, (hy_room){ r->again, sizeof r->again });   \
            if (!icd_same_bytes(r, size, again)) {                                                 \
                return #what ": another message the second time";                                  \
            }                                                                                      \
        } while (from < points_of(message));                                                       \
        return NULL;                                                                               \
    }                                                                                              \
    static inline const char *icd_round_##what(icd_round *r, hy_bytes text)                        \
    {                                                                                              \
        hy_icd_##what message;                                                                     \
        memset(&message, ICD_UNTOUCHED, sizeof message);                                           \
        const hy_status status = hy_icd_read_##what(r->first, text, &message);                     \
        if (!icd_is_explained(r->first, status)) {                                                 \
            return #what ": refused without a reason";                                             \
        }                                                                                          \
        if (status != HY_OK) {                                                                     \
            return icd_is_untouched(&message, sizeof message) ? NULL                               \
                                                              : #what ": refused, yet written to"; \
        }                                                                                          \
        const char *const wrong = icd_round_##what##_in(r, &message, HY_ICD_DOCUMENT);             \
        return wrong != NULL ? wrong : icd_round_##what##_in(r, &message, HY_ICD_LATER);           \
    }
#define ICD_SENSORS_POINTS(sensors) ((sensors)->lidar.count)
ICD_ROUND_WITH_POINTS(sensors, ICD_SENSORS_POINTS)
ICD_ROUND_WITH_POINTS(match, hy_icd_match_points)

/// Reads `text` as every message there is. Returns what is wrong, or NULL.
static inline const char *icd_round_all(icd_round *r, hy_bytes text)
{
    const char *wrong = icd_round_sticks(r, text);
    wrong = wrong != NULL ? wrong : icd_round_commands(r, text);
    wrong = wrong != NULL ? wrong : icd_round_sensors(r, text);
    wrong = wrong != NULL ? wrong : icd_round_match(r, text);
    wrong = wrong != NULL ? wrong : icd_round_status(r, text);
    const hy_status status = hy_icd_read_heartbeat(r->first, text);
    return wrong != NULL || icd_is_explained(r->first, status) ? wrong : "heartbeat: no reason";
}

#endif
