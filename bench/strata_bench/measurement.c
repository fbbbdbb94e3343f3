/* One case, measured. */
#include "bench/strata_bench/measurement.h"

#include <string.h>

#include "bench/measure.h"

static void call_ours(const void *exchange)
{
    const struct exchange *e = exchange;
    e->collective->call(e, true);
}

static void call_theirs(const void *exchange)
{
    const struct exchange *e = exchange;
    e->collective->call(e, false);
}

void measurement_init(struct measurement *m, const struct options *options)
{
    size_t bytes = (size_t)options->batches * sizeof(double);
    *m = (struct measurement){.options = options, .machine = measure_machine()};
    MPI_Comm_dup(MPI_COMM_WORLD, &m->comm);
    m->ours = measure_need(bytes);
    m->theirs = measure_need(bytes);
    m->ratio = measure_need(bytes);
    m->same = measure_need(bytes);
#define FIGURE_ROW(word) m->figure[FIGURE_##word].name = #word;
    FIGURES(FIGURE_ROW)
#undef FIGURE_ROW
}

void measurement_fini(struct measurement *m)
{
    free(m->ours);
    free(m->theirs);
    free(m->ratio);
    free(m->same);
    MPI_Comm_free(&m->comm);
    MPI_Comm_free(&m->machine);
}

struct strata_report measurement_report(MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    strata_comm_report(comm, &report);
    return report;
}

/* Whether what ran is what the case names; m->text says what ran, or why not that. */
static bool is_chosen(struct measurement *m)
{
    const struct strata_report report = measurement_report(m->comm);
    const char *choice = m->now->algorithm;
    const size_t length = strcspn(choice, ":");
    const bool native = strcmp(report.algorithm, "native") == 0;
    if (strcmp(choice, "auto") != 0 && (strncmp(report.algorithm, choice, length) != 0 ||
                                        !strchr(":", report.algorithm[length]))) {
        snprintf(m->text, sizeof m->text, "not measured: %s", report.why);
        return false;
    }
    snprintf(m->text, sizeof m->text, native ? "%s (%s)" : "%s", report.algorithm, report.why);
    return true;
}

static bool agreed(bool mine)
{
    int all = mine;
    PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

const char *measurement_prove(struct measurement *m)
{
    if (exchange_same(&m->exchange)) {
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
    if (!agreed(is_chosen(m))) {
        m->failed = m->failed || m->now->named;
        return m->text;
    }
    return NULL;
}

const char *measurement_open(struct measurement *m, const struct bench_case *one)
{
    int ranks;
    MPI_Comm_size(m->comm, &ranks);
    const struct pattern_shape shape = {ranks, one->bytes, (uint64_t)m->options->seed};
    m->now = one;
    strata_comm_force(m->comm, one->collective->name,
                      strcmp(one->algorithm, "auto") == 0 ? NULL : one->algorithm);
    if (one->collective->reduces && one->bytes % (int)sizeof(unsigned) != 0) {
        snprintf(m->text, sizeof m->text,
                 "not measured: reductions add whole integers of %zu bytes", sizeof(unsigned));
        return m->text;
    }
    const char *error =
        exchange_create(&m->exchange, one->collective, one->pattern, &shape, m->comm);
    if (error) {
        m->failed = true;
        return error;
    }
    error = run_once(m);
    if (error) {
        exchange_destroy(&m->exchange);
        return error;
    }
    m->calls = measure_calls_for(call_ours, &m->exchange, m->options->seconds);
    m->their_calls = measure_calls_for(call_theirs, &m->exchange, m->options->seconds);
    m->batch = 0;
    m->before = measurement_report(m->comm);
    others_start(&m->others);
    return NULL;
}

double measurement_batch(struct measurement *m)
{
    if (m->batch == m->options->batches) { /* Google Benchmark may have runs of its own */
        return 0;
    }
    const int b = m->batch++;
    m->ours[b] = measure_batch(call_ours, &m->exchange, m->calls);
    m->theirs[b] = measure_batch(call_theirs, &m->exchange, m->their_calls);
    m->ratio[b] = m->theirs[b] / m->ours[b];
    m->same[b] = m->theirs[b] / measure_batch(call_theirs, &m->exchange, m->their_calls);
    if (m->batch < m->options->batches) {
        return 0;
    }
    return measure_median(m->ours, m->batch) * m->batch;
}
