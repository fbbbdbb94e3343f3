/* strata_allgather_shared and strata_bcast_shared: run the collective's plan for a result that lies
 * once in each node, into memory on which the ranks have agreed. Read the file from its end
 * upwards. */
#include <stdio.h>
#include <string.h>

#include "api/attach/settings.h"
#include "api/call/arguments.h"
#include "api/call/call.h"
#include "api/call/call_sides.h"
#include "api/call/copy_elements.h"
#include "api/call/plans.h"
#include "api/call/results.h"
#include "api/call/run.h"
#include "api/life/life.h"
#include "api/process/recorded.h"
#include "core/base/memory.h"
#include "core/base/seldom.h"
#include "core/engine/node_memory.h"
#include "include/strata.h"
#include "internode/mpi/renamed_mpi.h"

/* The words on which all ranks agree, by a bitwise and. FREE: the free places of results, and
 * two bits more. The other words must be the same on all ranks, so each has its complement
 * beside it. */
enum { FREE, BYTES, NOT_BYTES, ROOT, NOT_ROOT, WORDS };
enum { PACKED_AT_ONCE = 1 << 24 };   /* bytes */
#define RIGHT    (UINT64_C(1) << 63) /* this rank's arguments are right */
#define TOGETHER (UINT64_C(1) << 62) /* this rank can share one result with its node */
_Static_assert(STRATA_MOST_RESULTS <= 62, "bits are left for more than places");

struct sharing {
    struct strata_call call;
    struct strata_signature signature; /* the call whose receive buffer is the result */
    const void *buffer;                /* the root's buffer, in a bcast */
    void *pointer;                     /* where the caller wants the result's address */
    size_t lead, bytes;                /* where the result begins in its memory; where it ends */
    uint64_t word[WORDS];
    struct strata_kept_result *result;
};

static bool broadcasts(const struct sharing *s)
{
    return s->signature.collective == STRATA_BCAST;
}

static size_t whole_lines(size_t bytes)
{
    return (bytes + STRATA_CACHE_LINE - 1) / STRATA_CACHE_LINE * STRATA_CACHE_LINE;
}

/* Finds the bytes from the first to the last received one, with gaps. The first element is aligned
 * as in any memory. False: no memory has so many bytes. */
static bool measure(struct sharing *s)
{
    const struct strata_side *side = &s->signature.recv;
    MPI_Count low, extent, first, length, last;
    MPI_Count elements = side->count * (broadcasts(s) ? 1 : s->call.state->ranks);
    bool fits;
    strata_type_extent(side->type, &low, &extent);
    strata_type_true_extent(side->type, &first, &length);
    fits = !__builtin_mul_overflow(elements > 0 ? elements - 1 : 0, extent, &last);
    low = first + (last < 0 ? last : 0);
    s->lead = low < 0 ? whole_lines((size_t)-low) : 0;
    fits = fits && !__builtin_add_overflow(first + length, last > 0 ? last : 0, &last);
    s->bytes = elements > 0 && last > 0 ? s->lead + (size_t)last : s->lead;
    return fits && s->bytes < SIZE_MAX / 4;
}

/* Whether the send block is as long as a received block. */
static bool as_long(const struct sharing *s)
{
    const struct strata_side *send = &s->signature.send, *recv = &s->signature.recv;
    MPI_Count sent, received;
    strata_type_size(send->type, &sent);
    strata_type_size(recv->type, &received);
    return send->count * sent == recv->count * received;
}

/* Looks for errors that this rank can see alone. */
static int check(struct sharing *s, const char **text)
{
    struct strata_call *c = &s->call;
    int error = strata_call_check(c, text);
    if (error != MPI_SUCCESS) {
        return error;
    }
    if (!s->pointer || s->signature.in_place) {
        *text = s->pointer ? "MPI_IN_PLACE is not allowed here" : "the pointer to a result is null";
        return s->pointer ? MPI_ERR_BUFFER : MPI_ERR_ARG;
    }
    if (c->state->group) {
        *text = "the datatype cannot be used";
        error = strata_bind_check(&s->signature, c->process, c->state->group->comm);
    }
    if (error == MPI_SUCCESS && !broadcasts(s) && !as_long(s)) {
        *text = "what is sent is not as long as a block that is received";
        error = MPI_ERR_TRUNCATE;
    }
    if (error == MPI_SUCCESS && !measure(s)) {
        *text = "the result is longer than any memory";
        error = MPI_ERR_NO_MEM;
    }
    return error;
}

/* Whether this rank could write its blocks in place into a shared result. */
static bool may_share(const struct sharing *s)
{
    const struct strata_datatype *type = s->signature.recv.datatype;
    return s->call.state->group && !s->call.state->results.never && type && !type->packed;
}

