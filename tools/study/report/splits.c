/* Collects the repeats of each split. Times vary by factors, so means and intervals are those of
 * their logarithms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/student.h"
#include "tools/study/report/splits.h"
#include "tools/study/table/memory.h"

/* The number in a cell; NAN: none. */
static double number_at(const struct study_table *table, int row, const char *column)
{
    const char *cell = study_table_cell(table, row, column);
    char *end;
    double value = strtod(cell, &end);
    return *cell && !*end ? value : NAN;
}

/* Of the numbers that are known. */
static struct study_mean mean_of(const double *values, int count)
{
    double sum = 0, squares = 0, half = 0;
    int known = 0;
    for (int i = 0; i < count; i++) {
        if (values[i] > 0) {
            sum += log(values[i]);
            known++;
        }
    }
    double mean = known ? sum / known : NAN;
    for (int i = 0; i < count; i++) {
        squares += values[i] > 0 ? pow(log(values[i]) - mean, 2) : 0;
    }
    if (known > 1) {
        half = strata_student(known - 1) * sqrt(squares / (known - 1) / known);
    }
    return (struct study_mean){exp(mean), exp(mean - half), exp(mean + half), known};
}

static bool is_of(const struct study_split *split, const struct study_split *other)
{
    return strcmp(split->method, other->method) == 0 && split->nodes == other->nodes &&
           split->ranks == other->ranks && split->threads == other->threads;
}

/* Finds the split of a row, or adds it. */
static struct study_split *split_of(struct study_splits *all, const struct study_table *table,
                                    int row)
{
    struct study_split new = {.method = study_table_cell(table, row, "method"),
                              .nodes = (int)number_at(table, row, "nodes"),
                              .ranks = (int)number_at(table, row, "ranks_per_node"),
                              .threads = (int)number_at(table, row, "threads"),
                              .exchange = number_at(table, row, "exchange_seconds"),
                              .messages = number_at(table, row, "messages_between")};
    for (int i = 0; i < all->count; i++) {
        if (is_of(&all->splits[i], &new)) {
            return &all->splits[i];
        }
    }
    new.seconds = study_allocate((size_t)all->repeats, sizeof *new.seconds);
    for (int i = 0; i < all->repeats; i++) {
        new.seconds[i] = NAN;
    }
    all->splits = study_grow(all->splits, (size_t)all->count + 1, sizeof *all->splits);
    all->splits[all->count] = new;
    return &all->splits[all->count++];
}

/* The mean of the repeats of a part of the time, which may be none: one rank exchanges nothing. */
static double part_of(const struct study_table *table, const char *run,
                      const struct study_split *split, const char *column)
{
    double sum = 0;
    int known = 0;
    for (int row = 0; row < table->rows; row++) {
        double value = number_at(table, row, column);
        if (!isnan(value) && strcmp(study_table_cell(table, row, "run"), run) == 0 &&
            strcmp(study_table_cell(table, row, "method"), split->method) == 0 &&
            number_at(table, row, "nodes") == split->nodes &&
            number_at(table, row, "ranks_per_node") == split->ranks &&
            number_at(table, row, "threads") == split->threads) {
            sum += value;
            known++;
        }
    }
    return known ? sum / known : NAN;
}

void study_splits_build(struct study_splits *all, const struct study_table *table, const char *run)
{
    *all = (struct study_splits){0};
    for (int row = 0; row < table->rows; row++) {
        double repeat = number_at(table, row, "repeat");
        all->repeats = repeat > all->repeats ? (int)repeat : all->repeats;
    }
    for (int row = 0; row < table->rows; row++) {
        double repeat = number_at(table, row, "repeat");
        if (repeat >= 1 && strcmp(study_table_cell(table, row, "run"), run) == 0) {
            split_of(all, table, row)->seconds[(int)repeat - 1] = number_at(table, row, "seconds");
        }
    }
    for (int i = 0; i < all->count; i++) {
        struct study_split *split = &all->splits[i];
        split->time = mean_of(split->seconds, all->repeats);
        split->exchange = part_of(table, run, split, "exchange_seconds");
    }
}

void study_splits_fini(struct study_splits *all)
{
    for (int i = 0; i < all->count; i++) {
        free(all->splits[i].seconds);
    }
    free(all->splits);
    *all = (struct study_splits){0};
}

const struct study_split *study_splits_least(const struct study_splits *all, study_split_fits *fits,
                                             const struct study_split *than)
{
    const struct study_split *least = NULL;
    for (int i = 0; i < all->count; i++) {
        const struct study_split *split = &all->splits[i];
        if (split->time.value > 0 && (!fits || fits(split, than)) &&
            (!least || split->time.value < least->time.value)) {
            least = split;
        }
    }
    return least;
}

struct study_mean study_splits_ratio(const struct study_splits *all,
                                     const struct study_split *split,
                                     const struct study_split *other)
{
    double *ratios = study_allocate((size_t)all->repeats, sizeof *ratios);
    for (int i = 0; i < all->repeats; i++) {
        ratios[i] = split->seconds[i] / other->seconds[i];
    }
    struct study_mean mean = mean_of(ratios, all->repeats);
    free(ratios);
    return mean;
}
