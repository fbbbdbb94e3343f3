/* Tables of choices that were timed: what is read, what is said of damaged ones, which rows serve a
 * call, and where they may not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/cost/machine.h"
#include "hier/select.h"
#include "hier/tuned.h"
#include "tests/assert_cmp.h"
#include "tests/hier/instances.h"

#define HEAD "host = n1 n2\ndate = 2026-11-30\nmpi = Open MPI 4.1.4\ncommand = strata tune calls\n"
#define ROWS                                                                                       \
    "allreduce 4x16 1K = dpml:leaders=2 1.25e-05 1.5e-05 2e-05 # by hand\n"                        \
    "allreduce 4x16  64K=ring\n"                                                                   \
    "barrier 4x16 0 = auto 3e-6\n"                                                                 \
    "bcast 1x8 8 = native 1e-6 2e-6\n"                                                             \
    "alltoallv 4x16x2 1K uneven = sloav 1e-6 launches=3\n"                                         \
    "alltoallv 4x16x2 1K  sparse = linear launches=2\n"
static const char whole[] = "# a table\n" HEAD ROWS "end\n";

static void test_read(void **state)
{
    (void)state;
    struct strata_tuned t;
    struct strata_diagnostic message = {""};
    assert_int_equal(strata_tuned_parse(whole, strlen(whole), &t, &message), STRATA_OK);
    assert_string_equal(message.text, "");
    assert_int_equal(t.count, 6);
    assert_int_equal(t.row[0].collective, STRATA_ALLREDUCE);
    assert_int_equal(t.row[0].nodes, 4);
    assert_int_equal(t.row[0].ranks, 16);
    assert_int_equal(t.row[0].threads, 0);
    assert_int_equal(t.row[0].blocks, STRATA_EVEN);
    assert_int_equal(t.row[0].launches, 1);
    assert_true(t.row[0].bytes == 1024 && t.row[0].seconds == 1.25e-5 && t.row[0].native == 2e-5);
    assert_string_equal(t.row[0].choice.algorithm->name, "dpml");
    assert_int_equal(t.row[0].choice.parameter[0], 2);
    assert_true(t.row[1].bytes == 65536 && t.row[1].seconds == 0);
    assert_null(t.row[2].choice.algorithm);
    assert_true(strata_choice_native(&t.row[3].choice));
    assert_int_equal(t.row[4].threads, 2);
    assert_int_equal(t.row[4].blocks, STRATA_UNEVEN);
    assert_true(t.row[4].seconds == 1e-6 && t.row[4].native == 0 && t.row[4].launches == 3);
    assert_int_equal(t.row[5].blocks, STRATA_SPARSE);
    assert_true(t.row[5].seconds == 0 && t.row[5].launches == 2);
    for (int i = 0; i < t.count; i++) {
        assert_ptr_equal(strata_tuned_like(&t, &t.row[i]), &t.row[i]);
    }
    strata_tuned_free(&t);
    assert_null(t.row);
}

/* Lines 5 and later are rows. */
static const struct {
    const char *text, *said;
} damaged[] = {
    {"", "host is missing"},
    {HEAD, "end is missing"},
    {HEAD ROWS, "end is missing"},
    {HEAD ROWS "en", "line 11: \"en\" is no collective"},
    {HEAD ROWS "end = 1\n", "line 11: end has a value"},
    {HEAD ROWS "end\nend\n", "line 12: \"end\" stands behind end"},
    {HEAD ROWS "end\nbcast 1x8 64 = native\n", "line 12: \"bcast 1x8 64\" stands behind end"},
    {HEAD "host = n3\nend", "line 5: host stands there twice"},
    {"host =\n", "line 1: host has no value"},
    {"host = n1\ndate = 1\nmpi = m\nend\n", "command is missing"},
    {HEAD "alreduce 4x16 8 = ring\nend", "line 5: \"alreduce\" is no collective, nor host"},
    {HEAD "Allreduce 4x16 8 = ring\nend", "line 5: \"Allreduce\" is no collective"},
    {HEAD "= ring\nend", "line 5: \"\" is no collective"},
    {HEAD "allreduce = ring\nend", "line 5: \"allreduce\" is not a collective with NODESxRANKS"},
    {HEAD "allreduce 4x16 = ring\nend", "line 5: \"allreduce 4x16\" is not a collective with"},
    {HEAD "allreduce 8 = ring\nend", "line 5: \"allreduce 8\" is not a collective with"},
    {HEAD "allreduce 4x 8 = ring\nend", "line 5: \"allreduce 4x 8\" is not a collective with"},
    {HEAD "allreduce x4 8 = ring\nend", "line 5: \"allreduce x4 8\" is not a collective with"},
    {HEAD "allreduce 0x4 8 = ring\nend", "line 5: \"allreduce 0x4 8\" is not a collective with"},
    {HEAD "allreduce 4x0 8 = ring\nend", "line 5: \"allreduce 4x0 8\" is not a collective with"},
    {HEAD "allreduce -4x4 8 = ring\nend", "line 5: \"allreduce -4x4 8\" is not a collective"},
    {HEAD "allreduce 4x4 8.5 = ring\nend", "line 5: \"allreduce 4x4 8.5\" is not a collective"},
    {HEAD "allreduce 4x4 8 16 = ring\nend",
     "line 5: \"16\" stands behind the bytes, but of allreduce allowed is nothing"},
    {HEAD "allreduce 4x4 8 uneven = ring\nend",
     "line 5: \"uneven\" stands behind the bytes, but of allreduce allowed is nothing"},
    {HEAD "alltoallv 4x4 8 even = sloav\nend",
     "line 5: \"even\" stands behind the bytes, but of alltoallv allowed is uneven or sparse"},
    {HEAD "gatherv 4x4 8 sparse = linear\nend",
     "line 5: \"sparse\" stands behind the bytes, but of gatherv allowed is uneven"},
    {HEAD "alltoallv 4x4 8 uneven sparse = sloav\nend",
     "line 5: \"uneven sparse\" stands behind the bytes, but of alltoallv allowed"},
    {HEAD "alltoallv 4x4 uneven 8 = sloav\nend",
     "line 5: \"alltoallv 4x4 uneven 8\" is not a collective with"},
    {HEAD "alltoallv 4x4 8uneven = sloav\nend",
     "line 5: \"alltoallv 4x4 8uneven\" is not a collective with"},
    {HEAD "alltoallv 4x4 8 uneven = sloav\nalltoallv 4x4 8  uneven = linear\nend",
     "line 6: \"alltoallv 4x4 8  uneven\" stands there twice"},
    {HEAD "alltoallv 4x4x2 8 = sloav\nalltoallv 4x4x2 8 = linear\nend",
     "line 6: \"alltoallv 4x4x2 8\" stands there twice"},
    {HEAD "allreduce 4x4 0 = ring\nend", "line 5: \"allreduce 4x4 0\" is not a collective with"},
    {HEAD "barrier 4x4 8 = auto\nend", "line 5: \"barrier 4x4 8\" is not a collective with"},
    {HEAD "allreduce 9999999999x4 8 = ring\nend", "line 5: \"allreduce 9999999999x4 8\" is not"},
    {HEAD "allreduce 4x4 99999999999999999999 = ring\nend", "line 5: \"allreduce 4x4 9999999"},
    {HEAD "allreduce 4x4x4x4 8 = ring\nend", "line 5: \"allreduce 4x4x4x4 8\" is not a"},
    {HEAD "allreduce 4x4x 8 = ring\nend", "line 5: \"allreduce 4x4x 8\" is not a collective with "
                                          "NODESxRANKS, or NODESxRANKSxTHREADS, and bytes"},
    {HEAD "allreduce 4x4x0 8 = ring\nend", "line 5: \"allreduce 4x4x0 8\" is not a collective"},
    {HEAD "allreduce 4x4x9999999999 8 = ring\nend", "line 5: \"allreduce 4x4x9999999999 8\" is"},
    {HEAD "allreduce 4x4 8\nend", "line 5: there is no algorithm"},
    {HEAD "allreduce 4x4 8 =\nend", "line 5: there is no algorithm"},
    {HEAD "allreduce 4x4 8 = # ring\nend", "line 5: there is no algorithm"},
    {HEAD "allreduce 4x4 8 = rng\nend", "line 5: \"rng\" is no algorithm of allreduce; there are"},
    {HEAD "allreduce 4x4 8 = bruck\nend", "line 5: \"bruck\" is no algorithm of allreduce"},
    {HEAD "allreduce 4x4 8 = dpml:leaders=x\nend", "line 5: \"leaders=x\": allowed is"},
    {HEAD "allreduce 4x4 8 = dpml:lanes=2\nend", "line 5: dpml has no parameter \"lanes\""},
    {HEAD "allreduce 4x4 8 = auto:x=1\nend", "line 5: auto takes no parameters"},
    {HEAD "allreduce 4x4 8 = = ring\nend", "line 5: \"= ring\" is more than"},
    {HEAD "allreduce 4x4 8 = ring 1e-6 2e-6 3e-6 4e-6\nend", "line 5: \"ring 1e-6 2e-6 3e-6 4e-6"},
    {HEAD "allreduce 4x4 8 = ring launches=0\nend", "line 5: \"ring launches=0\" is more than an "
                                                    "algorithm, three times in seconds, and "
                                                    "launches=N"},
    {HEAD "allreduce 4x4 8 = ring launches=\nend", "line 5: \"ring launches=\" is more than"},
    {HEAD "allreduce 4x4 8 = ring launches=2 1e-6\nend",
     "line 5: \"ring launches=2 1e-6\" is more"},
    {HEAD "allreduce 4x4 8 = ring launch=2\nend", "line 5: \"ring launch=2\" is more than"},
    {HEAD "allreduce 4x4 8 = ring launches=9999999999\nend", "line 5: \"ring launches=999"},
    {HEAD "allreduce 4x4 8 = ring 1e-6 2e-6 3e-6 4e-6 launches=2\nend", "line 5: \"ring 1e-6"},
    {HEAD "allreduce 4x4 8 = ring fast\nend", "line 5: \"ring fast\" is more than an algorithm"},
    {HEAD "allreduce 4x4 8 = ring 1e-6s\nend", "line 5: \"ring 1e-6s\" is more than"},
    {HEAD "allreduce 4x4 8 = ring -1e-6\nend", "line 5: \"ring -1e-6\" is more than"},
    {HEAD "allreduce 4x4 8 = ring nan\nend", "line 5: \"ring nan\" is more than"},
    {HEAD "allreduce 4x4 8 = ring inf\nend", "line 5: \"ring inf\" is more than"},
    {HEAD "allreduce 4x4 8 = ring 1,5e-6\nend", "line 5: \"ring 1,5e-6\" is more than"},
    {HEAD "allreduce 4x4 8 = ring\nallreduce 4x4 8 = dpml\nend",
     "line 6: \"allreduce 4x4 8\" stands there twice"},
    {HEAD "allreduce 4x4 8 = ring\rallreduce 4x4 16 = ring\nend", "line 5: \"ring"},
    {HEAD "\033[2Jallreduce 4x4 8 = ring\nend", "line 5: a byte 0x1b is no text"},
    {HEAD "<<<<<<< HEAD\nend", "line 5: \"<<<<<<<\" is no collective"},
    {"{\"allreduce\": 1}", "line 1: \"{\"allreduce\":\" is no collective"},
    {"\xef\xbb\xbfhost = n1\n", "line 1: \"\xef\xbb\xbfhost\" is no collective"},
    {"\xff\xfeh\x01o\n", "line 1: a byte 0x01 is no text"},
};

