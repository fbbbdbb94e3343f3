/* Computes the figures of a case from its batches. */
#include <math.h>
#include <string.h>

#include "bench/measure.h"
#include "bench/strata_bench/cases.h"
#include "bench/strata_bench/measurement.h"

/* Puts the median and its 95 % interval, which holds for any distribution of the times. The
 * interval leaves out as many sorted values at each end as a fair coin shows heads at most in n
 * throws, once in 40 times. Few batches leave out none. */
static void put_interval(struct measurement *m, enum metric at)
{
    int n = m->batch, out = 0;
    double below = exp(-n * log(2)); /* the probability of at most `out` heads */
    while (below <= 0.025 && out < n / 2) {
        out++;
        below += exp(lgamma(n + 1) - lgamma(out + 1) - lgamma(n - out + 1) - n * log(2));
    }
    out = out > 0 ? out - 1 : 0;
    m->metric[at] = measure_median(m->derived, n);
    m->metric[at + 1] = m->derived[out];
    m->metric[at + 2] = m->derived[n - 1 - out];
}

/* Puts the ratio of two series' neighbouring batches. */
static void put_ratio(struct measurement *m, enum series over, enum series under, enum metric at)
{
    for (int b = 0; b < m->batch; b++) {
        m->derived[b] = m->time[over][b] / m->time[under][b];
    }
    put_interval(m, at);
}

/* Puts the hidden share of a call's time alone: the share that the call does not add to a
 * computation beside it. */
static void put_hidden(struct measurement *m, enum series beside, enum series alone, enum metric at)
{
    for (int b = 0; b < m->batch; b++) {
        double added = m->time[beside][b] - m->time[COMPUTATION][b];
        m->derived[b] = 1 - added / m->time[alone][b];
    }
    put_interval(m, at);
}

/* The median of a series, which is sorted; so no other figure may need its order later. */
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

/* The number of starts that save the initialisation's time, against a call of that length; -1: none
 * does. */
static double starts(const struct measurement *m, double other_us)
{
    double saved = other_us - m->ours_us;
    return saved > 0 ? ceil(m->metric[METRIC_init_us] / saved) : -1;
}

/* After put_common, whose figures it uses. */
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

/* Puts the traffic of a call, summed over the ranks. */
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

/* Every case of a report has the same columns: the figures of the forms that the options ask
 * for. */
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

/* Also proves the results of later calls, which may go other ways than the first. */
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
