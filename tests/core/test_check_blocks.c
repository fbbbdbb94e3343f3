/* The checker finds mistakes in plans over blocks and names them. The plans are made by hand, with
 * one flaw each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/check/check.h"
#include "core/plan/builder.h"
#include "core/text/plan_text.h"
#include "tests/assert_cmp.h"

enum { MOST = 4, TEXT = 2048 };

/* The beginning that all plans of a call have in common. */
struct head {
    const char *collective, *topology;
    int ranks;
    const char *blocks; /* the blocks line */
};

struct call {
    struct strata_topology *topology;
    struct strata_plan *plans[MOST];
};

/* Replaces @ by the rank, and ~ by the next rank. */
static void insert_ranks(const char *body, int rank, int ranks, char *text)
{
    for (; *body; body++) {
        *text++ = (char)(*body == '@'   ? '0' + rank
                         : *body == '~' ? '0' + (rank + 1) % ranks
                                        : *body);
    }
    *text = '\0';
}

/* The number of passes: with segments in slots, as many as move each segment once. */
static int passes_of(const struct head *head)
{
    int count = 1, slot = 1;
    int read = sscanf(head->blocks, "%d root %*d work %*d first %*d slot %d", &count, &slot);
    return read == 2 ? count / slot : 1;
}

/* Only the root of a scatterv knows all lengths. */
static int threshold_of(const struct head *head)
{
    return strcmp(head->collective, "scatterv") == 0 ? 8 : 0;
}

/* Makes the plans from a body for each rank, or from the first body for all. */
static void make(struct call *call, const struct head *head, const char *const *bodies)
{
    struct strata_diagnostic message = {""};
    assert_int_equal(strata_topology_parse(head->topology, head->ranks, &call->topology, &message),
                     STRATA_OK);
    for (int r = 0; r < head->ranks; r++) {
        char text[2 * TEXT], body[TEXT];
        insert_ranks(bodies[1] ? bodies[r] : bodies[0], r, head->ranks, body);
        snprintf(text, sizeof text,
                 "plan %s by_hand rank %d of %d\nlimits threshold %d slice %d passes %d\n"
                 "exchange lanes 0 flat items 0 messages 0\nblocks %s\n%s",
                 head->collective, r, head->ranks, threshold_of(head), threshold_of(head),
                 passes_of(head), head->blocks, body);
        if (strata_plan_parse(text, call->topology, &call->plans[r], &message) != STRATA_OK) {
            fail_msg("%s\n%s", message.text, text);
        }
    }
}

static void drop(struct call *call)
{
    for (int r = 0; r < call->topology->ranks; r++) {
        strata_plan_destroy(call->plans[r]);
    }
    strata_topology_destroy(call->topology);
}

/* The modes in which a call is wrong. */
enum where { NOWHERE = 0, EAGER = 1, RENDEZVOUS = 2, APART = 4, IN_PLACE = 8, ALL = 15 };

static bool is_wrong_in(enum where where, const struct strata_check *options)
{
    return (where & (options->rendezvous ? RENDEZVOUS : EAGER)) &&
           (where & (options->in_place ? IN_PLACE : APART));
}

static bool says(const char *text, const char *expected)
{
    char alternatives[512];
    bool found = false;
    snprintf(alternatives, sizeof alternatives, "%s", expected);
    for (char *part = strtok(alternatives, "|"); part; part = strtok(NULL, "|")) {
        found = found || strstr(text, part);
    }
    return found;
}

/* Requires that in these modes, and in every schedule, the call and a second call after it are
 * wrong in the way that `expected` names, and right in the other modes. `expected` may have
 * alternatives between bars. */
static void require_call(const struct call *call, enum where where, const char *expected)
{
    const struct strata_plan *const *calls[2];
    calls[0] = calls[1] = (const struct strata_plan *const *)call->plans;
    for (unsigned i = 0; i < 24; i++) {
        struct strata_check options = {
            .rendezvous = i & 1, .in_place = i & 2, .schedule = (int)i / 4 % 3, .seed = 99 + i};
        struct strata_diagnostic message = {""};
        bool wrong = is_wrong_in(where, &options);
        int status =
            strata_check_calls(calls, i < 12 ? 1 : 2, call->topology->ranks, &options, &message);
        if (status != (wrong ? STRATA_ERR_PLAN : STRATA_OK) ||
            (wrong && !says(message.text, expected))) {
            fail_msg("run %u (%s%s): \"%s\", expected \"%s\"", i,
                     options.rendezvous ? "rendezvous" : "eager",
                     options.in_place ? ", in place" : "", message.text, wrong ? expected : "");
        }
    }
}

struct flawed {
    enum where where;
    const char *expected;
    const char *bodies[MOST + 1];
};

static void require_all(const struct head *head, const struct flawed *flawed, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct call call;
        make(&call, head, flawed[i].bodies);
        require_call(&call, flawed[i].where, flawed[i].expected);
        drop(&call);
    }
}

#define REQUIRE(head, flawed) require_all(&(head), flawed, sizeof(flawed) / sizeof *(flawed))

/* --- movement --------------------------------------------------------------------------------- */

#define MINE  "copy from <input @ of 2> set <output @ of 2>\n"
#define RECV  "recv_blocks rank ~ set <output ~ of 2>\n"
#define SEND  "send_blocks rank ~ set <input @ of 2>\n"
#define RIGHT MINE RECV SEND "wait 0\n"

static const struct head two = {"allgather", "node:2", 2, "2 root 0 work 3 first 1"};

