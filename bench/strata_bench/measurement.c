/* Measures one case. */
#include "bench/strata_bench/measurement.h"

#include <math.h>
#include <string.h>

#include "bench/measure.h"

enum { MOST_UNEVEN = 64 };
enum { TRIED = 112 }; /* the most calls of a kind until MPI's own was tried beside the plan */

void measurement_init(struct measurement *m, const struct options *options)
{
    size_t bytes = (size_t)options->batches * sizeof(double);
    *m = (struct measurement){.options = options, .machine = measure_machine()};
    MPI_Comm_dup(MPI_COMM_WORLD, &m->comm);
    for (int s = 0; s < SERIES; s++) {
        m->time[s] = measure_need(bytes);
    }
    m->derived = measure_need(bytes);
}

void measurement_fini(struct measurement *m)
{
    for (int s = 0; s < SERIES; s++) {
        free(m->time[s]);
    }
    free(m->derived);
    MPI_Comm_free(&m->comm);
    MPI_Comm_free(&m->machine);
}

struct strata_report measurement_report(MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    strata_comm_report(comm, &report);
    return report;
}

static void say_what_ran(struct measurement *m, const struct strata_report *report)
{
    const bool native = strcmp(report->algorithm, "native") == 0;
    snprintf(m->text, sizeof m->text, native ? "%s (%s)" : "%s", report->algorithm, report->why);
}

/* Whether the algorithm of the case ran. m->text names what ran, or says why the algorithm did
 * not. */
static bool is_chosen(struct measurement *m)
{
    const struct strata_report report = measurement_report(m->comm);
    const char *choice = m->now->algorithm;
    const size_t length = strcspn(choice, ":");
    if (strcmp(choice, "auto") != 0 && (strncmp(report.algorithm, choice, length) != 0 ||
                                        !strchr(":", report.algorithm[length]))) {
        snprintf(m->text, sizeof m->text, "not measured: %s", report.why);
        return false;
    }
    say_what_ran(m, &report);
    return true;
}

const char *measurement_prove(struct measurement *m)
{
    if (form_same(&m->exchange, m->now->form)) {
        return NULL;
    }
    m->failed = true;
    snprintf(m->text, sizeof m->text, "WRONG: the data are not those of MPI's own");
    return m->text;
}

static const char *run_once(struct measurement *m)
{
    const char *error = measurement_prove(m);
    if (error) {
        return error;
    }
    if (!exchange_agreed(is_chosen(m), m->comm)) {
        m->failed = m->failed || m->now->named;
        return m->text;
    }
    return NULL;
}

/* Early calls of one kind try MPI's own beside the plan, and are not measured
 * (docs/decisions/trial.md). */
static void settle(struct measurement *m)
{
    if (m->now->form == FORM_BLOCKING) {
        measure_batch(form_call(m->now->collective, FORM_BLOCKING, OURS), &m->work, TRIED);
    }
}

/* Calls overlap with their neighbours in a batch, and in a batch of few calls the ranks' way out of
 * the barrier counts. So both batches have the same number of calls, unless one kind takes very
 * much longer. */
static void even_out(int *calls)
{
    const int more = calls[OURS] > calls[MPIS] ? calls[OURS] : calls[MPIS];
    const int fewer = calls[OURS] > calls[MPIS] ? calls[MPIS] : calls[OURS];
    if (more <= MOST_UNEVEN * fewer) {
        calls[OURS] = calls[MPIS] = more;
    }
    calls[MPIS_AGAIN] = calls[MPIS];
}

/* Finds the calls that fill a batch of each series, and a computation that could hide either whole
 * call. */
