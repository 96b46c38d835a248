// A bad network on purpose: what is lost, late, doubled and altered, counted over many datagrams with a fixed seed; and what
// --faults understands.
#include "cmocka_all.h"

#include <halyard/faults.h>

#include <stdlib.h>
#include <string.h>

#define MANY 100000

static hy_faults air;

static int end_with_nothing(void **state)
{
    (void)state;
    memset(&air, 0, sizeof air);
    return 0;
}

static hy_faults_spec parsed(const char *text)
{
    hy_faults_spec spec;
    hy_faults_error error;
    if (hy_faults_parse(text, &spec, &error) != HY_OK) {
        fail_msg("%s: %s", text, error.text);
    }
    return spec;
}

static const hy_endpoint peer = { .port = 3540 };

static void put_number(uint32_t number, int64_t now_us)
{
    hy_faults_put(&air, &peer, (hy_bytes){ (const uint8_t *)&number, sizeof number }, now_us);
}

// Takes one datagram; false if none is due. `number` is its content.
static bool take_number(int64_t now_us, uint32_t *number)
{
    hy_endpoint from;
    hy_bytes bytes;
    if (!hy_faults_take(&air, now_us, &from, &bytes)) {
        return false;
    }
    assert_true(hy_endpoint_equal(&from, &peer));
    assert_int_equal(bytes.size, sizeof *number);
    memcpy(number, bytes.data, sizeof *number);
    return true;
}

static void start(const hy_faults_spec *spec)
{
    hy_faults_init(&air, &spec->to_robot, spec, 1, 500);
}

// --------------------------------------------------------------------------- the network

static void a_perfect_wire_changes_nothing(void **state)
{
    (void)state;
    const hy_faults_spec spec = parsed("");
    assert_false(hy_faults_is_any(&spec));
    start(&spec);
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t number;
        put_number(i, i);
        assert_int_equal(hy_faults_due_us(&air), i);
        assert_true(take_number(i, &number));
        assert_int_equal(number, i);
        assert_false(take_number(i, &number));
        assert_true(hy_faults_due_us(&air) == INT64_MAX);
    }
}

static void loss_is_as_often_as_asked(void **state)
{
    (void)state;
    const hy_faults_spec spec = parsed("loss=10%,seed=3");
    start(&spec);
    uint32_t number, came = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        put_number(i, 20000 * (int64_t)i);
        came += take_number(20000 * (int64_t)i, &number);
    }
    assert_in_range(came, 89600, 90400); // 4 standard deviations are 380
    assert_int_equal(air.counters.lost, MANY - came);
}

static void bursts_are_as_long_as_asked(void **state)
{
    (void)state;
    const hy_faults_spec spec = parsed("burst=1%:8");
    start(&spec);
    uint32_t number, bursts = 0, lost = 0;
    bool was_lost = false;
    for (uint32_t i = 0; i < MANY; i++) {
        put_number(i, i);
        const bool is_lost = !take_number(i, &number);
        bursts += is_lost && !was_lost;
        lost += is_lost;
        was_lost = is_lost;
    }
    // Of 100,000 datagrams a burst begins at 1 % of those outside of one: about 930 bursts of 8 on average.
    assert_in_range(bursts, 800, 1050);
    assert_in_range(lost * 10 / bursts, 70, 90);
    assert_int_equal(air.counters.burst_lost, lost);
}

static void jitter_delays_and_keeps_the_order(void **state)
{
    (void)state;
    const hy_faults_spec spec = parsed("delay=5ms jitter=40ms");
    start(&spec);
    uint32_t number, next = 0;
    int64_t least_us = INT64_MAX, most_us = 0;
    for (int64_t now_us = 0; next < 2000; now_us += 1000) {
        if (now_us % 20000 == 0) {
            put_number((uint32_t)(now_us / 20000), now_us);
        }
        while (take_number(now_us, &number)) {
            const int64_t took_us = now_us - 20000 * (int64_t)number;
            assert_int_equal(number, next++);
            least_us = took_us < least_us ? took_us : least_us;
            most_us = took_us > most_us ? took_us : most_us;
        }
    }
    assert_in_range(least_us, 5000, 7000);
    assert_in_range(most_us, 43000, 45000);
}

static void reordering_swaps_neighbours(void **state)
{
    (void)state;
    const hy_faults_spec spec = parsed("reorder=10%");
    start(&spec);
    uint32_t number, came = 0, swapped = 0, last = 0;
    for (uint32_t i = 1; i <= 10000; i++) {
        put_number(i, 20000 * (int64_t)i);
        while (take_number(20000 * (int64_t)i, &number)) {
            swapped += number < last;
            last = number;
            came++;
        }
    }
    came += take_number(INT64_MAX, &number); // one may still wait to be overtaken
    assert_int_equal(came, 10000);
    assert_in_range(swapped, 700, 1000); // of two in a row only the second is overtaken
    assert_in_range(air.counters.reordered, 900, 1100);
}

