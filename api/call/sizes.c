#include "api/call/sizes.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "api/attach/process.h"
#include "api/call/call.h"
#include "core/base/memory.h"
#include "core/engine/engine_sizes.h"

/* Bytes of a mean block while no figure is agreed. */
#define FIRST_BLOCK 256
/* Calls after which an agreed figure is too old: plans without log rounds bring no new one, so the
 * default is tried again. */
#define FORGET 64

/* alltoallv: what an earlier call brought. */
static void remember(struct strata_state *state, struct strata_plan_key *key)
{
    if (state->mean_bytes >= 0 && ++state->mean_age > FORGET) {
        state->mean_bytes = -1;
    }
    if (state->mean_bytes < 0) {
        strata_plan_key_sizes(key, FIRST_BLOCK, 0);
    } else {
        strata_plan_key_sizes(key, state->mean_bytes, state->longest > 0 ? state->longest : 1);
    }
}

/* Whether all ranks know all lengths, or one that holds for all. */
static bool known(enum strata_collective collective)
{
    const struct strata_collective_info *info = &strata_collective_info[collective];

    return info->input != STRATA_NONE &&
           (!info->varying || (info->root == '-' && !strata_collective_transposes(collective)));
}

/* The side whose blocks are the collective's: of two that are significant, the one with more. */
static const struct strata_side *telling_side(const struct strata_signature *s)
{
    return s->send.part > s->recv.part ? &s->send : &s->recv;
}

/* Whether any number of elements can lie one behind another. Those of a column of a matrix, one
 * number apart, cannot: there are as many as the row is long. */
static bool apart(const struct strata_type *type)
{
    ptrdiff_t first = 0;
    ptrdiff_t end = 0;

    for (size_t p = 0; p < type->npieces; p++) {
        const struct strata_piece *piece = &type->pieces[p];
        ptrdiff_t behind = piece->offset + (ptrdiff_t)piece->length;
        first = p == 0 || piece->offset < first ? piece->offset : first;
        end = p == 0 || behind > end ? behind : end;
    }
    return end - first <= type->extent;
}

/* Operands are combined in private memory, element by element, more than the caller has. */
static bool combinable(const struct strata_datatype *datatype)
{
    return !datatype->packed && datatype->flat.size > 0 && apart(&datatype->flat);
}

/* Sets why where operands are left to MPI's own. A rank that cannot look at them does not know
 * which plan the others take, so it cannot even tell its node; but all predefined ones can be
 * combined. */
static int check_operands(struct strata_call *c, const struct strata_side *side)
{
    const struct strata_datatype *datatype = side->datatype;
    int error = MPI_SUCCESS;

    if (!datatype) {
        error = strata_datatype_find(c->process, side->type, c->state->group->comm, &datatype);
    }
    if (error != MPI_SUCCESS && !strata_datatype_is_named(side->type)) {
        if (error == MPI_ERR_NO_MEM) {
            strata_group_break(c->state->group);
        }
        return error;
    }
    if (datatype && !combinable(datatype)) {
        c->why =
            "MPI's own: the operands' datatype has no map or no bytes, or its elements overlap";
    } else if (side->sum > INT_MAX) {
        c->why = "MPI's own: more operands than an int counts";
    }
    return MPI_SUCCESS;
}

/* While lengths are the business of one rank or of two: a figure that all hold alike. */
static void guess(struct strata_call *c, struct strata_plan_key *key)
{
    switch (c->signature->collective) {
    case STRATA_BARRIER:
        strata_plan_key_sizes(key, 0, 0);
        break;
    case STRATA_ALLTOALLV:
        remember(c->state, key);
        break;
    default:
        strata_plan_key_sizes(key, FIRST_BLOCK, 0);
    }
}

int strata_call_sizes(struct strata_call *c, struct strata_plan_key *key)
{
    const struct strata_signature *s = c->signature;
    const struct strata_side *side = telling_side(s);
    bool ranked = s->collective == STRATA_ALLGATHER || s->collective == STRATA_ALLGATHERV ||
                  s->collective == STRATA_ALLTOALL;
    MPI_Count size = 0;
    int error;

    if (!known(s->collective)) {
        guess(c, key);
        return MPI_SUCCESS;
    }
    if (side->datatype) {
        size = (MPI_Count)side->datatype->flat.size;
    } else {
        PMPI_Type_size_x(side->type, &size);
    }
    if (strata_collective_reduces(s->collective)) {
        error = check_operands(c, side);
        if (error != MPI_SUCCESS) {
            return error;
        }
    }
    /* whole numbers up to the division, so ranks with other elements get the same */
    strata_plan_key_sizes(key, (double)side->sum * (double)size / strata_side_blocks(s, side),
                          ranked ? (size_t)side->most * (size_t)size : 0);
    return MPI_SUCCESS;
}

#define UNKNOWN SIZE_MAX /* all bytes 0xff */

/* The first run of a call. */
struct first_run {
    struct strata_call *call;
    size_t *lengths; /* [ranks] of the blocks that this rank moves; others 0 */
    size_t *heard;   /* [ranks] gatherv's root: as their senders have them */
    size_t own;      /* of this rank's block; scatterv: as the root has it */
    struct strata_type word;
    struct strata_execution x;
};

static bool gathers(const struct first_run *run)
{
    return run->call->signature->collective == STRATA_GATHERV;
}

/* All lengths at the root, elsewhere this rank's own. */
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

/* What lies in the work store when the run is over. */
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
    x->work = words_at(run, NULL);
    x->input = words_at(run, gathers(run) ? &run->own : run->lengths);
    x->output = words_at(run, gathers(run) ? run->heard : &run->own);
    error = strata_call_scratch(run->call, x);
    if (error == MPI_SUCCESS) {
        memset(x->scratch, 0xff, strata_engine_block_scratch(x));
        error = strata_call_execute(run->call, x);
    }
    if (error == MPI_SUCCESS && s->rank != s->root) {
        harvest(run);
    }
    return error;
}

/* Memory for this rank's whole output, of blocks as long as their senders have them. */
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

/* Whether what this rank receives is as long as it expects. */
static int compare(struct first_run *run, struct strata_lengths *found)
{
    const struct strata_signature *s = run->call->signature;
    size_t *heard = gathers(run) ? run->heard : &run->lengths[s->rank];
    bool root = s->rank == s->root;

    if (gathers(run) && root) {
        found->disagree = memcmp(heard, run->lengths, (size_t)s->ranks * sizeof *heard) != 0;
        run->call->x->work.lengths = run->heard;
    } else if (!gathers(run) && !root) {
        found->disagree = run->own != *heard;
        *heard = run->own;
    }
    return found->disagree ? take_aside(run, heard, root ? s->ranks : 1, found) : MPI_SUCCESS;
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
    if (!c->entry->lengths_first) {
        return MPI_SUCCESS;
    }
    error = send_lengths(&run);
    return error == MPI_SUCCESS ? compare(&run, found) : error;
}

int strata_lengths_find(struct strata_call *c, struct strata_lengths *found)
{
    enum strata_collective collective = c->signature->collective;
    bool one_knows = collective == STRATA_GATHERV || collective == STRATA_SCATTERV;

    return one_knows && strata_plan_over_blocks(c->x->plan) ? find(c, found) : MPI_SUCCESS;
}
