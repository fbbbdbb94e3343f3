/* What Strata says about its last exchange. */
#include "apps/is_sort/is.h"
#include "include/strata.h"

void is_describe_strata(MPI_Comm comm, struct is_result *result)
{
    struct strata_report r = {.size = sizeof r};
    if (strata_comm_report(comm, &r) != MPI_SUCCESS) {
        return;
    }
    snprintf(result->algorithm, sizeof result->algorithm, "%s", r.algorithm);
    int n = snprintf(result->used, sizeof result->used, "%s (%s)\n", r.algorithm, r.why);
    if (r.standing != STRATA_STANDING_ATTACHED || n < 0 || (size_t)n >= sizeof result->used) {
        return;
    }
    char blocks[96] = "every block goes rank to rank";
    if (r.lanes > 0) {
        snprintf(blocks, sizeof blocks,
                 "%d lane%s, %d pass%s; blocks above %llu bytes go rank to rank", r.lanes,
                 r.lanes == 1 ? "" : "s", r.passes, r.passes == 1 ? "" : "es",
                 (unsigned long long)r.threshold);
    }
    snprintf(result->used + n, sizeof result->used - (size_t)n,
             "%d node%s; %s\n"
             "%llu calls by plans, %llu by MPI; rank 0 sent %llu messages to other nodes\n",
             r.nodes, r.nodes == 1 ? "" : "s", blocks, (unsigned long long)r.calls,
             (unsigned long long)r.calls_native, (unsigned long long)r.messages);
}
