/* A program that knows nothing of Strata and spoils a message of Strata's plans. MPI's own
 * collectives do not send by MPI_Isend.
 *   shadowed FAULT [CALL [OTHER]]    the fault to insert into this call of its collective, from 0;
 *                                    OTHER: with the program's operator, or another datatype
 * Prints "all right" where it reaches its end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 6, MOST = 16, CALLS = 4 };
typedef int isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
typedef int irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static int rank, ranks;
static const char *fault = "none";
static int spoiled; /* whether this call's messages are spoiled */
static int sent[MOST * BLOCK], taken[2 * MOST * BLOCK];
static double numbers[BLOCK], sums[BLOCK];

/* Sends rank 1 another rank's block, or a block with a wrong byte or number. A message must live
 * until it is sent, so its copy is static. */
static const void *spoil(const void *buffer, size_t bytes, int to)
{
    static char copy[4 * MOST * BLOCK * sizeof(double)];
    if (strcmp(fault, "swap") == 0) {
        return to == 1 ? sent + 2 * BLOCK : buffer;
    }
    if (strcmp(fault, "beside") == 0) {
        taken[1] = 77; /* between the first two elements, as an open receive may */
    }
    if (strcmp(fault, "beside") == 0 || strcmp(fault, "stray") == 0) {
        return buffer;
    }
    memcpy(copy, buffer, bytes);
    if (strcmp(fault, "byte") == 0) {
        copy[bytes - 1] = (char)(copy[bytes - 1] ^ 0x80);
    } else if (strcmp(fault, "number") == 0 || strcmp(fault, "rounding") == 0) {
        double first;
        memcpy(&first, copy, sizeof first);
        first *= fault[0] == 'n' ? 1 + 1e-9 : 1 + 3e-16;
        memcpy(copy, &first, sizeof first);
    }
    return copy;
}

__attribute__((visibility("default"))) int PMPI_Isend(const void *buffer, int count,
                                                      MPI_Datatype type, int to, int tag,
                                                      MPI_Comm comm, MPI_Request *request)
{
    union {
        void *found;
        isend *call;
    } real = {dlsym(RTLD_NEXT, "PMPI_Isend")};
    int size;

    PMPI_Type_size(type, &size);
    if (spoiled && count > 0) {
        buffer = spoil(buffer, (size_t)count * (size_t)size, to);
    }
    return real.call(buffer, count, type, to, tag, comm, request);
}

/* Changes a place between the first two elements of the receiving plan. */
__attribute__((visibility("default"))) int PMPI_Irecv(void *buffer, int count, MPI_Datatype type,
                                                      int from, int tag, MPI_Comm comm,
                                                      MPI_Request *request)
{
    union {
        void *found;
        irecv *call;
    } real = {dlsym(RTLD_NEXT, "PMPI_Irecv")};
    MPI_Aint least, extent;
    int size;

    PMPI_Type_size(type, &size);
    PMPI_Type_get_extent(type, &least, &extent);
    if (spoiled && strcmp(fault, "stray") == 0 && count > 0 && extent > size) {
        ((char *)buffer)[size] = 77;
    }
    return real.call(buffer, count, type, from, tag, comm, request);
}

/* Exchanges blocks with gaps, of elements with gaps. */
static void exchange(MPI_Datatype apart)
{
    int counts[MOST], displs[MOST], displs_apart[MOST];
    for (int r = 0; r < ranks; r++) {
        counts[r] = BLOCK;
        displs[r] = r * BLOCK;
        displs_apart[r] = r * BLOCK;
        for (int i = 0; i < BLOCK; i++) {
            sent[r * BLOCK + i] = 1000 * rank + 10 * r + i;
        }
    }
    MPI_Alltoallv(sent, counts, displs, MPI_INT, taken, counts, displs_apart, apart,
                  MPI_COMM_WORLD);
}

static void add(void *from, void *into, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++) {
        ((double *)into)[i] += ((const double *)from)[i];
    }
}

static void reduce(MPI_Op op)
{
    for (int i = 0; i < BLOCK; i++) {
        numbers[i] = 1.0 / (1 + rank + i);
    }
    MPI_Allreduce(numbers, sums, BLOCK, MPI_DOUBLE, op, MPI_COMM_WORLD);
}

/* Makes every reduction. In an exscan rank 0 receives nothing. */
static void add_up(void)
{
    double in[2 * MOST], out[2 * MOST];
    int counts[MOST];
    for (int i = 0; i < 2 * ranks; i++) {
        in[i] = 1.0 / (1 + rank + i);
        counts[i / 2] = 2;
    }
    MPI_Reduce(in, out, 2, MPI_DOUBLE, MPI_SUM, ranks - 1, MPI_COMM_WORLD);
    MPI_Allreduce(in, out, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter(in, out, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(in, out, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(in, out, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(in, out, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* Makes calls whose results depend on the order of operations, or cannot be packed. */
static void strange(void)
{
    static const double factors[] = {1e-160, 3e-160, 1e160}, small[] = {-0.0, 0.0, 0.0};
    double in[2], out[2];
    struct {
        double number;
        int place;
    } pair = {small[rank % 3], 0}, least;
    int none[MOST] = {0}, at[MOST] = {0};
    MPI_Datatype nothing[MOST], absolute;
    MPI_Aint address;

    in[0] = in[1] = rank == 1 ? 0.0 / (double)(rank - 1) : rank; /* not a number */
    MPI_Allreduce(in, out, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(in, out, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    in[0] = in[1] = factors[rank % 3];
    MPI_Allreduce(in, out, 2, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
    in[0] = in[1] = 0.1 * (rank + 1);
    if (MPI_COMPLEX16 != MPI_DATATYPE_NULL) {
        MPI_Allreduce(in, out, 1, MPI_COMPLEX16, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Allreduce(&pair, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    for (int r = 0; r < ranks; r++) {
        nothing[r] = MPI_INT;
    }
    MPI_Alltoallw(sent, none, at, nothing, taken, none, at, nothing, MPI_COMM_WORLD);
    MPI_Get_address(taken, &address);
    MPI_Type_create_hindexed_block(1, 4, &address, MPI_INT, &absolute);
    MPI_Type_commit(&absolute);
    MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD);
    MPI_Type_free(&absolute);
}

int main(int argc, char **argv)
{
    int call = argc > 2 ? atoi(argv[2]) : 1;
    MPI_Datatype apart;
    MPI_Op own;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &apart);
    MPI_Type_commit(&apart);
    MPI_Op_create(add, 1, &own);
    fault = argc > 1 ? argv[1] : fault;
    for (int i = 0; i < 2 && strcmp(fault, "byte") == 0; i++) { /* a bcast attaches nothing */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 0; i < CALLS; i++) {
        spoiled = i == call && strcmp(fault, "none") != 0;
        if (strcmp(fault, "none") == 0) {
            strange();
            add_up();
        }
        if (strcmp(fault, "number") == 0 || strcmp(fault, "rounding") == 0) {
            reduce(argc > 3 ? own : MPI_SUM);
        } else if (strcmp(fault, "byte") == 0) {
            MPI_Bcast(sent, BLOCK, argc > 3 ? MPI_UNSIGNED : MPI_INT, 0, MPI_COMM_WORLD);
        } else {
            exchange(apart);
            reduce(MPI_SUM);
        }
    }
    MPI_Op_free(&own);
    MPI_Type_free(&apart);
    MPI_Barrier(MPI_COMM_WORLD); /* Open MPI 4's launcher may not survive a rank that ends while
                                    another one is in MPI_Finalize */
    MPI_Finalize();
    if (rank == 0) {
        printf("all right\n");
    }
    return 0;
}
