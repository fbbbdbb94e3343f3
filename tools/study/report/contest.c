/* Finds the fastest method at each place of a grid over two axes, and judges claims about its
 * share. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/report/contest.h"

#include "tools/command/words.h"
#include "tools/study/report/rivals.h"
#include "tools/study/run/points.h"
#include "tools/study/table/median.h"
#include "tools/study/table/memory.h"

static int find_word(char *const *words, int count, const char *word)
{
    int i = count - 1;
    while (i >= 0 && strcmp(words[i], word) != 0) {
        i--;
    }
    return i;
}

/* A row of the table, at a place of the grid. */
struct entry {
    int place, row;
    const char *method;
    struct study_value value;
};

/* Orders entries by place, then by method, then by value. */
static int compare(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int methods = strcmp(a->method, b->method);
    return a->place != b->place              ? a->place - b->place
           : methods                         ? methods
           : a->value.value < b->value.value ? -1
                                             : a->value.value > b->value.value;
}

/* Lists the rows that take part. Returns their number. */
static int list_entries(const struct study_grid *grid, const struct study_table *table,
                        const struct study_axes *axes, const char *methods, struct entry *entries)
{
    int count = 0;
    for (int row = 0; row < table->rows; row++) {
        const char *method = study_table_cell(table, row, "method");
        struct study_value value = study_grid_read(table, row, axes->y);
        if (!isnan(value.value) && study_list_has(methods, ';', method) &&
            study_table_matches(table, row, axes->where)) {
            int point = find_word(grid->x, grid->points, study_table_cell(table, row, axes->x));
            int line =
                find_word(grid->series, grid->lines, study_table_cell(table, row, axes->series));
            entries[count++] = (struct entry){point * grid->lines + line, row, method, value};
        }
    }
    qsort(entries, (size_t)count, sizeof *entries, compare);
    return count;
}

static bool is_even(const struct study_value *one, const struct study_value *other)
{
    bool exact = one->low == one->high && other->low == other->high;
    return !exact && one->low <= other->high && other->low <= one->high;
}

/* Enters a method's median, which `first` is the row of. Of equal ones the first in the table
 * wins. */
static void enter(struct study_contest_cell *cell, const struct entry *entry, int first,
                  int *winner_row, struct study_value *best, struct study_value *second)
{
    bool wins = cell->methods == 0 || entry->value.value < best->value ||
                (entry->value.value == best->value && first < *winner_row);
    if (wins) {
        *second = *best;
        *best = entry->value;
        *winner_row = first;
        cell->winner = entry->method;
    } else if (cell->methods == 1 || entry->value.value < second->value) {
        *second = entry->value;
    }
    cell->methods++;
}

/* The end of the entries of one method at one place, from `at` on. *first: the first row. */
static int end_of_method(const struct entry *entries, int count, int at, int *first)
{
    int end = at;
    *first = entries[at].row;
    for (; end < count && entries[end].place == entries[at].place &&
           strcmp(entries[end].method, entries[at].method) == 0;
         end++) {
        *first = entries[end].row < *first ? entries[end].row : *first;
    }
    return end;
}

/* Fills a cell from the entries of its place. Returns the number of these. */
static int fill_cell(struct study_contest_cell *cell, const struct entry *entries, int count)
{
    struct study_value best = {0}, second = {0};
    int at = 0, winner_row = 0, near = 0, first;
    while (at < count && entries[at].place == entries[0].place) {
        int end = end_of_method(entries, count, at, &first);
        enter(cell, &entries[(at + end - 1) / 2], first, &winner_row, &best, &second);
        at = end;
    }
    cell->best = best.value;
    cell->second = second.value;
    for (int i = 0, end; i < at; i = end) {
        end = end_of_method(entries, count, i, &first);
        const struct entry *median = &entries[(i + end - 1) / 2];
        if (strcmp(median->method, cell->winner) != 0 && is_even(&best, &median->value)) {
            cell->even = true;
            if (near < STUDY_NEAR - 1) {
                cell->near[near++] = median->method;
            }
        }
    }
    return at;
}

/* Makes a cell of each place that two methods or more have. */
void study_contest_build(struct study_contest *contest, const struct study_table *table,
                         const struct study *study, const struct study_axes *axes,
                         const char *methods)
{
    struct study_grid *grid = &contest->grid;
    struct entry *entries = study_allocate((size_t)table->rows + 1, sizeof *entries);
    study_grid_build(grid, table, study, axes);
    contest->cells =
        study_allocate((size_t)(grid->points * grid->lines) + 1, sizeof *contest->cells);
    contest->count = 0;
    int count = list_entries(grid, table, axes, methods, entries);
    for (int at = 0; at < count;) {
        struct study_contest_cell *cell = &contest->cells[contest->count];
        *cell = (struct study_contest_cell){.point = entries[at].place / grid->lines,
                                            .line = entries[at].place % grid->lines};
        at += fill_cell(cell, entries + at, count - at);
        contest->count += cell->methods > 1;
    }
    free(entries);
}

