/* Mailboxes of virtual ranks, in one process's memory. Private to sim/ and its tests. A send meets
 * a receive of the same source, destination, kind and call, in the order in which both were posted.
 * From then on the message is under way; its bytes arrive at the next delivery to the receiver.
 * Messages of different sources may arrive in any order. As with MPI, a request stays open until
 * its owner's test finds it complete. */
#ifndef STRATA_SIM_VIRTUAL_MAILBOXES_H
#define STRATA_SIM_VIRTUAL_MAILBOXES_H

#include <stdint.h>

#include "core/engine/transport.h"

/* A send or a receive. */
struct strata_post {
    struct strata_post *next;
    struct strata_post *send; /* of a receive: the send that it met */
    int source, destination;
    enum strata_traffic kind;
    unsigned call; /* number of the call among its owner's */
    bool typed;    /* the bytes lie in `layout` (its block 0), otherwise at `plain` or `data` */
    struct strata_layout layout;
    unsigned char *plain;      /* of a receive */
    const unsigned char *data; /* of a send */
    struct strata_span *spans; /* if not NULL: the bytes lie there */
    int nspots;
    size_t bytes;         /* of a send: length; of a receive: capacity */
    bool exact;           /* a receive that must bring that many bytes, no fewer */
    bool is_void;         /* of a send: it has none of the bytes that its receiver expects */
    unsigned char *owned; /* of a send that was complete at once: the copy of its bytes */
};

struct strata_post_queue {
    struct strata_post *head, **tail;
};

/* The sends from one rank to another that met no receive yet, and the receives that met no send. */
struct strata_mail_pair {
    struct strata_post_queue sends, recvs;
};

/* One rank's mailbox, which is the transport's self. */
struct strata_mailbox {
    struct strata_mailboxes *all;
    int rank;
    struct strata_post_queue arriving; /* receives that have met their send */
    int open[STRATA_TRAFFIC_KINDS];    /* requests that test has not found complete */
    int complete[STRATA_TRAFFIC_KINDS];
    int room[STRATA_TRAFFIC_KINDS];   /* reserved */
    unsigned call;                    /* calls so far */
    int error;                        /* of this call's receives; test returns it */
    struct strata_diagnostic message; /* of the first error, or of a post that failed */
};

struct strata_mailboxes {
    int ranks;
    bool rendezvous; /* a send reads its bytes when they arrive, otherwise when it is posted */
    bool late;       /* the seed draws whether a message under way arrives at a delivery */
    uint64_t coin;
    uint64_t events;                /* grows when a request is posted or completes */
    struct strata_mailbox *boxes;   /* [ranks] */
    struct strata_mail_pair *pairs; /* [source][destination][kind] */
};

int strata_mailboxes_create(int ranks, bool rendezvous, bool late, unsigned seed,
                            struct strata_mailboxes **mailboxes);
void strata_mailboxes_destroy(struct strata_mailboxes *m); /* accepts NULL */
/* Forgets all messages and requests. */
void strata_mailboxes_clear(struct strata_mailboxes *m);

/* Lets all messages under way arrive; returns their number. */
int strata_mailboxes_flush(struct strata_mailboxes *m);
/* A message that no receive has met, or NULL. */
const struct strata_post *strata_mailboxes_unmet(const struct strata_mailboxes *m);

/* Hands a send or a receive over to its pair, and from there to delivery. The mailboxes free it. */
void strata_mailbox_post_send(struct strata_mailbox *box, struct strata_post *send);
void strata_mailbox_post_recv(struct strata_mailbox *box, struct strata_post *recv);
/* Copies a send's bytes, so that it is complete at once. */
int strata_mailbox_make_eager(struct strata_mailbox *box, struct strata_post *send);
/* The progress that one rank makes while it waits for a flag. */
void strata_mailbox_deliver(struct strata_mailbox *box);
/* The rank's requests of both kinds that it has not found complete. */
int strata_mailbox_open(const struct strata_mailbox *box);
/* When all direct messages have been sent: removes those that the rank does not receive, and
 * withdraws its receives that no message meets. */
void strata_mailbox_settle(struct strata_mailbox *box);
/* Withdraws the rank's receives and completes its sends; messages for it stay. */
void strata_mailbox_abandon(struct strata_mailbox *box);

#endif