static void test_messages(void **state)
{
    static const struct flawed flawed[] = {
        {NOWHERE, "", {RIGHT}},
        {EAGER | RENDEZVOUS | APART,
         "block 0 of the output was never written|block 1 of the output was never written",
         {RECV SEND "wait 0\n"}},
        {ALL, "of the output was never written", {MINE}},
        {ALL,
         "of the input, which this rank has not",
         {MINE RECV "send_blocks rank ~ set <input ~ of 2>\nwait 0\n"}},
        {ALL, "lane messages are still open", {MINE RECV SEND}},
        {ALL, "lane messages are still open", {MINE RECV SEND "wait 1\n"}},
        {ALL,
         "rank 1 never receives this message|deadlock in rendezvous mode, 1 ranks are stuck|"
         "(send_blocks) sends blocks {input 0} in call 0",
         {MINE RECV SEND SEND "wait 0\n", RIGHT}},
        {ALL, "deadlock in", {MINE RECV "wait 0\n" SEND "wait 0\n"}},
        {RENDEZVOUS | APART | IN_PLACE,
         "deadlock in rendezvous mode, 2 ranks are stuck",
         {MINE SEND "wait 0\n" RECV "wait 0\n"}},
        {ALL,
         "expects blocks {output 0,1} in call 0 from rank 1, whose step 2 (send_blocks) sends "
         "blocks {input 1} in call 0|"
         "expects blocks {output 0,1} in call 0 from rank 0, whose step 2 (send_blocks) sends "
         "blocks {input 0} in call 0|before the message that brings it was waited for",
         {"copy from <input @ of 2> set <work ~ of 3>\n"
          "recv_blocks rank ~ set <output 0..1 of 2>\n" SEND "wait 0\n"}},
    };
    (void)state;
    REQUIRE(two, flawed);
}

static void test_open_messages(void **state)
{
    static const struct flawed flawed[] = {
        {ALL,
         "before the message that brings it was waited for",
         {MINE RECV SEND "copy from <output ~ of 2> set <work @ of 3>\nwait 0\n"}},
        {ALL,
         "before the message that brings it was waited for",
         {MINE RECV SEND "wait 1\nsend_blocks rank ~ set <output ~ of 2>\nwait 0\n"}},
        {ALL,
         "before the message that brings it was waited for",
         {MINE RECV RECV SEND SEND "wait 0\n"}},
        {ALL,
         "while it is sent from there",
         {MINE RECV "send_blocks rank ~ set <output @ of 2>\n" MINE "wait 0\n"}},
        {ALL,
         "while it is sent from there",
         {MINE RECV "send_blocks rank ~ set <output @ of 2> typed\nwait 1\n" MINE "wait 0\n"}},
        {NOWHERE,
         "",
         {MINE RECV "send_blocks rank ~ set <output @ of 2> packed\n" MINE "wait 0\n"}},
        {NOWHERE, "", {MINE RECV "send_blocks rank ~ set <output @ of 2>\nwait 0\n" MINE}},
        {ALL,
         "reads block 0 of work, where nothing was written",
         {RIGHT "copy from <work 0 of 3> set <work 2 of 3>\n"}},
    };
    (void)state;
    REQUIRE(two, flawed);
}

static void test_copies(void **state)
{
    static const struct flawed flawed[] = {
        /* work block 0 is block 1, 1 is block 0, 2 is block 1 */
        {NOWHERE, "", {RIGHT "copy from <output 0..1 of 2> set <work 1..2 of 3>\n"}},
        {ALL,
         "copies block 0 (output) to the place of block 1 (work)",
         {RIGHT "copy from <output 0..1 of 2> set <work 0..1 of 3>\n"}},
        {ALL,
         "block 2 of work is read and written in one step",
         {RIGHT "copy from <output 1 of 2> <output 1 of 2> set <work 0 of 3> <work 2 of 3>\n"
                "copy from <work 0 of 3> <work 2 of 3> set <work 2 of 3> <work 0 of 3>\n"}},
        {NOWHERE, "", {RIGHT "copy from <output 0..1 of 2> set <output 0..1 of 2>\n"}},
        {ALL, "writes the input", {RIGHT "copy from <output @ of 2> set <input @ of 2>\n"}},
        {ALL, "a plan over blocks has no such step", {RIGHT "native\n"}},
        {ALL,
         "the collective has no operator",
         {RIGHT "reduce from <output @ of 2> set <output @ of 2>\n"}},
    };
    (void)state;
    REQUIRE(two, flawed);
}

/* Blocks of an alltoall have equal lengths, so they may pass through any place. The order of
 * messages tells which block is which. */
static void test_matching(void **state)
{
#define EXCHANGE                                                                                   \
    "copy from <input 0..1 of 2> set <work 0..1 of 4>\n"                                           \
    "recv_blocks rank ~ set <work 2 of 4>\nrecv_blocks rank ~ set <work 3 of 4>\n"                 \
    "send_blocks rank ~ set <work @ of 4>\nsend_blocks rank ~ set <work ~ of 4>\nwait 0\n"         \
    "copy from <work @ of 4> set <output @ of 2>\n"
    static const struct head head = {"alltoall", "node:2", 2, "2 root 0 work 4 first 0"};
    static const struct flawed flawed[] = {
        {NOWHERE, "", {EXCHANGE "copy from <work 3 of 4> set <output ~ of 2>\n"}},
        {ALL,
         "block 0 of the output is not what it must be, but block 0 of rank 0|"
         "block 1 of the output is not what it must be, but block 1 of rank 1",
         {EXCHANGE "copy from <work 2 of 4> set <output ~ of 2>\n"}},
    };
    (void)state;
    REQUIRE(head, flawed);
#undef EXCHANGE
}

/* Only the two ends of a block of alltoallv know its length. */
static void test_lengths_of_alltoallv(void **state)
{
    static const struct head head = {"alltoallv", "node:2", 2,
                                     "2 root 0 work 2 first 0 keeps_input"};
    static const struct flawed flawed[] = {
        {NOWHERE, "", {MINE RECV "send_blocks rank ~ set <input ~ of 2>\nwait 0\n"}},
        {ALL,
         "expects blocks {output ",
         {MINE RECV "copy from <input ~ of 2> set <work ~ of 2>\n"
                    "send_blocks rank ~ set <work ~ of 2>\nwait 0\n"}},
        {ALL,
         "expects blocks {output ",
         {MINE RECV "send_blocks rank ~ set <input @ of 2>\nwait 0\n"}},
    };
    (void)state;
    REQUIRE(head, flawed);
}

