// Where commands go while it is not known which address of the robot's is the one.
#include "cmocka_all.h"

#include "../../src/halsim/target.h"

static const hy_endpoint ipv4 = { .ip = { [10] = 0xff, [11] = 0xff, 10, 0, 0, 1 }, .port = 3540 };
static const hy_endpoint ipv6 = { .ip = { [15] = 1 }, .port = 3540 };
static const hy_endpoint moved = { .ip = { [10] = 0xff, [11] = 0xff, 10, 0, 0, 2 }, .port = 3540 };

static size_t places(const hy_target *target)
{
    const hy_endpoint *addresses;
    return hy_target_addresses(target, &addresses);
}

static void zero_is_nowhere(void **state)
{
    (void)state;
    hy_target target = { .count = 0 };
    assert_int_equal(places(&target), 0);
    assert_false(hy_target_knows(&target, &ipv4));
    assert_false(hy_target_watch(&target, HY_TARGET_SILENCE_US));
}

static void goes_to_all_until_one_answers(void **state)
{
    (void)state;
    hy_target target = { .count = 0 };
    hy_target_set(&target, (hy_endpoint[]){ ipv4, ipv6 }, 2);
    assert_int_equal(places(&target), 2);
    assert_true(hy_target_knows(&target, &ipv4));
    assert_true(hy_target_knows(&target, &ipv6));

    assert_true(hy_target_hear(&target, &ipv6, 0));
    assert_false(hy_target_hear(&target, &ipv6, 1));
    assert_int_equal(places(&target), 1);
    assert_false(hy_target_knows(&target, &ipv4));
}

static void a_robot_that_answers_stays(void **state)
{
    (void)state;
    hy_target target = { .count = 0 };
    hy_target_set(&target, &ipv4, 1);
    hy_target_hear(&target, &ipv4, 0);
    hy_target_set(&target, &moved, 1);
    assert_true(hy_target_knows(&target, &ipv4));
    assert_false(hy_target_knows(&target, &moved));
}

static void silence_opens_all_ways_again(void **state)
{
    (void)state;
    hy_target target = { .count = 0 };
    hy_target_set(&target, &ipv4, 1);
    hy_target_hear(&target, &ipv4, 0);
    hy_target_set(&target, &moved, 1);
    assert_false(hy_target_watch(&target, HY_TARGET_SILENCE_US - 1));
    assert_true(hy_target_watch(&target, HY_TARGET_SILENCE_US));
    assert_false(hy_target_watch(&target, HY_TARGET_SILENCE_US)); // said once
    assert_true(hy_target_knows(&target, &moved));
    assert_false(hy_target_knows(&target, &ipv4));
    assert_true(hy_target_hear(&target, &moved, HY_TARGET_SILENCE_US + 1));
}

static void more_addresses_than_room(void **state)
{
    (void)state;
    hy_target target = { .count = 0 };
    const hy_endpoint many[HY_TARGET_ADDRESSES + 2] = { { .port = 1 } };
    hy_target_set(&target, many, HY_TARGET_ADDRESSES + 2);
    assert_int_equal(places(&target), HY_TARGET_ADDRESSES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_is_nowhere),
        cmocka_unit_test(goes_to_all_until_one_answers),
        cmocka_unit_test(a_robot_that_answers_stays),
        cmocka_unit_test(silence_opens_all_ways_again),
        cmocka_unit_test(more_addresses_than_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
