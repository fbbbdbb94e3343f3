/* Runs a plan on real buffers. The same code runs blocking calls, virtual ranks and, later,
 * nonblocking and persistent ones: strata_engine_advance goes as far as it can and says why it
 * stopped; who waits, and how, is the caller's business (intranode/wait, sim/virtual/virtual). */
#ifndef STRATA_CORE_ENGINE_ENGINE_H
#define STRATA_CORE_ENGINE_ENGINE_H

#include "core/engine/layout.h"
#include "core/engine/node_memory.h"
#include "core/engine/operator.h"
#include "core/plan/plan.h"

/* Two kinds of messages, told apart on the wire and waited for apart. */
enum strata_traffic { STRATA_LANE_TRAFFIC, STRATA_DIRECT_TRAFFIC, STRATA_TRAFFIC_KINDS };

/* How messages move. Order between two ranks is kept for each kind. Functions return STRATA_OK or
 * an error; buffers stay valid and unwritten until the request is complete. */
struct strata_transport {
    /* Makes room for that many open requests of each kind; called before a call's first message. */
    int (*reserve)(void *self, int lane_requests, int direct_requests);
    int (*recv)(void *self, int peer, void *buffer, size_t capacity);
    int (*send)(void *self, int peer, const void *buffer, size_t bytes);
    /* Lane traffic that must bring `bytes` bytes, no fewer. */
    int (*recv_exactly)(void *self, int peer, void *buffer, size_t bytes);
    /* The same from or to several places, without a copy; NULL: this transport cannot. */
    int (*recv_spots)(void *self, int peer, const struct strata_spot *spots, int nspots);
    int (*send_spots)(void *self, int peer, const struct strata_spot *spots, int nspots);
    /* A whole block in the caller's own layout, as direct traffic. */
    int (*recv_block)(void *self, int peer, const struct strata_layout *layout, int block);
    int (*send_block)(void *self, int peer, const struct strata_layout *layout, int block);
    /* Moves things on; *open = requests of that kind not complete. */
    int (*test)(void *self, enum strata_traffic kind, int *open);
    /* After an error: withdraws open receives, lets open sends complete. */
    void (*abandon)(void *self);
};

/* Runs body(argument, chunk, chunks) for every chunk; a NULL run means one chunk, in place. */
struct strata_team {
    int threads;
    size_t least_bytes; /* a step that copies less is not shared */
    void (*run)(void (*body)(void *argument, int chunk, int chunks), void *argument, int chunks);
};

/* The figure that all ranks of a call agree on when it is over (plans with lane messages or a
 * staged node; others leave `known` false). Maxima over all ranks. */
struct strata_agreed {
    bool known;
    uint64_t largest; /* bytes of the largest block sent */
    uint64_t busiest; /* bytes that the busiest rank sent */
};

/* What a call did on this rank. */
struct strata_traffic_count {
    uint64_t messages, messages_node; /* sent to other nodes and inside the node */
    uint64_t bytes, bytes_node;
    uint64_t copied; /* bytes that went through a copy on this rank */
};

#define STRATA_PENDING (-1) /* strata_engine_advance: something must happen first */

/* Blocks side by side in private memory, as long as those of a layout (core/engine/engine_stores.c). */
struct strata_stack {
    const struct strata_layout *shape;
    const struct strata_type *type; /* of its elements: bytes, or operands of a reduction */
    int first, count;               /* block i is as long as block (first + i) mod count of shape */
    unsigned char *origin;          /* of the first element; NULL: there is no such store */
    size_t *at;                     /* [blocks + 1] elements before each; NULL: a closed form */
};

struct strata_execution {
    /* set by the caller before strata_engine_start */
    const struct strata_plan *plan;
    const struct strata_topology *nodes; /* the communicator's, to tell traffic inside a node */
    struct strata_layout input, output;
    bool in_place;                     /* input and output are the same memory */
    struct strata_node_memory *memory; /* NULL for plans that are not staged */
    const struct strata_transport *transport;
    void *transport_self;
    const struct strata_team *team; /* may be NULL */
    unsigned char *scratch;         /* strata_engine_scratch bytes, 16-byte aligned */
    size_t fixed_scratch;           /* strata_engine_fixed_scratch of this plan */
    bool check;                     /* items carry the length of every block */
    /* Plans over blocks: what a block of the work store is, without base and displs (its type must
     * be contiguous, or that of a reduction's operands), and how operands are combined. */
    struct strata_layout work;
    const struct strata_operator *op;

