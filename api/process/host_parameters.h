/* What messages, copies, signals and combining cost on this host: measured figures for its machine
 * description. */
#ifndef STRATA_API_PROCESS_HOST_PARAMETERS_H
#define STRATA_API_PROCESS_HOST_PARAMETERS_H

/* Messages of 1 KiB, 2 KiB and so on to 64 KiB are measured. All MPIs send the shortest one without
 * waiting for its receive. */
#define STRATA_HOST_SHORT 1024
#define STRATA_HOST_SIZES 7
/* From index 4 on, 16 KiB, messages wait for their receives in all MPIs. */
#define STRATA_HOST_LONG 4

/* Two messages that cross, of bytes that were just written. Seconds, never 0; DBL_MAX: not
 * measured. */
struct strata_message_times {
    double message;                  /* messages of 8 bytes; 0: nothing was measured yet */
    double sized[STRATA_HOST_SIZES]; /* messages of 1 KiB << i */
};

/* Seconds, as above. */
struct strata_host_parameters {
    struct strata_message_times messages;
    double signal; /* one way */
    /* a signal and a block behind it, both ways, written and read: of one line; of 1 KiB */
    double line, block;
    double copy, combine; /* to copy a byte through memory; to combine a byte */
    double combine_near;  /* to combine a byte, with both operands in the cache */
    double fetch;         /* to read a few bytes of another process's memory */
    double read;   /* to read 64 KiB of another process's memory, not written lately, while that
                      process reads, too */
    double mapped; /* to copy a byte, read before, out of another member's slot */
    /* MPI's own reductions of STRATA_NATIVE_VECTOR bytes, rounded down to a whole number of doubles
     * for each rank */
    double reduce, allreduce, reduce_scatter;
};

#endif
