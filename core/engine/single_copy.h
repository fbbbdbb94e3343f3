/* Single copy: a member of a node exposes blocks that lie in its own memory, and its local peers
 * read them from there, in one copy. The rest of the engine knows no more of it than this header
 * says.
 *
 * Plans over blocks say which stores a member exposes (strata_blocks.exposes), and their steps read
 * them. Of other plans, and of gatherv and scatterv, members expose direct blocks: a plan says that
 * they do (strata_exchange.exposes), and each call finds which blocks these are. */
#ifndef STRATA_CORE_ENGINE_SINGLE_COPY_H
#define STRATA_CORE_ENGINE_SINGLE_COPY_H

#include "core/engine/engine.h"

/* The scratch of plans that expose stores.
 *
 * The number of pieces of the input that are listed for local peers. SIZE_MAX: they could not read
 * some of its blocks as they lie, so the input is saved. */
size_t strata_exposed_pieces(const struct strata_execution *x);
/* Bytes that reading, and lists of so many pieces, need. */
size_t strata_exposing_bytes(size_t pieces);
/* Divides them off at `at`, and returns what comes behind them. */
unsigned char *strata_take_exposing(struct strata_execution *x, size_t pieces, unsigned char *at);

/* The scratch of calls that may have direct blocks.
 *
 * Whether this call has some for or from local peers, which expose them. */
bool strata_direct_exposed(const struct strata_execution *x);
/* Whether the direct block for that rank is saved before it leaves: what comes may lie over it, or
 * a local peer could not read it as it lies. */
bool strata_is_saved(const struct strata_execution *x, int rank);
/* Bytes that exposing and reading direct blocks needs, without those for saved ones. */
size_t strata_direct_room(const struct strata_execution *x);
/* Divides them off at `at`, and returns what comes behind them: where saved blocks go. */
unsigned char *strata_take_direct_space(struct strata_execution *x, unsigned char *at);

/* A call. Functions return STRATA_OK, STRATA_PENDING or an error.
 *
 * Says where the blocks lie that I expose, before my first signal of an epoch. */
void strata_expose(struct strata_execution *x);
/* Runs a step that copies or combines blocks that local peers expose. */
int strata_fetch(struct strata_execution *x, const struct strata_step *step);
/* Reads those direct blocks of local peers that have not been read yet. */
int strata_take_direct(struct strata_execution *x);
/* Reads those of members that are here, while others are awaited. Never returns STRATA_OK. */
int strata_take_early(struct strata_execution *x);
/* Copies the bytes that local peers ask of me, where the system does not let them read my
 * memory. */
void strata_answer(struct strata_execution *x);
/* Pending until all members have read the direct blocks that I expose. */
int strata_direct_taken(struct strata_execution *x);

#endif