static void must_refuse(const char *text, size_t size, const char *said)
{
    struct strata_tuned t;
    struct strata_diagnostic message = {""};
    assert_int_equal(strata_tuned_parse(text, size, &t, &message), STRATA_ERR_SYNTAX);
    assert_null(t.row);
    assert_int_equal(t.count, 0);
    assert_null(strchr(message.text, '\n'));
    if (!strstr(message.text, said)) {
        fail_msg("\"%s\": said %s", text, message.text);
    }
}

static void test_damaged(void **state)
{
    (void)state;
    ASSERT_CMP(sizeof damaged / sizeof *damaged, >=, 50);
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        must_refuse(damaged[i].text, strlen(damaged[i].text), damaged[i].said);
    }
    must_refuse(whole, sizeof whole, "line 13: a byte 0x00 is no text");
    for (size_t size = 0; size < strlen(whole) - 1; size++) { /* a copy that ends early */
        must_refuse(whole, size, "");
    }
}

/* The choice that a table has for a problem of a collective, with its sizes, on these nodes; "none"
 * where it has none. */
static const char *choice_of(const char *table, const char *topology, int ranks, int threads,
                             const struct strata_problem *of)
{
    struct strata_tuned t;
    struct strata_tuned_near near[STRATA_TUNED_NEAR];
    struct strata_choice choice = {.algorithm = NULL};
    struct strata_diagnostic message = {""};
    struct instance x = instance_of(topology, ranks);
    const struct strata_tuned_layout at = {x.problem.topology, threads};
    x.problem.collective = of->collective;
    x.problem.block_bytes = of->block_bytes;
    x.problem.degree = of->degree;
    x.problem.unevenness = of->unevenness;
    if (strata_tuned_parse(table, strlen(table), &t, &message) != STRATA_OK) {
        fail_msg("%s", message.text);
    }
    const int count = strata_tuned_near(&t, &at, near, STRATA_TUNED_NEAR);
    const bool found = strata_tuned_choice(near, count, &x.problem, &choice);
    assert_true(!found || choice.weight == STRATA_TIMED);
    strata_tuned_free(&t);
    instance_fini(&x);
    return found ? choice.algorithm->name : "none";
}

