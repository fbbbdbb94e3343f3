/* The calls that start and free persistent requests. */
#include "api/request/request.h"
#include "include/strata.h"

static int refuse(const char *call, const char *text)
{
    return strata_raise(MPI_COMM_NULL, MPI_ERR_REQUEST, call, text);
}

static bool is_startable(const struct strata_request *r)
{
    return r && r->persistent && strata_request_phase(r) == STRATA_REQUEST_INACTIVE;
}

int strata_start(struct strata_request **request)
{
    if (!request || !is_startable(*request)) {
        return refuse("start", "no persistent request, or one that is under way");
    }
    return strata_request_start(*request);
}

int strata_startall(int count, struct strata_request *requests[])
{
    int error = MPI_SUCCESS;
    if (count < 0 || (count > 0 && !requests)) {
        return strata_raise(MPI_COMM_NULL, MPI_ERR_ARG, "startall",
                            "count is negative, or requests is null");
    }
    for (int i = 0; error == MPI_SUCCESS && i < count; i++) {
        error = strata_start(&requests[i]);
    }
    return error;
}

int strata_request_free(struct strata_request **request)
{
    if (!request || !is_startable(*request)) {
        return refuse("request_free", "no persistent request, or one that is under way");
    }
    strata_request_destroy(*request);
    *request = NULL;
    return MPI_SUCCESS;
}
