/* What the files of NAS IS, the integer sort, share. main.c has the order of a run. */
#ifndef STRATA_APPS_IS_SORT_IS_H
#define STRATA_APPS_IS_SORT_IS_H

#include "apps/common/app.h"

#define IS_ITERATIONS 10 /* timed iterations, numbered from 1 */
#define IS_TESTS      5  /* keys of known rank in each iteration */
#define IS_REPEATS    1000

/* A key of known rank: its place in the sequence, and its rank in iteration i, rank + sign * (i +
 * shift). */
struct is_test {
    int64_t position, rank;
    int sign, shift;
};

/* A problem size: powers of two. */
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

/* The library that exchanges the keys; bits of is_options.exchanges. */
enum is_exchange { IS_STRATA, IS_MPI, IS_EXCHANGES };
extern const char *const is_exchange_name[IS_EXCHANGES];

/* The calls that exchange. */
enum is_calls { IS_BLOCKING, IS_NONBLOCKING, IS_PERSISTENT, IS_CALLS };
extern const char *const is_calls_name[IS_CALLS];

/* What has buckets of its own: a rank; each thread, as a member with keys of its own; or each
 * thread, as a part of its rank's exchange. In a team the threads share their rank's exchange. */
enum is_mode { IS_RANKS, IS_MEMBERS, IS_PARTED, IS_TEAM, IS_MODES };
extern const char *const is_mode_name[IS_MODES];

struct is_options {
    const struct is_class *class;
    unsigned exchanges;
    enum is_calls calls;
    bool mapped; /* keys are sent from memory of strata_alloc */
    enum is_mode mode;
    int repeat, threads; /* threads 0: as many as the host offers */
    const char *json;    /* NULL: no file */
    bool help;
};

/* Returns false with a sentence in message. */
bool is_options_parse(struct is_options *options, char **words, char *message, size_t size);
void is_options_help(FILE *file);

/* A key buffer that can grow. It asks for huge pages. */
struct is_buffer {
    int *keys;
    int64_t capacity;
    bool mapped; /* memory of strata_alloc, which is large enough from the start */
};

/* One rank's part of the sort, or one thread's where threads are members. Then "rank" is a member's
 * number, a member has one thread, and only Strata takes `comm`. Keys are int. Counts of one rank's
 * keys fit an int; counts of all keys have 64 bits. */
struct is_sort {
    const struct is_class *class;
    enum is_calls calls;
    enum is_mode mode;
    MPI_Comm comm;
    int rank, ranks, threads;
    int64_t first;                      /* the place of my first key in the sequence */
    int count;                          /* the number of my keys at the beginning */
    struct is_buffer keys;              /* in the order of the sequence */
    struct is_buffer bucketed;          /* ordered by bucket, ready to send */
    struct is_buffer received;          /* each source's keys, ordered by bucket */
    struct is_buffer placed;            /* the sorted keys, where `bucketed` is mapped */
    int initial[2 * IS_ITERATIONS + 1]; /* rank 0: the keys that iterations overwrite */
    int test_key[IS_TESTS];

    int *thread_counts; /* [threads][buckets] counts, then each thread's next place to write */
    int *bucket_begin;  /* [buckets + 1] places in `bucketed` */
    int64_t *totals;    /* [buckets] keys of all ranks */
    int64_t *before;    /* [buckets + 1] keys of all ranks in smaller buckets */
    int *cut;           /* [ranks + 1] rank r owns buckets cut[r] .. cut[r + 1] - 1 */
    int *share;         /* [threads + 1] the same cuts for my threads */
    int pieces;         /* of a block: the parts of each rank; 1 where there are no parts */
    int *send_counts, *send_displs;   /* [pieces][ranks] */
    int *recv_counts, *recv_displs;   /* [ranks][pieces] */
    int *told;                        /* send_counts as [ranks][pieces] */
    int *block_counts, *block_displs; /* [ranks] of the whole blocks that parts make up */
    double moving; /* seconds in which the last exchange by parts moved keys into buckets */
    struct strata_request *counts; /* persistent exchange of the counts, or NULL */
    struct strata_team *team;      /* the threads that enter an exchange, or NULL */

    unsigned *smaller; /* for each key value that I own: the number of my smaller keys */
    int64_t smaller_capacity;
    int low;          /* the first key value that I own */
    int misplaced;    /* threads that met a key of another owner */
    int tests_passed; /* since the run set it to zero */
};

/* The parts of one iteration's time on one rank, in seconds. */
enum is_part { IS_COMPUTE, IS_ALLREDUCE, IS_EXCHANGE, IS_TOTAL, IS_PARTS };

/* keys.c: the random sequence. */
void is_keys_generate(struct is_sort *s);
void is_keys_restore(struct is_sort *s); /* undoes what iterations changed */
int is_key_at(const struct is_class *class, int64_t position);

/* state.c: memory. is_sort_create and is_sort_destroy are collective. is_sort_create returns false
 * on all ranks where it fails on one. */
