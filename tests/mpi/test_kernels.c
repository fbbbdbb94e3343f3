/* The kernels beside MPI_Reduce_local: the same bits for every operator and named type that the
 * kernels serve, on addresses without alignment. All lengths up to some vectors are tried, and a
 * long one, and no byte beside is written. Other types and a program's operators have no kernel.
 * Where MPI libraries differ, tests/core checks the meaning in C. With the size of the first cache
 * in bytes, and perhaps a row's name, the program prints the speed of both.
 *
 * run: 1
 */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "api/types/named_types.h"
#include "api/types/reduction_operator.h"
#include "tests/mpi/require.h"
#include "tests/random.h"

#define SHORT  70   /* elements: all lengths up to this one, */
#define LONG   1000 /* and this one */
#define MOST   32   /* bytes of an element */
#define MARGIN 64
#define ROUNDS 5 /* the fastest counts */
#define TURNS  2000

/* The types that the standard allows and C has. */
static const MPI_Datatype types[] = {MPI_INT,
                                     MPI_LONG,
                                     MPI_LONG_LONG,
                                     MPI_SHORT,
                                     MPI_SIGNED_CHAR,
                                     MPI_INT8_T,
                                     MPI_INT16_T,
                                     MPI_INT32_T,
                                     MPI_INT64_T,
                                     MPI_UNSIGNED,
                                     MPI_UNSIGNED_LONG,
                                     MPI_UNSIGNED_LONG_LONG,
                                     MPI_UNSIGNED_SHORT,
                                     MPI_UNSIGNED_CHAR,
                                     MPI_UINT8_T,
                                     MPI_UINT16_T,
                                     MPI_UINT32_T,
                                     MPI_UINT64_T,
                                     MPI_INTEGER,
                                     MPI_INTEGER1,
                                     MPI_INTEGER2,
                                     MPI_INTEGER4,
                                     MPI_INTEGER8,
                                     MPI_AINT,
                                     MPI_OFFSET,
                                     MPI_COUNT,
                                     MPI_FLOAT,
                                     MPI_DOUBLE,
                                     MPI_LONG_DOUBLE,
                                     MPI_REAL,
                                     MPI_DOUBLE_PRECISION,
                                     MPI_REAL4,
                                     MPI_REAL8,
                                     MPI_C_FLOAT_COMPLEX,
                                     MPI_C_DOUBLE_COMPLEX,
                                     MPI_C_LONG_DOUBLE_COMPLEX,
                                     MPI_CXX_FLOAT_COMPLEX,
                                     MPI_CXX_DOUBLE_COMPLEX,
                                     MPI_CXX_LONG_DOUBLE_COMPLEX,
                                     MPI_COMPLEX,
                                     MPI_DOUBLE_COMPLEX,
                                     MPI_COMPLEX8,
                                     MPI_COMPLEX16,
                                     MPI_C_BOOL,
                                     MPI_CXX_BOOL,
                                     MPI_BYTE,
                                     MPI_SHORT_INT,
                                     MPI_2INT,
                                     MPI_LONG_INT,
                                     MPI_FLOAT_INT,
                                     MPI_DOUBLE_INT,
                                     MPI_LONG_DOUBLE_INT,
                                     MPI_2INTEGER,
                                     MPI_2REAL,
                                     MPI_2DOUBLE_PRECISION};
enum { TYPES = sizeof types / sizeof *types };

