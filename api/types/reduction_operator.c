#include "api/types/reduction_operator.h"

#include <limits.h>

#include "api/process/by_mpi.h"
#include "api/process/process.h"
#include "api/types/named_types.h"
#include "core/base/error.h"
#include "internode/mpi/quiet_mpi.h"

#define ALONE_TAG 0x5354 /* own tag: other threads may make calls on MPI_COMM_SELF */

/* MPI_COMM_NULL: it cannot be made. Errors in here are not for the program's error handler. */
static MPI_Comm make_alone(void)
{
    MPI_Comm alone = MPI_COMM_NULL;
    MPI_Group self = MPI_GROUP_NULL;
    const bool quiet = strata_quiet_begin(MPI_COMM_SELF);
    if (PMPI_Comm_group(MPI_COMM_SELF, &self) == MPI_SUCCESS) {
        if (PMPI_Comm_create_group(MPI_COMM_SELF, self, ALONE_TAG, &alone) != MPI_SUCCESS) {
            alone = MPI_COMM_NULL;
        }
        PMPI_Group_free(&self);
    }
    if (alone != MPI_COMM_NULL) {
        PMPI_Comm_set_errhandler(alone, MPI_ERRORS_RETURN);
    }
    if (quiet) {
        strata_quiet_end(MPI_COMM_SELF);
    }
    return alone;
}

MPI_Comm strata_alone_begin(struct strata_process *process)
{
    pthread_mutex_lock(&process->making);
    if (process->alone == MPI_COMM_NULL) {
        process->alone = make_alone();
    }
    return process->alone;
}

void strata_alone_end(struct strata_process *process)
{
    pthread_mutex_unlock(&process->making);
}

/* On this communicator a reduction without elements checks its arguments and does nothing else.
 * MPICH 5.0.2 would end the program at a null datatype. */
int strata_operator_check(struct strata_process *process, MPI_Op op, MPI_Datatype type)
{
    int error = MPI_ERR_OTHER;
    char in[1] = {0};
    char out[1] = {0};
    if (op == MPI_OP_NULL || (type == MPI_DATATYPE_NULL && strata_operator_predefined(op))) {
        return MPI_ERR_OP;
    }
    MPI_Comm alone = strata_alone_begin(process);
    if (alone != MPI_COMM_NULL) {
        error = PMPI_Allreduce(in, out, 0, type, op, alone);
    }
    strata_alone_end(process);
    return error;
}

/* The predefined operators, all of which commute. MPI is asked about the program's own operators in
 * each call, for their handles are reused without notice. */
static const MPI_Op operations[STRATA_OPERATIONS] = {
    [STRATA_OPERATION_SUM] = MPI_SUM,       [STRATA_OPERATION_PROD] = MPI_PROD,
    [STRATA_OPERATION_MAX] = MPI_MAX,       [STRATA_OPERATION_MIN] = MPI_MIN,
    [STRATA_OPERATION_LAND] = MPI_LAND,     [STRATA_OPERATION_LOR] = MPI_LOR,
    [STRATA_OPERATION_LXOR] = MPI_LXOR,     [STRATA_OPERATION_BAND] = MPI_BAND,
    [STRATA_OPERATION_BOR] = MPI_BOR,       [STRATA_OPERATION_BXOR] = MPI_BXOR,
    [STRATA_OPERATION_MAXLOC] = MPI_MAXLOC, [STRATA_OPERATION_MINLOC] = MPI_MINLOC,
};

/* STRATA_OPERATIONS: an operator of the program's. */
static enum strata_operation operation_of(MPI_Op op)
{
    enum strata_operation found = STRATA_OPERATION_SUM;
    while (found < STRATA_OPERATIONS && operations[found] != op) {
        found++;
    }
    return found;
}

/* The operators that the standard allows for each group. */
#define BIT(id)    (1u << STRATA_OPERATION_##id)
#define ARITHMETIC (BIT(SUM) | BIT(PROD))
#define ORDER      (BIT(MAX) | BIT(MIN))
#define LOGICAL    (BIT(LAND) | BIT(LOR) | BIT(LXOR))
#define BITWISE    (BIT(BAND) | BIT(BOR) | BIT(BXOR))
static const unsigned allowed[STRATA_GROUPS] = {
    [STRATA_GROUP_INTEGER] = ARITHMETIC | ORDER | LOGICAL | BITWISE,
    [STRATA_GROUP_OTHER_INTEGER] = ARITHMETIC | ORDER | BITWISE,
    [STRATA_GROUP_FLOATING] = ARITHMETIC | ORDER,
    [STRATA_GROUP_COMPLEX] = ARITHMETIC,
    [STRATA_GROUP_LOGICAL] = LOGICAL,
    [STRATA_GROUP_BYTE] = BITWISE,
    [STRATA_GROUP_PAIR] = BIT(MAXLOC) | BIT(MINLOC),
};

