/// @file telemetry_wpilog.h
/// WPILOG 1.0, the log files of WPILib, which AdvantageScope reads: written as a sink of telemetry,
/// and read. No file is opened here: the writer leaves bytes in a ring buffer that another thread
/// writes to a file, the reader takes the bytes of a whole file.
///
///     static hy_status start(hy_telemetry *telemetry, hy_wpilog **log)
///     {
///         const hy_wpilog_options options = { .room = 1 << 20 };
///         const hy_status status = hy_wpilog_create(&options, log);
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
#ifndef HALYARD_TELEMETRY_WPILOG_H
#define HALYARD_TELEMETRY_WPILOG_H

#include <halyard/telemetry.h>
#include <string.h>

HY_API_BEGIN

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
/// hy_wpilog_destroy(), after both threads are done with it; NULL is harmless there.
hy_status hy_wpilog_create(const hy_wpilog_options *options, hy_wpilog **out);
void hy_wpilog_destroy(hy_wpilog *self);

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
hy_status hy_wpilog_reader_start(hy_wpilog_reader *self, hy_bytes file);

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
