/* What Strata says about its last exchange. */
#include "apps/common/app.h"
#include "include/strata.h"

void app_used_find(MPI_Comm comm, struct app_used *used)
{
    struct strata_report r = {.size = sizeof r};
    if (strata_comm_report(comm, &r) != MPI_SUCCESS) {
        return;
    }
    snprintf(used->algorithm, sizeof used->algorithm, "%s", r.algorithm);
    int n = snprintf(used->words, sizeof used->words, "%s (%s)\n", r.algorithm, r.why);
    if (r.standing != STRATA_STANDING_ATTACHED || n < 0 || (size_t)n >= sizeof used->words) {
        return;
    }
    char blocks[96] = "every block goes rank to rank";
    if (r.lanes > 0) {
        snprintf(blocks, sizeof blocks,
                 "%d lane%s, %d pass%s; blocks above %llu bytes go rank to rank", r.lanes,
                 app_plural(r.lanes), r.passes, r.passes == 1 ? "" : "es",
                 (unsigned long long)r.threshold);
    }
    snprintf(used->words + n, sizeof used->words - (size_t)n,
             "%d node%s; %s\n"
             "%llu calls by plans, %llu by MPI; rank 0 sent %llu messages to other nodes\n",
             r.nodes, app_plural(r.nodes), blocks, (unsigned long long)r.calls,
             (unsigned long long)r.calls_native, (unsigned long long)r.messages);
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
