#include "api/call/lengths.h"

#include <stdint.h>
#include <string.h>

#include "api/call/execute.h"
#include "core/base/memory.h"
#include "core/engine/engine_sizes.h"

#define UNKNOWN SIZE_MAX /* all bytes 0xff */

/* The first run of a plan, over lengths. */
struct first_run {
    struct strata_call *call;
    size_t *lengths; /* [ranks] lengths of the blocks that this rank moves; 0 for the others */
    size_t *heard;   /* [ranks] gatherv: lengths that the root hears from the senders */
    size_t own;      /* length of this rank's block; scatterv: as the root has sent it */
    struct strata_type word;
    struct strata_execution x;
};

static bool gathers(const struct first_run *run)
{
    return run->call->signature->collective == STRATA_GATHERV;
}

/* Fills in all lengths at the root, and its own length on any other rank. */
static void fill_known(struct first_run *run)
{
    const struct strata_signature *s = run->call->signature;
    const struct strata_execution *x = run->call->x;
    const struct strata_layout *all = gathers(run) ? &x->output : &x->input;
    const struct strata_layout *one = gathers(run) ? &x->input : &x->output;
    for (int i = 0; i < s->ranks; i++) {
        run->lengths[i] = s->rank == s->root ? strata_layout_bytes(all, i) : 0;
    }
    run->own = strata_layout_bytes(one, 0);
    if (s->rank != s->root) {
        run->lengths[s->rank] = run->own;
    }
}

static struct strata_layout words_at(struct first_run *run, size_t *words)
{
    run->word = strata_byte_type;
    run->word.size = sizeof *words;
    run->word.extent = sizeof *words;
    return (struct strata_layout){.base = (unsigned char *)words, .type = &run->word, .count = 1};
}

/* Takes the lengths out of the work store after the run. */
static void harvest(struct first_run *run)
{
    const struct strata_plan *plan = run->x.plan;
    for (int w = 0; w < plan->blocks.work; w++) {
        size_t length;
        memcpy(&length, strata_engine_work(&run->x) + (size_t)w * sizeof length, sizeof length);
        if (length != UNKNOWN) {
            run->lengths[strata_block_number(plan, STRATA_WORK, w)] = length;
        }
    }
}

static int send_lengths(struct first_run *run)
{
    const struct strata_signature *s = run->call->signature;
    struct strata_execution *x = &run->x;
    int error;
    *x = *run->call->x;
    x->in_place = false;
    x->tape = NULL;
    x->work = words_at(run, NULL);
    x->input = words_at(run, gathers(run) ? &run->own : run->lengths);
    x->output = words_at(run, gathers(run) ? run->heard : &run->own);
    size_t bytes = strata_engine_scratch(x);
    error = strata_call_scratch(run->call, x, bytes);
    if (error == MPI_SUCCESS && bytes > 0) { /* without scratch there is nothing to set */
        memset(x->scratch, 0xff, bytes);
    }
    if (error == MPI_SUCCESS) {
        error = strata_call_execute(run->call, x, bytes);
    }
    if (error == MPI_SUCCESS && s->rank != s->root) {
        harvest(run);
    }
    return error;
}

void strata_lengths_say(struct strata_diagnostic *message, int rank, uint64_t sent,
                        uint64_t expected)
{
    strata_say(message,
               "the root and rank %d disagree about the size of its block: %llu bytes are sent, "
               "%llu expected",
               rank, (unsigned long long)sent, (unsigned long long)expected);
}

/* Notes the first block whose length is not as expected. */
static void note(struct strata_lengths *found, int rank, size_t sent, size_t expected)
{
    if (!found->disagree && sent != expected) {
        *found = (struct strata_lengths){true, rank, sent, expected, found->spare};
    }
}

/* Receives this rank's whole output in spare memory, in blocks as long as their senders have
 * them. */
static int take_aside(struct first_run *run, const size_t *heard, int blocks,
                      struct strata_lengths *found)
{
    size_t longest = 1;
    for (int i = 0; i < blocks; i++) {
        longest = heard[i] > longest ? heard[i] : longest;
    }
    found->spare = strata_allocate((size_t)blocks, longest);
    run->call->x->in_place = false;
    run->call->x->output = (struct strata_layout){
        .base = found->spare, .type = &strata_byte_type, .count = longest, .lengths = heard};
    return found->spare
               ? MPI_SUCCESS
               : strata_call_decline(run->call, run->call->x, MPI_ERR_NO_MEM, "out of memory");
}

/* Compares the lengths that this rank receives with those that it expects. */
static int compare(struct first_run *run, struct strata_lengths *found)
{
    const struct strata_signature *s = run->call->signature;
    size_t *heard = gathers(run) ? run->heard : &run->lengths[s->rank];
    bool root = s->rank == s->root;
    if (gathers(run) && root) {
        for (int i = 0; i < s->ranks; i++) {
            note(found, i, heard[i], run->lengths[i]);
        }
        run->call->x->work.lengths = run->heard;
    } else if (!gathers(run) && !root) {
        note(found, s->rank, run->own, strata_layout_bytes(&run->call->x->output, 0));
        *heard = run->own;
    }
    return found->disagree && gathers(run) == root
               ? take_aside(run, heard, root ? s->ranks : 1, found)
               : MPI_SUCCESS;
}

static int find(struct strata_call *c, struct strata_lengths *found)
{
    struct first_run run = {.call = c};
    int ranks = c->signature->ranks;
    int error;
    run.lengths = strata_binding_array(c->binding, ranks, sizeof *run.lengths);
    run.heard = strata_binding_array(c->binding, ranks, sizeof *run.heard);
    fill_known(&run);
    c->x->work = (struct strata_layout){.type = &strata_byte_type, .lengths = run.lengths};
    if (c->signature->rank == c->signature->root) { /* the root's block for itself */
        size_t root = run.lengths[c->signature->rank];
        note(found, c->signature->rank, gathers(&run) ? run.own : root,
             gathers(&run) ? root : run.own);
    }
    if (!c->entry->lengths_first) { /* the plan finds wrong lengths of other ranks' blocks */
        return MPI_SUCCESS;
    }
    error = send_lengths(&run);
    return error == MPI_SUCCESS ? compare(&run, found) : error;
}

int strata_lengths_find(struct strata_call *c, struct strata_lengths *found)
{
    bool one_knows = strata_collective_one_knows(c->signature->collective);
    return one_knows && strata_plan_over_blocks(c->x->plan) ? find(c, found) : MPI_SUCCESS;
}
