/* A histogram of numbers that the threads of all ranks draw: each thread counts its own numbers, and
 * one call of all threads adds the counts. Threads of C++; nothing is merged before the call. */
#include <array>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <strata.h>
#include <thread>
#include <vector>

namespace
{

enum { BINS = 16, NUMBERS = 100000 };
using histogram = std::array<long, BINS>;

/* The part of one thread, which leaves the sum of all threads' counts in `all`. */
void count(strata_members *members, int thread, histogram *all)
{
    MPI_Comm handle;
    int number = 0;
    histogram own = {};
    strata_members_comm(members, thread, &handle);
    strata_members_rank(handle, &number);
    std::mt19937 random(static_cast<unsigned>(number));
    for (int i = 0; i < NUMBERS; i++) {
        own[random() % BINS]++;
    }
    strata_allreduce(own.data(), all->data(), BINS, MPI_LONG, MPI_SUM, handle);
}

} // namespace

int main(int argc, char **argv)
{
    int level, rank, size = 0;
    const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    strata_members *members;
    strata_members_create(MPI_COMM_WORLD, threads, &members);
    std::vector<histogram> sums(threads);
    std::vector<std::thread> running;
    for (int t = 1; t < threads; t++) {
        running.emplace_back(count, members, t, &sums[t]);
    }
    count(members, 0, &sums[0]);
    for (auto &one : running) {
        one.join();
    }
    MPI_Comm handle;
    strata_members_comm(members, 0, &handle);
    strata_members_size(handle, &size);
    strata_members_free(&members);

    long sum = 0;
    bool right = true;
    for (long bin : sums[0]) {
        sum += bin;
    }
    for (const auto &one : sums) {
        right = right && one == sums[0];
    }
    right = right && sum == static_cast<long>(size) * NUMBERS;
    if (rank == 0) {
        std::printf("%s: %ld numbers of %d threads in %d bins\n", right ? "right" : "wrong", sum,
                    size, BINS);
    }
    MPI_Finalize();
    return right ? 0 : 1;
}
