/* What it costs that a certain rank comes last. Each rank in turn comes so much later than all
 * others, call after call, and the time counts from then until the last rank leaves. Ranks take
 * turns from call to call. Prints for each collective, length and late rank the median in
 * microseconds, as CSV; `again` is the same once more.
 *
 *   late_rank [LATE [CALLS [BYTES...]]]
 *
 * LATE is in microseconds. Defaults: 300, 300 calls with each late rank, 8 and 4096 bytes. The
 * ranks have one clock: they are on one host, or simulated. */
#include "bench/calls.h"

enum { LONGEST = 1 << 20, LATE = 300, CALLS = 300 };

static const struct collective collectives[] = {COLLECTIVE(allreduce), COLLECTIVE(barrier),
                                                COLLECTIVE(allgather), COLLECTIVE(alltoall),
                                                COLLECTIVE(reduce),    COLLECTIVE(bcast)};
static int rank, ranks;

/* Nothing is under way when a call begins, and all but the late rank wait in it when that comes. */
static double run(const struct collective *c, const struct part *p, int late, double seconds)
{
    const double pause = 5e-5;
    double mine, last = 0, start = MPI_Wtime();
    PMPI_Allreduce(MPI_IN_PLACE, &start, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    start += pause;
    measure_sleep_until(rank == late ? start + seconds : start);
    double came = MPI_Wtime();
    c->call(p);
    mine = MPI_Wtime();
    measure_sleep_until(start + 2 * seconds);
    PMPI_Allreduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    PMPI_Bcast(&came, 1, MPI_DOUBLE, late, MPI_COMM_WORLD);
    return last - came;
}

static void compare(const struct collective *c, struct part *p, double seconds, int calls)
{
    double *times = measure_need((size_t)(2 * ranks * calls) * sizeof *times);
    for (int i = -10; i < 2 * calls; i++) { /* the first ones set up */
        for (int late = 0; late < ranks; late++) {
            const double time = run(c, p, late, seconds) * 1e6;
            if (i >= 0) {
                times[(late * 2 + i % 2) * calls + i / 2] = time;
            }
        }
    }
    for (int late = 0; late < ranks && rank == 0; late++) {
        printf("%s,%d,%d,%.2f,%.2f\n", c->name, is_sized(c) ? p->bytes : 0, late,
               measure_median(&times[late * 2 * calls], calls),
               measure_median(&times[(late * 2 + 1) * calls], calls));
    }
    fflush(stdout);
    free(times);
}

int main(int argc, char **argv)
{
    const double seconds = (argc > 1 ? strtod(argv[1], NULL) : LATE) * 1e-6;
    const int calls = argc > 2 && atoi(argv[2]) > 0 ? atoi(argv[2]) : CALLS;
    static const int usual[] = {8, 4096};
    struct part part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    part_make(&part, MPI_COMM_WORLD, ranks, LONGEST);
    if (rank == 0) {
        printf("collective,bytes,late,us,again\n");
    }
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++) {
        const int sizes = is_sized(&collectives[i]) ? (argc > 3 ? argc - 3 : 2) : 1;
        for (int k = 0; k < sizes; k++) {
            const int bytes = argc > 3 ? atoi(argv[3 + k]) : usual[k];
            part_size(&part, (size_t)(bytes < LONGEST ? bytes : LONGEST));
            compare(&collectives[i], &part, seconds, calls);
        }
    }
    part_free(&part);
    MPI_Finalize();
    return 0;
}
