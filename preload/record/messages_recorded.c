/* MPI's functions for messages of one rank to another, recorded where that is asked for. */
#include "core/base/seldom.h"
#include "include/strata.h"
#include "preload/record/messages.h"

/* What blocks in C beside MPI_Send and its like: a status follows. */
#define RECEIVING(ROW)                                                                             \
    ROW(RECV, Recv,                                                                                \
        (void *buf, COUNT count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,        \
         MPI_Status *status),                                                                      \
        (buf, count, datatype, source, tag, comm, status), count, datatype, source, tag)           \
    ROW(SENDRECV, Sendrecv,                                                                        \
        (const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, int dest, int sendtag,       \
         void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int source, int recvtag,           \
         MPI_Comm comm, MPI_Status *status),                                                       \
        (sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,        \
         recvtag, comm, status),                                                                   \
        STRATA_RECORD_TO(dest, sendtag), recvtype, source, recvtag)                                \
    ROW(SENDRECV_REPLACE, Sendrecv_replace,                                                        \
        (void *buf, COUNT count, MPI_Datatype datatype, int dest, int sendtag, int source,         \
         int recvtag, MPI_Comm comm, MPI_Status *status),                                          \
        (buf, count, datatype, dest, sendtag, source, recvtag, comm, status),                      \
        STRATA_RECORD_TO(dest, sendtag), datatype, source, recvtag)
#define PROBING(ROW)                                                                               \
    ROW(PROBE, Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status),                    \
        (source, tag, comm, status), 0, MPI_DATATYPE_NULL, source, tag)                            \
    ROW(MPROBE, Mprobe,                                                                            \
        (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),            \
        (source, tag, comm, message, status), 0, MPI_DATATYPE_NULL, source, tag)
#define SENDING(ROW)                                                                               \
    RECORDER_SENDING(ROW, SEND, Send)                                                              \
    RECORDER_SENDING(ROW, SSEND, Ssend)                                                            \
    RECORDER_SENDING(ROW, RSEND, Rsend)
#define DESCRIBING(ROW)                                                                            \
    RECORDER_SENDING(ROW, SEND, Send_init)                                                         \
    RECORDER_SENDING(ROW, SSEND, Ssend_init)                                                       \
    RECORDER_SENDING(ROW, RSEND, Rsend_init)                                                       \
    RECORDER_RECEIVING(ROW, Recv_init)

#define BLOCKS(KIND, Name, ...)     RECORDER_MESSAGE_BLOCKING(MPI_##Name, KIND, __VA_ARGS__)
#define BEGINS(KIND, name, ...)     RECORDER_MESSAGE_BEGUN(MPI_I##name, KIND, __VA_ARGS__)
#define DESCRIBES(KIND, Name, ...)  RECORDER_MESSAGE_DESCRIBED(MPI_##Name, KIND, __VA_ARGS__)
#define NEXT(KIND, Name, ...)       {"MPI_" #Name, (void **)&next_MPI_##Name},
#define NEXT_BEGUN(KIND, name, ...) {"MPI_I" #name, (void **)&next_MPI_I##name},

/* NOLINTBEGIN(readability-function-size): the parameters are MPI's */
#define COUNT int
SENDING(BLOCKS)
RECEIVING(BLOCKS)
PROBING(BLOCKS)
RECORDER_SENDS(BEGINS)
RECORDER_RECEIVING(BEGINS, recv)
DESCRIBING(DESCRIBES)
#undef COUNT
#if MPI_VERSION >= 4
#define COUNT                         MPI_Count
#define BLOCKS_C(KIND, Name, ...)     BLOCKS(KIND, Name##_c, __VA_ARGS__)
#define BEGINS_C(KIND, name, ...)     BEGINS(KIND, name##_c, __VA_ARGS__)
#define DESCRIBES_C(KIND, Name, ...)  DESCRIBES(KIND, Name##_c, __VA_ARGS__)
#define NEXT_C(KIND, Name, ...)       NEXT(KIND, Name##_c)
#define NEXT_BEGUN_C(KIND, name, ...) NEXT_BEGUN(KIND, name##_c)
SENDING(BLOCKS_C)
RECEIVING(BLOCKS_C)
RECORDER_SENDS(BEGINS_C)
RECORDER_RECEIVING(BEGINS_C, recv)
DESCRIBING(DESCRIBES_C)
#endif
/* NOLINTEND(readability-function-size) */

static const struct recorder_next next[] = {
    SENDING(NEXT) RECEIVING(NEXT) PROBING(NEXT) RECORDER_SENDS(NEXT_BEGUN)
        RECORDER_RECEIVING(NEXT_BEGUN, recv) DESCRIBING(NEXT)
#if MPI_VERSION >= 4
            SENDING(NEXT_C) RECEIVING(NEXT_C) RECORDER_SENDS(NEXT_BEGUN_C)
                RECORDER_RECEIVING(NEXT_BEGUN_C, recv) DESCRIBING(NEXT_C)
#endif
};

__attribute__((constructor)) static void find_next(void)
{
    recorder_find_next(next, sizeof next / sizeof *next);
}
