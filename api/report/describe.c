/* strata_comm_describe and strata_comm_draw: what Strata has found out about a communicator, in
 * words, and where its ranks are on a host, as a picture. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "api/attach/arenas.h"
#include "api/attach/hosts_named.h"
#include "api/attach/settings.h"
#include "api/attach/state.h"
#include "api/explain/shm_limit.h"
#include "api/explain/threads.h"
#include "api/life/life.h"
#include "api/report/node_map.h"
#include "core/base/memory.h"
#include "core/cost/machine_cost.h"
#include "internode/mpi/failed_mpi.h"
#include "internode/mpi/traits_mpi.h"

/* What each rank tells rank 0. */
struct rank_place {
    struct strata_placement placement;
    enum strata_wait_way way;
    struct strata_sharing sharing;
    int threads; /* OpenMP threads, where the program has set them */
    int cpus;    /* processing units that the rank may run on */
    struct strata_helping helping;
};

struct description {
    struct strata_process *process;
    struct strata_state *state;
    struct strata_group *group; /* NULL: not attached */
    struct rank_place *place;   /* [ranks] at rank 0 */
    FILE *file;
    bool draws; /* a picture is wanted, and no words */
};

static void print_versions(const struct description *d)
{
    char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int version = 0;
    int subversion = 0;
    PMPI_Get_version(&version, &subversion);
    fprintf(d->file, "strata %s on %s, MPI %d.%d\n", strata_version(),
            strata_mpi_name(name, sizeof name), version, subversion);
}

static void print_topology(const struct description *d)
{
    char text[256];
    strata_topology_describe(d->group->topology, text, sizeof text);
    fprintf(d->file, "topology: %s%s\n", text,
            d->group->emulated ? " (emulated, STRATA_TOPO)" : "");
}

/* What a map needs of all ranks. */
struct mapped {
    int *numbers; /* [4 * ranks] */
    struct strata_placement *placement;
    struct strata_node_map map;
};

static void mapped_fini(struct mapped *m)
{
    strata_release(m->placement);
    strata_release(m->numbers);
}

/* False: there is no memory. */
static bool mapped_init(struct mapped *m, const struct description *d)
{
    const int ranks = d->group->ranks;
    m->numbers = strata_allocate(4 * (size_t)ranks, sizeof *m->numbers);
    m->placement = strata_allocate((size_t)ranks, sizeof *m->placement);
    if (!m->numbers || !m->placement) {
        mapped_fini(m);
        return false;
    }
    int *host = m->numbers, *threads = host + ranks, *cpus = threads + ranks,
        *member = cpus + ranks;
    for (int r = 0; r < ranks; r++) {
        host[r] = d->group->cards[r].host;
        m->placement[r] = d->place[r].placement;
        threads[r] = d->place[r].threads;
        cpus[r] = d->place[r].cpus;
        member[r] = d->group->topology->local_of[r];
    }
    m->map = (struct strata_node_map){ranks, host,   m->placement,        threads,
                                      cpus,  member, d->process->hardware};
    return true;
}

/* Without memory it is left out. */
static void print_map(const struct description *d, int first)
{
    struct mapped m;
    if (mapped_init(&m, d)) {
        strata_node_map_print(&m.map, first, d->file);
        mapped_fini(&m);
    }
}

/* Draws the host of this rank, which is rank 0. */
static int draw(const struct description *d)
{
    struct mapped m;
    if (!d->place || !d->process->hardware || d->process->hardware->units == 0) {
        return MPI_ERR_OTHER;
    }
    if (!mapped_init(&m, d)) {
        return MPI_ERR_NO_MEM;
    }
    strata_node_map_draw(&m.map, 0, d->file);
    mapped_fini(&m);
    return MPI_SUCCESS;
}

/* Prints how the ranks of a host wait, and why. */
static void print_way(const struct description *d, const struct rank_place *place)
{
    static const char *const reason[STRATA_WAIT_WAYS] = {
        "has a core and spins", "yields, which lets others of the host run",
        "sleeps, because a yield lets no other rank run"};
    const char *told = d->group->settings->config.wait;
    if (strata_wait_told(told) == place->way) {
        fprintf(d->file, "  who waits %ss, as STRATA_WAIT says", told);
    } else {
        fprintf(d->file, "  who waits %s", reason[place->way]);
    }
    if (place->sharing.ranks > 0) {
        fprintf(d->file, "; %.1f ranks take turns on a core", place->sharing.ranks);
    }
    if (place->sharing.native_turn > 0) {
        fprintf(d->file, ", of %.0f ms in MPI's own calls", 1e3 * place->sharing.native_turn);
    }
    fprintf(d->file, "\n");
}

