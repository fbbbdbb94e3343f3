#include "api/process/explained.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"

enum { KEPT = 16 }; /* freed communicators that keep a record of their own */

struct strata_explained_communicator *strata_explained_add(struct strata_explain *all)
{
    struct strata_explained_communicator *new = strata_allocate(1, sizeof *new);
    if (new) {
        new->count = 1;
        new->link = all->end ? all->end : &all->communicators;
        *new->link = new;
        all->end = &new->next;
    }
    return new;
}

static void take_out(struct strata_explain *all, struct strata_explained_communicator *k)
{
    *k->link = k->next;
    if (k->next) {
        k->next->link = k->link;
    } else {
        all->end = k->link;
    }
}

/* The record for freed communicators of as many ranks, rounded up to a power of two. */
static struct strata_explained_communicator *shared_of(struct strata_explain *all, int ranks)
{
    int power = ranks > 1 ? STRATA_EXPLAINED_SIZES - __builtin_clz((unsigned)ranks - 1) : 0;
    struct strata_explained_communicator **shared = &all->freed[power];
    if (!*shared && (*shared = strata_explained_add(all))) {
        (*shared)->count = 0;
        snprintf((*shared)->name, sizeof(*shared)->name, "freed");
    }
    return *shared;
}

static void keep_larger(struct strata_explained_communicator *into,
                        const struct strata_explained_communicator *k)
{
    into->ranks = k->ranks > into->ranks ? k->ranks : into->ranks;
    into->nodes = k->nodes > into->nodes ? k->nodes : into->nodes;
    if (k->here > into->here) {
        into->here = k->here;
        into->cpus = k->cpus;
    }
    if (k->node_bytes > into->node_bytes) {
        into->node_bytes = k->node_bytes;
    }
    if (k->scratch_bytes > into->scratch_bytes) {
        into->scratch_bytes = k->scratch_bytes;
    }
}

static bool alike(const struct strata_explained *a, const struct strata_explained *b)
{
    return a->collective == b->collective && a->form == b->form && a->bucket == b->bucket &&
           a->chosen == b->chosen && a->crowded == b->crowded && a->roomless == b->roomless &&
           strcmp(a->algorithm, b->algorithm) == 0 && (a->chosen || strcmp(a->why, b->why) == 0);
}

static void add(struct strata_explained *sum, const struct strata_explained *e)
{
    sum->calls += e->calls;
    sum->seconds += e->seconds;
    strata_explained_add_later(&sum->later, &e->later);
    sum->waiting += e->waiting;
    sum->passes = e->passes > sum->passes ? e->passes : sum->passes;
    sum->count.messages += e->count.messages;
    sum->count.messages_node += e->count.messages_node;
    sum->count.bytes += e->count.bytes;
    sum->count.bytes_node += e->count.bytes_node;
    sum->count.copied += e->count.copied;
}

void strata_explained_merge(struct strata_explained_communicator *into, struct strata_explained *e)
{
    struct strata_explained **link = &into->calls;
    while (*link && !alike(*link, e)) {
        link = &(*link)->next;
    }
    if (*link) {
        add(*link, e);
        strata_release(e);
    } else {
        e->next = NULL;
        *link = e;
    }
}

void strata_explained_free(struct strata_explain *all, struct strata_explained_communicator *freed)
{
    struct strata_explained_communicator *into =
        all->kept < KEPT ? NULL : shared_of(all, freed->ranks);
    if (!into) {
        all->kept++;
        return;
    }
    keep_larger(into, freed);
    into->count++;
    while (freed->calls) {
        struct strata_explained *e = freed->calls;
        freed->calls = e->next;
        strata_explained_merge(into, e);
    }
    take_out(all, freed);
    strata_release(freed);
}

static void release(struct strata_explained_communicator *communicator)
{
    while (communicator->calls) {
        struct strata_explained *next = communicator->calls->next;
        strata_release(communicator->calls);
        communicator->calls = next;
    }
    strata_release(communicator);
}

void strata_explained_release(struct strata_explain *all)
{
    while (all->communicators) {
        struct strata_explained_communicator *next = all->communicators->next;
        release(all->communicators);
        all->communicators = next;
    }
    *all = (struct strata_explain){.on = false};
}
