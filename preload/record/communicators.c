/* All ranks of a communicator give it the same name without a message: the hash of its members, and
 * how many communicators of these members had a collective before. Ranks call collectives in one
 * order, so they count alike. */
#include "preload/record/communicators.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internode/mpi/traits_mpi.h"
#include "preload/record/requests.h"
#include "preload/record/waits.h"

enum { OTHERS = 0 }; /* the communicators for which the table has no room */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the table; no call of MPI */
static int key = MPI_KEYVAL_INVALID;

/* No communicator has its handle. */
static struct strata_record_communicator none;
STRATA_EACH_THREAD struct recorder_thread recorder_here = {
    .shapes = {[0 ... STRATA_RECORD_PLACES - 1] = {.communicator = &none}}};

/* What a rank finds out of a communicator before it takes the lock. */
struct found {
    uint64_t identity;
    int ranks, inter; /* `inter`: of this side of an intercommunicator; 0: it is none */
    int *members;     /* ranks of MPI_COMM_WORLD; NULL: no memory, or no communicator */
    char name[MPI_MAX_OBJECT_NAME];
};

/* A communicator's attribute is its row, which is free from now on. */
static int forget(MPI_Comm comm, int which, void *row, void *nothing)
{
    struct strata_record_communicator *c = row;
    (void)comm;
    (void)which;
    (void)nothing;
    atomic_store_explicit(&c->handle, 0, memory_order_release);
    return MPI_SUCCESS;
}

/* FNV-1a */
static uint64_t hash(const int *numbers, int count)
{
    uint64_t h = 14695981039346656037U;
    for (int i = 0; i < count; i++) {
        h = (h ^ (uint32_t)numbers[i]) * 1099511628211U;
    }
    return h;
}

/* Appends the group's ranks of MPI_COMM_WORLD. Returns their hash. */
static uint64_t add_members(struct found *f, MPI_Group group)
{
    MPI_Group world;
    int count = 0;
    PMPI_Group_size(group, &count);
    int *own = malloc((size_t)count * sizeof *own + 1);
    int *grown = realloc(f->members, (size_t)(f->ranks + count) * sizeof *grown + 1);
    f->members = grown ? grown : f->members;
    uint64_t h = 0;
    if (own && grown) {
        for (int i = 0; i < count; i++) {
            own[i] = i;
        }
        PMPI_Comm_group(MPI_COMM_WORLD, &world);
        PMPI_Group_translate_ranks(group, count, own, world, f->members + f->ranks);
        PMPI_Group_free(&world);
        h = hash(f->members + f->ranks, count);
        f->ranks += count;
    }
    free(own);
    PMPI_Group_free(&group);
    return h;
}

/* Both sides of an intercommunicator give it one identity. Stops at an error: the communicator is
 * none any more, and MPI itself says so in the call. */
static void find_out(MPI_Comm comm, struct found *f)
{
    MPI_Group group;
    int inter = 0, length;
    memset(f, 0, sizeof *f);
    if (PMPI_Comm_group(comm, &group) != MPI_SUCCESS) {
        return;
    }
    f->identity = add_members(f, group);
    PMPI_Comm_test_inter(comm, &inter);
    if (inter) {
        f->inter = f->ranks;
        PMPI_Comm_remote_group(comm, &group);
        f->identity += add_members(f, group);
    }
    PMPI_Comm_get_name(comm, f->name, &length);
}

/* A row that was never used, or else the row of the communicator that was freed first; NULL: none
 * is free. */
static struct strata_record_communicator *free_row(struct strata_record *record)
{
    struct strata_record_communicator *row = NULL;
    const uint32_t used = atomic_load_explicit(&record->communicators, memory_order_relaxed);
    if (used < STRATA_RECORD_COMMUNICATORS) {
        atomic_store_explicit(&record->communicators, used + 1, memory_order_release);
        return &record->communicator[used];
    }
    for (uint32_t i = OTHERS + 1; i < used; i++) {
        struct strata_record_communicator *c = &record->communicator[i];
        if (atomic_load(&c->handle) == 0 && (!row || c->since < row->since)) {
            row = c;
        }
    }
    return row;
}

