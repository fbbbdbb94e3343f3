#include "internode/mpi/lengths_mpi.h"

#include <string.h>

#include "core/base/memory.h"
#include "internode/mpi/describe_mpi.h"
#include "internode/mpi/notices_mpi.h"
#include "internode/mpi/renamed_mpi.h"
#include "internode/mpi/requests_mpi.h"

/* Two thirds of the bits behind the stream's are for lengths: MPI grants at least 15 bits, the
 * libraries 28 and more. */
void strata_tags_init(struct strata_tags *tags, const struct strata_endpoints *endpoints,
                      int stream)
{
    int *most = NULL, known = 0, bits = 15;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &known);
    while (known && bits < 31 && *most >= (int)((2U << bits) - 1)) {
        bits++;
    }
    bits -= STRATA_STREAM_BITS;
    *tags = (struct strata_tags){.endpoints = endpoints,
                                 .call = stream,
                                 .call_bits = bits / 3,
                                 .length_bits = bits - bits / 3,
                                 .beside = 1};
}

/* The call of a message of this stream: 0 for this call, < 0 for an earlier one. */
static int age_of(const struct strata_tags *tags, int tag)
{
    const int calls = 1 << tags->call_bits;
    int number = (tag - tags->call) >> STRATA_STREAM_BITS & (calls - 1);
    return number < calls / 2 ? number : number - calls;
}

/* Whether a message is of this stream and kind, from that endpoint to mine. */
static bool same_stream(const struct strata_tags *tags, struct strata_endpoint from, int tag)
{
    const int usual = tags->call + strata_endpoints_apart(tags->endpoints, from, true);
    return ((tag ^ usual) & ((1 << STRATA_STREAM_BITS) - 1)) == 0;
}

/* Lets the message that was seen come to memory of its own, as entry i of the list. */
static int receive_aside(struct strata_request_list *list, int i, const MPI_Status *seen)
{
    struct strata_request_entry *entry = &list->entries[i];
    struct strata_description d;
    MPI_Count bytes = 0;
    list->requests[i] = MPI_REQUEST_NULL;
    int error = strata_status_bytes(seen, &bytes);
    entry->came = bytes > 0 ? (size_t)bytes : 0;
    entry->is_void = strata_tag_means(&list->tags, seen->MPI_TAG, STRATA_TAG_VOID);
    entry->spare = strata_allocate(entry->came + 1, 1);
    if (error || !entry->spare) {
        return error ? error : MPI_ERR_NO_MEM;
    }
    error = strata_describe_bytes(entry->came, &d);
    if (!error) {
        const struct strata_endpoints *all = list->tags.endpoints;
        const MPI_Comm comm =
            strata_endpoints_comm(all, strata_endpoint_at(all, entry->peer), true);
        error = PMPI_Irecv(entry->spare, d.count, d.type, seen->MPI_SOURCE, seen->MPI_TAG, comm,
                           &list->requests[i]);
    }
    strata_forget(&d);
    return error;
}

/* The receive of entry i makes way; false: its own message has just come after all. */
static bool withdraw(struct strata_request_list *list, int i)
{
    MPI_Status status;
    int cancelled = 0;
    PMPI_Cancel(&list->requests[i]);
    PMPI_Wait(&list->requests[i], &status);
    PMPI_Test_cancelled(&status, &cancelled);
    list->open--;
    return cancelled;
}

static bool is_open(const struct strata_request_list *list, int i)
{
    const struct strata_request_entry *entry = &list->entries[i];
    return list->requests[i] != MPI_REQUEST_NULL && entry->exact && !entry->spare;
}

/* The first open receive from an endpoint: messages are matched in the order sent. */
static int first_from(const struct strata_request_list *list, int peer)
{
    int i = 0;
    while (i < list->used && !(is_open(list, i) && list->entries[i].peer == peer)) {
        i++;
    }
    return i;
}

/* No receive waits for the message that the probe saw: receives and drops it, where there is memory
 * for it. */
static int drop(struct strata_request_list *list, int peer, const MPI_Status *seen)
{
    if (!strata_requests_next(list)) {
        return MPI_SUCCESS;
    }
    strata_requests_add(list, (struct strata_request_entry){.receive = true, .peer = peer});
    return receive_aside(list, list->used - 1, seen);
}

/* A rank has told that messages of a call differ. What it tells of other calls is dropped: it would
 * hide the messages behind it, and numbers of calls come round. */
