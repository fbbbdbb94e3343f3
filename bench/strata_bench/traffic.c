/* Counts the traffic of Strata's calls, and what served them. */
#include "bench/strata_bench/measurement.h"

void traffic_add(struct traffic *traffic, MPI_Comm comm, const struct strata_report *was)
{
    const struct strata_report now = measurement_report(comm);
    const double more[] = {(double)(now.messages - was->messages), (double)(now.bytes - was->bytes),
                           (double)(now.messages_node - was->messages_node),
                           (double)(now.bytes_node - was->bytes_node),
                           (double)(now.copied - was->copied)};
    traffic->by_plan += (double)(now.calls - was->calls);
    traffic->native += (double)(now.calls_native - was->calls_native);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        traffic->sum[i] += more[i];
    }
}
