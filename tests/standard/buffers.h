/* The two buffers of all cases. */
#ifndef STRATA_TESTS_STANDARD_BUFFERS_H
#define STRATA_TESTS_STANDARD_BUFFERS_H

#include "standard.h"

/* Room on both sides of a call's data, for datatypes with negative bounds. */
enum { ROOM = 1 << 22, SMALL_ROOM = 1 << 17, BEGIN = 1 << 14 };
extern char sent_room[ROOM], taken_room[ROOM];

/* Blocks of count, count + 1 and count + 2 elements in turn; for alltoallv from one rank to
 * another. */
int varied(const struct call *call, int count, int from, int to);

#endif
