/* Section 19.3: one program in C and Fortran, with its types, and handles that go there and
 * back. */
#include <stdio.h>

#include "standard.h"

void try_languages(void)
{
    const struct {
        const char *name;
        MPI_Datatype type;
        MPI_Op op;
    } types[] = {
        {"MPI_INTEGER", MPI_INTEGER, MPI_SUM},
        {"MPI_REAL", MPI_REAL, MPI_SUM},
        {"MPI_DOUBLE_PRECISION", MPI_DOUBLE_PRECISION, MPI_PROD},
        {"MPI_COMPLEX", MPI_COMPLEX, MPI_SUM},
        {"MPI_DOUBLE_COMPLEX", MPI_DOUBLE_COMPLEX, MPI_PROD},
        {"MPI_2INTEGER", MPI_2INTEGER, MPI_MAXLOC},
        {"MPI_2REAL", MPI_2REAL, MPI_MINLOC},
    };
    char about[96];

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        for (int c = REDUCE; c < COLLECTIVES; c++) {
            struct call call = {.collective = c,
                                .sent = 6,
                                .sent_type = types[i].type,
                                .taken_type = types[i].type,
                                .op = types[i].op};
            call.comm = MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD));
            call.sent_type = call.taken_type = MPI_Type_f2c(MPI_Type_c2f(types[i].type));
            call.op = MPI_Op_f2c(MPI_Op_c2f(types[i].op));
            snprintf(about, sizeof about, "Fortran's %s", types[i].name);
            try_call(&call, "19.3.4", about);
        }
    }
}
