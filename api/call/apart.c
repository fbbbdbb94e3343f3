#include "api/call/apart.h"

#include "api/call/shadow_data.h"

bool strata_apart_due(const struct strata_signature *s, bool judged)
{
    return judged && s->in_place && strata_collective_transposes(s->collective);
}

int strata_apart_init(struct strata_apart *apart, const struct strata_signature *s)
{
    struct strata_signature sends = *s;
    int error;
    *apart = (struct strata_apart){.call = *s};
    if (s->large) {
        return MPI_ERR_COUNT;
    }
    sends.send = s->recv;
    sends.recv.part = STRATA_NONE;
    error = strata_rehearsal_init(&apart->copy, &sends);
    apart->call.send = apart->copy.signature.send;
    return error;
}

void strata_apart_fini(struct strata_apart *apart)
{
    strata_rehearsal_fini(&apart->copy);
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
    struct strata_apart apart;
    const bool able = strata_apart_init(&apart, s) == MPI_SUCCESS;
    const int returned = make(able ? strata_apart_copy(&apart) : s, moving);
    strata_apart_fini(&apart);
    return returned;
}
