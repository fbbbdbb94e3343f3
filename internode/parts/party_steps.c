#include "internode/parts/party_steps.h"

struct strata_box strata_party_range(const struct strata_party *party, int64_t first, int count)
{
    return strata_box_range(party->size, strata_party_wrap(party, first), count);
}

static void message(const struct strata_party *party, struct strata_builder *b, int64_t member,
                    struct strata_box members, struct strata_step step)
{
    step.workshare = 1;
    step.peer = strata_party_rank(party, strata_party_wrap(party, member));
    step.set = strata_party_set(party, b, members);
    step.set_step *= party->stride;
    strata_build_step(b, step);
}

void strata_party_send(const struct strata_party *party, struct strata_builder *b, int64_t member,
                       struct strata_box members, int shift)
{
    message(party, b, member, members,
            (struct strata_step){.op = STRATA_STEP_SEND_BLOCKS, .set_step = shift});
}

void strata_party_recv(const struct strata_party *party, struct strata_builder *b, int64_t member,
                       struct strata_box members, int shift)
{
    message(party, b, member, members,
            (struct strata_step){.op = STRATA_STEP_RECV_BLOCKS, .set_step = shift});
}

int strata_party_loop(const struct strata_party *party, struct strata_builder *b, int times)
{
    if (times < 1 || party->stride == 0) {
        return times < 1 ? 0 : times;
    }
    strata_build_repeat(b, times);
    return 1;
}

void strata_party_loop_end(const struct strata_party *party, struct strata_builder *b, int times)
{
    if (times >= 1 && party->stride != 0) {
        strata_build_end(b);
    }
}

int strata_log_rounds(int size, int radix)
{
    int rounds = 0;
    for (int64_t reach = 1; reach < size; reach *= radix) {
        rounds++;
    }
    return rounds;
}
