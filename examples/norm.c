/* The norm of a matrix by the power method. The threads of all ranks are a grid: a row for each
 * rank, a column for each thread. Each thread has a block of the matrix A, and split members add
 * along the rows, for y = A x, and along the columns, for x = A' y. OpenMP; the main thread alone
 * calls MPI. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <strata.h>

enum { N = 300, STEPS = 10 };

static double element(int i, int j)
{
    return (i < j ? i : j) + 1;
}

/* Makes the vector of this row's parts one of length 1, and returns its length. */
static double shorten(double *x, int count, MPI_Comm row)
{
    double square = 0;
    for (int i = 0; i < count; i++) {
        square += x[i] * x[i];
    }
    strata_allreduce(MPI_IN_PLACE, &square, 1, MPI_DOUBLE, MPI_SUM, row);
    for (int i = 0; i < count; i++) {
        x[i] /= sqrt(square);
    }
    return sqrt(square);
}

/* The work of one thread, in row r and column c. */
static double norm(MPI_Comm row, MPI_Comm column)
{
    int r, rows, c, columns;
    double x[N], y[N], length = 0;
    strata_members_rank(column, &r);
    strata_members_size(column, &rows);
    strata_members_rank(row, &c);
    strata_members_size(row, &columns);
    const int top = N * r / rows, bottom = N * (r + 1) / rows;
    const int left = N * c / columns, right = N * (c + 1) / columns;
    for (int j = left; j < right; j++) {
        x[j] = 1;
    }
    for (int step = 0; step < STEPS; step++) {
        for (int i = top; i < bottom; i++) {
            y[i] = 0;
            for (int j = left; j < right; j++) {
                y[i] += element(i, j) * x[j];
            }
        }
        strata_allreduce(MPI_IN_PLACE, y + top, bottom - top, MPI_DOUBLE, MPI_SUM, row);
        for (int j = left; j < right; j++) {
            x[j] = 0;
            for (int i = top; i < bottom; i++) {
                x[j] += element(i, j) * y[i];
            }
        }
        strata_allreduce(MPI_IN_PLACE, x + left, right - left, MPI_DOUBLE, MPI_SUM, column);
        length = shorten(x + left, right - left, row);
    }
    return sqrt(length);
}

int main(int argc, char **argv)
{
    enum { MOST = 64 };
    int level, rank, ranks, threads = argc > 1 ? atoi(argv[1]) : 2;
    int by_rank[MOST], by_thread[MOST], right = 1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    threads = threads < 1 ? 1 : threads > MOST ? MOST : threads;
#pragma omp parallel num_threads(threads)
#pragma omp single
    threads = omp_get_num_threads(); /* OpenMP may give fewer */
    for (int t = 0; t < threads; t++) {
        by_rank[t] = rank;
        by_thread[t] = t;
    }
    struct strata_members *members, *rows, *columns;
    strata_members_create(MPI_COMM_WORLD, threads, &members);
    strata_members_split(members, by_rank, by_thread, &rows);
    strata_members_split(members, by_thread, by_rank, &columns);
    const double known = 1 / (4 * pow(sin(acos(-1) / (4 * N + 2)), 2));
#pragma omp parallel num_threads(threads) reduction(&& : right)
    {
        MPI_Comm row, column;
        strata_members_comm(rows, omp_get_thread_num(), &row);
        strata_members_comm(columns, omp_get_thread_num(), &column);
        right = right && fabs(norm(row, column) / known - 1) < 1e-9;
    }
    strata_members_free(&rows);
    strata_members_free(&columns);
    strata_members_free(&members);
    if (rank == 0) {
        printf("%s: norm %.3f on a grid of %d x %d threads\n", right ? "right" : "wrong", known,
               ranks, threads);
    }
    MPI_Finalize();
    return !right;
}
