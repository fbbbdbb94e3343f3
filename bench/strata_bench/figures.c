/* What the batches of a case come to. */
#include <math.h>

#include "bench/measure.h"
#include "bench/strata_bench/measurement.h"

/* The median, and between what it lies in 95 of 100 cases whatever the times' distribution: as
 * many of the sorted values are left out at each end as a fair coin shows heads at most, in that
 * many throws, once in 40 times. Few batches say no more than the least and the largest. */
static void put_interval(struct measurement *m, double *values, const enum figure at[3])
{
    int n = m->batch, out = 0;
    double below = exp(-n * log(2)); /* of `out` heads at most */
    while (below <= 0.025 && out < n / 2) {
        out++;
        below += exp(lgamma(n + 1) - lgamma(out + 1) - lgamma(n - out + 1) - n * log(2));
    }
    out = out > 0 ? out - 1 : 0;
    m->figure[at[0]].value = measure_median(values, n);
    m->figure[at[1]].value = values[out];
    m->figure[at[2]].value = values[n - 1 - out];
}

/* Median, least and largest. */
static void put_spread(struct measurement *m, double *values, double unit, const enum figure at[3])
{
    m->figure[at[0]].value = unit * measure_median(values, m->batch);
    m->figure[at[1]].value = unit * values[0];
    m->figure[at[2]].value = unit * values[m->batch - 1];
}

/* Sums over the ranks, a call. */
static void put_traffic(struct measurement *m)
{
    const struct strata_report now = measurement_report(m->comm), *was = &m->before;
    const double by_plan = (double)(now.calls - was->calls);
    const double calls = by_plan + (double)(now.calls_native - was->calls_native);
    double sum[] = {(double)(now.messages - was->messages), (double)(now.bytes - was->bytes),
                    (double)(now.messages_node - was->messages_node),
                    (double)(now.bytes_node - was->bytes_node), (double)(now.copied - was->copied)};
    enum { SUMS = sizeof sum / sizeof *sum };
    PMPI_Allreduce(MPI_IN_PLACE, sum, SUMS, MPI_DOUBLE, MPI_SUM, m->comm);
    for (int i = 0; i < SUMS; i++) {
        m->figure[FIGURE_messages_between + i].value = calls > 0 ? sum[i] / calls : 0;
    }
    double payload = exchange_payload(&m->exchange);
    m->figure[FIGURE_copies_per_byte].value /= payload > 0 ? payload : 1;
    m->figure[FIGURE_by_plan].value = calls > 0 ? by_plan / calls : 0;
}

/* What later calls deliver is proved too: they may go other ways than the first. */
const char *measurement_close(struct measurement *m)
{
    static const enum figure ratio[] = {FIGURE_ratio, FIGURE_ratio_low, FIGURE_ratio_high},
                             same[] = {FIGURE_same, FIGURE_same_low, FIGURE_same_high},
                             theirs[] = {FIGURE_mpi_us, FIGURE_mpi_least_us, FIGURE_mpi_most_us};
    m->figure[FIGURE_not_ours].value = others_share(&m->others, m->machine);
    put_traffic(m);
    put_spread(m, m->theirs, 1e6, theirs);
    put_interval(m, m->ratio, ratio);
    put_interval(m, m->same, same);
    m->ours_us = 1e6 * measure_median(m->ours, m->batch);
    m->figure[FIGURE_ours_least_us].value = 1e6 * m->ours[0];
    m->figure[FIGURE_ours_most_us].value = 1e6 * m->ours[m->batch - 1];
    m->figure[FIGURE_calls].value = m->calls;
    const char *error = measurement_prove(m);
    exchange_destroy(&m->exchange);
    return error;
}
