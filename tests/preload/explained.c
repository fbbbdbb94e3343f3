/* A program that knows nothing of Strata, with a fault in its calls of MPI's collectives, or none:
 *   explained            small vectors
 *   explained long       blocks of 32 KiB for all
 *   explained multiple   small vectors, where all threads may call MPI, and rank 1 comes late
 *   explained apart      MPI says of each rank that it shares memory with none, as MPICH 5.0.2 does
 *   explained memory     the same, with a /dev/shm of 512 KiB, 128 of them free */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { CALLS = 100, COUNT = 64, LONG = 8192, MOST = 16 };
static int from[MOST * LONG], to[MOST * LONG];

#define SEEN __attribute__((visibility("default")))

static int is_small, is_apart;

SEEN int PMPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made)
{
    union {
        void *pointer;
        int (*call)(MPI_Comm, int, int, MPI_Info, MPI_Comm *);
    } real = {dlsym(RTLD_NEXT, "PMPI_Comm_split_type")};
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return is_apart ? PMPI_Comm_split(comm, rank, key, made)
                    : real.call(comm, type, key, info, made);
}

SEEN int statvfs(const char *file, struct statvfs *buf)
{
    union {
        void *pointer;
        int (*call)(const char *, struct statvfs *);
    } real = {dlsym(RTLD_NEXT, "statvfs")};
    int error = real.call(file, buf);
    if (is_small && strcmp(file, "/dev/shm") == 0) {
        buf->f_bsize = buf->f_frsize = 4096;
        buf->f_blocks = 128;
        buf->f_bfree = buf->f_bavail = 32;
    }
    return error;
}

int main(int argc, char **argv)
{
    const char *fault = argc > 1 ? argv[1] : "";
    int is_long = strcmp(fault, "long") == 0 || strcmp(fault, "memory") == 0;
    int is_multiple = strcmp(fault, "multiple") == 0;
    int counts[MOST], displs[MOST], rank, ranks, level = MPI_THREAD_SINGLE;
    if (is_multiple) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    } else {
        MPI_Init(&argc, &argv);
    }
    is_apart = strcmp(fault, "apart") == 0;
    is_small = strcmp(fault, "memory") == 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int r = 0; r < ranks; r++) {
        counts[r] = LONG;
        displs[r] = r * LONG;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Bcast(from, 1, MPI_INT, 0,
              MPI_COMM_WORLD); /* the second call, which is wrong, is examined */
    if (MPI_Bcast(from, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD) == MPI_SUCCESS) {
        return 1;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_name(MPI_COMM_WORLD, "the \"world\" \xe9");
    for (int i = 0; i < CALLS; i++) {
        if (is_long) {
            MPI_Alltoallv(from, counts, displs, MPI_INT, to, counts, displs, MPI_INT,
                          MPI_COMM_WORLD);
        } else {
            if (is_multiple && rank == 1) {
                usleep(1); /* so that rank 0 has to wait */
            }
            MPI_Allreduce(from, to, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
