#include "api/call/sizes.h"

#include <limits.h>
#include <math.h>

#include "api/attach/settings.h"
#include "api/call/bound_call.h"
#include "api/process/agree.h"
#include "api/process/process.h"
#include "core/base/buckets.h"
#include "core/base/seldom.h"
#include "core/plan/formats.h"
#include "hier/node_segments.h"
#include "internode/mpi/renamed_mpi.h"

/* Nanoseconds of a hundred tellings: one takes some 20 us between hosts, less inside one. */
static const double SPREAD = 2e6;

static STRATA_SELDOM void grow_old(struct strata_call_statistics *statistics)
{
    if (statistics->age < STRATA_SIZES_OLD && ++statistics->age == STRATA_SIZES_OLD) {
        strata_call_statistics_forget(statistics);
    }
}

int strata_sizes_degree(uint64_t degree, int ranks)
{
    return strata_degree_is_few(degree, ranks)
               ? strata_bucket_of_bytes(degree > 0 ? (size_t)degree : 1)
               : 0;
}

/* Counts the call if it was sparse. A plan for sparse exchanges takes long for others, and the
 * ranks agree on nothing while it serves, so one sparse call among others is not enough. */
static void count_sparse(struct strata_call_statistics *s, uint64_t load, int ranks)
{
    const int degree = (int)strata_load_degree(load);
    if (strata_sizes_degree((uint64_t)degree, ranks) > 0) {
        s->widest = degree > s->widest ? degree : s->widest;
        s->sparse += s->sparse < s->needed;
    } else {
        const bool wrong = s->sparse >= s->needed - STRATA_SPARSE_AGAIN; /* it may have been */
        s->needed *= wrong && s->needed < STRATA_SPARSE_MOST ? 2 : 1;
        s->widest = s->sparse = 0;
    }
}

/* Learns sizes that differ from the known ones, or are counted. Plans that compare all lengths of
 * blocks are those with rounds. */
static STRATA_SELDOM void learn(struct strata_call_statistics *statistics,
                                const struct strata_agreed *agreed,
                                const struct strata_state *state)
{
    const bool compares = state->group->settings->config.check;
    const int ranks = state->ranks;
    const size_t longest = agreed->largest > 0 ? (size_t)agreed->largest : 1;
    struct strata_plan_key key = {.collective = STRATA_ALLTOALLV};
    strata_plan_key_sizes(&key, (double)strata_load_bytes(agreed->load) / ranks, longest);
    count_sparse(statistics, agreed->load, ranks);
    const bool sparse = statistics->sparse == statistics->needed && !compares;
    statistics->bucket = key.bucket;
    statistics->most = key.most;
    statistics->degree = sparse ? strata_sizes_degree((uint64_t)statistics->widest, ranks) : 0;
    statistics->load = agreed->load;
    statistics->largest = agreed->largest;
}

void strata_sizes_take(struct strata_call *c, struct strata_call_statistics *statistics)
{
    if (c->x && c->x->agreed.known) {
        const struct strata_agreed *agreed = &c->x->agreed;
        if (statistics->age == STRATA_SIZES_OLD || statistics->load != agreed->load ||
            statistics->largest != agreed->largest || strata_sizes_count(statistics)) {
            learn(statistics, agreed, c->state);
        }
        statistics->age = 0;
    } else if (c->x || !c->entry || !strata_choice_native(&c->entry->key.forced)) {
        /* calls that are forced to MPI's own may be handed over without coming here */
        grow_old(statistics);
    }
}

bool strata_sizes_known(enum strata_collective collective)
{
    const struct strata_collective_info *info = &strata_collective_info[collective];
    return info->input != STRATA_NONE &&
           (!info->varying || (info->root == '-' && !strata_collective_transposes(collective)));
}

/* The size that limits a plan: the longest block, or the whole vector of `elements`, which is cut
 * into a block for each rank. 0: the mean size says it. */
static size_t most_elements(enum strata_collective collective, size_t longest, size_t elements)
{
    bool ranked = collective == STRATA_ALLGATHER || collective == STRATA_ALLGATHERV ||
                  collective == STRATA_ALLTOALL || collective == STRATA_GATHER ||
                  collective == STRATA_SCATTER;
    return strata_collective_scatters(collective) ? elements : ranked ? longest : 0;
}

