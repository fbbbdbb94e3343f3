/* A rank is killed, and the others go on sending to it, with MPI alone: messages or, with any
 * argument, those of a collective. Over hosts MPICH 5.0.2 crashes there: where UCX refuses a
 * message at once, MPIDI_UCX_send writes to a request that there is none of. The launcher must
 * leave the others running (-disable-auto-cleanup). kills.sh compares crashes of Strata's jobs with
 * these. */
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

enum { ERRORS = 100, SECONDS = 10, EARLY = 10 };

/* In a gather the leaves of the tree only send. */
static int send_to_first(bool gather)
{
    MPI_Request request;
    int one = 1, done = 0;
    if (gather) {
        return MPI_Gather(&one, 1, MPI_INT, NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    }
    int error = MPI_Isend(&one, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    while (error == MPI_SUCCESS && !done) {
        error = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    return error;
}

int main(int argc, char **argv)
{
    int rank, errors = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < EARLY; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0) {
        kill(getpid(), SIGKILL);
    }
    for (const double end = MPI_Wtime() + SECONDS; errors < ERRORS && MPI_Wtime() < end;) {
        errors += send_to_first(argc > 1) != MPI_SUCCESS;
    }
    _exit(0);
}
