/* Joins parts that were sorted separately. Borders of one level have different agents, so the
 * messages of a level are at most two each way; they have channels of their own. All levels'
 * questions come before any answer: a rank that waits for an answer has asked all its questions, so
 * no agent waits for it. */
#include "internode/split/radix_join.h"

/* From the rank on `side` of a border. */
struct end {
    int32_t side, address;
};

static struct strata_round empty_round(int channel)
{
    struct strata_round round = {.channel = channel};
    for (int i = 0; i < STRATA_ROUND_MESSAGES; i++) {
        round.send[i].peer = round.receive[i].peer = STRATA_NOBODY;
    }
    return round;
}

/* The border on my right has me on its left: my part's last rank speaks for it, and its first
 * rank for the border on the left. inner: this rank's neighbours inside its part. */
static bool speaks(const struct strata_radix *radix, const int inner[STRATA_SIDES], int side,
                   int level)
{
    return radix->border[side].level == level && inner[side] == STRATA_NOBODY;
}

/* ends[i]: the address on side i of the border that this rank is agent of. */
static int ask(struct strata_station *station, const struct strata_radix *radix,
               const int inner[STRATA_SIDES], int level, int ends[STRATA_SIDES])
{
    struct strata_round round = empty_round(STRATA_CHANNEL_JOIN + level);
    struct end mine[STRATA_SIDES], got[STRATA_SIDES];
    bool busy = radix->agent[level];
    for (int side = 0; side < STRATA_SIDES; side++) {
        const struct strata_border *border = &radix->border[side];
        mine[side] = (struct end){(int32_t)strata_other_side((enum strata_chain_side)side),
                                  station->address};
        if (radix->agent[level]) {
            round.receive[side] =
                (struct strata_incoming){STRATA_ANYBODY, &got[side], sizeof got[side], 0};
        }
        if (speaks(radix, inner, side, level)) {
            busy = true;
            round.send[side] =
                (struct strata_outgoing){border->agent, &mine[side], sizeof mine[side]};
        }
    }
    int error = busy ? strata_station_exchange(station, &round) : 0;
    for (int side = 0; !error && radix->agent[level] && side < STRATA_SIDES; side++) {
        ends[got[side].side] = got[side].address;
    }
    return error;
}

/* On both sides: inside the part, and after joining. */
struct neighbours {
    int inner[STRATA_SIDES], joined[STRATA_SIDES];
};

/* Each end gets the other's address. */
static int answer(struct strata_station *station, const struct strata_radix *radix, int level,
                  const int ends[STRATA_SIDES], struct neighbours *n)
{
    struct strata_round round = empty_round(STRATA_CHANNEL_JOINED + level);
    int32_t out[STRATA_SIDES], in[STRATA_SIDES] = {STRATA_NOBODY, STRATA_NOBODY};
    bool busy = radix->agent[level];
    for (int side = 0; side < STRATA_SIDES; side++) {
        if (radix->agent[level]) {
            out[side] = ends[strata_other_side((enum strata_chain_side)side)];
            round.send[side] = (struct strata_outgoing){ends[side], &out[side], sizeof out[side]};
        }
        if (speaks(radix, n->inner, side, level)) {
            busy = true;
            round.receive[side] =
                (struct strata_incoming){radix->border[side].agent, &in[side], sizeof in[side], 0};
        }
    }
    int error = busy ? strata_station_exchange(station, &round) : 0;
    for (int side = 0; side < STRATA_SIDES; side++) {
        n->joined[side] = in[side] == STRATA_NOBODY ? n->joined[side] : in[side];
    }
    return error;
}

int strata_radix_join(struct strata_station *station, const struct strata_radix *radix,
                      struct strata_chain_links *group)
{
    struct neighbours n = {{group->left, group->right}, {group->left, group->right}};
    int ends[STRATA_RADIX_LEVELS][STRATA_SIDES];
    int error = 0;
    for (int level = 0; !error && level < radix->levels; level++) {
        error = ask(station, radix, n.inner, level, ends[level]);
    }
    for (int level = 0; !error && level < radix->levels; level++) {
        error = answer(station, radix, level, ends[level], &n);
    }
    group->left = n.joined[STRATA_LEFT];
    group->right = n.joined[STRATA_RIGHT];
    return error;
}