/* How many communicators of the same members there were, also those whose rows are gone. 0: no
 * memory to count them. */
static uint64_t turn_of(uint64_t identity)
{
    static struct turn {
        uint64_t identity, turns;
    } * all;
    static size_t used;
    size_t i = 0;
    while (i < used && all[i].identity != identity) {
        i++;
    }
    if (i == used) {
        struct turn *grown = realloc(all, (used + 1) * sizeof *grown);
        if (!grown) {
            return 0;
        }
        all = grown;
        all[used++] = (struct turn){.identity = identity};
    }
    return ++all[i].turns;
}

static uint32_t keep_members(struct strata_record *record, const struct found *f)
{
    const uint32_t used = record->members;
    if ((uint32_t)f->ranks > STRATA_RECORD_MEMBERS - used) {
        return UINT32_MAX;
    }
    memcpy(record->member + used, f->members, (size_t)f->ranks * sizeof *f->members);
    atomic_store_explicit(&record->members, used + (uint32_t)f->ranks, memory_order_release);
    return used;
}

/* Communicators of the same members share one list of them. */
static uint32_t members_of(struct strata_record *record, const struct found *f)
{
    for (uint32_t i = OTHERS + 1; i < record->communicators; i++) {
        const struct strata_record_communicator *c = &record->communicator[i];
        if (c->identity == f->identity && c->ranks == (uint32_t)f->ranks) {
            return c->members;
        }
    }
    return keep_members(record, f);
}

/* Fills a row, as of a communicator on which no collective was called yet. The lock is held. */
static void enter(struct strata_record *record, struct strata_record_communicator *c, MPI_Comm comm,
                  const struct found *f)
{
    const uint32_t members = members_of(record, f);
    c->identity = f->identity;
    c->turn = 0;
    c->members = members;
    c->ranks = (uint32_t)f->ranks;
    c->inter = (uint64_t)f->inter;
    c->since = atomic_load(&record->next);
    c->calls = 0;
    for (int place = 0; place < STRATA_RECORD_PLACES; place++) {
        c->served[place] = STRATA_RECORD_NATIVE; /* Strata tells of the first call that is not */
    }
    snprintf(c->name, sizeof c->name, "%.*s", (int)sizeof c->name - 1, f->name);
    atomic_store_explicit(&c->handle, ~(uintptr_t)comm, memory_order_release);
}

/* Counts the communicator among those of its members, where the first collective is called on it.
 * Ranks call that in one order. Messages they may have begun in any. */
static void count_turn(struct strata_record_communicator *c, MPI_Comm comm)
{
    pthread_mutex_lock(&lock);
    c->turn = c->turn ? c->turn : turn_of(c->identity);
    atomic_store_explicit(&c->handle, (uintptr_t)comm, memory_order_release);
    pthread_mutex_unlock(&lock);
}

static struct strata_record_communicator *enter_new(MPI_Comm comm)
{
    struct strata_record *record = recorder_record;
    struct found f;
    find_out(comm, &f);
    pthread_mutex_lock(&lock);
    struct strata_record_communicator *c = f.members ? free_row(record) : NULL;
    if (c) {
        enter(record, c, comm, &f);
        recorder_keep_modules(record);
    }
    pthread_mutex_unlock(&lock);
    free(f.members);
    if (c) {
        PMPI_Comm_set_attr(comm, key, c);
    }
    return c;
}

