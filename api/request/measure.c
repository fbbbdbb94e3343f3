#include "api/request/measure.h"

#include <string.h>

#include "api/attach/settings.h"
#include "api/call/execute.h"
#include "api/call/problem.h"
#include "api/call/rehearsal.h"
#include "api/process/process.h"
#include "api/request/open_requests.h"
#include "core/base/memory.h"
#include "hier/candidates.h"
#include "hier/registry.h"
#include "internode/mpi/renamed_mpi.h"

/* Algorithms that are timed beside MPI's own. Each is timed in BATCHES batches, in turn with the
 * others, and its best batch counts. A batch takes about BATCH seconds, but has at most STARTS
 * starts. */
enum { ROWS = 4, MOST = ROWS + 1, BATCHES = 5, STARTS = 32 };
static const double BATCH = 50e-6, FAILED = 1e9; /* seconds */

static const char *const words[] = {"off", "moves", "all"};

struct measurement {
    struct strata_call call; /* on the rehearsal's memory */
    struct strata_rehearsal rehearsal;
    struct strata_plan_key key;
    struct strata_choice choice[MOST];
    int count;
    struct strata_request *request[MOST];
    int error[MOST];      /* MPI error classes; the worst of all ranks after they have agreed */
    double seconds[MOST]; /* the longest time of all ranks after they have agreed */
    struct strata_traffic_count spent;
};

static int level_of(const char *word)
{
    int level = STRATA_MEASURE_OFF;
    while (level <= STRATA_MEASURE_ALL && strcmp(words[level], word) != 0) {
        level++;
    }
    return level;
}

int strata_measure_asked(const struct strata_call *c, MPI_Info info, int *level, const char **text)
{
    char word[16] = "";
    int given = 0;
    *level = level_of(c->state->group->settings->config.init_measure);
    if (info != MPI_INFO_NULL) {
        strata_info_text(info, "strata_init_measure", sizeof word, word, &given);
    }
    if (given) {
        *level = level_of(word);
    }
    if (*level > STRATA_MEASURE_ALL) {
        *level = STRATA_MEASURE_OFF;
        *text = "the info's strata_init_measure is none of off, moves, all";
        return MPI_ERR_INFO_VALUE;
    }
    return MPI_SUCCESS;
}

/* Each candidate's request owns a copy of the lengths. */
static int copy_lengths(const struct strata_described *d, int ranks, struct strata_described *own)
{
    if (d->lengths) {
        own->lengths = strata_allocate((size_t)ranks, sizeof *own->lengths);
        if (!own->lengths) {
            return MPI_ERR_NO_MEM;
        }
        memcpy(own->lengths, d->lengths, (size_t)ranks * sizeof *own->lengths);
    }
    return MPI_SUCCESS;
}

static int make(struct measurement *m, int index, const struct strata_described *d)
{
    struct strata_plan_key key = m->key;
    struct strata_call call = m->call; /* each candidate finds its own entry */
    struct strata_described own = *d;
    int error;
    key.forced = m->choice[index];
    own.key = &key;
    own.lengths = NULL;
    own.request = m->request[index] = strata_allocate(1, sizeof *own.request);
    error = own.request ? copy_lengths(d, m->call.state->ranks, &own) : MPI_ERR_NO_MEM;
    if (error == MPI_SUCCESS) {
        own.request->persistent = own.request->agreed = true;
        error = strata_request_make(&call, &own);
    }
    strata_release(own.lengths);
    PMPI_Error_class(error, &error);
    return error;
}

/* Whether there are at least two candidates that all ranks can start. */
static bool make_all(struct measurement *m, const struct strata_described *d)
{
    int error = strata_rehearsal_init(&m->rehearsal, m->call.signature), able = 0;
    m->call.signature = &m->rehearsal.signature;
    for (int i = 0; i < m->count; i++) {
        m->error[i] = error == MPI_SUCCESS ? make(m, i, d) : error;
    }
    if (strata_sequence_agree(m->call.state->sequence, m->error, m->count, MPI_INT, MPI_MAX) !=
        MPI_SUCCESS) {
        return false;
    }
    for (int i = 0; i < m->count; i++) {
        able += m->error[i] == MPI_SUCCESS;
    }
    return able > 1;
}

static int run(struct measurement *m, struct strata_request *r)
{
    int error = r->sequence ? MPI_SUCCESS : strata_request_start_native(r);
    if (error != MPI_SUCCESS || !strata_requests_start(r)) {
        return error != MPI_SUCCESS ? error : MPI_ERR_OTHER;
    }
    error = strata_request_end(r);
    if (r->sequence) {
        strata_call_count(&m->spent, &r->bound.x.count);
    }
    return error;
}

/* Times so many starts of one candidate, and keeps its best time. */
static void time_one(struct measurement *m, int index, int starts, bool first)
{
    double begin = PMPI_Wtime(), seconds;
    for (int i = 0; i < starts; i++) {
        int error = run(m, m->request[index]);
        m->error[index] = error != MPI_SUCCESS ? error : m->error[index];
    }
    seconds = (PMPI_Wtime() - begin) / starts;
    if (first || seconds < m->seconds[index]) {
        m->seconds[index] = seconds;
    }
}

