// `halyard dump`: every recorded packet through the program, its JSON held against the packet's own bytes,
// captures written by hand, and what it says about bad input.
#include "cmocka_all.h"

#include <arpa/inet.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <yyjson.h>

#include <halyard/wire.h>

#include "program.h"
#include "vectors.h"

#define BATCH      40
#define OUTPUT_MAX (1 << 19)
#define SECOND_US  1000000

static char output[OUTPUT_MAX];

static int run(const char *const *arguments)
{
    program dump = program_start(arguments);
    return program_end(&dump, output, sizeof output);
}

// --------------------------------------------------------------------------- JSON against bytes

static uint32_t be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static double number(yyjson_val *object, const char *key)
{
    yyjson_val *const value = yyjson_obj_get(object, key);
    if (!yyjson_is_num(value)) {
        fail_msg("'%s' is missing or no number", key);
    }
    return yyjson_get_num(value);
}

// A printed float has to be the same float again; NaN and infinities are null.
static void expect_float(yyjson_val *value, uint32_t bits)
{
    float wanted;
    memcpy(&wanted, &bits, sizeof wanted);
    if (!isfinite(wanted)) {
        assert_true(yyjson_is_null(value));
        return;
    }
    const float got = (float)yyjson_get_num(value);
    uint32_t got_bits;
    memcpy(&got_bits, &got, sizeof got_bits);
    if (!yyjson_is_num(value) || (got_bits != bits && !(got == 0.0f && wanted == 0.0f))) {
        fail_msg("%.9g is not %.9g", (double)got, (double)wanted);
    }
}

static void expect_floats(yyjson_val *block, const char *key, const uint8_t *p)
{
    yyjson_val *const list = yyjson_obj_get(block, key);
    assert_int_equal(yyjson_arr_size(list), 3);
    for (size_t i = 0; i < 3; i++) {
        expect_float(yyjson_arr_get(list, i), be32(p + 4 * i));
    }
}

// One block at `p` (its size byte), by the tags and sizes of the XRP's dialect.
static void expect_block(yyjson_val *block, const uint8_t *p)
{
    const unsigned size = p[0], tag = p[1];
    const char *const kind = yyjson_get_str(yyjson_obj_get(block, "kind"));
    assert_non_null(kind);
    const bool has_float = (tag == 0x12 || tag == 0x13 || tag == 0x15) && size >= 6;
    if (has_float) {
        assert_string_equal(kind, tag == 0x12 ? "motor" : tag == 0x13 ? "servo" : "analog");
        assert_int_equal(number(block, "id"), p[2]);
        expect_float(yyjson_obj_get(block, "value"), be32(p + 3));
    } else if (tag == 0x14 && size >= 3) {
        assert_string_equal(kind, "dio");
        assert_int_equal(number(block, "id"), p[2]);
        assert_int_equal(number(block, "value"), p[3]);
    } else if (tag == 0x16 && size >= 25) {
        assert_string_equal(kind, "gyro");
        expect_floats(block, "rate_dps", p + 2);
        expect_floats(block, "angle_deg", p + 14);
    } else if (tag == 0x17 && size >= 13) {
        assert_string_equal(kind, "accel");
        expect_floats(block, "accel_g", p + 2);
    } else if (tag == 0x18 && size >= 6) {
        assert_string_equal(kind, "encoder");
        assert_int_equal(number(block, "id"), p[2]);
        assert_true(number(block, "count") == (double)(int32_t)be32(p + 3));
        assert_int_equal(yyjson_obj_get(block, "period_num") != NULL, size >= 14);
        if (size >= 14) {
            assert_true(number(block, "period_num") == (double)be32(p + 7));
            assert_true(number(block, "period_den") == (double)be32(p + 11));
        }
    } else {
        assert_string_equal(kind, "unknown");
        assert_int_equal(number(block, "tag"), tag);
        assert_int_equal(number(block, "size"), size);
    }
}

