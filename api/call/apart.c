#include "api/call/apart.h"

#include "api/call/shadow_data.h"
#include "core/base/memory.h"

/* Blocks without bytes are sent as they are received. Open MPI 4.1.6 awaits elements without bytes,
 * but sends no block without elements. */
static void keep_empty(struct strata_apart *apart, const struct strata_side *recv)
{
    struct rehearsed_side *own = &apart->copy.send;
    if (!recv->types && apart->call.send.sum == 0) {
        apart->call.send = *recv;
        apart->call.send.buffer = own->memory;
    }
    for (int i = 0; recv->types && i < apart->call.ranks; i++) {
        if (own->counts[i] == 0 && recv->counts[i] > 0) {
            own->counts[i] = recv->counts[i];
            own->types[i] = recv->types[i];
        }
    }
}

struct strata_apart *strata_apart_create(const struct strata_signature *s)
{
    struct strata_apart *apart = s->large ? NULL : strata_allocate(1, sizeof *apart);
    struct strata_signature sends = *s;
    if (!apart) {
        return NULL;
    }
    sends.send = s->recv;
    sends.recv.part = STRATA_NONE;
    if (strata_rehearsal_init(&apart->copy, &sends) != MPI_SUCCESS) {
        strata_apart_destroy(apart);
        return NULL;
    }
    apart->call = *s;
    apart->call.send = apart->copy.signature.send;
    keep_empty(apart, &s->recv);
    return apart;
}

void strata_apart_destroy(struct strata_apart *apart)
{
    if (apart) {
        strata_rehearsal_fini(&apart->copy);
        strata_release(apart);
    }
}

const struct strata_signature *strata_apart_copy(struct strata_apart *apart)
{
    strata_shadow_pack_side(&apart->call, &apart->call.recv, apart->copy.send.memory);
    return &apart->call;
}

/* MPI's own call. */
static int make(const struct strata_signature *s, bool moving)
{
    return moving ? strata_native_moving_requests(s) : strata_native_call(s);
}

int strata_apart_native(const struct strata_signature *s, bool moving)
{
    struct strata_apart *apart = strata_apart_create(s);
    const int returned = make(apart ? strata_apart_copy(apart) : s, moving);
    strata_apart_destroy(apart);
    return returned;
}
