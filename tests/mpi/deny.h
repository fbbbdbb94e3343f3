/* Makes the system deny calls that it has allowed. Needs _GNU_SOURCE before the first include. */
#ifndef STRATA_TESTS_MPI_DENY_H
#define STRATA_TESTS_MPI_DENY_H

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/mpi/require.h"

/* From now on this call of the system returns this error in this thread, and in the threads that it
 * starts. */
static inline void deny_call(long call, int error)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    REQUIRE_CMP(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), ==, 0);
    REQUIRE_CMP(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), ==, 0);
}

static inline void deny_reading(int error)
{
    deny_call(SYS_process_vm_readv, error);
    char from = 1, to = 0;
    struct iovec here = {&to, 1}, there = {&from, 1};
    REQUIRE_CMP(process_vm_readv(getpid(), &here, 1, &there, 1, 0), <, 0);
    REQUIRE_CMP(errno, ==, error);
}

#endif