// Walks the packet by itself: every byte is header, padding, or in a block that the line has too.
static void expect_line(const char *line, const vector *v)
{
    yyjson_doc *const document = yyjson_read(line, strlen(line), 0);
    if (document == NULL) {
        fail_msg("%s: no JSON: %s", v->name, line);
    }
    yyjson_val *const root = yyjson_doc_get_root(document);
    yyjson_val *const blocks = yyjson_obj_get(root, "blocks");
    yyjson_val *const error = yyjson_obj_get(root, "error");
    size_t at = 3, index = 0;
    assert_int_equal(yyjson_obj_size(root), 4);
    if (v->size < 3) {
        assert_true(yyjson_is_null(yyjson_obj_get(root, "seq")));
        assert_true(yyjson_is_null(yyjson_obj_get(root, "control")));
        assert_int_equal(yyjson_arr_size(blocks), 0);
        assert_int_equal(number(error, "at"), 0);
        yyjson_doc_free(document);
        return;
    }
    assert_int_equal(number(root, "seq"), v->bytes[0] << 8 | v->bytes[1]);
    assert_int_equal(number(root, "control"), v->bytes[2]);
    while (at < v->size && at + 1 + v->bytes[at] <= v->size) {
        if (v->bytes[at] > 0) {
            yyjson_val *const block = yyjson_arr_get(blocks, index++);
            assert_non_null(block);
            assert_int_equal(number(block, "at"), at);
            expect_block(block, v->bytes + at);
        }
        at += 1 + (size_t)v->bytes[at];
    }
    assert_int_equal(yyjson_arr_size(blocks), index);
    if (at < v->size) {
        assert_int_equal(number(error, "at"), at);
        assert_true(yyjson_is_str(yyjson_obj_get(error, "what")));
    } else {
        assert_true(yyjson_is_null(error));
    }
    yyjson_doc_free(document);
}

static void hex_of(const vector *v, char *text)
{
    for (size_t i = 0; i < v->size; i++) {
        sprintf(text + 2 * i, "%02x", v->bytes[i]);
    }
    text[2 * v->size] = '\0';
}

static void expect_batch(const vector *first, size_t count)
{
    static char hex[BATCH][2 * VECTOR_BYTES_MAX + 1];
    const char *arguments[4 + 2 * BATCH] = { HALYARD_BINARY, "dump", "--json" };
    for (size_t i = 0; i < count; i++) {
        hex_of(&first[i], hex[i]);
        arguments[3 + 2 * i] = "--hex";
        arguments[4 + 2 * i] = hex[i];
    }
    arguments[3 + 2 * count] = NULL;
    assert_int_equal(run(arguments), 0);
    char *line = output;
    for (size_t i = 0; i < count; i++) {
        char *const end = strchr(line, '\n');
        if (end == NULL) {
            fail_msg("%s: no line", first[i].name);
        }
        *end = '\0';
        expect_line(line, &first[i]);
        line = end + 1;
    }
    assert_string_equal(line, "");
}

static void expect_vectors(const char *file)
{
    static vectors all;
    vectors_load(file, true, &all);
    assert_true(all.count > 0);
    for (size_t i = 0; i < all.count; i += BATCH) {
        expect_batch(&all.items[i], all.count - i < BATCH ? all.count - i : BATCH);
    }
    print_message("%s: %zu packets\n", file, all.count);
}

static void every_recorded_packet(void **state)
{
    (void)state;
    expect_vectors("xrp/command.txt");
    expect_vectors("xrp/status.txt");
    expect_vectors("xrp/edge.txt");
}

// --------------------------------------------------------------------------- exact lines

