#include "core/plan/step_kinds.h"

#include "core/plan/plan.h"

const struct strata_step_kind strata_step_kind[STRATA_STEP_COUNT] = {
#define STRATA_STEP_KIND(id, word, plans, act, a, b, c, d, e)                                      \
    [STRATA_STEP_##                                                                                \
        id] = {#word,                                                                              \
               STRATA_OF_##plans,                                                                  \
               STRATA_ACT_##act,                                                                   \
               {STRATA_HAS_##a, STRATA_HAS_##b, STRATA_HAS_##c, STRATA_HAS_##d, STRATA_HAS_##e},   \
               1U << STRATA_HAS_##a | 1U << STRATA_HAS_##b | 1U << STRATA_HAS_##c |                \
                   1U << STRATA_HAS_##d | 1U << STRATA_HAS_##e},
    STRATA_STEP_TABLE(STRATA_STEP_KIND)
#undef STRATA_STEP_KIND
};

const char *strata_step_word(enum strata_op op)
{
    unsigned index = (unsigned)op;
    return index < STRATA_STEP_COUNT ? strata_step_kind[index].word : "unknown";
}

const char *const strata_signal_word[STRATA_SIGNALS] = {[STRATA_SIGNAL_ARRIVED] = "arrived",
                                                        [STRATA_SIGNAL_RELEASED] = "released",
                                                        [STRATA_SIGNAL_DONE] = "done"};

const char *const strata_how_word[STRATA_HOWS] = {[STRATA_AS_FITS] = "fits",
                                                  [STRATA_PACKED] = "packed",
                                                  [STRATA_TYPED] = "typed",
                                                  [STRATA_LENGTHS] = "lengths",
                                                  [STRATA_DATA] = "data"};

static const char *const refusal[] = {
#define STRATA_STEP_FIELD_REFUSAL(id, reason) [STRATA_HAS_##id] = reason,
    STRATA_STEP_FIELD_TABLE(STRATA_STEP_FIELD_REFUSAL)
#undef STRATA_STEP_FIELD_REFUSAL
};

static bool is_below(int32_t value, int32_t end)
{
    return value >= 0 && value < end;
}

static bool is_member(const struct strata_plan *p, int32_t member)
{
    const struct strata_topology *t = p->topology;
    return is_below(member, strata_topology_node_size(t, t->node_of[p->rank]));
}

static bool has_space(const struct strata_plan *p, int32_t set, int32_t space)
{
    return is_below(set, p->nsets) && p->sets[set].nboxes > 0 &&
           p->boxes[p->sets[set].first_box].space == space;
}

/* The number of blocks in a store of the plan; 0: the plan has no such store. */
static int32_t store_size(const struct strata_plan *p, int store)
{
    switch (store) {
    case STRATA_WORK:
        return p->blocks.work;
    case STRATA_SHARED:
        return p->blocks.shared ? p->topology->ranks : 0;
    case STRATA_SLOT:
        return strata_slot_store(p);
    case STRATA_PEER_INPUT:
    case STRATA_PEER_WORK:
        return strata_peer_store(p, store);
    case STRATA_INPUT_AT:
    case STRATA_OUTPUT_AT:
        return p->blocks.count == p->topology->ranks ? p->blocks.count : 0;
    case STRATA_INPUT:
    case STRATA_OUTPUT:
        return p->blocks.count;
    default:
        return 0;
    }
}

/* In a plan over items, a set has at least one box, and all boxes are of one store. */
static bool is_of_items(const struct strata_plan *p, const struct strata_plan_set *set,
                        enum strata_store store)
{
    int i = 0;
    while (i < set->nboxes && p->boxes[set->first_box + i].store == (int)store &&
           p->boxes[set->first_box + i].space == strata_items_in(p, store)) {
        i++;
    }
    return i > 0 && i == set->nboxes;
}

/* In a plan over blocks, a set may have no boxes: it is empty. */
static bool is_of_blocks(const struct strata_plan *p, const struct strata_step *s, bool from)
{
    int32_t index = from ? s->from : s->set;
    bool good = is_below(index, p->nsets);
    const struct strata_plan_set *set = good ? &p->sets[index] : NULL;
    if (good && !strata_plan_over_blocks(p)) {
        return is_of_items(p, set, strata_items_store(s, from));
    }
    for (int i = 0; good && i < set->nboxes; i++) {
        const struct strata_box *box = &p->boxes[set->first_box + i];
        good = box->space == store_size(p, box->store);
    }
    return good && (p->blocks.ring == STRATA_LARGE_RING ||
                    !strata_plan_in_landing(p, strata_plan_shifted(p, index, 0)));
}

typedef bool accepts(const struct strata_plan *p, const struct strata_step *s);

static bool accepts_NONE(const struct strata_plan *p, const struct strata_step *s)
{
    return p && s;
}

static bool accepts_LABEL(const struct strata_plan *p, const struct strata_step *s)
{
    return is_below(s->label, p->labels_size);
}

static bool accepts_TIMES(const struct strata_plan *p, const struct strata_step *s)
{
    return p && s->count >= 0;
}

static bool accepts_PEER(const struct strata_plan *p, const struct strata_step *s)
{
    return is_below(s->peer, p->topology->ranks);
}

static bool accepts_MEMBER(const struct strata_plan *p, const struct strata_step *s)
{
    return is_member(p, s->peer);
}

static bool accepts_MEMBERS(const struct strata_plan *p, const struct strata_step *s)
{
    return s->peer == STRATA_ALL_MEMBERS || is_member(p, s->peer);
}

static bool accepts_SIGNAL(const struct strata_plan *p, const struct strata_step *s)
{
    return p && s->count >= STRATA_SIGNAL_ARRIVED && s->count <= STRATA_SIGNAL_DONE;
}

static bool accepts_LANE(const struct strata_plan *p, const struct strata_step *s)
{
    bool none = p->exchange.lanes == 0 && strata_step_has(s->op, STRATA_HAS_PEER);
    return none ? s->lane == 0 : is_below(s->lane, p->exchange.lanes);
}

static bool accepts_RANKS(const struct strata_plan *p, const struct strata_step *s)
{
    return has_space(p, s->set, p->topology->ranks);
}

static bool accepts_BLOCKS(const struct strata_plan *p, const struct strata_step *s)
{
    return is_of_blocks(p, s, false);
}

static bool accepts_FROM(const struct strata_plan *p, const struct strata_step *s)
{
    return is_of_blocks(p, s, true) && is_below(s->set, p->nsets) &&
           strata_set_count(strata_plan_from_of(p, s, 0)) ==
               strata_set_count(strata_plan_set_of(p, s, 0));
}

static bool accepts_HOW(const struct strata_plan *p, const struct strata_step *s)
{
    bool items = strata_set_is_of_items(strata_plan_set_of(p, s, 0));
    return strata_how_fits(s->how, items);
}

static bool accepts_OPEN(const struct strata_plan *p, const struct strata_step *s)
{
    return p && s->count >= 0;
}

static bool accepts_DIRECT(const struct strata_plan *p, const struct strata_step *s)
{
    return p && s->direct <= 1;
}

static bool accepts_WORKSHARE(const struct strata_plan *p, const struct strata_step *s)
{
    return p && s->workshare <= 1;
}

static accepts *const accepting[] = {
#define STRATA_STEP_FIELD_ACCEPTS(id, reason) [STRATA_HAS_##id] = accepts_##id,
    STRATA_STEP_FIELD_TABLE(STRATA_STEP_FIELD_ACCEPTS)
#undef STRATA_STEP_FIELD_ACCEPTS
};

const char *strata_step_refused(const struct strata_plan *plan, const struct strata_step *step)
{
    if (step->op >= STRATA_STEP_COUNT) {
        return "there is no such step kind";
    }
    for (int i = 0; i < STRATA_STEP_FIELDS; i++) {
        int field = strata_step_kind[step->op].field[i];
        if (!accepting[field](plan, step)) {
            return refusal[field];
        }
    }
    return NULL;
}
