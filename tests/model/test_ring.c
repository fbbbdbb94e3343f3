/* The rules of the node's rings (docs/node-memory.md) hold in every interleaving that the model
 * explores. Each rule is needed: without it the model finds a fault.
 *
 * long: STRATA_TEST_LONG=1
 * timeout: 1200
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/assert_cmp.h"
#include "tests/long.h"
#include "tests/model/ring_explore.h"
#include "tests/model/ring_family.h"
#include "tests/model/ring_witnesses.h"

static struct ring_explorer explorer;

static const char *const fault_text[RING_FAULT_COUNT] = {
#define ROW(name, sentence) sentence,
    RING_FAULTS(ROW)
#undef ROW
};

/* --- Verdicts --- */

static const char *described(const struct ring_sequence *s)
{
    static char text[400];
    int used =
        snprintf(text, sizeof(text), "%d members, R = %d, F = %d, %d fail%s%s%s%s:", s->members,
                 s->depth, s->open, s->failures, s->everybody ? ", credit of all" : "",
                 s->hears ? ", and by hearing" : "", s->recent ? ", recent places first" : "",
                 s->together ? ", left together" : "");
    for (int c = 0; c < s->ncalls; c++) {
        const struct ring_call *call = &s->calls[c];
        used += snprintf(text + used, sizeof(text) - (size_t)used, " %s %d x %d",
                         ring_kind_name[call->kind], call->root, call->epochs);
    }
    return text;
}

static struct ring_result require_fault(const struct ring_sequence *sequence, enum ring_fault fault)
{
    struct ring_result result = ring_explore(&explorer, sequence);
    if (result.fault != fault) {
        fail_msg("%s: %s, and not %s", described(sequence), fault_text[result.fault],
                 fault_text[fault]);
    }
    return result;
}

/* --- Families --- */

struct sample {
    struct ring_family family;
    int every, long_every; /* explores one sequence of so many; both are primes */
};

/* The results of a sample. */
struct sum {
    long sequences, states, ends;
};

static void sum_up(struct sum *sum, const struct sample *sample, enum ring_rule without)
{
    long every = long_form() ? sample->long_every : sample->every * (LONG_SANITIZED ? 7 : 1);
    long first = sum->states;
    for (long i = 0; i < ring_family_size(&sample->family); i += every) {
        struct ring_sequence sequence;
        if (ring_family_at(&sample->family, i, &sequence)) {
            sequence.without = without;
            struct ring_result result = require_fault(&sequence, RING_FAULT_NONE);
            ASSERT_CMP(result.ends, >, 0);
            sum->sequences++;
            sum->states += result.states;
            sum->ends += result.ends;
        }
    }
    ASSERT_CMP(sum->states, >, first);
}

static void explore_samples(const char *what, const struct sample *samples, size_t count,
                            enum ring_rule without)
{
    struct sum sum = {0};
    for (size_t i = 0; i < count; i++) {
        sum_up(&sum, &samples[i], without);
    }
    printf("%s: %ld sequences, %ld states, %ld ends\n", what, sum.sequences, sum.states, sum.ends);
}

#define EXPLORE(what, samples, without)                                                            \
    explore_samples(what, samples, sizeof(samples) / sizeof((samples)[0]), without)

static const struct sample sound[] = {
    {{.members = 2, .depth = 1, .open = 1, .ncalls = 3}, 7, 1},
    {{.members = 2, .depth = 2, .open = 1, .ncalls = 3}, 7, 1},
    {{.members = 2, .depth = 4, .open = 1, .ncalls = 2}, 1, 1},
    {{.members = 3, .depth = 1, .open = 1, .ncalls = 2}, 1, 1},
    {{.members = 3, .depth = 1, .open = 1, .ncalls = 3}, 311, 37},
    {{.members = 3, .depth = 2, .open = 1, .ncalls = 3}, 311, 37},
    {{.members = 3, .depth = 3, .open = 1, .ncalls = 2}, 7, 1},
    {{.members = 3, .depth = 4, .open = 1, .ncalls = 2}, 13, 1},
    {{.members = 4, .depth = 1, .open = 1, .ncalls = 2}, 13, 1},
    {{.members = 4, .depth = 2, .open = 1, .ncalls = 2}, 13, 1},
    {{.members = 4, .depth = 4, .open = 1, .ncalls = 2}, 101, 101},
};

static const struct sample overlapping[] = {
    {{.members = 2, .depth = 2, .open = 2, .ncalls = 2}, 1, 1},
    {{.members = 2, .depth = 2, .open = 2, .ncalls = 3}, 101, 13},
    {{.members = 2, .depth = 3, .open = 2, .ncalls = 2}, 7, 1},
    {{.members = 2, .depth = 4, .open = 2, .ncalls = 2}, 7, 1},
    {{.members = 3, .depth = 2, .open = 2, .ncalls = 1}, 1, 1},
    {{.members = 3, .depth = 2, .open = 2, .ncalls = 2}, 101, 37},
    {{.members = 3, .depth = 4, .open = 2, .ncalls = 2}, 211, 211},
};

