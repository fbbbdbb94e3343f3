/* MPI's own collectives, called with the arguments that the program gave. */
#include "api/call/signature.h"

#include "api/call/large.h"
#include "api/call/native_table.h"
#include "api/call/one_element.h"
#include "api/process/agree.h"

/* A side's arguments, as MPI's calls take them. */
#define BLOCKS(side)  s->side.buffer, (int)s->side.count, s->side.type
#define VARYING(side) s->side.buffer, s->side.counts, s->side.displs, s->side.type
#define TYPED(side)   s->side.buffer, s->side.counts, s->side.displs, s->side.types
#define OPERANDS      s->send.buffer, s->recv.buffer, (int)s->send.count, s->send.type, s->op
#define PARTS         s->send.buffer, s->recv.buffer, s->send.counts, s->send.type, s->op

#define NATIVE_TABLE(ROW) STRATA_NATIVE_TABLE(ROW) ROW(BARRIER, Barrier, barrier, s->comm)

int strata_native_call(const struct strata_signature *s)
{
    if (s->large) {
        return strata_native_large(s);
    }
    switch (s->collective) {
#define NATIVE_CASE(id, Name, name, ...)                                                           \
    case STRATA_##id:                                                                              \
        return PMPI_##Name(__VA_ARGS__);
        NATIVE_TABLE(NATIVE_CASE)
#undef NATIVE_CASE
    case STRATA_COLLECTIVE_COUNT:
        break;
    }
    return MPI_ERR_INTERN;
}

int strata_native_start(const struct strata_signature *s, MPI_Request *request)
{
    if (s->large) {
        return strata_native_start_large(s, request);
    }
    switch (s->collective) {
#define NATIVE_CASE(id, Name, name, ...)                                                           \
    case STRATA_##id:                                                                              \
        return PMPI_I##name(__VA_ARGS__, request);
        NATIVE_TABLE(NATIVE_CASE)
#undef NATIVE_CASE
    case STRATA_COLLECTIVE_COUNT:
        break;
    }
    return MPI_ERR_INTERN;
}

/* Open MPI 4.1's MPI_Ialltoallv and MPI_Ialltoallw hang, or mix up blocks, if they are in place and
 * some blocks are empty. */
static bool pairs_in_place(const struct strata_signature *s)
{
    return s->send.buffer == MPI_IN_PLACE &&
           (s->collective == STRATA_ALLTOALLV || s->collective == STRATA_ALLTOALLW);
}

int strata_native_moving_requests(const struct strata_signature *signature)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (strata_one_element_due(signature)) {
        return strata_one_element_reduce(signature);
    }
    if ((signature->large && !STRATA_STARTS_LARGE) || pairs_in_place(signature)) {
        int none = 0;
        int error = strata_agree(&none, 1, MPI_INT, MPI_MAX, signature->comm);
        return error == MPI_SUCCESS ? strata_native_call(signature) : error;
    }
    return strata_finish_moving_requests(strata_native_start(signature, &request), &request);
}
