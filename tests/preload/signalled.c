/* What SIGUSR1 does after MPI_Init. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct sigaction now;
    MPI_Init(&argc, &argv);
    sigaction(SIGUSR1, NULL, &now);
    printf("SIGUSR1 is %s\n", now.sa_handler == SIG_DFL ? "left alone" : "caught");
    MPI_Finalize();
    return 0;
}
