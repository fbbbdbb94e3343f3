/* What `strata tune calls` times: all that is listed, or what a program calls. */
#include <math.h>
#include <stdlib.h>

#include "core/base/buckets.h"
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
    return a->collective == b->collective && a->pattern == b->pattern && a->bytes == b->bytes &&
           a->unit == b->unit &&
           (a->pattern != STRATA_PATTERNS || tool_shape_same(&a->shape, &b->shape));
}

int tool_cells_add(struct tool_cell *cells, int count, const struct tool_cell *cell)
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
            const struct tool_cell cell = {.collective = collective,
                                           .pattern = (enum strata_pattern)pattern,
                                           .bytes = bytes_of(collective, bytes),
                                           .unit = 1,
                                           .weight = 1};
            count = patterns >> pattern & 1 ? tool_cells_add(cells, count, &cell) : count;
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

/* A call, by the entries of the ranks that have kept it. */
struct recorded {
    const struct roll_job *job;
    const struct roll_made *made;
    int count;
};

/* Whether it is a blocking collective of all ranks that has ended. What fewer than half of the
 * ranks have kept tells little of the others. */
static bool is_timed(const struct recorded *r)
{
    const struct roll_call *first = r->made->call;
    bool good = first->kind < STRATA_COLLECTIVE_COUNT && 2 * r->count >= r->job->count &&
                (int64_t)first->communicator->ranks == r->job->ranks->record->ranks;
    for (int i = 0; i < r->count; i++) {
        const struct roll_call *call = r->made[i].call;
        good = good && call->kind == first->kind && call->form == STRATA_RECORD_BLOCKING &&
               call->end > 0;
    }
    return good;
}

static double bytes_at(const struct recorded *r, int i)
{
    return (double)r->made[i].call->count * r->made[i].call->bytes;
}

static double largest(const struct recorded *r)
{
    double most = 0;
    for (int i = 0; i < r->count; i++) {
        most = fmax(most, bytes_at(r, i));
    }
    return most;
}

static double mean(const struct recorded *r)
{
    double sum = 0;
    for (int i = 0; i < r->count; i++) {
        sum += bytes_at(r, i);
    }
    return sum / r->count;
}

/* How many ranks of the job are on the host, as they know, or else as their files tell. */
static int ranks_of_host(const struct roll_job *job, int host)
{
    int files = 0, known = 0;
    for (int i = 0; i < job->count; i++) {
        if (job->ranks[i].host == host) {
            files++;
            known = job->ranks[i].record->ranks_here;
        }
    }
    return known > 0 ? known : files;
}

/* The mean block of the host that sends most, over the ranks of the largest one. Ranks that have
 * not kept the call send as much as the others of their host. */
static double busiest_host(const struct recorded *r)
{
    double most = 0;
    int largest = 0;
    for (int h = 0; h < r->job->hosts; h++) {
        double sum = 0;
        int kept = 0;
        for (int i = 0; i < r->count; i++) {
            const bool here = r->job->ranks[r->made[i].rank].host == h;
            sum += here ? bytes_at(r, i) : 0;
            kept += here;
        }
        const int ranks = ranks_of_host(r->job, h);
        most = fmax(most, kept > 0 ? sum / kept * ranks : 0);
        largest = ranks > largest ? ranks : largest;
    }
    return most / largest;
}

/* The mean block on which ranks agree (docs/decisions/agreed-sizes.md). Other hosts may have kept
 * their records. */
static double mean_block(const struct recorded *r)
{
    const int kind = r->made->call->kind;
    if (strata_collective_transposes((enum strata_collective)kind)) {
        const bool spread =
            r->job->hosts > 1 || ranks_of_host(r->job, 0) < r->job->ranks->record->ranks;
        return spread ? busiest_host(r) : largest(r);
    }
    return strata_record_lists(kind) ? largest(r) : mean(r);
}

/* The most of all ranks. Few others are fewer than half, though the record rounds up. */
static struct tool_shape shape_of(const struct recorded *r)
{
    const struct roll_call *first = r->made->call;
    const int ranks = (int)first->communicator->ranks;
    struct roll_lengths most = {0, 0, 0};
    for (int i = 0; i < r->count; i++) {
        const struct roll_lengths *one = &r->made[i].call->lengths;
        most.longest = one->longest > most.longest ? one->longest : most.longest;
        most.received = one->received > most.received ? one->received : most.received;
        most.degree = one->degree > most.degree ? one->degree : most.degree;
    }
    const int few = (int)strata_bucket_most(most.degree), half = ranks / 2;
    const struct tool_blocks blocks = {.mean = mean_block(r),
                                       .longest = strata_record_lists(first->kind)
                                                      ? (double)strata_bucket_most(most.longest)
                                                      : largest(r),
                                       .received = (double)strata_bucket_most(most.received),
                                       .degree = most.degree == STRATA_RECORD_MANY ? ranks - 1
                                                 : few < half                      ? few
                                                                                   : half - 1};
    return tool_shape_of((enum strata_collective)first->kind, &blocks, ranks);
}

static int take(struct tool_cell *cells, int count, const struct recorded *r)
{
    const enum strata_collective collective = (enum strata_collective)r->made->call->kind;
    const bool varying = strata_collective_info[collective].varying;
    struct tool_cell cell = {.collective = collective, .unit = 1};
    for (int i = 0; i < r->count; i++) {
        cell.weight += r->made[i].call->end - r->made[i].call->begin;
    }
    if (varying) {
        cell.pattern = STRATA_PATTERNS;
        cell.shape = shape_of(r);
        cell.bytes = cell.shape.bytes;
    } else if (largest(r) > 0) {
        cell.bytes = bytes_of(collective, rounded((int64_t)largest(r)));
    }
    return cell.bytes > 0 || collective == STRATA_BARRIER ? tool_cells_add(cells, count, &cell)
                                                          : count;
}

/* Takes the calls of a job. */
static int take_all(struct tool_cell *cells, int count, const struct roll_job *job)
{
    int calls = 0;
    struct roll_made *made = roll_collect(job, true, &calls);
    for (int i = 0, end; made && i < calls; i = end) {
        end = roll_end_of_call(made, i, calls);
        const struct recorded one = {job, made + i, end - i};
        count = is_timed(&one) ? take(cells, count, &one) : count;
    }
    free(made);
    return count;
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
    struct roll_job job = {0};
    const int many = roll_read(folders, &ranks, &wrong);
    int count = 0;
    while (many > 0 && roll_next_job(ranks, many, 0, &job)) {
        count = take_all(cells, count, &job);
    }
    if (many >= 0) {
        roll_free(ranks, many);
    }
    return many < 0 ? -1 : count > 0 ? keep_heavy(cells, count) : 0;
}