static void exact_lines(void **state)
{
    (void)state;
    static const struct {
        const char *hex, *line;
    } lines[] = {
        { "0001010612003f000000", "{\"seq\":1,\"control\":1,\"blocks\":[{\"at\":3,\"kind\":"
                                  "\"motor\",\"id\":0,\"value\":0.5}],\"error\":null}\n" },
        { "0001 01 06 13 07 3dcccccd", // 0.1 as a float is 0.1 again
          "{\"seq\":1,\"control\":1,\"blocks\":[{\"at\":3,\"kind\":\"servo\",\"id\":7,\"value\":0."
          "1}],\"error\":null}\n" },
        { "0001010612007fc00000", // NaN
          "{\"seq\":1,\"control\":1,\"blocks\":[{\"at\":3,\"kind\":\"motor\",\"id\":0,\"value\":"
          "null}],\"error\":null}\n" },
        { "ff:ff:00:00:02:99:01", // padding, then an unknown tag
          "{\"seq\":65535,\"control\":0,\"blocks\":[{\"at\":4,\"kind\":\"unknown\",\"tag\":153,"
          "\"size\":2}],\"error\":null}\n" },
        { "000101 03140101 0612003f",
          //               ^^ offset 7
          "{\"seq\":1,\"control\":1,\"blocks\":[{\"at\":3,\"kind\":\"dio\",\"id\":1,\"value\":1}],"
          "\"error\":{\"at\":7,\"what\":\"block runs past the end of the datagram\"}}\n" },
        { "0x0001", "{\"seq\":null,\"control\":null,\"blocks\":[],"
                    "\"error\":{\"at\":0,\"what\":\"shorter than the 3 bytes of a header\"}}\n" },
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const char *const arguments[] = { HALYARD_BINARY, "dump",       "--json",
                                          "--hex",        lines[i].hex, NULL };
        assert_int_equal(run(arguments), 0);
        assert_string_equal(output, lines[i].line);
    }
}

static void the_teensy_has_other_tags(void **state)
{
    (void)state;
    const char *const arguments[] = {
        HALYARD_BINARY,         "dump", "--json", "--dialect", "teensy", "--hex",
        "00010006160000000201", NULL
    };
    //                                       ^^ its encoder, short
    assert_int_equal(run(arguments), 0);
    assert_string_equal(
        output, "{\"seq\":1,\"control\":0,\"blocks\":[{\"at\":3,\"kind\":\"encoder\",\"id\":0,"
                "\"count\":513}],\"error\":null}\n");
}

static void text_names_the_channels(void **state)
{
    (void)state;
    const char *const arguments[] = {
        HALYARD_BINARY, "dump", "--hex",
        "001f00 0e18000000020400008265007ed6b4 03140001 0613043f800000", NULL
    };
    assert_int_equal(run(arguments), 0);
    assert_non_null(strstr(output, "seq 31  control 0  29 bytes"));
    assert_non_null(strstr(output, "Left Motor Encoder"));
    assert_non_null(strstr(output, "516 counts     +498.1 counts/s")); // 8312500 / (0x8265 >> 1)
    assert_non_null(strstr(output, "UserButton"));
    assert_non_null(strstr(output, "1 high"));
    assert_non_null(strstr(output, "1.0000"));
}

// --------------------------------------------------------------------------- captures

typedef struct {
    char path[64];
    FILE *file;
} capture;

static void put32(FILE *file, uint32_t value) // the file's own byte order is the writer's
{
    fwrite(&value, sizeof value, 1, file);
}

static capture begin_capture(uint32_t link_type)
{
    capture self = { .path = "/tmp/halyard_capture_XXXXXX" };
    self.file = fdopen(mkstemp(self.path), "wb");
    assert_non_null(self.file);
    put32(self.file, 0xa1b2c3d4);
    put32(self.file, 2 | 4 << 16); // version 2.4
    put32(self.file, 0);
    put32(self.file, 0);
    put32(self.file, 65535);
    put32(self.file, link_type);
    return self;
}

static void add_frame(capture *self, const uint8_t *bytes, size_t size, size_t captured)
{
    put32(self->file, 1000); // seconds
    put32(self->file, 250000);
    put32(self->file, (uint32_t)captured);
    put32(self->file, (uint32_t)size);
    fwrite(bytes, captured, 1, self->file);
}

static int dump_capture(capture *self, const char *option, const char *value)
{
    fclose(self->file);
    const char *const arguments[] = { HALYARD_BINARY, "dump", "--pcap", self->path,
                                      option,         value,  NULL };
    const int result = run(arguments);
    unlink(self->path);
    return result;
}

