/// @file telemetry.h
/// Values that a program publishes for plots and logs: channels with a name, a type and a unit. A
/// channel is declared once and written by its handle; every value goes to all attached sinks (a
/// log file: telemetry_wpilog.h).
///
///     hy_telemetry *telemetry;
///     if (hy_telemetry_create(&telemetry) != HY_OK) { return 1; }
///     // hy_telemetry_attach() a sink: hy_wpilog_sink(), for one
///     const hy_channel battery = hy_telemetry_declare(
///         telemetry, &(hy_channel_spec){
///                        .name = "/Robot/Battery", .kind = HY_CHANNEL_DOUBLE, .unit = "V" });
///     hy_telemetry_set_time(telemetry, 20000);
///     hy_telemetry_put_double(telemetry, battery, 5.9);
///     hy_telemetry_destroy(telemetry);
///
/// One thread at a time declares and writes to a hy_telemetry. Declaring may allocate; writing
/// allocates nothing, takes no lock and makes no system call. Pure: time is an argument.
#ifndef HALYARD_TELEMETRY_H
#define HALYARD_TELEMETRY_H

#include <halyard/base.h>

HY_API_BEGIN

#define HY_CHANNEL_NAME_MAX    255  ///< Bytes of a channel's name.
#define HY_CHANNELS_MAX        4095 ///< Channels of one hy_telemetry, schemas included.
#define HY_TELEMETRY_SINKS_MAX 4    ///< Sinks that one hy_telemetry can have.
#define HY_TELEMETRY_ARRAY_MAX \
    4992 ///< Bytes of an array's elements: AdvantageScope decodes no arrays of poses above 5,000.

// --------------------------------------------------------------------------- structs

/// The type of a member of a struct. Each is little-endian and without padding in the packed form.
typedef enum {
    HY_FIELD_BOOL, ///< A C bool; one byte.
    HY_FIELD_INT8,
    HY_FIELD_UINT8,
    HY_FIELD_INT16,
    HY_FIELD_UINT16,
    HY_FIELD_INT32,
    HY_FIELD_UINT32,
    HY_FIELD_INT64,
    HY_FIELD_UINT64,
    HY_FIELD_FLOAT,
    HY_FIELD_DOUBLE,
    HY_FIELD_STRUCT, ///< Another struct.
} hy_field_kind;

typedef struct hy_struct_type hy_struct_type;

/// One member of a struct.
typedef struct {
    const char *name;
    hy_field_kind kind;
    size_t offset;              ///< Of the member in the C struct: offsetof().
    size_t count;               ///< Elements of an array; 0: the member is no array.
    const hy_struct_type *type; ///< Of a HY_FIELD_STRUCT, else NULL.
} hy_struct_field;

/// A struct whose members a viewer can show one by one: its field table makes the schema that
/// viewers read (WPILib's struct serialization, "struct:Pose2d"). Static data of whoever declares a
/// channel of it; at most 8 levels of structs, and packed at most HY_TELEMETRY_ARRAY_MAX bytes.
struct hy_struct_type {
    const char *name; ///< "Pose2d".
    const hy_struct_field *fields;
    size_t field_count;
    size_t size; ///< sizeof the C struct.
};

/// The schema of `type`, "double x;double y", as a string that ends with a NUL. Returns its length;
/// if that is not less than `size`, the text was cut. O(fields).
size_t hy_struct_schema(const hy_struct_type *type, char *out, size_t size);

/// Bytes of the packed form. O(fields).
size_t hy_struct_packed_size(const hy_struct_type *type);

/// Packs the C struct at `value` into `out`, which has room for hy_struct_packed_size() bytes.
/// O(fields).
void hy_struct_pack(const hy_struct_type *type, const void *value, uint8_t *out);

/// The reverse: `packed` has hy_struct_packed_size() bytes. A bool is true unless its byte is 0.
/// O(fields).
void hy_struct_unpack(const hy_struct_type *type, const uint8_t *packed, void *value);

// --------------------------------------------------------------------------- channels

/// What a channel's values are.
typedef enum {
    HY_CHANNEL_BOOLEAN,
    HY_CHANNEL_INT64,
    HY_CHANNEL_FLOAT,
    HY_CHANNEL_DOUBLE,
    HY_CHANNEL_STRING, ///< UTF-8.
    HY_CHANNEL_JSON,   ///< UTF-8.
    HY_CHANNEL_RAW,    ///< Bytes.
    HY_CHANNEL_SCHEMA, ///< The schema of a struct; declared by hy_telemetry_declare() itself.
    HY_CHANNEL_BOOLEAN_ARRAY,
    HY_CHANNEL_INT64_ARRAY,
    HY_CHANNEL_FLOAT_ARRAY,
    HY_CHANNEL_DOUBLE_ARRAY,
    HY_CHANNEL_STRING_ARRAY,
    HY_CHANNEL_STRUCT,
    HY_CHANNEL_STRUCT_ARRAY,
} hy_channel_kind;

