/* What serves the calls, as Strata tells it before it serves one (api/process/recorded.h). */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "api/process/recorded.h"
#include "preload/record/recorder.h"

/* The number of an algorithm in the file's list, where it is entered if it is new and there is room
 * for it. */
static uint32_t number_of(struct strata_record *record, const char *algorithm)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const uint32_t known = atomic_load_explicit(&record->algorithms, memory_order_acquire);
    uint32_t number = STRATA_RECORD_FIRST_ALGORITHM;
    while (number < known && strcmp(record->algorithm[number].name, algorithm) != 0) {
        number++;
    }
    if (number < known) {
        return number;
    }
    pthread_mutex_lock(&lock); /* two threads may enter one twice, which does no harm */
    number = atomic_load_explicit(&record->algorithms, memory_order_relaxed);
    number = number < STRATA_RECORD_FIRST_ALGORITHM ? STRATA_RECORD_FIRST_ALGORITHM : number;
    if (number < STRATA_RECORD_ALGORITHMS) {
        snprintf(record->algorithm[number].name, sizeof record->algorithm[number].name, "%s",
                 algorithm);
        atomic_store_explicit(&record->algorithms, number + 1, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return number < STRATA_RECORD_ALGORITHMS ? number : STRATA_RECORD_UNTOLD;
}

/* Whether a call of this kind is one of the collective. */
static bool is_of(int kind, enum strata_collective collective)
{
    return kind == (int)collective ||
           (kind == STRATA_RECORD_ALLGATHER_SHARED && collective == STRATA_ALLGATHER) ||
           (kind == STRATA_RECORD_BCAST_SHARED && collective == STRATA_BCAST);
}

/* The call is the one that this thread has begun last. What Strata tells of others is of calls that
 * are not recorded. After a call with one result in each node nobody knows what serves the next
 * common one, until Strata tells. */
void strata_record_served(MPI_Comm comm, enum strata_collective collective, const char *algorithm)
{
    struct strata_record *record = recorder_record;
    struct strata_record_entry *e = recorder_here.open;
    if (!e || e->end != 0 || !is_of((int)(e->what >> 16 & 0xff), collective)) {
        return;
    }
    const int kind = (int)(e->what >> 16 & 0xff), form = (int)(e->what >> 40 & 0xff);
    const uint32_t served = algorithm ? number_of(record, algorithm) : STRATA_RECORD_NATIVE;
    struct strata_record_communicator *c =
        &record->communicator[e->what % STRATA_RECORD_COMMUNICATORS];
    RECORDER_SET(e->served, served);
    if ((form & ~STRATA_RECORD_OWN) == STRATA_RECORD_BLOCKING && c->handle == (uintptr_t)comm) {
        RECORDER_SET(c->served[STRATA_RECORD_PLACE((int)collective, form)],
                     kind == (int)collective ? (uint8_t)served : STRATA_RECORD_UNTOLD);
    }
}