static void print_hardware(const struct description *d, const struct strata_objects *h)
{
    if (h->cores > 0) {
        fprintf(d->file, "  %d package%s, %d NUMA domain%s, %d last-level cache%s, %d core%s%s\n",
                h->packages, strata_plural(h->packages), h->domains, strata_plural(h->domains),
                h->caches, strata_plural(h->caches), h->cores, strata_plural(h->cores),
                h->real ? "" : ", as hwloc is told; its cores are taken in turn");
    }
}

static void print_hosts(const struct description *d)
{
    const struct strata_group *g = d->group;
    char text[256];
    fprintf(d->file, "hosts told apart by %s\n",
            strata_hosts_named(g) ? "their names, without a table of all (STRATA_SPLIT_HOSTS)"
                                  : "their names");
    for (int r = 0; r < g->ranks; r++) {
        const struct strata_placement *p = &d->place[r].placement;
        if (g->cards[r].host == r) {
            fprintf(d->file, "host %s: %d process%s on %d processing unit%s\n", p->host,
                    p->processes, p->processes == 1 ? "" : "es", p->cpus, strata_plural(p->cpus));
            print_hardware(d, &p->hardware);
            print_map(d, r);
            print_way(d, &d->place[r]);
            if (strata_threads_crowd(d->place[r].threads, p->processes, p->cpus, text,
                                     sizeof text)) {
                fprintf(d->file, "  %s\n", text);
            }
        }
    }
}

static void print_number(const struct description *d, int width, int number)
{
    if (number == STRATA_SEVERAL) {
        fprintf(d->file, "%*s", width, "-");
    } else {
        fprintf(d->file, "%*d", width, number);
    }
}

/* The threads of a team that a call opens, and the bytes of a copy from which on they share it. */
static void print_helping(const struct strata_helping *helping, FILE *file)
{
    if (helping->threads == 1 || helping->gain.least_bytes == SIZE_MAX) {
        fprintf(file, "%9d%12s", helping->threads, "-");
    } else {
        fprintf(file, "%9d%12zu", helping->threads, helping->gain.least_bytes);
    }
}

static void print_ranks(const struct description *d)
{
    const struct strata_topology *t = d->group->topology;
    fprintf(d->file, "\n  rank  node  member  package  domain  cache  core  waits   threads  "
                     "share from  CPUs\n");
    for (int r = 0; r < t->ranks; r++) {
        const struct strata_placement *p = &d->place[r].placement;
        fprintf(d->file, "%6d%6d%8d", r, t->node_of[r], t->local_of[r]);
        print_number(d, 9, p->place.package);
        print_number(d, 8, p->place.domain);
        print_number(d, 7, p->place.cache);
        print_number(d, 6, p->place.core);
        fprintf(d->file, "  %-6s", strata_wait_words[d->place[r].way]);
        print_helping(&d->place[r].helping, d->file);
        fprintf(d->file, "  %s\n", p->cpu_set);
    }
}

static double kibibytes(size_t bytes)
{
    return (double)bytes / 1024;
}

static void print_memory(const struct description *d)
{
    const struct strata_group *g = d->group;
    const struct strata_capacity *c = &g->capacity;
    if (!g->arena) {
        char limit[240];
        strata_shm_limit_say(&d->process->limit, g->settings->config.budget, limit, sizeof limit);
        fprintf(d->file, "\nstaging: none, so blocks go rank to rank; to have some: %s\n", limit);
        return;
    }
    fprintf(d->file,
            "\nstaging of a node: %.1f KiB of a shared arena of %.0f KiB\n"
            "  slots 2 x %.1f, %u x %.1f and 16 x %.1f KiB a member, from other nodes %.1f KiB, "
            "private scratch %.1f KiB\n",
            kibibytes(g->region_bytes), kibibytes(g->arena->bytes), kibibytes(c->slot), c->depth,
            kibibytes(c->small), kibibytes(c->middle), kibibytes(c->landing),
            kibibytes(c->scratch));
    fprintf(d->file, "  %s\n",
            c->single_copy                    ? "ranks of a node read each other's own memory"
            : g->settings->config.single_copy ? "some rank cannot read the memory of another of "
                                                "its node"
                                              : "ranks do not read each other's own memory: "
                                                "STRATA_SINGLE_COPY=0");
}

/* The prices of messages between two ranks of a node by what they share, where they differ. */
static void print_distances(const struct strata_machine *m, bool of_file, FILE *file)
{
#define DISTANCE_ROW(own, word, shared) {shared, m->alpha_##word > 0 || m->beta_##word > 0},
    const struct {
        const char *shared;
        bool told;
    } rows[] = {STRATA_DISTANCE_TABLE(DISTANCE_ROW, )};
#undef DISTANCE_ROW
    if (!strata_machine_tells_distances(m)) {
        return;
    }
    fprintf(file, "  a message between two ranks of a node that share\n");
    for (int distance = STRATA_DISTANCES - 1; distance >= 0; distance--) {
        const struct strata_message_costs p = strata_machine_message(m, distance);
        fprintf(file, "    %-20s %.3g s, %.3g s a byte%s%s\n", rows[distance].shared,
                p.alpha + 2 * p.overhead + p.lines, p.beta,
                rows[distance].told ? "" : ": as any, for no price of its own is known",
                rows[distance].told || !of_file ? "" : "; the file's comments tell why");
    }
}

