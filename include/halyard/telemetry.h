/// @file telemetry.h
/// Values that a program publishes for plots and logs: channels with a name, a type and a unit. A
/// channel is declared once and written by its handle; every value goes to all attached sinks (a
/// log file: hy_wpilog_sink()).
///
///     hy_telemetry *telemetry;
///     if (hy_telemetry_open(&telemetry) != HY_OK) { return 1; }
///     // hy_telemetry_attach() a sink: hy_wpilog_sink(), for one
///     const hy_channel battery = hy_telemetry_declare(
///         telemetry, &(hy_channel_spec){
///                        .name = "/Robot/Battery", .kind = HY_CHANNEL_DOUBLE, .unit = "V" });
///     hy_telemetry_set_time(telemetry, 20000);
///     hy_telemetry_put_double(telemetry, battery, 5.9);
///     hy_telemetry_close(telemetry);
///
/// One thread at a time declares and writes to a hy_telemetry. Declaring may allocate; writing
/// allocates nothing, takes no lock and makes no system call. Pure: time is an argument.
///
/// ## WPILib's structs
///
/// The structs of WPILib that viewers draw: poses on fields, swerve states in the swerve tab.
/// Names, members and their order are WPILib's (schemas of wpimath 2026); the members of the C
/// structs here say their units.
///
///     static void put_pose(hy_telemetry *telemetry)
///     {
///         const hy_channel_spec spec = {
///             .name = "/Robot/Pose", .kind = HY_CHANNEL_STRUCT, .type = &hy_struct_pose2d
///         };
///         const hy_channel pose = hy_telemetry_declare(telemetry, &spec); // once
///         hy_telemetry_put_struct(telemetry, pose, &(hy_telemetry_pose2d){ 1.0, 2.0, 0.5 });
///     }
///
/// ## WPILOG files
///
/// WPILOG 1.0, the log files of WPILib, which AdvantageScope reads: written as a sink of telemetry,
/// and read. No file is opened here: the writer leaves bytes in a ring buffer that another thread
/// writes to a file, the reader takes the bytes of a whole file.
///
///     static hy_status start(hy_telemetry *telemetry, hy_wpilog **log)
///     {
///         const hy_wpilog_options options = { .room = 1 << 20 };
///         const hy_status status = hy_wpilog_open(&options, log);
///         if (status == HY_OK) { hy_telemetry_attach(telemetry, hy_wpilog_sink(*log)); }
///         return status;
///     }
///
///     static void write_file(hy_wpilog *log, FILE *file) // in a thread of its own
///     {
///         for (hy_bytes bytes; (bytes = hy_wpilog_peek(log)).size > 0;) {
///             fwrite(bytes.data, 1, bytes.size, file);
///             hy_wpilog_consume(log, bytes.size);
///         }
///     }
///
/// The format: https://github.com/wpilibsuite/allwpilib, datalog/doc/datalog.adoc.
#ifndef HALYARD_TELEMETRY_H
#define HALYARD_TELEMETRY_H

#include <halyard/base.h>

#include <string.h>

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

/// HY_OK, or HY_EMEMORY; `*out` is then NULL. End it with hy_telemetry_close(); NULL is harmless
/// there.
hy_status hy_telemetry_open(hy_telemetry **out);
void hy_telemetry_close(hy_telemetry *self);

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

// --------------------------------------------------------------------------- WPILib's structs

/// Translation3d.
typedef struct {
    double x_m, y_m, z_m;
} hy_telemetry_translation3d;

/// Quaternion, and Rotation3d, which holds one. (1, 0, 0, 0) is no rotation.
typedef struct {
    double w, x, y, z;
} hy_telemetry_rotation3d;

/// Pose2d, Transform2d.
typedef struct {
    double x_m, y_m, heading_rad;
} hy_telemetry_pose2d;

/// Pose3d, Transform3d.
typedef struct {
    hy_telemetry_translation3d translation;
    hy_telemetry_rotation3d rotation;
} hy_telemetry_pose3d;

/// Twist2d: a movement along an arc.
typedef struct {
    double dx_m, dy_m, dtheta_rad;
} hy_telemetry_twist2d;

/// Twist3d.
typedef struct {
    double dx_m, dy_m, dz_m, rx_rad, ry_rad, rz_rad;
} hy_telemetry_twist3d;

/// ChassisSpeeds, and ChassisVelocities, its name from WPILib 2027 on: x forward, y left.
typedef struct {
    double vx_m_s, vy_m_s, omega_rad_s;
} hy_telemetry_chassis_speeds;

/// SwerveModuleState, and SwerveModuleVelocity, its name from WPILib 2027 on.
typedef struct {
    double speed_m_s, angle_rad;
} hy_telemetry_swerve_state;

/// SwerveModulePosition.
typedef struct {
    double distance_m, angle_rad;
} hy_telemetry_swerve_position;

/// DifferentialDriveWheelSpeeds.
typedef struct {
    double left_m_s, right_m_s;
} hy_telemetry_wheel_speeds;

