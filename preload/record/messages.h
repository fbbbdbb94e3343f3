/* Messages of one rank to another, where they are recorded. */
#ifndef STRATA_PRELOAD_RECORD_MESSAGES_H
#define STRATA_PRELOAD_RECORD_MESSAGES_H

#include "preload/record/recorder.h"
#include "preload/record/requests.h"

/* What a call says of its message. */
struct recorder_message {
    int kind; /* STRATA_RECORD_RECV and so on */
    MPI_Comm comm;
    MPI_Datatype type;
    uint64_t count; /* elements, or STRATA_RECORD_TO */
    int other, tag;
    uint64_t matched; /* 0, or what recorder_message_take found, in place of `comm` */
};

/* Writes that a call has begun. Its number is 0 where nothing is written: nobody is the other
 * one. */
struct recorder_call recorder_message_begin(const struct recorder_message *m, int form,
                                            const void *site);
void recorder_message_end(struct recorder_call call);
/* Behind a nonblocking call. */
void recorder_message_begun(struct recorder_call call, uintptr_t request);
/* Behind a call that describes a persistent request. */
void recorder_message_described(const struct recorder_message *m, uintptr_t request);
/* Keeps whose message a probe has taken out of the others, for its receive. */
void recorder_message_matched(const struct recorder_message *m, MPI_Message message);
/* Sets what that was, once. Returns false where it is not known. */
bool recorder_message_take(const MPI_Message *message, struct recorder_message *m);

/* ROW(KIND, Name, parameters, arguments, count, type, other, tag). COUNT is the type of counts.
 * Calls that receive and block have a status behind these parameters. */
#define RECORDER_SENDING(ROW, KIND, Name)                                                          \
    ROW(KIND, Name,                                                                                \
        (const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm),   \
        (buf, count, datatype, dest, tag, comm), count, datatype, dest, tag)
#define RECORDER_RECEIVING(ROW, Name)                                                              \
    ROW(RECV, Name,                                                                                \
        (void *buf, COUNT count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm),       \
        (buf, count, datatype, source, tag, comm), count, datatype, source, tag)
#define RECORDER_EXCHANGING(ROW, Name)                                                             \
    ROW(SENDRECV, Name,                                                                            \
        (const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, int dest, int sendtag,       \
         void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int source, int recvtag,           \
         MPI_Comm comm),                                                                           \
        (sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,        \
         recvtag, comm),                                                                           \
        STRATA_RECORD_TO(dest, sendtag), recvtype, source, recvtag)                                \
    ROW(SENDRECV_REPLACE, Name##_replace,                                                          \
        (void *buf, COUNT count, MPI_Datatype datatype, int dest, int sendtag, int source,         \
         int recvtag, MPI_Comm comm),                                                              \
        (buf, count, datatype, dest, sendtag, source, recvtag, comm),                              \
        STRATA_RECORD_TO(dest, sendtag), datatype, source, recvtag)
#define RECORDER_IN_PARTS(ROW, KIND, Name, BUFFER)                                                 \
    ROW(KIND, Name,                                                                                \
        (BUFFER buf, int partitions, MPI_Count count, MPI_Datatype datatype, int other, int tag,   \
         MPI_Comm comm, MPI_Info info),                                                            \
        (buf, partitions, count, datatype, other, tag, comm, info), partitions *count, datatype,   \
        other, tag)

#define RECORDER_MESSAGE(KIND, count_, type_, other_, tag_)                                        \
    {                                                                                              \
        .kind = STRATA_RECORD_##KIND, .comm = comm, .type = (type_), .count = (uint64_t)(count_),  \
        .other = (other_), .tag = (tag_)                                                           \
    }

/* Defines functions that hand their calls on to the next one of their name. Where messages are not
 * recorded, that is one comparison and a jump; so what else is to do is in a function of its own.
 * The first one blocks, the second one begins a call, the third one describes it. */
#define RECORDER_LISTED(...) __VA_ARGS__
#define RECORDER_HANDED_ON(function, parameters, arguments)                                        \
    static __typeof__(function) *next_##function = P##function;                                    \
    STRATA_PUBLIC __typeof__(function) function;                                                   \
    int function(RECORDER_LISTED parameters)                                                       \
    {                                                                                              \
        return __builtin_expect(recorder_waits, 0)                                                 \
                   ? recorded_##function(__builtin_return_address(0), RECORDER_LISTED arguments)   \
                   : next_##function(RECORDER_LISTED arguments);                                   \
    }
#define RECORDER_MESSAGE_BLOCKING(function, KIND, parameters, arguments, ...)                      \
    static int recorded_##function(const void *site, RECORDER_LISTED parameters);                  \
    RECORDER_HANDED_ON(function, parameters, arguments)                                            \
    static STRATA_SELDOM int recorded_##function(const void *site, RECORDER_LISTED parameters)     \
    {                                                                                              \
        const struct recorder_message m = RECORDER_MESSAGE(KIND, __VA_ARGS__);                     \
        const struct recorder_call call =                                                          \
            recorder_message_begin(&m, STRATA_RECORD_BLOCKING, site);                              \
        const int error = next_##function arguments;                                               \
        recorder_message_end(call);                                                                \
        return error;                                                                              \
    }
#define RECORDER_MESSAGE_BEGUN(function, KIND, parameters, arguments, ...)                         \
    static int recorded_##function(const void *site, RECORDER_LISTED parameters,                   \
                                   MPI_Request *request);                                          \
    RECORDER_HANDED_ON(function, (RECORDER_LISTED parameters, MPI_Request * request),              \
                       (RECORDER_LISTED arguments, request))                                       \
    static STRATA_SELDOM int recorded_##function(const void *site, RECORDER_LISTED parameters,     \
                                                 MPI_Request *request)                             \
    {                                                                                              \
        const struct recorder_message m = RECORDER_MESSAGE(KIND, __VA_ARGS__);                     \
        const struct recorder_call call =                                                          \
            recorder_message_begin(&m, STRATA_RECORD_NONBLOCKING, site);                           \
        const int error = next_##function(RECORDER_LISTED arguments, request);                     \
        recorder_message_begun(call, error == MPI_SUCCESS ? RECORDER_HANDLE(request) : 0);         \
        return error;                                                                              \
    }
#define RECORDER_MESSAGE_DESCRIBED(function, KIND, parameters, arguments, ...)                     \
    static int recorded_##function(const void *site, RECORDER_LISTED parameters,                   \
                                   MPI_Request *request);                                          \
    RECORDER_HANDED_ON(function, (RECORDER_LISTED parameters, MPI_Request * request),              \
                       (RECORDER_LISTED arguments, request))                                       \
    static STRATA_SELDOM int recorded_##function(const void *site, RECORDER_LISTED parameters,     \
                                                 MPI_Request *request)                             \
    {                                                                                              \
        (void)site;                                                                                \
        const struct recorder_message m = RECORDER_MESSAGE(KIND, __VA_ARGS__);                     \
        const int error = next_##function(RECORDER_LISTED arguments, request);                     \
        recorder_message_described(&m, error == MPI_SUCCESS ? RECORDER_HANDLE(request) : 0);       \
        return error;                                                                              \
    }

#endif