static void test_rooted(void **state)
{
    static const struct head bcast = {"bcast", "node:2", 2, "1 root 1 work 0 first 0"};
    static const struct flawed of_bcast[] = {
        {NOWHERE,
         "",
         {"recv_blocks rank 1 set <output 0 of 1>\nwait 0\n",
          "send_blocks rank 0 set <output 0 of 1>\nwait 0\n"}},
        {ALL,
         "bcast's data lie in the output",
         {"recv_blocks rank 1 set <output 0 of 1>\nwait 0\n",
          "send_blocks rank 0 set <input 0 of 1>\nwait 0\n"}},
        {ALL,
         "reads block 0 of output, where nothing was written",
         {"send_blocks rank 1 set <output 0 of 1>\nwait 0\n",
          "recv_blocks rank 0 set <output 0 of 1>\nwait 0\n"}},
    };
    static const struct head gather = {"gather", "node:2", 2, "2 root 1 work 0 first 0"};
    static const struct flawed of_gather[] = {
        {NOWHERE,
         "",
         {"send_blocks rank 1 set <input 0 of 2>\nwait 0\n",
          "recv_blocks rank 0 set <output 0 of 2>\n" MINE "wait 0\n"}},
        {ALL,
         "writes block 0 of the output, which this rank has not",
         {MINE, "recv_blocks rank 0 set <output 0 of 2>\n" MINE "wait 0\n"}},
        {ALL,
         "reads block 0 of the output, which this rank has not",
         {"send_blocks rank 1 set <output 0 of 2>\nwait 0\n",
          "recv_blocks rank 0 set <output 0 of 2>\n" MINE "wait 0\n"}},
    };
    static const struct head scatter = {"scatter", "node:2", 2, "2 root 1 work 0 first 0"};
    static const struct flawed of_scatter[] = {
        {NOWHERE,
         "",
         {"recv_blocks rank 1 set <output 0 of 2>\nwait 0\n",
          "send_blocks rank 0 set <input 0 of 2>\n" MINE "wait 0\n"}},
        {EAGER | RENDEZVOUS | APART,
         "block 1 of the output was never written",
         {"recv_blocks rank 1 set <output 0 of 2>\nwait 0\n",
          "send_blocks rank 0 set <input 0 of 2>\nwait 0\n"}},
        {ALL,
         "writes block 0 of the output, which this rank has not",
         {"recv_blocks rank 1 set <output 0 of 2>\nwait 0\n",
          "send_blocks rank 0 set <input 0 of 2>\ncopy from <input 0 of 2> set <output 0 of 2>\n"}},
    };
    (void)state;
    REQUIRE(bcast, of_bcast);
    REQUIRE(gather, of_gather);
    REQUIRE(scatter, of_scatter);
}

/* --- reductions ------------------------------------------------------------------------------- */

/* Rank 0 sends its own data to the others. Ranks from 2 on send theirs to rank 1, which returns the
 * result. */
#define ENDS_SEND                                                                                  \
    "send_blocks rank 1 set <input 0 of 1>\nwait 0\n"                                              \
    "recv_blocks rank 1 set <output 0 of 1>\nwait 0\n"
#define MIDDLE_RECEIVES                                                                            \
    "recv_blocks rank 0 set <work 0 of 2>\nrecv_blocks rank 2 set <work 1 of 2>\nwait 0\n"
#define MIDDLE_SENDS                                                                               \
    "copy from <work 1 of 2> set <output 0 of 1>\nsend_blocks rank 0 set <output 0 of 1>\n"        \
    "send_blocks rank 2 set <output 0 of 1>\nwait 0\n"

static const struct flawed right_order = {
    NOWHERE,
    "",
    {ENDS_SEND,
     MIDDLE_RECEIVES "reduce from <input 0 of 1> set <work 1 of 2>\n"
                     "reduce from <work 0 of 2> set <work 1 of 2>\n" MIDDLE_SENDS,
     ENDS_SEND}};

static const struct flawed wrong_order = {
    ALL,
    "block 0 of the output is not what it must be, but something else",
    {ENDS_SEND,
     MIDDLE_RECEIVES "reduce from <work 0 of 2> set <work 1 of 2>\n"
                     "reduce from <input 0 of 1> set <work 1 of 2>\n" MIDDLE_SENDS,
     ENDS_SEND}};

static void test_order_of_operands(void **state)
{
    static const struct head ordered = {"allreduce", "node:3", 3,
                                        "1 root 0 work 2 first 0 ordered"};
    static const struct head any = {"allreduce", "node:3", 3, "1 root 0 work 2 first 0"};
    struct flawed now_right = wrong_order;
    (void)state;
    now_right.where = NOWHERE;
    require_all(&ordered, &right_order, 1);
    require_all(&ordered, &wrong_order, 1);
    require_all(&any, &now_right, 1);
}

/* (x0 o x1) o x2, while a plan that keeps the order of ranks computes x0 o (x1 o x2). */
static void test_left_fold(void **state)
{
    static const struct head head = {"allreduce", "node:3", 3,
                                     "1 root 0 work 2 first 0 ordered left_fold"};
    static const struct flawed from_the_left = {
        NOWHERE,
        "",
        {ENDS_SEND,
         MIDDLE_RECEIVES "copy from <input 0 of 1> set <output 0 of 1>\n"
                         "reduce from <work 0 of 2> set <output 0 of 1>\n"
                         "reduce from <output 0 of 1> set <work 1 of 2>\n" MIDDLE_SENDS,
         ENDS_SEND}};
    static const struct flawed folded = {
        NOWHERE,
        "",
        {ENDS_SEND,
         MIDDLE_RECEIVES "fold from <input 0 of 1> set <work 0 of 2>\n"
                         "fold from <work 1 of 2> set <work 0 of 2>\n"
                         "copy from <work 0 of 2> set <work 1 of 2>\n" MIDDLE_SENDS,
         ENDS_SEND}};
    struct flawed from_the_right = right_order;
    (void)state;
    from_the_right.where = ALL;
    from_the_right.expected = "block 0 of the output is not what it must be, but something else";
    require_all(&head, &from_the_left, 1);
    require_all(&head, &folded, 1);
    require_all(&head, &from_the_right, 1);
    require_all(&head, &wrong_order, 1);
}

