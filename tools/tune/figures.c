/* From what was measured to the parameters of the cost model (core/cost/machine_cost.c). */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "tools/tune/tune.h"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct tool_spread tool_spread_of(double *samples, int count)
{
    if (count == 0) {
        return (struct tool_spread){0, 0, 0};
    }
    qsort(samples, (size_t)count, sizeof *samples, ascending);
    return (struct tool_spread){samples[count / 4], samples[count / 2], samples[3 * count / 4]};
}

static void line(FILE *file, const char *name, double value, const char *why)
{
    if (value >= 0) {
        fprintf(file, "%s = %.4g # %s\n", name, value, why);
    }
}

static void line_of(FILE *file, const char *name, double value, const struct tool_spread *of)
{
    char why[96];
    snprintf(why, sizeof why, "of %.4g, quartiles %.4g and %.4g", of->median, of->low, of->high);
    line(file, name, value, why);
}

/* The model has c senders in the time of c / min(c, ports) of one. */
static double ports_of(const struct tool_network *n)
{
    double ports = 1;
    for (int i = 1; i < TOOL_SENDERS && n->senders[i].ranks > 0; i++) {
        double one = n->senders[0].byte.median, each = n->senders[i].byte.median;
        ports = each > 0 ? fmax(ports, n->senders[i].ranks * one / each) : ports;
    }
    return ports;
}

/* The time between two messages of a node while most of its ranks send. */
static double gap_of(const struct tool_network *n, double alpha, const struct tool_spread **of)
{
    int last = 0;
    while (last + 1 < TOOL_SENDERS && n->senders[last + 1].ranks > 0) {
        last++;
    }
    *of = &n->senders[last].at_once;
    return fmax((*of)->median - alpha, 0) / (n->senders[last].ranks * TOOL_AT_ONCE - 1);
}

static void write_between(const struct tool_network *n, const struct strata_machine *base,
                          FILE *file)
{
    const double beta = n->senders[0].byte.median, message = n->message.median;
    const double overhead = fmin(n->overhead.median, message / 2);
    const double alpha = message - 2 * overhead;
    const struct tool_spread *of;
    line_of(file, "alpha", alpha, &n->message);
    line_of(file, "overhead", overhead, &n->overhead);
    line_of(file, "beta", beta, &n->senders[0].byte);
    fprintf(file, "eager = %.0f\n", n->eager);
    if (n->eager > 0 && beta > 0) {
        double more = n->waiting.median - message - 2 * n->eager * beta;
        line_of(file, "beta_eager", (n->ahead.median - message) / n->eager, &n->ahead);
        line_of(file, "rendezvous", more, &n->waiting);
    }
    if (base->ports > 0) {
        double gap = gap_of(n, alpha, &of);
        line(file, "ports", beta > 0 ? ports_of(n) : -1,
             "how many times as fast as one rank a node's ranks send");
        line_of(file, "gap", gap > 0 ? gap : -1, of);
    }
}

static void write_inside(const struct tool_network *n, FILE *file)
{
    if (n->node_message.median > 0) {
        double alpha = fmax(n->node_message.median - 2 * n->overhead.median, 0);
        line_of(file, "alpha_node", alpha, &n->node_message);
        line_of(file, "beta_node", n->node_byte.median, &n->node_byte);
    }
}

static void write_senders(const struct tool_network *n, FILE *file)
{
    fprintf(file,
            "# ranks of a node that send at once; s for %d messages of %d B of each; s for a "
            "byte of each; with quartiles\n",
            TOOL_AT_ONCE, TOOL_SHORT);
    for (int i = 0; i < TOOL_SENDERS && n->senders[i].ranks > 0; i++) {
        const struct tool_spread *m = &n->senders[i].at_once, *b = &n->senders[i].byte;
        fprintf(file, "#   %4d  %.4g (%.4g to %.4g)  %.4g (%.4g to %.4g)\n", n->senders[i].ranks,
                m->median, m->low, m->high, b->median, b->low, b->high);
    }
}

void tool_head_write(const struct tool_tuned *tuned, FILE *file)
{
    char date[32];
    time_t now = time(NULL);
    struct tm day;
    strftime(date, sizeof date, "%Y-%m-%d %H:%M", localtime_r(&now, &day));
    fprintf(file, "host = %s\ndate = %s\nmpi = %s\ncommand = %s\n", tuned->hosts, date, tuned->mpi,
            tuned->command);
}

void tool_machine_write(const struct tool_network *network, const struct tool_tuned *tuned,
                        FILE *file)
{
    fprintf(file, "# A machine for Strata: prices of messages between nodes, and of their kind "
                  "inside.\n");
    tool_head_write(tuned, file);
    fprintf(file, "machine = %s # gives what is not here\n", tuned->base->name);
    write_between(network, tuned->base, file);
    write_inside(network, file);
    write_senders(network, file);
    fprintf(file, "end\n");
}
