/* The functions that complete, start and free requests, MPI's or Strata's own. A file that includes
 * it says whose: OWN, REQUEST, and NAME(Wait, wait), the function's name; it defines find_next. */

#define NEXT(Name, name) static __typeof__(NAME(Name, name)) *next_##Name;
RECORDER_COMPLETING(NEXT)

static void find_next(void);

/* A library's constructor that calls MPI may come before this library's own; Strata's functions are
 * found when they are first called. */
static void find_next_early(void)
{
    if (!next_Wait) {
        find_next();
    }
}

static void begin(struct recorder_wait *w, int count, REQUEST const *requests, const void *site)
{
    find_next_early();
    recorder_wait_begin(w, OWN, count, requests, site, false);
}

/* One of the requests is enough. */
static void begin_any(struct recorder_wait *w, int count, REQUEST const *requests, const void *site)
{
    find_next_early();
    recorder_wait_begin(w, OWN, count, requests, site, true);
}

STRATA_PUBLIC int NAME(Wait, wait)(REQUEST *request, MPI_Status *status)
{
    struct recorder_wait w;
    begin(&w, 1, request, __builtin_return_address(0));
    const int error = next_Wait(request, status);
    recorder_wait_all(&w, 1, request, error);
    recorder_wait_end(&w);
    return error;
}

STRATA_PUBLIC int NAME(Waitall, waitall)(int count, REQUEST requests[], MPI_Status statuses[])
{
    struct recorder_wait w;
    begin(&w, count, requests, __builtin_return_address(0));
    const int error = next_Waitall(count, requests, statuses);
    recorder_wait_all(&w, count, requests, error);
    recorder_wait_end(&w);
    return error;
}

STRATA_PUBLIC int NAME(Waitany, waitany)(int count, REQUEST requests[], int *index,
                                         MPI_Status *status)
{
    struct recorder_wait w;
    begin_any(&w, count, requests, __builtin_return_address(0));
    const int error = next_Waitany(count, requests, index, status);
    recorder_wait_some(&w, count, requests, &(int){1}, index, error);
    recorder_wait_end(&w);
    return error;
}

STRATA_PUBLIC int NAME(Test, test)(REQUEST *request, int *flag, MPI_Status *status)
{
    struct recorder_wait w;
    begin(&w, 1, request, NULL);
    const int error = next_Test(request, flag, status);
    recorder_wait_all(&w, error != MPI_SUCCESS || *flag ? 1 : 0, request, error);
    recorder_wait_end(&w);
    return error;
}

STRATA_PUBLIC int NAME(Testall, testall)(int count, REQUEST requests[], int *flag,
                                         MPI_Status statuses[])
{
    struct recorder_wait w;
    begin(&w, count, requests, NULL);
    const int error = next_Testall(count, requests, flag, statuses);
    recorder_wait_all(&w, error != MPI_SUCCESS || *flag ? count : 0, requests, error);
    recorder_wait_end(&w);
    return error;
}

STRATA_PUBLIC int NAME(Testany, testany)(int count, REQUEST requests[], int *index, int *flag,
                                         MPI_Status *status)
{
    struct recorder_wait w;
    begin_any(&w, count, requests, NULL);
    const int error = next_Testany(count, requests, index, flag, status);
    recorder_wait_some(&w, count, requests, &(int){error == MPI_SUCCESS && *flag}, index, error);
    recorder_wait_end(&w);
    return error;
}

STRATA_PUBLIC int NAME(Testsome, testsome)(int count, REQUEST requests[], int *done, int indices[],
                                           MPI_Status statuses[])
{
    struct recorder_wait w;
    begin_any(&w, count, requests, NULL);
    const int error = next_Testsome(count, requests, done, indices, statuses);
    recorder_wait_some(&w, count, requests, done, indices, error);
    recorder_wait_end(&w);
    return error;
}

STRATA_PUBLIC int NAME(Start, start)(REQUEST *request)
{
    find_next_early();
    recorder_start(OWN, 1, request, __builtin_return_address(0));
    return next_Start(request);
}

STRATA_PUBLIC int NAME(Request_free, request_free)(REQUEST *request)
{
    find_next_early();
    recorder_forget_request(OWN, request);
    return next_Request_free(request);
}
