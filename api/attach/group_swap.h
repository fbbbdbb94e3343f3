/* Messages between two ranks of a group that is being made. */
#ifndef STRATA_API_ATTACH_GROUP_SWAP_H
#define STRATA_API_ATTACH_GROUP_SWAP_H

struct strata_group;

/* Sends `bytes` to the peer and receives as many. The peer calls this, too. Returns MPI's error, or
 * MPI_ERR_OTHER where the peer is out of step or has not come for ten seconds. After an error the
 * group is broken, and MPI may still use both buffers and the group's communicator. So the caller
 * frees neither, and no message that is late is another's. */
int strata_group_swap(struct strata_group *group, int peer, const void *mine, void *theirs,
                      int bytes);

#endif