static int hear(struct strata_request_list *list, int peer, const MPI_Status *seen)
{
    const struct strata_endpoints *all = list->tags.endpoints;
    const struct strata_endpoint from = strata_endpoint_at(all, peer);
    list->told = list->told || (same_stream(&list->tags, from, seen->MPI_TAG) &&
                                age_of(&list->tags, seen->MPI_TAG) == 0);
    return PMPI_Recv(NULL, 0, MPI_BYTE, seen->MPI_SOURCE, seen->MPI_TAG,
                     strata_endpoints_comm(all, from, true), MPI_STATUS_IGNORE);
}

/* A message of another stream hides those of this one: for good, if its stream is not used any
 * more. What was told there is forgotten. */
static int uncover(struct strata_request_list *list, int peer, const MPI_Status *seen)
{
    if (strata_notices_is(&list->tags, seen->MPI_TAG)) {
        strata_notices_keep(&list->tags, seen);
        return MPI_SUCCESS;
    }
    return strata_notices_heard(&list->tags, seen->MPI_TAG) ? drop(list, peer, seen) : MPI_SUCCESS;
}

/* The first message of the peer that no receive has matched; `sweep`: also where no receive waits
 * for it. */
static int look_at(struct strata_request_list *list, int peer, bool sweep)
{
    MPI_Status seen;
    int there = 0;
    const struct strata_endpoint from = strata_endpoint_at(list->tags.endpoints, peer);
    const MPI_Comm comm = strata_endpoints_comm(list->tags.endpoints, from, true);
    int error = PMPI_Iprobe(from.rank, MPI_ANY_TAG, comm, &there, &seen);
    if (error || !there) {
        return error;
    }
    if (strata_tag_means(&list->tags, seen.MPI_TAG, STRATA_TAG_DIFFER)) {
        return hear(list, peer, &seen);
    }
    if (!same_stream(&list->tags, from, seen.MPI_TAG) ||
        strata_notices_is(&list->tags, seen.MPI_TAG)) {
        return uncover(list, peer, &seen);
    }
    int age = age_of(&list->tags, seen.MPI_TAG), i = first_from(list, peer), met = 0;
    if (i < list->used) { /* met meanwhile, what was seen behind it may be of any later call */
        error = PMPI_Request_get_status(list->requests[i], &met, MPI_STATUS_IGNORE);
    }
    if (error || met) {
        return error;
    }
    if (age == 0 && i < list->used) {
        bool free = withdraw(list, i);
        list->open += free;
        return free ? receive_aside(list, i, &seen) : MPI_SUCCESS;
    }
    bool left_behind = age <= -list->tags.beside; /* of a call that is over */
    return left_behind || (age == 0 && sweep) ? drop(list, peer, &seen) : MPI_SUCCESS;
}

bool strata_lengths_heard(struct strata_request_list *list, int peer)
{
    MPI_Status seen;
    int there = 0;
    const struct strata_endpoint from = strata_endpoint_at(list->tags.endpoints, peer);
    const MPI_Comm comm = strata_endpoints_comm(list->tags.endpoints, from, true);
    int error = PMPI_Iprobe(from.rank, MPI_ANY_TAG, comm, &there, &seen);
    if (!error && there && strata_tag_means(&list->tags, seen.MPI_TAG, STRATA_TAG_DIFFER)) {
        (void)hear(list, peer, &seen);
    }
    return list->told;
}

int strata_lengths_look(struct strata_request_list *list)
{
    int i = (int)(list->looked++ % (unsigned)list->used);
    return is_open(list, i) ? look_at(list, list->entries[i].peer, false) : MPI_SUCCESS;
}

/* A message needs some time until a probe sees it. */
int strata_lengths_settle(struct strata_request_list *list, double *until, bool *more)
{
    static const double patience = 1.0; /* seconds */
    const double now = PMPI_Wtime();
    int error = MPI_SUCCESS;
    *until = *until > 0 ? *until : now + patience;
    *more = now < *until;
    for (int peer = 0; peer < list->tags.endpoints->count && !error; peer++) {
        error = look_at(list, peer, true);
    }
    if (error) {
        strata_requests_recount(list);
    }
    for (int i = 0; i < list->used && !*more; i++) {
        if (is_open(list, i)) {
            (void)withdraw(list, i);
        }
    }
    return error;
}

void strata_lengths_deliver(struct strata_request_list *list, int i)
{
    struct strata_request_entry *entry = &list->entries[i];
    if (entry->buffer) {
        memcpy(entry->buffer, entry->spare,
               entry->came < entry->bytes ? entry->came : entry->bytes);
    }
    strata_release(entry->spare);
    entry->spare = NULL;
}
