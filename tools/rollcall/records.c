/* Reads the files. Only files that are this user's alone count. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/rollcall/hosts.h"

static bool ends(const char *text, size_t size)
{
    return memchr(text, '\0', size);
}

static const int most_ranks = 1 << 24; /* of a job; a greater number is broken */

bool roll_is_record(const struct strata_record *r)
{
    return memcmp(r->magic, STRATA_RECORD_MAGIC, sizeof STRATA_RECORD_MAGIC) == 0 &&
           r->bytes == sizeof *r && r->rank >= 0 && r->rank < r->ranks && r->ranks <= most_ranks &&
           r->ranks_here >= 0 && ends(r->host, sizeof r->host) &&
           ends(r->program, sizeof r->program);
}

static const struct strata_record *map(const char *path)
{
    struct stat info;
    void *memory = MAP_FAILED;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return NULL;
    }
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        (info.st_mode & 077) == 0 && info.st_size == sizeof(struct strata_record)) {
        memory = mmap(NULL, sizeof(struct strata_record), PROT_READ, MAP_SHARED, file, 0);
    }
    close(file);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    const struct strata_record *record = memory;
    if (!roll_is_record(record)) {
        munmap(memory, sizeof *record);
        return NULL;
    }
    return record;
}

void roll_find_state(struct roll_rank *rank)
{
    const struct strata_record *record = rank->record;
    rank->parent = 0;
    if (atomic_load_explicit(&record->ended, memory_order_acquire)) {
        rank->state = ROLL_ENDED;
        return;
    }
    if (rank->sent) { /* an UNHEARD one may have ended since */
        rank->state = rank->sent->state;
        return;
    }
    if (!roll_is_here(record)) {
        rank->state = ROLL_ELSEWHERE;
        return;
    }
    const struct strata_record_process process = strata_record_process(record->pid);
    if (process.started != record->started || strchr("ZXx", process.state)) {
        rank->state = ROLL_GONE;
        return;
    }
    rank->parent = process.parent;
    rank->state = process.state == 'T' || process.state == 't' ? ROLL_STOPPED
                  : process.state == 'R'                       ? ROLL_RUNS
                                                               : ROLL_SLEEPS;
}

/* What served a call. */
static const char *server_of(const struct strata_record *record, uint32_t served)
{
    const uint32_t known = atomic_load_explicit(&record->algorithms, memory_order_acquire);
    if (served == STRATA_RECORD_NATIVE) {
        return "MPI's own";
    }
    if (served < STRATA_RECORD_FIRST_ALGORITHM || served >= known ||
        served >= STRATA_RECORD_ALGORITHMS) {
        return NULL;
    }
    const struct strata_record_algorithm *a = &record->algorithm[served];
    return ends(a->name, sizeof a->name) ? a->name : NULL;
}

/* The rank of MPI_COMM_WORLD that this one of a communicator is; of an intercommunicator one of the
 * other side. Where no list is kept, the members may still be those of MPI_COMM_WORLD. */
static int world_rank(const struct strata_record *record,
                      const struct strata_record_communicator *c, int rank)
{
    const uint64_t at = c->inter + (uint64_t)rank;
    if (rank < 0 || at >= c->ranks) {
        return -1;
    }
    if (roll_lists_members(c)) {
        return record->member[c->members + at];
    }
    return !c->inter && c->identity == record->communicator[1].identity ? rank : -1;
}

static struct roll_end end_of(const struct strata_record *record, const struct roll_call *call,
                              int rank, int tag)
{
    return (struct roll_end){rank, world_rank(record, call->communicator, rank), tag};
}

/* What messages have in fields that mean other things of collectives. */
static void take_message(const struct strata_record *record, struct roll_call *call)
{
    call->other = end_of(record, call, call->root, (int)call->order);
    call->to = roll_sends_and_receives(call)
                   ? end_of(record, call, (int)(uint32_t)call->count, (int)(call->count >> 32))
                   : (struct roll_end){STRATA_RECORD_NOBODY, -1, -1};
    call->root = -1;
    call->served = NULL;
}

