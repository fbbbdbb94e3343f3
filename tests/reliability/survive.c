/* Ranks fail one after the other, by kill -9 somewhere in a call (faulting.c), and the others go
 * on: each of them gets an error of a failed rank, they shrink the communicator, and plans serve
 * the new one at once. Half of the times every survivor revokes the communicator first. The other
 * times nobody does, so each survivor must notice by itself.
 *
 *   survive SEED WAY       the calls are made in one of these ways:
 *       blocking           Strata's calls that block
 *       nonblocking        up to four requests at once
 *       persistent         up to four requests, which are started again and again, also when a rank
 *                          has died
 *       chain              a chain, and parts of it
 *       members            two threads of each rank, on one of the three levels of threads
 *       preloaded          calls of MPI's names alone, under the preload library
 *       alone              the same without it: what goes wrong here is MPI's
 *   survive SEED revoked   no rank fails: one revokes the communicator between two calls
 *   survive asked          does nothing
 *
 * A rank that has not ended after 40 seconds prints where it stands, and stands on.
 *
 * All exit with 77 where MPI has no User Level Failure Mitigation. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <execinfo.h>
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#if defined OPEN_MPI && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/strata.h"
#include "tests/random.h"
#include "tests/reliability/faulting.h"

#pragma weak faulting_arm

#ifndef OMPI_HAVE_MPI_EXT_FTMPI
int main(void)
{
    printf("not run, because this MPI is no Open MPI whose ranks survive a failed one (from "
           "version 5 on)\n");
    return 77;
}
#else

/* The last call is strata_alloc. No rank dies in it: MPI_Comm_split of Open MPI 5.0.7 may then wait
 * for ever, whatever the others revoke. */
enum { MOST = 16, LONG = 20000, CALLS = 6, SURVIVED = CALLS - 1, LEAST = 3 };
enum { OPEN = 4, SLOT = MOST * LONG / OPEN }; /* calls that are open at once; ints of each */

static int from[MOST * LONG], to[MOST * LONG];
static int here = -1, all;   /* this rank and the ranks, in the last communicator */
static int kinds = SURVIVED; /* of calls */
static const char *volatile doing = "starts";

/* By functions that a signal handler may call, once backtrace has been called before. */
static void tell(int signal)
{
    void *frames[40];
    (void)signal;
    dprintf(STDERR_FILENO, "rank %d stands still: it %s\n", here, doing);
    backtrace_symbols_fd(frames, backtrace(frames, 40), STDERR_FILENO);
}

static void tell_later(void)
{
    enum { LATE = 40 };
    void *frame;
    backtrace(&frame, 1); /* loads what it needs */
    signal(SIGALRM, tell);
    alarm(LATE);
}

static void lose(const char *what, int got, int wanted)
{
    fprintf(stderr, "lost: %s: %d, not %d\n", what, got, wanted);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void expect(const char *what, int got, int wanted)
{
    if (got != wanted) {
        lose(what, got, wanted);
    }
}

/* How a call is made. A call that is begun or described leaves a request. A plain one is MPI's. */
enum form { BLOCKING, PLAIN, BEGUN, DESCRIBED };

struct work {
    enum form form;
    int which, length, root, salt;
    int rank, ranks;
    int *from, *to;
    struct strata_request *request;
};

/* Draws a call, which is the same on all ranks. Calls that are open at once have slots of their
 * own. */
static void draw(struct work *w, enum form form, int slot, struct random *r, int rank, int ranks)
{
    const int longest = LONG / 2 < SLOT / ranks ? LONG / 2 : SLOT / ranks;
    *w = (struct work){.form = form,
                       .from = from + slot * SLOT,
                       .to = to + slot * SLOT,
                       .rank = rank,
                       .ranks = ranks};
    w->which = random_below(r, kinds);
    w->length = random_one_in(r, 4) ? longest : random_between(r, 1, 200);
    w->root = random_below(r, ranks);
}

static void fill(struct work *w, int salt)
{
    w->salt = salt;
    for (int i = 0; i < w->length * w->ranks; i++) {
        w->from[i] = salt + w->rank + i % w->length;
        w->to[i] = w->which == 2 && w->rank == w->root ? salt + i : -1;
    }
}

/* Looks at the result of a call that has ended without an error. */
static void check(const struct work *w)
{
    const int *got = w->to, length = w->length, ranks = w->ranks, salt = w->salt;
    for (int i = 0; w->which == 0 && i < length; i++) {
        expect("a sum", got[i], ranks * (salt + i) + ranks * (ranks - 1) / 2);
    }
    for (int i = 0; (w->which == 1 || w->which == 3) && i < length * ranks; i++) {
        expect("an exchange or a gathering", got[i], salt + i / length + i % length);
    }
    for (int i = 0; w->which == 2 && i < length; i++) {
        expect("a broadcast", got[i], salt + i);
    }
}

static void enter(MPI_Comm comm)
{
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &here);
    MPI_Comm_size(comm, &all);
}

