/* A program's communication without its computation: exchanges with the program's counts, Strata's
 * and MPI's in turn on the same buffers, checked once and then timed. */
#ifndef STRATA_BENCH_TRAFFIC_H
#define STRATA_BENCH_TRAFFIC_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bench/measure.h"
#include "strata.h"

#define TRAFFIC_BATCHES 101

/* One exchange: an alltoallv, or an alltoall of equal counts. */
struct traffic {
    const char *name;
    MPI_Comm comm;
    int rank, ranks;
    MPI_Datatype type;
    int *send, *sdispls, *recv, *rdispls; /* [ranks] in elements of the type */
    int equal;                            /* the elements of every block; 0: alltoallv */
    unsigned char *out, *in;
    bool ours;
};

struct traffic_options {
    int batches;
    double seconds; /* about the length of a batch */
};

static inline void traffic_call(const void *traffic)
{
    const struct traffic *t = traffic;
    if (t->equal) {
        (t->ours ? strata_alltoall : PMPI_Alltoall)(t->out, t->equal, t->type, t->in, t->equal,
                                                    t->type, t->comm);
    } else {
        (t->ours ? strata_alltoallv : PMPI_Alltoallv)(t->out, t->send, t->sdispls, t->type, t->in,
                                                      t->recv, t->rdispls, t->type, t->comm);
    }
}

/* Sets all counts to zero, for the caller to fill in before traffic_open. */
static inline void traffic_init(struct traffic *t, const char *name, MPI_Comm comm,
                                MPI_Datatype type)
{
    *t = (struct traffic){.name = name, .comm = comm, .type = type};
    MPI_Comm_rank(comm, &t->rank);
    MPI_Comm_size(comm, &t->ranks);
    t->send = measure_need(4 * (size_t)t->ranks * sizeof(int));
    t->sdispls = t->send + t->ranks;
    t->recv = t->sdispls + t->ranks;
    t->rdispls = t->recv + t->ranks;
}

static inline size_t traffic_place(const struct traffic *t, const int *counts, int *displs)
{
    size_t elements = 0;
    int size;
    for (int r = 0; r < t->ranks; r++) {
        displs[r] = (int)elements;
        elements += (size_t)counts[r];
    }
    MPI_Type_size(t->type, &size);
    return elements * (size_t)size;
}

/* A byte that depends on its sender, its receiver and its place in the block. It is the top of a
 * sum of multiples of large odd numbers, so that no small step of ranks or places gives the same
 * byte throughout. */
static inline unsigned char traffic_byte(int from, int to, size_t i)
{
    return (unsigned char)(((uint32_t)from * 0x9e3779b1u + (uint32_t)to * 0x85ebca77u +
                            (uint32_t)i * 0xc2b2ae3du) >>
                           24);
}

/* Makes the buffers and fills them. Returns the bytes that this rank sends. */
static inline size_t traffic_open(struct traffic *t)
{
    int size;
    MPI_Type_size(t->type, &size);
    size_t bytes = traffic_place(t, t->send, t->sdispls);
    t->out = measure_need(bytes);
    t->in = measure_need(traffic_place(t, t->recv, t->rdispls));
    for (int r = 0; r < t->ranks; r++) {
        unsigned char *block = t->out + (size_t)t->sdispls[r] * (size_t)size;
        for (size_t i = 0; i < (size_t)t->send[r] * (size_t)size; i++) {
            block[i] = traffic_byte(t->rank, r, i);
        }
    }
    return bytes;
}

static inline void traffic_close(struct traffic *t)
{
    free(t->send);
    free(t->out);
    free(t->in);
}

