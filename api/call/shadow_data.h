/* What a rank receives, as the shadow of a call copies and compares it: packed, block by block. */
#ifndef STRATA_API_CALL_SHADOW_DATA_H
#define STRATA_API_CALL_SHADOW_DATA_H

#include "api/call/signature.h"

struct strata_shadow_data {
    const struct strata_signature *signature;
    int blocks;      /* in the receive buffer; 0: nothing is received */
    size_t *at;      /* where each begins, and the end */
    size_t compared; /* bytes of them that the call defines */
    char *before, *ours, *theirs;
    char *first;                   /* first byte of the memory that the blocks span */
    size_t span;                   /* bytes of that memory; 0: it is not compared */
    char *span_before, *span_ours; /* before the plan, and what it received into */
};

/* False: without the memory, of more bytes than MPI packs, or of elements that only plans reduce.
 * Ends with strata_shadow_data_fini in either case. */
bool strata_shadow_data_init(struct strata_shadow_data *data,
                             const struct strata_signature *signature);
void strata_shadow_data_fini(struct strata_shadow_data *data);

/* Copies the span, as far as it can be read: else it is not looked at. Returns where the receive
 * buffer is in a second copy, which nobody else knows; where there is none, the buffer itself. */
void *strata_shadow_guard(struct strata_shadow_data *data);
/* A side's blocks, one behind another. */
void strata_shadow_pack_side(const struct strata_signature *signature,
                             const struct strata_side *side, unsigned char *copy);
/* Between the receive buffer and a copy of it. */
void strata_shadow_pack(const struct strata_shadow_data *data, char *copy);
void strata_shadow_unpack(const struct strata_shadow_data *data, char *copy);

/* The block of a packed byte, and its element there; returns the element's bytes. */
size_t strata_shadow_element(const struct strata_shadow_data *data, size_t byte, int *block,
                             size_t *element);
/* The first byte of the span that the plan wrote, though no block covers it; NULL: none. */
const char *strata_shadow_stray(const struct strata_shadow_data *data);

#endif