/* Memory that the others have mapped, too. A rank that has it gives it back, also where another one
 * fails meanwhile. */
static int share(MPI_Comm comm, int length, int salt)
{
    int *memory = NULL;
    int error = strata_alloc(length * (MPI_Aint)sizeof *memory, comm, &memory);
    if (error == MPI_SUCCESS) {
        memory[length - 1] = salt;
        error = strata_barrier(comm);
        expect("memory of all", memory[length - 1], salt);
        expect("the code of giving it back", strata_free(memory), MPI_SUCCESS);
    }
    return error;
}

#define IN_FORM(name, mpi_name, ...)                                                               \
    (w->form == BLOCKING ? strata_##name(__VA_ARGS__)                                              \
     : w->form == PLAIN  ? MPI_##mpi_name(__VA_ARGS__)                                             \
     : w->form == BEGUN  ? strata_i##name(__VA_ARGS__, &w->request)                                \
                         : strata_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &w->request))

/* Returns MPI's code. */
static int make(struct work *w, MPI_Comm comm)
{
    switch (w->which) {
    case 0:
        return IN_FORM(allreduce, Allreduce, w->from, w->to, w->length, MPI_INT, MPI_SUM, comm);
    case 1:
        return IN_FORM(alltoall, Alltoall, w->from, w->length, MPI_INT, w->to, w->length, MPI_INT,
                       comm);
    case 2:
        return IN_FORM(bcast, Bcast, w->to, w->length, MPI_INT, w->root, comm);
    case 3:
        return IN_FORM(allgather, Allgather, w->from, w->length, MPI_INT, w->to, w->length, MPI_INT,
                       comm);
    case 4:
        return IN_FORM(barrier, Barrier, comm);
    default:
        return share(comm, w->length, w->salt);
    }
}

static bool is_failure(int error)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(error, &class);
    return class == MPIX_ERR_PROC_FAILED || class == MPIX_ERR_REVOKED;
}

/* The error of a call or a request is none, or one of a failed rank. */
static int judge(const char *what, int error)
{
    if (error != MPI_SUCCESS && !is_failure(error)) {
        lose(what, error, MPIX_ERR_PROC_FAILED);
    }
    return error;
}

/* Makes calls until a rank fails, or so many, and returns MPI's code. It has freed what it made. */
typedef int serve(MPI_Comm comm, struct random *r, int most);

struct way {
    const char *name;
    serve *serve;
    enum form form; /* of calls that block */
};

static const struct way *way;

static void count_calls(int calls)
{
    if (calls > 100000) {
        lose("calls without a failed rank", calls, 0);
    }
}

/* Blocking calls, until a rank fails, or so many calls. */
static int block(MPI_Comm comm, struct random *r, int most)
{
    int error = MPI_SUCCESS;
    doing = "makes calls";
    for (int i = 0; error == MPI_SUCCESS && i < most; i++) {
        struct work w;
        draw(&w, way->form, 0, r, here, all);
        fill(&w, random_below(r, 1000));
        error = make(&w, comm);
        if (error == MPI_SUCCESS) {
            check(&w);
        }
        count_calls(i);
    }
    return error;
}

/* Completes the calls in one of four ways, which look at different requests first. */
static void complete(int count, struct strata_request *requests[], int *codes, int how)
{
    MPI_Status statuses[OPEN];
    int flag = 0, error = MPI_SUCCESS, failed = 0;
    for (int i = 0; how < 2 && i < count; i++) {
        const int k = how == 0 ? i : count - 1 - i;
        codes[k] = strata_wait(&requests[k], MPI_STATUS_IGNORE);
    }
    for (int i = 0, k; how == 2 && i < count; i++) {
        error = strata_waitany(count, requests, &k, MPI_STATUS_IGNORE);
        expect("a request is left", k >= 0 && k < count, true);
        codes[k] = error;
    }
    while (how == 3 && !flag) {
        error = strata_testall(count, requests, &flag, statuses);
    }
    for (int i = 0; how == 3 && i < count; i++) {
        codes[i] = statuses[i].MPI_ERROR;
        failed += codes[i] != MPI_SUCCESS;
    }
    expect("errors in statuses", how == 3 && error == MPI_ERR_IN_STATUS, failed > 0);
}

