/* A rank that cannot begin a node-aware plan over blocks, or a leader whose messages fail in the
 * middle of it, at each message in turn. No member of its node waits for ever, and a member that
 * reports success has every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hier/registry.h"
#include "sim/virtual/virtual_transport.h"
#include "tests/assert_cmp.h"
#include "tests/long.h"
#include "tests/sim/seated.h"

enum { RANKS = SEATED_RANKS, BYTES = 24, LANDING = 4096, NEVER = 1 << 30 };
enum { SEEDS = LONG_SANITIZED ? 12 : 40 }; /* 12: each number of leaders with each tree, twice */

/* The virtual transport, until `left` operations were made. */
struct faulty {
    struct strata_mailbox *box;
    int left;
};

static bool works(struct faulty *f)
{
    return --f->left >= 0;
}

static int reserve(void *self, int lane_requests, int direct_requests)
{
    struct faulty *f = self;
    return strata_transport_virtual.reserve(f->box, lane_requests, direct_requests);
}

static int recv_exactly(void *self, int peer, void *buffer, size_t bytes)
{
    struct faulty *f = self;
    return works(f) ? strata_transport_virtual.recv_exactly(f->box, peer, buffer, bytes)
                    : STRATA_ERR_TRANSPORT;
}

static int send(void *self, int peer, const void *buffer, size_t bytes)
{
    struct faulty *f = self;
    return works(f) ? strata_transport_virtual.send_exactly(f->box, peer, buffer, bytes)
                    : STRATA_ERR_TRANSPORT;
}

/* Repeated waiting is one operation. */
static int test(void *self, enum strata_traffic kind, int *open)
{
    struct faulty *f = self;
    int before = strata_mailbox_open(f->box);
    int status =
        f->left < 0 ? STRATA_ERR_TRANSPORT : strata_transport_virtual.test(f->box, kind, open);
    if (status == STRATA_OK && *open < before && !works(f)) {
        status = STRATA_ERR_TRANSPORT;
    }
    return status;
}

static void abandon(void *self)
{
    strata_transport_virtual.abandon(((struct faulty *)self)->box);
}

static const struct strata_transport faulty_transport = {.reserve = reserve,
                                                         .recv_exactly = recv_exactly,
                                                         .send_exactly = send,
                                                         .test = test,
                                                         .abandon = abandon};

struct trial {
    struct seated seated;
    struct faulty faulty[RANKS];
};

/* Draws Bruck or ring, which serve any number of nodes. */
static int between(struct random *r)
{
    const struct strata_parameter *parameter =
        &strata_registry_find("node_allgather")->parameters[1];
    const char *wanted = random_between(r, 0, 1) ? "bruck" : "ring";
    int value = 1;
    while (strcmp(strata_parameter_word(parameter, value), wanted) != 0) {
        value++;
    }
    return value;
}

static void start(struct trial *t, int rank, bool declines)
{
    struct strata_execution *x = seated_sit(&t->seated, rank, &faulty_transport, &t->faulty[rank]);
    t->faulty[rank].box = &t->seated.world->mail->boxes[rank];
    if (declines) { /* others may still be reading what the call before landed */
        unsigned char landed[LANDING];
        memset(x->memory->landing, 0xa5, LANDING);
        memset(landed, 0xa5, LANDING);
        t->seated.status[rank] = strata_engine_decline(x, STRATA_ERR_MEMORY);
        assert_memory_equal(x->memory->landing, landed, LANDING);
        return;
    }
    seated_start(&t->seated, rank);
}

/* Whether the rank waits for a message, or for a member that does. With several lanes the member
 * may be on another node, whose leader waits for the failed message. */
static bool waits_for_message(const struct seated *t, int rank)
{
    int node = t->topology->node_of[rank];
    while (t->status[rank] == STRATA_PENDING && t->x[rank].pending_member >= 0) {
        rank = strata_topology_rank(t->topology, node, t->x[rank].pending_member);
    }
    return t->status[rank] == STRATA_PENDING;
}

static void check(const struct seated *t, int failing, int leaders)
{
    for (int rank = 0; rank < RANKS; rank++) {
        bool peer = failing >= 0 && t->topology->node_of[rank] == t->topology->node_of[failing];
        bool may_wait = failing >= 0 && !(peer && leaders == 1) && waits_for_message(t, rank);
        assert_true(t->status[rank] != STRATA_PENDING || may_wait);
        seated_check(t, rank);
    }
}

/* Whether the rank's k-th operation was reached, and failed; k < 0: the rank does not begin. */
static bool run_trial(uint64_t seed, int failing, int k, int leaders, int tree)
{
    static struct trial t;
    static const int node_of[RANKS] = {0, 1, 0, 0, 1, 2, 1};
    struct strata_virtual_options options = {.rendezvous = seed % 2, .seed = (unsigned)seed};
    seated_init(&t.seated, BYTES, seed + 1);
    struct strata_problem problem = {.capacity = {.slot = 1024, .landing = LANDING},
                                     .parameter = {leaders, between(&t.seated.r), 1, tree}};
    seated_plan(&t.seated, RANKS, node_of, "node_allgather", problem);
    assert_int_equal(
        strata_virtual_create(t.seated.topology, 1024, LANDING, &options, &t.seated.world),
        STRATA_OK);
    for (int rank = 0; rank < RANKS; rank++) {
        t.faulty[rank].left = rank == failing ? k : NEVER;
        start(&t, rank, rank == failing && k < 0);
    }
    seated_run(&t.seated, 40 * RANKS, 20);
    int error = k < 0 ? STRATA_ERR_MEMORY : STRATA_ERR_TRANSPORT;
    bool failed = failing >= 0 && t.seated.status[failing] == error;
    assert_true(failing < 0 || failed || t.seated.status[failing] == STRATA_OK);
    check(&t.seated, failed ? failing : -1, leaders);
    seated_fini(&t.seated);
    return failed;
}

static void a_failing_leader_keeps_nobody(void **state)
{
    (void)state;
    int failures = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        int leaders = 1 + (int)(seed / 2 % 3), tree = 1 + (int)(seed / 6 % 2);
        run_trial(seed, -1, 0, leaders, tree);
        for (int failing = 0; failing < RANKS; failing++) {
            for (int k = -1; run_trial(seed, failing, k, leaders, tree); k++) {
                failures++;
                ASSERT_CMP(k, <, 100);
            }
        }
    }
    ASSERT_CMP(failures, >, 12 * SEEDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_failing_leader_keeps_nobody)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
