#include "api/attach/process.h"

#include <stdio.h>
#include <time.h>

#include "api/attach/arenas.h"
#include "api/attach/group.h"
#include "api/attach/settings.h"
#include "api/attach/state.h"
#include "api/request/beside.h"
#include "api/types/datatype.h"
#include "api/types/reduction_operator.h"

struct strata_process strata_process_here = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .making = PTHREAD_MUTEX_INITIALIZER,
    .alone = MPI_COMM_NULL,
    .changes = 1 /* 0: what was never remembered */
};
static pthread_once_t once = PTHREAD_ONCE_INIT;

void strata_warn(const char *sentence)
{
    fprintf(stderr, "strata: %s\n", sentence);
}

static void complain(void *context, const char *sentence, const char *instead)
{
    (void)context;
    strata_process_here.complaints++;
    if (strata_process_here.world_rank == 0) {
        fprintf(stderr, "strata: %s; %s\n", sentence,
                strata_process_here.preloaded ? "MPI's own collectives are used" : instead);
    }
}

/* MPI_COMM_SELF's attributes go first in MPI_Finalize, while everything still works. */
static int finish(MPI_Comm self, int key, void *value, void *extra)
{
    (void)self;
    (void)key;
    (void)value;
    (void)extra;
    strata_beside_end();
    strata_explain_finish(&strata_process_here);
    strata_states_finish(&strata_process_here);
    strata_groups_finish(&strata_process_here);
    strata_settings_finish(&strata_process_here);
    strata_operators_finish(&strata_process_here);
    strata_arenas_finish(&strata_process_here);
    strata_datatypes_finish(&strata_process_here);
    strata_process_here.finished = true;
    /* what still carries them is ignored from now on */
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

void strata_end_job(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL); /* launchers drop what comes late */
    PMPI_Abort(MPI_COMM_WORLD, 1);
}

/* Rank 0 says what is wrong; the others' abort would cut it short, so they let it come first. */
static void end_program(void)
{
    if (strata_process_here.world_rank > 0) {
        nanosleep(&(struct timespec){.tv_sec = 2}, NULL);
    }
    strata_warn("a setting is wrong, which STRATA_STRICT=1 does not allow");
    strata_end_job();
}

static void set_up(void)
{
    int level = MPI_THREAD_SINGLE;

    PMPI_Query_thread(&level);
    PMPI_Comm_rank(MPI_COMM_WORLD, &strata_process_here.world_rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &strata_process_here.world_size);
    strata_process_here.multiple = level == MPI_THREAD_MULTIPLE;
    strata_config_read(&strata_process_here.config, complain, NULL);
    strata_settings_check(&strata_process_here, complain);
    if (strata_process_here.config.strict && strata_process_here.complaints > 0) {
        end_program();
    }
    strata_explain_begin(&strata_process_here);
    strata_process_here.ready = make_keys() == MPI_SUCCESS;
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
        pthread_once(&once, set_up);
    }
    return strata_process_here.ready && !strata_process_here.finished ? &strata_process_here : NULL;
}

static const int class_of[STRATA_ERROR_COUNT] = {
    [STRATA_OK] = MPI_SUCCESS,
    [STRATA_ERR_MEMORY] = MPI_ERR_NO_MEM,
    [STRATA_ERR_ARGUMENT] = MPI_ERR_ARG,
    [STRATA_ERR_SYNTAX] = MPI_ERR_ARG,
    [STRATA_ERR_UNSUPPORTED] = MPI_ERR_UNSUPPORTED_OPERATION,
    [STRATA_ERR_CAPACITY] = MPI_ERR_NO_MEM,
    [STRATA_ERR_TRUNCATE] = MPI_ERR_TRUNCATE,
    [STRATA_ERR_PLAN] = MPI_ERR_INTERN,
    [STRATA_ERR_TRANSPORT] = MPI_ERR_OTHER,
};

int strata_error_class(int error)
{
    return error >= 0 && error < STRATA_ERROR_COUNT ? class_of[error] : MPI_ERR_UNKNOWN;
}

/* MPI alone says nothing of an error that the program handles. */
static bool silent(MPI_Comm comm)
{
    MPI_Errhandler handler = MPI_ERRORS_ARE_FATAL;
    bool handled;

    if (!strata_process_here.preloaded || PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) {
        return false;
    }
    handled = handler != MPI_ERRORS_ARE_FATAL;
    PMPI_Errhandler_free(&handler);
    return handled;
}

int strata_raise(MPI_Comm comm, int code, const char *call, const char *text)
{
    MPI_Comm owner = comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm;
    int rank = -1;

    PMPI_Comm_rank(owner, &rank);
    if (!silent(owner)) {
        fprintf(stderr, "strata: %s, rank %d: %s\n", call, rank, text);
    }
    PMPI_Comm_call_errhandler(owner, code);
    return code;
}