/* Ends the calls that have begun. Returns an error of one, or none. */
static int finish(int count, struct work *w, struct random *r)
{
    struct strata_request *requests[OPEN];
    int codes[OPEN] = {MPI_SUCCESS}, error = MPI_SUCCESS;
    for (int i = 0; i < count; i++) {
        requests[i] = w[i].request;
    }
    doing = "waits for requests";
    complete(count, requests, codes, random_below(r, 4));
    for (int i = 0; i < count; i++) {
        expect("the request is there", requests[i] != NULL, w[i].form == DESCRIBED);
        w[i].request = requests[i];
        if (judge("the error of a request", codes[i]) == MPI_SUCCESS) {
            check(&w[i]);
        }
        error = error == MPI_SUCCESS ? codes[i] : error;
    }
    return error;
}

/* Some ranks come late, so a call begins when a rank that it waits for is dead already. */
static void dawdle(const struct work *w)
{
    if ((w->salt + w->rank) % 16 == 0) {
        usleep(2000);
    }
}

/* Some calls at once, which do not block. Their nodes have memory, as those of all others. */
static int begin(MPI_Comm comm, struct random *r, int most)
{
    int error;
    doing = "attaches";
    error = strata_comm_attach(comm, "iallreduce");
    for (int i = 0; error == MPI_SUCCESS && i < most; i++) {
        struct work w[OPEN];
        const int count = random_between(r, 1, OPEN);
        int begun = 0, ended;
        while (error == MPI_SUCCESS && begun < count) {
            doing = "begins calls";
            draw(&w[begun], BEGUN, begun, r, here, all);
            fill(&w[begun], random_below(r, 1000));
            dawdle(&w[begun]);
            error = make(&w[begun], comm);
            expect("a request has begun", w[begun].request != NULL, error == MPI_SUCCESS);
            begun += error == MPI_SUCCESS;
        }
        ended = finish(begun, w, r);
        error = error == MPI_SUCCESS ? ended : error;
        count_calls(i);
    }
    return error;
}

/* Starts all, and ends those that have started. A rank that has an error has one again. */
static int start_all(int count, struct work *w, struct random *r)
{
    int started = 0, ended, error = MPI_SUCCESS;
    while (error == MPI_SUCCESS && started < count) {
        doing = "starts requests";
        fill(&w[started], random_below(r, 1000));
        dawdle(&w[started]);
        error = strata_start(&w[started].request);
        started += error == MPI_SUCCESS;
    }
    ended = finish(started, w, r);
    error = error == MPI_SUCCESS ? ended : error;
    for (int i = 0; error != MPI_SUCCESS && i < count; i++) {
        doing = "starts requests that have failed";
        const int again = strata_start(&w[i].request);
        expect("the error of a later start or its wait",
               is_failure(again ? again : strata_wait(&w[i].request, MPI_STATUS_IGNORE)), true);
    }
    return error;
}

static int describe(MPI_Comm comm, struct random *r, int most)
{
    int error = MPI_SUCCESS;
    for (int i = 0; error == MPI_SUCCESS && i < most; i++) {
        struct work w[OPEN];
        const int count = random_between(r, 1, OPEN), starts = random_between(r, 1, 30);
        int described = 0;
        while (error == MPI_SUCCESS && described < count) {
            doing = "describes calls";
            draw(&w[described], DESCRIBED, described, r, here, all);
            error = make(&w[described], comm);
            described += error == MPI_SUCCESS;
        }
        for (int k = 0; error == MPI_SUCCESS && k < starts; k++) {
            error = start_all(count, w, r);
        }
        for (int k = 0; k < described; k++) {
            expect("freeing a request", strata_request_free(&w[k].request), MPI_SUCCESS);
            expect("the request is freed", w[k].request == NULL, true);
        }
        count_calls(i);
    }
    return error;
}

