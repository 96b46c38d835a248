// Damaged messages: every prefix of every message, every byte of short ones changed to every other value, and
// bytes of the recorded ones changed here and there. Each lies in memory of exactly its size, so that a
// sanitizer sees the first byte too many.
#include <stdio.h>
#include <stdlib.h>

#include "cmocka_all.h"
#include "environment.h"
#include "icd_round.h"

static icd_round round_trip;

static int open_readers(void **state)
{
    (void)state;
    round_trip.first = hy_icd_reader_open();
    round_trip.second = hy_icd_reader_open();
    return round_trip.first == NULL || round_trip.second == NULL;
}

static int close_readers(void **state)
{
    (void)state;
    hy_icd_reader_close(round_trip.first);
    hy_icd_reader_close(round_trip.second);
    return 0;
}

static void check(const uint8_t *text, size_t size)
{
    uint8_t *const exact = malloc(size + (size == 0));
    assert_non_null(exact);
    memcpy(exact, text, size);
    const char *const wrong = icd_round_all(&round_trip, (hy_bytes){ exact, size });
    free(exact);
    if (wrong != NULL) {
        fail_msg("%s: %.*s", wrong, (int)size, (const char *)text);
    }
}

static const char *const messages[] = {
    "{\"leftJoystick\":[-1,512],\"rightJoystick\":[3.5,-512],\"dpad\":[0,1,true,0],\"leftTrigger\":"
    "512,\"a\":1}",
    "{\"leftDriveMotorSpeed\":10,\"tubeMotorSpeed\":-1e3,\"timerStartStop\":1,\"reset\":null,"
    "\"outtake\":1}",
    "{\"x\":0.0,\"y\":-5.0038,\"theta\":-142.1,\"leftDriveEncoder\":1023,\"numIngestedBalls\":2,"
    "\"lidarPoints\":[[0.5,0.0,2.8754],[6.28,0.0,-1.0]]}",
    "{\"blueScore\":3,\"timer\":134.99,\"field\":{\"inCollision\":true},\"vehicles\":[{\"team\":"
    "\"32\\u00e960\\\"\","
    "\"alliance\":\"Red\",\"x\":1.5,\"lidarSweep\":[{\"azimuth\":0.01,\"elevation\":0.0,\"range\":"
    "2.87}]},{}],"
    "\"gamePieces\":[{\"x\":1.2,\"ingestionState\":4},{\"position\":[1,2,3]}]}",
    "{\"status\":1,\"players\":[{\"connected\":true,\"rateHz\":0.5}],\"robots\":[{\"kind\":\"xrp\","
    "\"x\":1}],"
    "\"sim\":{\"speed\":1.0,\"dropped\":3}}",
};

#define MESSAGES (sizeof messages / sizeof messages[0])

static void every_prefix(void **state)
{
    (void)state;
    for (size_t m = 0; m < MESSAGES; m++) {
        for (size_t size = 0; size <= strlen(messages[m]); size++) {
            check((const uint8_t *)messages[m], size);
        }
    }
}

static void every_byte_changed(void **state)
{
    (void)state;
    for (size_t m = 0; m < MESSAGES; m++) {
        uint8_t text[512];
        const size_t size = strlen(messages[m]);
        memcpy(text, messages[m], size);
        for (size_t at = 0; at < size; at++) {
            for (unsigned value = 0; value < 256; value++) {
                text[at] = (uint8_t)value;
                check(text, size);
            }
            text[at] = (uint8_t)messages[m][at];
        }
    }
}

// Parts of messages swapped, doubled and left out.
static void shuffled(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(number_from_environment("HY_SEED", 1234));
    const uint64_t rounds = number_from_environment("HY_PACKETS", 20000);
    for (uint64_t i = 0; i < rounds; i++) {
        uint8_t text[1024];
        size_t size = 0;
        const uint32_t parts = 2 + hy_random_below(&random, 3);
        const char *message = messages[hy_random_below(&random, MESSAGES)];
        for (uint32_t p = 0; p < parts && size < 512; p++) {
            const uint32_t from = p == 0 ? 0 : hy_random_below(&random, (uint32_t)strlen(message));
            const size_t part = hy_random_below(&random, (uint32_t)strlen(message) - from + 1);
            memcpy(text + size, message + from, part);
            size += part;
        }
        check(text, size);
    }
}

// The text of a JSON string in a vector file: our vectors escape nothing but quotes and line ends.
static size_t unescape(const char *from, uint8_t *to)
{
    size_t size = 0;
    for (; *from != '"'; from++) {
        if (*from == '\\') {
            from++;
            to[size++] = *from == 'n' ? '\n' : (uint8_t)*from;
        } else {
            to[size++] = (uint8_t)*from;
        }
    }
    return size;
}

static void damage_recorded(uint8_t *text, size_t size, hy_random *random)
{
    static const uint8_t odd[] = "\"[]{},:.-e0\xFF\x00";
    check(text, size);
    // Longer ones take longer to read, so fewer of them.
    const size_t times = 50 + 20000 / (1 + size / 16);
    for (size_t i = 0; i < times; i++) {
        const size_t at = hy_random_below(random, (uint32_t)size);
        const uint8_t before = text[at];
        check(text, at);
        text[at] = odd[hy_random_below(random, sizeof odd)];
        check(text, size);
        text[at] = before;
    }
}

static void recorded_messages(void **state)
{
    (void)state;
    static const char *const files[] = { "core_to_sim",       "joystick_to_core",
                                         "sim_to_core",       "sim_to_simview",
                                         "later_sim_to_core", "later_sim_to_simview" };
    static char line[4 * HY_ICD_MESSAGE_MAX];
    static uint8_t text[HY_ICD_MESSAGE_MAX];
    hy_random random = hy_random_seeded(number_from_environment("HY_SEED", 1234));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/golden/icd/%s.jsonl", HALYARD_TEST_DATA, files[i]);
        FILE *const f = fopen(path, "r");
        assert_non_null(f);
        for (int n = 0; n < 3 && fgets(line, sizeof line, f) != NULL; n++) {
            const char *const raw = strstr(line, "\"raw\": \"");
            assert_non_null(raw);
            damage_recorded(text, unescape(raw + 8, text), &random);
        }
        fclose(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_prefix),
        cmocka_unit_test(every_byte_changed),
        cmocka_unit_test(shuffled),
        cmocka_unit_test(recorded_messages),
    };
    return cmocka_run_group_tests_name("icd damage", tests, open_readers, close_readers);
}