/* The row of an entry, or that of all others, where another communicator has it by now. */
static const struct strata_record_communicator *row_of(const struct strata_record *record,
                                                       uint64_t number, uint64_t what)
{
    const struct strata_record_communicator *c =
        &record->communicator[what % STRATA_RECORD_COMMUNICATORS];
    return number >= c->since ? c : &record->communicator[0];
}

/* Bytes of what an entry counts; 0: unknown. */
static uint32_t unit_of(const struct strata_record *record, int kind, int type)
{
    return strata_record_lists(kind)         ? 1
           : type < STRATA_RECORD_TYPE_COUNT ? record->type_bytes[type]
                                             : 0;
}

/* Takes the entry if it has this number. Returns false where it has not been written to its end, or
 * no longer is there. */
static bool take_entry(const struct strata_record *record, const struct strata_record_entry *e,
                       uint64_t number, const struct roll_clock *clock, struct roll_call *call)
{
    if (atomic_load_explicit(&e->number, memory_order_acquire) != number) {
        return false;
    }
    const uint64_t end = e->end;
    const uint64_t what = e->what;
    const int kind = (int)(what >> 16 & 0xff), type = (int)(what >> 24 & 0xff);
    *call = (struct roll_call){
        .number = number,
        .order = e->order,
        .count = e->count,
        .site = e->site,
        .begin = roll_seconds(clock, e->begin),
        .end = end ? roll_seconds(clock, end) : 0,
        .kind = kind,
        .root = e->root,
        .type = type,
        .op = (int)(what >> 32 & 0xff),
        .form = (int)(what >> 40 & (STRATA_RECORD_OWN - 1)),
        .own = what >> 40 & STRATA_RECORD_OWN,
        .served = server_of(record, e->served),
        .bytes = unit_of(record, kind, type),
        .lengths = {(int)(what >> 48 & 63), (int)(what >> 54 & 63), (int)(what >> 60)},
        .communicator = row_of(record, number, what)};
    if (roll_is_message(call)) {
        take_message(record, call);
    }
    atomic_thread_fence(memory_order_acquire);
    return atomic_load_explicit(&e->number, memory_order_relaxed) == number;
}

/* The call that a wait is for. */
static struct roll_call *find_awaited(const struct roll_rank *rank, uint64_t number)
{
    int i = rank->count - 1;
    while (i >= 0 && rank->calls[i].number > number) {
        i--;
    }
    return i >= 0 && rank->calls[i].number == number ? &rank->calls[i] : NULL;
}

/* Takes in what the newest call says of where the rank is. */
static void place(struct roll_rank *rank, struct roll_call *call)
{
    const double at = call->end > 0 ? call->end : call->begin;
    const bool returns =
        call->form == STRATA_RECORD_NONBLOCKING || call->form == STRATA_RECORD_STARTED;
    rank->active = at > rank->active ? at : rank->active;
    if (call->end <= 0 && returns) {
        rank->begun = rank->begun ? rank->begun : call;
    } else if (call->end <= 0) {
        rank->open = call;
        rank->any = call->kind == STRATA_RECORD_WAIT && call->root == STRATA_RECORD_ANYBODY;
    }
    if (call->kind == STRATA_RECORD_WAIT) {
        struct roll_call *awaited = find_awaited(rank, call->count);
        call->awaited = awaited;
        if (awaited) {
            awaited->wait = call;
            call->communicator = awaited->communicator; /* which may have been freed since */
        }
    }
}