/* Splits the chain into its even and its odd ranks, and adds along one of them. */
static int split(struct strata_chain *chain, struct work *w)
{
    struct strata_chain *half = NULL;
    const int32_t colour = w->rank % 2;
    const struct strata_split_value value = {&colour, sizeof colour, strata_compare_int32,
                                             strata_hash_bytes, NULL};
    int sum = -1, error = strata_chain_split(chain, &value, NULL, NULL, 0, &half);
    if (error == MPI_SUCCESS) {
        error = strata_chain_allreduce(&w->salt, &sum, 1, MPI_INT, MPI_SUM, half);
        if (error == MPI_SUCCESS) {
            expect("a sum along a part", sum, w->salt * ((w->ranks + 1 - colour) / 2));
        }
        expect("freeing a part", strata_chain_free(&half), MPI_SUCCESS);
    }
    return error;
}

static int make_along(struct strata_chain *chain, struct work *w)
{
    switch (w->which) {
    case 0:
        return strata_chain_allreduce(w->from, w->to, w->length, MPI_INT, MPI_SUM, chain);
    case 1:
        return split(chain, w);
    case 2:
        return strata_chain_bcast(w->to, w->length, MPI_INT, w->root, chain);
    case 3:
        return strata_chain_allgather(w->from, w->to, w->length, MPI_INT, chain);
    default:
        return strata_chain_barrier(chain);
    }
}

static int go_along(MPI_Comm comm, struct random *r, int most)
{
    struct strata_chain *chain = NULL;
    doing = "makes a chain";
    int error = strata_chain_create(comm, &chain);
    doing = "makes calls along a chain";
    for (int i = 0; error == MPI_SUCCESS && i < most; i++) {
        struct work w;
        draw(&w, BLOCKING, 0, r, here, all);
        fill(&w, random_below(r, 1000));
        dawdle(&w);
        error = make_along(chain, &w);
        if (error == MPI_SUCCESS && w.which != 1) {
            check(&w);
        }
        count_calls(i);
    }
    expect("freeing a chain", strata_chain_free(&chain), MPI_SUCCESS);
    return error;
}

/* A thread that is a member. */
struct member {
    MPI_Comm handle;
    struct random r;
    int slot, most, rank, ranks, error;
};

static pthread_barrier_t meet;

/* Both threads of a rank make a call, and end where one has an error. */
static void *be_member(void *argument)
{
    struct member *m = argument, *other = m + (m->slot == 0 ? 1 : -1);
    bool over = false;
    for (int i = 0; !over && i < m->most; i++) {
        struct work w;
        draw(&w, random_one_in(&m->r, 2) ? BLOCKING : BEGUN, m->slot, &m->r, m->rank, m->ranks);
        fill(&w, random_below(&m->r, 1000));
        m->error = make(&w, m->handle);
        if (m->error == MPI_SUCCESS && w.form == BEGUN) {
            m->error = strata_wait(&w.request, MPI_STATUS_IGNORE);
        }
        expect("the request of a member is gone", w.request == NULL, true);
        if (m->error == MPI_SUCCESS) {
            check(&w);
        }
        count_calls(i);
        pthread_barrier_wait(&meet);
        over = m->error != MPI_SUCCESS || other->error != MPI_SUCCESS;
        pthread_barrier_wait(&meet);
    }
    return NULL;
}

/* Two threads of each rank are members. A thread that may not call MPI cannot ask it for the class
 * of its error. */
static int join(MPI_Comm comm, struct random *r, int most)
{
    struct strata_members *members = NULL;
    struct member both[2];
    pthread_t second;
    int level, error;
    doing = "makes members";
    error = strata_members_create(comm, 2, &members);
    if (error != MPI_SUCCESS) {
        return error;
    }
    for (int t = 0; t < 2; t++) {
        both[t] = (struct member){.r = *r, .slot = t, .most = most};
        expect("a handle", strata_members_comm(members, t, &both[t].handle), MPI_SUCCESS);
        strata_members_rank(both[t].handle, &both[t].rank);
        strata_members_size(both[t].handle, &both[t].ranks);
    }
    doing = "makes calls of members";
    pthread_barrier_init(&meet, NULL, 2);
    expect("making a thread", pthread_create(&second, NULL, be_member, &both[1]), 0);
    be_member(&both[0]);
    pthread_join(second, NULL);
    pthread_barrier_destroy(&meet);
    MPI_Query_thread(&level);
    if (level == MPI_THREAD_FUNNELED && both[1].error == MPI_ERR_OTHER) {
        both[1].error = MPIX_ERR_PROC_FAILED;
    }
    judge("the error of the first thread", both[0].error);
    judge("the error of the second thread", both[1].error);
    expect("freeing members", strata_members_free(&members), MPI_SUCCESS);
    return both[0].error != MPI_SUCCESS ? both[0].error : both[1].error;
}