/// Which values of a channel go to the sinks; the others are dropped, at the cost of a hash.
typedef enum {
    HY_CHANNEL_ALWAYS,    ///< All.
    HY_CHANNEL_ON_CHANGE, ///< One that is not the last one; and as HY_CHANNEL_SELDOM.
    HY_CHANNEL_SELDOM,    ///< The first, and the first after each multiple of HY_CHANNEL_REPEAT_US.
} hy_channel_rate;

#define HY_CHANNEL_REPEAT_US 500000

/// A declaration. What it points to is copied, but for `type`.
typedef struct {
    /// "/Robot/Battery"; unique in its hy_telemetry, 1 .. HY_CHANNEL_NAME_MAX bytes of UTF-8.
    const char *name;
    hy_channel_kind kind;
    const hy_struct_type *type; ///< Of structs and their arrays, else NULL.
    const char *unit; ///< "V", "m", "rad/s" for plots' axes, without '"' and '\\'; NULL: none.
    /// JSON object instead of the one that `unit` and `is_tunable` make; NULL: that one.
    const char *metadata;
    /// Only in log files, under its name as it is. Otherwise files have "NT:" before the name, as
    /// WPILib's have.
    bool is_file_only;
    /// A recording cannot be replayed without it: when a sink has too little room it drops other
    /// channels first.
    bool is_input;
    /// Clients of a network sink may offer other values; the owner decides what it takes.
    bool is_tunable;
    hy_channel_rate rate;
} hy_channel_spec;

/// One of a list of channels that are declared together.
typedef struct {
    hy_channel_spec spec; ///< Its name follows the prefix of the list.
    size_t offset;        ///< Where its handle goes in the caller's struct.
    unsigned
        when; ///< Declared if it shares a bit with what there is; 0: always. Else its handle is 0.
} hy_channel_row;

/// A row whose handle is `member` of the caller's struct `type`. The rest are members of the spec
/// beside its name, kind and rate, as `.unit = "m"`; at least one.
#define HY_CHANNEL_ROW(type, member, when_, name_, kind_, rate_, ...) \
    {                                                                 \
        .spec = { .name = (name_),                                    \
                  .kind = HY_CHANNEL_##kind_,                         \
                  .rate = HY_CHANNEL_##rate_,                         \
                  __VA_ARGS__ },                                      \
        .offset = offsetof(type, member), .when = (when_),            \
    }

/// A list; the rows are the caller's.
typedef struct {
    const hy_channel_row *rows;
    size_t count;
} hy_channel_list;

/// The list of all rows of an array.
#define HY_CHANNEL_LIST(rows_) \
    ((hy_channel_list){ .rows = (rows_), .count = sizeof(rows_) / sizeof(rows_)[0] })

/// The handle of a channel; 0 is none: what is put there goes nowhere, at the cost of a comparison.
typedef uint32_t hy_channel;

/// What a sink learns of a channel. Valid as long as the hy_telemetry.
typedef struct {
    hy_channel handle;    ///< 1, 2, 3 .. in the order of declarations.
    const char *name;     ///< Without "NT:".
    const char *type;     ///< "double", "struct:Pose2d[]", as WPILOG names it.
    const char *metadata; ///< JSON object, or "".
    hy_channel_kind kind;
    bool is_file_only, is_input, is_tunable;
} hy_channel_info;

/// Where values go. Each call returns soon and does not call back.
typedef struct {
    void *context;
    /// A channel was declared, or was there when the sink was attached; before its first value.
    void (*declare)(void *context, const hy_channel_info *channel, uint64_t now_us);
    /// A value of a declared channel in the byte form of WPILOG 1.0: little-endian, arrays and
    /// structs packed, strings without a length. `value` is valid during the call only.
    void (*put)(void *context, const hy_channel_info *channel, uint64_t now_us, hy_bytes value);
} hy_telemetry_sink;

typedef struct hy_telemetry hy_telemetry;

/// HY_OK, or HY_EMEMORY; `*out` is then NULL. End it with hy_telemetry_destroy(); NULL is harmless
/// there.
hy_status hy_telemetry_create(hy_telemetry **out);
void hy_telemetry_destroy(hy_telemetry *self);

