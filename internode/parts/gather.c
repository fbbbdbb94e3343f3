#include "internode/parts/gather.h"

static int wrapped(int ranks, int64_t rank)
{
    int64_t rest = rank % ranks;
    return (int)(rest < 0 ? rest + ranks : rest);
}

void strata_gather_begin(struct strata_builder *b, int ranks, int rank)
{
    struct strata_box mine = strata_box_item(ranks, rank);
    strata_build_blocks(b, (struct strata_blocks){.count = ranks});
    strata_build_phase(b, "my block");
    strata_build_copy(b, strata_build_set(b, strata_box_in(STRATA_INPUT, mine)),
                      strata_build_set(b, strata_box_in(STRATA_OUTPUT, mine)));
}

struct strata_box strata_gather_blocks(int ranks, int64_t first, int count)
{
    return strata_box_in(STRATA_OUTPUT, strata_box_range(ranks, wrapped(ranks, first), count));
}

static void message(struct strata_builder *b, enum strata_op op, int64_t rank,
                    struct strata_box blocks, int shift)
{
    strata_build_step(b, (struct strata_step){.op = (uint8_t)op,
                                              .workshare = 1,
                                              .peer = wrapped(blocks.space, rank),
                                              .set = strata_build_set(b, blocks),
                                              .set_step = shift});
}

void strata_gather_send(struct strata_builder *b, int64_t rank, struct strata_box blocks, int shift)
{
    message(b, STRATA_STEP_SEND_BLOCKS, rank, blocks, shift);
}

void strata_gather_recv(struct strata_builder *b, int64_t rank, struct strata_box blocks, int shift)
{
    message(b, STRATA_STEP_RECV_BLOCKS, rank, blocks, shift);
}

void strata_gather_ring(struct strata_builder *b, int ranks, int rank)
{
    int64_t me = rank;
    strata_build_phase(b, "blocks go round the ring");
    if (ranks > 1) {
        strata_build_repeat(b, ranks - 1);
        strata_gather_recv(b, me - 1, strata_gather_blocks(ranks, me - 1, 1), -1);
        strata_gather_send(b, me + 1, strata_gather_blocks(ranks, me, 1), -1);
        strata_build_wait(b, 0);
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

int strata_circulant_skip(int ranks, int level)
{
    return (int)((ranks + ((int64_t)1 << level) - 1) >> level);
}
