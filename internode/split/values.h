/* Orders and hashes for usual values, as struct strata_field asks for them. */
#ifndef STRATA_INTERNODE_SPLIT_VALUES_H
#define STRATA_INTERNODE_SPLIT_VALUES_H

#include "internode/split/split.h"

int strata_order_bytes(const void *a, size_t a_size, const void *b, size_t b_size, void *context);
int strata_order_int32(const void *a, size_t a_size, const void *b, size_t b_size, void *context);
int strata_order_int64(const void *a, size_t a_size, const void *b, size_t b_size, void *context);
/* Jenkins' one-at-a-time; each round begins at another byte. */
uint64_t strata_hash_any(const void *bytes, size_t size, unsigned round, void *context);

#endif