static void test_nearest(void **state)
{
    static const char table[] = HEAD "allreduce 4x4 1K = ring\nallreduce 4x4 64K = dpml\n"
                                     "allreduce 8x4 1K = rabenseifner\nallreduce 1x4 1K = native\n"
                                     "allreduce 4x4 8 = auto\nbarrier 4x4 0 = native\nend";
    static const struct {
        const char *topology;
        int ranks;
        enum strata_collective collective;
        double bytes;
        const char *choice;
    } cases[] = {
        {"node:4", 16, STRATA_ALLREDUCE, 1024, "ring"},
        {"node:4", 16, STRATA_ALLREDUCE, 256, "ring"},
        {"node:4", 16, STRATA_ALLREDUCE, 255, "none"},  /* further than a factor of four */
        {"node:4", 16, STRATA_ALLREDUCE, 12, "none"},   /* as costs choose */
        {"node:4", 16, STRATA_ALLREDUCE, 4096, "ring"}, /* 64K is sixteen times as far */
        {"node:4", 16, STRATA_ALLREDUCE, 16384, "dpml"},
        {"node:4", 16, STRATA_ALLREDUCE, 262144, "dpml"},
        {"node:4", 16, STRATA_ALLREDUCE, 262145, "none"},
        {"node:4", 16, STRATA_ALLREDUCE, 0, "none"}, /* no size is known */
        {"node:8", 32, STRATA_ALLREDUCE, 1024, "rabenseifner"},
        {"node:8", 32, STRATA_ALLREDUCE, 65536, "none"}, /* the nearest layout has no such row */
        {"node:16", 64, STRATA_ALLREDUCE, 1024, "rabenseifner"},
        {"node:32", 128, STRATA_ALLREDUCE, 1024, "none"},
        {"node:2", 8, STRATA_ALLREDUCE, 1024, "ring"},
        {"node:2", 6, STRATA_ALLREDUCE, 1024, "ring"},
        {"node:6", 24, STRATA_ALLREDUCE, 1024, "rabenseifner"}, /* nearer to 8 than to 4 */
        {"node:4", 4, STRATA_ALLREDUCE, 1024, "none"},
        {"node:1", 4, STRATA_ALLREDUCE, 1024, "native"},
        {"node:1", 8, STRATA_ALLREDUCE, 1024, "native"},
        {"node:4", 16, STRATA_BARRIER, 0, "native"},
        {"node:4", 16, STRATA_BCAST, 1024, "none"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct strata_problem of = {.collective = cases[i].collective,
                                          .block_bytes = cases[i].bytes};
        const char *got = choice_of(table, cases[i].topology, cases[i].ranks, 1, &of);
        if (strcmp(got, cases[i].choice) != 0) {
            fail_msg("case %zu: %s and not %s", i, got, cases[i].choice);
        }
    }
}

/* A line serves calls of its kind of blocks, and no others. */
static void test_blocks(void **state)
{
    static const char table[] =
        HEAD "alltoallv 4x4 1K = pairwise\nalltoallv 4x4 1K uneven = sloav\n"
             "alltoallv 4x4 64 sparse = linear\nalltoallw 4x4 1K = leaders\n"
             "gatherv 2x4 1K uneven = knomial\ngatherv 4x4 64 = binomial\nend";
    static const struct {
        enum strata_collective collective;
        double bytes, unevenness;
        int degree;
        const char *choice;
    } cases[] = {
        {STRATA_ALLTOALLV, 1024, 0, 0, "pairwise"}, /* nothing is known yet */
        {STRATA_ALLTOALLV, 1024, 1, 0, "pairwise"}, {STRATA_ALLTOALLV, 1024, 4, 0, "pairwise"},
        {STRATA_ALLTOALLV, 1024, 8, 0, "sloav"},    {STRATA_ALLTOALLV, 4096, 512, 0, "sloav"},
        {STRATA_ALLTOALLV, 8192, 8, 0, "none"},     {STRATA_ALLTOALLV, 64, 8, 2, "linear"},
        {STRATA_ALLTOALLV, 64, 1, 2, "linear"},     {STRATA_ALLTOALLV, 1024, 8, 2, "none"},
        {STRATA_ALLTOALLV, 64, 8, 0, "none"},       {STRATA_ALLTOALLW, 1024, 4, 0, "leaders"},
        {STRATA_ALLTOALLW, 1024, 8, 0, "none"},     {STRATA_ALLTOALLW, 1024, 1, 2, "none"},
        {STRATA_GATHERV, 1024, 16, 0, "knomial"}, /* of other nodes than the line of even blocks */
        {STRATA_GATHERV, 64, 1, 0, "binomial"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct strata_problem of = {.collective = cases[i].collective,
                                          .block_bytes = cases[i].bytes,
                                          .unevenness = cases[i].unevenness,
                                          .degree = cases[i].degree};
        const char *got = choice_of(table, "node:4", 16, 1, &of);
        if (strcmp(got, cases[i].choice) != 0) {
            fail_msg("case %zu: %s and not %s", i, got, cases[i].choice);
        }
    }
}

/* Of lines that are as near those with the number of threads come first. */
static void test_threads(void **state)
{
    static const char table[] =
        HEAD "allreduce 4x4 1K = ring\nallreduce 4x4x1 1K = native\n"
             "allreduce 4x4x4 1K = dpml\nallreduce 8x4x16 1K = rabenseifner\n"
             "bcast 4x4x2 1K = knomial\nallreduce 4x4x4 32K = auto\nallreduce 4x4 256K = ring\nend";
    static const struct {
        enum strata_collective collective;
        int threads;
        const char *choice;
        double bytes;
    } cases[] = {
        {STRATA_ALLREDUCE, 4, "ring", 256 << 10}, {STRATA_ALLREDUCE, 4, "none", 32 << 10},
        {STRATA_ALLREDUCE, 1, "native", 1024},    {STRATA_ALLREDUCE, 4, "dpml", 1024},
        {STRATA_ALLREDUCE, 2, "ring", 1024},      {STRATA_ALLREDUCE, 16, "ring", 1024},
        {STRATA_BCAST, 2, "knomial", 1024},       {STRATA_BCAST, 4, "knomial", 1024},
        {STRATA_BCAST, 5, "none", 1024},          {STRATA_BCAST, 1, "none", 1024},
        /* One thread stands for itself alone. 256 KiB is a size that no line with threads has. */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct strata_problem of = {.collective = cases[i].collective,
                                          .block_bytes = cases[i].bytes};
        const char *got = choice_of(table, "node:4", 16, cases[i].threads, &of);
        if (strcmp(got, cases[i].choice) != 0) {
            fail_msg("case %zu: %s and not %s", i, got, cases[i].choice);
        }
    }
}

/* What serves a problem for which this is preferred; "none": something else. */
static const char *selected(const struct instance *x, const char *text)
{
    static char name[96];
    char preferred[128];
    struct strata_choice choice;
    struct strata_selection selection;
    snprintf(preferred, sizeof preferred, "prefer:%s", text);
    assert_int_equal(strata_choice_parse(preferred, x->problem.collective, &choice, NULL),
                     STRATA_OK);
    assert_int_equal(choice.weight, STRATA_PREFERRED);
    choice.weight = STRATA_TIMED;
    assert_int_equal(strata_select(&choice, &x->problem, strata_machine_at(0), &selection),
                     STRATA_OK);
    assert_false(selection.forced);
    if (!strstr(selection.why, "the table of STRATA_TUNED says so")) {
        return "none";
    }
    strata_algorithm_name(selection.choice.algorithm, selection.choice.parameter, name,
                          sizeof name);
    return name;
}

static void test_where_it_may_not(void **state)
{
    (void)state;
    struct instance x = instance_of("node:4", 16);
    struct strata_problem *p = &x.problem;
    assert_int_equal(instance_divide(&x, 1 << 24, 4096, 4, false), STRATA_OK);
    p->collective = STRATA_ALLREDUCE;
    p->commutative = true;
    p->block_bytes = 1024;
    p->most_bytes = 1024;
    assert_string_equal(selected(&x, "dpml:leaders=2,between=ring"), "dpml:leaders=2,between=ring");
    assert_non_null(strstr(selected(&x, "dpml:leaders=2"), "dpml:leaders=2,between="));
    assert_string_equal(selected(&x, "native"), "native");
    p->left_fold = true; /* the same bits */
    assert_string_equal(selected(&x, "native"), "none");
    assert_string_equal(selected(&x, "dpml"), "none");
    p->left_fold = false;
    p->plans_only = true; /* threads as members */
    assert_string_equal(selected(&x, "native"), "none");
    p->plans_only = false;
    p->commutative = false; /* an operator whose order counts */
    assert_string_equal(selected(&x, "ring"), "none");

    /* Short rooted calls must not wait in a circle with those of other communicators. */
    p->collective = STRATA_BCAST;
    p->block_bytes = 8;
    p->most_bytes = 8;
    assert_string_equal(selected(&x, "long_vector"), "none");
    assert_string_equal(selected(&x, "native"), "native");
    assert_string_not_equal(selected(&x, "binomial"), "none");

    /* MPI's own would learn no lengths. */
    p->collective = STRATA_ALLTOALLV;
    p->block_bytes = 256;
    p->most_bytes = 0;
    assert_string_equal(selected(&x, "native"), "none");
    assert_string_equal(selected(&x, "linear"), "none");
    assert_string_not_equal(selected(&x, "sloav"), "none");
    p->most_bytes = 256;
    assert_string_equal(selected(&x, "native"), "native");
    p->nonblocking = true;
    assert_string_equal(selected(&x, "sloav"), "none");
    instance_fini(&x);
}

/* The file is found where it is named, and only there. */
static void test_found(void **state)
{
    (void)state;
    char path[] = "/tmp/strata.tuned.XXXXXX";
    struct strata_tuned t;
    struct strata_diagnostic message = {""};
    const int file = mkstemp(path);
    assert_int_equal(write(file, whole, strlen(whole)), strlen(whole));
    assert_int_equal(strata_tuned_find(path, &t, &message), STRATA_OK);
    assert_string_equal(t.path, path);
    assert_int_equal(t.count, 6);
    strata_tuned_free(&t);
    assert_int_equal(strata_tuned_find("none", &t, &message), STRATA_OK);
    assert_string_equal(t.path, "");
    assert_int_equal(ftruncate(file, 40), 0);
    assert_int_equal(strata_tuned_find(path, &t, &message), STRATA_ERR_SYNTAX);
    assert_non_null(strstr(message.text, path));
    assert_null(t.row);
    close(file);
    unlink(path);
    assert_int_equal(strata_tuned_find(path, &t, &message), STRATA_ERR_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),    cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_nearest), cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_where_it_may_not),
        cmocka_unit_test(test_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