static const MPI_Op operators[] = {MPI_SUM,  MPI_PROD, MPI_MAX, MPI_MIN,  MPI_LAND,   MPI_LOR,
                                   MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
enum { OPERATORS = sizeof operators / sizeof *operators };

/* Integers with 10 operators, those of Fortran and of all languages, numbers, complex ones,
 * booleans, bytes, pairs. */
enum { CELLS = 18 * 10 + 8 * 7 + 7 * 4 + 10 * 2 + 2 * 3 + 1 * 3 + 9 * 2 };

/* The bytes of a number that count; long double has ten on x86. */
#define SIGNIFICANT(value) (sizeof(value) == 16 && LDBL_MANT_DIG == 64 ? 10 : sizeof(value))

/* Numbers of a few bits would hide how sums are rounded. */
static long double real(struct random *r)
{
    return (long double)random_between(r, -1000000, 1000000) / (3 << random_below(r, 20));
}

/* The operands of a cell. */
struct kind {
    enum strata_number number;
    bool truth; /* 0 or 1 */
    bool small; /* an integer's first two bits are 0 */
};

static void put(struct kind kind, unsigned char *at, struct random *r)
{
    uint64_t bits = random_below(r, 4) == 0 ? 0 : random_next(r) >> (kind.small ? 2 : 0);
    if (kind.truth) {
        *at = bits & 1;
        return;
    }
    switch (kind.number) {
#define OF_INTEGER(width)                                                                          \
    case STRATA_NUMBER_INT##width:                                                                 \
    case STRATA_NUMBER_UINT##width: {                                                              \
        uint##width##_t value = (uint##width##_t)(bits >> (64 - (width)));                         \
        memcpy(at, &value, sizeof value);                                                          \
        break;                                                                                     \
    }
        OF_INTEGER(8)
        OF_INTEGER(16)
        OF_INTEGER(32)
        OF_INTEGER(64)
#define OF_REAL(id, type)                                                                          \
    case STRATA_NUMBER_##id: {                                                                     \
        type value = (type)real(r);                                                                \
        memcpy(at, &value, SIGNIFICANT(value));                                                    \
        break;                                                                                     \
    }
        OF_REAL(FLOAT, float)
        OF_REAL(DOUBLE, double)
        OF_REAL(LONG_DOUBLE, long double)
#define OF_COMPLEX(id, part)                                                                       \
    case STRATA_NUMBER_##id##_COMPLEX:                                                             \
        put((struct kind){.number = STRATA_NUMBER_##id}, at, r);                                   \
        put((struct kind){.number = STRATA_NUMBER_##id}, at + sizeof(part), r);                    \
        break;
        OF_COMPLEX(FLOAT, float)
        OF_COMPLEX(DOUBLE, double)
        OF_COMPLEX(LONG_DOUBLE, long double)
#define OF_PAIR(id, value_type, place_type)                                                        \
    case STRATA_NUMBER_##id: {                                                                     \
        struct {                                                                                   \
            value_type value;                                                                      \
            place_type place;                                                                      \
        } pair;                                                                                    \
        pair.value = (value_type)random_between(r, -2, 2);                                         \
        pair.place = (place_type)random_between(r, 0, 5);                                          \
        memcpy(at, &pair.value, SIGNIFICANT(pair.value));                                          \
        memcpy(at + offsetof(__typeof__(pair), place), &pair.place, sizeof pair.place);            \
        break;                                                                                     \
    }
        STRATA_PAIR_TABLE(OF_PAIR)
    default:
        REQUIRE(false);
    }
}

/* The same elements for both, in memory that is zero elsewhere. */
struct operands {
    size_t bytes;
    _Alignas(64) unsigned char from[LONG * MOST]; /* MPI's */
    _Alignas(64) unsigned char into[LONG * MOST];
    unsigned char odd_from[LONG * MOST + 1], odd_into[2 * MARGIN + LONG * MOST + 1];
};

static void draw(struct operands *o, struct kind kind, int length, struct random *r)
{
    size_t size = strata_number_bytes(kind.number);
    memset(o, 0, sizeof *o);
    o->bytes = size * (size_t)length;
    for (size_t at = 0; at < o->bytes; at += size) {
        put(kind, o->from + at, r);
        put(kind, o->into + at, r);
    }
    memcpy(o->odd_from + 1, o->from, o->bytes);
    memcpy(o->odd_into + MARGIN + 1, o->into, o->bytes);
}

static bool alike(struct operands *o)
{
    static const unsigned char zeros[MARGIN + LONG * MOST];
    unsigned char *result = o->odd_into + MARGIN + 1;
    bool right = memcmp(result, o->into, o->bytes) == 0;
    return right && memcmp(o->odd_from + 1, o->from, o->bytes) == 0 &&
           memcmp(o->odd_into, zeros, MARGIN + 1) == 0 &&
           memcmp(result + o->bytes, zeros, MARGIN) == 0;
}

/* The operands for which both MPIs are right. Open MPI 4.1 saturates sums of narrow integers, and
 * compares MPI_UNSIGNED_LONG as signed and MPI_OFFSET as unsigned. MPICH 4.0 compares all as
 * signed. */
static struct kind kind_of(MPI_Op op, MPI_Datatype type, struct strata_named_type named)
{
    bool compares = op == MPI_MAX || op == MPI_MIN;
    bool adds_narrow = op == MPI_SUM && strata_number_bytes(named.number) <= 2;
    bool sign = named.number < STRATA_NUMBER_UINT8 && type != MPI_OFFSET;
    return (struct kind){.number = named.number,
                         .truth = named.group == STRATA_GROUP_LOGICAL,
                         .small = adds_narrow || (compares && !sign)};
}

static void compare(int number, MPI_Datatype type, strata_kernel *kernel,
                    struct strata_named_type named)
{
    const struct kind kind = kind_of(operators[number], type, named);
    static struct operands operands;
    struct random r = {1};
    for (int length = 0; length <= SHORT; length++) {
        int now = length < SHORT ? length : LONG;
        draw(&operands, kind, now, &r);
        unsigned char *into = operands.odd_into + MARGIN + 1;
        kernel(operands.odd_from + 1, into, into, (size_t)now);
        MPI_Reduce_local(operands.from, operands.into, now, type, operators[number]);
        if (!alike(&operands)) {
            char name[MPI_MAX_OBJECT_NAME];
            int used;
            MPI_Type_get_name(type, name, &used);
            fprintf(stderr, "operator %d on %d of %s: other bits\n", number, now, name);
            REQUIRE(false);
        }
    }
}

static void compare_all(void)
{
    int cells = 0;
    for (int t = 0; t < TYPES; t++) {
        MPI_Aint lower_bound, extent;
        MPI_Type_get_extent(types[t], &lower_bound, &extent);
        struct strata_named_type named = strata_named_type_of(types[t], extent);
        for (int o = 0; o < OPERATORS; o++) {
            strata_kernel *kernel = strata_kernel_of(operators[o], types[t], extent);
            if (kernel) {
                compare(o, types[t], kernel, named);
                cells++;
            }
        }
    }
    REQUIRE_CMP(cells, ==, CELLS);
}

static void own(void *from, void *into, int *count, MPI_Datatype *type) /* NOLINT */
{
    (void)from, (void)into, (void)count, (void)type;
}

/* Types and operators that only MPI or the program knows. */
static void try_others(void)
{
    const MPI_Datatype others[] = {MPI_CHAR, MPI_WCHAR, MPI_LOGICAL, MPI_CHARACTER, MPI_REAL16};
    MPI_Datatype same;
    MPI_Op op;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        int size = 0;
        MPI_Type_size(others[i], &size);
        for (int o = 0; o < OPERATORS; o++) {
            REQUIRE(!strata_kernel_of(operators[o], others[i], size));
        }
    }
    MPI_Type_dup(MPI_INT, &same);
    MPI_Op_create(own, 1, &op);
    REQUIRE(!strata_kernel_of(MPI_SUM, same, sizeof(int)));
    REQUIRE(!strata_kernel_of(op, MPI_INT, sizeof(int)));
    MPI_Op_free(&op);
    MPI_Type_free(&same);
}

/* Gigabytes a second of each operand: MPI's, Strata's. */
static void time_both(MPI_Op op, MPI_Datatype type, strata_kernel *kernel, int bytes)
{
    static struct operands o;
    MPI_Aint lower_bound, extent;
    double least[2] = {1, 1};
    MPI_Type_get_extent(type, &lower_bound, &extent);
    for (int i = 0; i < 2 * ROUNDS; i++) {
        double begin = MPI_Wtime();
        for (int turn = 0; turn < TURNS; turn++) {
            if (i % 2 == 0) {
                MPI_Reduce_local(o.from, o.into, bytes / (int)extent, type, op);
            } else {
                kernel(o.from, o.into, o.into, (size_t)(bytes / extent));
            }
        }
        double seconds = (MPI_Wtime() - begin) / TURNS;
        least[i % 2] = seconds < least[i % 2] ? seconds : least[i % 2];
    }
    printf(" %7.1f %7.1f", bytes / least[0] * 1e-9, bytes / least[1] * 1e-9);
}

static void show_figures(int bytes, const char *only)
{
    static const struct {
        const char *name;
        MPI_Op op;
        MPI_Datatype type;
    } shown[] = {
        {"sum of double", MPI_SUM, MPI_DOUBLE},
        {"sum of float", MPI_SUM, MPI_FLOAT},
        {"sum of int", MPI_SUM, MPI_INT},
        {"max of double", MPI_MAX, MPI_DOUBLE},
        {"max of long", MPI_MAX, MPI_LONG},
        {"product of double complex", MPI_PROD, MPI_C_DOUBLE_COMPLEX},
        {"bxor of unsigned long", MPI_BXOR, MPI_UNSIGNED_LONG},
        {"land of int", MPI_LAND, MPI_INT},
        {"maxloc of double and int", MPI_MAXLOC, MPI_DOUBLE_INT},
    };

    REQUIRE_CMP(bytes, >, 0);
    REQUIRE_CMP(bytes, <=, LONG * MOST);
    printf("GB/s of %d bytes:           MPI    ours\n", bytes);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        MPI_Aint lower_bound, extent;
        if (only && strcmp(only, shown[i].name) != 0) {
            continue;
        }
        MPI_Type_get_extent(shown[i].type, &lower_bound, &extent);
        strata_kernel *kernel = strata_kernel_of(shown[i].op, shown[i].type, extent);
        printf("%-25s", shown[i].name);
        time_both(shown[i].op, shown[i].type, kernel, bytes);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc > 1) {
        show_figures(atoi(argv[1]), argc > 2 ? argv[2] : NULL);
    } else {
        compare_all();
        try_others();
    }
    MPI_Finalize();
    return 0;
}