static void test_contributions(void **state)
{
    static const struct head head = {"allreduce", "node:3", 3, "1 root 0 work 2 first 0"};
    static const struct flawed flawed[] = {
        {ALL,
         "block 0 of the output is not what it must be, but what ranks 1 to 2 have",
         {ENDS_SEND, MIDDLE_RECEIVES "reduce from <input 0 of 1> set <work 1 of 2>\n" MIDDLE_SENDS,
          ENDS_SEND}},
        {ALL,
         "block 0 of the output is not what it must be, but something else",
         {ENDS_SEND,
          MIDDLE_RECEIVES "reduce from <input 0 of 1> set <work 1 of 2>\n"
                          "reduce from <input 0 of 1> set <work 1 of 2>\n"
                          "reduce from <work 0 of 2> set <work 1 of 2>\n" MIDDLE_SENDS,
          ENDS_SEND}},
        {ALL,
         "reads block 0 of work before the message that brings it was waited for",
         {ENDS_SEND,
          "recv_blocks rank 0 set <work 0 of 2>\nrecv_blocks rank 2 set <work 1 of 2>\nwait 1\n"
          "reduce from <work 0 of 2> set <work 1 of 2>\n" MIDDLE_SENDS,
          ENDS_SEND}},
    };
    (void)state;
    REQUIRE(head, flawed);
}

static void test_scans(void **state)
{
    static const struct head scan = {"scan", "node:2", 2, "1 root 0 work 1 first 0 ordered"};
    static const struct head exscan = {"exscan", "node:2", 2, "1 root 0 work 1 first 0 ordered"};
#define FIRST  "send_blocks rank 1 set <input 0 of 1>\nwait 0\n"
#define SECOND "recv_blocks rank 0 set <work 0 of 1>\nwait 0\n"
    static const struct flawed of_scan[] = {
        {NOWHERE,
         "",
         {FIRST "copy from <input 0 of 1> set <output 0 of 1>\n",
          SECOND "copy from <input 0 of 1> set <output 0 of 1>\n"
                 "reduce from <work 0 of 1> set <output 0 of 1>\n"}},
        {ALL,
         "block 0 of the output is not what it must be, but block 0 of rank 0",
         {FIRST "copy from <input 0 of 1> set <output 0 of 1>\n",
          SECOND "copy from <work 0 of 1> set <output 0 of 1>\n"}},
    };
    static const struct flawed of_exscan[] = {
        {NOWHERE, "", {FIRST, SECOND "copy from <work 0 of 1> set <output 0 of 1>\n"}},
        {ALL,
         "block 0 of the output is not what it must be, but what ranks 0 to 1 have",
         {FIRST, SECOND "copy from <input 0 of 1> set <output 0 of 1>\n"
                        "reduce from <work 0 of 1> set <output 0 of 1>\n"}},
        {EAGER | RENDEZVOUS | APART,
         "block 0 of the output is not what it must be, but block 0 of rank 0",
         {FIRST "copy from <input 0 of 1> set <output 0 of 1>\n",
          SECOND "copy from <work 0 of 1> set <output 0 of 1>\n"}},
    };
    (void)state;
    REQUIRE(scan, of_scan);
    REQUIRE(exscan, of_exscan);
#undef FIRST
#undef SECOND
}

/* --- in place --------------------------------------------------------------------------------- */

static void test_in_place(void **state)
{
    static const struct head loses = {"alltoall", "node:2", 2, "2 root 0 work 0 first 0"};
    static const struct head keeps = {"alltoall", "node:2", 2,
                                      "2 root 0 work 0 first 0 keeps_input"};
    struct flawed first = {EAGER | RENDEZVOUS | IN_PLACE,
                           "while it is sent from there",
                           {MINE "send_blocks rank ~ set <input ~ of 2>\n" RECV "wait 0\n"}};
    struct flawed second = {EAGER | RENDEZVOUS | IN_PLACE,
                            "of input before the message that brings it was waited for",
                            {MINE RECV "send_blocks rank ~ set <input ~ of 2>\nwait 0\n"}};
    (void)state;
    require_all(&loses, &first, 1);
    require_all(&loses, &second, 1);
    first.where = second.where = NOWHERE;
    require_all(&keeps, &first, 1);
    require_all(&keeps, &second, 1);
}

/* reduce_scatter's output lies at the beginning of the input. */
static void test_in_place_at_the_front(void **state)
{
    static const struct head loses = {"reduce_scatter", "node:2", 2, "2 root 0 work 2 first 0"};
    static const struct head keeps = {"reduce_scatter", "node:2", 2,
                                      "2 root 0 work 2 first 0 keeps_input"};
#define OTHERS "recv_blocks rank ~ set <work @ of 2>\n"
    static const struct flawed late = {
        EAGER | RENDEZVOUS | IN_PLACE,
        "of the input after the output was written, in place over it",
        {OTHERS "copy from <input @ of 2> set <output @ of 2>\n"
                "send_blocks rank ~ set <input ~ of 2>\nwait 0\n"
                "reduce from <work @ of 2> set <output @ of 2>\n"}};
    static const struct flawed open = {
        EAGER | RENDEZVOUS | IN_PLACE,
        "writes the output while input is sent, which in place lies under it",
        {OTHERS "send_blocks rank ~ set <input ~ of 2>\n"
                "copy from <input @ of 2> set <output @ of 2>\nwait 0\n"
                "reduce from <work @ of 2> set <output @ of 2>\n"}};
    static const struct flawed right = {NOWHERE,
                                        "",
                                        {OTHERS "send_blocks rank ~ set <input ~ of 2>\nwait 0\n"
                                                "copy from <input @ of 2> set <output @ of 2>\n"
                                                "reduce from <work @ of 2> set <output @ of 2>\n"}};
#undef OTHERS
    struct flawed late_but_kept = late, open_but_kept = open;
    (void)state;
    late_but_kept.where = open_but_kept.where = NOWHERE;
    require_all(&loses, &late, 1);
    require_all(&loses, &open, 1);
    require_all(&loses, &right, 1);
    require_all(&keeps, &late_but_kept, 1);
    require_all(&keeps, &open_but_kept, 1);
}

