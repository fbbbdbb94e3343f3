/* The table of `strata tune calls`: written, and shown. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/command/words.h"
#include "tools/tune/tune.h"

const char *tool_choice_name(const struct strata_choice *choice, char *text, size_t size)
{
    if (choice->algorithm) {
        strata_algorithm_name(choice->algorithm, choice->parameter, text, size);
    } else {
        snprintf(text, size, "auto");
    }
    return text;
}

static void write_row(const struct strata_tuned_row *row, FILE *file)
{
    char name[128];
    fprintf(file, "%s %dx%d %.0f = %s %.4g %.4g %.4g\n", strata_collective_name(row->collective),
            row->nodes, row->ranks, row->bytes, tool_choice_name(&row->choice, name, sizeof name),
            row->seconds, row->untuned, row->native);
}

void tool_table_write(const struct strata_tuned *old, const struct strata_tuned *fresh,
                      const struct tool_tuned *tuned, FILE *file)
{
    fprintf(file,
            "# Choices for Strata: collective, nodes x ranks of the largest, bytes of a block "
            "or vector\n# = the fastest; seconds of a call by it, as costs choose (auto), by "
            "MPI's own\n");
    tool_head_write(tuned, file);
    for (int i = 0; i < old->count; i++) {
        if (!strata_tuned_like(fresh, &old->row[i])) {
            write_row(&old->row[i], file);
        }
    }
    for (int i = 0; i < fresh->count; i++) {
        write_row(&fresh->row[i], file);
    }
    fprintf(file, "end\n");
}

double tool_gain(const struct strata_tuned_row *row, double other)
{
    return row->seconds > 0 && other > 0 ? other / row->seconds : 1;
}

static int by_gain(const void *a, const void *b)
{
    const struct strata_tuned_row *x = a, *y = b;
    const double first = tool_gain(x, x->untuned), second = tool_gain(y, y->untuned);
    return (first < second) - (first > second);
}

void tool_table_sort(struct strata_tuned *tuned)
{
    if (tuned->count > 0) {
        qsort(tuned->row, (size_t)tuned->count, sizeof *tuned->row, by_gain);
    }
}

void tool_table_show(const struct strata_tuned *tuned)
{
    double untuned = 0, native = 0;
    int changed = 0;
    printf("%-21s %9s %9s %12s %9s %9s  choice\n", "collective", "nodes", "bytes", "time",
           "untuned", "MPI's own");
    for (int i = 0; i < tuned->count; i++) {
        const struct strata_tuned_row *row = &tuned->row[i];
        char name[128], time[32], layout[32];
        snprintf(layout, sizeof layout, "%dx%d", row->nodes, row->ranks);
        printf("%-21s %9s %9.0f %12s %9.2f %9.2f  %s\n", strata_collective_name(row->collective),
               layout, row->bytes, tool_seconds(row->seconds, time, sizeof time),
               tool_gain(row, row->untuned), tool_gain(row, row->native),
               tool_choice_name(&row->choice, name, sizeof name));
        untuned += log(tool_gain(row, row->untuned));
        native += log(tool_gain(row, row->native));
        changed += row->choice.algorithm != NULL;
    }
    if (tuned->count > 0) {
        printf("%d of %d cases change; in the geometric mean of all, calls are %.2f times as fast "
               "as without the table, and %.2f times as fast as MPI's own\n",
               changed, tuned->count, exp(untuned / tuned->count), exp(native / tuned->count));
    }
}
