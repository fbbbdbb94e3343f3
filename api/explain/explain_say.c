#include "api/explain/explain_say.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/attach/settings.h"
#include "api/attach/state.h"
#include "api/explain/saved.h"
#include "core/base/buckets.h"
#include "internode/mpi/traits_mpi.h"

static void add_up(const struct strata_process *process, struct strata_explained_totals *totals)
{
    *totals = (struct strata_explained_totals){
        .ranks = 1, .program = strata_seconds() - process->explain.begin};
    for (const struct strata_explained_communicator *k = process->explain.communicators; k;
         k = k->next) {
        for (const struct strata_explained *e = k->calls; e; e = e->next) {
            int kind = strata_explained_kind(e);
            *(e->plan ? &totals->plans[kind] : &totals->native[kind]) += (double)e->calls;
            totals->seconds[kind] += e->seconds;
            totals->waiting[kind] += e->waiting;
            totals->most[kind] += e->seconds;
        }
    }
}

/* If the ranks of MPI_COMM_WORLD are attached, they all come here, and rank 0's settings say
 * whether calls were explained. */
static void add_ranks(const struct strata_process *process, struct strata_explained_totals *totals)
{
    const struct strata_state *world = strata_state_peek(process, MPI_COMM_WORLD);
    bool root = process->world_rank == 0;
    if (!world || !world->group || !strata_config_explains(&world->group->settings->config)) {
        return;
    }
    PMPI_Reduce(root ? MPI_IN_PLACE : totals->plans, totals->plans, 4 * STRATA_EXPLAINED_KINDS,
                MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    PMPI_Reduce(root ? MPI_IN_PLACE : totals->most, totals->most, STRATA_EXPLAINED_KINDS,
                MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    totals->ranks = process->world_size;
}

/* The last algorithm in the class of calls on which rank 0 spent the most time. */
static const struct strata_explained *longest(const struct strata_process *process, int kind)
{
    const struct strata_explained *found = NULL;
    for (const struct strata_explained_communicator *k = process->explain.communicators; k;
         k = k->next) {
        for (const struct strata_explained *e = k->calls; e; e = e->next) {
            bool more = !found || e->plan > found->plan ||
                        (e->plan == found->plan && e->seconds > found->seconds);
            found = strata_explained_kind(e) == kind && more ? e : found;
        }
    }
    return found;
}

/* Writes a number in a column of this width, behind two blanks. */
static void put(FILE *out, int width, int digits, bool known, double value)
{
    if (known) {
        fprintf(out, "  %*.*f", width, digits, value);
    } else {
        fprintf(out, "  %*s", width, "-");
    }
}

/* Prints the facts that no column holds. */
static void say_rest(const struct strata_explain *all, bool preloaded, FILE *out)
{
    char mpi[128];
    fprintf(out, "strata: the MPI is %s\n", strata_mpi_name(mpi, sizeof mpi));
    if (all->loaded > 0) {
        fprintf(out, "strata: %.3f s went by before the first of them", all->begin - all->loaded);
        fprintf(out, all->init > 0 ? ", of which %.3f in MPI_Init\n" : "\n", all->init);
    }
    if (preloaded) {
        fprintf(out, "strata: not counted are nonblocking, persistent and neighbourhood "
                     "collectives, which are MPI's own\n");
    }
}

static void say_saved(const struct strata_explain *all, FILE *out)
{
    const struct strata_saved s = strata_explain_saved(all);
    const double more = -s.seconds, sign = more < 0 ? -1 : 1;
    if (s.calls == 0) {
        fprintf(out,
                "strata: what plans saved is not known: no trial timed MPI's own beside them\n");
        return;
    }
    fprintf(out,
            "strata: by what trials timed, plans took %.3g s for %" PRIu64 " calls of rank 0, "
            "%.3g s %s than MPI's own would (95 %%: %.3g to %.3g)\n",
            s.compared, s.calls, sign * more, more < 0 ? "less" : "more", sign * more - s.interval,
            sign * more + s.interval);
}

/* Prints what trials cost, a part of the time in collectives of this rank. */
static void say_trials(const struct strata_process *process,
                       const struct strata_explained_totals *mine, FILE *out)
{
    const double cost = 1e-9 * (double)process->trials_cost;
    double seconds = 0;
    for (int k = 0; k < STRATA_COLLECTIVE_COUNT; k++) {
        seconds += mine->seconds[k];
    }
    if (process->trials_cost != 0 && seconds > 0) {
        fprintf(out,
                "strata: trials of other ways cost rank 0 %.3g s, %.2g %% of its collectives\n",
                cost, 100 * cost / seconds);
    }
}

static void say_summary(const struct strata_process *process,
                        const struct strata_explained_totals *mine,
                        const struct strata_explained_totals *all, FILE *out)
{
    double seconds = 0;
    char name[64];
    fprintf(out, "strata: calls of rank 0  by plans  by MPI's own  seconds  waiting  most by\n");
    for (int k = 0; k < STRATA_EXPLAINED_KINDS; k++) {
        const struct strata_explained *e = longest(process, k);
        bool timed = k < STRATA_COLLECTIVE_COUNT;
        if (e) {
            strata_explained_name(k, name, sizeof name);
            fprintf(out, "strata: %-20s %5.0f  %12.0f", name, mine->plans[k], mine->native[k]);
            put(out, 7, 3, timed, all->seconds[k] / all->ranks);
            put(out, 7, 3, timed && all->plans[k] > 0, all->waiting[k] / all->ranks);
            fprintf(out, "  %s\n", e->algorithm);
        }
        seconds += all->seconds[k] / all->ranks;
    }
    fprintf(out, "strata: %.3f s of %.3f in collectives%s\n", seconds, all->program,
            all->ranks > 1 ? ", seconds are the mean of all ranks" : "");
    say_saved(&process->explain, out);
    say_trials(process, mine, out);
    say_rest(&process->explain, process->preloaded, out);
}

static void say_call(const struct strata_explained *e, double program, FILE *out)
{
    double calls = (double)e->calls;
    bool timed = e->form == STRATA_BLOCKING;
    char name[64];
    strata_explained_name(strata_explained_kind(e), name, sizeof name);
    fprintf(out, "strata:   %-20s <= %-10zu %8" PRIu64, name, strata_bucket_most(e->bucket),
            e->calls);
    put(out, 5, 1, timed, program > 0 ? 100 * e->seconds / program : 0);
    fprintf(out, " %%");
    put(out, 10, 2, timed, 1e6 * e->seconds / calls);
    put(out, 9, 2, e->predicted > 0, 1e6 * e->predicted);
    put(out, 8, 2, timed && e->plan, 1e6 * e->waiting / calls);
    put(out, 6, 1, timed, (double)e->count.messages / calls);
    put(out, 9, 0, timed, (double)e->count.bytes / calls);
    put(out, 6, 1, timed, (double)e->count.messages_node / calls);
    put(out, 9, 0, timed, (double)e->count.bytes_node / calls);
    put(out, 10, 0, timed, (double)e->count.copied / calls);
    fprintf(out, "  %s; %s\n", e->algorithm, e->why);
}

static void say_calls(const struct strata_process *process, double program, FILE *out)
{
    fprintf(out, "strata: rank 0: bytes, calls; share of the program's time; us a call: measured, "
                 "predicted, waiting; a call's messages and bytes to other nodes, inside the node, "
                 "bytes copied; what ran; why\n");
    for (const struct strata_explained_communicator *k = process->explain.communicators; k;
         k = k->next) {
        fprintf(out, "strata: communicator %s", k->name[0] ? k->name : "without a name");
        if (k->count > 1) {
            fprintf(out, ", %" PRIu64 " of them", k->count);
        }
        if (k->ranks > 0) {
            fprintf(out, ": %d rank%s", k->ranks, k->ranks == 1 ? "" : "s");
        }
        if (k->nodes > 0) {
            fprintf(out, " on %d node%s, %zu bytes of the node's memory, %zu of scratch", k->nodes,
                    k->nodes == 1 ? "" : "s", k->node_bytes, k->scratch_bytes);
        }
        fprintf(out, "\n");
        for (const struct strata_explained *e = k->calls; e; e = e->next) {
            say_call(e, program, out);
        }
    }
}

/* Opens FILE of "json:FILE", or standard error. Others write there, too, so each line is written at
 * once. */
static FILE *open_output(const struct strata_process *process)
{
    const char *colon = strchr(process->config.explain, ':');
    int copy = colon ? -1 : dup(STDERR_FILENO);
    FILE *out = colon ? fopen(colon + 1, "w") : copy >= 0 ? fdopen(copy, "w") : NULL;
    if (!colon && out) {
        setvbuf(out, NULL, _IOLBF, BUFSIZ);
    } else if (!out && copy >= 0) {
        close(copy);
    }
    return out;
}

static void say(const struct strata_process *process, const struct strata_explained_totals *mine,
                const struct strata_explained_totals *all, FILE *out)
{
    char advice[256];
    strata_explain_advise(process, advice, sizeof advice);
    if (strncmp(process->config.explain, "json", 4) == 0) {
        strata_explain_json(process, all, advice, out);
        return;
    }
    if (strcmp(process->config.explain, "calls") == 0) {
        say_calls(process, all->program, out);
    }
    say_summary(process, mine, all, out);
    if (advice[0]) {
        fprintf(out, "strata: advice: %s\n", advice);
    }
}

static void say_unwritten(const struct strata_process *process, int error)
{
    char line[STRATA_DIAGNOSTIC_SIZE];
    const char *colon = strchr(process->config.explain, ':');
    snprintf(line, sizeof line, "what STRATA_EXPLAIN asks for cannot be written to %s: %s",
             colon ? colon + 1 : "standard error", strerror(error));
    strata_warn(line);
}

void strata_explain_say(struct strata_process *process)
{
    struct strata_explained_totals mine, totals;
    bool written = false;
    FILE *out;
    add_up(process, &mine);
    totals = mine;
    add_ranks(process, &totals);
    if (!process->explain.on || process->world_rank > 0) {
        return;
    }
    out = open_output(process);
    if (out) {
        say(process, &mine, &totals, out);
        written = !ferror(out);
        written = fclose(out) == 0 && written;
    }
    if (!written) {
        say_unwritten(process, errno);
    }
}
