/* The state that the engine keeps of a call from one step to the next. Callers only own the memory
 * (struct strata_execution, core/engine/engine.h). */
#ifndef STRATA_CORE_ENGINE_ENGINE_PROGRESS_H
#define STRATA_CORE_ENGINE_ENGINE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/engine/layout.h"
#include "core/engine/peer_memory.h"
#include "core/engine/transport.h"

/* Blocks side by side in private memory, as long as those of a layout
 * (core/engine/engine_stacks.h). */
struct strata_stack {
    const struct strata_layout *shape; /* the layout that says how long the blocks are */
    const struct strata_type *type; /* type of an element: a byte, or an operand of a reduction */
    int first;                      /* block i is as long as block (first + i) mod count of shape */
    int count;                      /* the number of blocks of the collective */
    bool alike;                     /* all blocks are as long as block `first` of shape */
    const int *number;     /* shape's block at each position; NULL: blocks go by their numbers */
    unsigned char *origin; /* where the first element lies; NULL: there is no such store */
    size_t *at;            /* [blocks + 1] elements before each block; NULL: the shape is regular */
};

/* The bases from which a tape counts addresses. */
enum strata_base {
    STRATA_BASE_INPUT,   /* the call's input */
    STRATA_BASE_OUTPUT,  /* the call's output */
    STRATA_BASE_SLOTS,   /* member 0's slot of the epoch */
    STRATA_BASE_LANDING, /* the landing */
    STRATA_BASE_TABLES,  /* the tape's own copy of my slot's tables */
    STRATA_BASES
};

/* A copy that is deferred until operands are combined into its destination. */
struct strata_deferred_copy {
    const unsigned char *from; /* the bytes to copy; NULL: no copy is deferred */
    unsigned char *into;       /* the destination */
    bool past_cache;           /* the copy is so long that results are not left in the cache */
};

#define STRATA_MOST_EARLY 64 /* bits of strata_engine_progress.early */

struct strata_engine_progress {
    /* Fields that each call begins with at 0. They lie side by side so that this takes few
     * stores. */
    int status;                       /* the error that was noted first, or that ended the call */
    int posted[STRATA_TRAFFIC_KINDS]; /* requests posted since no request was open */
    int pass;                         /* the last pass that has begun */
    int nopen_recv;                   /* entries of open_recv in use */
    int nopen_blocks;                 /* entries of open_blocks in use */
    int taped;                        /* steps of the tape that have run when the tape stops */
    int direct_taken; /* the number of local peers whose direct blocks have been handled */
    /* Bits by distance: local peers whose blocks were read before all members came. */
    uint64_t early;
    bool peer_failed; /* a member whose signal was awaited has failed, or has heard of a failure */
    bool parted; /* ranks of a broadcast have different plans, for their vectors are of different
                    lengths */
    bool directs_differ; /* ranks disagree about which blocks are direct */
    bool saving;         /* direct blocks that leave have been saved */
    bool departed;       /* this rank has said that it has left the call */
    size_t pack_used;    /* bytes of `pack` that hold messages under way */
    size_t saved_used;   /* bytes of `saved` whose blocks have been sent */
    size_t kept_used;    /* kept lengths that belong to the receives so far */
    size_t taken;        /* bytes of the step, or block, that were read from a local peer so far */
    bool asking;         /* a local peer has been asked for the next bytes */
    bool exposes;        /* others may read blocks that I expose, or I read theirs */

    uint64_t epoch;      /* the epoch of the ring that is pass 0 of this call */
    unsigned char *pack; /* messages under way; reused after each wait */

    /* The fields of single copies. */
    unsigned char
        /* A buffer for bytes of a local peer that cannot go straight to their destination. */
        *fetched;
    struct strata_range *listed;          /* the pieces of the block that is read */
    struct strata_range *lists;           /* the pieces of the blocks that I expose */
    struct strata_deferred_copy deferred; /* a copy that is deferred */

    /* The fields of plans over items, and of calls with direct blocks outside the plan. */
    uint64_t largest;       /* bytes of the largest block of all ranks heard of so far */
    uint64_t load;          /* the most of these ranks (core/plan/formats.h) */
    size_t longest_in;      /* bytes of the longest block that this rank receives */
    size_t longest_out;     /* bytes of the longest block that this rank sends */
    uint64_t all_in;        /* bytes of all blocks that this rank receives */
    unsigned char *landing; /* the lanes: in the node memory or, for flat plans, in scratch */
    size_t lane_bytes;      /* bytes of a lane of this plan */
    size_t *landing_used;   /* [lanes] bytes of each lane in use */
    uint32_t *lengths;      /* [2 * ranks] staged plans: sums of words over a lane's members */
    struct strata_open_recv *open_recv; /* receives that are posted, and not yet waited for */
    unsigned char *saved; /* copies of direct blocks that leave, in the order of their distance */

    /* The fields of plans over blocks. */
    bool one_input;      /* block 0 of the input is my only one */
    bool one_output;     /* block 0 of the output is my only one */
    size_t input_pieces; /* pieces of the input that are listed for local peers (single_copy.h) */
    struct strata_stack work_stack;  /* the work store */
    struct strata_stack input_stack; /* a copy of the input, where it is saved */
    struct strata_stack slot_stack;  /* the blocks of a slot; the stack has no memory of its own */
    size_t slot_first;               /* where the blocks begin in a slot */
    int first_peer;                  /* the first position of my node */
    size_t *shared_at;     /* [ranks + 1] bytes before each position's block in the shared store */
    uint64_t blocks_total; /* bytes of the vector, or of all blocks, as this rank has them */
    struct strata_span *spans;              /* the spans of a message that is not packed */
    struct strata_open_blocks *open_blocks; /* messages that are unpacked at the wait */
};

#endif