strata_kernel *strata_kernel_of(MPI_Op op, MPI_Datatype type, MPI_Aint extent)
{
    enum strata_operation operation = operation_of(op);
    if (operation == STRATA_OPERATIONS) {
        return NULL;
    }
    struct strata_named_type named = strata_named_type_of(type, extent);
    return named.number < STRATA_NUMBERS && (allowed[named.group] >> operation & 1)
               ? strata_kernel_find(operation, named.number)
               : NULL;
}

bool strata_operator_predefined(MPI_Op op)
{
    return operation_of(op) < STRATA_OPERATIONS;
}

bool strata_operator_commutes(MPI_Op op)
{
    int commutes = 0;
    return strata_operator_predefined(op) ||
           (PMPI_Op_commutative(op, &commutes) == MPI_SUCCESS && commutes);
}

/* Elements to combine. */
struct combining {
    const struct strata_combination *with;
    const unsigned char *from;
    unsigned char *into;
    size_t elements;
};

/* MPI counts elements with an int. */
static int do_combine(void *argument)
{
    const struct combining *all = argument;
    const struct strata_combination *c = all->with;
    const unsigned char *left = all->from;
    unsigned char *right = all->into;
    size_t elements = all->elements;
    int error = MPI_SUCCESS;
    while (elements > 0 && error == MPI_SUCCESS) {
        int now = elements < INT_MAX ? (int)elements : INT_MAX;
        error = PMPI_Reduce_local(left, right, now, c->type, c->op);
        elements -= (size_t)now;
        left += now * c->extent;
        right += now * c->extent;
    }
    return error == MPI_SUCCESS ? STRATA_OK : STRATA_ERR_ARGUMENT;
}

static int combine(const struct strata_operator *base, const void *from, void *into,
                   size_t elements)
{
    struct combining all = {base->self, from, into, elements};
    return strata_by_mpi(do_combine, &all);
}

/* The kernel of a pair never changes: predefined handles are not reused, and other handles have no
 * kernel. */
void strata_operator_init(struct strata_combination *c, MPI_Op op, MPI_Datatype type,
                          MPI_Aint extent)
{
    bool known = c->base.combine && c->op == op && c->type == type;
    strata_kernel *kernel = known ? c->kernel : strata_kernel_of(op, type, extent);
    *c = (struct strata_combination){.base = {combine, c, kernel, (size_t)extent},
                                     .op = op,
                                     .type = type,
                                     .extent = extent,
                                     .kernel = kernel};
}

/* Combines a few elements at a time, in the combination's own memory. */
static int do_combine_packed(void *argument)
{
    const struct combining *all = argument;
    const struct strata_combination *c = all->with;
    const struct strata_packed_operands *p = &c->packed;
    const size_t size = p->datatype->flat.size;
    const unsigned char *left = all->from;
    unsigned char *right = all->into;
    size_t elements = all->elements;
    int error = MPI_SUCCESS;
    while (elements > 0 && error == MPI_SUCCESS) {
        size_t now = elements < p->at_once ? elements : p->at_once;
        error = strata_packed_operands_open(p, left, now, p->left);
        error = error == MPI_SUCCESS ? strata_packed_operands_open(p, right, now, p->right) : error;
        if (error == MPI_SUCCESS && c->kernel) {
            c->kernel(p->left, p->right, p->right, now);
        } else if (error == MPI_SUCCESS) {
            error = PMPI_Reduce_local(p->left, p->right, (int)now, c->type, c->op);
        }
        error =
            error == MPI_SUCCESS ? strata_packed_operands_close(p, p->right, now, right) : error;
        elements -= now;
        left += now * size;
        right += now * size;
    }
    return error == MPI_SUCCESS ? STRATA_OK : STRATA_ERR_ARGUMENT;
}

static int combine_packed(const struct strata_operator *base, const void *from, void *into,
                          size_t elements)
{
    struct combining all = {base->self, from, into, elements};
    return strata_by_mpi(do_combine_packed, &all);
}

int strata_operator_init_packed(struct strata_combination *c, MPI_Op op, MPI_Datatype type,
                                const struct strata_datatype *datatype, MPI_Comm comm)
{
    MPI_Aint low = 0;
    MPI_Aint extent = 0;
    PMPI_Type_get_extent(type, &low, &extent);
    strata_operator_init(c, op, type, extent);
    c->base = (struct strata_operator){.combine = combine_packed, .self = c};
    return strata_packed_operands_init(&c->packed, datatype, type, comm);
}

void strata_operator_fini(struct strata_combination *c)
{
    strata_packed_operands_fini(&c->packed);
}

void strata_operators_finish(struct strata_process *process)
{
    if (process->alone != MPI_COMM_NULL) {
        PMPI_Comm_free(&process->alone);
    }
}
