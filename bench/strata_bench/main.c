/* strata_bench: measures Strata's collectives and MPI's own in turn, in one process and on the same
 * buffers.
 *
 *   mpirun -n 16 build/openmpi/bench/strata_bench --collective alltoallv --bytes 8,64,512
 *
 * docs/benchmarks.md says what is measured, and how. Exit code: 0; 1 where data were wrong or a
 * case could not be measured as asked for; 2 where the options are wrong. */
#include <stdio.h>
#include <string.h>

#include "bench/strata_bench/lead.h"
#include "bench/strata_bench/mpi_settings.h"
#include "bench/strata_bench/table.h"

/* Has no effect outside: all ranks hear from rank 0 whether to go on. */
static bool read_arguments(struct options *o, int *argc, char **argv, int rank)
{
    char message[512] = "";
    int good = options_read(o, *argc, argv, message, sizeof message);
    if (rank == 0 && good && !o->help) {
        good = options_check_reports(*argc, argv, message, sizeof message);
        if (good) {
            bench_initialize(argc, argv);
        }
        for (int i = 1; i < *argc && good; i++) {
            good = strncmp(argv[i], "--benchmark_", 12) != 0 && strncmp(argv[i], "--v=", 4) != 0;
            snprintf(message, sizeof message, "%s: no such option, or no such value", argv[i]);
        }
    }
    MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!good && rank == 0) {
        fprintf(stderr, "strata_bench: %s\n", message);
    }
    return good;
}

/* Writes the command line, before Google Benchmark takes its words out. */
static void write_command(char *text, size_t size, int argc, char **argv)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int length = snprintf(text, size, "mpirun -n %d", ranks);
    for (int i = 0; i < argc && length < (int)size; i++) {
        length += snprintf(text + length, size - (size_t)length, " %s", argv[i]);
    }
}

/* The number of nodes; 0 where MPI serves the communicator. */
static int count_nodes(MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    strata_barrier(comm);
    strata_comm_report(comm, &report);
    return report.nodes;
}

static int run_cases(struct measurement *m, const struct cases *cases, int rank,
                     const char *command)
{
    char message[256] = "";
    const char *wrong = NULL;
    if (!cases_check(cases, m->comm, message, sizeof message)) {
        wrong = message;
    } else {
        const struct table_nodes nodes = {count_nodes(m->comm), mpi_settings_nodes(m->comm)};
        size_t count = 1;
        if (rank == 0) {
            table_head(m, &nodes, command);
            count = lead(m, cases);
        } else {
            follow(m, cases);
        }
        MPI_Bcast(&count, sizeof count, MPI_BYTE, 0, MPI_COMM_WORLD);
        wrong = count == 0 ? "--benchmark_filter: no case matches" : NULL;
    }
    if (wrong && rank == 0) {
        fprintf(stderr, "strata_bench: %s\n", wrong);
    }
    return wrong ? 2 : m->failed;
}

static int run(const struct options *o, int rank, const char *command)
{
    struct cases cases;
    struct measurement m;
    char message[512];
    int ranks, status = 2;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (cases_create(&cases, o, ranks, message, sizeof message)) {
        measurement_init(&m, o);
        status = run_cases(&m, &cases, rank, command);
        measurement_fini(&m);
    } else if (rank == 0) {
        fprintf(stderr, "strata_bench: %s\n", message);
    }
    cases_destroy(&cases);
    return status;
}

int main(int argc, char **argv)
{
    struct options options;
    char command[1024];
    int rank, status = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    write_command(command, sizeof command, argc, argv);
    if (read_arguments(&options, &argc, argv, rank)) {
        if (!options.help) {
            status = run(&options, rank, command);
        } else {
            status = 0;
            if (rank == 0) {
                options_help();
            }
        }
    }
    MPI_Finalize();
    return status;
}