/* --- barrier ---------------------------------------------------------------------------------- */

static void test_barrier(void **state)
{
    static const struct head head = {"barrier", "node:3", 3, "3 root 0 work 0 first 0"};
    static const struct flawed flawed[] = {
        {NOWHERE,
         "",
         {"recv_blocks rank 2 set\nsend_blocks rank 1 set\nwait 0\n"
          "recv_blocks rank 1 set\nsend_blocks rank 2 set\nwait 0\n",
          "recv_blocks rank 0 set\nsend_blocks rank 2 set\nwait 0\n"
          "recv_blocks rank 2 set\nsend_blocks rank 0 set\nwait 0\n",
          "recv_blocks rank 1 set\nsend_blocks rank 0 set\nwait 0\n"
          "recv_blocks rank 0 set\nsend_blocks rank 1 set\nwait 0\n"}},
        {ALL,
         "ends before rank ",
         {"recv_blocks rank 2 set\nsend_blocks rank 1 set\nwait 0\n",
          "recv_blocks rank 0 set\nsend_blocks rank 2 set\nwait 0\n",
          "recv_blocks rank 1 set\nsend_blocks rank 0 set\nwait 0\n"}},
        {ALL, "ends before rank ", {""}},
    };
    (void)state;
    REQUIRE(head, flawed);
}

/* --- the node's memory ------------------------------------------------------------------------ */

#define TO_SLOT "copy from <input @ of 2> set <shared @ of 2>\n"
#define OUT     "copy from <shared 0..1 of 2> set <output_at 0..1 of 2>\n"

static void test_slots(void **state)
{
    static const struct head head = {"allgather", "node:1", 2, "2 root 0 work 0 first 0 shared"};
    static const struct flawed flawed[] = {
        {NOWHERE, "", {TO_SLOT "signal arrived\nawait all arrived\n" OUT}},
        {ALL,
         "race: reads a slot|rank 1 has not filled its slot in this call|"
         "rank 0 has not filled its slot in this call",
         {TO_SLOT "signal arrived\n" OUT}},
        {ALL,
         "race: reads a slot|has not filled its slot in this call",
         {"signal arrived\nawait all arrived\n" TO_SLOT OUT}},
        {ALL, "deadlock", {TO_SLOT "await all arrived\n" OUT}},
        {ALL,
         "rank 0 has not filled its slot in this call|rank 1 has not filled its slot",
         {"signal arrived\nawait all arrived\n" OUT}},
        {ALL,
         "writes into the slot of rank ",
         {"copy from <input @ of 2> set <output @ of 2>\nsignal arrived\nawait all arrived\n"
          "copy from <output @ of 2> set <shared @ of 2>\n"
          "recv_blocks rank ~ set <shared ~ of 2>\nsend_blocks rank ~ set <shared @ of 2>\n"
          "wait 0\n"}},
    };
    (void)state;
    REQUIRE(head, flawed);
}

/* The root writes all slots. Where it says there how long the blocks are, so would any other member
 * that signals. */
static void test_lengths_in_slots(void **state)
{
    static const struct head told = {"scatterv", "node:1", 2, "2 root 0 work 0 first 0 shared"};
    static const struct head known = {"scatter", "node:1", 2, "2 root 0 work 0 first 0 shared"};
#define TO_SLOTS "copy from <input 0..1 of 2> set <shared 0..1 of 2>\nsignal arrived\n"
#define MY_BLOCK "copy from <shared @ of 2> set <output @ of 2>\n"
#define AWAITED  "await member 0 arrived\n" MY_BLOCK
    static const struct flawed right = {NOWHERE, "", {TO_SLOTS MY_BLOCK, AWAITED}};
    struct flawed early = {ALL,
                           "writes into a slot, as rank |race: writes a slot",
                           {TO_SLOTS MY_BLOCK, "signal arrived\n" AWAITED}};
    struct flawed late = {
        ALL, "writes into a slot, as rank 0 does", {TO_SLOTS MY_BLOCK, AWAITED "signal arrived\n"}};
#undef TO_SLOTS
#undef MY_BLOCK
#undef AWAITED
    (void)state;
    require_all(&told, &right, 1);
    require_all(&told, &early, 1);
    require_all(&told, &late, 1);
    early.where = late.where = NOWHERE;
    require_all(&known, &early, 1);
    require_all(&known, &late, 1);
}

/* A vector for each rank. */
#define VECTOR_TO_SLOT "copy from <input 0 of 1> set <shared @ of 2>\n"
#define LAST_OUT       "copy from <shared 1 of 2> set <output 0 of 1>\n"
#define FIRST_INTO     "reduce from <shared 0 of 2> set <output 0 of 1>\n"

static void test_vectors_in_slots(void **state)
{
    static const struct head head = {"allreduce", "node:1", 2, "1 root 0 work 0 first 0 shared"};
    static const struct flawed flawed[] = {
        {NOWHERE, "", {VECTOR_TO_SLOT "signal arrived\nawait all arrived\n" LAST_OUT FIRST_INTO}},
        {ALL,
         "race: reads a slot|has not filled its slot in this call",
         {VECTOR_TO_SLOT "signal arrived\n" LAST_OUT FIRST_INTO}},
        {ALL,
         "block 0 of the output is not what it must be",
         {VECTOR_TO_SLOT "signal arrived\nawait all arrived\n" LAST_OUT}},
        {ALL,
         "block 0 of the output is not what it must be",
         {VECTOR_TO_SLOT "signal arrived\nawait all arrived\n"
                         "copy from <shared 0 of 2> set <output 0 of 1>\n" FIRST_INTO}},
    };
    (void)state;
    REQUIRE(head, flawed);
}

