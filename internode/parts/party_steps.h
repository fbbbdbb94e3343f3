/* What rounds that are written for a party are made of: ranges of members, their messages, and
 * loops that stay short where the party's sets can be stepped through. */
#ifndef STRATA_INTERNODE_PARTS_PARTY_STEPS_H
#define STRATA_INTERNODE_PARTS_PARTY_STEPS_H

#include "core/plan/party.h"

/* Members first .. first+count-1; numbers wrap around. */
struct strata_box strata_party_range(const struct strata_party *party, int64_t first, int count);

/* A message for `member` (numbers wrap), or from it, of what these members contribute. In iteration
 * i of a loop they are i * shift members further on. */
void strata_party_send(const struct strata_party *party, struct strata_builder *b, int64_t member,
                       struct strata_box members, int shift);
void strata_party_recv(const struct strata_party *party, struct strata_builder *b, int64_t member,
                       struct strata_box members, int shift);

/* Opens a loop of `times` iterations: a repeat, or where the party has no stride its iterations one
 * by one. Returns how often the caller must append the body, iteration i with its members already i
 * * shift further on (1, or `times`). */
int strata_party_loop(const struct strata_party *party, struct strata_builder *b, int times);
void strata_party_loop_end(const struct strata_party *party, struct strata_builder *b, int times);

/* The least x with radix^x >= size. */
int strata_log_rounds(int size, int radix);

#endif
