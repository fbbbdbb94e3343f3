#include "internode/chain/chain_links.h"

#include <stdalign.h>
#include <string.h>

#include "internode/chain/scan.h"

struct strata_chain_links strata_chain_links_of_all(int rank, int ranks)
{
    return (struct strata_chain_links){ranks, rank, rank, rank > 0 ? rank - 1 : STRATA_NOBODY,
                                       rank + 1 < ranks ? rank + 1 : STRATA_NOBODY};
}

void strata_walk_init(struct strata_walk *walk, const struct strata_chain_links *links)
{
    *walk = (struct strata_walk){.size = links->size, .distance = 1};
    walk->partner[STRATA_LEFT] = links->left;
    walk->partner[STRATA_RIGHT] = links->right;
}

/* The bytes behind the data have the address of my partner on the other side, which is the
 * receiver's next partner. */
static void address_out(struct strata_outgoing *out, const struct strata_parcel *parcel,
                        int32_t *address)
{
    if (parcel->send) {
        memcpy((unsigned char *)parcel->send + parcel->size, address, sizeof *address);
        out->bytes = parcel->send;
        out->size = parcel->size + sizeof *address;
    } else {
        out->bytes = address;
        out->size = sizeof *address;
    }
}

static void address_room(struct strata_incoming *in, const struct strata_parcel *parcel,
                         int32_t *address)
{
    in->bytes = parcel->receive ? parcel->receive : address;
    in->capacity = (parcel->receive ? parcel->capacity : 0) + sizeof *address;
}

/* The new partner of this side, taken off the message. */
static int address_in(const struct strata_incoming *in, struct strata_parcel *parcel)
{
    int32_t address = STRATA_NOBODY;
    parcel->received = 0;
    if (in->peer != STRATA_NOBODY && in->size >= sizeof address) {
        parcel->received = in->size - sizeof address;
        memcpy(&address, (const unsigned char *)in->bytes + parcel->received, sizeof address);
    }
    return address;
}

int strata_walk_round(struct strata_walk *walk, struct strata_station *station,
                      struct strata_parcel parcel[STRATA_SIDES])
{
    struct strata_round round = {.channel = STRATA_CHANNEL_CHAIN};
    int32_t out[STRATA_SIDES], in[STRATA_SIDES];
    for (int side = 0; side < STRATA_SIDES; side++) {
        round.send[side].peer = round.receive[side].peer = walk->partner[side];
        out[side] = walk->partner[strata_other_side((enum strata_chain_side)side)];
        address_out(&round.send[side], &parcel[side], &out[side]);
        address_room(&round.receive[side], &parcel[side], &in[side]);
    }
    int error = strata_station_exchange(station, &round);
    for (int side = 0; !error && side < STRATA_SIDES; side++) {
        walk->partner[side] = address_in(&round.receive[side], &parcel[side]);
    }
    walk->distance *= 2;
    return error;
}

int strata_chain_barrier_run(struct strata_station *station, const struct strata_chain_links *links)
{
    struct strata_walk walk;
    int error = 0;
    strata_walk_init(&walk, links);
    while (!error && strata_walk_more(&walk)) {
        struct strata_parcel parcel[STRATA_SIDES] = {{0}};
        error = strata_walk_round(&walk, station, parcel);
    }
    return error;
}

static void largest(void *context, const void *left, void *right)
{
    int32_t a, b;
    (void)context;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    memcpy(right, a > b ? &a : &b, sizeof a);
}

int strata_chain_agree(struct strata_station *station, const struct strata_chain_links *links,
                       int status)
{
    alignas(16) unsigned char memory[STRATA_SCAN_MEMORY(sizeof(int32_t))];
    struct strata_scan scan = {.bytes = sizeof(int32_t), .combine = {largest, largest}};
    int32_t mine = status;
    strata_scan_set_up(&scan, memory);
    memcpy(scan.inclusive[STRATA_LEFT], &mine, sizeof mine);
    memcpy(scan.inclusive[STRATA_RIGHT], &mine, sizeof mine);
    int error = strata_scan_run(&scan, station, links);
    if (!error) {
        memcpy(&mine, strata_scan_total(&scan), sizeof mine);
    }
    return error ? error : mine;
}
