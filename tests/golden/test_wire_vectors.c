// Every vector, decoded and encoded again, as a named test of its own: the stock firmware's, those
// of other clients, WPILib's, and ours for the Teensy dialect.
#include <halyard/wire.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "vectors.h"
#include "wire_checks.h"

typedef const char *(*checker)(const hy_dialect *dialect, hy_bytes datagram, const char *fields);

typedef struct {
    const char *file;
    const hy_dialect *dialect;
    checker check;
    vectors all;
} source;

static source sources[] = {
    { "xrp/command.expected", &hy_dialect_xrp, wire_check_command, { .count = 0 } },
    { "xrp/edge.expected", &hy_dialect_xrp, wire_check_command, { .count = 0 } },
    { "xrp/status.expected", &hy_dialect_xrp, wire_check_status, { .count = 0 } },
    { "wpilib/command.expected", &hy_dialect_xrp, wire_check_command, { .count = 0 } },
    { "wpilib/status.expected", &hy_dialect_xrp, wire_check_status, { .count = 0 } },
    { "teensy/command.expected", &hy_dialect_teensy, wire_check_command, { .count = 0 } },
    { "teensy/status.expected", &hy_dialect_teensy, wire_check_status, { .count = 0 } },
};

#define SOURCES (sizeof sources / sizeof sources[0])

typedef struct {
    const source *from;
    const vector *v;
    char name[256];
} named;

static void vector_is_decoded_and_encoded(void **state)
{
    const named *test = *state;
    const hy_bytes datagram = { test->v->bytes, test->v->size };
    const char *wrong = test->from->check(test->from->dialect, datagram, test->v->meaning);
    if (wrong != NULL) {
        fail_msg("%s: differs from the file in: %s", test->name, wrong);
    }
}

static bool is_expected(const char *file, const vector *v)
{
    for (size_t i = 0; i < SOURCES; i++) {
        const vector *found =
            strcmp(sources[i].file, file) == 0 ? vectors_find(&sources[i].all, v->name) : NULL;
        if (found != NULL && found->size == v->size && memcmp(found->bytes, v->bytes, v->size) == 0) {
            return true;
        }
    }
    return false;
}

// The recorded files are other people's bytes: what is expected of them may not drift from them.
static void every_recorded_xrp_vector_is_tested(void **state)
{
    (void)state;
    static const char *const kinds[] = { "command", "edge", "status" };
    for (size_t k = 0; k < 3; k++) {
        static vectors recorded;
        char file[64];
        char expected[64];
        snprintf(file, sizeof file, "xrp/%s.txt", kinds[k]);
        snprintf(expected, sizeof expected, "xrp/%s.expected", kinds[k]);
        vectors_load(file, true, &recorded);
        for (size_t i = 0; i < recorded.count; i++) {
            if (!is_expected(expected, &recorded.items[i])) {
                fail_msg("%s: %s is not in %s", file, recorded.items[i].name, expected);
            }
        }
    }
}

static bool has_bytes(const source *from, hy_bytes bytes)
{
    for (size_t i = 0; i < from->all.count; i++) {
        const vector *v = &from->all.items[i];
        if (v->size == bytes.size && memcmp(v->bytes, bytes.data, bytes.size) == 0) {
            return true;
        }
    }
    return false;
}

static void every_recorded_wpilib_datagram_is_tested(void **state)
{
    (void)state;
    char path[1024];
    char line[2048];
    snprintf(path, sizeof path, "%s/golden/wpilib/datagrams.txt", HALYARD_TEST_DATA);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    unsigned count = 0;
    while (fgets(line, sizeof line, f) != NULL) {
        const bool is_command = strncmp(line, "hex: ", 5) == 0;
        const bool is_status = strncmp(line, "    hex ", 8) == 0;
        uint8_t bytes[VECTOR_BYTES_MAX];
        if (is_command || is_status) {
            const char *hex = line + (is_command ? 6 : 8);
            const size_t size = wire_bytes_from_hex(hex, (hy_room){ bytes, sizeof bytes });
            assert_true(has_bytes(&sources[is_command ? 3 : 4], (hy_bytes){ bytes, size }));
            count++;
        }
    }
    fclose(f);
    assert_int_equal(count, 35 + 43);
}

int main(void)
{
    static named tests[SOURCES * VECTORS_MAX];
    static struct CMUnitTest group[SOURCES * VECTORS_MAX + 2] = {
        cmocka_unit_test(every_recorded_xrp_vector_is_tested),
        cmocka_unit_test(every_recorded_wpilib_datagram_is_tested),
    };
    size_t count = 0;
    for (size_t i = 0; i < SOURCES; i++) {
        vectors_load(sources[i].file, true, &sources[i].all);
        for (size_t k = 0; k < sources[i].all.count; k++, count++) {
            named *const test = &tests[count];
            *test = (named){ .from = &sources[i], .v = &sources[i].all.items[k] };
            snprintf(test->name, sizeof test->name, "%s: %s", sources[i].file, test->v->name);
            group[2 + count] = (struct CMUnitTest){ .name = test->name,
                                                    .test_func = vector_is_decoded_and_encoded,
                                                    .initial_state = test };
        }
    }
    return _cmocka_run_group_tests("wire vectors", group, 2 + count, NULL, NULL);
}
