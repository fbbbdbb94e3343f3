/* MPI's functions for messages of one rank to another, recorded where that is asked for. */
#include "core/base/seldom.h"
#include "include/strata.h"
#include "preload/record/messages.h"

#define SENDING(ROW, end)                                                                          \
    RECORDER_SENDING(ROW, SEND, Send##end)                                                         \
    RECORDER_SENDING(ROW, SSEND, Ssend##end)                                                       \
    RECORDER_SENDING(ROW, RSEND, Rsend##end)                                                       \
    RECORDER_SENDING(ROW, BSEND, Bsend##end)
#define EACH(BLOCKS, RECEIVES, BEGINS, DESCRIBES)                                                  \
    SENDING(BLOCKS, )                                                                              \
    RECORDER_RECEIVING(RECEIVES, Recv)                                                             \
    RECORDER_EXCHANGING(RECEIVES, Sendrecv)                                                        \
    RECORDER_SENDING(BEGINS, SEND, Isend)                                                          \
    RECORDER_SENDING(BEGINS, SSEND, Issend)                                                        \
    RECORDER_SENDING(BEGINS, RSEND, Irsend)                                                        \
    RECORDER_SENDING(BEGINS, BSEND, Ibsend)                                                        \
    RECORDER_RECEIVING(BEGINS, Irecv)                                                              \
    SENDING(DESCRIBES, _init)                                                                      \
    RECORDER_RECEIVING(DESCRIBES, Recv_init)
#define PARTS(ROW)                                                                                 \
    RECORDER_IN_PARTS(ROW, PSEND, Psend_init, const void *)                                        \
    RECORDER_IN_PARTS(ROW, PRECV, Precv_init, void *)
#define PROBING(ROW)                                                                               \
    ROW(PROBE, Probe, (int source, int tag, MPI_Comm comm), (source, tag, comm), 0,                \
        MPI_DATATYPE_NULL, source, tag)

#define BLOCKS(KIND, Name, ...) RECORDER_MESSAGE_BLOCKING(MPI_##Name, KIND, __VA_ARGS__)
#define RECEIVES(KIND, Name, parameters, arguments, ...)                                           \
    BLOCKS(KIND, Name, (RECORDER_LISTED parameters, MPI_Status * status),                          \
           (RECORDER_LISTED arguments, status), __VA_ARGS__)
#define BEGINS(KIND, Name, ...)    RECORDER_MESSAGE_BEGUN(MPI_##Name, KIND, __VA_ARGS__)
#define DESCRIBES(KIND, Name, ...) RECORDER_MESSAGE_DESCRIBED(MPI_##Name, KIND, __VA_ARGS__)
#define NEXT(KIND, Name, ...)      {"MPI_" #Name, (void **)&next_MPI_##Name},

/* NOLINTBEGIN(readability-function-size): the parameters are MPI's */
#define COUNT int
EACH(BLOCKS, RECEIVES, BEGINS, DESCRIBES)
PROBING(RECEIVES)
#if MPI_VERSION >= 4
RECORDER_EXCHANGING(BEGINS, Isendrecv)
PARTS(DESCRIBES)
#undef COUNT
#define COUNT                        MPI_Count
#define BLOCKS_C(KIND, Name, ...)    BLOCKS(KIND, Name##_c, __VA_ARGS__)
#define RECEIVES_C(KIND, Name, ...)  RECEIVES(KIND, Name##_c, __VA_ARGS__)
#define BEGINS_C(KIND, Name, ...)    BEGINS(KIND, Name##_c, __VA_ARGS__)
#define DESCRIBES_C(KIND, Name, ...) DESCRIBES(KIND, Name##_c, __VA_ARGS__)
#define NEXT_C(KIND, Name, ...)      NEXT(KIND, Name##_c)
EACH(BLOCKS_C, RECEIVES_C, BEGINS_C, DESCRIBES_C)
RECORDER_EXCHANGING(BEGINS_C, Isendrecv)
#endif
/* NOLINTEND(readability-function-size) */

static const struct recorder_next next[] = {EACH(NEXT, NEXT, NEXT, NEXT) PROBING(NEXT)
#if MPI_VERSION >= 4
                                                RECORDER_EXCHANGING(NEXT, Isendrecv) PARTS(NEXT)
                                                    EACH(NEXT_C, NEXT_C, NEXT_C, NEXT_C)
                                                        RECORDER_EXCHANGING(NEXT_C, Isendrecv)
#endif
};

__attribute__((constructor)) static void find_next(void)
{
    recorder_find_next(next, sizeof next / sizeof *next);
}