bool is_sort_create(struct is_sort *s, const struct is_options *options, int threads,
                    MPI_Comm comm);
void is_sort_destroy(struct is_sort *s);
bool is_buffer_reserve(struct is_buffer *buffer, int64_t keys);
/* Reserves memory that a host's ranks share. The buffer never grows later. Collective. */
bool is_buffer_map(struct is_buffer *buffer, int64_t keys, MPI_Comm comm);
/* The bytes that this rank, or this member, will need. */
double is_sort_bytes(const struct is_options *options, int ranks, int threads);

/* sort.c, bucket.c, count.c: one iteration and its steps. */
void is_sort_iteration(struct is_sort *s, enum is_exchange exchange, int iteration,
                       double seconds[IS_PARTS]);
void is_bucket_sort(struct is_sort *s); /* from keys to bucketed, and this rank's totals */
void is_bucket_count(const int *keys, int64_t n, int shift, int *restrict counts);
void is_bucket_move(const int *keys, int64_t n, int shift, int *restrict next, int *restrict to);
void is_bucket_assign(struct is_sort *s); /* from all ranks' totals to cut, share, send_counts */
void is_count(struct is_sort *s);         /* from received to smaller */
/* parts.c, in place of the above where a rank's exchange has parts. */
void is_parts_count(struct is_sort *s);   /* this rank's totals */
void is_parts_assign(struct is_sort *s);  /* from cut to send_counts, after is_bucket_assign */
int is_parts_exchange(struct is_sort *s); /* from keys to bucketed to received; as MPI's calls */
/* The source's received keys whose values are in [low, high), between two pointers. Each piece of a
 * rank's block is a source, with the index that it has in recv_counts. */
void is_received_range(const struct is_sort *s, int source, int low, int high, const int **begin,
                       const int **end);
/* Overwrites the last exchange's result, so that an exchange that does nothing is found. */
void is_sort_forget(struct is_sort *s);

/* calls.c: the two collectives of an exchange. Collective; they return MPI's error codes. */
int is_exchange_begin(struct is_sort *s); /* plans serve nonblocking calls from now on */
int is_exchange_counts(struct is_sort *s, enum is_exchange exchange); /* send_counts, recv_counts */
int is_exchange_keys(struct is_sort *s, enum is_exchange exchange); /* from bucketed to received */
void is_exchange_end(struct is_sort *s);

/* collect.c: the other collectives, made by MPI, or by Strata where threads are members. */
/* The numbers of all ranks, combined, in place of this rank's. */
void is_collect(struct is_sort *s, void *numbers, int count, MPI_Datatype type, MPI_Op op);
/* Adds up the totals of the buckets, by the library that exchanges. */
void is_add_totals(struct is_sort *s, enum is_exchange exchange);
/* The largest of all lower ranks; rank 0 gets none. */
void is_collect_before(struct is_sort *s, int mine, int *most);
void is_meet(struct is_sort *s);

/* The first key value of a bucket. */
static inline int is_bucket_low(const struct is_class *c, int bucket)
{
    return bucket << (c->log_max_key - c->log_buckets);
}

/* verify.c: puts keys to the places of their ranks, into the memory of the sent keys where
 * possible. */
static inline struct is_buffer *is_placed(struct is_sort *s)
{
    return s->bucketed.mapped ? &s->placed : &s->bucketed;
}
void is_verify_partial(struct is_sort *s, int iteration);
/* Sorts the keys by their ranks, which uses up `smaller`. Collective; the result is the same on all
 * ranks. */
bool is_verify_full(struct is_sort *s);

/* The results of the runs with one exchange, equal on all ranks. */
struct is_result {
    int runs, sorted; /* the runs done, and the runs that left the keys in order */
    int tests_passed;
    /* Of each run, summed over iterations: the total is the slowest rank's, the others are
     * means. */
    double seconds[IS_REPEATS][IS_PARTS];
    struct app_used used;
};

/* run.c: the timed part. Collective. */
struct is_report;
void is_run(struct is_sort *s, const struct is_options *options, struct is_result *results,
            const struct is_report *report);

/* report.c, json.c: on rank 0 only. */
struct is_report {
    const struct is_options *options;
    const struct is_sort *sort;
    const struct app_host *host;
    int processes;
    const struct is_result *results; /* [IS_EXCHANGES], filled for options->exchanges */
    bool progress;                   /* print a line for each iteration */
};
void is_report_begin(const struct is_report *report);
void is_report_iteration(const struct is_report *report, int run, int iteration,
                         double (*seconds)[IS_PARTS]);
void is_report_end(const struct is_report *report);
bool is_json_write(const struct is_report *report, FILE *file);

/* results.c: makes figures of results. */
bool is_result_verified(const struct is_result *result);
struct app_spread is_result_mops(const struct is_result *result, const struct is_class *class);
double is_result_seconds(const struct is_result *result, enum is_part part); /* median over runs */
/* MPI's exchange time divided by Strata's, in each run. */
struct app_spread is_results_ratio(const struct is_result results[IS_EXCHANGES]);

#endif
