/* Two threads split two communicators at the same time, again and again. Each has its own groups,
 * scans and new communicators.
 *
 * run: 2
 * timeout: 60
 */
#include <pthread.h>
#include <stdint.h>

#include "include/strata.h"
#include "tests/mpi/require.h"

enum { THREADS = 2, TIMES = 4 };

struct job {
    int number;
    MPI_Comm comm;
};

static void check_chain(struct strata_chain *group, int size, int rank)
{
    struct strata_chain_place place;
    int one = 1, before = 0;
    succeed(strata_chain_place(group, &place));
    REQUIRE_CMP(place.size, ==, size);
    REQUIRE_CMP(place.rank, ==, rank);
    succeed(strata_chain_scan(&one, &before, NULL, 1, MPI_INT, MPI_SUM, 0, group));
    REQUIRE_CMP(before, ==, rank + 1);
}

/* Thread 0 makes two halves, thread 1 one group in reverse order. */
static void *work(void *argument)
{
    static const char *const methods[] = {"hash", "bitonic", "radix", "auto"};
    const struct job *job = argument;
    int rank, ranks;
    MPI_Comm_rank(job->comm, &rank);
    MPI_Comm_size(job->comm, &ranks);
    const int colour = job->number ? 7 : rank % 2, key = job->number ? -rank : rank;
    const int size = job->number ? ranks : (ranks + 1 - colour) / 2;
    const int place = job->number ? ranks - 1 - rank : rank / 2;
    const struct strata_split_value values[2] = {
        {&colour, sizeof colour, strata_compare_int32, strata_hash_bytes, NULL},
        {&key, sizeof key, strata_compare_int32, NULL, NULL}};
    struct strata_chain *all = NULL;
    succeed(strata_chain_create(job->comm, &all));
    for (int i = 0; i < TIMES; i++) {
        struct strata_chain *group = NULL;
        MPI_Comm made = MPI_COMM_NULL;
        int members = 0, one = 1;
        succeed(strata_chain_split(all, &values[0], &values[1], methods[i % 4], 0, &group));
        check_chain(group, size, place);
        succeed(strata_chain_comm(group, i % 2 ? STRATA_ATTACH : 0, &made));
        strata_allreduce(&one, &members, 1, MPI_INT, MPI_SUM, made);
        REQUIRE_CMP(members, ==, size);
        strata_chain_free(&group);
        MPI_Comm_free(&made);
    }
    strata_chain_free(&all);
    return NULL;
}

int main(int argc, char **argv)
{
    struct job jobs[THREADS];
    pthread_t threads[THREADS];
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    REQUIRE_CMP(provided, ==, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < THREADS; i++) {
        jobs[i].number = i;
        MPI_Comm_dup(MPI_COMM_WORLD, &jobs[i].comm);
    }
    for (int i = 0; i < THREADS; i++) {
        REQUIRE_CMP(pthread_create(&threads[i], NULL, work, &jobs[i]), ==, 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        MPI_Comm_free(&jobs[i].comm);
    }
    if (rank == 0) {
        printf("ok\n");
    }
    MPI_Finalize();
    return 0;
}
