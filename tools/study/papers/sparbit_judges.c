/* The judges of the study of the Sparbit paper. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/papers/sparbit_judges.h"
#include "tools/study/report/contest.h"
#include "tools/study/table/memory.h"

enum { METHODS = 5 }; /* of each cell */

/* Sparbit's share of the cells of one of the four maps, and its gains there. */
static struct study_contest_share share_of(const struct study_table *table,
                                           const struct study *study, const char *platform,
                                           const char *mapping)
{
    struct study_contest contest;
    char *where = study_text("figure=5;platform=%s;mapping=%s", platform, mapping);
    struct study_axes axes = {where, "ranks", "bytes", "seconds"};
    study_contest_build(&contest, table, study, &axes, NULL);
    struct study_contest_share share = study_contest_count(&contest, SPARBIT);
    study_contest_fini(&contest);
    free(where);
    return share;
}

void study_sparbit_drop(const struct study_claim *claim, const struct study_table *table,
                        struct study_finding *finding)
{
    struct study_contest_share from = share_of(table, finding->study, claim->left, "sequential");
    struct study_contest_share to = share_of(table, finding->study, claim->left, "cyclic");
    finding->points = from.cells && to.cells ? from.cells + to.cells : 0;
    finding->agrees = from.share > to.share;
    snprintf(finding->ours, sizeof finding->ours, "from %.2f %% of %d cells to %.2f %% of %d",
             from.share, from.cells, to.share, to.cells);
}

/* The gains under the sequential mapping must be larger than under the cyclic one. */
void study_sparbit_gains(const struct study_claim *claim, const struct study_table *table,
                         struct study_finding *finding)
{
    struct study_contest_share a = share_of(table, finding->study, claim->left, "sequential");
    struct study_contest_share b = share_of(table, finding->study, claim->left, "cyclic");
    finding->points = a.won && b.won ? a.won + b.won : 0;
    finding->agrees = a.mean > b.mean;
    snprintf(finding->ours, sizeof finding->ours,
             "mean, median, highest: %.2f, %.2f, %.2f against %.2f, %.2f, %.2f", a.mean, a.median,
             a.most, b.mean, b.median, b.most);
}

/* The left cluster must lose more with the cyclic mapping than the right one. */
void study_sparbit_topology(const struct study_claim *claim, const struct study_table *table,
                            struct study_finding *finding)
{
    struct study_contest_share share[4];
    const char *const platforms[] = {claim->left, claim->left, claim->right, claim->right};
    int cells = 0, missing = 0;
    for (int i = 0; i < 4; i++) {
        share[i] = share_of(table, finding->study, platforms[i], i % 2 ? "cyclic" : "sequential");
        cells += share[i].cells;
        missing += share[i].cells == 0;
    }
    double loss[] = {share[0].share - share[1].share, share[2].share - share[3].share};
    finding->points = missing ? 0 : cells;
    finding->agrees = loss[0] > loss[1];
    snprintf(finding->ours, sizeof finding->ours, "%.2f points of percent against %.2f", loss[0],
             loss[1]);
}

/* Looks at the cells that the methods in `right` win. Without these methods the left one would win
 * a share of the cells. The share must lie within 10 percentage points of the paper's. */
void study_sparbit_area(const struct study_claim *claim, const struct study_table *table,
                        struct study_finding *finding)
{
    struct study_contest all, rest;
    int won = 0;
    study_contest_build(&all, table, finding->study, &claim->axes, NULL);
    const char *others = strcmp(claim->right, LINEAR) == 0 ? LOGARITHMIC : LINEAR;
    char *left = study_text(SPARBIT ";%s", others);
    study_contest_build(&rest, table, finding->study, &claim->axes, left);
    for (int i = 0; i < all.count && i < rest.count; i++) {
        bool theirs = strstr(claim->right, all.cells[i].winner) != NULL;
        finding->points += theirs;
        won += theirs && strcmp(rest.cells[i].winner, claim->left) == 0;
    }
    double share = finding->points ? 100.0 * won / finding->points : 0;
    finding->agreeing = won;
    finding->agrees = fabs(share - strtod(claim->number, NULL)) <= 10;
    snprintf(finding->ours, sizeof finding->ours, "%.2f %% (%d of the %d cells that they win)",
             share, won, finding->points);
    study_contest_fini(&all);
    study_contest_fini(&rest);
    free(left);
}

/* Whether Sparbit wins only between the sizes that the two other classes win, in this column of the
 * map. */
static bool is_between(const struct study_contest *contest, int point)
{
    int first = -1, last = -1;
    bool right = true;
    for (int i = 0; i < contest->count; i++) {
        const struct study_contest_cell *cell = &contest->cells[i];
        bool own = cell->point == point && strcmp(cell->winner, SPARBIT) == 0;
        first = own && first < 0 ? cell->line : first;
        last = own ? cell->line : last;
    }
    for (int i = 0; i < contest->count; i++) {
        const struct study_contest_cell *cell = &contest->cells[i];
        bool above = strstr(LINEAR, cell->winner) != NULL;
        bool below = strstr(LOGARITHMIC, cell->winner) != NULL;
        right = right && (cell->point != point ||
                          !((above && cell->line < last) || (below && cell->line > first)));
    }
    return right && first >= 0;
}

