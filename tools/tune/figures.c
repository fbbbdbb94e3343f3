/* From what was measured to the parameters of the cost model (core/cost/machine_cost.c). */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "core/cost/machine_cost.h"
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

int tool_overlap_count(const struct tool_overlap *overlap)
{
    int count = 0;
    while (count < TOOL_UNDER_WAY && overlap->seconds[count].median > 0) {
        count++;
    }
    return count;
}

int tool_overlap_most(const struct tool_overlap *overlap)
{
    const int count = tool_overlap_count(overlap);
    int most = 0;
    for (int more = 1; more < count; more++) {
        const double best = (1 << most) / overlap->seconds[most].low;
        most = (1 << more) / overlap->seconds[more].high > best ? more : most;
    }
    return 1 << most;
}

/* The machine as it is written. */
struct writing {
    struct strata_machine machine;
    FILE *file;
};

static void line(struct writing *w, const char *name, double *field, double value, const char *why)
{
    if (value >= 0) {
        *field = value;
        fprintf(w->file, "%s = %.4g # %s\n", name, value, why);
    }
}

static void line_of(struct writing *w, const char *name, double *field, double value,
                    const struct tool_spread *of)
{
    char why[96];
    snprintf(why, sizeof why, "of %.4g, quartiles %.4g and %.4g", of->median, of->low, of->high);
    line(w, name, field, value, why);
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

/* How many messages, each of which waits for its receive, start together: by the time of so many
 * at once, and by what the machine says of the rest. */
static double overlap_of(const struct tool_spread *time, double messages, int bytes,
                         const struct strata_machine *machine)
{
    struct strata_cost cost = {0};
    struct strata_machine rest = *machine;
    rest.rendezvous = 0;
    strata_cost_stage(&cost, messages, messages * bytes, &rest);
    const double starting = time->median - strata_cost_time(&cost);
    const double together =
        starting > machine->rendezvous ? messages * machine->rendezvous / starting : messages;
    return fmax(together, 1);
}

static void write_overlap(struct writing *w, const struct tool_overlap *waiting)
{
    const int count = tool_overlap_count(waiting);
    if (count > 1 && w->machine.rendezvous > 0) {
        const struct tool_spread *most = &waiting->seconds[count - 1];
        line_of(w, "overlap", &w->machine.overlap,
                overlap_of(most, 1 << (count - 1), waiting->bytes, &w->machine), most);
    }
}

static void write_between(struct writing *w, const struct tool_network *n)
{
    struct strata_machine *m = &w->machine;
    const double beta = n->senders[0].byte.median, message = n->message.median;
    const double overhead = fmin(n->overhead.median, message / 2);
    const double alpha = message - 2 * overhead;
    const struct tool_spread *of;
    line_of(w, "alpha", &m->alpha, alpha, &n->message);
    line_of(w, "overhead", &m->overhead, overhead, &n->overhead);
    line_of(w, "beta", &m->beta, beta, &n->senders[0].byte);
    m->eager = n->eager;
    fprintf(w->file, "eager = %.0f\n", n->eager);
    if (n->eager > 0 && beta > 0) {
        double more = n->waiting.median - message - 2 * n->eager * beta;
        line_of(w, "beta_eager", &m->beta_eager, (n->ahead.median - message) / n->eager, &n->ahead);
        line_of(w, "rendezvous", &m->rendezvous, more, &n->waiting);
    }
    if (m->ports > 0) {
        double gap = gap_of(n, alpha, &of);
        line(w, "ports", &m->ports, beta > 0 ? ports_of(n) : -1,
             "how many times as fast as one rank a node's ranks send");
        line_of(w, "gap", &m->gap, gap > 0 ? gap : -1, of);
    }
    write_overlap(w, &n->overlap[2]);
}

static void write_inside(struct writing *w, const struct tool_network *n)
{
    struct strata_machine *m = &w->machine;
    if (n->node_message.median > 0) {
        double alpha = fmax(n->node_message.median - 2 * n->overhead.median, 0);
        line_of(w, "alpha_node", &m->alpha_node, alpha, &n->node_message);
        line_of(w, "beta_node", &m->beta_node, n->node_byte.median, &n->node_byte);
    }
}

/* A kind of two ranks: its word, which is also the end of parameters' names, what they share, and
 * what there is several of in that. The cost model knows no cores. */
static const struct {
    const char *word, *parameter, *shared, *inside;
} inner_words[TOOL_INNERS] = {
    [TOOL_CORE] = {"core", NULL, "a core", "core has several hardware threads"},
    [TOOL_CACHE] = {"cache", "cache", "a last-level cache", "last-level cache has several cores"},
    [TOOL_DOMAIN] = {"domain", "domain", "a NUMA domain", "domain has several last-level caches"},
    [TOOL_PACKAGE] = {"package", "package", "a package", "package has several NUMA domains"},
    [TOOL_NODE] = {"apart", "apart", "only their node", "node has several packages"},
};

/* The model's parameter of a distance. One of 0 would be that of any message inside a node. */
static void inner_line(struct writing *w, const char *name, const char *distance, double value,
                       const struct tool_spread *of)
{
    char parameter[64];
    double unused;
    snprintf(parameter, sizeof parameter, "%s_%s", name, distance);
    line_of(w, parameter, &unused, fmax(value, 1e-13), of);
}

/* Other work has disturbed what has no time of a byte. */
static bool is_told(const struct tool_inner *inner)
{
    return inner->pairs > 0 && inner->byte.median > 0;
}

static void write_distance(struct writing *w, const char *distance, const struct tool_inner *i)
{
    const double message = i->message.median, beta = i->byte.median;
    const double overhead = fmin(i->overhead.median, message / 2), alpha = message - 2 * overhead;
    const bool limit = i->ahead.median > 0; /* else all are sent ahead, or none */
    inner_line(w, "alpha", distance, alpha, &i->message);
    inner_line(w, "overhead", distance, overhead, &i->overhead);
    inner_line(w, "beta", distance, beta, &i->byte);
    inner_line(w, "gap", distance, (i->at_once.median - alpha) / (TOOL_AT_ONCE - 1), &i->at_once);
    fprintf(w->file, "eager_%s = %.0f\n", distance, i->eager > 0 ? i->eager : 1e9);
    inner_line(w, "beta_eager", distance, limit ? (i->ahead.median - message) / i->eager : beta,
               limit ? &i->ahead : &i->byte);
    inner_line(w, "rendezvous", distance,
               limit ? i->waiting.median - message - 2 * i->eager * beta : 0, &i->waiting);
}

static void write_distances(struct writing *w, const struct tool_network *n)
{
    for (int i = 0; i < TOOL_INNERS; i++) {
        if (is_told(&n->inner[i]) && inner_words[i].parameter) {
            fprintf(w->file, "# two ranks that share %s\n", inner_words[i].shared);
            write_distance(w, inner_words[i].parameter, &n->inner[i]);
        }
    }
}

static void write_lack(int i, enum tool_inner_lack lack, FILE *file)
{
    static const char *const lacks[] = {
        [TOOL_LACKS_PLACES] = "nobody knows where some ranks run; bind them to cores",
        [TOOL_LACKS_RANKS] = "no two ranks of a node share just that"};
    if (lack == TOOL_LACKS_OBJECTS) {
        fprintf(file, "not measured: no %s\n", inner_words[i].inside);
    } else {
        fprintf(file, "not measured: %s\n", lacks[lack]);
    }
}

/* A line for each distance. */
static void write_inner(const struct tool_inner *inner, FILE *file)
{
    fprintf(file,
            "# the least that two ranks of a node share; such pairs at once, and the first; s for "
            "%d B; s for a byte; with quartiles\n",
            TOOL_SHORT);
    for (int i = 0; i < TOOL_INNERS; i++) {
        const struct tool_spread *m = &inner[i].message, *b = &inner[i].byte;
        fprintf(file, "#   %-8s ", inner_words[i].word);
        if (inner[i].lack != TOOL_LACKS_NOTHING) {
            write_lack(i, inner[i].lack, file);
            continue;
        }
        fprintf(file, "%d  %d and %d  %.4g (%.4g to %.4g)  %.4g (%.4g to %.4g)%s\n", inner[i].pairs,
                inner[i].first[0], inner[i].first[1], m->median, m->low, m->high, b->median, b->low,
                b->high,
                is_told(&inner[i]) ? "" : "  left out: more bytes seemed to take no longer");
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

static void write_under_way(const struct tool_overlap *o, FILE *file)
{
    const int count = tool_overlap_count(o);
    fprintf(file,
            "# messages of %d B of one rank under way at once; messages a second, with quartiles\n",
            o->bytes);
    for (int i = 0; i < count; i++) {
        const struct tool_spread *s = &o->seconds[i];
        const double messages = 1 << i;
        fprintf(file, "#   %4d  %.4g (%.4g to %.4g)\n", 1 << i, messages / s->median,
                messages / s->high, messages / s->low);
    }
    const int most = tool_overlap_most(o);
    fprintf(file, "#   more than %d %s\n", most,
            2 * most == 1 << count ? "were not tried"
                                   : "raise the rate by no more than its spread");
}

static void write_level(int levels, const struct tool_level *level, FILE *file)
{
    const struct tool_spread *m = &level->message, *b = &level->byte;
    fprintf(file, "#   %4d  %d  %.4g (%.4g to %.4g)  %.4g (%.4g to %.4g)\n", levels, level->pairs,
            m->median, m->low, m->high, b->median, b->low, b->high);
}

static void write_levels(const struct tool_level *level, FILE *file)
{
    for (int i = 0, told = 0; i < TOOL_SWITCHES; i++) {
        if (level[i].pairs > 0 && !told++) {
            fprintf(file,
                    "# levels of switches between two nodes, 1: below one leaf; pairs of nodes "
                    "at once; s for %d B; s for a byte; with quartiles\n",
                    TOOL_SHORT);
        }
        if (level[i].pairs > 0) {
            write_level(i + 1, &level[i], file);
        }
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
    struct writing w = {*tuned->base, file};
    fprintf(file, "# A machine for Strata: prices of messages between nodes, and of their kind "
                  "inside.\n");
    tool_head_write(tuned, file);
    fprintf(file, "machine = %s # gives what is not here\n", tuned->base->name);
    write_between(&w, network);
    write_inside(&w, network);
    write_distances(&w, network);
    write_senders(network, file);
    write_inner(network->inner, file);
    write_levels(network->level, file);
    for (int i = 0; i < 3; i++) {
        if (tool_overlap_count(&network->overlap[i]) > 0) {
            write_under_way(&network->overlap[i], file);
        }
    }
    fprintf(file, "end\n");
}