// clang-format off
#define IPV4(total, fragment, protocol) 0x45, 0, 0, (total), 0, 1, (fragment), 0, 64, (protocol), 0, 0, 127, 0, 0, 1, 127, 0, 0, 2
#define IPV6(length, next) 0x60, 0, 0, 0, 0, (length), (next), 64, \
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2
#define UDP(from, to, length) (from) >> 8, (from) & 255, (to) >> 8, (to) & 255, 0, (length), 0, 0
#define PACKET 0x12, 0x34, 1 // seq 4660, enabled
#define MACS 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12

static const struct {
    const char *name;
    uint32_t link_type;
    size_t size;
    uint8_t bytes[96];
} frames[] = {
    { "Ethernet, IPv4", 1, 45, { MACS, 8, 0, IPV4(31, 0, 17), UDP(50000, 3540, 11), PACKET } },
    { "Ethernet, padded", 1, 60, { MACS, 8, 0, IPV4(31, 0, 17), UDP(50000, 3540, 11), PACKET } },
    { "Ethernet, VLAN", 1, 49, { MACS, 0x81, 0, 0, 5, 8, 0, IPV4(31, 0, 17), UDP(50000, 3540, 11), PACKET } },
    { "Ethernet, IPv6", 1, 65, { MACS, 0x86, 0xdd, IPV6(11, 17), UDP(3540, 50000, 11), PACKET } },
    { "IPv6, hop-by-hop", 1, 73, { MACS, 0x86, 0xdd, IPV6(19, 0), 17, 0, 1, 4, 0, 0, 0, 0, UDP(3540, 50000, 11), PACKET } },
    { "IPv6, routing and destination", 1, 81, { MACS, 0x86, 0xdd, IPV6(27, 43), 60, 0, 0, 0, 0, 0, 0, 0, 17, 0, 1, 4, 0, 0, 0, 0, UDP(3540, 50000, 11), PACKET } },
    { "two VLANs, one in the other", 1, 53, { MACS, 0x88, 0xa8, 0, 5, 0x81, 0, 0, 6, 8, 0, IPV4(31, 0, 17), UDP(50000, 3540, 11), PACKET } },
    { "raw IPv4", 228, 31, { IPV4(31, 0, 17), UDP(50000, 3540, 11), PACKET } },
    { "raw IPv6", 229, 51, { IPV6(11, 17), UDP(50000, 3540, 11), PACKET } },
    { "BSD loopback", 0, 35, { 2, 0, 0, 0, IPV4(31, 0, 17), UDP(50000, 3540, 11), PACKET } },
    { "OpenBSD loopback", 108, 35, { 0, 0, 0, 2, IPV4(31, 0, 17), UDP(50000, 3540, 11), PACKET } },
    { "raw IP", 101, 31, { IPV4(31, 0, 17), UDP(50000, 3540, 11), PACKET } },
    { "Linux cooked", 113, 47, { 0, 0, 3, 4, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, IPV4(31, 0, 17), UDP(50000, 3540, 11), PACKET } },
    { "Linux cooked 2", 276, 51, { 8, 0, 0, 0, 0, 0, 0, 1, 3, 4, 4, 6, 0, 0, 0, 0, 0, 0, 0, 0, IPV4(31, 0, 17), UDP(50000, 3540, 11), PACKET } },
};
// clang-format on

static void every_link_type(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        capture file = begin_capture(frames[i].link_type);
        add_frame(&file, frames[i].bytes, frames[i].size, frames[i].size);
        assert_int_equal(dump_capture(&file, NULL, NULL), 0);
        if (strstr(output, "seq 4660  control 1  3 bytes") == NULL ||
            strstr(output, ": 1 packets") == NULL || strstr(output, "1000.250000") == NULL) {
            fail_msg("%s: %s", frames[i].name, output);
        }
    }
}

