/* Judges counts on tori by the paper's formulas, and its times by the limit that it names. */
#include "tools/study/papers/torus_judges.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/run/formula.h"
#include "tools/study/run/points.h"
#include "tools/study/table/memory.h"

/* The torus of a row: N axes, P ranks, the sum d of the axes' sizes, and the longest axis D. The
 * vector is the paper's n: that of the call, or all blocks of a rank. */
struct torus {
    double axes, ranks, sum, longest, vector;
    bool reduces, one_vector, all_reduce;
};

static bool is_of(const struct study_table *table, int row, const char *collectives)
{
    return study_list_has(collectives, ' ', study_table_cell(table, row, "collective"));
}

static struct torus torus_of(const struct study_table *table, int row)
{
    struct torus t = {.ranks = 1,
                      .vector = study_formula_number(table, row, "bytes"),
                      .reduces = is_of(table, row, "reduce reduce_scatter allreduce"),
                      .one_vector = is_of(table, row, "bcast reduce allreduce"),
                      .all_reduce = is_of(table, row, "allreduce")};
    const char *text = study_table_cell(table, row, "torus");
    for (char *end = NULL; *text; text = *end ? end + 1 : end) {
        double size = strtod(text, &end);
        t.axes++;
        t.ranks *= size;
        t.sum += size;
        t.longest = fmax(t.longest, size);
    }
    t.vector *= t.one_vector ? 1 : t.ranks;
    return t;
}

#define FORMULA(name, expression)                                                                  \
    static double name(const struct study_table *table, int row)                                   \
    {                                                                                              \
        const struct torus t = torus_of(table, row);                                               \
        return expression;                                                                         \
    }
FORMULA(log_two, study_formula_logarithm(2, t.ranks))
FORMULA(log_mesh, study_formula_logarithm(t.axes + 1, t.ranks))
FORMULA(log_torus, study_formula_logarithm(2 * t.axes + 1, t.ranks))
FORMULA(ring_steps, t.ranks - 1)
FORMULA(bucket_steps, t.sum - t.axes)
FORMULA(long_old_steps, study_formula_logarithm(2, t.ranks) + t.ranks - 1)
FORMULA(long_new_steps, study_formula_logarithm(2 * t.axes + 1, t.ranks) + t.sum - t.axes)
FORMULA(two_trees, 2 * study_formula_logarithm(2 * t.axes + 1, t.ranks))
FORMULA(two_buckets, 2 * (t.sum - t.axes))
FORMULA(ring_bytes, (t.ranks - 1) / t.ranks * t.vector)
FORMULA(bucket_bytes, (t.longest - 1) / t.longest * t.vector)
FORMULA(two_buckets_bytes, 2 * (t.longest - 1) / t.longest * t.vector)
FORMULA(share_bytes, (t.ranks - 1) / t.ranks / t.axes * t.vector)
FORMULA(tree_bytes, study_formula_logarithm(2 * t.axes + 1, t.ranks) * t.vector)
FORMULA(scatter_bytes, (t.ranks - 1) / t.ranks / (2 * t.axes) * t.vector)
FORMULA(long_bytes,
        ((t.ranks - 1) / t.ranks / (2 * t.axes) + (t.longest - 1) / t.longest) * t.vector)
FORMULA(at_once, 2 * t.axes)
/* Table 1. What a bcast and a reduce move is the whole vector; an allreduce moves it twice. */
FORMULA(least_bytes, t.all_reduce   ? 2 * scatter_bytes(table, row)
                     : t.one_vector ? t.vector / (2 * t.axes)
                                    : scatter_bytes(table, row))
FORMULA(least_combined, t.reduces ? ring_bytes(table, row) : NAN)

void study_torus_formula(const struct study_claim *claim, const struct study_table *table,
                         struct study_finding *finding)
{
    static const struct study_formula_row formulas[] = {
        {"ceil(log2 p)", log_two},
        {"ceil(log_(N+1) p)", log_mesh},
        {"ceil(log_(2N+1) p)", log_torus},
        {"p - 1", ring_steps},
        {"d - N", bucket_steps},
        {"ceil(log2 p) + p - 1", long_old_steps},
        {"ceil(log_(2N+1) p) + d - N", long_new_steps},
        {"(p-1)/p n", ring_bytes},
        {"(D-1)/D n", bucket_bytes},
        {"(p-1)/p n/N", share_bytes},
        {"(p-1)/p n/(2N)", scatter_bytes},
        {"2N", at_once},
        {"2 ceil(log_(2N+1) p)", two_trees},
        {"2 (d - N)", two_buckets},
        {"2 (D-1)/D n", two_buckets_bytes},
        {"ceil(log_(2N+1) p) n", tree_bytes},
        {"(p-1)/p n/(2N) + (D-1)/D n", long_bytes},
        {"the bound of table 1, bandwidth", least_bytes},
        {"the bound of table 1, computation", least_combined},
        {NULL, NULL}};
    study_formula_judge(claim, table, finding, formulas);
}

void study_torus_limit(const struct study_claim *claim, const struct study_table *table,
                       struct study_finding *finding)
{
    double most = 0;
    for (int row = 0; row < table->rows; row++) {
        const char *collective = study_table_cell(table, row, "collective");
        const char *total = study_table_cell(table, row, "total");
        char *where =
            study_text("figure=table-2;collective=%s;total=%s;method=%s", collective, total,
                       strcmp(collective, "scatter") == 0 ? "mst-old" : "bucket-old");
        bool is_new = strstr(study_table_cell(table, row, "method"), "-new") != NULL;
        for (int old = 0; is_new && old < table->rows; old++) {
            if (study_table_matches(table, row, claim->axes.where) &&
                study_table_matches(table, old, where)) {
                finding->points++;
                most = fmax(most, study_formula_number(table, old, "seconds") /
                                      study_formula_number(table, row, "seconds"));
            }
        }
        free(where);
    }
    finding->agrees = most < 3;
    snprintf(finding->ours, sizeof finding->ours,
             "the largest gain is %.2f, at %d lengths of three collectives", most, finding->points);
}
