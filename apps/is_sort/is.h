/* NAS IS, integer sort: what its files share. The order of a run stands in main.c. */
#ifndef STRATA_APPS_IS_SORT_IS_H
#define STRATA_APPS_IS_SORT_IS_H

#include "apps/common/app.h"

#define IS_ITERATIONS 10 /* timed, numbered from 1 */
#define IS_TESTS      5  /* keys whose rank is known beforehand, in each iteration */
#define IS_REPEATS    1000

/* A key whose rank is known: its place in the sequence and, in iteration i, its rank
 * rank + sign * (i + shift). */
struct is_test {
    int64_t position, rank;
    int sign, shift;
};

/* Problem sizes, all powers of two. */
struct is_class {
    char name;
    int log_keys, log_max_key, log_buckets;
    struct is_test test[IS_TESTS];
};

const struct is_class *is_class_find(const char *name); /* NULL: no such class */

static inline int64_t is_keys(const struct is_class *c)
{
    return (int64_t)1 << c->log_keys;
}

static inline int is_buckets(const struct is_class *c)
{
    return 1 << c->log_buckets;
}

/* Which library exchanges the keys; bits of is_options.exchanges. */
enum is_exchange { IS_STRATA, IS_MPI, IS_EXCHANGES };
extern const char *const is_exchange_name[IS_EXCHANGES];

/* How it is called. */
enum is_calls { IS_BLOCKING, IS_NONBLOCKING, IS_PERSISTENT, IS_CALLS };
extern const char *const is_calls_name[IS_CALLS];

struct is_options {
    const struct is_class *class;
    unsigned exchanges;
    enum is_calls calls;
    bool mapped;         /* keys are sent from memory of strata_alloc */
    int repeat, threads; /* threads 0: chosen for the host */
    const char *json;    /* NULL: none */
    bool help;
};

/* Returns false with a sentence in message. */
bool is_options_parse(struct is_options *options, char **words, char *message, size_t size);
void is_options_help(FILE *file);

/* A key buffer that grows; memory is asked for in huge pages. */
struct is_buffer {
    int *keys;
    int64_t capacity;
    bool mapped; /* of strata_alloc, and never too small */
};

/* One rank's part of the sort. Keys are int, and counts of one rank's keys fit int; counts of all
 * keys are 64-bit. */
struct is_sort {
    const struct is_class *class;
    enum is_calls calls;
    MPI_Comm comm;
    int rank, ranks, threads;
    int64_t first;                      /* place of my first key in the sequence */
    int count;                          /* keys that I begin with */
    struct is_buffer keys;              /* in sequence order */
    struct is_buffer bucketed;          /* ordered by bucket: what is sent */
    struct is_buffer received;          /* for each source, ordered by bucket */
    struct is_buffer placed;            /* the whole sort, where bucketed is mapped */
    int initial[2 * IS_ITERATIONS + 1]; /* rank 0: keys that iterations overwrite */
    int test_key[IS_TESTS];

    int *thread_counts; /* [threads][buckets] counts, then where a thread writes next */
    int *bucket_begin;  /* [buckets + 1] in bucketed */
    int64_t *totals;    /* [buckets] over all ranks */
    int64_t *before;    /* [buckets + 1] keys of all ranks in smaller buckets */
    int *cut;           /* [ranks + 1] rank r owns buckets cut[r] .. cut[r + 1] - 1 */
    int *share;         /* [threads + 1] the same for my threads */
    int *send_counts, *send_displs, *recv_counts, *recv_displs;
    struct strata_request *counts; /* persistent: from send_counts to recv_counts; or NULL */

    unsigned *smaller; /* for each key value I own: how many of my keys are smaller */
    int64_t smaller_capacity;
    int low;          /* the first key value I own */
    int misplaced;    /* threads that met a key where it does not belong */
    int tests_passed; /* since it was set to zero */
};

/* Seconds of one iteration on one rank. */
enum is_part { IS_COMPUTE, IS_ALLREDUCE, IS_EXCHANGE, IS_TOTAL, IS_PARTS };

