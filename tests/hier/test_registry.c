/* The registry: rows are consistent, choices have names, and wrong names have complaints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "hier/choice.h"
#include "hier/registry.h"
#include "tests/algorithms.h"
#include "tests/assert_cmp.h"

static int algorithm_count(void)
{
    int count = 0;
    while (strata_registry_at(count)) {
        count++;
    }
    return count;
}

static void check_parameter(const struct strata_parameter *p)
{
    ASSERT_CMP(strlen(p->name), >, 0);
    assert_true(!strpbrk(p->name, ":=, "));
    assert_non_null(p->meaning);
    int most = strata_parameter_most(p);
    ASSERT_CMP(p->least, >=, 1);
    ASSERT_CMP(p->least, <=, most); /* 0 stands for "automatic" */
    assert_true(p->automatic == 0 || (p->automatic >= p->least && p->automatic <= most));
    assert_true(p->automatic != 0 || algorithm_choices(p) > 0);
    for (int i = 0; i < algorithm_choices(p); i++) {
        ASSERT_IN_RANGE(strata_parameter_choice(p, i), p->least, most);
    }
    for (int value = p->least; strata_parameter_word(p, p->least) && value <= most; value++) {
        const char *word = strata_parameter_word(p, value);
        assert_true(word);
        ASSERT_CMP(strlen(word), >, 0);
        assert_true(!strpbrk(word, ":=, "));
    }
    assert_null(strata_parameter_word(p, most + 1));
    assert_null(strata_parameter_word(p, 0));
}

static void test_algorithms(void **state)
{
    (void)state;
    const struct strata_algorithm *algorithm;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        ASSERT_CMP(strlen(algorithm->name), >, 0);
        assert_true(!strpbrk(algorithm->name, ":=, "));
        /* so names are unique */
        assert_ptr_equal(strata_registry_find(algorithm->name), algorithm);
        ASSERT_CMP(algorithm->collectives, !=, 0);
        ASSERT_CMP(algorithm->collectives, <, 1u << STRATA_COLLECTIVE_COUNT);
        assert_true(algorithm->summary);
        assert_true(algorithm->paper);
        assert_true(algorithm->restrictions);
        assert_true(algorithm->applicable);
        assert_true(algorithm->cost || algorithm->formula);
        assert_true(algorithm->build);
        assert_true(algorithm->formula || algorithm->level != STRATA_FLAT ||
                    !algorithm_serves(algorithm, STRATA_ALLGATHER)); /* node_allgather uses it */
        for (int p = 0; p < STRATA_PARAMETERS && algorithm->parameters[p].name; p++) {
            check_parameter(&algorithm->parameters[p]);
        }
    }
    assert_null(strata_registry_find("auto"));
    assert_null(strata_registry_find(""));
    assert_null(strata_registry_at(-1));
    assert_null(strata_registry_at(algorithm_count() + 5));
    assert_non_null(strata_registry_find("sloav"));
    assert_non_null(strata_registry_find("pairwise"));
    assert_non_null(strata_registry_find("leaders"));
    assert_int_equal(strata_registry_find("native")->level, STRATA_MPI);
}

static struct strata_choice parsed_for(enum strata_collective collective, const char *text)
{
    struct strata_choice choice;
    struct strata_diagnostic message = {""};
    if (strata_choice_parse(text, collective, &choice, &message) != STRATA_OK) {
        fail_msg("\"%s\": %s", text, message.text);
    }
    return choice;
}

static struct strata_choice parsed(const char *text)
{
    return parsed_for(STRATA_ALLTOALLV, text);
}

static void test_choices(void **state)
{
    (void)state;
    assert_null(parsed("auto").algorithm);
    assert_string_equal(parsed("native").algorithm->name, "native");
    struct strata_choice c = parsed("leaders:leaders=4,radix=3");
    assert_string_equal(c.algorithm->name, "leaders");
    assert_int_equal(c.parameter[0], 4);
    assert_int_equal(c.parameter[1], 3);
    assert_int_equal(c.parameter[2], c.algorithm->parameters[2].automatic);
    c = parsed("leaders:radix=1024,leaders=65536");
    assert_int_equal(c.parameter[0], 65536);
    assert_int_equal(c.parameter[1], 1024);
    c = parsed("sloav:radix=2,radix=5"); /* the last one counts */
    assert_int_equal(c.parameter[0], 5);
    assert_int_equal(parsed("sloav").parameter[0], 0);
}

static enum strata_collective first_collective(const struct strata_algorithm *algorithm)
{
    int collective = 0;
    while (!algorithm_serves(algorithm, (enum strata_collective)collective)) {
        collective++;
    }
    return (enum strata_collective)collective;
}

