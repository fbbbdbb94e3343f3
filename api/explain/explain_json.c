#define _GNU_SOURCE /* uselocale */
#include <inttypes.h>
#include <locale.h>

#include "api/explain/explain_say.h"
#include "api/explain/saved.h"
#include "core/base/buckets.h"
#include "core/base/json_text.h"
#include "include/strata.h"
#include "internode/mpi/traits_mpi.h"

/* Writes a number behind a comma; an unknown one is null. */
static void put_figure(FILE *file, const char *name, bool known, double value)
{
    fprintf(file, known ? ", \"%s\": %.9g" : ", \"%s\": null", name, value);
}

static void put_count(FILE *file, const char *name, bool known, uint64_t value)
{
    fprintf(file, known ? ", \"%s\": %" PRIu64 : ", \"%s\": null", name, value);
}

static void put_call(FILE *file, const struct strata_explained *e, double program)
{
    bool timed = e->form == STRATA_BLOCKING;
    char name[64];
    strata_explained_name(strata_explained_kind(e), name, sizeof name);
    fprintf(file, "      {\"collective\": \"%s\", \"most_bytes\": %zu, \"plan\": %s, ", name,
            strata_bucket_most(e->bucket), e->plan ? "true" : "false");
    strata_json_text(file, "algorithm", e->algorithm);
    fprintf(file, ", ");
    strata_json_text(file, "why", e->why);
    fprintf(file, ",\n       \"calls\": %" PRIu64, e->calls);
    put_figure(file, "seconds", timed, e->seconds);
    put_figure(file, "share", timed, program > 0 ? e->seconds / program : 0);
    put_figure(file, "waiting", timed && e->plan, e->waiting);
    if (e->predicted > 0) {
        put_figure(file, "predicted_seconds", true, e->predicted * (double)e->calls);
    }
    put_count(file, "messages", timed, e->count.messages);
    put_count(file, "bytes", timed, e->count.bytes);
    put_count(file, "messages_in_node", timed, e->count.messages_node);
    put_count(file, "bytes_in_node", timed, e->count.bytes_node);
    put_count(file, "copied", timed, e->count.copied);
    fprintf(file, "}");
}

static void put_communicator(FILE *file, const struct strata_explained_communicator *k,
                             double program)
{
    fprintf(file, "    {");
    strata_json_text(file, "name", k->name);
    fprintf(file,
            ", \"communicators\": %" PRIu64
            ", \"ranks\": %d, \"nodes\": %d, \"node_memory_bytes\": %zu, \"scratch_bytes\": %zu,\n"
            "     \"calls\": [",
            k->count, k->ranks, k->nodes, k->node_bytes, k->scratch_bytes);
    for (const struct strata_explained *e = k->calls; e; e = e->next) {
        fprintf(file, "%s\n", e == k->calls ? "" : ",");
        put_call(file, e, program);
    }
    fprintf(file, "]}");
}

static void put_collective(FILE *file, const struct strata_explained_totals *t, int kind)
{
    bool timed = kind < STRATA_COLLECTIVE_COUNT;
    char name[64];
    strata_explained_name(kind, name, sizeof name);
    fprintf(file, "    \"%s\": {\"plans\": %.0f, \"native\": %.0f", name, t->plans[kind],
            t->native[kind]);
    put_figure(file, "seconds", timed, t->seconds[kind]);
    put_figure(file, "most_seconds", timed, t->most[kind]);
    put_figure(file, "waiting", timed && t->plans[kind] > 0, t->waiting[kind]);
    fprintf(file, "}");
}

static void put_saved(FILE *file, struct strata_saved s, double trials_cost)
{
    fprintf(file, ",\n  \"beside_native\": {\"calls\": %" PRIu64, s.calls);
    put_figure(file, "seconds", s.calls > 0, s.compared);
    put_figure(file, "saved_seconds", s.calls > 0, s.seconds);
    put_figure(file, "within_seconds", s.calls > 0, s.interval);
    put_figure(file, "trials_seconds", true, trials_cost);
    fprintf(file, "}");
}

static void put_all(const struct strata_process *process, const struct strata_explained_totals *t,
                    const char *advice, FILE *file)
{
    const struct strata_explained_communicator *first = process->explain.communicators;
    const char *comma = "";
    const struct strata_explain *all = &process->explain;
    char mpi[128];
    fprintf(file, "{\n  \"strata\": \"%s\", ", STRATA_VERSION_STRING);
    strata_json_text(file, "mpi", strata_mpi_name(mpi, sizeof mpi));
    fprintf(file, ", \"ranks\": %d, \"program_seconds\": %.9g", t->ranks, t->program);
    put_figure(file, "before_seconds", all->loaded > 0, all->begin - all->loaded);
    put_figure(file, "init_seconds", all->init > 0, all->init);
    put_saved(file, strata_explain_saved(all), 1e-9 * (double)process->trials_cost);
    fprintf(file, ",\n  ");
    strata_json_text(file, "advice", advice);
    fprintf(file, ",\n  \"collectives\": {");
    for (int kind = 0; kind < STRATA_EXPLAINED_KINDS; kind++) {
        if (t->plans[kind] + t->native[kind] > 0) {
            fprintf(file, "%s\n", comma);
            put_collective(file, t, kind);
            comma = ",";
        }
    }
    fprintf(file, "},\n  \"communicators\": [");
    for (const struct strata_explained_communicator *k = first; k; k = k->next) {
        fprintf(file, "%s\n", k == first ? "" : ",");
        put_communicator(file, k, t->program);
    }
    fprintf(file, "]\n}\n");
}

/* The program's locale may write numbers with a comma. */
void strata_explain_json(const struct strata_process *process,
                         const struct strata_explained_totals *t, const char *advice, FILE *file)
{
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    put_all(process, t, advice, file);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
}
