/* Compares /proc/stat with the processor time of the ranks. */
#include "bench/strata_bench/others.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static double seconds_of(const struct timeval *time)
{
    return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

/* Time in interrupts counts for nobody, because the ranks' own messages cause a part of it. Time
 * that a hypervisor takes away counts as others'. */
void others_start(struct others *o)
{
    double user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, steal = 0;
    struct rusage usage;
    FILE *file = fopen("/proc/stat", "r");
    *o = (struct others){0, 0, 0};
    if (file && fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle,
                       &wait, &irq, &soft, &steal) == 8) {
        o->busy = user + nice + system + steal;
        o->all = o->busy + idle + wait + irq + soft;
    }
    if (file) {
        fclose(file);
    }
    getrusage(RUSAGE_SELF, &usage);
    o->own = seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime);
}

double others_share(const struct others *o, MPI_Comm machine)
{
    struct others now;
    others_start(&now);
    double own = now.own - o->own, all = now.all - o->all, share = -1;
    PMPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_DOUBLE, MPI_SUM, machine);
    if (o->all > 0 && all > 0) {
        share = (now.busy - o->busy - own * (double)sysconf(_SC_CLK_TCK)) / all;
        share = share < 0 ? 0 : share > 1 ? 1 : share;
    }
    PMPI_Allreduce(MPI_IN_PLACE, &share, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return share;
}
