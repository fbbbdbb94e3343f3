/* Bine trees: for any number of ranks a tree in rows, for powers of two the tree in base -2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "internode/butterfly/bine_tree.h"

static int up_from(int rank, int by, int ranks)
{
    return (int)(((int64_t)rank + by + ranks) % ranks);
}

/* Parent and children describe the same edges. A subtree is the rank and its children's subtrees,
 * in a row. */
static void require_node(int ranks, int root, int rank)
{
    struct strata_bine_node node = strata_bine_tree(ranks, root, rank);
    int count = 1, least = up_from(rank, -node.self.first, ranks), most = least;
    assert_int_equal(node.self.rank, rank);
    assert_int_equal(node.parent < 0, rank == root);
    for (int i = 0; i < node.children; i++) {
        const struct strata_bine_subtree *child = &node.child[i];
        struct strata_bine_node below = strata_bine_tree(ranks, root, child->rank);
        assert_int_equal(below.parent, rank);
        assert_int_equal(below.self.first, child->first);
        assert_int_equal(below.self.count, child->count);
        assert_true(i == 0 || child->count <= child[-1].count);
        int first = up_from(child->first, -node.self.first, ranks);
        least = first < least ? first : least;
        most = first + child->count - 1 > most ? first + child->count - 1 : most;
        count += child->count;
    }
    assert_int_equal(count, node.self.count);
    assert_int_equal(least, 0);
    assert_int_equal(most, node.self.count - 1);
}

static void test_trees(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 200; ranks++) {
        for (int root = 0; root < ranks; root += ranks / 3 + 1) {
            int deepest = 0;
            for (int rank = 0; rank < ranks; rank++) {
                int depth = 0;
                require_node(ranks, root, rank);
                for (int r = rank; r != root; depth++) {
                    r = strata_bine_tree(ranks, root, r).parent;
                }
                deepest = depth > deepest ? depth : deepest;
            }
            assert_int_equal(deepest, strata_bine_depth(ranks));
            assert_int_equal(strata_bine_tree(ranks, root, root).children,
                             strata_bine_children(ranks));
        }
    }
}

/* The digits in base -2, and back. */
static unsigned digits_of(int value)
{
    return (0xAAAAAAAAu + (unsigned)value) ^ 0xAAAAAAAAu;
}

static int value_of(unsigned digits)
{
    int value = 0;
    for (int i = 0, weight = 1; i < 20; i++, weight *= -2) {
        value += digits >> i & 1 ? weight : 0;
    }
    return value;
}

/* As in the paper, a rank's parent differs from it in all of the equal last digits. */
static void test_powers_of_two(void **state)
{
    (void)state;
    for (int ranks = 2, steps = 1; ranks <= 1024; ranks *= 2, steps++) {
        for (int rank = 1; rank < ranks; rank++) {
            unsigned digits = digits_of(rank) & ((unsigned)ranks - 1);
            int equal = 1;
            while (equal < steps && (digits >> equal & 1) == (digits & 1)) {
                equal++;
            }
            int parent = value_of(digits ^ ((1u << equal) - 1));
            assert_int_equal(strata_bine_tree(ranks, 0, rank).parent,
                             up_from(parent % ranks, 0, ranks));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_powers_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
