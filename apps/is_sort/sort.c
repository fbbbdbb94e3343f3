/* One iteration: buckets, their totals, the exchange, the ranks. */
#include <stdlib.h>

#include "apps/common/work.h"
#include "apps/is_sort/is.h"

static void give_up(const struct is_sort *s, const char *what)
{
    fprintf(stderr, "is_sort: rank %d: %s\n", s->rank, what);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    abort();
}

static void exchange_keys(struct is_sort *s, enum is_exchange exchange)
{
    int failed = is_exchange_counts(s, exchange);
    int64_t at = 0;
    for (int r = 0; r < s->ranks * s->pieces; r++) {
        s->recv_displs[r] = (int)at;
        at += s->recv_counts[r] > 0 ? s->recv_counts[r] : 0;
    }
    if (failed || at != s->before[s->cut[s->rank + 1]] - s->before[s->cut[s->rank]]) {
        give_up(s, "the exchange of counts failed");
    }
    if (is_exchange_keys(s, exchange)) {
        give_up(s, "the exchange of keys failed");
    }
}

/* Makes room for the keys of this iteration. The buffers hardly ever grow after the untimed
 * iteration. */
static void make_room(struct is_sort *s)
{
    int64_t keys = s->before[s->cut[s->rank + 1]] - s->before[s->cut[s->rank]];
    int64_t values = is_bucket_low(s->class, s->cut[s->rank + 1]) - s->low;
    if (keys > INT32_MAX) {
        give_up(s, "more keys than an int can count: use more ranks");
    }
    bool enough = is_buffer_reserve(&s->received, keys);
    if (values > s->smaller_capacity) {
        free(s->smaller);
        s->smaller = malloc((size_t)values * sizeof *s->smaller);
        s->smaller_capacity = s->smaller ? values : 0;
        enough = enough && s->smaller;
    }
    if (!enough) {
        give_up(s, "out of memory for received keys");
    }
}

static void set_keys(struct is_sort *s, int iteration)
{
    if (s->rank == 0) {
        s->keys.keys[iteration] = iteration;
        s->keys.keys[iteration + IS_ITERATIONS] = (1 << s->class->log_max_key) - iteration;
    }
}

/* The visits of sorting into buckets: a thread reads its keys twice and writes them, and clears its
 * counters; then one thread turns the counters of all into places. */
static double bucket_visits(const struct is_sort *s)
{
    return 3 * app_largest_share(s->count, s->threads) + (1. + s->threads) * is_buckets(s->class);
}

/* The visits of counting by the thread that has the most: counters are cleared and summed, keys are
 * read and counted. */
static double count_visits(const struct is_sort *s)
{
    double most = 0;
    for (int t = 0; t < s->threads; t++) {
        const int first = s->share[t], last = s->share[t + 1];
        const int values = is_bucket_low(s->class, last) - is_bucket_low(s->class, first);
        const double visits = 2. * values + 2. * (double)(s->before[last] - s->before[first]);
        most = visits > most ? visits : most;
    }
    return most;
}

void is_sort_iteration(struct is_sort *s, enum is_exchange exchange, int iteration,
                       double seconds[IS_PARTS])
{
    double start = MPI_Wtime();
    set_keys(s, iteration);
    (s->mode == IS_PARTED ? is_parts_count : is_bucket_sort)(s);
    app_work_shared(bucket_visits(s), s->threads);
    double sorted = MPI_Wtime();
    is_add_totals(s, exchange);
    double reduced = MPI_Wtime();
    is_bucket_assign(s);
    if (s->mode == IS_PARTED) {
        is_parts_assign(s);
    }
    app_work(2. * is_buckets(s->class));
    double assigned = MPI_Wtime();
    make_room(s);
    double ready = MPI_Wtime();
    exchange_keys(s, exchange);
    double exchanged = MPI_Wtime();
    is_count(s);
    is_verify_partial(s, iteration);
    app_work_shared(count_visits(s), s->threads);
    double end = MPI_Wtime();
    seconds[IS_ALLREDUCE] = reduced - sorted;
    seconds[IS_EXCHANGE] = exchanged - ready - s->moving;
    seconds[IS_TOTAL] = end - start - (ready - assigned);
    seconds[IS_COMPUTE] = seconds[IS_TOTAL] - seconds[IS_ALLREDUCE] - seconds[IS_EXCHANGE];
}

void is_sort_forget(struct is_sort *s)
{
#pragma omp parallel for num_threads(s->threads) schedule(static)
    for (int64_t i = 0; i < s->received.capacity; i++) {
        s->received.keys[i] = -1;
    }
    for (int r = 0; r < s->ranks * s->pieces; r++) {
        s->recv_counts[r] = -1;
    }
}
