#include "api/types/named_types.h"

#define NUMBER(id) STRATA_NUMBER_##id

/* A type stands for one of the numbers from first to last, by its length. Fortran compilers choose
 * their own value of true, and C has no REAL*16, so MPI combines these. */
static const struct {
    MPI_Datatype type;
    enum strata_number_group group;
    enum strata_number first, last;
} types[] = {
#define ROWS(type, group, first, last)                                                             \
    {                                                                                              \
        type, STRATA_GROUP_##group, NUMBER(first), NUMBER(last)                                    \
    }
#define C_SIGNED(type)       ROWS(type, INTEGER, INT8, INT64)
#define C_UNSIGNED(type)     ROWS(type, INTEGER, UINT8, UINT64)
#define OTHER(type)          ROWS(type, OTHER_INTEGER, INT8, INT64)
#define REAL(type)           ROWS(type, FLOATING, FLOAT, DOUBLE)
#define COMPLEX(type)        ROWS(type, COMPLEX, FLOAT_COMPLEX, DOUBLE_COMPLEX)
#define ONE(type, group, id) ROWS(type, group, id, id)
    C_SIGNED(MPI_INT),
    C_SIGNED(MPI_LONG),
    C_SIGNED(MPI_LONG_LONG),
    C_SIGNED(MPI_SHORT),
    C_SIGNED(MPI_SIGNED_CHAR),
    C_SIGNED(MPI_INT8_T),
    C_SIGNED(MPI_INT16_T),
    C_SIGNED(MPI_INT32_T),
    C_SIGNED(MPI_INT64_T),
    C_UNSIGNED(MPI_UNSIGNED),
    C_UNSIGNED(MPI_UNSIGNED_LONG),
    C_UNSIGNED(MPI_UNSIGNED_LONG_LONG),
    C_UNSIGNED(MPI_UNSIGNED_SHORT),
    C_UNSIGNED(MPI_UNSIGNED_CHAR),
    C_UNSIGNED(MPI_UINT8_T),
    C_UNSIGNED(MPI_UINT16_T),
    C_UNSIGNED(MPI_UINT32_T),
    C_UNSIGNED(MPI_UINT64_T),
    OTHER(MPI_INTEGER),
    OTHER(MPI_INTEGER1),
    OTHER(MPI_INTEGER2),
    OTHER(MPI_INTEGER4),
    OTHER(MPI_INTEGER8),
    OTHER(MPI_AINT),
    OTHER(MPI_OFFSET),
    OTHER(MPI_COUNT),
    ONE(MPI_FLOAT, FLOATING, FLOAT),
    ONE(MPI_DOUBLE, FLOATING, DOUBLE),
    ONE(MPI_LONG_DOUBLE, FLOATING, LONG_DOUBLE),
    REAL(MPI_REAL),
    REAL(MPI_DOUBLE_PRECISION),
    REAL(MPI_REAL4),
    REAL(MPI_REAL8),
    REAL(MPI_REAL16),
    ONE(MPI_C_FLOAT_COMPLEX, COMPLEX, FLOAT_COMPLEX),
    ONE(MPI_C_DOUBLE_COMPLEX, COMPLEX, DOUBLE_COMPLEX),
    ONE(MPI_C_LONG_DOUBLE_COMPLEX, COMPLEX, LONG_DOUBLE_COMPLEX),
    ONE(MPI_CXX_FLOAT_COMPLEX, COMPLEX, FLOAT_COMPLEX),
    ONE(MPI_CXX_DOUBLE_COMPLEX, COMPLEX, DOUBLE_COMPLEX),
    ONE(MPI_CXX_LONG_DOUBLE_COMPLEX, COMPLEX, LONG_DOUBLE_COMPLEX),
    COMPLEX(MPI_COMPLEX),
    COMPLEX(MPI_DOUBLE_COMPLEX),
    COMPLEX(MPI_COMPLEX8),
    COMPLEX(MPI_COMPLEX16),
    COMPLEX(MPI_COMPLEX32),
    ONE(MPI_C_BOOL, LOGICAL, UINT8),
    ONE(MPI_CXX_BOOL, LOGICAL, UINT8),
    ONE(MPI_BYTE, BYTE, UINT8),
    ONE(MPI_SHORT_INT, PAIR, SHORT_INT),
    ONE(MPI_2INT, PAIR, INT_INT),
    ONE(MPI_LONG_INT, PAIR, LONG_INT),
    ONE(MPI_FLOAT_INT, PAIR, FLOAT_INT),
    ONE(MPI_DOUBLE_INT, PAIR, DOUBLE_INT),
    ONE(MPI_LONG_DOUBLE_INT, PAIR, LONG_DOUBLE_INT),
    ONE(MPI_2INTEGER, PAIR, INT_INT),
    ROWS(MPI_2REAL, PAIR, FLOAT_FLOAT, DOUBLE_DOUBLE),
    ROWS(MPI_2DOUBLE_PRECISION, PAIR, FLOAT_FLOAT, DOUBLE_DOUBLE),
};

struct strata_named_type strata_named_type_of(MPI_Datatype type, MPI_Aint extent)
{
    struct strata_named_type named = {STRATA_GROUP_NONE, STRATA_NUMBERS};
    for (size_t i = 0; i < sizeof types / sizeof *types && !named.group; i++) {
        if (types[i].type != type) {
            continue;
        }
        named.group = types[i].group;
        for (enum strata_number n = types[i].first; n <= types[i].last; n++) {
            named.number = strata_number_bytes(n) == (size_t)extent ? n : named.number;
        }
    }
    return named;
}
