/* What `strata tune calls` times: all that is listed, or what a program calls. */
#include <stdlib.h>

#include "tools/rollcall/rollcall.h"
#include "tools/tune/tune.h"

static const double ENOUGH = 0.95;

static int64_t whole_elements(enum strata_collective collective, int64_t bytes)
{
    const int64_t size = tool_element_bytes(collective);
    return bytes < size ? size : bytes / size * size;
}

static bool same(const struct tool_cell *a, const struct tool_cell *b)
{
    return a->collective == b->collective && a->pattern == b->pattern && a->bytes == b->bytes;
}

static int add(struct tool_cell *cells, int count, const struct tool_cell *cell)
{
    int i = 0;
    while (i < count && !same(&cells[i], cell)) {
        i++;
    }
    if (i < count) {
        cells[i].weight += cell->weight;
        return count;
    }
    if (count < TOOL_TUNE_CELLS) {
        cells[count++] = *cell;
    }
    return count;
}

/* A barrier has no bytes. */
static int64_t bytes_of(enum strata_collective collective, int64_t bytes)
{
    return collective == STRATA_BARRIER ? 0 : whole_elements(collective, bytes);
}

int tool_cells_of_lists(const struct tool_calls_request *request, struct tool_cell *cells)
{
    int count = 0;
    for (int k = 0; k < STRATA_COLLECTIVE_COUNT; k++) {
        const enum strata_collective collective = (enum strata_collective)k;
        const bool varying = strata_collective_info[k].varying;
        const unsigned patterns = varying ? request->patterns : 1U << STRATA_PATTERN_FIXED;
        for (int i = 0; request->collectives >> k & 1 && i < STRATA_PATTERNS * request->sizes;
             i++) {
            const int pattern = i / request->sizes;
            const int64_t bytes = request->bytes[i % request->sizes];
            const struct tool_cell cell = {collective, (enum strata_pattern)pattern,
                                           bytes_of(collective, bytes), 1};
            count = patterns >> pattern & 1 ? add(cells, count, &cell) : count;
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
    const int64_t bytes = (int64_t)(call->count * call->bytes);
    if (collective != STRATA_BARRIER && bytes <= 0) {
        return count;
    }
    return add(cells, count,
               &(struct tool_cell){collective, STRATA_PATTERN_FIXED,
                                   bytes_of(collective, rounded(bytes)), call->end - call->begin});
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
