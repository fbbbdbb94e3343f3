#include "api/call/one_element.h"

#include <pthread.h>

#include "api/process/agree.h"
#include "api/types/reduction_operator.h"
#include "hier/tuning.h"

/* A call under way: the datatype of its one element, and what that is made of. */
struct whole {
    struct whole *next;
    MPI_Datatype element, type;
    MPI_Op op, parts_op;
    int count;
};

static struct whole *open_calls;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct whole **place_of(MPI_Datatype element)
{
    struct whole **at = &open_calls;
    while (*at && (*at)->element != element) {
        at = &(*at)->next;
    }
    return at;
}

static void enter(struct whole *w)
{
    pthread_mutex_lock(&lock);
    w->next = open_calls;
    open_calls = w;
    pthread_mutex_unlock(&lock);
}

static void leave(const struct whole *w)
{
    pthread_mutex_lock(&lock);
    *place_of(w->element) = w->next;
    pthread_mutex_unlock(&lock);
}

/* MPI gives an operator nothing but the datatype. Another thread's MPI may call it. */
static void combine(void *from, void *into, int *count, MPI_Datatype *element)
{
    pthread_mutex_lock(&lock);
    const struct whole *w = *place_of(*element);
    pthread_mutex_unlock(&lock);
    (void)PMPI_Reduce_local(from, into, *count * w->count, w->type, w->parts_op);
}

bool strata_one_element_due(const struct strata_signature *s)
{
    int bytes = 0;
    if (s->collective != STRATA_REDUCE || s->send.count < 2 || s->send.count > STRATA_SENT_AHEAD) {
        return false;
    }
    PMPI_Type_size(s->send.type, &bytes);
    return bytes > 0 && s->send.count <= STRATA_SENT_AHEAD / bytes;
}

static int make(const struct strata_signature *s, struct whole *w)
{
    int error = PMPI_Type_contiguous(w->count, w->type, &w->element);
    error = error == MPI_SUCCESS ? PMPI_Type_commit(&w->element) : error;
    return error == MPI_SUCCESS ? PMPI_Op_create(combine, strata_operator_commutes(s->op), &w->op)
                                : error;
}

static void free_all(struct whole *w)
{
    if (w->op != MPI_OP_NULL) {
        PMPI_Op_free(&w->op);
    }
    if (w->element != MPI_DATATYPE_NULL) {
        PMPI_Type_free(&w->element);
    }
}

static int run(const struct strata_signature *s, const struct whole *w)
{
    MPI_Request request = MPI_REQUEST_NULL;
    return strata_finish_moving_requests(PMPI_Ireduce(s->send.buffer, s->recv.buffer, 1, w->element,
                                                      w->op, s->root, s->comm, &request),
                                         &request);
}

int strata_one_element_reduce(const struct strata_signature *s)
{
    struct whole w = {.element = MPI_DATATYPE_NULL,
                      .type = s->send.type,
                      .op = MPI_OP_NULL,
                      .parts_op = s->op,
                      .count = (int)s->send.count};
    int error = make(s, &w);
    if (error == MPI_SUCCESS) {
        enter(&w);
        error = run(s, &w);
        leave(&w);
    }
    free_all(&w);
    return error;
}
