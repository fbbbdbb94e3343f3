/* The timed part: runs of ten iterations, with one exchange or with both in turn. */
#include "apps/is_sort/is.h"

/* Orders the exchanges for this iteration, so that each comes first every other time. */
static int order_exchanges(unsigned exchanges, int iteration, enum is_exchange order[IS_EXCHANGES])
{
    int n = 0;
    for (int e = 0; e < IS_EXCHANGES; e++) {
        int next = iteration % 2 ? e : IS_EXCHANGES - 1 - e;
        if (exchanges & 1u << next) {
            order[n++] = (enum is_exchange)next;
        }
    }
    return n;
}

/* Adds an iteration's times: the total of the slowest rank, and means over the ranks. */
static void add_times(struct is_sort *s, double mine[IS_PARTS], double *sum)
{
    double slowest = mine[IS_TOTAL];
    is_collect(s, &slowest, 1, MPI_DOUBLE, MPI_MAX);
    is_collect(s, mine, IS_PARTS, MPI_DOUBLE, MPI_SUM);
    for (int p = 0; p < IS_PARTS; p++) {
        mine[p] = p == IS_TOTAL ? slowest : mine[p] / s->ranks;
        sum[p] += mine[p];
    }
}

static void iterate(struct is_sort *s, enum is_exchange exchange, int iteration,
                    double seconds[IS_PARTS])
{
    is_sort_forget(s);
    is_meet(s);
    is_sort_iteration(s, exchange, iteration, seconds);
}

/* Times one iteration with one exchange. The last iteration is followed by the full
 * verification. */
static void timed(struct is_sort *s, struct is_result *result, enum is_exchange exchange,
                  int iteration, double seconds[IS_PARTS])
{
    s->tests_passed = 0;
    iterate(s, exchange, iteration, seconds);
    if (iteration == IS_ITERATIONS && exchange == IS_STRATA) {
        app_used_find(s->comm, s->mode == IS_MEMBERS,
                      &result->used); /* the last call is the exchange's */
    }
    is_collect(s, &s->tests_passed, 1, MPI_INT, MPI_SUM);
    result->tests_passed += s->tests_passed;
    add_times(s, seconds, result->seconds[result->runs]);
    if (iteration == IS_ITERATIONS) {
        result->sorted += is_verify_full(s);
        result->runs++;
    }
}

static void run_once(struct is_sort *s, unsigned exchanges, struct is_result *results,
                     const struct is_report *report, int run)
{
    enum is_exchange order[IS_EXCHANGES];
    double seconds[IS_EXCHANGES][IS_PARTS];
    is_keys_restore(s);
    int n = order_exchanges(exchanges, 0, order);
    for (int e = 0; e < n; e++) {
        iterate(s, order[e], 1, seconds[order[e]]); /* not timed */
    }
    for (int i = 1; i <= IS_ITERATIONS; i++) {
        n = order_exchanges(exchanges, i, order);
        for (int e = 0; e < n; e++) {
            timed(s, &results[order[e]], order[e], i, seconds[order[e]]);
        }
        if (report->progress) {
            is_report_iteration(report, run, i, seconds);
        }
    }
}

void is_run(struct is_sort *s, const struct is_options *options, struct is_result *results,
            const struct is_report *report)
{
    for (int run = 0; run < options->repeat; run++) {
        run_once(s, options->exchanges, results, report, run);
    }
}
