/// @file telemetry_nt4.h
/// The messages of NetworkTables 4.1 as bytes: values in MessagePack, announcements and
/// subscriptions in JSON, both read and written. No socket and no state: halyard/nt.h is a server
/// of them. docs/spec/nt4.md says which part of the protocol is spoken.
///
///     static size_t write_voltage(hy_room frame, double voltage_v)
///     {
///         uint8_t packed[8], bytes[16];
///         memcpy(packed, &voltage_v, sizeof packed); // little-endian, as channels have it
///         const size_t size = hy_nt4_pack((hy_room){ bytes, sizeof bytes }, HY_CHANNEL_DOUBLE,
///                                         (hy_bytes){ packed, sizeof packed });
///         const hy_nt4_value value = { 7, 20000, HY_NT4_DOUBLE, { bytes, size } };
///         return hy_nt4_write(frame, &value);
///     }
#ifndef HALYARD_TELEMETRY_NT4_H
#define HALYARD_TELEMETRY_NT4_H

#include <halyard/telemetry.h>

#include "text/text_json.h"

// --------------------------------------------------------------------------- values

/// The numbers by which binary messages name types.
enum {
    HY_NT4_BOOLEAN = 0,
    HY_NT4_DOUBLE = 1,
    HY_NT4_INT = 2,
    HY_NT4_FLOAT = 3,
    HY_NT4_STRING = 4, ///< And JSON.
    HY_NT4_RAW = 5,    ///< And everything whose type's name is not known, structs above all.
    HY_NT4_BOOLEAN_ARRAY = 16,
    HY_NT4_DOUBLE_ARRAY = 17,
    HY_NT4_INT_ARRAY = 18,
    HY_NT4_FLOAT_ARRAY = 19,
    HY_NT4_STRING_ARRAY = 20,
};

/// The number of the type called `name`: "double", "struct:Pose2d". O(1).
unsigned hy_nt4_type(const char *name);

/// What NT4 calls the type that a channel calls `type`: "int" for "int64". O(1).
const char *hy_nt4_type_name(const char *type);

/// A binary message: [id, time, type, value].
typedef struct {
    int64_t id;      ///< Of the topic, or of the publisher; -1: the clocks are compared.
    int64_t time_us; ///< Of the server's clock.
    int64_t type;    ///< One of the numbers above; any other is kept as it is.
    hy_bytes value;  ///< MessagePack.
} hy_nt4_value;

#define HY_NT4_HEAD_MAX 28 ///< Bytes that a message has besides its value, at most.

/// The messages of a frame, one after the other.
typedef struct {
    hy_bytes rest;
    bool is_malformed; ///< At the end: why it ended.
} hy_nt4_values;

/// The next message of a frame; values point into it. False at the end, and at the first byte that
/// is no MessagePack or belongs to no message. O(size of the message).
bool hy_nt4_next(hy_nt4_values *frame, hy_nt4_value *out);

/// Whether the value is what its type says: whole numbers also for floating ones, because
/// JavaScript writes 1.0 as 1; strings in UTF-8. False for a `type` that is none. O(size).
bool hy_nt4_value_fits(const hy_nt4_value *value);

/// A number of any type into `*out`; false if it is none.
bool hy_nt4_value_number(const hy_nt4_value *value, double *out);

/// A boolean into `*out`; false if it is none.
bool hy_nt4_value_flag(const hy_nt4_value *value, bool *out);

/// The bytes of a string or of raw bytes into `*out`; false if it is neither.
bool hy_nt4_value_bytes(const hy_nt4_value *value, hy_bytes *out);

/// Writes a channel's value, in the form that sinks get, as MessagePack. Returns its size, 0 if
/// there is too little room; that is enough: 9 bytes and 9/4 of the value's size. O(size).
size_t hy_nt4_pack(hy_room room, hy_channel_kind kind, hy_bytes value);

/// Writes a message. Returns its size, 0 if there is too little room. O(size).
size_t hy_nt4_write(hy_room room, const hy_nt4_value *value);

// --------------------------------------------------------------------------- texts

/// What a text message is about; the first five come from clients, the others from the server.
typedef enum {
    HY_NT4_PUBLISH,
    HY_NT4_UNPUBLISH,
    HY_NT4_SET_PROPERTIES,
    HY_NT4_SUBSCRIBE,
    HY_NT4_UNSUBSCRIBE,
    HY_NT4_ANNOUNCE,
    HY_NT4_UNANNOUNCE,
    HY_NT4_PROPERTIES,
} hy_nt4_method;

/// What a subscription asks for besides its topics.
typedef struct {
    double period_s;  ///< The client wants nothing oftener than that.
    bool all;         ///< Every value, not only the newest of each period.
    bool topics_only; ///< No values.
    bool prefix;      ///< Its topics are how names begin.
} hy_nt4_options;

/// One text message. Members that a method does not have are 0.
typedef struct {
    hy_nt4_method method;
    const char *name, *type;
    int64_t id;   ///< Of an announced topic.
    int64_t uid;  ///< "pubuid" or "subuid".
    bool has_uid; ///< Of an announcement: the client that gets it asked for it by a publish.
    bool ack;     ///< Of properties: they answer this client.
    hy_nt4_options options;
    hy_json_items topics;            ///< Strings; others have to be left out.
    const hy_json_value *properties; ///< Read: an object, or NULL.
    const char *properties_json;     ///< To be written: an object; NULL: an empty one.
} hy_nt4_message;

/// The next message of a frame that hy_json_parse() has read and hy_json_items_of() taken apart.
/// False at the end. What is no message of a known method with all that it needs is passed over.
bool hy_nt4_next_message(hy_json_items *frame, hy_nt4_message *out);

/// Adds a message to a frame: to "[" and the messages before it. The frame's owner adds the "]".
/// Subscriptions are not written.
void hy_nt4_put_message(hy_text *frame, const hy_nt4_message *message);

#endif