// What can be read only once is: no port is looked for first.
static void a_capture_through_a_pipe(void **state)
{
    (void)state;
    static const char *const names[] = { "-", "/dev/stdin" };
    for (size_t i = 0; i < 2; i++) {
        capture file = begin_capture(frames[0].link_type);
        add_frame(&file, frames[0].bytes, frames[0].size, frames[0].size);
        fclose(file.file);
        const char *const arguments[] = {
            "/bin/sh", "-c", "cat \"$1\" | \"$0\" dump --pcap \"$2\"", HALYARD_BINARY, file.path,
            names[i],  NULL
        };
        assert_int_equal(run(arguments), 0);
        assert_non_null(strstr(output, "seq 4660  control 1  3 bytes"));
        assert_non_null(strstr(output, ": 1 packets; skipped"));
        unlink(file.path);
    }
}

static void any_number_of_packets(void **state)
{
    (void)state;
    enum { PACKETS = 500 };
    static const char *arguments[3 + 2 * PACKETS + 1] = { HALYARD_BINARY, "dump", "--json" };
    for (size_t i = 0; i < PACKETS; i++) {
        arguments[3 + 2 * i] = "--hex";
        arguments[4 + 2 * i] = i == PACKETS - 1 ? "000901" : "000101";
    }
    assert_int_equal(run(arguments), 0);
    assert_non_null(strstr(output, "{\"seq\":9,"));
}

static void what_a_capture_has_besides(void **state)
{
    (void)state;
    // clang-format off
    static const uint8_t good[] = { MACS, 8, 0, IPV4(31, 0, 17), UDP(50000, 3540, 11), PACKET };
    static const uint8_t fragment[] = { MACS, 8, 0, IPV4(31, 0x20, 17), UDP(50000, 3540, 11), PACKET };
    //                                                       ^^^^ more fragments
    static const uint8_t tcp[] = { MACS, 8, 0, IPV4(31, 0, 6), UDP(50000, 3540, 11), PACKET };
    static const uint8_t arp[] = { MACS, 8, 6, 0, 1 };
    static const uint8_t other_port[] = { MACS, 8, 0, IPV4(31, 0, 17), UDP(50000, 53, 11), PACKET };
    static const uint8_t long_udp[] = { MACS, 8, 0, IPV4(31, 0, 17), UDP(50000, 3540, 12), PACKET };
    //                                                                                ^^ one more than there is
    static const uint8_t cut_fragment[] = { MACS, 0x86, 0xdd, IPV6(11, 44), 17, 0, 0, 1 };
#define OPTIONS 60, 0, 1, 4, 0, 0, 0, 0 // another one follows
    static const uint8_t extensions[] = { MACS, 0x86, 0xdd, IPV6(80, 60), OPTIONS, OPTIONS, OPTIONS, OPTIONS, OPTIONS,
                                          OPTIONS, OPTIONS, OPTIONS, OPTIONS, 17, 0, 1, 4, 0, 0, 0, 0 };
    // clang-format on
    capture file = begin_capture(1);
    add_frame(&file, good, sizeof good, sizeof good);
    add_frame(&file, fragment, sizeof fragment, sizeof fragment);
    add_frame(&file, tcp, sizeof tcp, sizeof tcp);
    add_frame(&file, arp, sizeof arp, sizeof arp);
    add_frame(&file, other_port, sizeof other_port, sizeof other_port);
    add_frame(&file, long_udp, sizeof long_udp, sizeof long_udp);
    add_frame(&file, cut_fragment, sizeof cut_fragment, sizeof cut_fragment);
    add_frame(&file, extensions, sizeof extensions, sizeof extensions);
    add_frame(&file, good, sizeof good, 40); // recorded with too short a snapshot
    assert_int_equal(dump_capture(&file, NULL, NULL), 0);
    assert_non_null(strstr(
        output,
        ": 1 packets of robots and the simulator; skipped: 4 others, 2 fragments, 2 cut short"));

    file = begin_capture(1);
    add_frame(&file, other_port, sizeof other_port, sizeof other_port);
    assert_int_equal(dump_capture(&file, "--port", "53"), 0);
    assert_non_null(strstr(output, "127.0.0.1:50000 > 127.0.0.2:53  seq 4660"));

    file = begin_capture(1); // nothing of the robots' port: then every port is shown
    add_frame(&file, other_port, sizeof other_port, sizeof other_port);
    assert_int_equal(dump_capture(&file, NULL, NULL), 0);
    assert_non_null(strstr(output, "127.0.0.1:50000 > 127.0.0.2:53  seq 4660"));
    assert_non_null(strstr(output, ": 1 packets; skipped: 0 others"));
}

