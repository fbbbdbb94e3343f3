#define _GNU_SOURCE /* uselocale */
#include <inttypes.h>
#include <locale.h>

#include "api/report/explain_say.h"
#include "core/base/buckets.h"
#include "include/strata.h"

/* Bytes of the character in UTF-8 that begins here; 0: it is none. */
static int character(const char *text)
{
    unsigned char first = (unsigned char)text[0];
    int bytes = first < 0x80                     ? 1
                : first >= 0xc2 && first < 0xe0  ? 2
                : first >= 0xe0 && first < 0xf0  ? 3
                : first >= 0xf0 && first <= 0xf4 ? 4
                                                 : 0;

    for (int i = 1; i < bytes; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return bytes;
}

/* Names are the program's: they may be of any bytes. */
static void put_text(FILE *file, const char *name, const char *text)
{
    int bytes;

    fprintf(file, "\"%s\": \"", name);
    for (; *text; text += bytes > 0 ? bytes : 1) {
        bytes = character(text);
        if (bytes == 0) {
            fprintf(file, "\\ufffd");
        } else if (bytes == 1 && (*text < ' ' || *text == '"' || *text == '\\')) {
            fprintf(file, "\\u%04x", (unsigned)*text);
        } else {
            fprintf(file, "%.*s", bytes, text);
        }
    }
    fprintf(file, "\"");
}

static void put_call(FILE *file, const struct strata_explained *e, double program)
{
    fprintf(file, "      {\"collective\": \"%s\", \"most_bytes\": %zu, \"plan\": %s, ",
            strata_collective_name(e->collective), strata_bucket_most(e->bucket),
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

static void put_collective(FILE *file, const struct strata_explained_totals *t, int c)
{
    fprintf(file,
            "    \"%s\": {\"plans\": %.0f, \"native\": %.0f, \"seconds\": %.9g, "
            "\"most_seconds\": %.9g, \"waiting\": %.9g}",
            strata_collective_name((enum strata_collective)c), t->plans[c], t->native[c],
            t->seconds[c], t->most[c], t->waiting[c]);
}

static void put_all(const struct strata_process *process, const struct strata_explained_totals *t,
                    const char *advice, FILE *file)
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

/* A program's locale may write numbers with a comma. */
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
