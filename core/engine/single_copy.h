/* Single copy: a member of a node exposes blocks that lie in its own memory, and its local peers
 * read them from there, in one copy. The rest of the engine knows no more of it than this header
 * says.
 *
 * Plans over blocks say which stores a member exposes (strata_blocks.lends), and their steps read
 * them. Of other plans, and of gatherv and scatterv, members expose direct blocks: a plan says that
 * they do (strata_exchange.lends), and each call finds which blocks these are. */
#ifndef STRATA_CORE_ENGINE_SINGLE_COPY_H
#define STRATA_CORE_ENGINE_SINGLE_COPY_H

#include "core/engine/engine.h"

/* Scratch, of plans that expose stores. Pieces of the input that are listed for local peers;
 * SIZE_MAX: they could not read some of its blocks as they lie. Counted when the memory is found
 * that the call takes. */
size_t strata_exposed_pieces(const struct strata_execution *x);
/* Bytes of scratch that reading and so many pieces need; divides them off, and returns what comes
 * behind them. */
size_t strata_exposing_bytes(size_t pieces);
unsigned char *strata_take_exposing(struct strata_execution *x, size_t pieces, unsigned char *at);

/* Scratch, of calls that may have direct blocks. Whether this one has some for or from local peers,
 * which are exposed; whether one that leaves is saved before: what comes may lie over it, or a
 * local peer could not read it as it lies; */
bool strata_direct_lent(const struct strata_execution *x);
bool strata_is_saved(const struct strata_execution *x, int rank);
/* bytes of scratch that exposing and reading them needs, but for those that are saved; divides them
 * off, and returns what comes behind them: where these go. */
size_t strata_direct_room(const struct strata_execution *x);
unsigned char *strata_take_direct_room(struct strata_execution *x, unsigned char *at);

/* Says where what I expose lies, before my first signal of an epoch. */
void strata_lend(struct strata_execution *x);
/* A step that copies or combines what local peers expose. */
int strata_fetch(struct strata_execution *x, const struct strata_step *step);
/* Reads the direct blocks that local peers expose; of plans over items also while others are
 * awaited, from those that are here: STRATA_PENDING, or an error. */
int strata_take_direct(struct strata_execution *x);
int strata_take_early(struct strata_execution *x);
/* Copies what local peers ask of me, where the system does not let them read my memory. */
void strata_answer(struct strata_execution *x);
/* Whether all have read the direct blocks that I expose: STRATA_OK or STRATA_PENDING. */
int strata_direct_taken(struct strata_execution *x);

#endif
