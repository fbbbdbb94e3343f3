/* Calls over items are repeated with the lengths of the first call. Messages then hold only items,
 * and empty messages do not travel. Each byte of each buffer is checked both times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "tests/assert_cmp.h"
#include "tests/sim/trial.h"

enum { WORLDS = 500, GUARD = 0x7A7A7A7A };

static struct trial t;
static struct strata_kept_lengths kept[TRIAL_CALLS * TRIAL_RANKS];

/* The traffic of all ranks in a call. */
struct sum {
    uint64_t messages, bytes, copied;
};
static struct sum first[TRIAL_CALLS];

/* Repeated calls with lane messages; of these, calls with fewer messages; all repeated calls. */
static struct {
    int again, pruned, calls;
} seen;

static struct sum sum_of(int c)
{
    struct sum sum = {0, 0, 0};
    for (int rank = 0; rank < t.ranks; rank++) {
        const struct strata_traffic_count *count = &t.call[c * t.ranks + rank].count;
        sum.messages += count->messages + count->messages_node;
        sum.bytes += count->bytes + count->bytes_node;
        sum.copied += count->copied;
    }
    return sum;
}

static bool keeps(int c)
{
    return strata_keeps_lengths(t.plan[c][0], t.capacity.check);
}

/* Makes room for as many lengths as there may be, and a guard behind. */
static void make_room(void)
{
    for (int i = 0; i < t.ncalls * t.ranks; i++) {
        const struct strata_plan *plan = t.plan[i / t.ranks][i % t.ranks];
        size_t words = keeps(i / t.ranks) ? strata_kept_words(plan) : 0;
        kept[i] =
            (struct strata_kept_lengths){.word = strata_allocate(words + 1, sizeof *kept[i].word)};
        assert_non_null(kept[i].word);
        kept[i].word[words] = GUARD;
    }
}

static void run(void)
{
    struct strata_diagnostic message = {""};
    for (int i = 0; i < t.ncalls * t.ranks; i++) {
        t.call[i].kept = keeps(i / t.ranks) ? &kept[i] : NULL;
    }
    int status = strata_virtual_run(t.world, t.call, t.ncalls, &message);
    if (status != STRATA_OK) {
        fail_msg("%s: %s: %s", trial_name(&t, 0), strata_error_text(status), message.text);
    }
    for (int c = 0; c < t.ncalls; c++) {
        if (exchange_wrong(t.exchange[c]) >= 0) {
            fail_msg("%s: rank %d has a wrong byte", trial_name(&t, c),
                     exchange_wrong(t.exchange[c]));
        }
    }
}

/* The copied data are the same, and the heads are gone. */
static void compare(int c)
{
    struct sum again = sum_of(c);
    bool shorter = again.messages <= first[c].messages && again.bytes < first[c].bytes;
    if (again.copied != first[c].copied || (keeps(c) ? !shorter : again.bytes != first[c].bytes)) {
        fail_msg("%s: %llu messages of %llu bytes after %llu of %llu", trial_name(&t, c),
                 (unsigned long long)again.messages, (unsigned long long)again.bytes,
                 (unsigned long long)first[c].messages, (unsigned long long)first[c].bytes);
    }
    seen.calls++;
    seen.again += keeps(c);
    seen.pruned += again.messages < first[c].messages;
}

static void run_twice(uint64_t seed)
{
    trial_init(&t, seed, TRIAL_CALLS);
    make_room();
    run();
    for (int c = 0; c < t.ncalls; c++) {
        first[c] = sum_of(c);
    }
    trial_fini(&t);

    trial_init(&t, seed, TRIAL_CALLS); /* the same, with new buffers */
    for (int i = 0; i < t.ncalls * t.ranks; i++) {
        kept[i].known = true;
    }
    run();
    for (int c = 0; c < t.ncalls; c++) {
        compare(c);
    }
    for (int i = 0; i < t.ncalls * t.ranks; i++) {
        const struct strata_plan *plan = t.plan[i / t.ranks][i % t.ranks];
        size_t words = keeps(i / t.ranks) ? strata_kept_words(plan) : 0;
        assert_int_equal(kept[i].word[words], GUARD);
        strata_release(kept[i].word);
    }
    trial_fini(&t);
}

static void calls_again_send_no_lengths(void **state)
{
    (void)state;
    for (uint64_t seed = 3000000; seed < 3000000 + WORLDS; seed++) {
        run_twice(seed);
    }
    printf("%d calls, %d with lengths made again, %d of them with fewer messages\n", seen.calls,
           seen.again, seen.pruned);
    ASSERT_CMP(seen.again, >, seen.calls / 10);
    ASSERT_CMP(seen.pruned, >, seen.again / 10);
    ASSERT_CMP(seen.pruned, <, seen.again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(calls_again_send_no_lengths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
