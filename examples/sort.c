/* Sorts numbers that are spread over all ranks: each rank ends with a share that is sorted, and
 * rank 0's numbers are the smallest. Samples tell who gets which range, and one alltoallv moves
 * every number to its rank. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <strata.h>

enum { COUNT = 100000 }; /* numbers of each rank */

static int rank, ranks;

static int by_value(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

static int *allocate(size_t count)
{
    int *memory = calloc(count + 1, sizeof *memory);
    if (!memory) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    return memory;
}

/* Each rank has as many samples as there are ranks. Of all samples in order, every one after as
 * many is a border. */
static void choose_borders(const int *numbers, int *borders)
{
    int *own = allocate((size_t)ranks), *all = allocate((size_t)ranks * (size_t)ranks);
    for (int i = 0; i < ranks; i++) {
        own[i] = numbers[(size_t)i * COUNT / (size_t)ranks];
    }
    strata_allgather(own, ranks, MPI_INT, all, ranks, MPI_INT, MPI_COMM_WORLD);
    qsort(all, (size_t)ranks * (size_t)ranks, sizeof *all, by_value);
    for (int i = 0; i < ranks; i++) {
        borders[i] = i + 1 < ranks ? all[(i + 1) * ranks] : INT_MAX;
    }
    free(all);
    free(own);
}

/* Returns how many there are in all. */
static int add_up(const int *counts, int *displacements)
{
    int sum = 0;
    for (int i = 0; i < ranks; i++) {
        displacements[i] = sum;
        sum += counts[i];
    }
    return sum;
}

/* Returns what this rank has in the end, *count numbers. */
static int *exchange(const int *numbers, const int *borders, int *count)
{
    int *sent = allocate((size_t)ranks * 4);
    int *from = sent + ranks, *received = from + ranks, *to = received + ranks;
    for (int i = 0, to_rank = 0; i < COUNT; i++) {
        while (numbers[i] > borders[to_rank]) {
            to_rank++;
        }
        sent[to_rank]++;
    }
    strata_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD);
    add_up(sent, from);
    *count = add_up(received, to);
    int *share = allocate((size_t)*count);
    strata_alltoallv(numbers, sent, from, MPI_INT, share, received, to, MPI_INT, MPI_COMM_WORLD);
    free(sent);
    return share;
}

/* On rank 0: nothing is lost, and no rank has a number below one of the ranks before it. */
static int right(const int *share, int count)
{
    int last = count ? share[count - 1] : INT_MIN, before = INT_MIN;
    long own[2] = {count, 0}, all[2] = {0, 0};
    strata_exscan(&last, &before, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    own[1] = rank > 0 && count > 0 && share[0] < before;
    strata_reduce(own, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    return all[0] == (long)ranks * COUNT && all[1] == 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    int *numbers = allocate(COUNT), *borders = allocate((size_t)ranks), count;
    srand((unsigned)rank + 1);
    for (int i = 0; i < COUNT; i++) {
        numbers[i] = rand();
    }
    qsort(numbers, COUNT, sizeof *numbers, by_value);
    choose_borders(numbers, borders);
    int *share = exchange(numbers, borders, &count);
    struct strata_report report = {.size = sizeof report};
    strata_comm_report(MPI_COMM_WORLD, &report);
    qsort(share, (size_t)count, sizeof *share, by_value);

    int failed = !right(share, count) && rank == 0;
    if (rank == 0) {
        printf("%s %d numbers on %d ranks, moved by %s\n", failed ? "WRONG:" : "sorted",
               ranks * COUNT, ranks, report.algorithm);
    }
    free(share);
    free(borders);
    free(numbers);
    MPI_Finalize();
    return failed;
}
