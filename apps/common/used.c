/* Strata's report of its last exchange. */
#include <string.h>

#include "apps/common/app.h"
#include "apps/common/collect.h"
#include "include/strata.h"

enum { VOLUMES = sizeof(struct app_volume) / sizeof(uint64_t) };

static struct app_volume add_up(const struct strata_report *r, MPI_Comm comm, bool member)
{
    struct app_volume all = {r->messages, r->bytes, r->messages_node, r->bytes_node, r->copied};
    app_collect(comm, member, &all, VOLUMES, MPI_UINT64_T, MPI_SUM);
    return all;
}

static void describe(const struct strata_report *r, struct app_used *used)
{
    const struct app_volume *v = &used->volume;
    char blocks[96] = "every block goes rank to rank";
    size_t n = strlen(used->words);
    if (r->lanes > 0) {
        snprintf(blocks, sizeof blocks,
                 "%d lane%s, %d pass%s; blocks above %llu bytes go rank to rank", r->lanes,
                 app_plural(r->lanes), r->passes, r->passes == 1 ? "" : "es",
                 (unsigned long long)r->threshold);
    }
    snprintf(
        used->words + n, sizeof used->words - n,
        "%d node%s; %s\n"
        "%llu calls by plans, %llu by MPI: %llu messages to other nodes (%.1f MB), %llu inside "
        "nodes (%.1f MB), %.1f MB copied\n",
        r->nodes, app_plural(r->nodes), blocks, (unsigned long long)r->calls,
        (unsigned long long)r->calls_native, (unsigned long long)v->messages,
        (double)v->bytes / 1e6, (unsigned long long)v->messages_node, (double)v->bytes_node / 1e6,
        (double)v->copied / 1e6);
}

void app_used_find(MPI_Comm comm, bool member, struct app_used *used)
{
    struct strata_report r = {.size = sizeof r};
    if (strata_comm_report(comm, &r) != MPI_SUCCESS) {
        return;
    }
    used->volume = add_up(&r, comm, member);
    snprintf(used->algorithm, sizeof used->algorithm, "%s", r.algorithm);
    snprintf(used->words, sizeof used->words, "%s (%s)\n", r.algorithm, r.why);
    if (r.standing == STRATA_STANDING_ATTACHED) {
        describe(&r, used);
    }
}

/* Indents every line of the words. */
void app_used_print(const char *title, const struct app_used *used)
{
    printf("\n  %s\n    ", title);
    for (const char *text = used->words; *text; text++) {
        if (*text != '\n') {
            putchar(*text);
        } else if (text[1]) {
            printf("\n    ");
        }
    }
    printf("\n");
}