/// Adds a sink: it learns at once of all channels, and gets the schemas of their structs. HY_OK, or
/// HY_EFULL: there are HY_TELEMETRY_SINKS_MAX already. O(channels).
hy_status hy_telemetry_attach(hy_telemetry *self, hy_telemetry_sink sink);

/// Declares a channel, and before it the schemas of its structs. Returns 0 if the memory or
/// HY_CHANNELS_MAX is used up, or if the name is taken by a channel of another kind; a second
/// declaration of the same name and type returns the first's handle. O(channels).
hy_channel hy_telemetry_declare(hy_telemetry *self, const hy_channel_spec *spec);

/// Declares the channels of a list under names that begin with `prefix`, and writes their
/// handles into the struct `to`. `has` says what there is, for `when`. False if one of them cannot
/// be declared: its handle is 0. O(count x channels).
bool hy_telemetry_declare_list(hy_telemetry *self, const char *prefix, hy_channel_list list,
                               unsigned has, void *to);

/// Whether a value of this channel would go to a sink at the present time although it has not
/// changed: not if nobody listens. O(1).
bool hy_telemetry_is_due(const hy_telemetry *self, hy_channel channel);

/// The channel of that name; 0 if there is none. O(channels).
hy_channel hy_telemetry_find(const hy_telemetry *self, const char *name);

/// The time of all values from now on, in microseconds: simulated time where there is one. O(1).
void hy_telemetry_set_time(hy_telemetry *self, uint64_t now_us);

/// The season of WPILib whose dashboards are to draw what is published.
typedef enum {
    HY_NT_DIALECT_2026,
    HY_NT_DIALECT_2027,
} hy_nt_dialect;

/// What a dialect calls things.
typedef struct {
    const char *values;   ///< Before what a robot program puts: "/SmartDashboard".
    const char *choosers; ///< Before its choosers.
    const char *station;  ///< The table that says whether robots are enabled: "/FMSInfo".
    /// Poses on a Field2d are struct:Pose2d[], and the station's state is struct:ControlWord,
    /// instead of double[] and int64.
    bool has_structs;
} hy_nt_names;

/// Before the first channel; without this call it is 2026. O(1).
void hy_telemetry_set_dialect(hy_telemetry *self, hy_nt_dialect dialect);

/// The names of its dialect; valid for ever. O(1).
const hy_nt_names *hy_telemetry_names(const hy_telemetry *self);

/// Whether anybody listens: without a sink a program can spare itself the work of computing values.
bool hy_telemetry_has_sinks(const hy_telemetry *self);

/// Putting a value: `channel` must have the function's kind (asserted), or be 0. O(size of the
/// value) for each sink. NaN and infinities are values like all others.
void hy_telemetry_put_boolean(hy_telemetry *self, hy_channel channel, bool value);
void hy_telemetry_put_int64(hy_telemetry *self, hy_channel channel, int64_t value);
void hy_telemetry_put_float(hy_telemetry *self, hy_channel channel, float value);
void hy_telemetry_put_double(hy_telemetry *self, hy_channel channel, double value);

/// `text` ends with a NUL. For channels of strings and of JSON.
void hy_telemetry_put_text(hy_telemetry *self, hy_channel channel, const char *text);

/// For channels of bytes, strings and JSON.
void hy_telemetry_put_bytes(hy_telemetry *self, hy_channel channel, hy_bytes value);

/// Arrays: of `count` elements; elements beyond HY_TELEMETRY_ARRAY_MAX bytes are left out.
void hy_telemetry_put_booleans(hy_telemetry *self, hy_channel channel, const bool *values,
                               size_t count);
void hy_telemetry_put_int64s(hy_telemetry *self, hy_channel channel, const int64_t *values,
                             size_t count);
void hy_telemetry_put_floats(hy_telemetry *self, hy_channel channel, const float *values,
                             size_t count);
void hy_telemetry_put_doubles(hy_telemetry *self, hy_channel channel, const double *values,
                              size_t count);

/// Each text ends with a NUL. With its count and the lengths, 4 bytes each, the array has at most
/// HY_TELEMETRY_ARRAY_MAX bytes.
void hy_telemetry_put_texts(hy_telemetry *self, hy_channel channel, const char *const *texts,
                            size_t count);

/// `value` points to the C struct that the channel's type describes.
void hy_telemetry_put_struct(hy_telemetry *self, hy_channel channel, const void *value);

/// `values` points to `count` C structs in a row.
void hy_telemetry_put_structs(hy_telemetry *self, hy_channel channel, const void *values,
                              size_t count);

HY_API_END

#endif