static void what_nobody_overtakes_comes_after_a_tenth_of_a_second(void **state)
{
    (void)state;
    const hy_faults_spec spec = parsed("reorder=100%");
    start(&spec);
    uint32_t number;
    put_number(1, 0);
    assert_false(take_number(99999, &number));
    assert_true(take_number(100000, &number));
    put_number(2, 200000); // the first one's slot, which is not taken for a datagram that waits
    assert_false(take_number(200000, &number));
    assert_int_equal(hy_faults_due_us(&air), 300000);
}

static void duplicates_come_twice(void **state)
{
    (void)state;
    const hy_faults_spec spec = parsed("duplicate=5%");
    start(&spec);
    uint32_t number, came = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        put_number(i, i);
        while (take_number(i, &number)) {
            assert_int_equal(number, i);
            came++;
        }
    }
    assert_in_range(came, 10400, 10600);
}

static void damage_is_one_bit_or_a_shorter_datagram(void **state)
{
    (void)state;
    const hy_faults_spec spec = parsed("corrupt=20% truncate=20%");
    start(&spec);
    static const uint8_t packet[45] = { 0 };
    unsigned flipped = 0, shorter = 0;
    for (int i = 0; i < 10000; i++) {
        hy_endpoint from;
        hy_bytes bytes;
        hy_faults_put(&air, &peer, (hy_bytes){ packet, sizeof packet }, i);
        assert_true(hy_faults_take(&air, i, &from, &bytes));
        unsigned bits = 0;
        for (size_t k = 0; k < bytes.size; k++) {
            for (unsigned bit = 0; bit < 8; bit++) {
                bits += bytes.data[k] >> bit & 1u;
            }
        }
        assert_true(bits <= 1 && bytes.size <= sizeof packet);
        flipped += bits;
        shorter += bytes.size < sizeof packet;
    }
    assert_in_range(air.counters.corrupted, 1800, 2200);
    assert_in_range(shorter, 1800, 2200);
    assert_in_range(flipped, 1500, 2200); // some flipped bits are cut off
}

static void a_slow_link_queues_and_then_loses(void **state)
{
    (void)state;
    const hy_faults_spec spec = parsed("rate=1kB/s");
    start(&spec);
    uint8_t packet[100] = { 0 };
    hy_endpoint from;
    hy_bytes bytes;
    for (int i = 0; i < 10; i++) {
        hy_faults_put(&air, &peer, (hy_bytes){ packet, sizeof packet }, 0);
    }
    unsigned came = 0;
    int64_t last_us = 0;
    while (hy_faults_due_us(&air) != INT64_MAX) {
        last_us = hy_faults_due_us(&air);
        assert_true(hy_faults_take(&air, last_us, &from, &bytes));
        came++;
        assert_int_equal(last_us, 100000 * (int64_t)came);
    }
    assert_int_equal(came, 3); // the fourth would have waited for 0.3 s
    assert_int_equal(air.counters.rate_lost, 7);
}

static void outages_lose_everything_and_come_again(void **state)
{
    (void)state;
    const hy_faults_spec spec = parsed("outage=1s+200ms/1s outage=10s+5s");
    start(&spec);
    uint32_t number;
    for (int64_t now_us = 500; now_us < 12000000; now_us += 50000) {
        const int64_t since_us = now_us - 500;
        const bool is_out =
            (since_us >= 1000000 && since_us % 1000000 < 200000) || since_us >= 10000000;
        while (take_number(now_us, &number)) {
        }
        put_number(1, now_us);
        assert_int_equal(take_number(now_us, &number), !is_out);
        assert_int_equal(hy_faults_is_outage(&spec, since_us), is_out);
    }
}

static void a_stop_is_never_touched(void **state)
{
    (void)state;
    const hy_faults_spec spec = parsed("loss=100% delay=50ms outage=0s+100s");
    start(&spec);
    uint32_t number = 7;
    const hy_bytes stop = { (const uint8_t *)&number, sizeof number };
    hy_faults_put_untouched(&air, &peer, stop, true, 1000);
    assert_true(take_number(1000, &number));
    assert_int_equal(number, 7);
    // What waits from before it never follows it.
    const hy_faults_spec slow = parsed("delay=50ms");
    start(&slow);
    put_number(1, 0);
    put_number(2, 100);
    number = 7;
    hy_faults_put_untouched(&air, &peer, stop, true, 1000);
    assert_true(take_number(1000, &number));
    assert_int_equal(number, 7);
    assert_false(take_number(1000000, &number));
    put_number(3, 1000000);
    assert_true(take_number(1050000, &number));
    assert_int_equal(number, 3);
}

