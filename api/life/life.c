#include "api/life/life.h"

#include <stdio.h>
#include <time.h>

#include "api/attach/arenas.h"
#include "api/attach/group.h"
#include "api/attach/members.h"
#include "api/attach/settings.h"
#include "api/attach/state.h"
#include "api/explain/explain_say.h"
#include "api/process/recorded.h"
#include "api/types/datatype.h"
#include "api/types/reduction_operator.h"
#include "core/base/memory.h"
#include "internode/mpi/traits_mpi.h"

static void complain(void *context, const char *sentence, const char *instead)
{
    struct strata_process *process = &strata_process_here;
    char line[sizeof process->complaint];
    (void)context;
    if (instead && process->preloaded) {
        instead = "MPI's own collectives are used";
    }
    snprintf(line, sizeof line, "%s%s%s", sentence, instead ? "; " : "", instead ? instead : "");
    if (process->world_rank == 0) {
        strata_warn(line);
    } else if (instead && process->complaints == 0) {
        snprintf(process->complaint, sizeof process->complaint, "rank %d: %.*s",
                 process->world_rank, (int)sizeof line - 32, line);
    }
    process->complaints += instead != NULL;
}

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF first, while everything still works. */
static int finish(MPI_Comm self, int key, void *value, void *extra)
{
    (void)self;
    (void)key;
    (void)value;
    (void)extra;
    if (strata_process_here.end_beside) {
        strata_process_here.end_beside();
    }
    strata_explain_say(&strata_process_here);
    strata_explained_release(&strata_process_here.explain);
    strata_all_members_end(&strata_process_here);
    strata_states_finish(&strata_process_here);
    strata_groups_finish(&strata_process_here);
    strata_settings_finish(&strata_process_here);
    strata_operators_finish(&strata_process_here);
    strata_arenas_finish(&strata_process_here);
    strata_release(strata_process_here.hardware);
    strata_datatypes_finish(&strata_process_here);
    strata_reserve_spend();
    strata_process_here.finished = true;
    /* MPI ignores communicators and types that still carry the keys from now on */
    PMPI_Comm_free_keyval(&strata_process_here.comm_key);
    PMPI_Type_free_keyval(&strata_process_here.type_key);
    return MPI_SUCCESS;
}

static int make_keys(void)
{
    int self_key = MPI_KEYVAL_INVALID;
    int error = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finish, &self_key, NULL);
    if (error == MPI_SUCCESS) {
        error = PMPI_Comm_set_attr(MPI_COMM_SELF, self_key, &strata_process_here);
        PMPI_Comm_free_keyval(&self_key);
    }
    if (error == MPI_SUCCESS) {
        error = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, strata_state_deleted,
                                        &strata_process_here.comm_key, NULL);
    }
    if (error == MPI_SUCCESS) {
        error = PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, strata_datatype_deleted,
                                        &strata_process_here.type_key, NULL);
    }
    return error;
}

/* Rank 0 reports the wrong setting. The abort of another rank would cut the report short, so the
 * others wait. A rank that still runs then has a wrong setting of its own, and reports that. */
static void end_program(void)
{
    if (strata_process_here.world_rank > 0) {
        nanosleep(&(struct timespec){.tv_sec = 2}, NULL);
        strata_settings_say_complaint(&strata_process_here);
    }
    strata_warn("a setting is wrong, which STRATA_STRICT=1 does not allow");
    strata_end_job();
}

static bool hides_errors(void)
{
    bool hides = false;
    if (strata_mpi_traits()->may_hide_errors) {
        MPI_Comm alone = strata_alone_begin(&strata_process_here);
        hides = alone != MPI_COMM_NULL && strata_mpi_hides_errors(alone);
        strata_alone_end(&strata_process_here);
    }
    return hides;
}

bool strata_watched;

static void begin(void)
{
    int level = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&level);
    PMPI_Comm_rank(MPI_COMM_WORLD, &strata_process_here.world_rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &strata_process_here.world_size);
    strata_process_here.multiple = level == MPI_THREAD_MULTIPLE;
    strata_settings_begin(&strata_process_here, complain);
    if (strata_process_here.same_bits != STRATA_SAID_NOTHING) {
        strata_process_here.config.same_bits = strata_process_here.same_bits == STRATA_SAID_YES;
    }
    if (strata_process_here.config.strict && strata_process_here.complaints > 0) {
        end_program();
    }
    strata_process_here.explain.on = strata_config_explains(&strata_process_here.config);
    strata_watched = strata_process_here.explain.on || strata_record_served;
    strata_process_here.explain.begin = strata_seconds();
    strata_process_here.hides_errors = hides_errors();
    strata_process_here.ready = make_keys() == MPI_SUCCESS;
}

/* A lock, because pthread_once calls the system, and ends a process that may not do so. */
static void begin_once(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool begun;
    pthread_mutex_lock(&lock);
    if (!begun) {
        begun = true;
        begin();
    }
    pthread_mutex_unlock(&lock);
}

struct strata_process *strata_process(void)
{
    int initialised = 0;
    int finalised = 0;
    if (!strata_process_here.ready) {
        PMPI_Initialized(&initialised);
        PMPI_Finalized(&finalised);
        if (!initialised || finalised) {
            return NULL;
        }
        begin_once();
        if (!strata_process_here.ready) {
            return NULL;
        }
    }
    return strata_process_here.finished ? NULL : &strata_process_here;
}
