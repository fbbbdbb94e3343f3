/* MPI's nonblocking and persistent collectives in C, and those of neighbourhoods, recorded. */
#include "core/base/seldom.h"
#include "include/strata.h"
#include "preload/record/recorder.h"
#include "preload/record/requests.h"
#include "preload/record/table.h"

#define COUNT        int
#define DISPLACEMENT int

static void find_next(void);

#define BEGUN(id, name, Name, ...)          RECORDER_NONBLOCKING(id, MPI_I##name, __VA_ARGS__)
#define NEXT_BEGUN(id, name, ...)           RECORDER_NEXT_OF(MPI_I##name)
#define DESCRIBED(id, name, Name, ...)      RECORDER_PERSISTENT(id, MPI_##Name##_init, __VA_ARGS__)
#define NEXT_DESCRIBED(id, name, Name, ...) RECORDER_NEXT_OF(MPI_##Name##_init)

/* NOLINTBEGIN(readability-function-size): the parameters are MPI's */
RECORDER_NEIGHBORS(RECORDER_MPI)
RECORDER_ALL(BEGUN)
RECORDER_NEIGHBORS(BEGUN)
#if MPI_VERSION >= 4
RECORDER_ALL(DESCRIBED)
RECORDER_NEIGHBORS(DESCRIBED)
#endif
/* NOLINTEND(readability-function-size) */

static const struct recorder_next next[] = {
    RECORDER_NEIGHBORS(RECORDER_NEXT) RECORDER_ALL(NEXT_BEGUN) RECORDER_NEIGHBORS(NEXT_BEGUN)
#if MPI_VERSION >= 4
        RECORDER_ALL(NEXT_DESCRIBED) RECORDER_NEIGHBORS(NEXT_DESCRIBED)
#endif
};

__attribute__((constructor)) static void find_next(void)
{
    recorder_find_next(next, sizeof next / sizeof *next);
}