static void too_many_and_too_long_are_counted(void **state)
{
    (void)state;
    static const uint8_t long_one[HY_FAULTS_DATAGRAM_MAX + 1];
    const hy_faults_spec spec = parsed("delay=1s");
    start(&spec);
    hy_faults_put(&air, &peer, (hy_bytes){ long_one, sizeof long_one }, 0);
    assert_int_equal(air.counters.overflowed, 1);
    for (uint32_t i = 0; i < HY_FAULTS_SLOTS + 10; i++) {
        put_number(i, 0);
    }
    assert_int_equal(air.counters.overflowed, 11);
    hy_faults_put(&air, &peer, (hy_bytes){ NULL, 0 }, 0); // an empty datagram is one, too
    assert_int_equal(air.counters.overflowed, 12);
}

// One more fault in a spec leaves the fate of the others as it was, and equal seeds give equal fates.
static void random_numbers_are_repeatable_and_apart(void **state)
{
    (void)state;
    static bool first[5000], second[5000];
    const char *const texts[] = { "loss=30% seed=5", "loss=30% duplicate=50% jitter=1ms seed=5" };
    for (int run = 0; run < 2; run++) {
        const hy_faults_spec spec = parsed(texts[run]);
        bool *const came = run == 0 ? first : second;
        start(&spec);
        for (uint32_t i = 0; i < 5000; i++) {
            uint32_t number;
            put_number(i, 20000 * (int64_t)i);
            while (take_number(20000 * (int64_t)i + 19999, &number)) {
                came[number] = true;
            }
        }
    }
    assert_memory_equal(first, second, sizeof first);
    const hy_faults_spec other = parsed("loss=30% seed=6");
    unsigned different = 0;
    start(&other);
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t number;
        put_number(i, i);
        different += take_number(i, &number) != first[i];
    }
    assert_true(different > 1500);
}

// --------------------------------------------------------------------------- a robot with defects

static void defects_of_a_robot(void **state)
{
    (void)state;
    const hy_faults_spec spec = parsed("dead-encoder=1 slip=0 stuck=gyro stuck=range");
    hy_faults_pins pins = { 0 };
    hy_sensors sensors = { .encoder_counts = { 5, 6 }, .gyro_angle_rad = { 0, 0, 1 }, .range_m = 2.0 };
    hy_faults_apply_sensors(&pins, &spec, &sensors);
    hy_sensors later = { .encoder_counts = { 50, 60 },
                         .gyro_rate_rad_s = { 0, 0, 3 },
                         .gyro_angle_rad = { 0, 0, 4 },
                         .accel_m_s2 = { 1, 0, 0 },
                         .range_m = 0.5,
                         .reflectance = { 0.5, 0.5 } };
    hy_faults_apply_sensors(&pins, &spec, &later);
    assert_true(later.encoder_counts[0] == 50 && later.encoder_counts[1] == 6);
    assert_true(later.gyro_rate_rad_s[2] == 0 && later.gyro_angle_rad[2] == 1 &&
                later.range_m == 2.0);
    assert_true(later.accel_m_s2[0] == 1 && later.reflectance[0] == 0.5);
    hy_actuators actuators = { .motor_duty = { 1.0, 1.0 } };
    hy_faults_apply_actuators(&spec, &actuators);
    assert_true(actuators.motor_duty[0] < 0.5 && actuators.motor_duty[1] == 1.0);
}

// --------------------------------------------------------------------------- the text

static void items_are_read(void **state)
{
    (void)state;
    const hy_faults_spec spec = parsed(
        "# a bad day\nup.loss=5%, down.loss=0.25 delay=1.5ms\tdown.rate=20kB/s\n"
        "reboot=10s,reboot=1us clock=500ms@10s start=65530 seed=18446744073709551615 stuck=accel");
    assert_true(spec.to_robot.loss == 0.05 && spec.from_robot.loss == 0.25);
    assert_true(spec.to_robot.delay_us == 1500 && spec.from_robot.delay_us == 1500);
    assert_true(spec.to_robot.rate_bytes_s == 0 && spec.from_robot.rate_bytes_s == 20000);
    assert_int_equal(spec.reboot_count, 2);
    assert_true(spec.reboot_us[0] == 1 && spec.reboot_us[1] == 10000000);
    assert_true(spec.clock_jump_us == 500000 && spec.clock_jump_at_us == 10000000);
    assert_true(spec.has_start_number && spec.start_number == 65530 && spec.seed == UINT64_MAX);
    assert_int_equal(spec.stuck_sensors, HY_FAULTS_ACCEL);
}

