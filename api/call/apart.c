#include "api/call/apart.h"

#include "api/call/shadow_data.h"
#include "core/base/memory.h"

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
