#include "hier/node_segments.h"

#include "core/engine/engine_sizes.h"

enum { MOST_PASSES = 1 << 16 };

_Static_assert(STRATA_SLOT_OPERAND <= STRATA_CACHE_LINE, "a segment has room for one more");

static size_t whole_lines(size_t bytes)
{
    return bytes / STRATA_CACHE_LINE * STRATA_CACHE_LINE;
}

/* The most bytes that a segment in a slot of `room` bytes may have on average: some are longer by
 * less than an operand. */
static size_t longest_mean(size_t room, int slot, size_t most)
{
    size_t wanted = most / (size_t)slot;
    room = room > STRATA_SHARED_HEAD ? whole_lines((room - STRATA_SHARED_HEAD) / (size_t)slot) : 0;
    room = room > STRATA_CACHE_LINE ? room - STRATA_CACHE_LINE : 0;
    wanted = wanted > STRATA_CACHE_LINE ? whole_lines(wanted) : STRATA_CACHE_LINE;
    return wanted < room ? wanted : room;
}

struct strata_segments strata_segments_of(const struct strata_problem *problem, int slot,
                                          size_t most)
{
    struct strata_segments s = {.slot = slot, .members = problem->topology->largest};
    size_t vector = problem->most_bytes;
    size_t small = longest_mean(problem->capacity.small, slot, most) * (size_t)slot;
    size_t pass = longest_mean(problem->capacity.slot, slot, most) * (size_t)slot;
    if (small > 0 && vector <= small) {
        s.ring = STRATA_SMALL_RING;
        pass = small;
    }
    size_t passes = pass == 0 ? 0 : vector > 0 ? (vector - 1) / pass + 1 : 1;
    bool few = passes <= MOST_PASSES && (int64_t)passes * slot * s.members <= INT32_MAX;
    s.passes = few ? (int)passes : 0;
    return s;
}

const char *strata_segments_refusal(const struct strata_problem *problem, int slot, size_t most)
{
    const struct strata_topology *t = problem->topology;
    if (t->nodes > 1) {
        return "there are several nodes";
    }
    if (t->ranks == 1) {
        return "there is one rank";
    }
    if (problem->bulky) {
        return "the operands have gaps, or are too long for slots";
    }
    if (longest_mean(problem->capacity.slot, slot, most) == 0) {
        return "no segment fits in a slot of the node's shared memory";
    }
    return strata_segments_of(problem, slot, most).passes > 0 ? NULL
                                                              : "the vector has too many segments";
}

void strata_segments_begin(const struct strata_segments *s, struct strata_builder *b)
{
    strata_build_limits(b, (struct strata_limits){.passes = s->passes});
    strata_build_blocks(b, (struct strata_blocks){.count = s->slot * s->passes,
                                                  .slot = s->slot,
                                                  .ring = (uint8_t)s->ring});
}

struct strata_box strata_segments_in(const struct strata_segments *s, enum strata_store store,
                                     int first, int count)
{
    return strata_box_in(store, strata_box_range(s->slot * s->passes, first, count));
}

struct strata_box strata_segments_slot(const struct strata_segments *s, int member, int first,
                                       int count)
{
    int vector = s->slot * s->passes;
    return strata_box_in(STRATA_SLOT,
                         strata_box_range(s->members * vector, member * vector + first, count));
}

static void move(const struct strata_segments *s, struct strata_builder *b, struct strata_step step,
                 struct strata_box from, struct strata_box into)
{
    step.from = strata_build_set(b, from);
    step.set = strata_build_set(b, into);
    step.set_step = s->slot;
    strata_build_step(b, step);
}

void strata_segments_copy(const struct strata_segments *s, struct strata_builder *b,
                          struct strata_box from, struct strata_box into)
{
    move(s, b, (struct strata_step){.op = STRATA_STEP_COPY, .workshare = 1}, from, into);
}

void strata_segments_reduce(const struct strata_segments *s, struct strata_builder *b,
                            struct strata_box from, struct strata_box into)
{
    move(s, b, (struct strata_step){.op = STRATA_STEP_REDUCE}, from, into);
}

void strata_segments_combine(const struct strata_segments *s, const struct strata_problem *problem,
                             struct strata_builder *b, int segment, struct strata_box into)
{
    const int *local_of = problem->topology->local_of;
    int last = s->members - 1;
    strata_segments_copy(s, b, strata_segments_slot(s, local_of[last], segment, 1), into);
    for (int rank = last - 1; rank >= 0; rank--) {
        strata_segments_reduce(s, b, strata_segments_slot(s, local_of[rank], segment, 1), into);
    }
}

void strata_segments_combine_cost(struct strata_cost *total, const struct strata_segments *s,
                                  double bytes, const struct strata_machine *machine)
{
    strata_cost_copy(total, bytes, 1, machine);
    strata_cost_reduce(total, (s->members - 1) * bytes, machine);
}
