/* Finds the fastest method at each place of a grid over two axes, and judges claims about its
 * share. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/report/contest.h"

#include "tools/study/table/memory.h"

/* Whether the word is in "a;b;c". */
static bool is_in(const char *list, const char *word)
{
    size_t length = strlen(word);
    while (list && *list) {
        size_t end = strcspn(list, ";");
        if (end == length && strncmp(list, word, length) == 0) {
            return true;
        }
        list += end + (list[end] == ';');
    }
    return !list;
}

static int find_word(char *const *words, int count, const char *word)
{
    int i = count - 1;
    while (i >= 0 && strcmp(words[i], word) != 0) {
        i--;
    }
    return i;
}

static void enter(struct study_contest_cell *cell, const char *method, double value)
{
    if (cell->methods++ == 0 || value < cell->best) {
        cell->second = cell->methods > 1 ? cell->best : INFINITY;
        cell->best = value;
        cell->winner = method;
    } else if (value < cell->second) {
        cell->second = value;
    }
}

/* Enters the table row by row, then drops the cells that only one method has. */
void study_contest_build(struct study_contest *contest, const struct study_table *table,
                         const struct study *study, const struct study_axes *axes,
                         const char *methods)
{
    struct study_grid *grid = &contest->grid;
    study_grid_build(grid, table, study, axes);
    int places = grid->points * grid->lines;
    contest->cells = study_allocate((size_t)places + 1, sizeof *contest->cells);
    for (int row = 0; row < table->rows; row++) {
        const char *method = study_table_cell(table, row, "method");
        const char *value = study_table_cell(table, row, axes->y);
        if (*value && is_in(methods, method) && study_table_matches(table, row, axes->where)) {
            int point = find_word(grid->x, grid->points, study_table_cell(table, row, axes->x));
            int line =
                find_word(grid->series, grid->lines, study_table_cell(table, row, axes->series));
            enter(&contest->cells[point * grid->lines + line], method, strtod(value, NULL));
        }
    }
    contest->count = 0;
    for (int i = 0; i < places; i++) {
        struct study_contest_cell cell = contest->cells[i];
        cell.point = i / grid->lines;
        cell.line = i % grid->lines;
        contest->cells[contest->count] = cell;
        contest->count += cell.methods > 1;
    }
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

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

struct study_contest_share study_contest_count(const struct study_contest *contest,
                                               const char *method)
{
    struct study_contest_share s = {.cells = contest->count};
    double *gains = study_allocate((size_t)contest->count + 1, sizeof *gains);
    for (int i = 0; i < contest->count; i++) {
        if (strcmp(contest->cells[i].winner, method) == 0) {
            gains[s.won] = study_contest_gain(&contest->cells[i]);
            s.mean += gains[s.won++];
        }
    }
    qsort(gains, (size_t)s.won, sizeof *gains, by_value);
    if (s.won > 0) {
        s.mean /= s.won;
        s.median = (gains[(s.won - 1) / 2] + gains[s.won / 2]) / 2;
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
        if (strcmp(cell->winner, claim->left) != 0 && lost++ < LINES) {
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
void study_judge_share(const struct study_claim *claim, const struct study_table *table,
                       struct study_finding *finding)
{
    enum { TOLERANCE = 10, GENERALLY = 80 };
    struct study_contest contest;
    study_contest_build(&contest, table, finding->study, &claim->axes, claim->right);
    struct study_contest_share s = study_contest_count(&contest, claim->left);
    finding->points = s.cells;
    finding->agreeing = s.won;
    finding->agrees = isdigit((unsigned char)*claim->number)
                          ? fabs(s.share - strtod(claim->number, NULL)) <= TOLERANCE
                          : s.share >= GENERALLY;
    snprintf(finding->ours, sizeof finding->ours,
             "%.2f %% (%d of %d cells), there faster by %.1f %% on average, median %.1f %%, at "
             "most %.1f %%",
             s.share, s.won, s.cells, s.mean, s.median, s.most);
    finding->details = tell_lost(&contest, claim, finding->study);
    study_contest_fini(&contest);
}
