/* Every method of splitting gives the groups and the order of MPI_Comm_split, for all kinds of
 * colours and keys, random sizes up to 300 ranks, any order of events, eager and rendezvous
 * messages. STRATA_TEST_ALL runs every size from 1 to 300, thousands of cases.
 *
 * sanitized long: STRATA_TEST_LONG=1
 * timeout: 1800 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "internode/split/methods.h"
#include "tests/assert_cmp.h"
#include "tests/internode/splits.h"
#include "tests/long.h"

enum { MOST = 300 };

static void check(struct split_case *c, const struct strata_split_method *method, int items)
{
    struct strata_diagnostic message = {""};
    c->method = method;
    c->items = items;
    int status = split_case_run(c, &message);
    int wrong = status ? -1 : split_case_wrong(c);
    if (status || wrong >= 0) {
        fail_msg(
            "%s (items %d), colours \"%s\", keys \"%s\", %d ranks, seed %llu: %s; rank %d: status "
            "%d, place %d of %d (%d, %d), right is %d of %d (%d, %d)",
            method ? method->name : "auto", items, c->kinds[0], c->kinds[1], c->ranks,
            (unsigned long long)c->seed, message.text, wrong, wrong < 0 ? 0 : c->status[wrong],
            wrong < 0 ? 0 : c->groups[wrong].rank, wrong < 0 ? 0 : c->groups[wrong].size,
            wrong < 0 ? 0 : c->groups[wrong].left, wrong < 0 ? 0 : c->groups[wrong].right,
            wrong < 0 ? 0 : c->right[wrong].rank, wrong < 0 ? 0 : c->right[wrong].size,
            wrong < 0 ? 0 : c->right[wrong].left, wrong < 0 ? 0 : c->right[wrong].right);
    }
}

static void check_all_methods(int ranks, int kind, int key_kind, uint64_t seed)
{
    struct split_case c;
    split_case_init(&c, ranks, kind, key_kind, seed);
    split_case_solve(&c);
    check(&c, NULL, 0);
    for (int i = 0; strata_split_method_at(i); i++) {
        const struct strata_split_method *method = strata_split_method_at(i);
        if (split_case_applies(&c, method)) {
            check(&c, method, method == &strata_split_cheng ? 1 << seed % 6 : 0);
        }
    }
    split_case_fini(&c);
}

static void test_all_kinds(void **state)
{
    static const int sizes[] = {1, 2, 3, 7, 18};
    uint64_t seed = 1;
    (void)state;
    for (int kind = 0; kind < SPLIT_KINDS; kind++) {
        for (int key = 0; key < SPLIT_KEY_KINDS; key++) {
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                check_all_methods(sizes[i], kind, key, seed++);
            }
            if ((kind + key) % 4 == 0) {
                check_all_methods(64 + key, kind, key, seed++); /* hash64 has two ways */
            }
        }
    }
}

static void test_sizes(void **state)
{
    int all = getenv("STRATA_TEST_ALL") != NULL;
    int step = LONG_SANITIZED && !long_form() ? 40 : 10;
    struct random r = {20110918};
    (void)state;
    for (int ranks = 1; ranks <= MOST; ranks += all ? 1 : random_between(&r, step, 4 * step)) {
        for (int i = 0; i < (all ? 20 : 1); i++) {
            check_all_methods(ranks, random_below(&r, SPLIT_KINDS),
                              random_below(&r, SPLIT_KEY_KINDS), random_next(&r) >> 1 | 1);
        }
    }
}

/* The method that is chosen where the caller names none. */
static void test_choice(void **state)
{
    const uint64_t all = UINT64_MAX, word = UINT32_MAX;
    const struct {
        struct strata_split_shape shape;
        const struct strata_split_method *method;
    } cases[] = {
        {{.ranks = 64, .key = true}, &strata_split_allgather_group},
        {{.ranks = 65, .key = true}, &strata_split_bitonic},
        {{.ranks = 65, .colour = true}, &strata_split_bitonic}, /* colours that cannot be hashed */
        {{.ranks = 65, .colour = true, .hash = true}, &strata_split_hash},
        {{.ranks = 65, .colour = true, .hash = true, .key = true}, &strata_split_bitonic},
        {{.ranks = 24, .integers = true, .key_bits = 1}, &strata_split_allgather_group},
        {{.ranks = 25, .integers = true, .key = true, .key_bits = word}, &strata_split_radix},
        {{.ranks = 99, .integers = true, .key = true, .key_bits = all}, &strata_split_bitonic},
        {{.ranks = 99, .integers = true, .key = true, .key_bits = word << 32 | 1},
         &strata_split_bitonic},
        {{.ranks = 99, .integers = true, .key_bits = 0xf0f0, .colour_bits = 0x80f00000},
         &strata_split_radix},
        {{.ranks = 99, .integers = true, .hash = true, .colour = true, .colour_bits = all},
         &strata_split_hash},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ptr_equal(strata_split_choose(&cases[i].shape), cases[i].method);
    }
}

/* The paper's rounds and memory for given colours and keys. The rest is the agreement's. */
struct claim {
    const struct strata_split_method *method;
    int kind, key_kind;
};

static int depth(int ranks)
{
    int levels = 0;
    while (1 << levels < ranks) {
        levels++;
    }
    return levels;
}

static void measure(const struct claim *claim, int ranks, uint64_t *rounds, size_t *memory)
{
    struct split_case c;
    split_case_init(&c, ranks, claim->kind, claim->key_kind, 3);
    split_case_solve(&c);
    check(&c, claim->method, 0);
    *rounds = *memory = 0;
    for (int i = 0; i < ranks; i++) {
        *rounds = c.usage[i].rounds > *rounds ? c.usage[i].rounds : *rounds;
        *memory = c.usage[i].peak > *memory ? c.usage[i].peak : *memory;
        assert_int_equal(c.usage[i].memory, 0);
    }
    split_case_fini(&c);
}

static void test_claims(void **state)
{
    static const struct claim bitonic = {&strata_split_bitonic, 3, 1};
    static const struct claim constant[] = {{&strata_split_hash, 0, 0},
                                            {&strata_split_radix, 0, 1}};
    static const struct claim serial = {&strata_split_allgather_group, 3, 0};
    static const struct claim tree = {&strata_split_gather_scatter, 3, 0};
    uint64_t rounds;
    size_t memory, least[2] = {0, 0};
    int most = LONG_SANITIZED && !long_form() ? 256 : 2048;
    (void)state;
    for (int ranks = 16; ranks <= most; ranks *= 2) {
        const uint64_t levels = (uint64_t)depth(ranks);
        measure(&bitonic, ranks, &rounds, &memory);
        assert_int_equal(rounds, levels + levels * (levels + 1) / 2 + 2 * levels + 2);
        assert_int_equal(memory, 3 * 48 + 8 * levels); /* an item is 32 bytes */
        for (int i = 0; i < 2; i++) {
            measure(&constant[i], ranks, &rounds, &memory);
            least[i] = least[i] ? least[i] : memory;
            assert_int_equal(memory, least[i]);
            ASSERT_CMP(rounds, <=, (i == 0 ? 9 : 1 + 16 + 4) * levels);
        }
        if (ranks <= 256) {
            measure(&serial, ranks, &rounds, &memory);
            assert_int_equal(rounds, levels * (memory > 2048 ? 3 : 2));
            measure(&tree, ranks, &rounds, &memory);
            assert_int_equal(rounds, levels + (memory > 2048 ? levels : 0) + 3 * levels + 2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_kinds),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_claims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
