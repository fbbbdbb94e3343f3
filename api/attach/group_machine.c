#include "api/attach/group_machine.h"

#include <string.h>

#include "api/attach/group.h"
#include "api/attach/measured_host.h"
#include "api/attach/settings.h"
#include "api/process/agree.h"
#include "api/process/process.h"
#include "core/base/memory.h"
#include "core/cost/machine_file.h"
#include "hier/select.h"
#include "hier/tuned.h"

static struct strata_host_parameters parameters_of(struct strata_process *process)
{
    pthread_mutex_lock(&process->lock);
    struct strata_host_parameters parameters = process->host;
    pthread_mutex_unlock(&process->lock);
    return parameters;
}

bool strata_host_known(struct strata_process *process)
{
    return parameters_of(process).messages.message > 0;
}

/* The time of MPI's own collective, as a part of the estimated time of the cheapest classic
 * algorithm on this machine. 0: it was not measured, or the measurement was disturbed. */
static double native_part(const struct strata_group *g, enum strata_collective collective,
                          double seconds, const struct strata_machine *host)
{
    struct strata_problem problem = {.collective = collective,
                                     .rank = g->rank,
                                     .topology = g->topology,
                                     .flat = g->flat,
                                     .capacity = g->capacity,
                                     .commutative = true,
                                     .block_bytes = STRATA_NATIVE_VECTOR,
                                     .most_bytes = STRATA_NATIVE_VECTOR};
    double part = seconds / strata_classic_seconds(&problem, host);
    return part > 0.25 && part < 8 ? part : 0;
}

/* Keeps the measured figures for later groups. Where ranks have different figures, the least
 * count. */
static int measure_host(struct strata_process *process, struct strata_group *g, bool known,
                        struct strata_machine *host)
{
    struct strata_host_parameters parameters = parameters_of(process);
    int error = strata_host_measure(g, known, &parameters);
    if (error != STRATA_OK) {
        return error;
    }
    pthread_mutex_lock(&process->lock);
    process->host = parameters;
    pthread_mutex_unlock(&process->lock);
    g->measured = strata_host_machine(&parameters, host);
    if (g->measured) {
        host->native_reduce = native_part(g, STRATA_REDUCE, parameters.reduce, host);
        host->native_allreduce = native_part(g, STRATA_ALLREDUCE, parameters.allreduce, host);
        host->native_reduce_scatter =
            native_part(g, STRATA_REDUCE_SCATTER_BLOCK, parameters.reduce_scatter, host);
    }
    return STRATA_OK;
}

/* Whether the group's several hosts are containers on the same cores. */
static bool contained(const struct strata_group *g)
{
    int r = 1;
    while (r < g->ranks && g->cards[r].kernel == g->cards[0].kernel) {
        r++;
    }
    return r >= g->ranks && g->cards[0].kernel != 0 && !g->emulated && g->topology->nodes > 1;
}

/* Whether a file may describe this group's nodes. Emulated ones keep the description of a cluster,
 * so that tests and studies give the same everywhere, unless a file is named. */
static bool may_have_file(const struct strata_group *g)
{
    return g->topology->nodes > 1 &&
           (!g->emulated || strata_machine_file_of(g->settings->config.machine) > 0);
}

/* What rank 0 knows about the network: a file's description, or the times of messages that its
 * process measured earlier. */
struct known_network {
    struct strata_machine_found found;
    struct strata_message_times times;
};

/* Whether messages between the nodes are measured where there is no file. */
static bool may_measure(const struct strata_group *g)
{
    return !g->emulated && strata_machine_is_auto(g->settings->config.machine);
}

/* Ranks that take turns on cores measure the scheduler, too, and so may containers. */
static bool is_doubtful(const struct strata_group *g, const struct strata_found *found)
{
    return found->most.ranks > 0 || contained(g);
}

static int tell_known(struct strata_process *process, struct strata_group *g,
                      struct known_network *known)
{
    *known = (struct known_network){.found = {.path = ""}};
    if (g->rank == 0) {
        strata_settings_find_machine(process, g->settings->config.machine, &known->found);
        pthread_mutex_lock(&process->lock);
        known->times = process->network;
        pthread_mutex_unlock(&process->lock);
    }
    return PMPI_Bcast(known, sizeof *known, MPI_BYTE, 0, g->comm) == MPI_SUCCESS
               ? STRATA_OK
               : STRATA_ERR_TRANSPORT;
}

/* Puts measured times into the description, and keeps them for later groups of which this rank is
 * rank 0, if they are credible. */
