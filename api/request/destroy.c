/* The end of requests. */
#include "api/process/process.h"
#include "api/request/parts.h"
#include "core/base/memory.h"

/* The report of strata_comm_report stays, without the request. */
static void stay_recorded(const struct strata_request *r)
{
    struct strata_state *state;
    strata_states_lock(&strata_process_here);
    state = r->sequence->state;
    if (state && state->recorded == r) {
        state->recorded = NULL;
    }
    strata_states_unlock(&strata_process_here);
}

void strata_request_forget(struct strata_request *r)
{
    strata_parts_destroy(r->parts);
    strata_request_disown(r);
    strata_release(r->bound.x.scratch);
    strata_release(r->lengths);
    strata_apart_destroy(r->apart);
    if (r->sequence) {
        stay_recorded(r);
    }
    strata_requests_lock();
    strata_selection_entry_hold(&r->bound.call.entry, NULL);
    strata_requests_unlock();
    strata_bound_fini(&r->bound);
    strata_release(r);
}

void strata_request_destroy(struct strata_request *r)
{
    struct strata_sequence *sequence = r->sequence;
    strata_request_forget(r);
    if (sequence) {
        strata_sequence_drop(&strata_process_here, sequence);
    }
}