/// ControlWord, of WPILib 2027: bits of one number, from the lowest one on as its schema says.
typedef struct {
    uint64_t bits;
} hy_telemetry_control_word;

extern const hy_struct_type hy_struct_control_word;           ///< hy_telemetry_control_word
extern const hy_struct_type hy_struct_translation2d;          ///< hy_point
extern const hy_struct_type hy_struct_translation3d;          ///< hy_telemetry_translation3d
extern const hy_struct_type hy_struct_rotation2d;             ///< a double, radians
extern const hy_struct_type hy_struct_quaternion;             ///< hy_telemetry_rotation3d
extern const hy_struct_type hy_struct_rotation3d;             ///< hy_telemetry_rotation3d
extern const hy_struct_type hy_struct_pose2d;                 ///< hy_telemetry_pose2d
extern const hy_struct_type hy_struct_transform2d;            ///< hy_telemetry_pose2d
extern const hy_struct_type hy_struct_pose3d;                 ///< hy_telemetry_pose3d
extern const hy_struct_type hy_struct_transform3d;            ///< hy_telemetry_pose3d
extern const hy_struct_type hy_struct_twist2d;                ///< hy_telemetry_twist2d
extern const hy_struct_type hy_struct_twist3d;                ///< hy_telemetry_twist3d
extern const hy_struct_type hy_struct_chassis_speeds;         ///< hy_telemetry_chassis_speeds
extern const hy_struct_type hy_struct_chassis_velocities;     ///< hy_telemetry_chassis_speeds
extern const hy_struct_type hy_struct_swerve_module_state;    ///< hy_telemetry_swerve_state
extern const hy_struct_type hy_struct_swerve_module_velocity; ///< hy_telemetry_swerve_state
extern const hy_struct_type hy_struct_swerve_module_position; ///< hy_telemetry_swerve_position
extern const hy_struct_type
    hy_struct_differential_drive_wheel_speeds; ///< hy_telemetry_wheel_speeds

// --------------------------------------------------------------------------- writing

#define HY_WPILOG_ROOM_MIN 65536 ///< Smallest ring buffer, bytes.

typedef struct {
    /// Bytes of the ring buffer, rounded up to a power of two; at least HY_WPILOG_ROOM_MIN.
    size_t room;
    /// Called by the thread that puts values when a record does not fit, until it fits: it returns
    /// after the other thread has consumed something, and nothing is ever dropped. False: it gives
    /// up, and the record is dropped. NULL: records are dropped at once.
    bool (*wait)(void *context);
    void *context;
} hy_wpilog_options;

/// A WPILOG file in the making. One thread puts values, another one peeks and consumes; no locks.
typedef struct hy_wpilog hy_wpilog;

/// With the header of a file in its buffer. HY_OK, or HY_EMEMORY; `*out` is then NULL. End it with
/// hy_wpilog_close(), after both threads are done with it; NULL is harmless there.
hy_status hy_wpilog_open(const hy_wpilog_options *options, hy_wpilog **out);
void hy_wpilog_close(hy_wpilog *self);

/// The sink to attach to a hy_telemetry. Channels start in the file when they are declared; they
/// are never finished, because AdvantageScope drops channels that are finished within a second.
hy_telemetry_sink hy_wpilog_sink(hy_wpilog *self);

/// The oldest bytes that have not been consumed, as many as lie in a row; none if there are none.
/// They stay valid until they are consumed. They end with a whole record unless the buffer's end
/// lies behind them. Call from the file's thread. O(1).
hy_bytes hy_wpilog_peek(const hy_wpilog *self);

/// Gives the first `size` bytes back, at most what hy_wpilog_peek() showed. Call from the file's
/// thread. O(1).
void hy_wpilog_consume(hy_wpilog *self, size_t size);

/// Records that were dropped because the buffer was full; they only grow. The file has their sum in
/// the channel "/Halyard/Dropped" from the next record that fits on. A quarter of the buffer is
/// kept for channels that are inputs, so they are dropped last. Call from the thread that puts
/// values. O(1).
typedef struct {
    uint64_t values; ///< Of ordinary channels.
    /// Of channels that are inputs: a recording cannot be replayed beyond the first of them.
    uint64_t inputs;
} hy_wpilog_drops;
hy_wpilog_drops hy_wpilog_dropped(const hy_wpilog *self);

// --------------------------------------------------------------------------- reading

/// Whether the name, type or value of a record, which has no NUL behind it, is this text. O(size).
static inline bool hy_wpilog_text_is(hy_bytes text, const char *wanted)
{
    return text.size == strlen(wanted) &&
           (text.size == 0 || memcmp(text.data, wanted, text.size) == 0);
}

/// Copies a text out of a record for a message, with '?' for what cannot be printed; what does not
/// fit into `room` bytes with the NUL behind it is left out. O(room).
static inline void hy_wpilog_copy_text(hy_bytes text, char *out, size_t room)
{
    const size_t size = text.size < room ? text.size : room - 1;
    for (size_t i = 0; i < size; i++) {
        const bool is_printable = text.data[i] >= ' ' && text.data[i] < 0x7f;
        out[i] = is_printable ? (char)text.data[i] : '?';
    }
    out[size] = '\0';
}