/* A result that lies once in the node: one member writes it, and all may read it at the end. */
static void test_once(void **state)
{
    static const struct head blocks = {"allgather", "node:1", 2,
                                       "2 root 0 work 0 first 0 shared once"};
    static const struct head vector = {"bcast", "node:1", 2, "1 root 0 work 0 first 0 slot 1 once"};
#define ROOT_FILLS "copy from <output 0 of 1> set <slot 0 of 2>\nsignal arrived\n"
    static const struct flawed of_blocks[] = {
        {NOWHERE, "", {TO_SLOT "signal arrived\nawait all arrived\n"}},
        {ALL,
         "race: reads a slot|has not filled its slot in this call",
         {TO_SLOT "signal arrived\n"}},
        {ALL,
         "writes the output, which its node has once",
         {TO_SLOT "signal arrived\nawait all arrived\n" OUT}},
    };
    static const struct flawed of_vector[] = {
        {NOWHERE, "", {ROOT_FILLS, "await member 0 arrived\n"}},
        {ALL, "nobody of its node has the result|race: reads a slot", {ROOT_FILLS, "wait 0\n"}},
        {ALL,
         "several of its node write the result",
         {ROOT_FILLS "await member 1 arrived\n",
          "await member 0 arrived\ncopy from <slot 0 of 2> set <slot 1 of 2>\nsignal arrived\n"}},
    };
    (void)state;
    REQUIRE(blocks, of_blocks);
    REQUIRE(vector, of_vector);
}

/* Three ranks on two nodes: rank 0 leads ranks 0 and 1, rank 2 is alone. */
#define ALONE                                                                                      \
    "copy from <input 2 of 3> set <shared 2 of 3>\nrecv_blocks rank 0 set <shared 0..1 of 3>\n"    \
    "send_blocks rank 0 set <shared 2 of 3>\nwait 0\nsignal done\n"                                \
    "copy from <shared 0..2 of 3> set <output_at 0..2 of 3>\n"
#define LEADER                                                                                     \
    "copy from <input 0 of 3> set <shared 0 of 3>\nawait member 1 arrived\n"                       \
    "recv_blocks rank 2 set <shared 2 of 3>\nsend_blocks rank 2 set <shared 0..1 of 3>\n"
#define MEMBER  "copy from <input 1 of 3> set <shared 1 of 3>\nsignal arrived\n"
#define ALL_OUT "copy from <shared 0..2 of 3> set <output_at 0..2 of 3>\n"

static void test_landing(void **state)
{
    static const struct head head = {"allgather", "node:2,1", 3, "3 root 0 work 0 first 0 shared"};
    static const struct flawed flawed[] = {
        {NOWHERE,
         "",
         {LEADER "wait 0\nsignal done\n" ALL_OUT, MEMBER "await member 0 done\n" ALL_OUT, ALONE}},
        {ALL,
         "race: reads a block in the landing|nobody has received the block of rank 2|"
         "race: writes it there|reads block 2 of shared, where nothing was written",
         {LEADER "signal done\nwait 0\n" ALL_OUT, MEMBER "await member 0 done\n" ALL_OUT, ALONE}},
        {ALL,
         "race: reads a block in the landing|nobody has received the block of rank 2|"
         "race: writes it there|race: reads a slot|rank 0 has not filled its slot",
         {LEADER "wait 0\nsignal done\n" ALL_OUT, MEMBER ALL_OUT, ALONE}},
        {ALL,
         "race: reads a slot|rank 1 has not filled its slot|race: writes a slot",
         {"copy from <input 0 of 3> set <shared 0 of 3>\nrecv_blocks rank 2 set <shared 2 of 3>\n"
          "send_blocks rank 2 set <shared 0..1 of 3>\nwait 0\nsignal done\n" ALL_OUT,
          MEMBER "await member 0 done\n" ALL_OUT, ALONE}},
        {ALL,
         "before the message that brings it was waited for",
         {LEADER ALL_OUT "wait 0\nsignal done\n", MEMBER "await member 0 done\n" ALL_OUT, ALONE}},
    };
    (void)state;
    REQUIRE(head, flawed);
}

/* --- segments in slots ------------------------------------------------------------------------ */

#define PASSES(steps) "repeat passes\n" steps "end\n"
#define ARRIVED       "signal arrived\n"
#define FROM_ROOT     "await member 0 arrived\n"
#define ROOT          PASSES("copy from <output 0 of 4> set <slot 0 of 12> step 1\n" ARRIVED)
#define LEAF          PASSES(FROM_ROOT "copy from <slot 0 of 12> set <output 0 of 4> step 1\n")

/* The root runs ahead of the others by as many passes as the ring has places. */
static void test_segments(void **state)
{
    static const struct head head = {"bcast", "node:1", 3, "4 root 0 work 0 first 0 slot 1"};
    static const struct flawed flawed[] = {
        {NOWHERE, "", {ROOT, LEAF, LEAF}},
        {NOWHERE,
         "",
         {ROOT, LEAF,
          PASSES(FROM_ROOT "copy from <slot 0 of 12> set <output 0 of 4> "
                           "step 1\nsignal arrived\n")}},
        {ALL,
         "race: reads a slot|rank 0 has not filled its slot|race: writes a slot",
         {ROOT, LEAF, PASSES("copy from <slot 0 of 12> set <output 0 of 4> step 1\n")}},
        {ALL,
         "race: reads a slot|rank 0 has not filled its slot|race: writes a slot",
         {PASSES(ARRIVED "copy from <output 0 of 4> set <slot 0 of 12> step 1\n"), LEAF, LEAF}},
        {ALL,
         "copies block 0 (slot) to the place of block 1 (output)",
         {ROOT, LEAF, PASSES(FROM_ROOT "copy from <slot 0 of 12> set <output 1 of 4> step 1\n")}},
        {ALL,
         "names segment 1 in pass 0, which pass 1 moves",
         {ROOT, LEAF, PASSES(FROM_ROOT "copy from <slot 1 of 12> set <output 1 of 4> step 1\n")}},
        {ALL,
         "names segment 0 in pass 1, which pass 0 moves",
         {ROOT, LEAF, PASSES(FROM_ROOT "copy from <slot 0 of 12> set <output 0 of 4>\n")}},
        {ALL,
         "rank 1 has not filled its slot in this call",
         {ROOT, LEAF, PASSES(FROM_ROOT "copy from <slot 4 of 12> set <output 0 of 4> step 1\n")}},
        {ALL,
         "writes into the slot of rank 1",
         {PASSES("copy from <output 0 of 4> set <slot 4 of 12> step 1\n" ARRIVED), LEAF, LEAF}},
        {ALL, "never written", {ROOT, LEAF, PASSES(FROM_ROOT)}},
        {ALL,
         "deadlock",
         {PASSES("copy from <output 0 of 4> set <slot 0 of 12> step 1\n"), LEAF, LEAF}},
        {ALL,
         "has not heard of member ",
         {PASSES("copy from <output 0 of 4> set <slot 0 of 12> step 1\nsignal done\n"), LEAF,
          LEAF}},
    };
    (void)state;
    REQUIRE(head, flawed);
}

