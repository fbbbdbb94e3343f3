/* Helpers for all parts of the engine. */
#ifndef STRATA_CORE_ENGINE_ENGINE_COMMON_H
#define STRATA_CORE_ENGINE_ENGINE_COMMON_H

#include "core/engine/engine.h"

/* Notes the first error of the call. The call goes on, so that no rank waits for this one in
 * vain. */
void strata_record_error(struct strata_execution *x, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether the call goes on: after the error that was noted, if any, the ranks are still in step. */
static inline bool strata_in_step(const struct strata_execution *x)
{
    int status = x->progress.status;
    return status == STRATA_OK || status == STRATA_ERR_TRUNCATE || status == STRATA_ERR_ARGUMENT;
}

/* Notes why the execution is pending (core/engine/engine.h). */
static inline void strata_pend(struct strata_execution *x, int member, const _Atomic uint64_t *at,
                               uint64_t stamp, const _Atomic uint64_t *zero)
{
    x->pending_member = member;
    x->pending_at = at;
    x->pending_stamp = stamp;
    x->pending_zero = zero;
}

/* The epoch of the call's current pass in its ring. */
static inline uint64_t strata_pass_epoch(const struct strata_execution *x)
{
    return x->progress.epoch + (uint64_t)x->cursor.pass;
}

static inline int strata_my_node(const struct strata_execution *x)
{
    return x->plan->topology->node_of[x->plan->rank];
}

/* Counts a message that leaves. */
void strata_count_message(struct strata_execution *x, int peer, size_t bytes);

/* Notes a piece of work of so many bytes, where a team that a call opens would share it. */
static inline void strata_note_sharable(struct strata_execution *x, size_t bytes)
{
    x->shared.sharable += x->workers && bytes >= x->workers->team_bytes ? bytes : 0;
}

/* Whether so many bytes are enough for several threads. */
static inline bool strata_is_sharable(const struct strata_execution *x, size_t bytes)
{
    return x->workers && bytes >= x->workers->least_bytes;
}

/* Runs body on the threads that share so many bytes; where there are none, in this thread, in one
 * chunk. */
void strata_share(struct strata_execution *x, size_t bytes, strata_chunk_body *body,
                  void *argument);
/* The body of a copy. */
struct strata_copying_bytes {
    unsigned char *to;
    const unsigned char *from;
    size_t bytes;
};
void strata_copy_chunk(void *argument, int chunk, int chunks);
/* Copies bytes so. */
void strata_share_copy(struct strata_execution *x, unsigned char *to, const unsigned char *from,
                       size_t bytes);
/* The same as strata_share where the step is a workshare; otherwise in this thread. */
void strata_workshare(struct strata_execution *x, const struct strata_step *step, size_t bytes,
                      strata_chunk_body *body, void *argument);

/* The first of `places` that belongs to a chunk. Chunk number `chunks` begins behind the last
 * place. */
static inline int64_t strata_chunk_begin(int64_t places, int chunk, int chunks)
{
    return chunks == 1 ? places * chunk : places * chunk / chunks;
}

static inline size_t strata_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

#endif
