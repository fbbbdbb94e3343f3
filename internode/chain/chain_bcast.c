/* Bcast on a chain: near ranks first. A rank that has the data sends them to the rank at the
 * round's distance. A tree that begins with far ranks would need addresses that no rank knows yet.
 */
#include <string.h>

#include "internode/chain/chain_bcast.h"

#include "internode/chain/scan.h"
#include "internode/chain/sides.h"

int strata_chain_bcast_run(struct strata_station *station, const struct strata_chain_links *links,
                           int root, void *buffer, size_t bytes, void *memory)
{
    const struct strata_view view = strata_view_from(links, root);
    unsigned char *copy[STRATA_SIDES] = {memory,
                                         (unsigned char *)memory + STRATA_SCAN_STRIDE(bytes)};
    struct strata_walk walk;
    int error = 0;
    strata_walk_init(&walk, links);
    if (view.distance == 0) {
        memcpy(copy[STRATA_LEFT], buffer, bytes);
        memcpy(copy[STRATA_RIGHT], buffer, bytes);
    }
    while (!error && strata_walk_more(&walk)) {
        struct strata_parcel parcel[STRATA_SIDES] = {{0}};
        bool informed = view.distance < walk.distance;
        bool told = !informed && view.distance < 2 * walk.distance;
        for (int side = 0; side < STRATA_SIDES; side++) {
            if (informed && strata_view_outward(&view, side)) {
                parcel[side].send = view.distance == 0 ? copy[side] : copy[view.outward];
                parcel[side].size = bytes;
            } else if (told && !strata_view_outward(&view, side)) {
                parcel[side].receive = copy[view.outward];
                parcel[side].capacity = bytes;
            }
        }
        error = strata_walk_round(&walk, station, parcel);
    }
    if (!error && view.distance > 0) {
        memcpy(buffer, copy[view.outward], bytes);
    }
    return error;
}