/* A parameter whose values have names is written with the names. */
static void test_words(void **state)
{
    (void)state;
    struct strata_diagnostic message = {""};
    struct strata_choice c = parsed_for(STRATA_ALLGATHER, "node_allgather:between=ring,leaders=2");
    assert_int_equal(c.parameter[0], 2);
    assert_string_equal(strata_parameter_word(&c.algorithm->parameters[1], c.parameter[1]), "ring");
    assert_int_equal(
        strata_choice_parse("node_allgather:between=rin", STRATA_ALLGATHER, &c, &message),
        STRATA_ERR_SYNTAX);
    assert_non_null(strstr(message.text, "\"between=rin\": allowed is between=bruck, ring, "));
    assert_int_equal(strata_choice_parse("node_allgather:between", STRATA_ALLGATHER, &c, &message),
                     STRATA_ERR_SYNTAX);
    assert_non_null(strstr(message.text, "\"between\": allowed is between=bruck"));
}

/* strata_choice_parse reads the text of strata_algorithm_name back. */
static void test_names(void **state)
{
    (void)state;
    const struct strata_algorithm *algorithm;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        int value[STRATA_PARAMETERS] = {0};
        char text[96];
        for (int p = 0; p < STRATA_PARAMETERS && algorithm->parameters[p].name; p++) {
            int most = strata_parameter_most(&algorithm->parameters[p]) - p;
            value[p] =
                most < algorithm->parameters[p].least ? algorithm->parameters[p].least : most;
        }
        strata_algorithm_name(algorithm, value, text, sizeof text);
        struct strata_choice choice = parsed_for(first_collective(algorithm), text);
        assert_ptr_equal(choice.algorithm, algorithm);
        assert_memory_equal(choice.parameter, value, sizeof value);
    }
    char text[96], shorter[8];
    const int some[STRATA_PARAMETERS] = {0, 2, 0};
    algorithm = strata_registry_find("leaders");
    strata_algorithm_name(algorithm, some, text, sizeof text);
    assert_string_equal(text, "leaders:radix=2");
    strata_algorithm_name(algorithm, some, shorter, sizeof shorter);
    assert_string_equal(shorter, "leaders");
}

static void test_complaints(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said[3];
    } bad[] = {
        {"", {"\"\" is no algorithm of alltoallv; there are: auto, ", "sloav", "leaders"}},
        {"leader", {"\"leader\" is no algorithm of alltoallv", "leaders"}},
        {"leaderss:radix=2", {"\"leaderss\" is no algorithm"}},
        {"Native", {"\"Native\" is no algorithm"}},
        {"auto:radix=2", {"auto takes no parameters"}},
        {"leaders:", {"leaders has no parameter \"\"", "leaders, radix, tree"}},
        {"leaders:radx=2", {"leaders has no parameter \"radx\"", "leaders, radix, tree"}},
        {"native:radix=2", {"native has no parameter \"radix\"", "it has: none"}},
        {"sloav:radix", {"\"radix\": allowed is radix=NUMBER from 2 to 1024", "base of the"}},
        {"sloav:radix=", {"\"radix=\": allowed"}},
        {"sloav:radix=1", {"\"radix=1\": allowed is radix=NUMBER from 2 to 1024"}},
        {"sloav:radix=1025", {"\"radix=1025\": allowed"}},
        {"sloav:radix=-2", {"\"radix=-2\": allowed"}},
        {"sloav:radix=2x", {"\"radix=2x\": allowed"}},
        {"sloav:radix=0", {"\"radix=0\": allowed"}},
        {"sloav:radix=99999999999999999999999", {"allowed is"}},
        {"sloav:radix=2,", {"sloav has no parameter \"\""}},
        {"sloav:radix=2:radix=3", {"allowed is"}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct strata_choice choice = {.parameter = {7}};
        struct strata_diagnostic message = {""};
        assert_int_equal(strata_choice_parse(bad[i].text, STRATA_ALLTOALLV, &choice, &message),
                         STRATA_ERR_SYNTAX);
        assert_int_equal(choice.parameter[0], 7);
        for (int j = 0; j < 3 && bad[i].said[j]; j++) {
            if (!strstr(message.text, bad[i].said[j])) {
                fail_msg("\"%s\": said %s", bad[i].text, message.text);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_algorithms), cmocka_unit_test(test_choices),
        cmocka_unit_test(test_words),      cmocka_unit_test(test_names),
        cmocka_unit_test(test_complaints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