/* Whether all ranks receive the right bytes. */
static inline bool traffic_right(struct traffic *t, bool ours)
{
    int size, right = 1;
    MPI_Type_size(t->type, &size);
    memset(t->in, 0xa5, traffic_place(t, t->recv, t->rdispls));
    t->ours = ours;
    traffic_call(t);
    for (int r = 0; r < t->ranks; r++) {
        const unsigned char *block = t->in + (size_t)t->rdispls[r] * (size_t)size;
        for (size_t i = 0; i < (size_t)t->recv[r] * (size_t)size; i++) {
            right &= block[i] == traffic_byte(r, t->rank, i);
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return right;
}

/* Times one exchange, Strata's and MPI's in turn, and prints a line. Returns false where wrong
 * bytes arrived. Collective over all ranks, not only over the exchange's communicator. */
static inline bool traffic_measure(struct traffic *t, const struct traffic_options *o)
{
    double ours[TRAFFIC_BATCHES], theirs[TRAFFIC_BATCHES], ratio[TRAFFIC_BATCHES];
    long long bytes = (long long)traffic_open(t);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
    if (!traffic_right(t, false) || !traffic_right(t, true)) {
        if (rank == 0) {
            fprintf(stderr, "%s: wrong bytes arrived\n", t->name);
        }
        traffic_close(t);
        return false;
    }
    int calls = measure_calls_for(traffic_call, t, o->seconds);
    for (int b = 0; b < o->batches; b++) {
        t->ours = true;
        ours[b] = measure_batch(traffic_call, t, calls);
        t->ours = false;
        theirs[b] = measure_batch(traffic_call, t, calls);
        ratio[b] = theirs[b] / ours[b];
    }
    if (rank == 0) {
        double middle = measure_median(ratio, o->batches);
        printf("%-10s %6d %12lld %12.1f %12.1f %9.2f   %.2f .. %.2f\n", t->name, t->ranks, bytes,
               1e6 * measure_median(ours, o->batches), 1e6 * measure_median(theirs, o->batches),
               middle, ratio[0], ratio[o->batches - 1]);
        fflush(stdout);
    }
    traffic_close(t);
    return true;
}

static inline void traffic_headline(const char *what)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, rank, ranks;
    MPI_Get_library_version(version, &length);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0) {
        version[strcspn(version, "\n,")] = '\0';
        printf("%s on %d ranks, %s\n", what, ranks, version);
        printf("%-10s %6s %12s %12s %12s %9s   %s\n", "exchange", "ranks", "bytes sent",
               "strata us", "MPI us", "MPI/ours", "ratios");
    }
}

/* Sets one option. Returns NULL, the allowed values for a wrong value, or traffic_unknown where no
 * such option exists. traffic_option knows the options that both programs have. */
typedef const char *traffic_set(void *options, const char *name, const char *value);

static const char traffic_unknown[] = "unknown";

static inline const char *traffic_option(struct traffic_options *o, const char *name,
                                         const char *value)
{
    char rest;
    if (strcmp(name, "--batches") == 0) {
        bool fine = sscanf(value, "%9d%c", &o->batches, &rest) == 1 && o->batches >= 1 &&
                    o->batches <= TRAFFIC_BATCHES;
        return fine ? NULL : "a number from 1 to 101";
    }
    if (strcmp(name, "--seconds") == 0) {
        bool fine = sscanf(value, "%lf%c", &o->seconds, &rest) == 1 && o->seconds > 0;
        return fine ? NULL : "a number of seconds above 0";
    }
    return traffic_unknown;
}

/* Sets all options. Returns false with a sentence in message. */
static inline bool traffic_parse(char **words, traffic_set *set, void *options, char *message,
                                 size_t size)
{
    for (; *words; words += 2) {
        const char *value = words[1] ? words[1] : "", *allowed = set(options, words[0], value);
        if (allowed == traffic_unknown) {
            snprintf(message, size, "unknown option '%s'; the comment in its source lists all",
                     words[0]);
            return false;
        }
        if (allowed || !words[1]) {
            snprintf(message, size, "%s '%s': must be %s", words[0], value,
                     allowed ? allowed : "given");
            return false;
        }
    }
    return true;
}

#endif