// Between a robot's packets: messages of the simulator, by the ports where they arrive.
static void messages_of_the_simulator(void **state)
{
    (void)state;
    // clang-format off
    static const uint8_t robot[] = { MACS, 8, 0, IPV4(31, 0, 17), UDP(50000, 3540, 11), PACKET };
    static const uint8_t heartbeat[] = { MACS, 8, 0, IPV4(31, 0, 17), UDP(12050, 10050, 11), '{', '\n', '}' };
    static const uint8_t refused[] = { MACS, 8, 0, IPV4(38, 0, 17), UDP(2000, 4000, 18), '{', '"', 'a', '"', ':', '"', 'x', '"', '}', '\t' };
    static const uint8_t no_message[] = { MACS, 8, 0, IPV4(31, 0, 17), UDP(2000, 4000, 11), PACKET };
    static const uint8_t no_player[] = { MACS, 8, 0, IPV4(31, 0, 17), UDP(2060, 4060, 11), '{', '}', ' ' };
    // clang-format on
    for (int json = 0; json < 2; json++) {
        capture file = begin_capture(1);
        add_frame(&file, robot, sizeof robot, sizeof robot);
        add_frame(&file, heartbeat, sizeof heartbeat, sizeof heartbeat);
        add_frame(&file, refused, sizeof refused, sizeof refused);
        add_frame(&file, no_message, sizeof no_message, sizeof no_message);
        add_frame(&file, no_player, sizeof no_player, sizeof no_player);
        assert_int_equal(dump_capture(&file, json ? "--json" : NULL, NULL), 0);
        assert_non_null(
            strstr(output, ": 3 packets of robots and the simulator; skipped: 2 others"));
        if (json) {
            assert_non_null(strstr(output, "{\"seq\":4660,"));
            assert_non_null(strstr(output, "{\"message\":\"heartbeat of the view\",\"player\":6,"
                                           "\"body\":{},\"error\":null}\n"));
            assert_non_null(strstr(output, "{\"message\":\"sticks\",\"player\":1,\"body\":null,"
                                           "\"error\":\"a is not 0 or 1\"}\n"));
        } else {
            assert_non_null(strstr(output,
                                   "127.0.0.1:12050 > 127.0.0.2:10050  heartbeat of the view, "
                                   "player 6, 3 bytes\n  {}\n"));
            assert_non_null(strstr(output, "  {\"a\":\"x\"} \n  refused: a is not 0 or 1\n"));
        }
    }
}

static void captures_that_are_none(void **state)
{
    (void)state;
    capture file = begin_capture(1);
    fputs("and then text", file.file); // shorter than a frame's header
    assert_int_equal(dump_capture(&file, NULL, NULL), 1);
    assert_non_null(strstr(output, "halyard dump: /tmp/halyard_capture_"));

    file = begin_capture(105); // Wi-Fi as it is on the air
    assert_int_equal(dump_capture(&file, NULL, NULL), 1);
    assert_non_null(strstr(output, "frames of link type 105 (IEEE802_11) are not understood"));

    const char *const missing[] = { HALYARD_BINARY, "dump", "--pcap", "/nowhere.pcap", NULL };
    assert_int_equal(run(missing), 1);
    assert_non_null(strstr(output, "No such file"));
    const char *const text[] = { HALYARD_BINARY, "dump", "--pcap",
                                 HALYARD_TEST_DATA "/CMakeLists.txt", NULL };
    assert_int_equal(run(text), 1);
    assert_non_null(strstr(output, "CMakeLists.txt: unknown file format"));
}

