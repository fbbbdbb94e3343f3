/* What the engine keeps of a call from one step to the next: no business of its callers, who only
 * own the memory (struct strata_execution, core/engine/engine.h). */
#ifndef STRATA_CORE_ENGINE_ENGINE_PROGRESS_H
#define STRATA_CORE_ENGINE_ENGINE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/engine/layout.h"
#include "core/engine/mates.h"
#include "core/engine/transport.h"

/* Blocks side by side in private memory, as long as those of a layout
 * (core/engine/engine_stacks.h). */
struct strata_stack {
    const struct strata_layout *shape;
    const struct strata_type *type; /* of its elements: bytes, or operands of a reduction */
    int first, count;      /* block i is as long as block (first + i) mod count of shape, */
    bool alike;            /* or as block first */
    const int *number;     /* of which that is the position; NULL: the number itself */
    unsigned char *origin; /* of the first element; NULL: there is no such store */
    size_t *at;            /* [blocks + 1] elements before each; NULL: the shape is regular */
};

/* What a tape counts places from. */
enum strata_base {
    STRATA_BASE_INPUT,
    STRATA_BASE_OUTPUT,
    STRATA_BASE_SLOTS, /* the use's place of member 0 */
    STRATA_BASE_LANDING,
    STRATA_BASE_TABLES, /* the tape's own copy of my slot's tables */
    STRATA_BASES
};

/* What is to be copied, and where, when its operands come. */
struct strata_late_copy {
    const unsigned char *from; /* NULL: nothing is */
    unsigned char *into;
    bool past_cache; /* it is so long that its results are not left in the cache */
};

#define STRATA_MOST_EARLY 64

struct strata_engine_progress {
    /* what each call begins with at 0, side by side so that this takes few stores */
    int status;                       /* what was noted first, or what ended the call */
    int posted[STRATA_TRAFFIC_KINDS]; /* requests since none was open */
    int pass;                         /* the last one begun */
    int nopen_recv, nopen_blocks;     /* of open_recv, of open_blocks */
    int taped;                        /* steps of the tape that were run, where it stopped */
    int direct_taken;                 /* mates whose direct blocks have been dealt with */
    uint64_t early;      /* bits by distance: those of which they were before all were here */
    bool mate_failed;    /* a member whose signal was awaited, or one before it */
    bool directs_differ; /* ranks disagree about which blocks are direct */
    bool saving;         /* direct blocks that leave have been saved */
    bool left;           /* it was said that this call is left: only who lends stays on */
    size_t pack_used, saved_used;
    size_t kept_used; /* lengths that are kept, or to be, of receives so far */
    size_t taken;     /* bytes of the step, or block, that were taken from a mate */
    bool asking;      /* and the next ones are asked for */
    bool lends; /* somebody may read what I lend, or I what others do: from the plan at first */

    uint64_t use;        /* of pass 0 of this call */
    unsigned char *pack; /* messages under way; reused after each wait */

    /* plans over items */
    uint64_t largest, busiest;          /* of all ranks heard of so far */
    size_t longest_in, longest_out;     /* of this rank's own blocks */
    unsigned char *landing;             /* the node's, or for flat plans part of scratch */
    size_t lane_bytes;                  /* of this plan */
    size_t *landing_used;               /* [lanes] */
    uint32_t *lengths;                  /* [2 * ranks] staged plans: sums over a lane's members */
    struct strata_open_recv *open_recv; /* posted, not yet waited for */
    unsigned char *saved; /* direct blocks that leave, in the order of their distance: in place; and
                             those lent that do not lie in one piece */
    unsigned char *fetched; /* read of a mate's memory, where it is not for its place as it is */
    struct strata_range *listed; /* the pieces of the block that a mate lends */
    struct strata_range *lists;  /* those of what I lend */
    struct strata_late_copy late;

    /* plans over blocks */
    bool one_input, one_output; /* a layout's block 0 is my only one */
    size_t input_pieces;        /* listed for mates; counted with the memory that the call takes */
    struct strata_stack work_stack, input_stack; /* work store; input saved where in place */
    int first_mate;                              /* the first position of my node */
    size_t *shared_at;                           /* [ranks + 1] bytes before each position */
    uint64_t blocks_total;                       /* of the vector, or all blocks, as I have them */
    struct strata_stack slot_stack;              /* a vector in a slot; it has no memory */
    size_t slot_first;                           /* where a slot's blocks begin */
    struct strata_spot *spots;                   /* of a message that is not packed */
    struct strata_open_blocks *open_blocks;      /* received packed, to be unpacked at the wait */
};

#endif
