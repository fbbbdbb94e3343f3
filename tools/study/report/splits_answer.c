/* Says which split of the cores is best, by how much, and why. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command/words.h"
#include "tools/study/report/splits.h"
#include "tools/study/table/memory.h"

enum { MOST_METHODS = 8, TEXT = 160 };

/* A run, its splits and its best one. */
struct telling {
    const struct study_table *table;
    const struct study *study;
    const char *run;
    struct study_splits splits;
    const struct study_split *best;
    struct study_answer *answer;
};

static bool is_other_split(const struct study_split *split, const struct study_split *than)
{
    return split->nodes != than->nodes || split->ranks != than->ranks;
}

static bool is_of_mpi(const struct study_split *split, const struct study_split *than)
{
    (void)than;
    return strcmp(split->method, "mpi") == 0;
}

/* Ranks alone on the same nodes, with the same library. */
static bool is_plain(const struct study_split *split, const struct study_split *than)
{
    return split->threads == 1 && split->nodes == than->nodes &&
           is_of_mpi(split, NULL) == is_of_mpi(than, NULL) && split != than;
}

/* "2 nodes x 4 ranks x 1 thread by Strata". */
static const char *name_of(const struct telling *t, const struct study_split *split, char *text)
{
    snprintf(text, TEXT, "%d node%s x %d rank%s x %d thread%s by %s", split->nodes,
             tool_plural(split->nodes), split->ranks, tool_plural(split->ranks), split->threads,
             tool_plural(split->threads), study_name_of(t->study, split->method));
    return text;
}

/* "1.23 ms", or "1.23 ms (1.20 ms to 1.26 ms)". */
static const char *time_of(const struct study_mean *time, char *text)
{
    char value[32], low[32], high[32];
    tool_seconds(time->value, value, sizeof value);
    if (time->count > 1) {
        snprintf(text, TEXT, "%s (%s to %s)", value, tool_seconds(time->low, low, sizeof low),
                 tool_seconds(time->high, high, sizeof high));
    } else {
        snprintf(text, TEXT, "%s", value);
    }
    return text;
}

/* Whether two splits differ by more than their spread. */
static bool differs(const struct study_mean *ratio)
{
    return ratio->count < 2 || ratio->low > 1 || ratio->high < 1;
}

/* "12 % (9 to 15 %) less time than NAME (1.40 ms)". */
static const char *comparison(const struct telling *t, const struct study_split *other, char *text,
                              size_t size)
{
    char name[TEXT], time[TEXT], spread[64] = "";
    const struct study_mean ratio = study_splits_ratio(&t->splits, t->best, other);
    if (ratio.count > 1) {
        snprintf(spread, sizeof spread, " (%.1f to %.1f %%)", 100 * (1 - ratio.high),
                 100 * (1 - ratio.low));
    }
    snprintf(text, size, "%.1f %%%s less time than %s, which takes %s%s", 100 * (1 - ratio.value),
             spread, name_of(t, other, name), time_of(&other->time, time),
             differs(&ratio) ? "" : "; the repeats do not tell these two apart");
    return text;
}

static void tell_best(const struct telling *t)
{
    char name[TEXT], time[TEXT], next[4 * TEXT] = "";
    const struct study_split *second = study_splits_least(&t->splits, is_other_split, t->best);
    if (second) {
        next[0] = ',';
        next[1] = ' ';
        comparison(t, second, next + 2, sizeof next - 2);
    }
    study_answer_add(t->answer, STUDY_SENTENCES, "Best is %s: %s%s.", name_of(t, t->best, name),
                     time_of(&t->best->time, time), next);
}

static void tell_mpi(const struct telling *t)
{
    char text[4 * TEXT];
    const struct study_split *mpi = study_splits_least(&t->splits, is_of_mpi, NULL);
    if (mpi && mpi != t->best) {
        study_answer_add(t->answer, STUDY_SENTENCES,
                         "Against MPI's own collectives at their best: %s.",
                         comparison(t, mpi, text, sizeof text));
    }
}

/* "0.30 ms less (0.52 ms and not 0.82 ms)". */
static const char *change(double now, double before, char *text)
{
    char by[32], left[32], right[32];
    snprintf(text, TEXT, "%s %s (%s and not %s)", tool_seconds(fabs(now - before), by, sizeof by),
             now <= before ? "less" : "more", tool_seconds(now, left, sizeof left),
             tool_seconds(before, right, sizeof right));
    return text;
}

/* The cause lies in the exchange or in the rest, and in the messages between nodes. */
static void tell_why(const struct telling *t)
{
    const struct study_split *best = t->best,
                             *other = study_splits_least(&t->splits, is_plain, best);
    char name[TEXT], first[TEXT], second[TEXT], text[4 * TEXT] = "", messages[TEXT] = "";
    other = other ? other : study_splits_least(&t->splits, is_other_split, best);
    if (!other) {
        return;
    }
    if (best->messages >= 0 && other->messages > 0) {
        snprintf(messages, sizeof messages, "it sends %.3g times the messages between nodes",
                 best->messages / other->messages);
    }
    if (best->exchange >= 0 && other->exchange >= 0) {
        snprintf(
            text, sizeof text, "the exchange takes %s, and the rest %s%s",
            change(best->exchange, other->exchange, first),
            change(best->time.value - best->exchange, other->time.value - other->exchange, second),
            *messages ? "; " : "");
    }
    if (*text || *messages) {
        study_answer_add(t->answer, STUDY_SENTENCES, "Why: beside %s %s%s.",
                         name_of(t, other, name), text, messages);
    } else {
        study_answer_add(
            t->answer, STUDY_SENTENCES,
            "Why is not told: neither the time of the exchange nor the messages between "
            "nodes are known. `strata run --report` counts a program's messages.");
    }
}