static void fit_calls(struct measurement *m)
{
    const enum form form = m->now->form;
    const double seconds = m->options->seconds;
    double communication = 0, ours, mpis;
    if (form == FORM_PERSISTENT) {
        work_describe(&m->work, &ours, &mpis);
    }
    for (int s = CALLED_SERIES - 1; s >= 0; s--) {
        measure_call *call = form_call(m->now->collective, form, (enum series)s);
        if (s == COMPUTATION || !call) {
            continue;
        }
        m->calls[s] = measure_calls_for(call, &m->work, m->options->seconds);
        if (form == FORM_NONBLOCKING && (s == OURS_OTHER || s == MPIS_OTHER)) {
            communication = fmax(communication, measure_batch(call, &m->work, m->calls[s]));
            work_compute(&m->work, communication, m->options->tests);
        }
    }
    even_out(m->calls);
    if (form == FORM_NONBLOCKING) {
        m->calls[COMPUTATION] =
            measure_calls_for(form_call(m->now->collective, form, COMPUTATION), &m->work, seconds);
    }
}

/* Attaches, so that nodes set memory aside for nonblocking calls. The initialisation of a
 * persistent call does so itself. */
static void attach(struct measurement *m)
{
    char call[64];
    snprintf(call, sizeof call, "i%s", m->now->collective->name);
    if (m->now->form == FORM_NONBLOCKING) {
        strata_comm_attach(m->comm, call);
    }
}

const char *measurement_open(struct measurement *m, const struct bench_case *one)
{
    int ranks;
    MPI_Comm_size(m->comm, &ranks);
    const struct pattern_shape shape = {ranks, one->bytes, (uint64_t)m->options->seed};
    m->now = one;
    strata_comm_force(m->comm, one->collective->name,
                      strcmp(one->algorithm, "auto") == 0 ? NULL : one->algorithm);
    attach(m);
    if (one->collective->reduces && one->bytes % (int)sizeof(unsigned) != 0) {
        snprintf(m->text, sizeof m->text,
                 "not measured: reductions add whole integers of %zu bytes", sizeof(unsigned));
        return m->text;
    }
    const char *error = exchange_create(&m->exchange, one->collective, one->pattern, &shape,
                                        m->options->mapped, m->comm);
    if (error) {
        m->failed = true;
        return error;
    }
    error = run_once(m);
    if (error) {
        exchange_destroy(&m->exchange);
        return error;
    }
    m->work = (struct work){.exchange = &m->exchange,
                            .request = {{NULL, MPI_REQUEST_NULL}, {NULL, MPI_REQUEST_NULL}}};
    settle(m);
    fit_calls(m);
    m->batch = 0;
    m->traffic = (struct traffic){0};
    others_start(&m->others);
    return NULL;
}

static void time_series(struct measurement *m, enum series s)
{
    measure_call *call = form_call(m->now->collective, m->now->form, s);
    m->time[s][m->batch] = measure_batch(call, &m->work, m->calls[s]);
}

static void time_ours(struct measurement *m)
{
    const struct strata_report was = measurement_report(m->comm);
    time_series(m, OURS);
    traffic_add(&m->traffic, m->comm, &was);
    /* alltoallv's first calls go by the block sizes of the previous case */
    const struct strata_report now = measurement_report(m->comm);
    say_what_ran(m, &now);
}

/* Between hosts the first batch after a pause takes up to 1.4 times as long as the same calls after
 * it. So each series comes first in turn. */
static void time_in_turn(struct measurement *m)
{
    enum series there[CALLED_SERIES];
    int n = 0;
    for (int s = 0; s < CALLED_SERIES; s++) {
        m->time[s][m->batch] = 0; /* in place of the previous case's time */
        if (form_call(m->now->collective, m->now->form, (enum series)s)) {
            there[n++] = (enum series)s;
        }
    }
    for (int i = 0; i < n; i++) {
        enum series s = there[(i + m->batch) % n];
        if (s == OURS) {
            time_ours(m);
        } else {
            time_series(m, s);
        }
    }
}

double measurement_batch(struct measurement *m)
{
    if (m->batch == m->options->batches) { /* Google Benchmark may add runs of its own */
        return 0;
    }
    if (m->now->form == FORM_PERSISTENT) {
        work_describe(&m->work, &m->time[OURS_INIT][m->batch], &m->time[MPIS_INIT][m->batch]);
    }
    time_in_turn(m);
    m->batch++;
    if (m->batch < m->options->batches) {
        return 0;
    }
    memcpy(m->derived, m->time[OURS], (size_t)m->batch * sizeof *m->derived);
    return measure_median(m->derived, m->batch) * m->batch;
}
