/* MPI's collectives with large counts, recorded, where MPI has them. */
#include "core/base/seldom.h"
#include "include/strata.h"
#include "preload/collectives.h"
#include "preload/record/recorder.h"
#include "preload/record/requests.h"
#include "preload/record/table.h"

#if MPI_VERSION >= 4
#define COUNT        MPI_Count
#define DISPLACEMENT MPI_Aint

static void find_next(void);

#define CALLED(id, name, Name, ...)      RECORDER_BLOCKING(id, name##_c, Name##_c, __VA_ARGS__)
#define NEXT_CALLED(id, name, Name, ...) RECORDER_NEXT(id, name##_c, Name##_c)
#define NEAR(id, name, Name, ...)        RECORDER_MPI(id, name##_c, Name##_c, __VA_ARGS__)
#define BEGUN(id, name, Name, ...)       RECORDER_NONBLOCKING(id, MPI_I##name##_c, __VA_ARGS__)
#define NEXT_BEGUN(id, name, ...)        RECORDER_NEXT_OF(MPI_I##name##_c)
#define INIT(id, name, Name, ...)        RECORDER_PERSISTENT(id, MPI_##Name##_init_c, __VA_ARGS__)
#define NEXT_INIT(id, name, Name, ...)   RECORDER_NEXT_OF(MPI_##Name##_init_c)
#define EACH(BLOCKING, NEIGHBOR, REQUESTING, INITIAL)                                              \
    RECORDER_MOVING(BLOCKING)                                                                      \
    RECORDER_NEIGHBORS(NEIGHBOR)                                                                   \
    RECORDER_MOVING(REQUESTING)                                                                    \
    RECORDER_NEIGHBORS(REQUESTING)                                                                 \
    RECORDER_MOVING(INITIAL)                                                                       \
    RECORDER_NEIGHBORS(INITIAL)

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
EACH(CALLED, NEAR, BEGUN, INIT)

static const struct recorder_next next[] = {EACH(NEXT_CALLED, NEXT_CALLED, NEXT_BEGUN, NEXT_INIT)};

__attribute__((constructor)) static void find_next(void)
{
    recorder_find_next(next, sizeof next / sizeof *next);
}

#endif
