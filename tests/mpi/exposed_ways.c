#define _GNU_SOURCE
#include "tests/mpi/exposed_ways.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include "tests/mpi/deny.h"
#include "tests/random.h"

enum { MAPPED, READ, PIECES, ASKED, MIXED, WAYS }; /* MIXED: a call that read, and then asked */

static const char *const names[WAYS] = {"mapped", "read", "pieces", "asked", "refused in between"};
static unsigned long long calls[WAYS];
static int refuse_after; /* microseconds after a block was read; 0: no refusal to come */
static long reads_left;  /* the reads until the system refuses, instead of a time; 0: not counted */
static bool refusing;

/* Replaces the library's call, so that any one read can be the first refused one: also in the
 * middle of a call with several reads. The single numbers that are read while a communicator is
 * attached do not count. */
ssize_t read_or_refuse(pid_t process, const struct iovec *here, unsigned long heres,
                       const struct iovec *there, unsigned long theres,
                       unsigned long flags) __asm__("process_vm_readv");
ssize_t read_or_refuse(pid_t process, const struct iovec *here, unsigned long heres,
                       const struct iovec *there, unsigned long theres, unsigned long flags)
{
    bool counts = reads_left > 0 && here->iov_len > sizeof(uint64_t);
    if (counts && --reads_left == 0) {
        refusing = true; /* threads read at once where nothing is counted */
    }
    if (refusing) {
        errno = EPERM;
        return -1;
    }
    return syscall(SYS_process_vm_readv, process, here, heres, there, theres, flags);
}

struct strata_report ways_before(MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(comm, &report));
    return report;
}

void ways_after(MPI_Comm comm, const struct strata_report *before)
{
    const struct strata_report after = ways_before(comm);
    bool read = after.lent_read > before->lent_read || after.lent_pieces > before->lent_pieces;
    calls[MAPPED] += after.lent_mapped > before->lent_mapped;
    calls[READ] += after.lent_read > before->lent_read;
    calls[PIECES] += after.lent_pieces > before->lent_pieces;
    calls[ASKED] += after.lent_asked > before->lent_asked;
    calls[MIXED] += after.lent_asked > before->lent_asked && read;
    if (read && refuse_after > 0) {
        const struct itimerval soon = {
            .it_value = {refuse_after / 1000000, refuse_after % 1000000}};
        REQUIRE_CMP(setitimer(ITIMER_REAL, &soon, NULL), ==, 0);
        refuse_after = 0;
    }
}

static void refuse(int number)
{
    (void)number;
    deny_reading(EPERM);
}

void ways_refuse(uint64_t seed)
{
    const char *within = getenv("STRATA_TEST_REFUSE");
    int rank, reads;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct random r = {random_mix(seed + 77 * (uint64_t)rank)};
    if (!within || random_one_in(&r, 2)) {
        return;
    }
    if (sscanf(within, "reads:%d", &reads) == 1) {
        reads_left = random_between(&r, 2, reads);
        return;
    }
    struct sigaction action = {.sa_handler = refuse, .sa_flags = SA_RESTART};
    REQUIRE_CMP(sigaction(SIGALRM, &action, NULL), ==, 0);
    refuse_after = random_between(&r, 1, 1000 * atoi(within));
}

void ways_print(void)
{
    unsigned long long all[WAYS] = {0};
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Reduce(calls, all, WAYS, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int way = 0; way < WAYS && rank == 0; way++) {
        printf("lent: %s in %llu calls of ranks\n", names[way], all[way]);
    }
}
