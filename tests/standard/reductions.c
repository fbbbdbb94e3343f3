/* Sections 6.9.2 to 6.9.5: predefined operators on their types, and a program's operators. */
#include <stdio.h>
#include <stdlib.h>

#include "standard.h"

struct named_type {
    const char *name;
    MPI_Datatype type;
};
struct named_op {
    const char *name;
    MPI_Op op;
};

#define NAMED(x)                                                                                   \
    {                                                                                              \
#x, x                                                                                      \
    }

static void try_pairs(const struct named_op *ops, int nops, const struct named_type *types,
                      int ntypes, const char *section)
{
    char about[96];
    for (int o = 0; o < nops; o++) {
        for (int t = 0; t < ntypes; t++) {
            struct call call = {.collective = (o + t) % 3 == 0   ? REDUCE
                                              : (o + t) % 3 == 1 ? ALLREDUCE
                                                                 : SCAN,
                                .sent = 10,
                                .sent_type = types[t].type,
                                .op = ops[o].op};
            snprintf(about, sizeof about, "%s of %s", ops[o].name, types[t].name);
            try_call(&call, section, about);
        }
    }
}

static void try_predefined(void)
{
    const struct named_type integers[] = {
        NAMED(MPI_INT),      NAMED(MPI_LONG),   NAMED(MPI_SHORT),    NAMED(MPI_UNSIGNED_SHORT),
        NAMED(MPI_UNSIGNED), NAMED(MPI_INT8_T), NAMED(MPI_UINT64_T), NAMED(MPI_SIGNED_CHAR)};
    const struct named_type numbers[] = {NAMED(MPI_FLOAT), NAMED(MPI_DOUBLE)};
    const struct named_type complexes[] = {NAMED(MPI_C_FLOAT_COMPLEX), NAMED(MPI_C_DOUBLE_COMPLEX)};
    const struct named_type bytes[] = {NAMED(MPI_BYTE)};
    const struct named_type pairs[] = {NAMED(MPI_2INT), NAMED(MPI_FLOAT_INT)};
    const struct named_op arithmetic[] = {NAMED(MPI_SUM), NAMED(MPI_PROD)};
    const struct named_op order[] = {NAMED(MPI_MIN), NAMED(MPI_MAX)};
    const struct named_op logical[] = {NAMED(MPI_LAND), NAMED(MPI_LOR), NAMED(MPI_LXOR)};
    const struct named_op bits[] = {NAMED(MPI_BAND), NAMED(MPI_BOR), NAMED(MPI_BXOR)};
    const struct named_op places[] = {NAMED(MPI_MINLOC), NAMED(MPI_MAXLOC)};
    try_pairs(arithmetic, 2, integers, 8, "6.9.2");
    try_pairs(arithmetic, 2, numbers, 2, "6.9.2");
    try_pairs(arithmetic, 2, complexes, 2, "6.9.2");
    try_pairs(order, 2, integers, 8, "6.9.2");
    try_pairs(order, 2, numbers, 2, "6.9.2");
    try_pairs(logical, 3, integers, 4, "6.9.2");
    try_pairs(bits, 3, integers, 4, "6.9.2");
    try_pairs(bits, 3, bytes, 1, "6.9.2");
    try_pairs(places, 2, pairs, 2, "6.9.4");
}

/* x -> a x + b modulo 2^32, one after the other: the order of ranks counts, brackets do not. The
 * parameters are MPI's. */
static void compose(void *from, void *into, int *count, MPI_Datatype *type) /* NOLINT */
{
    const unsigned *first = from;
    unsigned *second = into;
    (void)type;
    for (int i = 0; i < *count; i++, first += 2, second += 2) {
        second[1] += second[0] * first[1];
        second[0] *= first[0];
    }
}

/* The larger value; the type has gaps in memory. */
static void larger(void *from, void *into, int *count, MPI_Datatype *type) /* NOLINT */
{
    MPI_Aint lower_bound, extent;
    MPI_Type_get_extent(*type, &lower_bound, &extent);
    for (int i = 0; i < *count; i++) {
        int *a = (int *)((char *)into + i * extent);
        const int *b = (const int *)((const char *)from + i * extent);
        *a = *a > *b ? *a : *b;
    }
}

static void try_own(void)
{
    MPI_Datatype pair, apart;
    MPI_Op ordered, any;
    MPI_Type_contiguous(2, MPI_UNSIGNED, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_create_resized(MPI_INT, 0, 12, &apart);
    MPI_Type_commit(&apart);
    MPI_Op_create(compose, 0, &ordered);
    MPI_Op_create(larger, 1, &any);
    for (int c = REDUCE; c < COLLECTIVES; c++) {
        struct call call = {
            .collective = c, .sent = 6, .sent_type = pair, .taken_type = pair, .op = ordered};
        try_call(&call, "6.9.5", "an operator that does not commute");
        call.sent = 900;
        try_call(&call, "6.9.5", "an operator that does not commute, long");
        call = (struct call){
            .collective = c, .sent = 30, .sent_type = apart, .taken_type = apart, .op = any};
        try_call(&call, "6.9.5", "an operator that commutes, on elements with gaps");
    }
    MPI_Op_free(&ordered);
    MPI_Op_free(&any);
    MPI_Type_free(&pair);
    MPI_Type_free(&apart);
}

void try_reductions(void)
{
    try_predefined();
    try_own();
}
