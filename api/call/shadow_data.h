/* The data that a rank receives in a call and its shadow: packed block by block, to be copied and
 * compared. */
#ifndef STRATA_API_CALL_SHADOW_DATA_H
#define STRATA_API_CALL_SHADOW_DATA_H

#include "api/call/signature.h"

struct strata_shadow_data {
    const struct strata_signature *signature;
    int blocks;      /* blocks in the receive buffer; 0: this rank receives nothing */
    size_t *at;      /* where each packed block begins, and the end of the last */
    size_t compared; /* bytes of them that the call defines */
    char *before, *ours, *theirs;
    char *first;                   /* first byte of the memory that the blocks span */
    size_t span;                   /* bytes of that memory; 0: it is not compared */
    char *span_before, *span_ours; /* copies of that memory: before the plan ran; the one that
                                      the plan receives into */
};

/* False: there is no memory, MPI cannot pack so many bytes, or only plans combine such elements.
 * strata_shadow_data_fini in either case. */
bool strata_shadow_data_init(struct strata_shadow_data *data,
                             const struct strata_signature *signature);
void strata_shadow_data_fini(struct strata_shadow_data *data);

/* Copies the span, if it can be read; otherwise it is not compared. Returns the address of the
 * receive buffer in a second copy, which no other code writes to, or, without a copy, the buffer
 * itself. */
void *strata_shadow_guard(struct strata_shadow_data *data);
/* Packs a side's blocks, one behind another. */
void strata_shadow_pack_side(const struct strata_signature *signature,
                             const struct strata_side *side, unsigned char *copy);
/* Copy the receive buffer's blocks to a packed copy, and back. */
void strata_shadow_pack(const struct strata_shadow_data *data, char *copy);
void strata_shadow_unpack(const struct strata_shadow_data *data, char *copy);

/* Finds the block and the element of a packed byte; returns the element's bytes. */
size_t strata_shadow_element(const struct strata_shadow_data *data, size_t byte, int *block,
                             size_t *element);
/* The first byte of the span that the plan wrote outside all blocks; NULL: none. */
const char *strata_shadow_stray(const struct strata_shadow_data *data);

#endif
