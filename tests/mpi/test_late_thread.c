/* Two threads below MPI_THREAD_MULTIPLE. One waits for its request. The first call of the other
 * starts a request of its own, which other ranks need before they come to the first request.
 *
 * run: 2
 * timeout: 30 */
#include <pthread.h>
#include <unistd.h>

#include "tests/mpi/attached.h"

enum { COUNT = 4, MICROSECONDS = 100000 };

struct work {
    MPI_Comm comm;
    struct strata_request *request;
    int mine[COUNT], sum[COUNT];
};

static void describe(struct work *w)
{
    w->comm = new_communicator();
    succeed(strata_allreduce_init(w->mine, w->sum, COUNT, MPI_INT, MPI_SUM, w->comm, MPI_INFO_NULL,
                                  &w->request));
}

static void run(struct work *w)
{
    int ranks;
    MPI_Comm_size(w->comm, &ranks);
    for (int i = 0; i < COUNT; i++) {
        w->mine[i] = i + 1;
    }
    succeed(strata_start(&w->request));
    succeed(strata_wait(&w->request, MPI_STATUS_IGNORE));
    for (int i = 0; i < COUNT; i++) {
        REQUIRE_CMP(w->sum[i], ==, ranks * (i + 1));
    }
}

static void *come_late(void *work)
{
    usleep(MICROSECONDS); /* the other thread waits by then */
    run(work);
    return NULL;
}

int main(int argc, char **argv)
{
    struct work one, other;
    pthread_t thread;
    int level, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    describe(&one);
    describe(&other);
    for (int i = 0; i < 3; i++) { /* by tape in the end */
        run(&one);
        run(&other);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        REQUIRE_CMP(pthread_create(&thread, NULL, come_late, &other), ==, 0);
        run(&one);
        pthread_join(thread, NULL);
    } else {
        run(&other);
        run(&one);
    }
    succeed(strata_request_free(&one.request));
    succeed(strata_request_free(&other.request));
    MPI_Comm_free(&one.comm);
    MPI_Comm_free(&other.comm);
    MPI_Finalize();
    return 0;
}
