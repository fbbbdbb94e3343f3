/* Lane messages in two parts: lengths, and then their data. */
#include "core/check/check_internal.h"

void strata_check_lengths(struct checker *k, struct check_rank *me, int32_t message)
{
    k->messages[message].next_open = -1;
    if (me->known_head < 0) {
        me->known_head = message;
    } else {
        k->messages[me->known_tail].next_open = message;
    }
    me->known_tail = message;
}

/* Takes the first lengths from the step's peer on its lane out of the list; -1: there are none. */
static int32_t take_known(struct checker *k, struct check_rank *me, const struct strata_step *step)
{
    int32_t before = -1, at = me->known_head;
    while (at >= 0 && (k->messages[at].lane != step->lane ||
                       strata_check_step_of(k, &k->messages[at])->peer != step->peer)) {
        before = at;
        at = k->messages[at].next_open;
    }
    if (at >= 0) {
        int32_t next = k->messages[at].next_open;
        *(before < 0 ? &me->known_head : &k->messages[before].next_open) = next;
        me->known_tail = at == me->known_tail ? before : me->known_tail;
    }
    return at;
}

int strata_check_data(struct checker *k, struct check_rank *me, const struct strata_step *step,
                      int32_t message)
{
    struct check_message *m = &k->messages[message];
    m->lengths = take_known(k, me, step);
    if (m->lengths < 0) {
        return strata_check_fail(
            k, me, "receives data whose lengths from rank %d were not waited for", step->peer);
    }
    const struct check_message *lengths = &k->messages[m->lengths];
    if (lengths->pass == m->pass && strata_check_same_items(m->set, lengths->set)) {
        return STRATA_OK;
    }
    struct check_text now = strata_check_set_text(m->set),
                      before = strata_check_set_text(lengths->set);
    return strata_check_fail(
        k, me,
        "receives data of items %s in pass %d; the lengths that came from rank "
        "%d are those of items %s in pass %d",
        now.text, m->pass, step->peer, before.text, lengths->pass);
}

/* Checks that the data are the items whose lengths came. Otherwise they would not fit. */
int strata_check_data_arrived(struct checker *k, struct check_rank *me, int32_t message)
{
    const struct check_message *m = &k->messages[message];
    if (m->lengths < 0) {
        return STRATA_OK;
    }
    int status = STRATA_OK;
    for (int32_t i = 0; i < m->nitems && !status; i++) {
        if (m->symbols[i] != k->messages[m->lengths].symbols[i]) {
            status = strata_check_fail(k, me,
                                       "the data from rank %d are not those whose lengths came: "
                                       "number %d changed in between",
                                       strata_check_step_of(k, m)->peer, i);
        }
    }
    strata_check_message_free(k, m->lengths);
    return status;
}
