/* Messages that MPI_Mprobe takes out of the others, and their receives, recorded where that is
 * asked for. Whose message it is only the probe's status says, so that is kept by the message's
 * handle. */
#include "core/base/seldom.h"
#include "include/strata.h"
#include "preload/record/messages.h"

static int recorded_MPI_Mprobe(const void *site, int source, int tag, MPI_Comm comm,
                               MPI_Message *message, MPI_Status *status);
static int recorded_MPI_Improbe(const void *site, int source, int tag, MPI_Comm comm, int *flag,
                                MPI_Message *message, MPI_Status *status);

RECORDER_HANDED_ON(MPI_Mprobe,
                   (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
                   (source, tag, comm, message, status))
/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
RECORDER_HANDED_ON(MPI_Improbe,
                   (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                    MPI_Status *status),
                   (source, tag, comm, flag, message, status))

static void keep(MPI_Comm comm, MPI_Message message, const MPI_Status *status)
{
    const struct recorder_message m = {.kind = STRATA_RECORD_MRECV,
                                       .comm = comm,
                                       .type = MPI_DATATYPE_NULL,
                                       .other = status->MPI_SOURCE,
                                       .tag = status->MPI_TAG};
    recorder_message_matched(&m, message);
}

static STRATA_SELDOM int recorded_MPI_Mprobe(const void *site, int source, int tag, MPI_Comm comm,
                                             MPI_Message *message, MPI_Status *status)
{
    const struct recorder_message m = RECORDER_MESSAGE(MPROBE, 0, MPI_DATATYPE_NULL, source, tag);
    MPI_Status own, *found = status == MPI_STATUS_IGNORE ? &own : status;
    const struct recorder_call call = recorder_message_begin(&m, STRATA_RECORD_BLOCKING, site);
    const int error = next_MPI_Mprobe(source, tag, comm, message, found);
    recorder_message_end(call);
    if (error == MPI_SUCCESS) {
        keep(comm, *message, found);
    }
    return error;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
static STRATA_SELDOM int recorded_MPI_Improbe(const void *site, int source, int tag, MPI_Comm comm,
                                              int *flag, MPI_Message *message, MPI_Status *status)
{
    MPI_Status own, *found = status == MPI_STATUS_IGNORE ? &own : status;
    (void)site;
    const int error = next_MPI_Improbe(source, tag, comm, flag, message, found);
    if (error == MPI_SUCCESS && *flag) {
        keep(comm, *message, found);
    }
    return error;
}

/* Begins a receive of such a message, unless it is not known whose it is. */
static struct recorder_call begin(const MPI_Message *message, uint64_t count, MPI_Datatype type,
                                  int form, const void *site)
{
    struct recorder_message m = {.kind = STRATA_RECORD_MRECV, .type = type, .count = count};
    return recorder_message_take(message, &m) ? recorder_message_begin(&m, form, site)
                                              : (struct recorder_call){NULL, 0};
}

#define RECEIVE(function, COUNT)                                                                   \
    static int recorded_##function(const void *site, void *buf, COUNT count, MPI_Datatype type,    \
                                   MPI_Message *message, MPI_Status *status);                      \
    RECORDER_HANDED_ON(                                                                            \
        function,                                                                                  \
        (void *buf, COUNT count, MPI_Datatype type, MPI_Message *message, MPI_Status *status),     \
        (buf, count, type, message, status))                                                       \
    static STRATA_SELDOM int recorded_##function(const void *site, void *buf, COUNT count,         \
                                                 MPI_Datatype type, MPI_Message *message,          \
                                                 MPI_Status *status)                               \
    {                                                                                              \
        const struct recorder_call call =                                                          \
            begin(message, (uint64_t)count, type, STRATA_RECORD_BLOCKING, site);                   \
        const int error = next_##function(buf, count, type, message, status);                      \
        recorder_message_end(call);                                                                \
        return error;                                                                              \
    }
#define BEGIN_RECEIVE(function, COUNT)                                                             \
    static int recorded_##function(const void *site, void *buf, COUNT count, MPI_Datatype type,    \
                                   MPI_Message *message, MPI_Request *request);                    \
    RECORDER_HANDED_ON(                                                                            \
        function,                                                                                  \
        (void *buf, COUNT count, MPI_Datatype type, MPI_Message *message, MPI_Request *request),   \
        (buf, count, type, message, request))                                                      \
    static STRATA_SELDOM int recorded_##function(const void *site, void *buf, COUNT count,         \
                                                 MPI_Datatype type, MPI_Message *message,          \
                                                 MPI_Request *request)                             \
    {                                                                                              \
        const struct recorder_call call =                                                          \
            begin(message, (uint64_t)count, type, STRATA_RECORD_NONBLOCKING, site);                \
        const int error = next_##function(buf, count, type, message, request);                     \
        recorder_message_begun(call, error == MPI_SUCCESS ? RECORDER_HANDLE(request) : 0);         \
        return error;                                                                              \
    }

/* NOLINTBEGIN(readability-function-size): the parameters are MPI's */
RECEIVE(MPI_Mrecv, int)
BEGIN_RECEIVE(MPI_Imrecv, int)
#if MPI_VERSION >= 4
RECEIVE(MPI_Mrecv_c, MPI_Count)
BEGIN_RECEIVE(MPI_Imrecv_c, MPI_Count)
#endif
/* NOLINTEND(readability-function-size) */

static const struct recorder_next next[] = {
    {"MPI_Mprobe", (void **)&next_MPI_Mprobe},   {"MPI_Improbe", (void **)&next_MPI_Improbe},
    {"MPI_Mrecv", (void **)&next_MPI_Mrecv},     {"MPI_Imrecv", (void **)&next_MPI_Imrecv},
#if MPI_VERSION >= 4
    {"MPI_Mrecv_c", (void **)&next_MPI_Mrecv_c}, {"MPI_Imrecv_c", (void **)&next_MPI_Imrecv_c},
#endif
};

__attribute__((constructor)) static void find_next(void)
{
    recorder_find_next(next, sizeof next / sizeof *next);
}