/* Returns an error that is not raised yet. */
static int judge(const struct sharing *s, int mine, const char **text)
{
    const uint64_t *word = s->word;
    if (mine != MPI_SUCCESS) {
        return mine;
    }
    if (!(word[FREE] & RIGHT)) {
        *text = "another rank's arguments are wrong";
        return MPI_ERR_ARG;
    }
    if (~word[BYTES] != word[NOT_BYTES] || ~word[ROOT] != word[NOT_ROOT]) {
        bool root = ~word[ROOT] != word[NOT_ROOT];
        *text = root ? "the ranks disagree about the root" : "the ranks disagree about the size";
        return root ? MPI_ERR_ROOT : MPI_ERR_TRUNCATE;
    }
    return MPI_SUCCESS;
}

/* The ranks agree before any rank moves data. Returns an error that is raised. */
static int agree(struct sharing *s)
{
    const char *text = "";
    struct strata_diagnostic message;
    int wrong = check(s, &text);
    int root = broadcasts(s) ? s->signature.root : 0;
    uint64_t mine[WORDS] = {[FREE] = strata_results_free(s->call.state) & ~(RIGHT | TOGETHER),
                            [BYTES] = s->bytes,
                            [ROOT] = (uint64_t)root};
    int error;
    mine[FREE] |= (wrong == MPI_SUCCESS ? RIGHT : 0) | (may_share(s) ? TOGETHER : 0);
    mine[NOT_BYTES] = ~mine[BYTES];
    mine[NOT_ROOT] = ~mine[ROOT];
    error = strata_allreduce(mine, s->word, WORDS, MPI_UINT64_T, MPI_BAND, s->signature.comm);
    if (error != MPI_SUCCESS) {
        return error;
    }
    if (wrong != MPI_SUCCESS) {
        text = strata_arguments_say(&s->signature, wrong, text, &message);
    }
    error = judge(s, wrong, &text);
    return error == MPI_SUCCESS ? error : strata_call_raise(&s->call, error, text);
}

static void say_why(struct sharing *s, const char *why)
{
    snprintf(s->call.state->results.why, sizeof s->call.state->results.why, "%.*s",
             (int)sizeof s->call.state->results.why - 1, why);
}

/* Finds the plan that leaves the result once in each node. *together: there is such a plan. */
static int find_plan(struct sharing *s, bool *together)
{
    struct strata_call *c = &s->call;
    struct strata_diagnostic message = {""};
    struct strata_plan_key key;
    int error = strata_call_key(c, &key);
    *together = false;
    if (error != MPI_SUCCESS || strata_choice_native(&key.forced)) {
        say_why(s, "MPI's own is forced");
        return error;
    }
    key.once = true;
    if (key.forced.algorithm && !key.forced.algorithm->once) {
        key.forced = (struct strata_choice){.algorithm = NULL};
    }
    error = strata_plans_find(c->state->group, &key, c->signature, &c->entry, &message);
    *together = error == STRATA_OK && c->entry && c->entry->plan;
    if (error == STRATA_OK && !*together) {
        say_why(s, c->entry ? c->entry->selection.why : "out of memory for a plan");
    }
    return error == STRATA_OK ? MPI_SUCCESS
                              : strata_call_raise(c, strata_error_class(error), message.text);
}

static int find_memory(struct sharing *s, bool *together)
{
    struct strata_state *state = s->call.state;
    int error;
    error = strata_results_find(state, s->word[FREE], *together, s->bytes, &s->result);
    if (error == MPI_ERR_UNSUPPORTED_OPERATION && *together) {
        state->results.never = true;
        *together = false;
        say_why(s, "ranks of a node cannot find each other's open files, or /dev/shm has none");
        error = strata_results_find(state, s->word[FREE], false, s->bytes, &s->result);
    }
    return error == MPI_SUCCESS
               ? error
               : strata_call_raise(&s->call, error, "there is not so much memory for the result");
}

/* Copies the root's data to the result, where the others get them. */
static int put_in(const struct sharing *s)
{
    const struct strata_side *side = &s->signature.recv;
    const struct strata_datatype *type = side->datatype;
    if (type && !type->packed) {
        struct strata_layout from = {
            .base = strata_read_only(s->buffer), .type = &type->flat, .count = (size_t)side->count};
        struct strata_layout into = from;
        into.base = side->buffer;
        strata_layout_copy(&from, 0, &into, 0);
        return MPI_SUCCESS;
    }
    return strata_copy_elements(s->buffer, side->buffer, side->count, side->type,
                                s->signature.comm);
}