/* A rank that did nothing but test what it has begun, and did so just now, waits for that. */
static void place_tests(struct roll_rank *rank, const struct roll_clock *clock)
{
    static const double just_now = 1;
    const double now = roll_now(rank, 1);
    const double tested = rank->record->tested ? roll_seconds(clock, rank->record->tested) : 0;
    const uint64_t number = rank->record->tested_call;
    const struct roll_call *one = number ? find_awaited(rank, number) : rank->begun;
    rank->tests =
        !rank->open && one && one->end <= 0 && tested > rank->active && tested > now - just_now;
    rank->any = rank->tests ? number == 0 : rank->any;
    rank->open = rank->tests ? one : rank->open;
}

/* Takes the longest calls of the run, of those up to this number. */
static void take_longest(struct roll_rank *rank, uint64_t last)
{
    free(rank->longest);
    rank->longest = calloc(STRATA_RECORD_LONGEST, sizeof *rank->longest);
    rank->longest_count = 0;
    for (int i = 0; rank->longest && i < STRATA_RECORD_LONGEST; i++) {
        const struct strata_record_entry *e = &rank->record->longest[i];
        const uint64_t number = atomic_load_explicit(&e->number, memory_order_acquire);
        struct roll_call *call = &rank->longest[rank->longest_count];
        if (number > 0 && number <= last &&
            take_entry(rank->record, e, number, &rank->clock, call) && call->end > 0 &&
            call->kind < STRATA_COLLECTIVE_COUNT && call->form == STRATA_RECORD_BLOCKING) {
            rank->longest_count++;
        }
    }
}

/* Takes what the rank has written so far, in place of what was taken before. */
static void take_all(struct roll_rank *rank)
{
    const struct roll_clock *clock = &rank->clock;
    const uint64_t next = rank->record->next, last = next > 0 ? next - 1 : 0;
    uint64_t number = last > STRATA_RECORD_ENTRIES ? last - STRATA_RECORD_ENTRIES : 0;
    free(rank->calls);
    rank->calls = calloc(STRATA_RECORD_ENTRIES, sizeof *rank->calls);
    rank->count = 0;
    rank->open = rank->begun = NULL;
    rank->any = false;
    roll_find_state(rank);
    rank->active = roll_seconds(clock, rank->record->stamps[1].ticks);
    while (rank->calls && number++ < last) {
        struct roll_call *call = &rank->calls[rank->count];
        const struct strata_record_entry *e = &rank->record->entry[number % STRATA_RECORD_ENTRIES];
        if (take_entry(rank->record, e, number, clock, call)) {
            place(rank, call);
            rank->count++;
        }
    }
    take_longest(rank, rank->count > 0 ? rank->calls[0].number - 1 : last);
    place_tests(rank, clock);
    if (rank->state == ROLL_ENDED) { /* a call that was left by other ways than its return */
        rank->open = rank->begun = NULL;
    }
}

static int by_rank(const void *a, const void *b)
{
    const struct strata_record *x = ((const struct roll_rank *)a)->record;
    const struct strata_record *y = ((const struct roll_rank *)b)->record;
    return x->job != y->job ? (x->job < y->job ? -1 : 1) : x->rank - y->rank;
}

static bool append(struct roll_rank **ranks, int *count, const struct roll_rank *rank)
{
    struct roll_rank *grown = realloc(*ranks, (size_t)(*count + 1) * sizeof *grown);
    if (grown) {
        *ranks = grown;
        grown[(*count)++] = *rank;
    }
    return grown;
}

static bool add(struct roll_rank **ranks, int *count, const char *folder, const char *name)
{
    struct roll_rank rank = {0};
    snprintf(rank.path, sizeof rank.path, "%s/%s", folder, name);
    rank.record = map(rank.path);
    return !rank.record || append(ranks, count, &rank);
}

static void unmap(struct roll_rank *rank)
{
    if (!rank->sent) {
        munmap((void *)(uintptr_t)rank->record, sizeof *rank->record);
    }
}

static void drop(struct roll_rank *rank)
{
    free(rank->calls);
    free(rank->longest);
    unmap(rank);
}