static void time_each(struct measurement *m, const int starts[], bool first)
{
    for (int i = 0; i < m->count; i++) {
        if (m->request[i] && starts[i] > 0) {
            time_one(m, i, starts[i], first);
        }
    }
}

/* The slowest rank's time counts. A candidate that failed on a rank takes for ever. */
static bool agree_times(struct measurement *m)
{
    for (int i = 0; i < m->count; i++) {
        m->seconds[i] = m->error[i] == MPI_SUCCESS ? m->seconds[i] : FAILED;
    }
    return strata_sequence_agree(m->call.state->sequence, m->seconds, m->count, MPI_DOUBLE,
                                 MPI_MAX) == MPI_SUCCESS;
}

/* Finds from a first start how many starts make a batch of each candidate, and times the
 * batches. */
static bool time_all(struct measurement *m)
{
    int starts[MOST] = {0};
    for (int i = 0; i < m->count; i++) {
        starts[i] = m->error[i] == MPI_SUCCESS;
    }
    for (int i = 0; i < 2; i++) { /* the first start meets cold memory */
        time_each(m, starts, true);
    }
    if (!agree_times(m)) {
        return false;
    }
    for (int i = 0; i < m->count; i++) {
        double fit = BATCH / (m->seconds[i] + 1e-9);
        starts[i] = m->seconds[i] >= FAILED ? 0 : fit < 1 ? 1 : fit > STARTS ? STARTS : (int)fit;
    }
    for (int batch = 0; batch < BATCHES; batch++) {
        time_each(m, starts, batch == 0);
    }
    return agree_times(m);
}

static int fastest(const struct measurement *m)
{
    int best = 0;
    for (int i = 1; i < m->count; i++) {
        best = m->seconds[i] < m->seconds[best] ? i : best;
    }
    return best;
}

/* The program's traffic does not include the measurement. */
static void forget_traffic(struct strata_traffic_count *count,
                           const struct strata_traffic_count *spent)
{
    strata_requests_lock();
    count->messages -= spent->messages;
    count->messages_node -= spent->messages_node;
    count->bytes -= spent->bytes;
    count->bytes_node -= spent->bytes_node;
    count->copied -= spent->copied;
    for (int way = 0; way < STRATA_WAYS; way++) {
        count->exposed[way] -= spent->exposed[way];
    }
    strata_requests_unlock();
}

static void clear(struct measurement *m)
{
    for (int i = 0; i < m->count; i++) {
        if (m->request[i]) {
            strata_request_destroy(m->request[i]);
        }
    }
    strata_rehearsal_fini(&m->rehearsal);
    forget_traffic(&m->call.state->sequence->count, &m->spent);
}

static int find_candidates(struct measurement *m)
{
    const struct strata_group *g = m->call.state->group;
    struct strata_problem problem = strata_problem_of(g, &m->key, true);
    int count = problem.native_size ? 0 : strata_candidates(&problem, &g->machine, m->choice, ROWS);
    if (count > 0 && !m->key.left_fold) {
        m->choice[count++] = (struct strata_choice){.algorithm = strata_registry_find("native")};
    }
    return count;
}

/* Measures a call whose key all ranks have alike. */
static void choose(struct strata_call *c, const struct strata_plan_key *key,
                   struct strata_described *d)
{
    struct measurement m = {.call = *c, .key = *key};
    m.call.quiet = true;
    m.count = m.key.measured = find_candidates(&m);
    if (m.count < 2) {
        return;
    }
    if (make_all(&m, d) && time_all(&m) && m.seconds[fastest(&m)] < FAILED) {
        d->measured = m.key;
        d->measured.forced = m.choice[fastest(&m)];
        d->key = &d->measured;
    }
    clear(&m);
}

static bool may_measure(const struct strata_call *c, int level, const struct strata_described *d)
{
    return level > STRATA_MEASURE_OFF &&
           (level == STRATA_MEASURE_ALL || !strata_collective_reduces(c->signature->collective)) &&
           !d->excluded;
}

int strata_request_measure(struct strata_call *c, int level, struct strata_described *d)
{
    struct strata_plan_key key;
    int error, worst;
    if (c->state->thread || !may_measure(c, level, d)) {
        return MPI_SUCCESS;
    }
    error = strata_request_key(c, d, &key);
    PMPI_Error_class(error, &worst);
    if (strata_sequence_agree(c->state->sequence, &worst, 1, MPI_INT, MPI_MAX) != MPI_SUCCESS) {
        return strata_call_raise(c, MPI_ERR_OTHER, "the ranks could not agree");
    }
    if (error == MPI_SUCCESS && worst != MPI_SUCCESS) {
        return strata_call_raise(c, worst, "another rank cannot have this call");
    }
    if (error == MPI_SUCCESS && !strata_choice_forces(&key.forced)) {
        choose(c, &key, d);
    }
    return error;
}