static STRATA_SELDOM int run_watched(struct strata_call *c)
{
    if (strata_record_served) {
        strata_record_served(c->signature->comm, c->signature->collective, c->entry->algorithm);
    }
    return c->process->explain.on ? strata_call_explained(c, strata_call_run) : strata_call_run(c);
}

static int run_plan(struct strata_call *c)
{
    return strata_watched ? run_watched(c) : strata_call_run(c);
}

/* Moves data into the memory on which the ranks agreed. */
static int move(struct sharing *s, bool together)
{
    struct strata_shared_results *results = &s->call.state->results;
    int error = MPI_SUCCESS;
    s->signature.recv.buffer = s->result->memory.write + s->lead;
    if (broadcasts(s) && s->signature.rank == s->signature.root) {
        error = put_in(s);
    }
    if (error != MPI_SUCCESS) {
        return strata_call_raise(&s->call, error, "the buffer cannot be copied");
    }
    results->once += together;
    results->copies += !together;
    error = together ? run_plan(&s->call) : strata_dispatch(&s->signature);
    if (error == MPI_SUCCESS) {
        const void *given = strata_results_give(s->result, s->lead);
        memcpy(s->pointer, &given, sizeof given);
    }
    return error;
}

static int share(struct sharing *s)
{
    struct strata_state *state = s->call.state;
    bool together = false;
    int error = agree(s);
    if (error == MPI_SUCCESS && s->word[FREE] & TOGETHER) {
        error = find_plan(s, &together);
    } else if (error == MPI_SUCCESS && !state->results.never) {
        say_why(s, state->group ? "a rank's datatype cannot be taken apart" : state->why);
    }
    error = error == MPI_SUCCESS ? find_memory(s, &together) : error;
    return error == MPI_SUCCESS ? move(s, together) : error;
}

/* Without a state: the others learn of it when they attach and when they agree. */
static int without_state(struct sharing *s)
{
    uint64_t none[WORDS] = {0};
    strata_attach_decline(s->call.process, s->signature.comm);
    (void)strata_allreduce(none, s->word, WORDS, MPI_UINT64_T, MPI_BAND, s->signature.comm);
    return strata_call_raise(&s->call, MPI_ERR_NO_MEM, "out of memory");
}

static int serve(struct sharing *s)
{
    struct strata_call *c = &s->call;
    const char *text;
    c->process = strata_process();
    c->signature = &s->signature;
    c->why = "";
    text = c->process ? strata_communicator_wrong(s->signature.comm) : "MPI is not running";
    if (text) {
        return strata_call_raise(c, c->process ? MPI_ERR_COMM : MPI_ERR_OTHER, text);
    }
    c->state = strata_state_find(c->process, s->signature.comm);
    if (!c->state) {
        return without_state(s);
    }
    (void)strata_attach(c->process, c->state, true);
    return share(s);
}

/* The receive buffer until the result's memory is known. */
static char nowhere;

/* A call's arguments, in either form. */
#define GATHER(wide)                                                                               \
    struct sharing s = {.signature = {.collective = STRATA_ALLGATHER,                              \
                                      .large = (wide),                                             \
                                      .comm = comm,                                                \
                                      .send = BLOCKS(sendbuf, sendcount, sendtype),                \
                                      .recv = BLOCKS(&nowhere, recvcount, recvtype)},              \
                        .pointer = result};                                                        \
                                                                                                   \
    return serve(&s)

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_allgather_shared(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *result,
                            int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    GATHER(false);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_allgather_shared_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                              void *result, MPI_Count recvcount, MPI_Datatype recvtype,
                              MPI_Comm comm)
{
    GATHER(true);
}

static int rank_of(MPI_Comm comm)
{
    int rank = MPI_PROC_NULL;
    if (comm != MPI_COMM_NULL && strata_process()) {
        PMPI_Comm_rank(comm, &rank);
    }
    return rank;
}

#define BROADCAST(wide)                                                                            \
    bool roots = rank_of(comm) == root;                                                            \
    struct sharing s = {.signature = {.collective = STRATA_BCAST,                                  \
                                      .large = (wide),                                             \
                                      .comm = comm,                                                \
                                      .recv = BLOCKS(roots ? buffer : &nowhere, count, datatype),  \
                                      .root = root},                                               \
                        .buffer = buffer,                                                          \
                        .pointer = result};                                                        \
                                                                                                   \
    return serve(&s)

/* NOLINTNEXTLINE(readability-function-size): the parameters are like MPI's */
int strata_bcast_shared(const void *buffer, int count, MPI_Datatype datatype, void *result,
                        int root, MPI_Comm comm)
{
    BROADCAST(false);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are like MPI's */
int strata_bcast_shared_c(const void *buffer, MPI_Count count, MPI_Datatype datatype, void *result,
                          int root, MPI_Comm comm)
{
    BROADCAST(true);
}