static void guess(struct strata_state *state, struct strata_plan_key *key)
{
    enum strata_collective collective = key->collective;
    if (strata_sizes_agree(collective) || strata_collective_one_knows(collective)) {
        const struct strata_call_statistics *statistics = strata_sizes_of(state, collective);
        key->bucket = statistics->bucket; /* the sizes of an earlier call */
        key->most = statistics->most;
        key->degree = statistics->degree;
    } else {
        strata_plan_key_sizes(key, key->collective == STRATA_BARRIER ? 0 : STRATA_FIRST_BLOCK, 0);
    }
}

/* Whether a table of timed choices has lines for calls with uneven blocks. */
static bool asks_unevenness(const struct strata_state *state, enum strata_collective collective)
{
    return state->group->tuned_uneven >> collective & 1;
}

/* The room above which the longest block counts (strata_plan_key_longest). */
static size_t slot_room(const struct strata_state *state, enum strata_collective collective)
{
    return asks_unevenness(state, collective)
               ? 0
               : strata_segments_capacity(state->group->capacity.slot);
}

void strata_sizes_expect(struct strata_state *state, size_t bytes, struct strata_plan_key *key)
{
    if (strata_sizes_known(key->collective)) {
        strata_plan_key_sizes(key, (double)bytes,
                              most_elements(key->collective, bytes, bytes * (size_t)state->ranks));
        strata_plan_key_longest(key, bytes, slot_room(state, key->collective));
    } else {
        guess(state, key);
    }
}

static MPI_Count element_bytes(const struct strata_side *side)
{
    MPI_Count size = 0;
    if (side->datatype) {
        return (MPI_Count)side->datatype->flat.size;
    }
    strata_type_size(side->type, &size);
    return size;
}

/* Tells the bytes of all of the root's blocks, and of the longest one. */
static void tell_bytes(const struct strata_signature *s, uint64_t *word)
{
    const struct strata_side *all = s->collective == STRATA_GATHERV ? &s->recv : &s->send;
    if (s->rank == s->root) {
        const uint64_t each = (uint64_t)element_bytes(all);
        word[STRATA_TOLD_BYTES] = (uint64_t)all->sum * each;
        word[STRATA_TOLD_LONGEST] = (uint64_t)all->most * each;
    }
}

static struct strata_telling *telling_of(struct strata_call *c)
{
    return &c->state->group
                ->telling[c->signature->collective == STRATA_GATHERV ? STRATA_TELL_GATHERV
                                                                     : STRATA_TELL_SCATTERV];
}

/* The root also tells how long a call took since this rank told, or heard, last. */
static int begin_telling(struct strata_call *c, struct strata_call_statistics *statistics)
{
    struct strata_telling *t = telling_of(c);
    const double now = PMPI_Wtime(), since = statistics->told > 0 ? now - statistics->told : 0;
    tell_bytes(c->signature, t->word);
    t->word[STRATA_TOLD_NANOSECONDS] = (uint64_t)fmax(1e9 * since / fmax(statistics->age, 1), 0);
    statistics->told = now;
    statistics->telling = true;
    return PMPI_Ibcast(t->word, STRATA_TOLD_SIZES, MPI_UINT64_T, c->signature->root,
                       c->state->group->comm, &t->request);
}

/* The calls until the sizes are told again, while they stay the same: more and more, until the time
 * of a telling is a hundredth of theirs. */
static int next_period(int period, uint64_t nanoseconds)
{
    const double calls = nanoseconds > 0 ? SPREAD / (double)nanoseconds : STRATA_SIZES_OLDEST;
    const int most = calls < STRATA_SIZES_OLDEST ? (int)calls : STRATA_SIZES_OLDEST;
    period = 2 * period < most ? 2 * period : most;
    return period > STRATA_SIZES_OLD ? period : STRATA_SIZES_OLD;
}

