/* Performance variables of the recorder, as a tool sees them through MPI's interface. Rank 0 comes
 * late to a barrier, so the others stand there.
 *   variables          they stand behind MPI's own
 *   variables none     there are none, where nothing is recorded */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CALLS = 10, BEGUN = 3, LATE = 60000, OURS = 5 };
static const double least = 0.05; /* seconds of LATE that a rank must have stood */

static int rank, wrong;
static MPI_T_pvar_session session;

static void must(bool holds, const char *what)
{
    if (!holds) {
        printf("rank %d: wrong: %s\n", rank, what);
        wrong++;
    }
}

static const struct named {
    const char *name;
    int class;
} named[OURS] = {{"strata_collectives", MPI_T_PVAR_CLASS_COUNTER},
                 {"strata_collectives_by_strata", MPI_T_PVAR_CLASS_COUNTER},
                 {"strata_collectives_by_mpi", MPI_T_PVAR_CLASS_COUNTER},
                 {"strata_time_in_collectives", MPI_T_PVAR_CLASS_TIMER},
                 {"strata_time_in_waits", MPI_T_PVAR_CLASS_TIMER}};

static MPI_T_pvar_handle handle[OURS];

/* Lists all variables. Returns how many have a name of Strata's; *last: the last one of these. */
static int list(int *last)
{
    int number = 0, found = 0;
    must(MPI_T_pvar_get_num(&number) == MPI_SUCCESS, "how many there are");
    for (int i = 0; i < number; i++) {
        char name[256] = "", text[1024];
        int lengths[2] = {sizeof name, sizeof text}, level, class, bind, fixed, runs, at, again;
        MPI_Datatype type;
        MPI_T_enum values;
        const int error = MPI_T_pvar_get_info(i, name, &lengths[0], &level, &class, &type, &values,
                                              text, &lengths[1], &bind, &fixed, &runs, &at);
        if (error == MPI_SUCCESS && strncmp(name, "strata_", 7) == 0) {
            found++;
            *last = i;
            must(lengths[0] == (int)strlen(name) + 1 && text[0], "name and description");
            must(fixed && runs && bind == MPI_T_BIND_NO_OBJECT, "what it allows");
            must(MPI_T_pvar_get_index(name, class, &again) == MPI_SUCCESS && again == i, "index");
        }
    }
    return found;
}

/* No category has one of Strata's, and all that it has are there. */
static void look_into_categories(void)
{
    enum { MOST = 256 };
    int categories = 0;
    MPI_T_category_get_num(&categories);
    for (int i = 0; i < categories; i++) {
        char name[256] = "";
        int length = sizeof name, none = 0, others, count = 0, again, indices[MOST];
        MPI_T_category_get_info(i, name, &length, NULL, &none, &others, &count, &again);
        count = count < MOST ? count : MOST;
        MPI_T_category_get_pvars(i, count, indices);
        for (int k = 0; k < count; k++) {
            int level, class, bind, fixed, runs, at;
            MPI_Datatype type;
            MPI_T_enum values;
            length = sizeof name;
            none = 0;
            must(MPI_T_pvar_get_info(indices[k], name, &length, &level, &class, &type, &values,
                                     NULL, &none, &bind, &fixed, &runs, &at) == MPI_SUCCESS &&
                     strncmp(name, "strata_", 7) != 0,
                 "a category's");
        }
    }
}

static void take_handles(void)
{
    int first = 0, count = 0;
    for (int i = 0; i < OURS; i++) {
        int index;
        must(MPI_T_pvar_get_index(named[i].name, named[i].class, &index) == MPI_SUCCESS, "found");
        must(MPI_T_pvar_handle_alloc(session, index, NULL, &handle[i], &count) == MPI_SUCCESS &&
                 count == 1,
             "a handle");
        first = i == 0 ? index : first;
    }
    must(MPI_T_pvar_handle_alloc(MPI_T_PVAR_SESSION_NULL, first, NULL, &handle[0], &count) ==
             MPI_T_ERR_INVALID_SESSION,
         "no session");
    must(MPI_T_pvar_start(session, handle[0]) == MPI_T_ERR_PVAR_NO_STARTSTOP, "start");
    must(MPI_T_pvar_reset(session, handle[0]) == MPI_T_ERR_PVAR_NO_WRITE, "reset");
}

static void call(void)
{
    MPI_Request request;
    int one = 1, sum;
    for (int i = 0; i < CALLS; i++) {
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    for (int i = 0; i < BEGUN; i++) {
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    usleep(rank == 0 ? LATE : 0);
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(rank == 0 ? LATE : 0);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void judge(void)
{
    unsigned long long count[3];
    double time[2];
    for (int i = 0; i < 3; i++) {
        must(MPI_T_pvar_read(session, handle[i], &count[i]) == MPI_SUCCESS, "read");
    }
    for (int i = 0; i < 2; i++) {
        must(MPI_T_pvar_read(session, handle[3 + i], &time[i]) == MPI_SUCCESS, "read a time");
    }
    must(count[0] == CALLS + BEGUN + 2, "collectives");
    must(count[1] + count[2] == count[0] && count[2] > BEGUN, "what served them");
    must(rank == 0 || (time[0] > least && time[1] > least), "the time of those that waited");
    must(time[0] + time[1] < 60, "no time without end");
    for (int i = 0; i < OURS; i++) {
        must(MPI_T_pvar_handle_free(session, &handle[i]) == MPI_SUCCESS &&
                 handle[i] == MPI_T_PVAR_HANDLE_NULL,
             "freed");
    }
}

int main(int argc, char **argv)
{
    int level, before = -1, last = -1, number = 0, index;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    const int early = list(&before); /* MPI may add some of its own in MPI_Init */
    look_into_categories();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_T_pvar_session_create(&session);
    const int found = list(&last);
    MPI_T_pvar_get_num(&number);
    must(early == found && before == last, "they stay where they are");
    if (argc > 1) {
        must(found == 0 &&
                 MPI_T_pvar_get_index(named[0].name, named[0].class, &index) != MPI_SUCCESS,
             "none");
    } else {
        must(found == OURS, "five");
        take_handles();
        call();
        judge();
    }
    MPI_T_pvar_session_free(&session);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_T_finalize(); /* behind MPI_Finalize Open MPI 4 crashes in it by itself */
    MPI_Finalize();
    if (rank == 0 && !wrong) {
        printf("all right: %d of MPI's own, %d of Strata\n", number - found, found);
    }
    return wrong > 0;
}
