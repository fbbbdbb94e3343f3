/* The table of `strata tune calls`: written, and shown. */
#include <limits.h>
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

const char *tool_layout_name(const struct strata_tuned_row *row, char *text, size_t size)
{
    const int length = snprintf(text, size, "%dx%d", row->nodes, row->ranks);
    if (row->threads > 0) {
        snprintf(text + length, size - (size_t)length, "x%d", row->threads);
    }
    return text;
}

static void write_row(const struct strata_tuned_row *row, FILE *file)
{
    char name[128], layout[48];
    const char *blocks = strata_tuned_blocks_name(row->blocks);
    fprintf(file, "%s %s %.0f%s%s = %s %.4g %.4g %.4g", strata_collective_name(row->collective),
            tool_layout_name(row, layout, sizeof layout), row->bytes, blocks[0] ? " " : "", blocks,
            tool_choice_name(&row->choice, name, sizeof name), row->seconds, row->untuned,
            row->native);
    if (row->launches > 1) {
        fprintf(file, " launches=%d", row->launches);
    }
    fprintf(file, "\n");
}

struct strata_tuned_row tool_row_merge(const struct strata_tuned_row *before,
                                       const struct strata_tuned_row *verdict)
{
    struct strata_tuned_row row = *verdict;
    if (!before) {
        return row;
    }
    if (strata_choice_same_plan(&before->choice, &row.choice)) {
        row.launches += before->launches < INT_MAX ? before->launches : 0;
        return row;
    }
    row.choice = (struct strata_choice){.algorithm = NULL};
    row.seconds = row.untuned;
    row.launches = 1;
    return row;
}

void tool_table_write(const struct strata_tuned *old, const struct strata_tuned *fresh,
                      const struct tool_tuned *tuned, FILE *file)
{
    fprintf(file,
            "# Choices for Strata: collective, nodes x ranks of the largest x threads of a rank, "
            "bytes of a\n# block or vector, uneven or sparse = the fastest; seconds of a call by "
            "it, as costs choose\n# (auto), by MPI's own; the launches that agreed on it\n");
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
    printf("%-21s %9s %9s %-6s %12s %9s %9s %8s  choice\n", "collective", "nodes", "bytes",
           "blocks", "time", "untuned", "MPI's own", "launches");
    for (int i = 0; i < tuned->count; i++) {
        const struct strata_tuned_row *row = &tuned->row[i];
        char name[128], time[32], layout[48];
        printf("%-21s %9s %9.0f %-6s %12s %9.2f %9.2f %8d  %s\n",
               strata_collective_name(row->collective),
               tool_layout_name(row, layout, sizeof layout), row->bytes,
               strata_tuned_blocks_name(row->blocks), tool_seconds(row->seconds, time, sizeof time),
               tool_gain(row, row->untuned), tool_gain(row, row->native), row->launches,
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