/* Leaves one file of each rank: a folder may be given twice, or hold copies. */
static int drop_copies(struct roll_rank *ranks, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (kept > 0 && by_rank(&ranks[kept - 1], &ranks[i]) == 0) {
            drop(&ranks[i]);
        } else {
            ranks[kept++] = ranks[i];
        }
    }
    return kept;
}

/* Adds the files of a folder, unread. Returns false where there is no memory. */
static bool add_all(struct roll_rank **ranks, int *count, const char *folder, DIR *files)
{
    bool room = true;
    const struct dirent *entry;
    while (room && (entry = readdir(files))) {
        if (strncmp(entry->d_name, STRATA_RECORD_PREFIX, strlen(STRATA_RECORD_PREFIX)) == 0) {
            room = add(ranks, count, folder, entry->d_name);
        }
    }
    return room;
}

/* Takes the calls of all ranks, and then how many they have begun: others may have come to them
 * since. */
static void take(struct roll_rank *ranks, int count)
{
    roll_set_clocks(ranks, count);
    for (int i = 0; i < count; i++) {
        take_all(&ranks[i]);
    }
    for (int i = 0; i < count; i++) {
        for (int c = 0; c < STRATA_RECORD_COMMUNICATORS; c++) {
            ranks[i].begun_calls[c] = ranks[i].record->communicator[c].calls;
        }
    }
}

int roll_read(const char *const *folders, struct roll_rank **ranks, const char **wrong)
{
    int count = 0;
    for (; *folders; folders++) {
        DIR *files = opendir(*folders);
        if (!files) {
            *wrong = *folders;
            roll_free(*ranks, count);
            *ranks = NULL;
            return -1;
        }
        const bool room = add_all(ranks, &count, *folders, files);
        closedir(files);
        if (!room) {
            break;
        }
    }
    if (count > 0) {
        qsort(*ranks, (size_t)count, sizeof **ranks, by_rank);
    }
    count = drop_copies(*ranks, count);
    take(*ranks, count);
    return count;
}

/* What was sent is newer than a file of another host may be, in a folder on NFS. Files of this host
 * are never old. Of the ranks the first ones are in order. */
static void add_sent(struct roll_rank **ranks, int *count, int ordered,
                     const struct roll_sent *sent)
{
    const struct roll_rank one = {.record = &sent->record, .sent = sent};
    struct roll_rank *same =
        ordered > 0 ? bsearch(&one, *ranks, (size_t)ordered, sizeof one, by_rank) : NULL;
    if (!same) {
        (void)append(ranks, count, &one);
    } else if (same->sent != sent && (same->sent || !roll_is_here(same->record))) {
        unmap(same);
        same->record = &sent->record;
        same->sent = sent;
    }
}

void roll_add_sent(struct roll_rank **ranks, int *count, const struct roll_hosts *hosts)
{
    const int ordered = *count;
    for (int h = 0; h < hosts->count; h++) {
        const struct roll_kept *kept = hosts->host[h].first;
        for (; kept; kept = kept->next) {
            add_sent(ranks, count, ordered, &kept->sent);
        }
    }
    if (hosts->count > 0 && *count > 0) {
        qsort(*ranks, (size_t)*count, sizeof **ranks, by_rank);
        take(*ranks, *count);
    }
}

void roll_read_again(struct roll_job *job)
{
    take(job->ranks, job->count);
    roll_find_times(job);
}

void roll_free(struct roll_rank *ranks, int count)
{
    for (int i = 0; i < count; i++) {
        drop(&ranks[i]);
    }
    free(ranks);
}

bool roll_descends(const struct roll_rank *rank, int pid)
{
    int one = rank->sent ? 0 : rank->record->pid;
    for (int next = rank->parent; one > 0 && one != pid;
         next = next > 0 ? strata_record_process(next).parent : 0) {
        one = next;
    }
    return one == pid;
}
