/* Memory that several processes share, each at its own address, divided into pieces. No MPI here.
 *
 * Everything is named by its offset from the head. Free pieces form a list in order of their
 * offsets; a piece is the first free one that is large enough, and neighbours that are free are
 * joined. Each piece begins with a line that describes it. */
#ifndef STRATA_INTRANODE_PIECES_H
#define STRATA_INTRANODE_PIECES_H

#include <stddef.h>
#include <stdint.h>

#define STRATA_PIECE_LINE 128 /* every piece is aligned to it, and so must the head be */

struct strata_pieces; /* the head */

/* Bytes of the memory from which one piece of `bytes` can be taken. */
size_t strata_pieces_bytes(size_t bytes);
/* One process makes strata_pieces_bytes(bytes) at head usable, before any other looks at it.
 * STRATA_ERR_CAPACITY when the system does not back them with memory. */
int strata_pieces_init(struct strata_pieces *head, size_t bytes);

/* From any process or thread; see intranode/arena.h. The memory of a piece is backed by the system
 * when take returns it: touching it is no SIGBUS. */
int strata_pieces_take(struct strata_pieces *head, size_t bytes, size_t zeroed, int users,
                       uint64_t *offset);
void strata_pieces_drop(struct strata_pieces *head, uint64_t offset);
size_t strata_pieces_room(struct strata_pieces *head);

#endif
