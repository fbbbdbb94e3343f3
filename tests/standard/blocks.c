/* Sections 6.3 to 6.8, and 5.1: the number of elements, their datatypes and their places. */
#include <stdio.h>

#include "standard.h"

/* One datatype of each kind; types of one number have ints. */
enum { TYPES = 12 };
struct kind {
    const char *name;
    MPI_Datatype type;
};

static void make_types(struct kind kinds[TYPES])
{
    static const int lengths[] = {1, 3}, sizes[] = {4, 6}, part[] = {2, 3}, starts[] = {1, 2};
    static const MPI_Aint at[] = {0, 12}, below[] = {-8, 4};
    const MPI_Datatype members[] = {MPI_INT, MPI_CHAR};
    MPI_Datatype *t[TYPES];
    for (int i = 0; i < TYPES; i++) {
        t[i] = &kinds[i].type;
    }
#define KIND(n, text) kinds[n].name = (text)
    KIND(0, "5.1.2 contiguous type");
    MPI_Type_contiguous(3, MPI_INT, t[0]);
    KIND(1, "5.1.2 vector with a stride");
    MPI_Type_vector(3, 2, 4, MPI_INT, t[1]);
    KIND(2, "5.1.2 struct with gaps");
    MPI_Type_create_struct(2, lengths, at, members, t[2]);
    KIND(3, "5.1.2 hindexed type that begins below its address");
    MPI_Type_create_hindexed(2, lengths, below, MPI_INT, t[3]);
    KIND(4, "5.1.7 type resized to leave holes");
    MPI_Type_create_resized(MPI_INT, 0, 12, t[4]);
    KIND(5, "5.1.7 type with a negative lower bound");
    MPI_Type_create_resized(MPI_INT, -8, 16, t[5]);
    KIND(6, "5.1.3 subarray, in Fortran's order");
    MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_FORTRAN, MPI_SHORT, t[6]);
    KIND(7, "5.1.10 duplicate of a type");
    MPI_Type_dup(MPI_DOUBLE, t[7]);
    KIND(8, "5.1.2 type without elements");
    MPI_Type_contiguous(0, MPI_INT, t[8]);
    KIND(9, "3.2.2 MPI_BYTE");
    MPI_Type_dup(MPI_BYTE, t[9]);
    KIND(10, "5.1.2 indexed blocks out of order");
    MPI_Type_create_indexed_block(2, 2, (const int[]){3, 0}, MPI_SHORT, t[10]);
    KIND(11, "5.1.2 vector of structs");
    MPI_Type_vector(2, 1, 2, kinds[2].type, t[11]);
    for (int i = 0; i < TYPES; i++) {
        MPI_Type_commit(t[i]);
    }
}

static void try_types(void)
{
    struct kind kinds[TYPES];
    make_types(kinds);
    for (int c = BCAST; c < REDUCE; c++) {
        for (int i = 0; i < TYPES; i++) {
            struct call call = {.collective = c,
                                .sent = 5,
                                .sent_type = kinds[i].type,
                                .taken_type = kinds[i].type};
            try_call(&call, NULL, kinds[i].name);
        }
    }
    for (int i = 0; i < TYPES; i++) {
        MPI_Type_free(&kinds[i].type);
    }
}

/* 6.x: "the type signature ... must be equal", not the types. */
static void try_signatures(void)
{
    MPI_Datatype three, spread;
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_commit(&three);
    MPI_Type_vector(3, 1, 2, MPI_INT, &spread);
    MPI_Type_commit(&spread);
    for (int c = GATHER; c < REDUCE; c++) {
        struct call packed = {
            .collective = c, .sent = 6, .taken = 2, .sent_type = MPI_INT, .taken_type = three};
        struct call parted = {
            .collective = c, .sent = 4, .taken = 12, .sent_type = spread, .taken_type = MPI_INT};
        try_call(&packed, NULL, "ints sent, triples received");
        try_call(&parted, NULL, "spread triples sent, ints received");
    }
    MPI_Type_free(&three);
    MPI_Type_free(&spread);
}

static void try_counts(void)
{
    static const int counts[] = {0, 1, 7, 1000, 20000};
    char about[64];
    for (int c = BARRIER; c < COLLECTIVES; c++) {
        for (int i = 0; i < (c == BARRIER ? 1 : 5); i++) {
            struct call call = {.collective = c, .sent = counts[i]};
            snprintf(about, sizeof about, "%d elements", counts[i]);
            try_call(&call, NULL, about);
        }
    }
}

static void try_in_place(void)
{
    for (int c = GATHER; c < COLLECTIVES; c++) {
        struct call call = {.collective = c, .sent = 9, .in_place = true, .root = ranks - 1};
        try_call(&call, NULL, "MPI_IN_PLACE");
        call.sent = 4000;
        if (!is_mpich() || c != REDUCE) { /* it takes MPI_IN_PLACE for an address, and dies */
            try_call(&call, NULL, "MPI_IN_PLACE, long");
        }
    }
}

static void try_roots(void)
{
    char about[64];
    for (int c = BCAST; c < COLLECTIVES; c++) {
        for (int root = 0; info[c].rooted && root < ranks; root++) {
            struct call call = {
                .collective = c, .sent = 11, .root = root, .insignificant = root % 2};
            snprintf(about, sizeof about, "root %d%s", root,
                     root % 2 ? ", no argument where it is not significant" : "");
            try_call(&call, NULL, about);
        }
    }
}

void try_blocks(void)
{
    try_types();
    try_signatures();
    try_counts();
    try_in_place();
    try_roots();
}