struct strata_record_communicator *
recorder_request_row(const struct strata_record_communicator *comm, uint64_t order)
{
    struct strata_record *record = recorder_record;
    pthread_mutex_lock(&lock);
    struct strata_record_communicator *c = comm->identity ? free_row(record) : NULL;
    if (c) {
        const int of[] = {(int)comm->identity, (int)(comm->identity >> 32), (int)comm->turn,
                          (int)order};
        c->identity = hash(of, sizeof of / sizeof *of);
        c->turn = 1;
        c->members = comm->members;
        c->ranks = comm->ranks;
        c->inter = comm->inter;
        c->since = atomic_load(&record->next);
        c->calls = 0;
        snprintf(c->name, sizeof c->name, "request %llu of %.40s", (unsigned long long)order,
                 comm->name[0] ? comm->name : "a communicator");
        atomic_store_explicit(&c->handle, UINTPTR_MAX, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return c;
}

uint64_t recorder_what_of_starts(uint64_t what, const struct strata_record_communicator *row)
{
    const uint64_t kept =
        what & (STRATA_RECORD_WHAT(0, 0xff, 0xff, 0xff) | STRATA_RECORD_FORM(STRATA_RECORD_OWN));
    return kept | STRATA_RECORD_FORM(STRATA_RECORD_STARTED) |
           (uint64_t)(row ? row - recorder_record->communicator : OTHERS);
}

/* The row of a communicator, or that of all others. counts: for a collective. */
static struct strata_record_communicator *find(MPI_Comm comm, bool counts)
{
    struct strata_record *record = recorder_record;
    struct strata_record_communicator *c = NULL;
    int found = 0;
    if (key == MPI_KEYVAL_INVALID || !strata_mpi_is_communicator(comm) || comm == MPI_COMM_NULL) {
        return &record->communicator[OTHERS];
    }
    if (comm == recorder_freed || PMPI_Comm_get_attr(comm, key, &c, &found) != MPI_SUCCESS) {
        return &record->communicator[OTHERS];
    }
    c = found ? c : enter_new(comm);
    if (c && counts && c->turn == 0) {
        count_turn(c, comm);
    }
    return c ? c : &record->communicator[OTHERS];
}

/* The predefined datatypes and operators, each at its number. */
#define TYPE(name)     MPI_##name,
#define OPERATOR(name) MPI_##name,

static int number_of_type(MPI_Datatype type)
{
    const MPI_Datatype types[] = {MPI_DATATYPE_NULL, STRATA_RECORD_TYPES(TYPE)};
    int number = STRATA_RECORD_TYPE_COUNT - 1;
    while (number > 0 && (types[number] != type || type == MPI_DATATYPE_NULL)) {
        number--;
    }
    return number;
}

static int number_of_operator(MPI_Op op)
{
    const MPI_Op operators[] = {MPI_OP_NULL, STRATA_RECORD_OPERATORS(OPERATOR)};
    int number = sizeof operators / sizeof *operators - 1;
    while (number > 0 && operators[number] != op) {
        number--;
    }
    return number;
}

/* The communicators without a row have a handle for each thread and function. */
static STRATA_EACH_THREAD struct strata_record_communicator others[STRATA_RECORD_PLACES];

void recorder_lose(MPI_Comm comm)
{
    for (int place = 0; place < STRATA_RECORD_PLACES; place++) {
        if (atomic_load(&others[place].handle) == (uintptr_t)comm) {
            atomic_store(&others[place].handle, 0);
        }
    }
}

void recorder_prepare(int place, MPI_Comm comm, MPI_Datatype type, MPI_Op op)
{
    const int kind = place % STRATA_RECORD_KINDS;
    struct strata_record_communicator *c = find(comm, kind < STRATA_RECORD_RECV);
    const ptrdiff_t row = c - recorder_record->communicator;
    if (row == OTHERS) {
        c = &others[place];
        atomic_store(&c->handle, (uintptr_t)comm);
    }
    recorder_here.shapes[place] = (struct recorder_shape){
        .communicator = c,
        .type = type,
        .op = op,
        .what = STRATA_RECORD_WHAT(row, kind, number_of_type(type), number_of_operator(op))};
}

void recorder_communicators_begin(struct strata_record *record)
{
    const MPI_Datatype types[] = {MPI_DATATYPE_NULL, STRATA_RECORD_TYPES(TYPE)};
    for (int i = 1; i < STRATA_RECORD_TYPE_COUNT; i++) {
        int bytes = 0;
        if (types[i] != MPI_DATATYPE_NULL && PMPI_Type_size(types[i], &bytes) == MPI_SUCCESS) {
            record->type_bytes[i] = (uint32_t)bytes;
        }
    }
    atomic_store(&record->communicators, OTHERS + 1);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, NULL);
    recorder_record = record;
    recorder_ring = record->entry;
    find(MPI_COMM_WORLD, true);
}