    /* results */
    struct strata_agreed agreed;
    struct strata_traffic_count count;
    struct strata_diagnostic message; /* of the first error */
    bool abandoned;                   /* messages were withdrawn: the ranks are out of step */

    /* why advance returned STRATA_PENDING: a member's flag (member >= 0), else messages */
    int pending_member;
    uint64_t pending_value;

    /* private */
    struct strata_cursor cursor;
    int status;                       /* first error of the call */
    uint64_t epoch;                   /* of pass 0 of this call */
    uint64_t largest, busiest;        /* of all ranks heard of so far */
    size_t longest_in, longest_out;   /* of this rank's own blocks */
    int posted[STRATA_TRAFFIC_KINDS]; /* requests since none was open */
    unsigned char *landing;           /* the node's, or for flat plans part of scratch */
    unsigned char *pack;              /* messages under way; reused after each wait */
    size_t pack_used;
    unsigned char *saved; /* in place: direct blocks that leave, in the order of their distance */
    size_t saved_used;
    bool saving;                        /* they have been saved */
    size_t lane_bytes;                  /* of this plan */
    uint32_t *lengths;                  /* [2 * ranks] staged plans: sums over a lane's members */
    size_t *landing_used;               /* [lanes] */
    struct strata_open_recv *open_recv; /* posted, not yet waited for */
    int nopen_recv;
    bool one_input, one_output; /* plans over blocks: a layout's block 0 is my only one */
    struct strata_stack work_stack, input_stack; /* work store; input saved where in place */
    size_t *shared_at;                           /* [ranks + 1] bytes before each position */
    struct strata_spot *spots;                   /* of a message that is not packed */
    struct strata_open_blocks *open_blocks;      /* received packed, to be unpacked at the wait */
    int nopen_blocks;
};

/* Where the block of a shared store begins in its member's slot. */
#define STRATA_SHARED_HEAD 64

/* What a plan with a shared store needs of a node for blocks as long as those of `work`: of each
 * member's slot, and of the landing. */
void strata_engine_shared_need(const struct strata_plan *plan, const struct strata_layout *work,
                               size_t *slot, size_t *landing);

/* Private memory that a call of a plan over blocks needs: work store, bookkeeping, packed messages. */
size_t strata_engine_block_scratch(const struct strata_execution *x);

/* Private memory that any call of the plan needs; walks the plan, so keep the figure with it. */
size_t strata_engine_fixed_scratch(const struct strata_plan *plan, bool check);
/* What a call needs on top when it is in place: its direct blocks are saved before they leave. */
size_t strata_engine_saved_bytes(const struct strata_plan *plan, const struct strata_layout *input);
/* Both together: what scratch must hold. */
size_t strata_engine_scratch(const struct strata_plan *plan, const struct strata_layout *input,
                             bool in_place, bool check);

/* Bytes of one lane in the landing store (table and messages at their worst size). */
size_t strata_lane_bytes(const struct strata_plan *plan, bool check);
/* The same, and a slot, from the figures alone: hier/capacity solves them for the slice. `blocks` is
 * the most that an item holds: ranks of the largest node x destinations of a lane on a node. */
size_t strata_lane_bytes_at(int nodes, int blocks, int64_t items, int64_t messages, size_t slice,
                            bool check);
size_t strata_slot_bytes_at(int ranks, int nodes, int lanes, size_t slice);

/* No allocation from here on, but in the transport's reserve. After an error the node's other members
 * have been told, and advance must not be called. */
int strata_engine_start(struct strata_execution *x);
/* Instead of start, by a rank that lacks what it needs, such as scratch: the node's other members are
 * told. Returns the error; the ranks are out of step. */
int strata_engine_decline(struct strata_execution *x, int error);
/* STRATA_OK when the call is complete, STRATA_PENDING, or an error (after which the transport is
 * clean and the node's other members have been told). */
int strata_engine_advance(struct strata_execution *x);

#endif
