/* Exchanges by blocking, nonblocking and persistent calls. */
#include "apps/fft/remap.h"
#include "include/strata.h"

/* The arguments of both collectives, as MPI and Strata take them. */
#define PACKED                                                                                     \
    c->send, c->from->counts, c->from->displs, MPI_C_DOUBLE_COMPLEX, c->recv, c->to->counts,       \
        c->to->displs, MPI_C_DOUBLE_COMPLEX, c->comm
#define TYPED                                                                                      \
    c->send, c->from->ones, c->from->zeros, c->from->types, c->recv, c->to->ones, c->to->zeros,    \
        c->to->types, c->comm

typedef int call_blocking(const struct fft_call *c);
typedef int call_request(const struct fft_call *c, struct fft_request *r);

static int strata_packed(const struct fft_call *c)
{
    return strata_alltoallv(PACKED);
}

static int strata_packed_begun(const struct fft_call *c, struct fft_request *r)
{
    return strata_ialltoallv(PACKED, &r->ours);
}

static int strata_packed_again(const struct fft_call *c, struct fft_request *r)
{
    return strata_alltoallv_init(PACKED, MPI_INFO_NULL, &r->ours);
}

static int strata_typed(const struct fft_call *c)
{
    return strata_alltoallw(TYPED);
}

static int strata_typed_begun(const struct fft_call *c, struct fft_request *r)
{
    return strata_ialltoallw(TYPED, &r->ours);
}

static int strata_typed_again(const struct fft_call *c, struct fft_request *r)
{
    return strata_alltoallw_init(TYPED, MPI_INFO_NULL, &r->ours);
}

static int mpi_packed(const struct fft_call *c)
{
    return MPI_Alltoallv(PACKED);
}

static int mpi_packed_begun(const struct fft_call *c, struct fft_request *r)
{
    return MPI_Ialltoallv(PACKED, &r->mpis);
}

static int mpi_typed(const struct fft_call *c)
{
    return MPI_Alltoallw(TYPED);
}

static int mpi_typed_begun(const struct fft_call *c, struct fft_request *r)
{
    return MPI_Ialltoallw(TYPED, &r->mpis);
}

static const struct {
    call_blocking *blocking;
    call_request *begin, *describe; /* NULL: MPI-3 has none */
} calls[][FFT_TRANSPOSES] = {
    [FFT_STRATA] = {[FFT_PACK] = {strata_packed, strata_packed_begun, strata_packed_again},
                    [FFT_DATATYPE] = {strata_typed, strata_typed_begun, strata_typed_again}},
    [FFT_MPI] = {[FFT_PACK] = {mpi_packed, mpi_packed_begun, NULL},
                 [FFT_DATATYPE] = {mpi_typed, mpi_typed_begun, NULL}},
};

int fft_call(const struct fft_call *call)
{
    return calls[call->library][call->transpose].blocking(call);
}

int fft_call_begin(const struct fft_call *call, struct fft_request *request)
{
    *request = (struct fft_request){NULL, MPI_REQUEST_NULL};
    return calls[call->library][call->transpose].begin(call, request);
}

void fft_call_move(struct fft_request *request)
{
    int complete;
    if (request->ours) {
        strata_progress();
    } else {
        MPI_Test(&request->mpis, &complete, MPI_STATUS_IGNORE);
    }
}

int fft_call_wait(struct fft_request *request)
{
    if (request->ours) {
        return strata_wait(&request->ours, MPI_STATUS_IGNORE);
    }
    /* begun through a table, where the analyzer does not see it */
    return MPI_Wait(&request->mpis, MPI_STATUS_IGNORE); /* NOLINT(clang-analyzer-optin.mpi*) */
}

void fft_again_free(struct fft_again *again)
{
    if (again->request.ours) {
        strata_request_free(&again->request.ours);
    }
}

static int describe(const struct fft_call *call, struct fft_again *again)
{
    if (again->request.ours && again->send == call->send && again->recv == call->recv) {
        return MPI_SUCCESS;
    }
    fft_again_free(again);
    *again = (struct fft_again){{NULL, MPI_REQUEST_NULL}, call->send, call->recv};
    return calls[call->library][call->transpose].describe(call, &again->request);
}

int fft_call_again(const struct fft_call *call, struct fft_again *again)
{
    const bool described = calls[call->library][call->transpose].describe != NULL;
    int code = described ? describe(call, again) : fft_call_begin(call, &again->request);
    if (code == MPI_SUCCESS && described) {
        code = strata_start(&again->request.ours);
    }
    return code == MPI_SUCCESS ? fft_call_wait(&again->request) : code;
}
