/* What `strata tune calls` times: all that is listed, or what a program calls. */
#include <stdlib.h>

#include "tools/rollcall/rollcall.h"
#include "tools/tune/tune.h"

static const double ENOUGH = 0.95;

/* Sums have doubles. */
static int64_t whole_elements(enum strata_collective collective, int64_t bytes)
{
    const int64_t size = strata_collective_reduces(collective) ? (int64_t)sizeof(double) : 1;
    return bytes < size ? size : bytes / size * size;
}

static int add(struct tool_cell *cells, int count, enum strata_collective collective, int64_t bytes,
               double weight)
{
    int i = 0;
    while (i < count && (cells[i].collective != collective || cells[i].bytes != bytes)) {
        i++;
    }
    if (i == TOOL_TUNE_CELLS) {
        return count;
    }
    if (i == count) {
        cells[i] = (struct tool_cell){collective, bytes, 0};
    }
    cells[i].weight += weight;
    return i == count ? count + 1 : count;
}

int tool_cells_of_lists(const struct tool_calls_request *request, struct tool_cell *cells)
{
    int count = 0;
    for (int k = 0; k < STRATA_COLLECTIVE_COUNT; k++) {
        const enum strata_collective collective = (enum strata_collective)k;
        for (int i = 0; request->collectives >> k & 1 && i < request->sizes; i++) {
            const bool barrier = collective == STRATA_BARRIER;
            count = add(cells, count, collective,
                        barrier ? 0 : whole_elements(collective, request->bytes[i]), 1);
        }
    }
    return count;
}

/* Sizes between two powers of two are one. */
static int64_t rounded(int64_t bytes)
{
    int64_t power = 1;
    while (power < bytes && power < INT64_MAX / 2) {
        power *= 2;
    }
    return power;
}

/* Takes a call that has ended, of all ranks. */
static int take(struct tool_cell *cells, int count, const struct roll_rank *rank,
                const struct roll_call *call)
{
    if (call->kind >= STRATA_COLLECTIVE_COUNT || call->form != STRATA_RECORD_BLOCKING ||
        !(call->end > 0) || (int64_t)call->communicator->ranks != rank->record->ranks) {
        return count;
    }
    const enum strata_collective collective = (enum strata_collective)call->kind;
    const bool barrier = collective == STRATA_BARRIER;
    const int64_t bytes = (int64_t)(call->count * call->bytes);
    if (!barrier && bytes <= 0) {
        return count;
    }
    return add(cells, count, collective, barrier ? 0 : whole_elements(collective, rounded(bytes)),
               call->end - call->begin);
}

static int by_weight(const void *a, const void *b)
{
    const double x = ((const struct tool_cell *)a)->weight;
    const double y = ((const struct tool_cell *)b)->weight;
    return (x < y) - (x > y);
}

/* Drops those that take little time together. */
static int keep_heavy(struct tool_cell *cells, int count)
{
    double all = 0, sum = 0;
    int kept = 0;
    for (int i = 0; i < count; i++) {
        all += cells[i].weight;
    }
    qsort(cells, (size_t)count, sizeof *cells, by_weight);
    while (kept < count && sum < ENOUGH * all) {
        sum += cells[kept++].weight;
    }
    return kept;
}

int tool_cells_of_record(const char *folder, struct tool_cell *cells)
{
    const char *const folders[] = {folder, NULL}, *wrong;
    struct roll_rank *ranks = NULL;
    const int many = roll_read(folders, &ranks, &wrong);
    int count = 0;
    for (int r = 0; r < many; r++) {
        for (int i = 0; i < ranks[r].count; i++) {
            count = take(cells, count, &ranks[r], &ranks[r].calls[i]);
        }
        for (int i = 0; i < ranks[r].longest_count; i++) {
            count = take(cells, count, &ranks[r], &ranks[r].longest[i]);
        }
    }
    if (many >= 0) {
        roll_free(ranks, many);
    }
    return many < 0 ? -1 : count > 0 ? keep_heavy(cells, count) : 0;
}
