/* What each host offers: processors and memory, shared by the ranks that run there. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/common/app.h"

/* The kilobytes of a line of /proc/meminfo such as "MemAvailable:  123 kB"; -1 where the line is
 * missing. */
static double meminfo(const char *name)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    double kilobytes = -1;
    while (file && kilobytes < 0 && fgets(line, sizeof line, file)) {
        size_t length = strlen(name);
        if (strncmp(line, name, length) == 0 && line[length] == ':') {
            kilobytes = strtod(line + length + 1, NULL);
        }
    }
    if (file) {
        fclose(file);
    }
    return kilobytes;
}

/* The number in a one-line file; -1 where the file is missing or says "max". */
static double number_in(const char *path)
{
    FILE *file = fopen(path, "r");
    double number = -1;
    if (file && fscanf(file, "%lf", &number) != 1) {
        number = -1;
    }
    if (file) {
        fclose(file);
    }
    return number;
}

/* The memory that the kernel can hand out, within the container's limit. */
static double available_memory(void)
{
    double bytes = meminfo("MemAvailable") * 1024;
    if (bytes < 0) {
        bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    }
    double limit = number_in("/sys/fs/cgroup/memory.max");
    double used = number_in("/sys/fs/cgroup/memory.current");
    if (limit >= 0 && used >= 0 && limit - used < bytes) {
        bytes = limit > used ? limit - used : 0;
    }
    return bytes;
}

/* OMP_NUM_THREADS is an upper bound. More threads than processors only spin against each other, so
 * a rank takes at most its share of the host, unless the user insists. */
static int choose_threads(const struct app_host *host, int insisted)
{
    int share = host->processors / host->ranks;
    share = share > 1 ? share : 1;
    return insisted > 0 ? insisted : share < host->asked ? share : host->asked;
}

void app_host_find(struct app_host *host, int threads, MPI_Comm comm)
{
    MPI_Comm node;
    int length, rank;
    memset(host, 0, sizeof *host);
    MPI_Get_processor_name(host->name, &length);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &host->ranks);
    host->hosts = rank == 0;
    MPI_Allreduce(MPI_IN_PLACE, &host->hosts, 1, MPI_INT, MPI_SUM, comm);
    host->processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
    host->available = available_memory();
    host->asked = omp_get_max_threads();
    host->threads = choose_threads(host, threads);
    MPI_Allreduce(MPI_IN_PLACE, &host->threads, 1, MPI_INT, MPI_MIN, comm);
    MPI_Comm_free(&node);
}

bool app_host_fits(const struct app_host *host, double bytes_per_rank, MPI_Comm comm, char *message,
                   size_t size)
{
    const double gib = 1024. * 1024 * 1024;
    double need = bytes_per_rank * host->ranks;
    struct {
        double excess;
        int rank;
    } worst = {need - host->available, 0};
    MPI_Comm_rank(comm, &worst.rank);
    snprintf(message, size, "needs %.1f GiB for the %d ranks on %s, which has %.1f GiB available",
             need / gib, host->ranks, host->name, host->available / gib);
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
    MPI_Bcast(message, (int)size, MPI_CHAR, worst.rank, comm);
    return worst.excess <= 0;
}

void app_host_print(const struct app_host *host, int ranks)
{
    printf("  ranks      %d on %d host%s\n", ranks, host->hosts, app_plural(host->hosts));
    printf("  threads    %d for each rank", host->threads);
    if (host->threads < host->asked) {
        printf(" (%d rank%s share %d processor%s; --threads asks for more)", host->ranks,
               app_plural(host->ranks), host->processors, app_plural(host->processors));
    } else if (host->threads > 1 && host->threads * host->ranks > host->processors) {
        printf(" (crowded; OMP_WAIT_POLICY=passive keeps them from spinning)");
    }
    printf("\n");
}
