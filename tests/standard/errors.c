/* Sections 9.3 and 9.4: arguments that are wrong on all ranks alike, errors returned and caught,
 * and the call after the error. */
#include <stdio.h>

#include "standard.h"

static int caught, caught_class;
static MPI_Comm caught_on;

static void handler(MPI_Comm *comm, int *code, ...)
{
    caught++;
    caught_on = *comm;
    MPI_Error_class(*code, &caught_class);
}

/* Makes a wrong call under the present handler, then a right one. */
static void try_wrong(struct call wrong, const char *about)
{
    char text[96];
    struct call right = {.collective = wrong.collective, .sent = 4, .comm = wrong.comm};
    MPI_Errhandler own;
    MPI_Comm_set_errhandler(wrong.comm, MPI_ERRORS_RETURN);
    snprintf(text, sizeof text, "%s, returned", about);
    try_call(&wrong, "9.4", text);
    MPI_Comm_create_errhandler(handler, &own);
    MPI_Comm_set_errhandler(wrong.comm, own);
    caught = caught_class = 0;
    fill_buffers(&wrong);
    make_call(&wrong);
    snprintf(text, sizeof text, "%s, caught", about);
    print_case(&wrong, "9.3.1", text,
               100 * caught + caught_class + 10000 * (caught && caught_on == wrong.comm));
    MPI_Errhandler_free(&own);
    snprintf(text, sizeof text, "%s, and a right call after", about);
    try_call(&right, "9.3", text);
}

void try_errors(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int c = BCAST; c < COLLECTIVES; c++) {
        struct call call = {.collective = c, .sent = 4, .comm = comm};
        struct call wrong = call;
        wrong.sent = -1;
        if (!is_mpich() || !info[c].reduces) { /* its reductions take it for a length, and die */
            try_wrong(wrong, "a negative count");
        }
        wrong = call;
        wrong.root = -77;
        if (info[c].rooted) {
            try_wrong(wrong, "a root that is no rank");
        }
    }
    for (int c = REDUCE; c < COLLECTIVES; c++) {
        struct call wrong = {.collective = c,
                             .sent = 4,
                             .comm = comm,
                             .sent_type = MPI_FLOAT,
                             .taken_type = MPI_FLOAT,
                             .op = MPI_BAND};
        try_wrong(wrong, "an operator that is not for the type");
    }
    MPI_Comm_free(&comm);
}
