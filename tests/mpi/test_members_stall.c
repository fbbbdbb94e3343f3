/* With STRATA_STALL each wait of a thread for another one of its rank says for what, with
 * MPI_THREAD_FUNNELED: to join, to come to a call, to end it; and for the main thread, which calls
 * MPI. In each scene one of two threads comes late, when the other has said so.
 *
 * run: 1 STRATA_STALL=1 STRATA_BCAST=node_bcast
 * run: 1 STRATA_STALL=1 STRATA_BCAST=node_bcast STRATA_WAIT=sleep
 * timeout: 60 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "strata.h"
#include "tests/mpi/require.h"

static struct strata_members *members;
static FILE *heard; /* standard error, meanwhile */

typedef void part(MPI_Comm handle);

/* A scene, played by both threads. */
struct scene {
    part *play;
    bool main_late;
    const char *said;
};

static void read_heard(char *text, size_t size)
{
    const ssize_t bytes = pread(fileno(heard), text, size - 1, 0);
    REQUIRE_CMP(bytes, >=, 0);
    text[bytes] = '\0';
}

static void play(const struct scene *s, bool main)
{
    char said[1024] = "";
    MPI_Comm handle;
    while (main == s->main_late && !strchr(said, '\n')) {
        usleep(10000);
        read_heard(said, sizeof said);
    }
    succeed(strata_members_comm(members, main ? 0 : 1, &handle));
    s->play(handle);
}

static void *play_other(void *scene)
{
    play(scene, false);
    return NULL;
}

static void expect(struct scene *s)
{
    const int usual = dup(STDERR_FILENO);
    char said[1024];
    pthread_t other;
    heard = tmpfile();
    REQUIRE(heard != NULL);
    REQUIRE_CMP(dup2(fileno(heard), STDERR_FILENO), >=, 0);
    pthread_create(&other, NULL, play_other, s);
    play(s, true);
    pthread_join(other, NULL);
    REQUIRE_CMP(dup2(usual, STDERR_FILENO), >=, 0);
    close(usual);
    read_heard(said, sizeof said);
    fclose(heard);
    fprintf(stderr, "%s", said);
    REQUIRE(strstr(said, "strata: rank 0 of MPI_COMM_WORLD has waited 1 s "));
    REQUIRE(strstr(said, s->said));
}

static void join(MPI_Comm handle)
{
    succeed(strata_members_join(members, &handle));
}

static void send(MPI_Comm handle)
{
    int word = 0;
    succeed(strata_bcast(&word, 1, MPI_INT, 0, handle));
}

static void begin(MPI_Comm handle)
{
    struct strata_request *request;
    int word = 0;
    succeed(strata_ibcast(&word, 0, MPI_INT, 0, handle, &request));
    succeed(strata_wait(&request, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    struct scene scenes[] = {
        {join, true, "for the main thread, or all others, to join (strata_members_join)"},
        {begin, true, "for the main thread, which calls MPI for it (MPI_THREAD_FUNNELED)"},
        {begin, false, "for the rank's other threads to end their requests of a call"},
        {send, false, "for the rank's other threads, or other ranks, to come to a call"},
    };
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    REQUIRE_CMP(level, >=, MPI_THREAD_FUNNELED);
    succeed(strata_members_create(MPI_COMM_WORLD, 2, &members));
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++) {
        expect(&scenes[s]);
    }
    succeed(strata_members_free(&members));
    MPI_Finalize();
    return 0;
}
