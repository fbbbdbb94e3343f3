/* What messages, copies, signals and combining cost on this host: the figures of its machine
 * description, measured on the spot. */
#ifndef STRATA_API_PROCESS_HOST_PARAMETERS_H
#define STRATA_API_PROCESS_HOST_PARAMETERS_H

/* Messages of 1 KiB, which all MPIs send ahead, 2 KiB and so on to 64 KiB. */
#define STRATA_HOST_SHORT 1024
#define STRATA_HOST_SIZES 7
/* From this one on, 16 KiB, they wait for their receives in all MPIs. */
#define STRATA_HOST_LONG 4

/* Seconds, none of them 0; DBL_MAX: not measured. */
struct strata_host_parameters {
    /* two messages that cross, of bytes that were written just before */
    double message;                  /* of 8 B */
    double sized[STRATA_HOST_SIZES]; /* of 1 KiB << i */
    double signal;                   /* one way */
    /* a signal, and a block of a line, or of 1 KiB, behind it, both ways: written, and read */
    double line, block;
    double copy, combine; /* of a byte */
    double combine_near;  /* of a byte, both operands in the cache */
    double fetch;         /* to read a few bytes of the other's own memory */
    double read;   /* of 64 KiB of it, while the other does likewise; they lie there for long */
    double mapped; /* of a byte out of the other's slot, which was read before */
    /* MPI's own, of STRATA_NATIVE_VECTOR bytes, or less than a double a rank fewer */
    double reduce, allreduce, reduce_scatter;
};

#endif