// --------------------------------------------------------------------------- the rest

static void bytes_longer_than_any_datagram(void **state)
{
    (void)state;
    static char hex[2 * 65508 + 1];
    memset(hex, '0', sizeof hex - 1);
    const char *const arguments[] = { HALYARD_BINARY, "dump", "--hex", hex, NULL };
    assert_int_equal(run(arguments), 2);
    assert_non_null(strstr(output, "longer than 65507 bytes, the longest UDP datagram"));
}

static void wrong_command_lines(void **state)
{
    (void)state;
    static const struct {
        const char *option, *value, *says;
        int status;
    } lines[] = {
        { NULL, NULL, "one of --hex, --pcap, --interface and --listen", 2 },
        { "--hex", "00010", "half a byte", 2 },
        { "--hex", "0001 0g", "character 7, 'g'", 2 },
        //                ^
        { "--hex", "zz", "character 1, 'z'", 2 },
        { "--dialect", "lego", "lego", 2 },
        { "--listen", "127.0.0.1:99999", "--listen 127.0.0.1:99999: the address", 1 },
        { "--listen", "192.0.2.1:0", "it is not an address of this machine", 1 },
        { "--interface", "no-such", "--interface no-such: ", 1 },
        { "--port", "70000", "--port must be", 2 },
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const char *const arguments[] = { HALYARD_BINARY, "dump", lines[i].option, lines[i].value,
                                          NULL };
        assert_int_equal(run(arguments), lines[i].status);
        if (strstr(output, lines[i].says) == NULL ||
            strchr(output, '\n') != output + strlen(output) - 1) {
            fail_msg("not one sentence with '%s': %s", lines[i].says, output);
        }
    }
}

static void a_port_chooses_among_the_packets_of_a_capture(void **state)
{
    (void)state;
    const char *const arguments[] = { HALYARD_BINARY, "dump", "--hex", "000101", "--port", "5", NULL };
    assert_int_equal(run(arguments), 2);
    assert_non_null(strstr(output, "leave it out without --pcap"));
}

static void live(void **state)
{
    (void)state;
    static const char listening[] = "halyard: ready udp=127.0.0.1:";
    const char *const arguments[] = { HALYARD_BINARY, "dump",        "--json",
                                      "--listen",     "127.0.0.1:0", NULL };
    program dump = program_start(arguments);
    assert_true(program_await(&dump, "\n", 5 * SECOND_US));
    assert_memory_equal(dump.output, listening, sizeof listening - 1);
    const struct sockaddr_in to = { .sin_family = AF_INET,
                                    .sin_port =
                                        htons((uint16_t)atoi(dump.output + sizeof listening - 1)),
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const int sender = socket(AF_INET, SOCK_DGRAM, 0);
    sendto(sender, "\x00\x07\x01", 3, 0, (const struct sockaddr *)&to, sizeof to);
    close(sender);
    assert_true(program_await(&dump, "{\"seq\":7,\"control\":1,\"blocks\":[],\"error\":null}\n",
                              5 * SECOND_US));
    kill(dump.pid, SIGINT);
    assert_int_equal(program_end(&dump, NULL, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_recorded_packet),
        cmocka_unit_test(exact_lines),
        cmocka_unit_test(the_teensy_has_other_tags),
        cmocka_unit_test(text_names_the_channels),
        cmocka_unit_test(every_link_type),
        cmocka_unit_test(a_capture_through_a_pipe),
        cmocka_unit_test(any_number_of_packets),
        cmocka_unit_test(what_a_capture_has_besides),
        cmocka_unit_test(messages_of_the_simulator),
        cmocka_unit_test(captures_that_are_none),
        cmocka_unit_test(bytes_longer_than_any_datagram),
        cmocka_unit_test(wrong_command_lines),
        cmocka_unit_test(a_port_chooses_among_the_packets_of_a_capture),
        cmocka_unit_test(live),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
