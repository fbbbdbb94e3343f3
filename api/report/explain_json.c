#include <inttypes.h>

#include "api/report/explain_say.h"
#include "include/strata.h"

/* Names are the program's. */
static void put_text(FILE *file, const char *name, const char *text)
{
    fprintf(file, "\"%s\": \"", name);
    for (; *text; text++) {
        unsigned char letter = (unsigned char)*text;
        if (letter < ' ' || letter == '"' || letter == '\\') {
            fprintf(file, "\\u%04x", letter);
        } else {
            fputc(letter, file);
        }
    }
    fprintf(file, "\"");
}

static void put_call(FILE *file, const struct strata_explained *e, double program)
{
    fprintf(file, "      {\"collective\": \"%s\", \"below_bytes\": %" PRIu64 ", \"plan\": %s, ",
            strata_collective_name(e->collective), (uint64_t)1 << e->bucket,
            e->plan ? "true" : "false");
    put_text(file, "algorithm", e->algorithm);
    fprintf(file, ", ");
    put_text(file, "why", e->why);
    fprintf(file,
            ",\n       \"calls\": %" PRIu64
            ", \"seconds\": %.9g, \"share\": %.4g, \"waiting\": %.9g",
            e->calls, e->seconds, program > 0 ? e->seconds / program : 0, e->waiting);
    if (e->predicted > 0) {
        fprintf(file, ", \"predicted_seconds\": %.9g", e->predicted * (double)e->calls);
    }
    fprintf(file,
            ",\n       \"messages\": %" PRIu64 ", \"bytes\": %" PRIu64
            ", \"messages_in_node\": %" PRIu64 ", \"bytes_in_node\": %" PRIu64
            ", \"copied\": %" PRIu64 "}",
            e->count.messages, e->count.bytes, e->count.messages_node, e->count.bytes_node,
            e->count.copied);
}

static void put_communicator(FILE *file, const struct strata_explained_communicator *k,
                             double program)
{
    fprintf(file, "    {");
    put_text(file, "name", k->name);
    fprintf(file,
            ", \"ranks\": %d, \"nodes\": %d, \"node_memory_bytes\": %zu, \"scratch_bytes\": %zu,\n"
            "     \"calls\": [",
            k->ranks, k->nodes, k->node_bytes, k->scratch_bytes);
    for (const struct strata_explained *e = k->calls; e; e = e->next) {
        fprintf(file, "%s\n", e == k->calls ? "" : ",");
        put_call(file, e, program);
    }
    fprintf(file, "]}");
}

static void put_collective(FILE *file, const struct strata_explained_totals *t, int c)
{
    fprintf(file,
            "    \"%s\": {\"plans\": %.0f, \"native\": %.0f, \"seconds\": %.9g, "
            "\"most_seconds\": %.9g, \"waiting\": %.9g}",
            strata_collective_name((enum strata_collective)c), t->plans[c], t->native[c],
            t->seconds[c], t->most[c], t->waiting[c]);
}

void strata_explain_json(const struct strata_process *process,
                         const struct strata_explained_totals *t, const char *advice, FILE *file)
{
    const struct strata_explained_communicator *first = process->explain.communicators;
    const char *comma = "";

    fprintf(file, "{\n  \"strata\": \"%s\", \"ranks\": %d, \"program_seconds\": %.9g,\n  ",
            STRATA_VERSION_STRING, t->ranks, t->program);
    put_text(file, "advice", advice);
    fprintf(file, ",\n  \"collectives\": {");
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        if (t->plans[c] + t->native[c] > 0) {
            fprintf(file, "%s\n", comma);
            put_collective(file, t, c);
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
