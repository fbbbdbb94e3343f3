/* The forms of a call, and the proof that all forms deliver the same. */
#include "bench/strata_bench/forms.h"

#include "bench/strata_bench/mpi_persistent.h"
#include "strata.h"

const char *const form_name[FORMS] = {"blocking", "nonblocking", "persistent"};

static void block(const struct work *w, bool ours)
{
    w->exchange->collective->call(w->exchange, ours);
}

static int await(struct bench_request *r, bool ours)
{
    /* begun through a table, which the analyzer does not follow */
    return ours ? strata_wait(&r->ours, MPI_STATUS_IGNORE)
                : PMPI_Wait(&r->mpis, MPI_STATUS_IGNORE); /* NOLINT(clang-analyzer-optin.mpi*) */
}

static int begin(const struct exchange *e, struct bench_request *r, bool ours)
{
    *r = (struct bench_request){NULL, MPI_REQUEST_NULL};
    return e->collective->begin(e, ours, r);
}

static void begin_and_wait(const struct work *w, bool ours)
{
    struct bench_request r;
    begin(w->exchange, &r, ours);
    await(&r, ours);
}

/* Computes in registers alone, so that it shares only the processor with the communication. */
static void compute(long units)
{
    static volatile double result;
    double x = result;
    for (long i = 0; i < units; i++) {
        x = x * 0.5 + 1;
    }
    result = x;
}

static void compute_alone(const void *work)
{
    const struct work *w = work;
    for (long k = 0; k < w->parts; k++) {
        compute(w->part);
    }
}

/* Computes with tests in between, as a program does: a complete request is not tested again. */
static void compute_beside(const struct work *w, bool ours)
{
    struct bench_request r;
    int complete = 0;
    begin(w->exchange, &r, ours);
    for (long k = 0; k < w->parts; k++) {
        if (k > 0 && !complete && ours) {
            strata_test(&r.ours, &complete, MPI_STATUS_IGNORE);
        } else if (k > 0 && !complete) {
            PMPI_Test(&r.mpis, &complete, MPI_STATUS_IGNORE);
        }
        compute(w->part);
    }
    await(&r, ours);
}

static int start(struct bench_request *r, bool ours)
{
    return ours ? strata_start(&r->ours) : PMPI_Start(&r->mpis);
}

/* A persistent request stays at its address, so its handle may be copied. */
static void start_and_wait(const struct work *w, bool ours)
{
    struct bench_request r = w->request[ours ? OURS : MPIS];
    start(&r, ours);
    await(&r, ours);
}

#define BOTH(name)                                                                                 \
    static void ours_##name(const void *work)                                                      \
    {                                                                                              \
        name(work, true);                                                                          \
    }                                                                                              \
    static void mpis_##name(const void *work)                                                      \
    {                                                                                              \
        name(work, false);                                                                         \
    }
BOTH(block)
BOTH(begin_and_wait)
BOTH(compute_beside)
BOTH(start_and_wait)

measure_call *form_call(const struct collective *c, enum form form, enum series series)
{
    static measure_call *const calls[FORMS][CALLED_SERIES] = {
        [FORM_BLOCKING] = {[OURS] = ours_block, [MPIS] = mpis_block, [MPIS_AGAIN] = mpis_block},
        [FORM_NONBLOCKING] = {[OURS] = ours_compute_beside,
                              [MPIS] = mpis_compute_beside,
                              [MPIS_AGAIN] = mpis_compute_beside,
                              [OURS_OTHER] = ours_begin_and_wait,
                              [MPIS_OTHER] = mpis_begin_and_wait,
                              [COMPUTATION] = compute_alone},
        [FORM_PERSISTENT] = {[OURS] = ours_start_and_wait,
                             [MPIS] = mpis_block,
                             [MPIS_AGAIN] = mpis_block,
                             [OURS_OTHER] = ours_block,
                             [MPIS_OTHER] = mpis_start_and_wait},
    };
    const bool missing =
        form == FORM_PERSISTENT && series == MPIS_OTHER && !mpi_has_persistent(c->name);
    return missing ? NULL : calls[form][series];
}

static bool deliver_blocking(struct exchange *e, const unsigned char *expected)
{
    exchange_reset(e);
    return e->collective->call(e, true) == MPI_SUCCESS && exchange_holds(e, expected);
}

static bool deliver_nonblocking(struct exchange *e, const unsigned char *expected)
{
    struct bench_request r;
    exchange_reset(e);
    return begin(e, &r, true) == MPI_SUCCESS && await(&r, true) == MPI_SUCCESS &&
           exchange_holds(e, expected);
}

static bool deliver_persistent(struct exchange *e, const unsigned char *expected)
{
    struct bench_request r = {NULL, MPI_REQUEST_NULL};
    bool good = e->collective->describe(e, true, &r) == MPI_SUCCESS;
    const bool described = good;
    for (int i = 0; i < 2 && described; i++) {
        exchange_reset(e);
        good = start(&r, true) == MPI_SUCCESS && await(&r, true) == MPI_SUCCESS &&
               exchange_holds(e, expected) && good;
    }
    return described && strata_request_free(&r.ours) == MPI_SUCCESS && good;
}

/* Fills the buffer before each call with the same bytes; for a bcast with what the root sends. */
bool form_same(struct exchange *e, enum form form)
{
    static bool (*const deliver[FORMS])(struct exchange *, const unsigned char *) = {
        deliver_blocking, deliver_nonblocking, deliver_persistent};
    unsigned char *expected = measure_need(e->recv_bytes);
    exchange_reset(e);
    bool good = e->collective->call(e, false) == MPI_SUCCESS;
    memcpy(expected, e->recv, e->recv_bytes);
    good = deliver[form](e, expected) && good;
    free(expected);
    return exchange_agreed(good, e->comm);
}

void work_compute(struct work *w, double seconds, int tests)
{
    enum { UNITS = 1000 };
    w->parts = tests + 1;
    w->part = UNITS;
    const int calls = measure_calls_for(compute_alone, w, 0.01);
    const double part = measure_batch(compute_alone, w, calls) / (double)w->parts;
    const double units = UNITS * seconds / (double)w->parts / part;
    w->part = units < 1 ? 1 : units < 1e12 ? (long)units : (long)1e12;
}

static double describe(const struct work *w, struct bench_request *r, bool ours)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    double mine = MPI_Wtime(), slowest;
    w->exchange->collective->describe(w->exchange, ours, r);
    mine = MPI_Wtime() - mine;
    PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

void work_describe(struct work *w, double *ours, double *mpis)
{
    work_forget(w);
    *ours = describe(w, &w->request[OURS], true);
    *mpis = mpi_has_persistent(w->exchange->collective->name)
                ? describe(w, &w->request[MPIS], false)
                : 0;
}

void work_forget(struct work *w)
{
    if (w->request[OURS].ours) {
        strata_request_free(&w->request[OURS].ours);
    }
    if (w->request[MPIS].mpis != MPI_REQUEST_NULL) {
        PMPI_Request_free(&w->request[MPIS].mpis);
    }
}