static int look_what_was_told(struct strata_call *c, struct strata_call_statistics *statistics)
{
    const struct strata_signature *s = c->signature;
    struct strata_telling *t = telling_of(c);
    struct strata_plan_key key = {.collective = s->collective};
    int error = strata_group_finish(c->state->group, MPI_SUCCESS, &t->request);
    if (error != MPI_SUCCESS) {
        return error; /* MPI may write to the telling still */
    }
    const bool counts = asks_unevenness(c->state, s->collective);
    strata_plan_key_sizes(&key, (double)t->word[STRATA_TOLD_BYTES] / s->ranks,
                          counts ? (size_t)t->word[STRATA_TOLD_LONGEST] : 0);
    if (key.bucket != statistics->bucket || key.most != statistics->most) {
        /* what is remembered of MPI's own was for other sizes */
        strata_bound_pass_none(c->state, s->collective);
        statistics->period = STRATA_SIZES_OLD;
    } else {
        statistics->period = next_period(statistics->period, t->word[STRATA_TOLD_NANOSECONDS]);
    }
    statistics->bucket = key.bucket;
    statistics->most = key.most;
    statistics->age = 0;
    statistics->telling = false;
    return MPI_SUCCESS;
}

static void find_due(struct strata_call_statistics *statistics)
{
    const int later = statistics->telling ? statistics->period / 8 : 0;
    statistics->due = statistics->ask ? statistics->period + later : INT_MAX;
}

int strata_sizes_tell(struct strata_call *c)
{
    struct strata_call_statistics *statistics = strata_sizes_of(c->state, c->signature->collective);
    int error = MPI_SUCCESS;
    statistics->ask = !strata_choice_forces(strata_choice_of(c->state, c->signature->collective)) &&
                      !c->state->thread;
    find_due(statistics);
    if (strata_sizes_due(c->state, c->signature->collective)) {
        error = (statistics->telling ? look_what_was_told : begin_telling)(c, statistics);
        find_due(statistics);
    }
    return error == MPI_SUCCESS ? MPI_SUCCESS : MPI_ERR_OTHER;
}

STRATA_SELDOM void strata_sizes_unless_refused(struct strata_state *state,
                                               enum strata_collective collective, int error)
{
    struct strata_call_statistics *statistics = strata_sizes_of(state, collective);
    statistics->age -= strata_refused(error) ? statistics->ask : 0;
}

/* Only bytes have a part in the key, for other ranks may have other elements, laid out
 * differently. */
void strata_call_sizes(struct strata_call *c, struct strata_plan_key *key)
{
    const struct strata_signature *s = c->signature;
    if (!strata_sizes_known(s->collective)) {
        guess(c->state, key);
        return;
    }
    const struct strata_side *side = strata_telling_side(s);
    MPI_Count size = element_bytes(side);
    key->bulky =
        strata_collective_reduces(s->collective) && side->sum > 0 && size > STRATA_SLOT_OPERAND;
    int blocks = strata_side_blocks(s, side);
    size_t all = (size_t)side->sum * (size_t)(blocks == 1 ? s->ranks : 1);
    /* whole numbers up to the division, so all ranks get the same */
    strata_plan_key_sizes(key, (double)side->sum * (double)size / blocks,
                          (size_t)size * most_elements(s->collective, (size_t)side->most, all));
    strata_plan_key_longest(key, (size_t)size * (size_t)side->most,
                            slot_room(c->state, s->collective));
}

bool strata_sizes_alike(const struct strata_call *c, struct strata_count_range *range)
{
    const struct strata_side *side = strata_telling_side(c->signature);
    size_t least = 0;
    size_t most = INT_MAX;
    /* a choice forced to MPI's own holds at any size */
    if (strata_sizes_known(c->signature->collective) &&
        (c->entry->key.left_fold || !strata_choice_native(&c->entry->key.forced))) {
        size_t size = (size_t)element_bytes(side);
        if (strata_collective_info[c->signature->collective].varying || size == 0 ||
            (!side->datatype && !strata_datatype_is_named(side->type))) {
            return false;
        }
        strata_plan_key_range(&c->entry->key, c->signature->ranks, &least, &most);
        least = (least + size - 1) / size;
        most /= size;
    }
    range->taken = side == &c->signature->recv;
    range->type = side->type;
    most = most < INT_MAX ? most : INT_MAX;
    range->least = (int)least;
    range->more = most - least;
    return least <= most;
}
