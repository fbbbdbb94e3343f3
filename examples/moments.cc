/* Mean and variance of numbers that are spread over all ranks, in one allreduce. Its operator puts
 * two parts together without loss (Chan, Golub and LeVeque, 1979). */
#include <cmath>
#include <cstdio>
#include <strata.h>

namespace
{

struct moments {
    double count, mean, squares; /* of the distances from the mean */

    void add(const moments &other)
    {
        double all = count + other.count, distance = other.mean - mean;
        if (all > 0) {
            mean += distance * other.count / all;
            squares += other.squares + distance * distance * count * other.count / all;
            count = all;
        }
    }
};

void add_all(void *in, void *inout, int *length, MPI_Datatype *)
{
    for (int i = 0; i < *length; i++) {
        static_cast<moments *>(inout)[i].add(static_cast<const moments *>(in)[i]);
    }
}

moments of_all(moments own)
{
    MPI_Datatype type;
    MPI_Op add;
    MPI_Type_contiguous(3, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add_all, 1, &add);
    moments sum = {0, 0, 0};
    strata_allreduce(&own, &sum, 1, type, add, MPI_COMM_WORLD);
    MPI_Op_free(&add);
    MPI_Type_free(&type);
    return sum;
}

} // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    const double count = 1000; // numbers of each rank, of 0, 1, 2, ...
    moments own = {0, 0, 0};
    for (double number = rank * count; number < (rank + 1) * count; number++) {
        own.add({1, number, 0});
    }
    moments all = of_all(own);
    double variance = all.squares / all.count, n = ranks * count;
    bool right = all.count == n && std::fabs(all.mean / ((n - 1) / 2) - 1) < 1e-12 &&
                 std::fabs(variance / ((n * n - 1) / 12) - 1) < 1e-12;
    if (rank == 0) {
        std::printf("%s mean %g, variance %g of %g numbers\n",
                    right ? "right:" : "WRONG:", all.mean, variance, all.count);
    }
    MPI_Finalize();
    return !right;
}