void study_contest_fini(struct study_contest *contest)
{
    study_grid_fini(&contest->grid);
    free(contest->cells);
    *contest = (struct study_contest){0};
}

double study_contest_gain(const struct study_contest_cell *cell)
{
    return 100 * (1 - cell->best / cell->second);
}

/* Whether the cell does not tell if the method wins. */
static bool is_untold(const struct study_contest_cell *cell, const char *method)
{
    bool among = strcmp(cell->winner, method) == 0;
    for (int i = 0; i < STUDY_NEAR && cell->near[i]; i++) {
        among = among || strcmp(cell->near[i], method) == 0;
    }
    return cell->even && among;
}

struct study_contest_share study_contest_count(const struct study_contest *contest,
                                               const char *method)
{
    struct study_contest_share s = {0};
    double *gains = study_allocate((size_t)contest->count + 1, sizeof *gains);
    for (int i = 0; i < contest->count; i++) {
        s.even += is_untold(&contest->cells[i], method);
        if (!contest->cells[i].even && strcmp(contest->cells[i].winner, method) == 0) {
            gains[s.won] = study_contest_gain(&contest->cells[i]);
            s.mean += gains[s.won++];
        }
    }
    s.cells = contest->count - s.even;
    if (s.won > 0) {
        s.mean /= s.won;
        s.median = study_median(gains, (size_t)s.won);
        s.least = gains[0];
        s.most = gains[s.won - 1];
    }
    s.share = s.cells ? 100.0 * s.won / s.cells : 0;
    free(gains);
    return s;
}

/* Lists the cells that other methods won, a line for each. It stops after some, because there may
 * be hundreds. */
static char *tell_lost(const struct study_contest *contest, const struct study_claim *claim,
                       const struct study *study)
{
    enum { LINES = 60 };
    char *text = study_copy("", 0);
    int lost = 0;
    for (int i = 0; i < contest->count; i++) {
        const struct study_contest_cell *cell = &contest->cells[i];
        if (!is_untold(cell, claim->left) && strcmp(cell->winner, claim->left) != 0 &&
            lost++ < LINES) {
            char *longer = study_text("%s%s %s, %s %s: %s %.4g, the next %.4g\n", text,
                                      claim->axes.x, contest->grid.x[cell->point],
                                      claim->axes.series, contest->grid.series[cell->line],
                                      study_name_of(study, cell->winner), cell->best, cell->second);
            free(text);
            text = longer;
        }
    }
    char *all = lost > LINES ? study_text("%sand %d more\n", text, lost - LINES)
                             : study_copy(text, strlen(text));
    free(text);
    return all;
}

/* A percentage may differ from the paper's by TOLERANCE percentage points. Where the paper has a
 * word such as "generally", the share must be GENERALLY. */
void study_contest_judge(const struct study_contest *contest, const struct study_claim *claim,
                         struct study_finding *finding)
{
    enum { TOLERANCE = 10, GENERALLY = 80 };
    struct study_contest_share s = study_contest_count(contest, claim->left);
    finding->points = s.cells;
    finding->even = s.even;
    finding->agreeing = s.won;
    finding->agrees = isdigit((unsigned char)*claim->number)
                          ? fabs(s.share - strtod(claim->number, NULL)) <= TOLERANCE
                          : s.share >= GENERALLY;
    char even[48] = "";
    if (s.even) {
        snprintf(even, sizeof even, "; %d more cell%s not told apart", s.even, tool_plural(s.even));
    }
    snprintf(finding->ours, sizeof finding->ours,
             "%.2f %% (%d of %d cells), there faster by %.1f %% on average, median %.1f %%, at "
             "most %.1f %%%s",
             s.share, s.won, s.cells, s.mean, s.median, s.most, even);
    finding->details = tell_lost(contest, claim, finding->study);
}

void study_judge_share(const struct study_claim *claim, const struct study_table *table,
                       struct study_finding *finding)
{
    struct study_contest contest;
    study_contest_build(&contest, table, finding->study, &claim->axes, claim->right);
    study_contest_judge(&contest, claim, finding);
    study_contest_fini(&contest);
}