/* What the reader must know of the times. */
static void tell_means(const struct telling *t)
{
    const struct study_split *best = t->best;
    const int total = best->nodes * best->ranks * best->threads;
    int row = 0;
    while (strcmp(study_table_cell(t->table, row, "run"), t->run) != 0) {
        row++;
    }
    const long cores = strtol(study_table_cell(t->table, row, "cores"), NULL, 10);
    if (cores && cores < total) {
        study_answer_add(t->answer, STUDY_SENTENCES,
                         "These are %d threads on %ld core%s, which take turns. So the times "
                         "compare splits here, and say nothing of a machine with %d cores.",
                         total, cores, tool_plural(cores), total);
    }
    if (best->time.count > 1) {
        study_answer_add(t->answer, STUDY_SENTENCES,
                         "Times are geometric means of %d repeats, of all splits in turn, with "
                         "intervals of 95 %%. In the table * marks the best, and = what its "
                         "repeats do not tell apart from it.",
                         best->time.count);
    } else {
        bool simulated = strcmp(study_table_cell(t->table, row, "backend"), "smpi") == 0;
        study_answer_add(t->answer, STUDY_SENTENCES, "%s In the table * marks the best.",
                         simulated ? "Times are simulated, and repeat to the last digit."
                                   : "Each time was taken once, so its spread is not known.");
    }
}

static int collect_methods(const struct telling *t, const char *methods[MOST_METHODS])
{
    int count = 0;
    for (const struct study_name *name = t->study->names; name->value; name++) {
        for (int i = 0; i < t->splits.count && count < MOST_METHODS; i++) {
            if (strcmp(t->splits.splits[i].method, name->value) == 0) {
                methods[count++] = name->value;
                break;
            }
        }
    }
    return count;
}

static int by_shape(const void *left, const void *right)
{
    const struct study_split *a = *(const struct study_split *const *)left;
    const struct study_split *b = *(const struct study_split *const *)right;
    return a->nodes != b->nodes ? a->nodes - b->nodes : a->ranks - b->ranks;
}

/* The cell of a split by one method. */
static const char *cell_of(const struct telling *t, const struct study_split *like,
                           const char *method, char *text)
{
    snprintf(text, TEXT, "-");
    for (int i = 0; i < t->splits.count; i++) {
        const struct study_split *split = &t->splits.splits[i];
        if (strcmp(split->method, method) == 0 && !is_other_split(split, like)) {
            const struct study_mean ratio = study_splits_ratio(&t->splits, t->best, split);
            char time[TEXT];
            snprintf(text, TEXT, "%.100s%s", time_of(&split->time, time),
                     split == t->best  ? " *"
                     : differs(&ratio) ? ""
                                       : " =");
        }
    }
    return text;
}

/* Adds a column to a row. */
static void append(char **row, const char *cell)
{
    char *longer = study_text("%s|%s", *row, cell);
    free(*row);
    *row = longer;
}

static void tell_row(const struct telling *t, const struct study_split *split,
                     const char *const *methods, int count)
{
    char text[TEXT];
    char *row = study_text("%d|%d|%d", split->nodes, split->ranks, split->threads);
    for (int i = 0; i < count; i++) {
        append(&row, cell_of(t, split, methods[i], text));
    }
    study_answer_add(t->answer, STUDY_ROW, "%s", row);
    free(row);
}

/* A row for each split, a column for each method. */
static void tell_table(const struct telling *t)
{
    const char *methods[MOST_METHODS];
    int count = collect_methods(t, methods);
    char *head = study_text("nodes|ranks of a node|threads of a rank");
    const struct study_split **order = study_allocate((size_t)t->splits.count, sizeof *order);
    for (int i = 0; i < count; i++) {
        append(&head, study_name_of(t->study, methods[i]));
    }
    study_answer_add(t->answer, STUDY_COLUMNS, "%s", head);
    for (int i = 0; i < t->splits.count; i++) {
        order[i] = &t->splits.splits[i];
    }
    qsort(order, (size_t)t->splits.count, sizeof *order, by_shape);
    for (int i = 0; i < t->splits.count; i++) {
        if (i == 0 || is_other_split(order[i], order[i - 1])) {
            tell_row(t, order[i], methods, count);
        }
    }
    free(order);
    free(head);
}

static void tell_run(struct telling *t)
{
    study_splits_build(&t->splits, t->table, t->run);
    t->best = study_splits_least(&t->splits, NULL, NULL);
    study_answer_add(t->answer, STUDY_HEADING, "%s", t->run);
    if (t->best) {
        tell_best(t);
        tell_mpi(t);
        tell_why(t);
        tell_means(t);
        tell_table(t);
    }
    study_splits_fini(&t->splits);
}

static bool is_first_of_run(const struct study_table *table, int row)
{
    const char *run = study_table_cell(table, row, "run");
    for (int i = 0; i < row; i++) {
        if (strcmp(study_table_cell(table, i, "run"), run) == 0) {
            return false;
        }
    }
    return true;
}

void study_splits_answer(const struct study *study, const struct study_table *table,
                         struct study_answer *answer)
{
    for (int row = 0; row < table->rows; row++) {
        if (is_first_of_run(table, row)) {
            tell_run(&(struct telling){.table = table,
                                       .study = study,
                                       .run = study_table_cell(table, row, "run"),
                                       .answer = answer});
        }
    }
}