/* keys.c: the random sequence. */
void is_keys_generate(struct is_sort *s);
void is_keys_restore(struct is_sort *s); /* undoes what iterations changed */
int is_key_at(const struct is_class *class, int64_t position);

/* state.c: memory. Both are collective; false on every rank when it failed on one. */
bool is_sort_create(struct is_sort *s, const struct is_options *options, int threads,
                    MPI_Comm comm);
void is_sort_destroy(struct is_sort *s);
bool is_buffer_reserve(struct is_buffer *buffer, int64_t keys);
/* The same in memory that the ranks of a host have in common, once. Collective. */
bool is_buffer_map(struct is_buffer *buffer, int64_t keys, MPI_Comm comm);
/* Bytes that this rank will need. */
double is_sort_bytes(const struct is_options *options, int ranks, int threads);

/* sort.c, bucket.c, count.c: one iteration and its steps. */
void is_sort_iteration(struct is_sort *s, enum is_exchange exchange, int iteration,
                       double seconds[IS_PARTS]);
void is_bucket_sort(struct is_sort *s);   /* keys -> bucketed, totals of this rank */
void is_bucket_assign(struct is_sort *s); /* totals of all ranks -> cut, share, what is sent */
void is_count(struct is_sort *s);         /* received -> smaller */
/* The part of source's received keys whose values are in [low, high): as pointers. */
void is_received_range(const struct is_sort *s, int source, int low, int high, const int **begin,
                       const int **end);
/* Hides the last exchange's result, so that an exchange that does nothing is found out. */
void is_sort_forget(struct is_sort *s);

/* calls.c: the two collectives of an exchange. Collective; MPI's error codes. */
int is_exchange_begin(struct is_sort *s); /* what does not block is served by plans from now on */
int is_exchange_counts(struct is_sort *s, enum is_exchange exchange); /* send_counts, recv_counts */
int is_exchange_keys(struct is_sort *s, enum is_exchange exchange);   /* bucketed -> received */
void is_exchange_end(struct is_sort *s);

/* The first key value of a bucket. */
static inline int is_bucket_low(const struct is_class *c, int bucket)
{
    return bucket << (c->log_max_key - c->log_buckets);
}

/* verify.c: keys in the places of their ranks, where those were that were sent. */
static inline struct is_buffer *is_placed(struct is_sort *s)
{
    return s->bucketed.mapped ? &s->placed : &s->bucketed;
}
void is_verify_partial(struct is_sort *s, int iteration);
/* Collective; the same on all ranks. Sorts the keys by their ranks; smaller is used up. */
bool is_verify_full(struct is_sort *s);

/* What the runs with one exchange showed; equal on all ranks but for the times, which rank 0 has.
 */
struct is_result {
    int runs, sorted; /* runs done, and those whose keys were in order at the end */
    int tests_passed;
    /* of each run, summed over iterations: the total of the slowest rank, means of the others */
    double seconds[IS_REPEATS][IS_PARTS];
    struct app_used used;
};

/* run.c: everything that is timed. Collective. */
struct is_report;
void is_run(struct is_sort *s, const struct is_options *options, struct is_result *results,
            const struct is_report *report);

/* report.c, json.c: on rank 0 only. */
struct is_report {
    const struct is_options *options;
    const struct is_sort *sort;
    const struct app_host *host;
    const struct is_result *results; /* [IS_EXCHANGES]; those of options->exchanges are filled */
    bool progress;                   /* a line for each iteration */
};
void is_report_begin(const struct is_report *report);
void is_report_iteration(const struct is_report *report, int run, int iteration,
                         double (*seconds)[IS_PARTS]);
void is_report_end(const struct is_report *report);
bool is_json_write(const struct is_report *report, FILE *file);

/* results.c: figures from results. */
bool is_result_verified(const struct is_result *result);
struct app_spread is_result_mops(const struct is_result *result, const struct is_class *class);
double is_result_seconds(const struct is_result *result, enum is_part part); /* median over runs */
/* How many times as long MPI's exchange took, in each run. */
struct app_spread is_results_ratio(const struct is_result results[IS_EXCHANGES]);

#endif
