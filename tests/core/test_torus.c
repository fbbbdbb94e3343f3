/* Shapes of tori: the grammar and its complaints, and balanced shapes against an exhaustive
 * search. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/topology/torus.h"

static void assert_shape(const char *text, int ranks, int ndims, const int *size, bool mesh)
{
    struct strata_torus torus;
    struct strata_diagnostic message = {""};
    if (strata_torus_parse(text, ranks, &torus, &message) != STRATA_OK) {
        fail_msg("\"%s\": %s", text, message.text);
    }
    assert_int_equal(torus.ndims, ndims);
    assert_int_equal(torus.mesh, mesh);
    for (int axis = 0; axis < ndims; axis++) {
        assert_int_equal(torus.size[axis], size[axis]);
    }
}

static void shapes_are_read(void **state)
{
    (void)state;
    assert_shape("8x8x8", 512, 3, (const int[]){8, 8, 8}, false);
    assert_shape("4x3:mesh", 12, 2, (const int[]){4, 3}, true);
    assert_shape("7", 7, 1, (const int[]){7}, false);
    assert_shape("1x1x5x1", 5, 4, (const int[]){1, 1, 5, 1}, false);
    assert_shape("2147483647:mesh", 2147483647, 1, (const int[]){2147483647}, true);
}

/* Requires that the message has the text and its mistake, and that the shape stays as before. */
static void assert_refused(const char *text, int ranks, const char *what)
{
    struct strata_torus torus = {.ndims = -7};
    struct strata_diagnostic message = {""};
    assert_int_equal(strata_torus_parse(text, ranks, &torus, &message), STRATA_ERR_SYNTAX);
    assert_int_equal(torus.ndims, -7);
    if (!strstr(message.text, text) || !strstr(message.text, what) ||
        !strstr(message.text, "allowed: ")) {
        fail_msg("\"%s\": said \"%s\", expected \"%s\"", text, message.text, what);
    }
    assert_int_equal(strata_torus_parse(text, ranks, &torus, NULL), STRATA_ERR_SYNTAX);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    assert_refused("", 1, "must be a number");
    assert_refused("x", 1, "must be a number");
    assert_refused("0x4", 0, "must be a number");
    assert_refused("4x", 4, "must be a number");
    assert_refused("-4", 4, "must be a number");
    assert_refused("2147483648", 1, "must be a number");
    assert_refused("4x3mesh", 12, "something follows");
    assert_refused("4x3:torus", 12, "something follows");
    assert_refused("4 x3", 12, "something follows");
    assert_refused("2x2x2x2x2", 32, "too many sizes");
    assert_refused("4x3", 13, "not a shape of 13 ranks");
    assert_refused("65536x65536x65536x65536", 1, "not a shape of 1 ranks");
    assert_refused("2147483647x2147483647", 1, "not a shape of 1 ranks");
}

/* Tries all shapes of so many axes in falling order. Keeps the shape whose sizes, compared from the
 * longest on, are smallest. */
static void search(int ranks, int axis, int ndims, int *size, int *best)
{
    if (axis == ndims) {
        for (int i = 0; ranks == 1 && i < ndims; i++) {
            if (size[i] != best[i]) {
                if (size[i] < best[i]) {
                    memcpy(best, size, (size_t)ndims * sizeof *best);
                }
                return;
            }
        }
        return;
    }
    for (int length = 1; length <= ranks && (axis == 0 || length <= size[axis - 1]); length++) {
        if (ranks % length == 0) {
            size[axis] = length;
            search(ranks / length, axis + 1, ndims, size, best);
        }
    }
}

static void balanced_shapes_have_the_shortest_axes(void **state)
{
    (void)state;
    for (int ndims = 1; ndims <= STRATA_TORUS_DIMS; ndims++) {
        for (int ranks = 1; ranks <= 600; ranks++) {
            int size[STRATA_TORUS_DIMS], best[STRATA_TORUS_DIMS] = {INT32_MAX};
            struct strata_torus torus = strata_torus_balanced(ranks, ndims);
            search(ranks, 0, ndims, size, best);
            assert_int_equal(torus.ndims, ndims);
            assert_false(torus.mesh);
            assert_memory_equal(torus.size, best, (size_t)ndims * sizeof *best);
        }
    }
}

static void assert_balanced(int ranks, int ndims, const int *size)
{
    struct strata_torus torus = strata_torus_balanced(ranks, ndims);
    assert_memory_equal(torus.size, size, (size_t)ndims * sizeof *size);
}

static void balanced_shapes_of_many_ranks(void **state)
{
    (void)state;
    assert_balanced(512, 3, (const int[]){8, 8, 8});
    assert_balanced(1000003, 4, (const int[]){1000003, 1, 1, 1});
    assert_balanced(1000000, 3, (const int[]){100, 100, 100});
    assert_balanced(1 << 30, 4, (const int[]){256, 256, 128, 128});
    assert_balanced(INT32_MAX, 2, (const int[]){INT32_MAX, 1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_read),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(balanced_shapes_have_the_shortest_axes),
        cmocka_unit_test(balanced_shapes_of_many_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