void study_sparbit_verge(const struct study_claim *claim, const struct study_table *table,
                         struct study_finding *finding)
{
    struct study_contest contest;
    study_contest_build(&contest, table, finding->study, &claim->axes, NULL);
    finding->points = contest.count > 0 ? contest.grid.points : 0;
    for (int i = 0; i < finding->points; i++) {
        finding->agreeing += is_between(&contest, i);
    }
    finding->agrees = 100 * finding->agreeing >= 80 * finding->points;
    snprintf(finding->ours, sizeof finding->ours,
             "between both classes, or where one ends, at %d of %d numbers of processes",
             finding->agreeing, finding->points);
    study_contest_fini(&contest);
}

/* The times of tables I and II: the least, the median and the greatest batch. */
static const char *const times[] = {"seconds_low", "seconds", "seconds_high"};

/* Leaves out the cells in which a method was not measured, or while other programs took the
 * machine. */
static void drop_incomplete(struct study_contest *contest)
{
    int kept = 0;
    for (int i = 0; i < contest->count; i++) {
        if (contest->cells[i].methods == METHODS) {
            contest->cells[kept++] = contest->cells[i];
        }
    }
    contest->count = kept;
}

void study_sparbit_timed(const struct study_claim *claim, const struct study_table *table,
                         struct study_finding *finding)
{
    struct study_contest contest;
    study_contest_build(&contest, table, finding->study, &claim->axes, NULL);
    drop_incomplete(&contest);
    study_contest_judge(&contest, claim, finding);
    study_contest_fini(&contest);
}

/* Opens the map of hosts with one of these times. As in the paper the lesser time wins, however far
 * the batches of others reach. */
static void open_hosts(struct study_contest *contest, const struct study_table *table,
                       const struct study *study, const char *mapping, const char *time)
{
    char *where = study_text("figure=hosts;mapping=%s", mapping);
    struct study_axes axes = {where, "ranks", "bytes", time};
    study_contest_build(contest, table, study, &axes, NULL);
    drop_incomplete(contest);
    for (int i = 0; i < contest->count; i++) {
        contest->cells[i].even = false;
    }
    free(where);
}

/* The sets of table I: the cells in which Sparbit has each time best, its median and its greatest,
 * and all three. */
struct sets {
    int cells, won[3], both, three;
};

static struct sets count_sets(const struct study_contest all[3])
{
    struct sets sets = {0};
    for (int i = 0; i < all[0].count && i < all[1].count && i < all[2].count; i++) {
        bool own[3];
        for (int j = 0; j < 3; j++) {
            own[j] = strcmp(all[j].cells[i].winner, SPARBIT) == 0;
            sets.won[j] += own[j];
        }
        sets.cells++;
        sets.both += own[1] && own[2];
        sets.three += own[0] && own[1] && own[2];
    }
    return sets;
}

/* Judges table I with the mapping `left`: the share of the cells in which Sparbit has all three
 * times best, or, with `right`, its median where it has the greatest best. */
void study_sparbit_sets(const struct study_claim *claim, const struct study_table *table,
                        struct study_finding *finding)
{
    struct study_contest all[3];
    for (int i = 0; i < 3; i++) {
        open_hosts(&all[i], table, finding->study, claim->left, times[i]);
    }
    const struct sets sets = count_sets(all);
    finding->points = claim->right ? sets.won[2] : sets.cells;
    finding->agreeing = claim->right ? sets.both : sets.three;
    double share = finding->points ? 100.0 * finding->agreeing / finding->points : 0;
    finding->agrees = fabs(share - strtod(claim->number, NULL)) <= 10;
    snprintf(finding->ours, sizeof finding->ours,
             "%.2f %% (%d of %d cells; least best in %d, median in %d, greatest in %d)", share,
             finding->agreeing, finding->points, sets.won[0], sets.won[1], sets.won[2]);
    for (int i = 0; i < 3; i++) {
        study_contest_fini(&all[i]);
    }
}

/* Judges table II: in each of the three times Sparbit must gain more, on average, with the
 * sequential mapping. The details have the table. */
void study_sparbit_times(const struct study_claim *claim, const struct study_table *table,
                         struct study_finding *finding)
{
    (void)claim;
    static const char *const mappings[] = {"sequential", "cyclic"};
    double mean[6];
    bool lacks = false;
    finding->agrees = true;
    for (int i = 0; i < 6; i++) {
        struct study_contest contest;
        open_hosts(&contest, table, finding->study, mappings[i / 3], times[i % 3]);
        struct study_contest_share s = study_contest_count(&contest, SPARBIT);
        mean[i] = s.mean;
        finding->points += s.won;
        lacks = lacks || s.won == 0;
        finding->agrees = finding->agrees && (i < 3 || mean[i - 3] > s.mean);
        study_finding_tell(finding,
                           "%s, %s: %d of %d cells, gain least %.2f, mean %.2f, median %.2f, most "
                           "%.2f %%",
                           mappings[i / 3], times[i % 3], s.won, s.cells, s.least, s.mean, s.median,
                           s.most);
        study_contest_fini(&contest);
    }
    finding->points = lacks ? 0 : finding->points;
    snprintf(finding->ours, sizeof finding->ours,
             "means of least, median, greatest: %.2f, %.2f, %.2f against %.2f, %.2f, %.2f", mean[0],
             mean[1], mean[2], mean[3], mean[4], mean[5]);
}
