#include "api/call/snapshot.h"

#include <string.h>

/* For so few ranks arrays are compared here, which takes less time than a function call for
 * each. */
#define FEW_RANKS 16

/* Copies an array to *room, which moves behind it; NULL stays NULL. */
static const void *copy(unsigned char **room, const void *array, size_t bytes)
{
    unsigned char *kept = *room;
    if (!array) {
        return NULL;
    }
    memcpy(kept, array, bytes);
    *room += (bytes + 7) / 8 * 8;
    return kept;
}

static void take_side(const struct strata_signature *s, struct strata_side *side,
                      unsigned char **room)
{
    const size_t ranks = (size_t)s->ranks;
    if (strata_side_varies(s, side)) {
        side->types = copy(room, side->types, ranks * sizeof *side->types);
        side->counts = copy(room, side->counts, ranks * sizeof *side->counts);
        side->displs = copy(room, side->displs, ranks * sizeof *side->displs);
        side->large_counts = copy(room, side->large_counts, ranks * sizeof *side->large_counts);
        side->large_displs = copy(room, side->large_displs, ranks * sizeof *side->large_displs);
    }
}

static bool has_ints(const struct strata_signature *s, const struct strata_side *side)
{
    return strata_side_varies(s, side) && !side->types && side->counts && side->displs;
}

void strata_snapshot_take(struct strata_signature *s, unsigned char *room)
{
    s->few = s->ranks <= FEW_RANKS && has_ints(s, &s->send) && has_ints(s, &s->recv);
    take_side(s, &s->send, &room);
    take_side(s, &s->recv, &room);
}

/* Compares two numbers at once. */
static inline uint64_t two_differ(const int *kept, const int *array, int at)
{
    uint64_t a, b;
    memcpy(&a, kept + at, sizeof a);
    memcpy(&b, array + at, sizeof b);
    return a ^ b;
}

static inline bool same_few(const struct strata_signature *own, const struct strata_signature *call)
{
    const struct strata_side *out = &own->send, *in = &own->recv;
    const struct strata_side *sent = &call->send, *come = &call->recv;
    uint64_t other = 0;
    int i = 0;
    for (; i + 1 < own->ranks; i += 2) {
        other |= two_differ(out->counts, sent->counts, i) |
                 two_differ(out->displs, sent->displs, i) |
                 two_differ(in->counts, come->counts, i) | two_differ(in->displs, come->displs, i);
    }
    if (i < own->ranks) {
        other |=
            (unsigned)((out->counts[i] ^ sent->counts[i]) | (out->displs[i] ^ sent->displs[i]) |
                       (in->counts[i] ^ come->counts[i]) | (in->displs[i] ^ come->displs[i]));
    }
    return other == 0;
}

/* Compares short arrays here, too. */
static inline bool same_bytes(const unsigned char *kept, const unsigned char *array, size_t bytes)
{
    uint32_t was, now, other = 0;
    if (bytes > FEW_RANKS * sizeof now) {
        return memcmp(kept, array, bytes) == 0;
    }
    for (size_t at = 0; at < bytes; at += sizeof now) {
        memcpy(&was, kept + at, sizeof was);
        memcpy(&now, array + at, sizeof now);
        other |= was ^ now;
    }
    return other == 0;
}

static inline bool same_array(const void *kept, const void *array, size_t bytes)
{
    return kept && array ? same_bytes(kept, array, bytes) : kept == array;
}

static inline bool same_arrays(const struct strata_signature *s, const struct strata_side *own,
                               const struct strata_side *call)
{
    const size_t ranks = (size_t)s->ranks;
    if (!strata_side_varies(s, own)) {
        return true;
    }
    if (own->counts) {
        return same_array(own->counts, call->counts, ranks * sizeof *own->counts) &&
               same_array(own->displs, call->displs, ranks * sizeof *own->displs) &&
               same_array(own->types, call->types, ranks * sizeof *own->types);
    }
    return same_array(own->large_counts, call->large_counts, ranks * sizeof *own->large_counts) &&
           same_array(own->large_displs, call->large_displs, ranks * sizeof *own->large_displs) &&
           same_array(own->types, call->types, ranks * sizeof *own->types);
}

bool strata_snapshot_same(const struct strata_signature *own, const struct strata_signature *call)
{
    return own->few ? same_few(own, call)
                    : same_arrays(own, &own->send, &call->send) &&
                          same_arrays(own, &own->recv, &call->recv);
}

/* But for the count. */
static inline bool same_side(const struct strata_signature *s, const struct strata_side *own,
                             const struct strata_side *call, bool checked)
{
    const bool same = checked ? own->part == call->part : own->buffer == call->buffer;
    if (!same || own->part == STRATA_NONE) {
        return same;
    }
    if (strata_side_varies(s, own)) {
        return own->form == call->form && own->type == call->type && strata_side_has_counts(call) &&
               strata_side_has_displs(call) == strata_side_has_displs(own);
    }
    return own->type == call->type;
}

bool strata_snapshot_same_rest(const struct strata_signature *own,
                               const struct strata_signature *call, bool checked)
{
    return own->collective == call->collective && (checked || own->comm == call->comm) &&
           own->op == call->op && same_side(own, &own->recv, &call->recv, checked) &&
           same_side(own, &own->send, &call->send, checked) &&
           (!strata_collective_info[own->collective].varying || strata_snapshot_same(own, call));
}
