/* The collectives that a program calls by Strata's own names, recorded. The names in libstrata are
 * bound there, so only the program's calls come here. */
#include "core/base/seldom.h"
#include "include/strata.h"
#include "preload/record/recorder.h"

#define RECORDER_OWN_NAMES
#include "preload/record/requests.h"
#include "preload/record/table.h"

static void find_next(void);

#define FUNCTION(id, function, parameters, arguments, ...)                                         \
    static __typeof__(function) *next_##function;                                                  \
    STRATA_PUBLIC __typeof__(function) function;                                                   \
    RECORDER_DEFINE(id, STRATA_RECORD_OWN, function, __builtin_return_address(0), next_##function, \
                    parameters, arguments, __VA_ARGS__)
#define CALLED(id, name, Name, ...)      FUNCTION(id, strata_##name, __VA_ARGS__)
#define LARGE(id, name, Name, ...)       FUNCTION(id, strata_##name##_c, __VA_ARGS__)
#define BEGUN(id, name, Name, ...)       RECORDER_NONBLOCKING(id, strata_i##name, __VA_ARGS__)
#define INIT(id, name, Name, ...)        RECORDER_PERSISTENT(id, strata_##name##_init, __VA_ARGS__)
#define NEXT_CALLED(id, name, Name, ...) RECORDER_NEXT_OF(strata_##name)
#define NEXT_LARGE(id, name, Name, ...)  RECORDER_NEXT_OF(strata_##name##_c)
#define NEXT_BEGUN(id, name, Name, ...)  RECORDER_NEXT_OF(strata_i##name)
#define NEXT_INIT(id, name, Name, ...)   RECORDER_NEXT_OF(strata_##name##_init)

/* Of one result in each node. */
#define SHARED(ROW)                                                                                \
    ROW(RECORD_ALLGATHER_SHARED, allgather_shared, Allgather_shared,                               \
        (const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *result,                \
         COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm),                                   \
        (sendbuf, sendcount, sendtype, result, recvcount, recvtype, comm), recvcount, recvtype,    \
        RECORDER_NONE)                                                                             \
    ROW(RECORD_BCAST_SHARED, bcast_shared, Bcast_shared,                                           \
        (const void *buffer, COUNT count, MPI_Datatype datatype, void *result, int root,           \
         MPI_Comm comm),                                                                           \
        (buffer, count, datatype, result, root, comm), count, datatype, RECORDER_ROOT)

/* NOLINTBEGIN(readability-function-size): the parameters are MPI's */
#define COUNT        int
#define DISPLACEMENT int
RECORDER_ALL(CALLED)
RECORDER_ALL(BEGUN)
RECORDER_ALL(INIT)
SHARED(CALLED)
#undef COUNT
#undef DISPLACEMENT
#define COUNT        MPI_Count
#define DISPLACEMENT MPI_Aint
RECORDER_MOVING(LARGE)
SHARED(LARGE)
/* NOLINTEND(readability-function-size) */

static const struct recorder_next next[] = {RECORDER_ALL(NEXT_CALLED) RECORDER_ALL(NEXT_BEGUN)
                                                RECORDER_ALL(NEXT_INIT) SHARED(NEXT_CALLED)
                                                    RECORDER_MOVING(NEXT_LARGE) SHARED(NEXT_LARGE)};

static void find_next(void)
{
    recorder_find_own(next, sizeof next / sizeof *next);
}
