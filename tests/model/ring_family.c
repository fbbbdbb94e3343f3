#include "tests/model/ring_family.h"

static int roots(const struct ring_family *family, int kind)
{
    return ring_kind_rooted[kind] ? family->members : 1;
}

static int calls(const struct ring_family *family)
{
    int count = 0;
    for (int kind = 0; kind < RING_KIND_COUNT; kind++) {
        count += 2 * roots(family, kind);
    }
    return count;
}

static struct ring_call call_at(const struct ring_family *family, int number)
{
    int epochs = number % 2 ? family->depth + 1 : 1, kind = 0;
    for (number /= 2; number >= roots(family, kind); kind++) {
        number -= roots(family, kind);
    }
    return (struct ring_call){(enum ring_kind)kind, number, epochs};
}

static bool scans(const struct ring_sequence *sequence)
{
    for (int c = 0; c < sequence->ncalls; c++) {
        if (sequence->calls[c].kind == RING_scan) {
            return true;
        }
    }
    return false;
}

/* Roots get their numbers in the order of their appearance. A scan orders the members, so its root
 * is the first. */
static bool renamed(const struct ring_sequence *sequence)
{
    int named = 0;
    for (int c = 0; c < sequence->ncalls; c++) {
        const struct ring_call *call = &sequence->calls[c];
        if (ring_kind_rooted[call->kind]) {
            if (call->root > named) {
                return true;
            }
            named = scans(sequence) ? sequence->members : named + (call->root == named);
        }
    }
    return false;
}

long ring_family_size(const struct ring_family *family)
{
    long size = 1;
    for (int c = 0; c < family->ncalls; c++) {
        size *= calls(family);
    }
    return size;
}

bool ring_family_at(const struct ring_family *family, long number, struct ring_sequence *sequence)
{
    *sequence = (struct ring_sequence){.members = family->members,
                                       .depth = family->depth,
                                       .open = family->open,
                                       .failures = family->failures,
                                       .without = RING_ALL_RULES,
                                       .everybody = family->everybody,
                                       .hears = family->hears,
                                       .recent = family->recent,
                                       .together = family->together,
                                       .ncalls = family->ncalls};
    for (int c = 0; c < family->ncalls; c++) {
        sequence->calls[c] = call_at(family, (int)(number % calls(family)));
        number /= calls(family);
    }
    return !renamed(sequence) && ring_turns(sequence) <= RING_TURNS;
}
