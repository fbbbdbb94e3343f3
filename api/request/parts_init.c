/* strata_alltoallv_parts_init: makes the calls of a request with parts. */
#include <limits.h>
#include <string.h>

#include "api/call/call_sides.h"
#include "api/call/execute.h"
#include "api/life/life.h"
#include "api/process/agree.h"
#include "api/process/process.h"
#include "api/request/parts.h"
#include "core/base/memory.h"
#include "include/strata.h"
#include "internode/mpi/renamed_mpi.h"

struct description {
    struct strata_process *process;
    struct strata_state *state;           /* of the program's communicator */
    const struct strata_signature *whole; /* the counts that it sends are [parts][ranks] */
    MPI_Info info;
    int parts, calls;      /* as in struct strata_parts */
    uint64_t *sent, *come; /* [ranks][calls] bytes of each piece for and from each rank */
    int *counts, *displs;  /* [ranks] where the next part's pieces from each rank go */
    int *none;             /* [ranks] zeros */
    struct strata_parts *made;
    int error;
    const char *text;
};

static void note(struct description *d, int error, const char *text)
{
    if (d->error == MPI_SUCCESS) {
        d->error = error;
        d->text = text;
    }
}

/* All ranks raise an error if one rank has noted one. The first of the words is the error's class,
 * and the ranks find the most of the others. */
static int agree(struct description *d, int *word, int words)
{
    word[0] = MPI_SUCCESS;
    if (d->error != MPI_SUCCESS) {
        PMPI_Error_class(d->error, &word[0]);
    }
    const MPI_Comm comm = d->whole->comm;
    if (strata_agree(word, words, MPI_INT, MPI_MAX, comm) != MPI_SUCCESS) {
        word[0] = MPI_ERR_OTHER;
        note(d, MPI_ERR_OTHER, "the ranks could not agree");
    }
    if (word[0] != MPI_SUCCESS) {
        note(d, word[0], "another rank cannot have this call");
    }
    return d->error == MPI_SUCCESS || !d->text
               ? d->error
               : strata_raise(comm, d->error, "alltoallv_parts_init", d->text);
}

/* The call of a part, which may be one that this rank does not have. It receives as the whole. */
static struct strata_signature part_of(const struct description *d, int part)
{
    struct strata_signature s = *d->whole;
    const size_t at = (size_t)part * (size_t)d->state->ranks;
    s.send.counts = part < d->parts ? s.send.counts + at : d->none;
    s.send.displs = part < d->parts ? s.send.displs + at : d->none;
    return s;
}

static void check(struct description *d)
{
    const struct strata_side *send = &d->whole->send;
    const char *text = "";
    if (d->parts < 1 || d->parts > STRATA_MOST_PARTS || !send->counts || !send->displs) {
        note(d, MPI_ERR_ARG, "parts is not 1 to 64, or an array is null");
        return;
    }
    if (send->buffer == MPI_IN_PLACE) {
        note(d, MPI_ERR_ARG, "a call with parts cannot be in place");
        return;
    }
    for (int p = 0; p < d->parts; p++) {
        struct strata_signature s = part_of(d, p);
        struct strata_call c = {.process = d->process, .signature = &s, .state = d->state};
        const int error = strata_call_check(&c, &text);
        note(d, error, text);
    }
}

/* Takes memory for the description and the request. */
static void take_memory(struct description *d, struct strata_request **request)
{
    const size_t ranks = (size_t)d->state->ranks, pieces = ranks * (size_t)d->calls;
    d->sent = strata_allocate(pieces, sizeof *d->sent);
    d->come = strata_allocate(pieces, sizeof *d->come);
    d->counts = strata_allocate(3 * ranks, sizeof *d->counts);
    d->made = strata_parts_create(d->parts, d->calls);
    *request = strata_allocate(1, sizeof **request);
    if (!d->sent || !d->come || !d->counts || !d->made || !*request) {
        note(d, MPI_ERR_NO_MEM, "out of memory");
        return;
    }
    d->made->destroy = strata_request_destroy;
    d->displs = d->counts + ranks;
    d->none = d->displs + ranks;
}

/* MPIs differ in whether a new communicator has the handler of the one that it is made from. */
static void hand_on_handler(MPI_Comm from, MPI_Comm to)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (PMPI_Comm_get_errhandler(from, &handler) == MPI_SUCCESS) {
        PMPI_Comm_set_errhandler(to, handler);
        PMPI_Errhandler_free(&handler);
    }
}

/* What is forced on the program's communicator holds on this one, too. */
static void hand_on_choices(struct description *d, struct strata_state *to)
{
    if (!to) {
        note(d, MPI_ERR_NO_MEM, "out of memory");
        return;
    }
    to->forced = d->state->forced;
    memcpy(to->choice, d->state->choice, sizeof to->choice);
    to->asks_bits = d->state->asks_bits;
    to->same_bits = d->state->same_bits;
}

/* Each part has a communicator of its own. */
static void make_communicators(struct description *d)
{
    for (int p = 0; p < d->calls; p++) {
        MPI_Comm *comm = &d->made->part[p].comm;
        if (strata_private_communicator(d->whole->comm, comm) == MPI_SUCCESS) {
            hand_on_handler(d->whole->comm, *comm);
            hand_on_choices(d, strata_state_find(d->process, *comm));
        } else { /* the other ranks make the next ones */
            note(d, MPI_ERR_OTHER, "MPI makes no communicator for a part");
        }
    }
}

