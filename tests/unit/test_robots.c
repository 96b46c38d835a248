// The table of robot types: what programs take for granted about every row.
#include <halyard/board.h>
#include <halyard/robots.h>
#include <halyard/wire.h>
#include <string.h>

#include "cmocka_all.h"

static void types_are_found_by_name_dialect_board_and_devices(void **state)
{
    (void)state;
    const hy_robot_type *type;
    size_t count = 0;
    for (; (type = hy_robot_type_at(count)) != NULL; count++) {
        assert_ptr_equal(hy_robot_type_find(type->name), type);
        assert_ptr_equal(hy_robot_type_of_dialect(type->dialect), type);
        if (type->devices != NULL) {
            assert_ptr_equal(hy_robot_type_of_devices(type->devices), type);
        }
        for (size_t i = 0; i < type->variant_count; i++) {
            const hy_robot_variant *variant = NULL;
            assert_ptr_equal(hy_robot_type_of_board(type->variants[i].board, &variant), type);
            assert_ptr_equal(variant, &type->variants[i]);
            assert_ptr_equal(hy_robot_variant_find(type, variant->name), variant);
        }
        assert_null(hy_robot_variant_find(type, "gamma"));
    }
    assert_true(count >= 2);
    assert_null(hy_robot_type_at(count + 1));
    static const char *const others[] = { "", "x", "xrpp", "XRP", "tee" };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_null(hy_robot_type_find(others[i]));
    }
}

static void rows_are_whole(void **state)
{
    (void)state;
    const hy_robot_type *type;
    for (size_t i = 0; (type = hy_robot_type_at(i)) != NULL; i++) {
        assert_true(strlen(type->name) <= 15); // the scheme of a URL
        assert_string_equal(type->dialect->name, type->name);
        assert_non_null(type->title);
        assert_non_null(type->world);
        assert_true(type->variant_count >= 1);
        for (size_t k = 0; k < type->variant_count; k++) {
            const hy_board_kind *const board = type->variants[k].board;
            assert_ptr_equal(board->dialect, type->dialect);
            assert_non_null(board->move);
            assert_true(board->status_period_us > 0);
            assert_true(board->state_size <= HY_BOARD_STATE_MAX);
            assert_non_null(type->variants[k].vehicle);
        }
        if (type->wheels != NULL) {
            assert_true(type->wheels->left_motor < type->dialect->motors);
            assert_true(type->wheels->right_motor < type->dialect->motors);
            assert_true(type->wheels->left_encoder < type->dialect->encoders);
            assert_true(type->wheels->right_encoder < type->dialect->encoders);
        }
    }
}

static void the_robots_of_the_field_are_there(void **state)
{
    (void)state;
    const hy_robot_type *const xrp = hy_robot_type_find("xrp");
    assert_ptr_equal(xrp->dialect, &hy_dialect_xrp);
    assert_ptr_equal(xrp->variants[0].board, &hy_board_xrp);
    assert_ptr_equal(hy_robot_variant_find(xrp, "beta")->board, &hy_board_xrp_beta);
    assert_int_equal(hy_robot_status_period_us(xrp), 50000);
    const hy_robot_type *const teensy = hy_robot_type_find("teensy");
    assert_ptr_equal(teensy->dialect, &hy_dialect_teensy);
    assert_null(hy_robot_variant_find(teensy, "beta"));
    assert_int_equal(hy_robot_status_period_us(teensy), 20000);
    assert_null(hy_robot_type_of_dialect(NULL));
    assert_null(hy_robot_type_of_board(NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_found_by_name_dialect_board_and_devices),
        cmocka_unit_test(rows_are_whole),
        cmocka_unit_test(the_robots_of_the_field_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