static int last_call = INT_MAX; /* of a rank that dies by itself */

/* MPI alone, in communicators like those that Strata makes. */
static int be_alone(MPI_Comm comm, struct random *r, int most)
{
    enum { EACH = 40 };
    MPI_Comm own = MPI_COMM_NULL;
    int error = MPI_SUCCESS;
    doing = "makes MPI's calls";
    for (int i = 0; error == MPI_SUCCESS && i < most; i++) {
        struct work w;
        MPI_Request request = MPI_REQUEST_NULL;
        if (i % EACH == 0) {
            MPI_Group group;
            MPI_Comm_group(comm, &group);
            error = MPI_Comm_create(comm, group, &own);
            MPI_Group_free(&group);
            if (error == MPI_SUCCESS) {
                MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
            }
        }
        if (i == last_call) {
            raise(SIGKILL);
        }
        draw(&w, PLAIN, 0, r, here, all);
        fill(&w, random_below(r, 1000));
        if (error == MPI_SUCCESS && random_one_in(r, 2)) {
            error = make(&w, own);
        } else if (error == MPI_SUCCESS) {
            int done = 0;
            error = MPI_Iallreduce(w.from, w.to, w.length, MPI_INT, MPI_SUM, comm, &request);
            while (error == MPI_SUCCESS && !done) {
                error = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            }
        }
    }
    return error;
}

static const struct way ways[] = {
    {"blocking", block, BLOCKING},      {"nonblocking", begin, BLOCKING},
    {"persistent", describe, BLOCKING}, {"chain", go_along, BLOCKING},
    {"members", join, BLOCKING},        {"preloaded", block, PLAIN},
    {"alone", be_alone, PLAIN}};
enum { WAYS = sizeof ways / sizeof *ways };

static int natives;

/* MPI's own, which the preload library leaves a call to. */
int PMPI_Allgather(const void *mine, int count, MPI_Datatype type, void *into, int counts,
                   MPI_Datatype types, MPI_Comm comm)
{
    static __typeof__(&PMPI_Allgather) next;
    if (!next) {
        *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Allgather");
    }
    natives++;
    return next(mine, count, type, into, counts, types, comm);
}

/* The preload library attaches a communicator at its second call. */
static void look_at_plain(MPI_Comm comm)
{
    struct work w = {PLAIN, 3, 3, .from = from, .to = to, .rank = here, .ranks = all};
    fill(&w, 1);
    expect("the code of the second call", MPI_Barrier(comm), MPI_SUCCESS);
    natives = 0;
    expect("the code of the third call", make(&w, comm), MPI_SUCCESS);
    expect("calls of MPI's own", natives, 0);
}

static void look_at_plan(MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    expect("the code of a report", strata_comm_report(comm, &report), MPI_SUCCESS);
    expect("the standing", (int)report.standing, (int)STRATA_STANDING_ATTACHED);
    if (all > 1 && strcmp(report.algorithm, "native") == 0) {
        fprintf(stderr, "%s\n", report.why);
        lose("a plan serves", 0, 1);
    }
}

/* A communicator that was just made is attached at its first calls, and plans serve them. */
static void look(MPI_Comm comm)
{
    struct work w = {way->form, 0, 3, .from = from, .to = to, .rank = here, .ranks = all};
    struct random r = {1};
    if (way->serve == be_alone) {
        return;
    }
    if (way->serve != block) {
        expect("the code of the first calls", way->serve(comm, &r, 1), MPI_SUCCESS);
        look_at_plan(comm);
    }
    doing = "makes the first call";
    fill(&w, 1);
    expect("the code of the first call", make(&w, comm), MPI_SUCCESS);
    check(&w);
    (way->form == PLAIN ? look_at_plain : look_at_plan)(comm);
}

static void end(MPI_Comm comm, int survived)
{
    if (here == 0) {
        printf("all right: %d\n", survived);
        fflush(stdout);
    }
    doing = "ends";
    MPI_Barrier(comm);
    _exit(0); /* Open MPI 5.0.7 may hang in MPI_Finalize after a failure, without Strata too */
}

