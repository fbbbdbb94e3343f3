#include "internode/chain/scan.h"

#include <string.h>

void strata_scan_set_up(struct strata_scan *scan, void *memory)
{
    unsigned char *place = memory;
    const size_t stride = STRATA_SCAN_STRIDE(scan->bytes);
    for (int side = 0; side < STRATA_SIDES; side++) {
        scan->inclusive[side] = place;
        scan->exclusive[side] = place + stride;
        scan->incoming[side] = place + 2 * stride;
        scan->any[side] = false;
        place += 3 * stride;
    }
    scan->spare = place;
}

static void swap(unsigned char **a, unsigned char **b)
{
    unsigned char *other = *a;
    *a = *b;
    *b = other;
}

/* The value that came is of ranks further left than the value here, so it is the left operand. */
static void absorb_left(struct strata_scan *scan)
{
    const unsigned char *came = scan->incoming[STRATA_LEFT];
    strata_combine *combine = scan->combine[STRATA_LEFT];
    if (scan->any[STRATA_LEFT]) {
        combine(scan->context, came, scan->exclusive[STRATA_LEFT]);
    } else {
        memcpy(scan->exclusive[STRATA_LEFT], came, scan->bytes);
    }
    combine(scan->context, came, scan->inclusive[STRATA_LEFT]);
}

/* Here it is the right operand, where the result goes: buffers change places. */
static void absorb_right(struct strata_scan *scan)
{
    strata_combine *combine = scan->combine[STRATA_RIGHT];
    memcpy(scan->spare, scan->incoming[STRATA_RIGHT], scan->bytes);
    if (scan->any[STRATA_RIGHT]) {
        combine(scan->context, scan->exclusive[STRATA_RIGHT], scan->spare);
    }
    swap(&scan->exclusive[STRATA_RIGHT], &scan->spare);
    combine(scan->context, scan->inclusive[STRATA_RIGHT], scan->incoming[STRATA_RIGHT]);
    swap(&scan->inclusive[STRATA_RIGHT], &scan->incoming[STRATA_RIGHT]);
}

/* The scan from the left takes from the left partner and gives to the right one. */
static void fill_parcels(struct strata_scan *scan, struct strata_parcel parcel[STRATA_SIDES])
{
    for (int side = 0; side < STRATA_SIDES; side++) {
        if (scan->combine[side]) {
            struct strata_parcel *to = &parcel[strata_other_side((enum strata_chain_side)side)];
            to->send = scan->inclusive[side];
            to->size = scan->bytes;
            parcel[side].receive = scan->incoming[side];
            parcel[side].capacity = scan->bytes;
        }
    }
}

int strata_scan_run(struct strata_scan *scan, struct strata_station *station,
                    const struct strata_chain_links *links)
{
    struct strata_walk walk;
    strata_walk_init(&walk, links);
    while (strata_walk_more(&walk)) {
        struct strata_parcel parcel[STRATA_SIDES] = {{0}};
        const bool comes[] = {walk.partner[STRATA_LEFT] != STRATA_NOBODY,
                              walk.partner[STRATA_RIGHT] != STRATA_NOBODY};
        fill_parcels(scan, parcel);
        int error = strata_walk_round(&walk, station, parcel);
        if (error) {
            return error;
        }
        if (scan->combine[STRATA_LEFT] && comes[STRATA_LEFT]) {
            absorb_left(scan);
            scan->any[STRATA_LEFT] = true;
        }
        if (scan->combine[STRATA_RIGHT] && comes[STRATA_RIGHT]) {
            absorb_right(scan);
            scan->any[STRATA_RIGHT] = true;
        }
    }
    return 0;
}

void *strata_scan_total(struct strata_scan *scan)
{
    if (scan->any[STRATA_LEFT]) {
        scan->combine[STRATA_LEFT](scan->context, scan->exclusive[STRATA_LEFT],
                                   scan->inclusive[STRATA_RIGHT]);
    }
    return scan->inclusive[STRATA_RIGHT];
}