static const struct sample failing[] = {
    {{.members = 2, .depth = 1, .open = 1, .failures = 1, .ncalls = 2}, 5, 1},
    {{.members = 2, .depth = 2, .open = 1, .failures = 1, .ncalls = 2}, 7, 5},
    {{.members = 2, .depth = 2, .open = 1, .failures = 2, .ncalls = 2}, 13, 13},
    {{.members = 2, .depth = 2, .open = 2, .failures = 1, .ncalls = 2}, 101, 101},
    {{.members = 3, .depth = 1, .open = 1, .failures = 1, .ncalls = 2}, 37, 37},
    {{.members = 3, .depth = 2, .open = 1, .failures = 1, .ncalls = 2}, 101, 101},
    {{.members = 4, .depth = 1, .open = 1, .failures = 1, .ncalls = 1}, 7, 1},
};

static const struct sample asking_all[] = {
    {{.members = 2, .depth = 1, .open = 1, .ncalls = 3, .everybody = true}, 37, 1},
    {{.members = 3, .depth = 2, .open = 1, .ncalls = 2, .everybody = true}, 7, 1},
    {{.members = 3, .depth = 1, .open = 1, .ncalls = 3, .everybody = true}, 311, 37},
    {{.members = 4, .depth = 2, .open = 1, .ncalls = 2, .everybody = true}, 101, 101},
    {{.members = 2, .depth = 2, .open = 2, .ncalls = 2, .everybody = true}, 7, 1},
    {{.members = 2, .depth = 1, .open = 1, .failures = 1, .ncalls = 2, .everybody = true}, 7, 1},
    {{.members = 3, .depth = 1, .open = 1, .failures = 1, .ncalls = 2, .everybody = true}, 101, 13},
};

#define HEARING(members_, places_, together_, failures_, ncalls_)                                  \
    {                                                                                              \
        .members = members_, .depth = places_, .open = 1, .failures = failures_,                   \
        .ncalls = ncalls_, .everybody = true, .hears = true, .together = together_                 \
    }

static const struct sample hearing[] = {
    {HEARING(2, 1, 0, 0, 3), 37, 1},   {HEARING(3, 2, 0, 0, 2), 7, 1},
    {HEARING(3, 1, 0, 0, 3), 311, 37}, {HEARING(4, 2, 0, 0, 2), 211, 101},
    {HEARING(3, 1, 0, 1, 2), 101, 13}, {HEARING(3, 2, 2, 0, 2), 7, 1},
    {HEARING(3, 4, 4, 0, 2), 37, 7},   {HEARING(3, 2, 2, 1, 2), 307, 101},
};

static const struct sample looking_recent[] = {
    {{.members = 2, .depth = 4, .open = 1, .ncalls = 2, .recent = true}, 7, 1},
    {{.members = 3, .depth = 2, .open = 1, .ncalls = 2, .recent = true}, 7, 1},
    {{.members = 2, .depth = 2, .open = 2, .ncalls = 2, .recent = true}, 7, 1},
    {{.members = 3, .depth = 1, .open = 1, .failures = 1, .ncalls = 2, .recent = true}, 101, 13},
};

#define TOGETHER(members_, places_, together_, failures_, ncalls_)                                 \
    {                                                                                              \
        .members = members_, .depth = places_, .open = 1, .failures = failures_,                   \
        .ncalls = ncalls_, .everybody = true, .together = together_                                \
    }

static const struct sample leaving_together[] = {
    {TOGETHER(2, 1, 1, 0, 2), 1, 1},   {TOGETHER(2, 2, 2, 0, 2), 1, 1},
    {TOGETHER(2, 2, 2, 0, 3), 101, 7}, {TOGETHER(2, 4, 2, 0, 2), 3, 1},
    {TOGETHER(2, 4, 4, 0, 2), 3, 1},   {TOGETHER(3, 2, 2, 0, 2), 7, 1},
    {TOGETHER(3, 3, 2, 0, 2), 7, 1},   {TOGETHER(3, 4, 4, 0, 2), 37, 7},
    {TOGETHER(2, 2, 2, 1, 2), 13, 5},  {TOGETHER(2, 4, 4, 1, 2), 101, 37},
    {TOGETHER(3, 2, 2, 1, 1), 1, 1},   {TOGETHER(3, 2, 2, 1, 2), 211, 101},
};