static void presets_are_read_and_can_be_changed(void **state)
{
    (void)state;
    size_t count;
    const hy_faults_preset_entry *const presets = hy_faults_presets(&count);
    assert_true(count >= 3);
    for (size_t i = 0; i < count; i++) {
        const hy_faults_spec spec = parsed(presets[i].name);
        assert_true(hy_faults_is_any(&spec));
        assert_string_equal(hy_faults_preset(presets[i].name), presets[i].items);
    }
    const hy_faults_spec changed = parsed("gym-full-of-phones,loss=1%");
    assert_true(changed.to_robot.loss == 0.01 && changed.to_robot.jitter_us == 120000);
    assert_null(hy_faults_local_item(&changed));
    const hy_faults_spec stalls = parsed("wifi-stalls");
    assert_true(stalls.outage_count == 2 && stalls.outage[0].length_us > 500000); // a watchdog's time
    const hy_faults_spec no_gaps = parsed("bad-wifi,outage=none");
    assert_true(no_gaps.outage_count == 0 && no_gaps.to_robot.loss == 0.02);
    assert_null(hy_faults_local_item(&no_gaps));
    const hy_faults_spec full =
        parsed("outage=1s+1s outage=2s+1s outage=3s+1s outage=4s+1s outage=5s+1s "
               "outage=6s+1s outage=7s+1s outage=8s+1s outage=none outage=9s+1s");
    assert_true(full.outage_count == 1 && full.outage[0].from_us == 9000000);
    const hy_faults_spec dying = parsed("dying-battery");
    assert_string_equal(hy_faults_local_item(&dying), "reboot");
    assert_null(hy_faults_preset("good-wifi"));
}

static void mistakes_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } mistakes[] = {
        { "los=5%", "'los=5%' is not a fault" },
        { "loss", "'loss' is not a fault" },
        { "loss=", "write it like loss=5%" },
        { "loss=101%", "write it like loss=5%" },
        { "loss=1.5", "write it like loss=5%" },
        { "loss=-1%", "write it like loss=5%" },
        { "loss=nan", "write it like loss=5%" },
        { "loss=0x1p-2", "write it like loss=5%" },
        { "loss=5%%", "write it like loss=5%" },
        { "delay=20", "write it like delay=20ms" },
        { "delay=2d", "write it like delay=20ms" },
        { "delay=86401s", "write it like delay=20ms" },
        { "burst=5%", "write it like burst=1%:8" },
        { "burst=5%:0.5", "write it like burst=1%:8" },
        { "rate=0B/s", "write it like rate=20kB/s" },
        { "rate=5", "write it like rate=20kB/s" },
        { "outage=5s", "write it like outage=5s+2s" },
        { "outage=nonesuch", "write it like outage=5s+2s" },
        { "outage=5s+2s/0s", "write it like outage=5s+2s" },
        { "clock=1s", "write it like clock=500ms@10s" },
        { "start=65536", "write it like start=65530" },
        { "seed=18446744073709551616", "write it like seed=7" },
        { "dead-encoder=8", "write it like dead-encoder=0" },
        { "slip=left", "write it like slip=1" },
        { "stuck=everything", "write it like stuck=gyro" },
        { "up.seed=1", "seed has no direction" },
        { "up.bad-wifi", "'up.bad-wifi' is not a fault" },
        { "loss=5% jitter", "'jitter' is not a fault" },
        { "reboot=1s reboot=1s reboot=1s reboot=1s reboot=1s reboot=1s reboot=1s reboot=1s "
          "reboot=1s",
          "there is room for 8 of reboot" },
        { "llllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll"
          "llllllllll",
          "too long" },
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        hy_faults_spec spec;
        hy_faults_error error;
        assert_int_equal(hy_faults_parse(mistakes[i].text, &spec, &error), HY_EFORMAT);
        if (strstr(error.text, mistakes[i].says) == NULL) {
            fail_msg("%s: %s", mistakes[i].text, error.text);
        }
        assert_false(hy_faults_is_any(&spec));
    }
}

#define TEST(name) cmocka_unit_test_setup(name, end_with_nothing)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_perfect_wire_changes_nothing),
        TEST(loss_is_as_often_as_asked),
        TEST(bursts_are_as_long_as_asked),
        TEST(jitter_delays_and_keeps_the_order),
        TEST(reordering_swaps_neighbours),
        TEST(what_nobody_overtakes_comes_after_a_tenth_of_a_second),
        TEST(duplicates_come_twice),
        TEST(damage_is_one_bit_or_a_shorter_datagram),
        TEST(a_slow_link_queues_and_then_loses),
        TEST(outages_lose_everything_and_come_again),
        TEST(a_stop_is_never_touched),
        TEST(too_many_and_too_long_are_counted),
        TEST(random_numbers_are_repeatable_and_apart),
        TEST(defects_of_a_robot),
        TEST(items_are_read),
        TEST(presets_are_read_and_can_be_changed),
        TEST(mistakes_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
