/* Finds the class of a call, and what is said of it. */
#include <stdio.h>
#include <string.h>

#include "api/attach/settings.h"
#include "api/call/call.h"
#include "api/call/explain.h"
#include "core/base/buckets.h"
#include "core/base/memory.h"
#include "internode/mpi/renamed_mpi.h"

int strata_explained_bucket(const struct strata_signature *s)
{
    const struct strata_side *side = strata_telling_side(s);
    int blocks = strata_side_blocks(s, side);
    MPI_Count size = 1; /* alltoallw: `sum` counts elements of several types */
    if (blocks == 0) {
        return 0;
    }
    if (!side->types) {
        strata_type_size(side->type, &size);
    }
    return strata_bucket_of_bytes((size_t)((side->sum * size + blocks - 1) / blocks));
}

static void describe(const struct strata_call *c, struct strata_explained *e)
{
    const struct strata_selection_entry *entry = c->entry;
    const char *by = strata_collective_info[e->collective].variable;
    snprintf(e->algorithm, sizeof e->algorithm, "%s", entry ? entry->algorithm : "native");
    e->chosen = entry != NULL;
    if (entry) {
        bool forced = c->state->forced >> e->collective & 1;
        strata_selection_say(&entry->selection, forced ? "strata_comm_force" : by, e->why,
                             sizeof e->why);
        e->plan = entry->plan != NULL;
        e->passes = entry->plan ? entry->plan->limits.passes : 0;
        e->predicted = entry->selection.seconds;
    } else {
        strata_state_why(c->state, c->why, e->why, sizeof e->why);
        e->tried = strcmp(c->why, STRATA_TIMED_BESIDE) == 0;
    }
}

/* Whether the call belongs to this class. */
static bool belongs(const struct strata_explained *e, const struct strata_call *c,
                    enum strata_expected_form form, int bucket)
{
    char why[sizeof e->why];
    if (e->collective != c->signature->collective || e->form != (int)form || e->bucket != bucket ||
        e->chosen != (c->entry != NULL)) {
        return false;
    }
    if (c->entry) {
        return strcmp(e->algorithm, c->entry->algorithm) == 0;
    }
    strata_state_why(c->state, c->why, why, sizeof why);
    return strcmp(e->why, why) == 0;
}

/* The class of the last call comes first, for most calls are like the last one. */
struct strata_explained *strata_explained_class(struct strata_explained_communicator *communicator,
                                                const struct strata_call *c,
                                                enum strata_expected_form form, int bucket)
{
    struct strata_explained **last = &communicator->last[c->signature->collective];
    struct strata_explained **link = &communicator->calls;
    if (*last && belongs(*last, c, form, bucket)) {
        return *last;
    }
    while (*link && !belongs(*link, c, form, bucket)) {
        link = &(*link)->next;
    }
    if (!*link && (*link = strata_allocate(1, sizeof **link))) {
        (*link)->collective = c->signature->collective;
        (*link)->form = (int)form;
        (*link)->bucket = bucket;
        describe(c, *link);
    }
    *last = *link;
    return *link;
}