static int measure_network(struct strata_process *process, struct strata_group *g, bool doubtful,
                           struct strata_message_times *times, struct strata_machine *machine)
{
    const bool known = times->message > 0;
    const int error = known ? STRATA_OK : strata_network_measure(g, times);
    if (error == STRATA_OK && strata_network_credible(times)) {
        g->measured = strata_network_machine(times, doubtful, machine);
        pthread_mutex_lock(&process->lock);
        process->network = *times;
        pthread_mutex_unlock(&process->lock);
    }
    return error;
}

/* Describes the messages between nodes by rank 0's file, or measures them. */
static int describe_network(struct strata_process *process, struct strata_group *g,
                            const struct strata_found *found, struct strata_machine *machine)
{
    const char *text = g->settings->config.machine;
    struct known_network known;
    int error = tell_known(process, g, &known);
    if (error == STRATA_OK && known.found.path[0]) {
        memcpy(g->machine_file, known.found.path, sizeof g->machine_file);
        return strata_machine_parse_on(&known.found.machine, text, machine, NULL);
    }
    if (error == STRATA_OK && may_measure(g)) {
        struct strata_machine measured = *machine;
        error = measure_network(process, g, is_doubtful(g, found), &known.times, &measured);
        if (error == STRATA_OK && g->measured) {
            error = strata_machine_parse_on(&measured, text, machine, NULL);
        }
    }
    return error;
}

/* Whether a table may say what serves this group's calls. Emulated nodes have none unless one is
 * named, as with the machine's file. */
static bool may_have_table(const struct strata_group *g)
{
    return g->ranks > 1 && (!g->emulated || strchr(g->settings->config.tuned, '/'));
}

/* Rank 0 reads the table for all, and sends the rows of such nodes. */
static int read_table(struct strata_process *process, struct strata_group *g,
                      const struct strata_found *found)
{
    const int most = found->tuned_rows;
    struct strata_tuned_near *near = strata_allocate((size_t)most, sizeof *near);
    int error = strata_agree_status(near ? STRATA_OK : STRATA_ERR_MEMORY, g->comm), count = 0;
    if (error == STRATA_OK && g->rank == 0) {
        const struct strata_tuned_layout at = {g->topology, found->threads};
        count = strata_settings_near(process, g->settings->config.tuned, &at, near, most);
    }
    if (error == STRATA_OK &&
        (PMPI_Bcast(&count, 1, MPI_INT, 0, g->comm) != MPI_SUCCESS ||
         PMPI_Bcast(near, count * (int)sizeof *near, MPI_BYTE, 0, g->comm) != MPI_SUCCESS)) {
        error = STRATA_ERR_TRANSPORT;
    }
    if (error != STRATA_OK || count == 0) {
        strata_release(near);
        return error;
    }
    g->tuned = near;
    g->tuned_rows = count;
    g->tuned_uneven = strata_tuned_uneven(near, count);
    return STRATA_OK;
}

/* What the ranks found of their teams counts where the machine's text says nothing of them. Calls
 * on emulated nodes are to choose alike everywhere, whatever this host measures. */
static void tell_team(const struct strata_group *g, const struct strata_found *found,
                      struct strata_machine *machine)
{
    if (machine->threads == 0 && found->sharing > 1 && !g->emulated) {
        machine->threads = found->sharing;
        machine->team = found->sharing_from;
        machine->opening = found->opening;
    }
}

int strata_group_machine(struct strata_process *process, struct strata_group *g,
                         const struct strata_found *found)
{
    const struct strata_settings *settings = g->settings;
    const char *text = settings->config.machine;
    struct strata_machine host = *strata_machine_host(), machine = settings->machine;
    bool named = strata_machine_names_host(text);
    bool alone = g->topology->nodes == 1 && named;
    int error = STRATA_OK;
    if (alone && g->ranks > 1 && g->arena && found->most.ranks == 0) {
        error = measure_host(process, g, found->known, &host);
    }
    if (error == STRATA_OK && alone) {
        error = strata_machine_parse_on(&host, text, &machine, NULL);
    }
    if (error == STRATA_OK && named && contained(g)) {
        error = strata_machine_parse_on(strata_machine_containers(), text, &machine, NULL);
    }
    if (error == STRATA_OK && may_have_file(g)) {
        error = describe_network(process, g, found, &machine);
    }
    if (error == STRATA_OK && found->tuned_rows > 0 && may_have_table(g)) {
        error = read_table(process, g, found);
    }
    tell_team(g, found, &machine);
    g->machine = strata_machine_of_nodes(&machine, g->topology->largest, found->most);
    return error;
}
