#!/bin/sh
# A user's program: one file outside the tree, built with the README's line.
#   link.sh MPICC BUILD RUN...     RUN... starts a program
set -eu
. "$(dirname "$0")/functions.sh"
mpicc=$1 build=$2
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)
temporary_folder
cd "$folder"

cat >program.c <<'END'
#include <strata.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int size, rank, sent = 0, failed = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int counts[64], displs[64], send[64], recv[64];
    for (int i = 0; i < size; i++) {
        counts[i] = 1, displs[i] = sent++;
        send[i] = 100 * rank + i;
    }
    strata_alltoallv(send, counts, displs, MPI_INT, recv, counts, displs, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        failed |= recv[i] != 100 * i + rank;
    }
    MPI_Finalize();
    return failed;
}
END

"$mpicc" -I "$root/include" program.c "$build/libstrata.a" -lhwloc -lm -fopenmp -o program
"$@" ./program
