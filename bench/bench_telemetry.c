// What a value of telemetry costs the thread that puts it, and how many records a second go through the buffer of a log: a double, a
// pose and the pieces of a match, beside a memcpy() of the same bytes. Nothing is written to a file. Rounds alternate; told is what
// a tenth of them did not exceed, in processor time.
#include <halyard/telemetry.h>

#include <stdint.h>
#include <string.h>

#include "measure.h"

#define ROUNDS 201
#define PUTS   2000 // a round; they fit into the buffer
#define ROOM   (1 << 20)
#define PIECES 20

typedef struct {
    hy_telemetry *telemetry;
    hy_wpilog *log;
    hy_channel number, pose, pieces;
    uint8_t memory[ROOM];
    size_t at;
    uint64_t sum;
} stage;

static void put_double(stage *s, int i)
{
    hy_telemetry_put_double(s->telemetry, s->number, i);
}

static void put_pose(stage *s, int i)
{
    const hy_telemetry_pose2d pose = { i, 2, 0.5 };
    hy_telemetry_put_struct(s->telemetry, s->pose, &pose);
}

static void put_pieces(stage *s, int i)
{
    hy_telemetry_translation3d pieces[PIECES];
    for (int piece = 0; piece < PIECES; piece++) {
        pieces[piece] = (hy_telemetry_translation3d){ i, piece, 0.1 };
    }
    hy_telemetry_put_structs(s->telemetry, s->pieces, pieces, PIECES);
}

// What the whole way costs: each value has a time of its own, and the bytes are copied into other memory.
static void put_and_copy_out(stage *s, int i)
{
    static uint8_t file[ROOM];
    hy_telemetry_set_time(s->telemetry, (uint64_t)i * 1000);
    hy_telemetry_put_double(s->telemetry, s->number, i);
    if ((i + 1) % PUTS == 0) {
        for (hy_bytes bytes; (bytes = hy_wpilog_peek(s->log)).size > 0;
             hy_wpilog_consume(s->log, bytes.size)) {
            memcpy(file, bytes.data, bytes.size);
            s->sum += file[bytes.size / 2];
        }
    }
}

static void put_nowhere(stage *s, int i)
{
    hy_telemetry_put_double(s->telemetry, 0, i);
}

static void copy_record(stage *s, int i)
{
    uint8_t record[16] = { 0 };
    memcpy(&record[4], &i, sizeof i);
    memcpy(&s->memory[s->at], record, sizeof record);
    s->at = (s->at + sizeof record) & (ROOM - 1);
}

typedef struct {
    const char *name;
    void (*put)(stage *s, int i);
    int puts;
    double ns[ROUNDS];
} measurement;

static void measure_round(stage *s, measurement *m, int round)
{
    hy_telemetry_set_time(s->telemetry, (uint64_t)round * 20000);
    const double from = measure_cpu_ns();
    for (int i = 0; i < m->puts; i++) {
        m->put(s, i);
    }
    m->ns[round] = (measure_cpu_ns() - from) / m->puts;
    for (hy_bytes bytes; (bytes = hy_wpilog_peek(s->log)).size > 0;
         hy_wpilog_consume(s->log, bytes.size)) {
        s->sum += bytes.data[0];
    }
}

static hy_channel declare(stage *s, const char *name, hy_channel_kind kind,
                          const hy_struct_type *type)
{
    return hy_telemetry_declare(s->telemetry,
                                &(hy_channel_spec){ .name = name, .kind = kind, .type = type });
}

int main(void)
{
    static stage s;
    static measurement measurements[] = {
        { "double", put_double, PUTS, { 0 } },
        { "double, copied out", put_and_copy_out, PUTS, { 0 } },
        { "Pose2d", put_pose, PUTS, { 0 } },
        { "20 Translation3d", put_pieces, PUTS / 4, { 0 } },
        { "no channel", put_nowhere, PUTS, { 0 } },
        { "memcpy of 16 bytes", copy_record, PUTS, { 0 } },
    };
    const size_t count = sizeof measurements / sizeof *measurements;
    if (hy_telemetry_open(&s.telemetry) != HY_OK ||
        hy_wpilog_open(&(hy_wpilog_options){ .room = ROOM }, &s.log) != HY_OK ||
        hy_telemetry_attach(s.telemetry, hy_wpilog_sink(s.log)) != HY_OK) {
        return 1;
    }
    s.number = declare(&s, "/Robot/Battery", HY_CHANNEL_DOUBLE, NULL);
    s.pose = declare(&s, "/Robot/Pose", HY_CHANNEL_STRUCT, &hy_struct_pose2d);
    s.pieces = declare(&s, "/Field/Pieces", HY_CHANNEL_STRUCT_ARRAY, &hy_struct_translation3d);
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < count; i++) {
            measure_round(&s, &measurements[i], round);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const double ns = measure_tenth(measurements[i].ns, ROUNDS);
        printf("%-20s %7.1f ns, %6.1f million a second\n", measurements[i].name, ns, 1000.0 / ns);
    }
    const hy_wpilog_drops drops = hy_wpilog_dropped(s.log);
    printf("dropped %llu, checksum %llu\n", (unsigned long long)(drops.values + drops.inputs),
           (unsigned long long)s.sum);
    hy_telemetry_close(s.telemetry);
    hy_wpilog_close(s.log);
    return drops.values + drops.inputs == 0 ? 0 : 1;
}