static void print_machine(const struct description *d)
{
    const struct strata_group *g = d->group;
    char text[2560];
    strata_machine_print(&g->machine, text, sizeof text);
    fprintf(d->file, "\nprices on %s%s%s%s, times in s:\n  %s\n", g->machine.name,
            g->machine_file[0] ? ", of the file " : "", g->machine_file,
            g->measured ? ", measured when it was attached where STRATA_MACHINE does not say" : "",
            text);
    print_distances(&g->machine, g->machine_file[0] != '\0', d->file);
    if (g->tuned) {
        fprintf(d->file, "\n%d choices of a table that was timed (STRATA_TUNED)\n", g->tuned_rows);
    }
}

static void print_all(const struct description *d)
{
    print_versions(d);
    if (d->group && d->place) {
        print_topology(d);
        print_hosts(d);
        print_ranks(d);
        print_memory(d);
        print_machine(d);
    } else {
        fprintf(d->file, "not attached, MPI's own collectives are used: %s\n", d->state->why);
    }
    fprintf(d->file, "\nsettings: value, where it comes from, what is allowed\n");
    strata_config_print(d->group ? &d->group->settings->config : &d->process->config, d->file);
}

/* Rank 0 needs room for all places, so the ranks agree first whether it has the room. After that
 * all ranks are here, and none waits for another's requests. */
static int gather(struct description *d)
{
    struct strata_group *g = d->group;
    struct rank_place mine = {g->placement, g->way, g->sharing, strata_config_openmp_threads(), 0,
                              g->helping};
    struct strata_cpus own;
    int lacking = 0;
    mine.cpus = strata_cpus_find(&own) ? strata_cpus_count(&own) : INT_MAX;
    if (g->rank == 0) {
        d->place = strata_allocate((size_t)g->ranks, sizeof *d->place);
        lacking = !d->place;
    }
    int error = strata_group_agree(g, &lacking, 1, MPI_INT, MPI_MAX);
    if (error == MPI_SUCCESS && lacking) {
        return MPI_ERR_NO_MEM;
    }
    if (error == MPI_SUCCESS) {
        error =
            PMPI_Gather(&mine, sizeof mine, MPI_BYTE, d->place, sizeof mine, MPI_BYTE, 0, g->comm);
    }
    if (error != MPI_SUCCESS) {
        strata_failed_leave(g->comm, g->comm, &g->served);
    }
    return error;
}

static int describe(struct description *d, MPI_Comm comm)
{
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    d->group = strata_attach(d->process, d->state, true) ? d->state->group : NULL;
    int error = strata_attach_error(d->state);
    if (d->group) {
        error = gather(d);
    }
    if (error == MPI_SUCCESS && rank == 0 && d->file && d->draws) {
        error = draw(d);
    } else if (error == MPI_SUCCESS && rank == 0 && d->file) {
        print_all(d);
    } else if (error == MPI_SUCCESS && rank == 0) {
        error = MPI_ERR_ARG; /* only now: the others have joined the agreement above */
    }
    strata_release(d->place);
    return error;
}

/* Why there is nothing, in a word or two. */
static const char *say_error(const struct description *d, int error)
{
    return error == MPI_ERR_ARG     ? "file is null"
           : error != MPI_ERR_OTHER ? "nothing to describe"
           : d->state && !d->group  ? d->state->why
           : d->draws               ? "hwloc knows nothing of this host"
                                    : "MPI could not tell of the ranks";
}

static int found_out(const char *name, MPI_Comm comm, FILE *file, bool draws)
{
    struct description d = {.process = strata_process(), .file = file, .draws = draws};
    const char *text = d.process ? strata_communicator_wrong(comm) : "MPI is not running";
    int error = d.process ? MPI_ERR_COMM : MPI_ERR_OTHER;
    if (text) {
        return strata_raise(comm, error, name, text);
    }
    d.state = strata_state_find(d.process, comm);
    if (d.state) {
        error = describe(&d, comm);
    } else {
        strata_attach_decline(d.process, comm);
        error = MPI_ERR_NO_MEM;
    }
    return error == MPI_SUCCESS ? error : strata_raise(comm, error, name, say_error(&d, error));
}

int strata_comm_describe(MPI_Comm comm, FILE *file)
{
    return found_out("comm_describe", comm, file, false);
}

int strata_comm_draw(MPI_Comm comm, FILE *file)
{
    return found_out("comm_draw", comm, file, true);
}