/* Rank @ of two combines share @ of a pass, and puts the result in the place of its own
 * operands. */
#define FIRST_IN "copy from <input 0..1 of 4> set <slot 0..1 of 8> step 2\n" ARRIVED
#define OTHER_IN "copy from <input 0..1 of 4> set <slot 4..5 of 8> step 2\n" ARRIVED
#define ALL_IN   "await all arrived\n"
#define ALL_DONE "await all done\n"
#define FIRST                                                                                      \
    "copy from <slot 4 of 8> set <output 0 of 4> step 2\n"                                         \
    "reduce from <slot 0 of 8> set <output 0 of 4> step 2\n"                                       \
    "copy from <output 0 of 4> set <slot 0 of 8> step 2\nsignal done\n"
#define OTHER                                                                                      \
    "copy from <slot 5 of 8> set <output 1 of 4> step 2\n"                                         \
    "reduce from <slot 1 of 8> set <output 1 of 4> step 2\n"                                       \
    "copy from <output 1 of 4> set <slot 5 of 8> step 2\nsignal done\n"
#define FIRST_OUT "copy from <slot 5 of 8> set <output 1 of 4> step 2\n"
#define OTHER_OUT "copy from <slot 0 of 8> set <output 0 of 4> step 2\n"

static void test_shares(void **state)
{
    static const struct head head = {"allreduce", "node:1", 2,
                                     "4 root 0 work 0 first 0 slot 2 ordered"};
    static const struct flawed flawed[] = {
        {NOWHERE,
         "",
         {PASSES(FIRST_IN ALL_IN FIRST ALL_DONE FIRST_OUT),
          PASSES(OTHER_IN ALL_IN OTHER ALL_DONE OTHER_OUT)}},
        {ALL,
         "race: reads a slot|has not filled its slot|race: writes|has not heard of member",
         {PASSES(FIRST_IN FIRST ALL_DONE FIRST_OUT),
          PASSES(OTHER_IN ALL_IN OTHER ALL_DONE OTHER_OUT)}},
        {ALL,
         "race: reads a block of a slot|race: writes a block of a slot|is not what it must be",
         {PASSES(FIRST_IN ALL_IN FIRST ALL_IN FIRST_OUT),
          PASSES(OTHER_IN ALL_IN OTHER ALL_DONE OTHER_OUT)}},
        {ALL,
         "is not what it must be|race: reads a block of a slot",
         {PASSES(FIRST_IN ALL_IN "copy from <slot 0 of 8> set <output 0 of 4> step 2\n"
                                 "reduce from <slot 4 of 8> set <output 0 of 4> step 2\n"
                                 "copy from <output 0 of 4> set <slot 0 of 8> step 2\n"
                                 "signal done\n" ALL_DONE FIRST_OUT),
          PASSES(OTHER_IN ALL_IN OTHER ALL_DONE OTHER_OUT)}},
    };
    (void)state;
    REQUIRE(head, flawed);
}

/* --- plans that do not belong together -------------------------------------------------------- */

static void require_shape(struct call *call, const char *expected)
{
    struct strata_diagnostic message = {""};
    const struct strata_plan *const *calls[] = {(const struct strata_plan *const *)call->plans};
    struct strata_check options = {.seed = 1};
    assert_int_equal(strata_check_calls(calls, 1, 2, &options, &message), STRATA_ERR_PLAN);
    if (!strstr(message.text, expected)) {
        fail_msg("\"%s\", expected \"%s\"", message.text, expected);
    }
    drop(call);
}

/* Makes plans over items of plans over blocks. */
static void of_items(struct call *call)
{
    for (int rank = 0; rank < 2; rank++) {
        call->plans[rank]->collective = STRATA_ALLTOALL;
        call->plans[rank]->blocks = (struct strata_blocks){.count = 0};
    }
}

static void test_shape(void **state)
{
    static const char *const right[] = {RIGHT, NULL};
    struct call call;
    (void)state;
    make(&call, &two, right);
    call.plans[1]->blocks.count = 3;
    require_shape(&call, "other limits, exchange, blocks or nodes than rank 0");
    make(&call, &two, right);
    call.plans[1]->keeps_order = true;
    require_shape(&call, "other limits, exchange, blocks or nodes than rank 0");
    make(&call, &two, right);
    call.plans[1]->left_fold = true;
    require_shape(&call, "other limits, exchange, blocks or nodes than rank 0");
    make(&call, &two, right);
    call.plans[0]->blocks.count = call.plans[1]->blocks.count = 3;
    require_shape(&call, "not one block for each rank");
    make(&call, &two, right);
    call.plans[0]->root = call.plans[1]->root = 2;
    require_shape(&call, "its root is no rank");
    make(&call, &two, right);
    call.plans[1]->blocks.work_first = 2;
    require_shape(&call, "no block, or work that begins at none");
    make(&call, &two, right);
    call.plans[1]->blocks.by_position = true;
    require_shape(&call, "other limits, exchange, blocks or nodes than rank 0");
    make(&call, &two, right);
    call.plans[0]->exchange.lanes = call.plans[1]->exchange.lanes = 1;
    require_shape(&call, "a plan over blocks has no lanes");
    make(&call, &two, right);
    call.plans[1]->steps[1].peer = 2;
    require_shape(&call, "its peer is no rank");
    make(&call, &two, right);
    call.plans[1]->steps[1].set = call.plans[1]->nsets;
    require_shape(&call, "names a set that the plan does not have");
    make(&call, &two, right);
    call.plans[1]->boxes[0].store = STRATA_SHARED;
    require_shape(&call, "its set is not one of blocks of the plan's stores");
    make(&call, &two, right);
    call.plans[1]->boxes[0].origin = 2;
    require_shape(&call, "its set has a box out of bounds");
    make(&call, &two, right);
    call.plans[1]->sets[0].nboxes = 0;
    require_shape(&call, "reads more blocks than it writes, or fewer");
    make(&call, &two, right);
    call.plans[0]->posting.messages = 0;
    require_shape(&call, "posts more than it makes room for");
    make(&call, &two, right);
    call.plans[0]->limits.threshold = call.plans[1]->limits.threshold = 8;
    require_shape(&call, "a threshold where all ranks know all lengths");
    make(&call, &two, right);
    call.plans[0]->blocks.slot = call.plans[1]->blocks.slot = -1;
    require_shape(&call, "its slots hold less than nothing");
    make(&call, &two, right);
    call.plans[1]->mark++;
    require_shape(&call, "other limits, exchange, blocks or nodes than rank 0");
}