/* The ranks tell each other the lengths of all pieces. */
static void exchange_pieces(struct description *d)
{
    const struct strata_side *send = &d->whole->send;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Count size = 0;
    int error = strata_type_size(send->type, &size);
    for (int p = 0; p < d->parts; p++) {
        for (int r = 0; r < d->state->ranks; r++) {
            d->sent[(size_t)r * (size_t)d->calls + (size_t)p] =
                (uint64_t)size * (uint64_t)send->counts[p * d->state->ranks + r];
        }
    }
    error = error == MPI_SUCCESS
                ? PMPI_Ialltoall(d->sent, d->calls, MPI_UINT64_T, d->come, d->calls, MPI_UINT64_T,
                                 d->made->part[0].comm, &request)
                : error;
    if (strata_finish_moving_requests(error, &request) != MPI_SUCCESS) {
        note(d, MPI_ERR_OTHER, "the ranks could not tell each other lengths");
    }
}

/* The pieces from each rank must make up the block that is expected from it, and each must be a
 * whole number of elements. */
static void check_pieces(struct description *d)
{
    const struct strata_side *recv = &d->whole->recv;
    MPI_Count size = 0;
    if (strata_type_size(recv->type, &size) != MPI_SUCCESS) {
        note(d, MPI_ERR_TYPE, "the receive datatype has no size");
    }
    for (int r = 0; r < d->state->ranks; r++) {
        const uint64_t *piece = d->come + (size_t)r * (size_t)d->calls;
        uint64_t all = 0;
        for (int p = 0; p < d->calls; p++) {
            all += piece[p];
            if (size > 0 && piece[p] % (uint64_t)size != 0) {
                note(d, MPI_ERR_TYPE, "a piece is no whole number of elements received");
            }
        }
        if (all != (uint64_t)size * (uint64_t)recv->counts[r]) {
            note(d, MPI_ERR_TRUNCATE, "the pieces from a rank are not as long as the block");
        }
        if ((int64_t)recv->displs[r] + recv->counts[r] > INT_MAX) {
            note(d, MPI_ERR_ARG, "a block ends behind 2^31 elements");
        }
    }
}

/* Places the pieces of a part behind those of the parts before it. */
static void place(struct description *d, int part, MPI_Count size)
{
    for (int r = 0; r < d->state->ranks; r++) {
        const uint64_t bytes = d->come[(size_t)r * (size_t)d->calls + (size_t)part];
        d->displs[r] = part == 0 ? d->whole->recv.displs[r] : d->displs[r] + d->counts[r];
        d->counts[r] = size > 0 ? (int)(bytes / (uint64_t)size) : 0;
    }
}

/* Makes the calls of all parts. An error on one rank is an error on all where plans serve a call.
 * Elsewhere it may be this rank's alone, so the other calls are made all the same. */
static void make_calls(struct description *d)
{
    MPI_Count size = 0;
    strata_type_size(d->whole->recv.type, &size);
    for (int p = 0; p < d->calls; p++) {
        struct strata_part *part = &d->made->part[p];
        struct strata_signature s = part_of(d, p);
        s.comm = part->comm;
        place(d, p, size);
        s.recv.counts = d->counts;
        s.recv.displs = d->displs;
        (void)strata_attach(d->process, strata_state_find(d->process, s.comm), true);
        note(d, strata_request_create(&s, true, d->info, &part->call), NULL);
    }
}

/* Makes the request. Returns an MPI error code, raised already. */
static int describe(struct description *d, struct strata_request **request)
{
    int word[2] = {MPI_SUCCESS, d->parts};
    if (d->error == MPI_SUCCESS) {
        check(d);
    }
    int error = agree(d, word, 2);
    if (error != MPI_SUCCESS || !d->state) {
        return error;
    }
    d->calls = word[1];
    take_memory(d, request);
    error = agree(d, word, 1);
    if (error != MPI_SUCCESS) {
        return error;
    }
    make_communicators(d);
    error = agree(d, word, 1);
    if (error != MPI_SUCCESS) {
        return error;
    }
    exchange_pieces(d);
    check_pieces(d);
    error = agree(d, word, 1);
    if (error != MPI_SUCCESS) {
        return error;
    }
    make_calls(d);
    return agree(d, word, 1);
}

static int make(struct description *d, struct strata_request **request)
{
    struct strata_request *r = NULL;
    int error = describe(d, &r);
    strata_release(d->sent);
    strata_release(d->come);
    strata_release(d->counts);
    if (error != MPI_SUCCESS || !r) {
        strata_parts_destroy(d->made);
        strata_release(r);
        return error;
    }
    r->persistent = r->stays = true;
    r->bound.own.collective = d->whole->collective;
    r->parts = d->made;
    d->made->request = r;
    d->made->begin = strata_request_start;
    *request = r;
    return MPI_SUCCESS;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
int strata_alltoallv_parts_init(int parts, const void *sendbuf, const int sendcounts[],
                                const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
                                const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                                MPI_Comm comm, MPI_Info info, struct strata_request **request)
{
    const struct strata_signature whole = {
        .collective = STRATA_ALLTOALLV, .comm = comm, VARYING_TO_VARYING};
    struct description d = {
        .process = strata_process(), .whole = &whole, .info = info, .parts = parts};
    const char *text = d.process ? strata_communicator_wrong(comm) : "MPI is not running";
    if (text) {
        return strata_raise(MPI_COMM_NULL, d.process ? MPI_ERR_COMM : MPI_ERR_OTHER,
                            "alltoallv_parts_init", text);
    }
    d.state = strata_state_find(d.process, comm);
    if (!d.state) {
        note(&d, MPI_ERR_NO_MEM, "out of memory");
    } else if (!request) {
        note(&d, MPI_ERR_ARG, "request is null");
    }
    return make(&d, request);
}
