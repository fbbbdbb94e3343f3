#include "intranode/placement.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "intranode/cpus.h"
#include "intranode/scheduler.h"

/* The numbers that the host's processes agree on: the largest of each. KNOWS is one more than the
 * rank of a process that knows the hardware, LACKS whether a process does not. */
enum { STATUS, QUOTA, GROUP, MINUS_GROUP, WORDS, KNOWS, LACKS, UNITS, FIGURES };

/* What a process finds out by itself. */
struct finding {
    struct strata_cpus own;
    struct strata_hardware *hardware; /* NULL: not known */
    int rank;
    int status;
};

static int agree(MPI_Comm host, const struct finding *f, int figures[FIGURES])
{
    int group = strata_scheduling_group();
    int words = STRATA_CPUS_WORDS;
    while (words > 1 && f->own.word[words - 1] == 0) {
        words--;
    }
    figures[STATUS] = f->status;
    figures[WORDS] = words;
    figures[QUOTA] = strata_quota_cpus();
    figures[GROUP] = group;
    figures[MINUS_GROUP] = -group;
    figures[KNOWS] = f->hardware ? f->rank + 1 : 0;
    figures[LACKS] = !f->hardware;
    figures[UNITS] = f->hardware ? f->hardware->units : 0;
    int error = PMPI_Allreduce(MPI_IN_PLACE, figures, FIGURES, MPI_INT, MPI_MAX, host);
    return error ? error : figures[STATUS];
}

/* Counts the processing units in the union of all processes' bindings, which lie in so many words.
 * All words would be as long as what crashes in Open MPI 6.0.0rc2 with xhc preferred and no single
 * copy: an MPI_Allreduce of 260 to 4096 bytes. */
static int count_cpus(MPI_Comm host, const struct strata_cpus *own, int words, int *cpus)
{
    struct strata_cpus all = *own;
    int error = PMPI_Allreduce(MPI_IN_PLACE, all.word, words, MPI_UNSIGNED_LONG, MPI_BOR, host);
    *cpus = strata_cpus_count(&all);
    return error;
}

/* Makes the hardware that one process knows known to all. */
static int share(MPI_Comm host, struct finding *f, const int figures[FIGURES])
{
    int units = figures[UNITS], root = figures[KNOWS] - 1;
    size_t bytes = strata_hardware_bytes(units);
    struct strata_hardware *h = strata_allocate(1, bytes);
    int lacks = !h, error = PMPI_Allreduce(MPI_IN_PLACE, &lacks, 1, MPI_INT, MPI_MAX, host);
    if (error || lacks || !h) {
        strata_release(h);
        return error ? error : MPI_ERR_NO_MEM;
    }
    if (f->rank == root && f->hardware) { /* it knows of no more units than are agreed */
        memcpy(h, f->hardware, strata_hardware_bytes(f->hardware->units));
    }
    error = PMPI_Bcast(h, (int)bytes, MPI_BYTE, root, host);
    strata_release(error || f->hardware ? h : NULL);
    f->hardware = error || f->hardware ? f->hardware : h;
    return error;
}

static void describe(const struct finding *f, struct strata_placement *placement)
{
    char host[MPI_MAX_PROCESSOR_NAME] = ""; /* MPI writes to its very end */
    int length = 0;
    strata_cpus_say(&f->own, placement->cpu_set, sizeof placement->cpu_set);
    if (PMPI_Get_processor_name(host, &length)) {
        length = 0;
    }
    int most = (int)sizeof placement->host - 1;
    snprintf(placement->host, sizeof placement->host, "%.*s", length < most ? length : most, host);
    placement->place = strata_hardware_place(f->hardware, &f->own, f->rank);
    placement->hardware = f->hardware->objects;
}

/* One process looks, even where others would find the same by themselves: looking takes long. */
static int find(MPI_Comm host, struct finding *f, int figures[FIGURES])
{
    int error = PMPI_Comm_rank(host, &f->rank);
    if (!error && f->rank == 0 && !f->hardware) {
        f->hardware = strata_hardware_look();
    }
    bool well = strata_cpus_find(&f->own) && (f->hardware || f->rank != 0);
    f->status = error ? error : well ? MPI_SUCCESS : MPI_ERR_OTHER;
    error = agree(host, f, figures);
    return error || !figures[LACKS] ? error : share(host, f, figures);
}

int strata_placement_find(MPI_Comm host, struct strata_hardware **hardware,
                          struct strata_placement *placement)
{
    struct finding f = {.hardware = *hardware};
    struct strata_placement found = {0};
    int figures[FIGURES];
    int error = find(host, &f, figures);
    *hardware = f.hardware;
    error = error ? error : count_cpus(host, &f.own, figures[WORDS], &found.cpus);
    error = error ? error : PMPI_Comm_size(host, &found.processes);
    if (!error) {
        found.cpus = figures[QUOTA] < found.cpus ? figures[QUOTA] : found.cpus;
        found.kernel = strata_shared_kernel(found.cpus);
        found.yields = figures[GROUP] == -figures[MINUS_GROUP];
        describe(&f, &found);
        *placement = found;
    }
    return error;
}