/// Adds a name to a list for a message, "NT:/a, NT:/b": ".." stands for all that have no room in
/// the `room` bytes. O(room).
void hy_wpilog_list_name(char *list, size_t room, hy_bytes name);

/// What a record of a file is.
typedef enum {
    HY_WPILOG_VALUE,
    HY_WPILOG_START,        ///< An entry begins: its name, type and metadata.
    HY_WPILOG_FINISH,       ///< An entry ends; its number may be used again.
    HY_WPILOG_SET_METADATA, ///< An entry's metadata changes.
} hy_wpilog_kind;

/// One record. Bytes point into the file's.
typedef struct {
    hy_wpilog_kind kind;
    uint32_t entry;      ///< The entry that it is about.
    uint64_t at_us;      ///< Files need not be in the order of time.
    hy_bytes value;      ///< Of a HY_WPILOG_VALUE.
    hy_bytes name, type; ///< Of a HY_WPILOG_START: UTF-8, without a NUL.
    hy_bytes metadata;   ///< Of a HY_WPILOG_START and a HY_WPILOG_SET_METADATA.
} hy_wpilog_record;

/// Reading a file from its first record to its end. Records that cannot be read are skipped.
typedef struct {
    // Read-only for the caller.
    hy_bytes extra_header;
    size_t begin;  ///< Offset of the record that was read last.
    size_t offset; ///< Of the next record; after the end, of what could not be read.
    const char
        *damage; ///< Why reading ended there, static; NULL: the file ended after a whole record.
    uint64_t skipped;        ///< Records that could not be read.
    size_t first_skipped;    ///< Offset of the first of them,
    const char *why_skipped; ///< and what is wrong with it, static.
    // Private.
    hy_bytes file;
} hy_wpilog_reader;

/// Starts reading the bytes of a whole file, which must stay as long as the reader and its records
/// are used. HY_OK; HY_EFORMAT if it does not begin as a WPILOG file of version 1.0 does: `damage`
/// then says why, and how to unpack a file that xz or a program like it has packed.
hy_status hy_wpilog_reader_init(hy_wpilog_reader *self, hy_bytes file);

/// Goes on with bytes that follow, for a log that is still being written: `bytes` begins with the
/// record before which reading ended.
void hy_wpilog_reader_continue(hy_wpilog_reader *self, hy_bytes bytes);

/// The next record that can be read; false at the end, where `damage` says whether it is one. Never
/// reads beyond the bytes. O(1), and O(records that are skipped).
bool hy_wpilog_next(hy_wpilog_reader *self, hy_wpilog_record *record);

/// A sentence for people, after hy_wpilog_next() has returned false: how many records were skipped,
/// where the first is and what is wrong with it, and up to which offset the file could be read, and
/// why; cut to `size` bytes. Empty if all was read. O(1).
void hy_wpilog_describe_damage(const hy_wpilog_reader *self, char *out, size_t size);

// --------------------------------------------------------------------------- times

/// When a file's values were recorded, without outliers: those that a wrong clock has dated, few in
/// comparison with the others, and more than an hour and ten times the others' time away from them.
typedef struct {
    uint64_t first_us, last_us; ///< Of the others; first_us > last_us: there are no values.
    uint64_t outliers;          ///< Values before the first or behind the last of these times.
    size_t outlier_offset;      ///< Of the first of them in the file.
} hy_wpilog_times;

/// Of any bytes. O(size of the file), without its values.
hy_wpilog_times hy_wpilog_find_times(hy_bytes file);

#define HY_WPILOG_GROUPS 64 ///< Groups that are told apart; more are joined to the nearest ones.

/// The same for who reads the file anyway: values whose times are near each other, in the order of
/// time. All zero is empty.
typedef struct {
    // Private.
    struct hy_wpilog_group {
        uint64_t low_us, high_us, count;
        size_t offset;
    } groups[HY_WPILOG_GROUPS + 1];
    size_t count;
} hy_wpilog_groups;

/// Takes the record that was read at `offset`. O(1).
void hy_wpilog_groups_take(hy_wpilog_groups *self, const hy_wpilog_record *record, size_t offset);

/// The times of what was taken. O(1).
hy_wpilog_times hy_wpilog_groups_times(const hy_wpilog_groups *self);

/// Whether a value of that time is an outlier. O(1).
static inline bool hy_wpilog_is_outlier(const hy_wpilog_times *self, uint64_t at_us)
{
    return at_us < self->first_us || at_us > self->last_us;
}

/// Adds a sentence for people to the text `out` of `size` bytes, behind a semicolon if it is not
/// empty: how many outliers are left out, from when to when the others are, and of which channel
/// and time the first outlier is. Nothing without outliers. O(size of the file up to there).
void hy_wpilog_describe_outliers(const hy_wpilog_times *self, hy_bytes file, char *out,
                                 size_t size);

HY_API_END

#endif
