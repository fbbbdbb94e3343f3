/* Persistent calls: what the ranks find out together before the first start. So no start has to
 * tell lengths, or fails for lengths that ranks disagree about. */
#include <stdio.h>

#include "api/call/exposed.h"
#include "api/call/lengths.h"
#include "api/call/rehearsal.h"
#include "api/call/sizes.h"
#include "api/process/agree.h"
#include "api/process/by_mpi.h"
#include "api/process/process.h"
#include "api/request/measure.h"
#include "api/request/request.h"
#include "core/base/memory.h"

struct initialisation {
    struct strata_call *call;
    struct strata_described described;
    int level;             /* enum strata_measured, the highest of all ranks */
    uint64_t *sent, *come; /* [ranks] bytes of the block for each rank; bytes of the block from
                              each rank */
    struct strata_diagnostic message;
};

/* The ranks agree on their greatest error, which each raises. A rank's own error is raised with its
 * text; without a text it was raised before. The ranks also tell each other whether they expose
 * mapped memory, and whether a rank excludes the call from plans. */
static int agree(struct initialisation *n, int error, const char *text)
{
    const struct strata_call *c = n->call;
    int word[] = {error, n->level, 0, 0, strata_request_excluded(c) != NULL}, class;
    if (error != MPI_SUCCESS) {
        PMPI_Error_class(error, &word[0]);
    } else {
        strata_exposed_tell(c->state->group, c->signature, word + 2);
    }
    if (strata_sequence_agree(c->state->sequence, word, 5, MPI_INT, MPI_MAX) != MPI_SUCCESS) {
        return strata_call_raise(c, MPI_ERR_OTHER, "the ranks could not agree");
    }
    class = word[0];
    n->level = word[1];
    n->described.mapped = word[2] && !word[3];
    n->described.excluded = word[4];
    if (error != MPI_SUCCESS) {
        return text ? strata_call_raise(c, error, text) : error;
    }
    return class == MPI_SUCCESS ? MPI_SUCCESS
                                : strata_call_raise(c, class, "another rank cannot have this call");
}

/* Whether some rank does not know the lengths of all blocks that it sends, receives or passes
 * on. */
static bool exchanges(enum strata_collective collective)
{
    return strata_collective_info[collective].varying &&
           (strata_collective_transposes(collective) || strata_collective_one_knows(collective));
}

static void find_lengths(const struct strata_signature *s, const struct strata_side *side,
                         uint64_t *lengths)
{
    for (int i = 0; i < strata_side_blocks(s, side); i++) {
        lengths[i] = strata_block_bytes(s, side, i);
    }
}

/* In place one side is significant, and stands for both. */
static const struct strata_side *side_of(const struct strata_signature *s, bool receives)
{
    const struct strata_side *side = receives ? &s->recv : &s->send;
    const struct strata_side *other = receives ? &s->send : &s->recv;
    return side->part == STRATA_NONE ? other : side;
}

/* Completes an exchange. Where this rank leaves it, the lengths stay, for MPI may use them. */
static int finish(struct initialisation *n, int error, MPI_Request *request)
{
    error = strata_group_finish(n->call->state->group, error, request);
    if (*request != MPI_REQUEST_NULL) {
        n->sent = n->come = NULL;
    }
    return error;
}

/* alltoallv, alltoallw: each block must be as long as this rank expects. */
static int exchange_pairs(struct initialisation *n)
{
    const struct strata_signature *s = n->call->signature;
    MPI_Comm comm = n->call->state->group->comm;
    MPI_Request request = MPI_REQUEST_NULL;
    int error;
    find_lengths(s, side_of(s, false), n->sent);
    if (n->call->state->thread) {
        error = strata_alltoall(n->sent, 1, MPI_UINT64_T, n->come, 1, MPI_UINT64_T, s->comm);
    } else {
        error = PMPI_Ialltoall(n->sent, 1, MPI_UINT64_T, n->come, 1, MPI_UINT64_T, comm, &request);
        error = finish(n, error, &request);
    }
    for (int i = 0; error == MPI_SUCCESS && i < s->ranks; i++) {
        uint64_t expected = strata_block_bytes(s, side_of(s, true), i);
        if (n->come[i] != expected) {
            error = MPI_ERR_TRUNCATE;
            (void)strata_fail(&n->message, STRATA_ERR_TRUNCATE,
                              "rank %d sends rank %d %llu bytes, which expects %llu", i, s->rank,
                              (unsigned long long)n->come[i], (unsigned long long)expected);
        }
    }
    return error;
}

static int compare(struct initialisation *n, int rank, uint64_t sent, uint64_t expected)
{
    if (sent != expected) {
        strata_lengths_say(&n->message, rank, sent, expected);
    }
    return sent == expected ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
}

/* gatherv: each rank tells its length, and the root compares. scatterv: the root tells all
 * lengths. */
static int exchange_rooted(struct initialisation *n)
{
    const struct strata_signature *s = n->call->signature;
    const bool gathers = s->collective == STRATA_GATHERV, root = s->rank == s->root;
    MPI_Comm comm = n->call->state->group->comm;
    MPI_Request request = MPI_REQUEST_NULL;
    uint64_t own;
    int error;
    if (root) {
        find_lengths(s, side_of(s, gathers), n->sent);
    }
    own = root && s->in_place ? n->sent[s->root] : strata_block_bytes(s, side_of(s, !gathers), 0);
    if (n->call->state->thread) {
        error = gathers ? strata_allgather(&own, 1, MPI_UINT64_T, n->come, 1, MPI_UINT64_T, s->comm)
                        : strata_bcast(n->sent, s->ranks, MPI_UINT64_T, s->root, s->comm);
    } else {
        n->come[s->ranks] = own;
        error = gathers ? PMPI_Iallgather(&n->come[s->ranks], 1, MPI_UINT64_T, n->come, 1,
                                          MPI_UINT64_T, comm, &request)
                        : PMPI_Ibcast(n->sent, s->ranks, MPI_UINT64_T, s->root, comm, &request);
        error = finish(n, error, &request);
    }
    for (int i = 0; error == MPI_SUCCESS && gathers && root && i < s->ranks; i++) {
        error = compare(n, i, n->come[i], n->sent[i]);
    }
    return error == MPI_SUCCESS && !gathers ? compare(n, s->rank, n->sent[s->rank], own) : error;
}

