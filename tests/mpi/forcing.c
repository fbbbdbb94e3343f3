#include "tests/mpi/forcing.h"

#include <string.h>

#include "include/strata.h"
#include "tests/mpi/require.h"
#include "tests/rows.h"

/* NULL: by cost. */
static void force(MPI_Comm comm, enum strata_collective collective,
                  const struct strata_algorithm *row, const int *parameter)
{
    char text[96] = "auto";
    if (row) {
        strata_algorithm_name(row, parameter, text, sizeof text);
    }
    REQUIRE(strata_comm_force(comm, strata_collective_name(collective), text) == MPI_SUCCESS);
}

/* Each parameter open, as selection tries it, or small. */
static void draw_parameters(struct random *r, const struct strata_algorithm *row, int *value)
{
    for (int i = 0; i < STRATA_PARAMETERS && row->parameters[i].name; i++) {
        const struct strata_parameter *p = &row->parameters[i];
        bool open = p->automatic == 0 && random_one_in(r, 3);
        value[i] = open ? 0 : random_between(r, p->least, row_most_drawn(p, 6));
    }
}

/* "name" or "name:parameter=..." */
static bool is_named(const char *algorithm, const char *name)
{
    size_t length = strlen(name);
    return strncmp(algorithm, name, length) == 0 &&
           (algorithm[length] == '\0' || algorithm[length] == ':');
}

/* Whether a plan served the last call; if not, the report must say why not. */
static bool served(MPI_Comm comm, const struct strata_algorithm *row)
{
    struct strata_report report = {.size = sizeof report};
    REQUIRE(strata_comm_report(comm, &report) == MPI_SUCCESS);
    if (!row || is_named(report.algorithm, row->name)) {
        return strcmp(report.algorithm, "native") != 0;
    }
    bool explained = is_named(report.algorithm, "native") && strstr(report.why, "MPI's own: ");
    if (!explained) {
        fprintf(stderr, "forced %s, served by %s: %s\n", row->name, report.algorithm, report.why);
    }
    REQUIRE(explained);
    return false;
}

/* Whether it serves some operands only; or else nobody knows which row it will be. */
static bool is_choosy(const struct strata_algorithm *row)
{
    return !row || strstr(row->restrictions, "operands without gaps");
}

static int force_row(MPI_Comm comm, enum strata_collective collective,
                     const struct strata_algorithm *row, int calls, uint64_t seed,
                     forced_call *call)
{
    struct random r = {seed};
    int count = 0;
    for (int i = 0; i < calls; i++) {
        int parameter[STRATA_PARAMETERS] = {0};
        if (row) {
            draw_parameters(&r, row, parameter);
        }
        force(comm, collective, row, parameter);
        uint64_t own = random_next(&r);
        call(comm, collective, own, true);
        if (served(comm, row)) {
            call(comm, collective, own, is_choosy(row)); /* or MPI's own would get the others */
            bool again = served(comm, row);
            REQUIRE(again || is_choosy(row));
            count += 1 + again;
        }
    }
    return count;
}

int force_all(MPI_Comm parent, enum strata_collective collective, int calls, uint64_t seed,
              forced_call *call)
{
    const struct strata_algorithm *row;
    int count = 0;
    MPI_Comm comm;
    MPI_Comm_dup(parent, &comm);
    count += force_row(comm, collective, NULL, calls, random_mix(seed), call);
    for (int i = 0; (row = strata_registry_at(i)); i++) {
        if (row_serves(row, collective)) {
            uint64_t own = random_mix(seed + 1000003u * (uint64_t)(i + 1));
            count += force_row(comm, collective, row, calls, own, call);
        }
    }
    MPI_Comm_free(&comm);
    return count;
}