static void rules_hold(void **state)
{
    (void)state;
    EXPLORE("one use open", sound, RING_ALL_RULES);
    EXPLORE("two uses open", overlapping, RING_ALL_RULES);
    EXPLORE("members that fail", failing, RING_ALL_RULES);
    EXPLORE("credit of all", asking_all, RING_ALL_RULES);
    EXPLORE("credit by hearing", hearing, RING_ALL_RULES);
    EXPLORE("recent places first", looking_recent, RING_ALL_RULES);
    EXPLORE("uses left together", leaving_together, RING_ALL_RULES);
}

/* Only a reader must state that it has left, as long as credit comes from declared readers. */
static void end_without_steps_is_for_credit_of_all(void **state)
{
    (void)state;
    EXPLORE("no END without steps", overlapping, RING_END_WITHOUT_STEPS);
}

/* --- Single sequences --- */

static struct ring_sequence one_call(int members, enum ring_kind kind)
{
    return (struct ring_sequence){.members = members,
                                  .depth = 1,
                                  .open = 1,
                                  .without = RING_ALL_RULES,
                                  .ncalls = 1,
                                  .calls = {{kind, 0, 1}}};
}

/* Counted by hand. One member ends or not. Two members that signal, await and end have 16 pairs,
 * except the four in which one is past an await of a tick that the other has not signalled. A root
 * writes and ends; each of two readers is before its await, behind it, or at its end. */
static void states_are_counted(void **state)
{
    (void)state;
    struct ring_sequence idle = one_call(4, RING_idle), barrier = one_call(2, RING_barrier);
    struct ring_sequence bcast = one_call(3, RING_bcast);
    assert_int_equal(require_fault(&idle, RING_FAULT_NONE).states, 16);
    assert_int_equal(require_fault(&barrier, RING_FAULT_NONE).states, 12);
    assert_int_equal(require_fault(&bcast, RING_FAULT_NONE).states, 10);
}

/* Two epochs may be open, but both have the same place. */
static void as_many_places_as_open_uses_are_needed(void **state)
{
    (void)state;
    struct ring_sequence sequence = one_call(2, RING_alltoall);
    sequence.open = 2;
    sequence.calls[0].epochs = 2;
    assert_int_not_equal(ring_explore(&explorer, &sequence).fault, RING_FAULT_NONE);
}

/* Counts the verdicts against and for. */
static void compare_steps(const struct ring_family *family, long verdicts[2])
{
    for (long i = 0; i < ring_family_size(family); i += LONG_SANITIZED ? 37 : 7) {
        struct ring_sequence sequence;
        for (int rule = 0; rule <= RING_ALL_RULES && ring_family_at(family, i, &sequence); rule++) {
            sequence.without = (enum ring_rule)rule;
            struct ring_result large = ring_explore(&explorer, &sequence);
            sequence.fine = true;
            struct ring_result fine = ring_explore(&explorer, &sequence);
            assert_int_equal(large.fault == RING_FAULT_NONE, fine.fault == RING_FAULT_NONE);
            assert_true(large.fault || (large.ends == fine.ends && large.states <= fine.states));
            verdicts[large.fault == RING_FAULT_NONE]++;
        }
    }
}

/* With a step for each operation there are more states, but the same ends and the same verdicts. */
static void larger_steps_lose_nothing(void **state)
{
    (void)state;
    static const struct ring_family families[] = {
        {.members = 2, .depth = 1, .open = 1, .ncalls = 2}, TOGETHER(2, 2, 2, 0, 2)};
    for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
        long verdicts[2] = {0, 0};
        compare_steps(&families[i], verdicts);
        ASSERT_CMP(verdicts[0], >, 0);
        ASSERT_CMP(verdicts[1], >, 0);
    }
}

static void every_rule_is_needed(void **state)
{
    (void)state;
    for (int rule = 0; rule < RING_RULE_COUNT; rule++) {
        struct ring_sequence sequence = ring_witnesses[rule].sequence;
        ASSERT_CMP(sequence.ncalls, >, 0);
        sequence.without = RING_ALL_RULES;
        long states = require_fault(&sequence, RING_FAULT_NONE).states;
        sequence.without = (enum ring_rule)rule;
        struct ring_result found = require_fault(&sequence, ring_witnesses[rule].fault);
        printf("%s: %s (state %ld, of %ld with it): %s\n", ring_rule_name[rule],
               fault_text[found.fault], found.states, states, described(&sequence));
    }
}

static int fini(void **state)
{
    (void)state;
    ring_explorer_fini(&explorer);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_counted),
        cmocka_unit_test(larger_steps_lose_nothing),
        cmocka_unit_test(as_many_places_as_open_uses_are_needed),
        cmocka_unit_test(every_rule_is_needed),
        cmocka_unit_test(end_without_steps_is_for_credit_of_all),
        cmocka_unit_test(rules_hold),
    };
    return cmocka_run_group_tests(tests, NULL, fini);
}
