/* Both exchanges by blocking, nonblocking and persistent calls. */
#include "apps/common/team.h"
#include "apps/is_sort/is.h"
#include "include/strata.h"

const char *const is_exchange_name[IS_EXCHANGES] = {"strata", "mpi"};
const char *const is_calls_name[IS_CALLS] = {"blocking", "nonblocking", "persistent"};
const char *const is_mode_name[IS_MODES] = {"ranks", "members", "parts", "team"};

/* The arguments of both collectives, as MPI and Strata take them. */
#define COUNTS s->told, s->pieces, MPI_INT, s->recv_counts, s->pieces, MPI_INT, s->comm
#define KEYS                                                                                       \
    s->bucketed.keys, s->send_counts, s->send_displs, MPI_INT, s->received.keys, s->recv_counts,   \
        s->recv_displs, MPI_INT, s->comm

static int await(int error, struct strata_request **request)
{
    return error != MPI_SUCCESS ? error : strata_wait(request, MPI_STATUS_IGNORE);
}

static int strata_counts(struct is_sort *s)
{
    return strata_alltoall(COUNTS);
}

static int strata_keys(struct is_sort *s)
{
    return strata_alltoallv(KEYS);
}

static int strata_counts_begun(struct is_sort *s)
{
    struct strata_request *request = NULL;
    return await(strata_ialltoall(COUNTS, &request), &request);
}

static int strata_keys_begun(struct is_sort *s)
{
    struct strata_request *request = NULL;
    return await(strata_ialltoallv(KEYS, &request), &request);
}

static int strata_counts_again(struct is_sort *s)
{
    int error = s->counts ? MPI_SUCCESS : strata_alltoall_init(COUNTS, MPI_INFO_NULL, &s->counts);
    error = error == MPI_SUCCESS ? strata_start(&s->counts) : error;
    return await(error, &s->counts);
}

/* Each iteration has its own counts, so its call is described anew and started once. */
static int strata_keys_again(struct is_sort *s)
{
    struct strata_request *request = NULL;
    int error = strata_alltoallv_init(KEYS, MPI_INFO_NULL, &request);
    error = error == MPI_SUCCESS ? strata_start(&request) : error;
    error = await(error, &request);
    return error == MPI_SUCCESS ? strata_request_free(&request) : error;
}

static int mpi_counts(struct is_sort *s)
{
    return MPI_Alltoall(COUNTS);
}

static int mpi_keys(struct is_sort *s)
{
    return MPI_Alltoallv(KEYS);
}

static int mpi_counts_begun(struct is_sort *s)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int error = MPI_Ialltoall(COUNTS, &request);
    int waited = MPI_Wait(&request, MPI_STATUS_IGNORE);
    return error != MPI_SUCCESS ? error : waited;
}

static int mpi_keys_begun(struct is_sort *s)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int error = MPI_Ialltoallv(KEYS, &request);         /* unknown to the analyzer */
    int waited = MPI_Wait(&request, MPI_STATUS_IGNORE); /* NOLINT(clang-analyzer-optin.mpi*) */
    return error != MPI_SUCCESS ? error : waited;
}

/* A call for each exchange. MPI-3 has no persistent collectives. */
static const struct {
    int (*counts)(struct is_sort *s), (*keys)(struct is_sort *s);
} calls[IS_EXCHANGES][IS_CALLS] = {
    [IS_STRATA] = {[IS_BLOCKING] = {strata_counts, strata_keys},
                   [IS_NONBLOCKING] = {strata_counts_begun, strata_keys_begun},
                   [IS_PERSISTENT] = {strata_counts_again, strata_keys_again}},
    [IS_MPI] = {[IS_BLOCKING] = {mpi_counts, mpi_keys},
                [IS_NONBLOCKING] = {mpi_counts_begun, mpi_keys_begun},
                [IS_PERSISTENT] = {mpi_counts_begun, mpi_keys_begun}},
};

int is_exchange_begin(struct is_sort *s)
{
    /* members are attached from the start, and parts by their description */
    bool ready = s->mode == IS_MEMBERS || s->mode == IS_PARTED || s->calls == IS_BLOCKING;
    int error = s->mode == IS_TEAM ? strata_team_create(s->threads, &s->team) : MPI_SUCCESS;
    return ready || error != MPI_SUCCESS ? error : strata_comm_attach(s->comm, NULL);
}

int is_exchange_counts(struct is_sort *s, enum is_exchange exchange)
{
    return calls[exchange][s->calls].counts(s);
}

struct keys {
    struct is_sort *sort;
    enum is_exchange exchange;
};

static int make(void *argument)
{
    const struct keys *k = argument;
    return calls[k->exchange][k->sort->calls].keys(k->sort);
}

int is_exchange_keys(struct is_sort *s, enum is_exchange exchange)
{
    struct keys keys = {s, exchange};
    return s->mode == IS_PARTED ? is_parts_exchange(s) : app_make(s->team, s->threads, make, &keys);
}

void is_exchange_end(struct is_sort *s)
{
    if (s->counts) {
        strata_request_free(&s->counts);
    }
    strata_team_free(&s->team);
}