static void test_shape_of_items(void **state)
{
    static const char *const right[] = {RIGHT, NULL};
    struct call call;
    (void)state;
    make(&call, &two, right);
    call.plans[0]->blocks.count = call.plans[1]->blocks.count = 0;
    require_shape(&call, "a plan over items is for an alltoall of some kind");
    make(&call, &two, right);
    of_items(&call);
    call.plans[0]->blocks.work = call.plans[1]->blocks.work = 1;
    require_shape(&call, "a plan over items has no stores of blocks");
    make(&call, &two, right);
    of_items(&call);
    call.plans[0]->exchange.lane_messages = call.plans[1]->exchange.lane_messages = -1;
    require_shape(&call, "room for less than no message");
    make(&call, &two, right);
    of_items(&call);
    require_shape(&call, "its set is not one of blocks of the plan's stores");
    make(&call, &two, right);
    of_items(&call);
    call.plans[0]->steps[0].op = STRATA_STEP_REDUCE;
    require_shape(&call, "a plan over items has no such step");
}

/* A plan over items and a plan over blocks, in both orders. */
static void test_both_families(void **state)
{
    static const char *const right[] = {RIGHT, NULL};
    struct call blocks;
    struct strata_plan *items[2];
    struct strata_diagnostic message = {""};
    (void)state;
    make(&blocks, &two, right);
    for (int r = 0; r < 2; r++) {
        struct strata_builder b;
        strata_builder_init(&b, STRATA_ALLTOALLV, "pairs", r, blocks.topology);
        strata_build_direct(&b, strata_build_set(&b, strata_box_all(2)), 0);
        strata_build_wait_direct(&b, 0);
        assert_int_equal(strata_builder_finish(&b, &items[r]), STRATA_OK);
    }
    const struct strata_plan *const *one = (const struct strata_plan *const *)blocks.plans;
    const struct strata_plan *const *other = (const struct strata_plan *const *)items;
    const struct strata_plan *const *calls[] = {one, other, other, one};
    for (int i = 0; i < 6; i++) {
        struct strata_check options = {.rendezvous = i & 1, .schedule = i / 2, .seed = 4};
        assert_int_equal(strata_check_calls(calls, 4, 2, &options, &message), STRATA_OK);
    }
    strata_plan_destroy(items[0]);
    strata_plan_destroy(items[1]);
    drop(&blocks);
}

static void test_check_plan(void **state)
{
    static const struct head head = {"alltoall", "node:2", 2, "2 root 0 work 0 first 0"};
    static const char *const only_apart[] = {
        MINE RECV "send_blocks rank ~ set <input ~ of 2>\nwait 0\n", NULL};
    struct strata_diagnostic message = {""};
    struct call call;
    (void)state;
    make(&call, &head, only_apart);
    assert_int_equal(
        strata_check_plan((const struct strata_plan *const *)call.plans, 2, 1, &message),
        STRATA_ERR_PLAN);
    assert_non_null(strstr(message.text, "call 0 in place, rank "));
    drop(&call);
}

static void test_no_memory(void **state)
{
    static const struct head head = {"allgather", "node:2,1", 3, "3 root 0 work 1 first 0 shared"};
    static const struct head reduction = {"allreduce", "node:3", 3, "1 root 0 work 2 first 0"};
    static const char *const bodies[] = {LEADER "wait 0\nsignal done\n" ALL_OUT,
                                         MEMBER "await member 0 done\n" ALL_OUT, ALONE};
    (void)state;
    for (int which = 0; which < 2; which++) {
        struct call call;
        struct strata_diagnostic message = {""};
        int status = STRATA_ERR_MEMORY, after = 0;
        make(&call, which ? &reduction : &head, which ? right_order.bodies : bodies);
        const struct strata_plan *const *plans = (const struct strata_plan *const *)call.plans;
        const struct strata_plan *const *calls[] = {plans, plans};
        struct strata_check options = {.rendezvous = true, .schedule = 1};
        for (; status == STRATA_ERR_MEMORY; after++) {
            strata_memory_fail_after(after);
            status = strata_check_calls(calls, 2, 3, &options, &message);
            strata_memory_fail_after(-1);
        }
        assert_int_equal(status, STRATA_OK);
        ASSERT_CMP(after, >, 20);
        drop(&call);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_open_messages),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_matching),
        cmocka_unit_test(test_lengths_of_alltoallv),
        cmocka_unit_test(test_rooted),
        cmocka_unit_test(test_order_of_operands),
        cmocka_unit_test(test_left_fold),
        cmocka_unit_test(test_contributions),
        cmocka_unit_test(test_scans),
        cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_in_place_at_the_front),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_slots),
        cmocka_unit_test(test_lengths_in_slots),
        cmocka_unit_test(test_vectors_in_slots),
        cmocka_unit_test(test_once),
        cmocka_unit_test(test_landing),
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_shape_of_items),
        cmocka_unit_test(test_both_families),
        cmocka_unit_test(test_check_plan),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("check_blocks", tests, NULL, NULL);
}