/* One rank leaves the others, who wait for it or are in MPI. Nobody else ends their calls. */
static void survive_revocation(MPI_Comm comm, struct random *r)
{
    enum { ROUNDS = 4 };
    kinds = CALLS;
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Comm next;
        int class = MPI_SUCCESS;
        const int revoker = random_below(r, all), most = random_between(r, 0, 40);
        struct random calls = *r;
        MPI_Error_class(block(comm, &calls, here == revoker ? most : INT_MAX), &class);
        doing = "revokes and shrinks";
        if (here == revoker) {
            MPIX_Comm_revoke(comm);
        } else {
            expect("the class of the error", class, MPIX_ERR_REVOKED);
        }
        expect("shrinking", MPIX_Comm_shrink(comm, &next), MPI_SUCCESS);
        doing = "frees the old communicator";
        enter(next);
        MPI_Comm_free(&comm);
        comm = next;
        random_next(r);
        look(comm);
        MPI_Barrier(comm); /* as in survive */
    }
    end(comm, ROUNDS);
}

static void survive(MPI_Comm comm, struct random *r)
{
    int failures = 0;
    while (all > LEAST) {
        MPI_Comm next;
        int class = MPI_SUCCESS;
        const int before = all, victim = random_below(r, all);
        const int farthest = way->serve == block ? 3000 : way->serve == join ? 300 : 1000;
        const int step =
            random_one_in(r, 3) ? random_between(r, 1, 60) : random_between(r, 1, farthest);
        if (random_one_in(r, 2)) {
            look(comm);
        }
        MPI_Barrier(comm); /* none dies before all have looked */
        if (here == victim && way->serve == be_alone) {
            last_call = step % 60;
        } else if (here == victim) {
            faulting_arm("kill", step);
        }
        const bool revoke = random_one_in(r, 2);
        struct random calls = *r;
        MPI_Error_class(way->serve(comm, &calls, INT_MAX), &class);
        if (class != MPIX_ERR_PROC_FAILED && !(revoke && class == MPIX_ERR_REVOKED)) {
            lose("the class of the error", class, MPIX_ERR_PROC_FAILED);
        }
        doing = revoke ? "revokes and shrinks" : "shrinks";
        if (revoke) {
            MPIX_Comm_revoke(comm);
        }
        expect("shrinking", MPIX_Comm_shrink(comm, &next), MPI_SUCCESS);
        doing = "frees the old communicator";
        enter(next);
        expect("ranks that are left", all, before - 1);
        MPI_Comm_free(&comm);
        comm = next;
        failures++;
        random_next(r);
        look(comm);
    }
    end(comm, failures);
}

static const struct way *find_way(const char *name)
{
    for (int i = 0; i < WAYS; i++) {
        if (strcmp(name, ways[i].name) == 0) {
            return &ways[i];
        }
    }
    fprintf(stderr, "lost: there is no way %s\n", name);
    exit(2);
}

/* Members, and MPI alone, are on each of the three levels in turn. */
static void begin_mpi(int *argc, char ***argv)
{
    static const int levels[] = {MPI_THREAD_MULTIPLE, MPI_THREAD_SERIALIZED, MPI_THREAD_FUNNELED};
    const bool turns = way->serve == join || way->serve == be_alone;
    const int wanted = turns ? levels[atol((*argv)[1]) % 3] : MPI_THREAD_SINGLE;
    int level;
    MPI_Init_thread(argc, argv, wanted, &level);
    if (level < wanted) {
        lose("the level of threads", level, wanted);
    }
}

int main(int argc, char **argv)
{
    const char *word = argc > 2 ? argv[2] : "";
    const bool revoked = strcmp(word, "revoked") == 0;
    struct random r = {random_mix(argc > 1 ? strtoull(argv[1], NULL, 10) : 1)};
    MPI_Comm comm;
    if (argc > 1 && strcmp(argv[1], "asked") == 0) {
        return 0;
    }
    way = revoked ? ways : find_way(word);
    tell_later();
    begin_mpi(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    enter(comm);
    /* A rank of Open MPI 6.0.0rc2 crashes in MPI_Comm_dup when another one revokes the new
     * communicator meanwhile, with MPI alone too. */
    MPI_Barrier(comm);
    (revoked ? survive_revocation : survive)(comm, &r);
    return 1;
}
#endif
