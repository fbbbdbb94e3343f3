/* MPI's collectives in C, recorded. */
#include "core/base/seldom.h"
#include "include/strata.h"
#include "preload/collectives.h"
#include "preload/record/recorder.h"
#include "preload/record/table.h"

#define COUNT        int
#define DISPLACEMENT int

static void find_next(void);

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
RECORDER_ALL(RECORDER_BLOCKING)

static const struct recorder_next next[] = {RECORDER_ALL(RECORDER_NEXT)};

__attribute__((constructor)) static void find_next(void)
{
    recorder_find_next(next, sizeof next / sizeof *next);
}
