/* What the batches of a case come to. */
#include <math.h>
#include <string.h>

#include "bench/measure.h"
#include "bench/strata_bench/cases.h"
#include "bench/strata_bench/measurement.h"

/* The median, and between what it lies in 95 of 100 cases whatever the times' distribution: as
 * many of the sorted values are left out at each end as a fair coin shows heads at most, in that
 * many throws, once in 40 times. Few batches say no more than the least and the largest. */
static void put_interval(struct measurement *m, enum metric at)
{
    int n = m->batch, out = 0;
    double below = exp(-n * log(2)); /* of `out` heads at most */
    while (below <= 0.025 && out < n / 2) {
        out++;
        below += exp(lgamma(n + 1) - lgamma(out + 1) - lgamma(n - out + 1) - n * log(2));
    }
    out = out > 0 ? out - 1 : 0;
    m->metric[at] = measure_median(m->derived, n);
    m->metric[at + 1] = m->derived[out];
    m->metric[at + 2] = m->derived[n - 1 - out];
}

/* Of neighbouring batches. */
static void put_ratio(struct measurement *m, enum series over, enum series under, enum metric at)
{
    for (int b = 0; b < m->batch; b++) {
        m->derived[b] = m->time[over][b] / m->time[under][b];
    }
    put_interval(m, at);
}

/* The share of a call's time alone that it does not add to the computation beside it. */
static void put_hidden(struct measurement *m, enum series beside, enum series alone, enum metric at)
{
    for (int b = 0; b < m->batch; b++) {
        double added = m->time[beside][b] - m->time[COMPUTATION][b];
        m->derived[b] = 1 - added / m->time[alone][b];
    }
    put_interval(m, at);
}

/* Sorts the series: the last that is made of it. */
static double median_us(struct measurement *m, enum series s)
{
    return 1e6 * measure_median(m->time[s], m->batch);
}

static void put_nonblocking(struct measurement *m)
{
    m->metric[METRIC_tests] = m->options->tests;
    m->metric[METRIC_computation_us] = median_us(m, COMPUTATION);
    m->metric[METRIC_alone_us] = median_us(m, OURS_OTHER);
    m->metric[METRIC_mpi_alone_us] = median_us(m, MPIS_OTHER);
}

/* Starts after which the initialisation has been saved, beside a call that takes so long; -1: that
 * never comes. */
static double starts(const struct measurement *m, double other_us)
{
    double saved = other_us - m->ours_us;
    return saved > 0 ? ceil(m->metric[METRIC_init_us] / saved) : -1;
}

/* After the common figures. */
static void put_persistent(struct measurement *m)
{
    m->metric[METRIC_init_us] = median_us(m, OURS_INIT);
    m->metric[METRIC_mpi_init_us] = median_us(m, MPIS_INIT);
    m->metric[METRIC_blocking_us] = median_us(m, OURS_OTHER);
    m->metric[METRIC_mpi_persistent_us] = median_us(m, MPIS_OTHER);
    m->metric[METRIC_pays_after] = starts(m, m->metric[METRIC_blocking_us]);
    m->metric[METRIC_pays_after_mpi] = starts(m, m->metric[METRIC_mpi_us]);
}

static void put_common(struct measurement *m)
{
    const int last = m->batch - 1;
    m->ours_us = median_us(m, OURS);
    m->metric[METRIC_ours_least_us] = 1e6 * m->time[OURS][0];
    m->metric[METRIC_ours_most_us] = 1e6 * m->time[OURS][last];
    m->metric[METRIC_mpi_us] = median_us(m, MPIS);
    m->metric[METRIC_mpi_least_us] = 1e6 * m->time[MPIS][0];
    m->metric[METRIC_mpi_most_us] = 1e6 * m->time[MPIS][last];
    m->metric[METRIC_calls] = m->calls[OURS];
}

/* Sums over the ranks, a call. */
static void put_traffic(struct measurement *m)
{
    struct traffic *t = &m->traffic;
    const double calls = t->by_plan + t->native, payload = exchange_payload(&m->exchange);
    enum { SUMS = sizeof t->sum / sizeof *t->sum };
    PMPI_Allreduce(MPI_IN_PLACE, t->sum, SUMS, MPI_DOUBLE, MPI_SUM, m->comm);
    for (int i = 0; i < SUMS; i++) {
        m->metric[METRIC_messages_between + i] = calls > 0 ? t->sum[i] / calls : 0;
    }
    m->metric[METRIC_copies_per_byte] /= payload > 0 ? payload : 1;
    m->metric[METRIC_by_plan] = calls > 0 ? t->by_plan / calls : 0;
}

/* A report has the same columns for all its cases: those that some form asked for has. */
static void put_counters(struct measurement *m)
{
    static const struct {
        const char *name;
        unsigned forms;
    } metrics[] = {
#define METRIC_ROW(word, forms) {#word, forms},
        METRICS(METRIC_ROW)
#undef METRIC_ROW
    };
    unsigned asked = 0;
    for (int form = 0; form < FORMS; form++) {
        asked |= (unsigned)cases_listed(m->options->forms, form_name[form]) << form;
    }
    m->ncounters = 0;
    for (int i = 0; i < METRIC_COUNT; i++) {
        if (metrics[i].forms & asked) {
            m->counters[m->ncounters++] = (struct bench_counter){metrics[i].name, m->metric[i]};
        }
    }
}

/* What later calls deliver is proved too: they may go other ways than the first. */
const char *measurement_close(struct measurement *m)
{
    memset(m->metric, 0, sizeof m->metric);
    m->metric[METRIC_not_ours] = others_share(&m->others, m->machine);
    put_traffic(m);
    put_ratio(m, MPIS, OURS, METRIC_ratio);
    put_ratio(m, MPIS, MPIS_AGAIN, METRIC_same);
    if (m->now->form == FORM_NONBLOCKING) {
        put_hidden(m, OURS, OURS_OTHER, METRIC_hidden);
        put_hidden(m, MPIS, MPIS_OTHER, METRIC_mpi_hidden);
    } else if (m->now->form == FORM_PERSISTENT) {
        put_ratio(m, OURS_OTHER, OURS, METRIC_blocking_ratio);
        put_ratio(m, MPIS_OTHER, OURS, METRIC_mpi_persistent_ratio);
    }
    put_common(m);
    if (m->now->form == FORM_NONBLOCKING) {
        put_nonblocking(m);
    } else if (m->now->form == FORM_PERSISTENT) {
        put_persistent(m);
    }
    m->metric[METRIC_copy_us] = exchange_copy_us(&m->exchange, (int)m->metric[METRIC_calls]);
    put_counters(m);
    work_forget(&m->work);
    const char *error = measurement_prove(m);
    exchange_destroy(&m->exchange);
    return error;
}
