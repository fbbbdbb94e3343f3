/* Single copy: a member of a node exposes blocks that lie in its own memory, and its local peers
 * read them there, in one copy. This header is all that the rest of the engine knows of it.
 *
 * A plan over blocks says which stores a member exposes (strata_blocks.exposes), and its steps read
 * them. In other plans, and in gatherv and scatterv, members expose direct blocks: the plan says
 * that they do (strata_exchange.exposes), and each call finds which blocks these are. */
#ifndef STRATA_CORE_ENGINE_SINGLE_COPY_H
#define STRATA_CORE_ENGINE_SINGLE_COPY_H

#include "core/engine/engine.h"

/* The scratch of plans that expose stores.
 *
 * The number of pieces of the input that are listed for local peers. SIZE_MAX: they could not read
 * some of its blocks as they lie, so the input is saved. */
size_t strata_exposed_pieces(const struct strata_execution *x);
/* Bytes that reading, and lists of `pieces` pieces, need. */
size_t strata_exposing_bytes(size_t pieces);
/* Takes these bytes from scratch at `at`, and returns the place behind them. */
unsigned char *strata_take_exposing(struct strata_execution *x, size_t pieces, unsigned char *at);

/* The scratch of calls that may have direct blocks.
 *
 * Whether this call has direct blocks for or from local peers, which expose them. */
bool strata_direct_exposed(const struct strata_execution *x);
/* Whether the direct block for `rank` is saved before it leaves, because incoming data may lie over
 * it, or because a local peer could not read it as it lies. */
bool strata_is_saved(const struct strata_execution *x, int rank);
/* Bytes that exposing and reading direct blocks needs, without the saved blocks. */
size_t strata_direct_room(const struct strata_execution *x);
/* Takes these bytes from scratch at `at`, and returns the place behind them, where saved blocks
 * go. */
unsigned char *strata_take_direct_space(struct strata_execution *x, unsigned char *at);

/* A call. Functions return STRATA_OK, STRATA_PENDING or an error.
 *
 * Says where the blocks lie that I expose, before my first signal of an epoch. */
void strata_expose(struct strata_execution *x);
/* Runs a step that copies or combines blocks that local peers expose. */
int strata_fetch(struct strata_execution *x, const struct strata_step *step);
/* Reads the direct blocks of local peers that have not been read yet. */
int strata_take_direct(struct strata_execution *x);
/* Reads direct blocks of members that are here, while others are awaited. Never returns
 * STRATA_OK. */
int strata_take_early(struct strata_execution *x);
/* Copies the bytes that local peers ask of this rank, where the system does not let them read its
 * memory. */
void strata_answer(struct strata_execution *x);
/* Pending until all members have read the direct blocks that I expose. */
int strata_direct_taken(struct strata_execution *x);

#endif
