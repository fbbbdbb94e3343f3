/* A program that knows nothing of Strata and does things that must be as with MPI alone. It handles
 * errors. It calls on intercommunicators, on one rank, on thousands of communicators and in
 * MPI_Finalize. It reduces by an operator of its own that does not commute. Prints "all right", or
 * what is wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/preload/expect.h"

#if MPI_ABI_VERSION > 0 /* a program by the standard ABI gets no handle from a wrong number */
#define NO_HANDLE ((MPI_Comm)0)
#else
#define NO_HANDLE MPI_Comm_f2c(12345)
#endif

static int rank, ranks, handled, told; /* the class of the last error that was handled */

/* The parameters are MPI's. */
static void count_error(MPI_Comm *comm, int *error,
                        ...) /* NOLINT(readability-non-const-parameter) */
{
    (void)comm;
    MPI_Error_class(*error, &told);
    handled++;
}

static void require_class(int error, int wanted)
{
    int class = -1;
    MPI_Error_class(error, &class);
    EXPECT("the class of an error", class, ==, wanted);
}

/* Raises errors after some calls, so that Strata would serve the next ones. */
static void errors(MPI_Comm comm)
{
    MPI_Errhandler handler;
    int value = 1, all = 0;
    for (int i = 0; i < 4; i++) {
        MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, comm);
    }
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    require_class(MPI_Bcast(&value, 1, MPI_INT, ranks, comm), MPI_ERR_ROOT);
    require_class(MPI_Bcast(&value, -1, MPI_INT, 0, comm), MPI_ERR_COUNT);
    require_class(MPI_Bcast(&value, 1, MPI_DATATYPE_NULL, 0, comm), MPI_ERR_TYPE);
    require_class(MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_OP_NULL, comm), MPI_ERR_OP);
    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    handled = 0;
    MPI_Bcast(&value, 1, MPI_INT, ranks, comm);
    EXPECT("one error is handled once", handled, ==, 1);
    MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, comm);
    EXPECT("a call after errors", all, ==, ranks);
}

/* MPI raises the error on MPI_COMM_WORLD, once. The call of MPICH 5.0 by the standard ABI returns
 * MPI_SUCCESS after the handler. */
static void no_communicator(void)
{
    const MPI_Comm none[] = {MPI_COMM_NULL, NO_HANDLE};
    MPI_Errhandler handler;
    int value = 1, all = 0;
    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    for (int i = 0; i < 2; i++) {
        handled = 0;
        MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, none[i]);
        EXPECT("the class of an error", told, ==, MPI_ERR_COMM);
        EXPECT("what is no communicator is one error", handled, ==, 1);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
}

/* Makes a library's last calls, when its attribute of MPI_COMM_SELF is deleted in MPI_Finalize,
 * before or after Strata's end. The parameters are MPI's. */
static int call_last(MPI_Comm self, int key, void *value, void *extra)
{
    MPI_Comm copy;
    (void)self;
    (void)key;
    (void)value;
    (void)extra;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (int i = 0; i < 6; i++) {
        int all = 0;
        MPI_Allreduce(&i, &all, 1, MPI_INT, MPI_SUM, i % 2 ? copy : MPI_COMM_WORLD);
        EXPECT("a call in MPI_Finalize", all, ==, i * ranks);
    }
    MPI_Comm_free(&copy);
    return MPI_SUCCESS;
}

static void call_in_the_end(void)
{
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, call_last, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Comm_free_keyval(&key);
}

static void between_groups(MPI_Comm comm)
{
    MPI_Comm half, inter;
    int value = rank % 2, all = 0, others = ranks / 2 + (rank % 2 ? ranks % 2 : 0);
    MPI_Comm_split(comm, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, comm, 1 - rank % 2, 7, &inter);
    for (int i = 0; i < 4; i++) {
        MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, inter);
        EXPECT("an intercommunicator", all, ==, rank % 2 ? 0 : others);
        MPI_Barrier(inter);
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/* Makes one call on most communicators, three on some, none on others. Up to LIVE exist at a
 * time. */
static void many(MPI_Comm comm, int communicators)
{
    enum { LIVE = 1500 };
    static MPI_Comm live[LIVE];

    for (int i = 0; i < communicators + LIVE; i++) {
        MPI_Comm copy = live[i % LIVE];
        if (i >= LIVE && i - LIVE < communicators) {
            MPI_Comm_free(&copy);
        }
        if (i >= communicators) {
            continue;
        }
        MPI_Comm_dup(comm, &copy);
        live[i % LIVE] = copy;
        for (int call = 0; call < (i % 8 ? i % 2 : 3); call++) {
            int value = i, all = 0;
            MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, copy);
            EXPECT("one of many communicators", all, ==, i * ranks);
        }
    }
}

static void alone(void)
{
    for (int i = 0; i < 3; i++) {
        int value = i, all = -1;
        MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
        EXPECT("one rank alone", all, ==, i);
    }
}

/* x -> a x + b, one after the other; the parameters are MPI's. */
static void compose(void *from, void *into, int *length, MPI_Datatype *type) /* NOLINT */
{
    const unsigned *first = from;
    unsigned *second = into;
    (void)type;
    for (int i = 0; i < 2 * *length; i += 2) {
        second[i + 1] += second[i] * first[i + 1];
        second[i] *= first[i];
    }
}

static void in_order(MPI_Comm comm)
{
    MPI_Datatype pair;
    MPI_Op op;
    unsigned mine[2] = {2 * (unsigned)rank + 3, (unsigned)rank + 1}, all[2], expected[2] = {1, 0};
    MPI_Type_contiguous(2, MPI_UNSIGNED, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(compose, 0, &op);
    for (unsigned r = 0; r < (unsigned)ranks; r++) {
        expected[1] = (2 * r + 3) * expected[1] + r + 1;
        expected[0] *= 2 * r + 3;
    }
    for (int i = 0; i < 3; i++) {
        MPI_Allreduce(mine, all, 1, pair, op, comm);
        EXPECT("an operator of its own", all[0], ==, expected[0]);
        EXPECT("an operator of its own", all[1], ==, expected[1]);
    }
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
}

/* Calls with large counts, where MPI has them, stay MPI's own on all ranks. */
static void large_counts(MPI_Comm comm)
{
#if MPI_VERSION >= 4
    for (int i = 0; i < 3; i++) {
        int value = rank, all = 0;
        MPI_Count one = 1;
        MPI_Allreduce_c(&value, &all, one, MPI_INT, MPI_SUM, comm);
        EXPECT("a large count", all, ==, ranks * (ranks - 1) / 2);
    }
#else
    (void)comm;
#endif
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    call_in_the_end();
    no_communicator();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    errors(comm);
    MPI_Comm_free(&comm);
    between_groups(MPI_COMM_WORLD);
    alone();
    in_order(MPI_COMM_WORLD);
    large_counts(MPI_COMM_WORLD);
    call_in_the_end();
    many(MPI_COMM_WORLD, argc > 1 ? atoi(argv[1]) : 100);
    say_all_right(MPI_COMM_WORLD);
    MPI_Finalize();
    return wrong > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