/* The other ranks with which this one exchanges bytes. */
static uint64_t degree_of(const struct initialisation *n)
{
    const struct strata_signature *s = n->call->signature;
    uint64_t out = 0, in = 0;
    for (int i = 0; i < s->ranks; i++) {
        out += i != s->rank && n->sent[i] > 0;
        in += i != s->rank && n->come[i] > 0;
    }
    return out > in ? out : in;
}

/* Finds the sizes that select a plan: the longest block, and, in an alltoallv, the busiest rank and
 * the largest degree, as the messages of a blocking alltoallv would bring them. */
static int find_sizes(struct initialisation *n, bool rooted)
{
    const struct strata_signature *s = n->call->signature;
    const uint64_t *lengths = s->collective == STRATA_GATHERV ? n->come : n->sent;
    uint64_t word[3] = {0, 0, 0};
    int error = MPI_SUCCESS;
    for (int i = 0; i < s->ranks; i++) {
        word[0] += lengths[i];
        word[1] = lengths[i] > word[1] ? lengths[i] : word[1];
        if (rooted) {
            n->described.lengths[i] = (size_t)lengths[i];
        }
    }
    if (!rooted) {
        word[2] = degree_of(n);
        error = strata_sequence_agree(n->call->state->sequence, word, 3, MPI_UINT64_T, MPI_MAX);
        n->described.degree = strata_sizes_degree(word[2], s->ranks);
    }
    if (error != MPI_SUCCESS) {
        strata_say(&n->message, "the ranks could not agree");
    }
    n->described.bytes = (double)word[0] / s->ranks;
    n->described.longest = word[1] > 0 ? (size_t)word[1] : 1;
    n->described.sized = true;
    return error;
}

static int exchange(struct initialisation *n)
{
    const enum strata_collective collective = n->call->signature->collective;
    const bool rooted = strata_collective_one_knows(collective);
    int error, sized;
    if (!exchanges(collective)) {
        return MPI_SUCCESS;
    }
    strata_say(&n->message, "the ranks could not tell each other lengths");
    error = rooted ? exchange_rooted(n) : exchange_pairs(n);
    sized = n->sent ? find_sizes(n, rooted) : error;
    return agree(n, error == MPI_SUCCESS ? sized : error, n->message.text);
}

/* Takes the memory that this rank needs for the rest. */
static int prepare(struct initialisation *n)
{
    const enum strata_collective collective = n->call->signature->collective;
    const size_t ranks = exchanges(collective) ? (size_t)n->call->state->ranks : 0;
    const bool rooted = strata_collective_one_knows(collective);
    struct strata_request *r = strata_allocate(1, sizeof *r);
    n->described.request = r;
    n->sent = strata_allocate(ranks, sizeof *n->sent);
    n->come = strata_allocate(ranks + 1, sizeof *n->come); /* and its own */
    n->described.lengths = rooted ? strata_allocate(ranks, sizeof *n->described.lengths) : NULL;
    if (!r || !n->sent || !n->come || (rooted && !n->described.lengths)) {
        return MPI_ERR_NO_MEM;
    }
    r->persistent = r->agreed = true;
    return MPI_SUCCESS;
}

static int make(void *argument)
{
    struct initialisation *n = argument;
    return strata_request_make(n->call, &n->described);
}

static int initialise(struct initialisation *n)
{
    int error = exchange(n);
    if (error != MPI_SUCCESS) {
        return error;
    }
    if (strata_sequence_take_memories(n->call->state->sequence) != STRATA_OK) {
        error = strata_call_raise(n->call, MPI_ERR_OTHER, "the ranks could not agree");
        return agree(n, error, NULL);
    }
    error = strata_request_measure(n->call, n->level, &n->described);
    if (error != MPI_SUCCESS) {
        return error;
    }
    return agree(n, strata_by_mpi(make, n), NULL);
}

int strata_request_initialise(struct strata_call *call, struct strata_checked checked,
                              MPI_Info info, struct strata_request **request)
{
    struct initialisation n = {.call = call};
    int error = checked.error;
    if (error == MPI_SUCCESS) {
        error = strata_measure_asked(call, info, &n.level, &checked.text);
    }
    if (error == MPI_SUCCESS && strata_sequence_broken(call->state->sequence)) {
        error = MPI_ERR_OTHER; /* the others would wait for this rank's starts */
        checked.text = "an earlier call failed on this rank";
    }
    if (prepare(&n) != MPI_SUCCESS && error == MPI_SUCCESS) {
        error = MPI_ERR_NO_MEM;
        checked.text = "out of memory";
    }
    error = agree(&n, error, checked.text);
    error = error == MPI_SUCCESS ? initialise(&n) : error;
    if (error == MPI_SUCCESS) {
        *request = n.described.request;
    } else if (n.described.request) {
        strata_request_destroy(n.described.request);
    }
    strata_release(n.sent);
    strata_release(n.come);
    strata_release(n.described.lengths);
    return error;
}
