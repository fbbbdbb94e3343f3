/* Stands before the C library and MPI in one rank (LD_PRELOAD), and makes one fault at a place
 * that is counted:
 *
 *   FAULTING=KIND,RANK,STEP,WAITS
 *
 * KIND is
 *   kill     this rank ends as by kill -9
 *   stop     this rank stands still for two seconds
 *   alloc    the allocation is refused
 *   map      the system refuses a mapping, a file, its length or its memory
 *   read     from here on the system lets this rank read no other rank's memory
 *   message  MPI refuses a message
 * and no fault, but on every rank where RANK is -1,
 *   tick     a signal each millisecond, after which calls of the system end early; ticks: go on
 *
 * Only calls of Strata count, and only those after MPI_Init. A step is a call that does something:
 * a copy, a message, an allocation, a mapping, a read of another rank's memory. A kill or a stop
 * comes with the STEP-th step, or WAITS calls later, which may be looks, yields and sleeps. The
 * other faults count calls of their own kind, and come with the STEP-th. A program that knows this
 * library sets the place itself, by faulting_arm, and asks whether it was reached, by
 * faulting_disarm. Where FAULTING has set it, each rank to which it comes prints "the fault has
 * come". */
#define _GNU_SOURCE
#include "tests/reliability/faulting.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SEEN __attribute__((visibility("default")))

enum fault { NONE, KILL, STOP, ALLOC, MAP, READ, MESSAGE };
static const char *const names[] = {"none", "kill", "stop", "alloc", "map", "read", "message"};

static uintptr_t first, last; /* Strata's code */
static enum fault armed;
static long step, waits; /* until the fault */
static bool come;
static volatile sig_atomic_t tells; /* FAULTING has set the place, and nothing was printed yet */

/* Strata's library, or else the program that it is linked into. */
static int find_strata(struct dl_phdr_info *object, size_t bytes, void *none)
{
    (void)bytes, (void)none;
    const char *name = strrchr(object->dlpi_name, '/');
    bool library = name && strncmp(name, "/libstrata", 10) == 0;
    if (first != 0 && !library) {
        return 0;
    }
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X)) {
            first = object->dlpi_addr + part->p_vaddr;
            last = first + part->p_memsz;
        }
    }
    return library;
}

static void stand_still(void)
{
    const pid_t me = getpid(), child = fork();
    if (child == 0) {
        usleep(2000000);
        kill(me, SIGCONT);
        _exit(0);
    }
    raise(SIGSTOP);
    waitpid(child, NULL, 0);
}

/* A handler of signals may call it. */
static void tell(void)
{
    static const char line[] = "the fault has come\n";
    const int error = errno;
    if (tells) {
        tells = 0;
        (void)!write(STDERR_FILENO, line, sizeof line - 1);
    }
    errno = error;
}

static void strike(void)
{
    come = true;
    tell();
    if (armed == KILL) {
        raise(SIGKILL);
    }
    if (armed == STOP) {
        armed = NONE;
        stand_still();
    }
}

static bool by_strata(const void *caller)
{
    return (uintptr_t)caller >= first && (uintptr_t)caller < last;
}

/* Counts a call that does something, and says whether it fails. */
static bool meets(enum fault kind, const void *caller)
{
    if (armed == NONE || !by_strata(caller)) {
        return false;
    }
    if (armed == KILL || armed == STOP) {
        if (step > 0) {
            step--;
        }
        if (step == 0 && waits-- <= 0) {
            strike();
        }
        return false;
    }
    if (armed != kind || step > 1) {
        step -= armed == kind;
        return false;
    }
    come = true;
    tell();
    return kind == READ || step-- == 1; /* the others: once */
}

static void passes_time(const void *caller)
{
    if ((armed == KILL || armed == STOP) && step == 0 && by_strata(caller) && waits-- <= 0) {
        strike();
    }
}

SEEN void faulting_arm(const char *kind, long at)
{
    if (first == 0) {
        dl_iterate_phdr(find_strata, NULL);
    }
    for (int i = NONE; i <= MESSAGE; i++) {
        armed = strcmp(kind, names[i]) == 0 ? (enum fault)i : armed;
    }
    step = at;
    come = false;
}

SEEN bool faulting_disarm(void)
{
    armed = NONE;
    return come;
}

static void tell_tick(int signal)
{
    (void)signal;
    tell();
}

static void tick(bool go_on)
{
    const struct sigaction action = {.sa_handler = tell_tick, .sa_flags = go_on ? SA_RESTART : 0};
    const struct itimerval each = {{0, 1000}, {0, 1000}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &each, NULL);
}

static void begin(void)
{
    const char *text = getenv("FAULTING"), *me = getenv("OMPI_COMM_WORLD_RANK");
    char kind[16];
    long rank, at, more;
    me = me ? me : getenv("PMI_RANK");
    if (!text || !me || sscanf(text, "%15[a-z],%ld,%ld,%ld", kind, &rank, &at, &more) != 4 ||
        (rank >= 0 && rank != atol(me))) {
        return;
    }
    tells = 1;
    if (strncmp(kind, "tick", 4) == 0) {
        tick(kind[4] == 's');
    } else {
        faulting_arm(kind, at);
        waits = more;
    }
}

/* The next function of that name. */
#define NEXT(name)                                                                                 \
    static __typeof__(&name) next;                                                                 \
    if (!next) {                                                                                   \
        *(void **)&next = dlsym(RTLD_NEXT, #name);                                                 \
    }

#define CALLER __builtin_return_address(0)

#define STEPS(type, fault, fails, name, parameters, arguments)                                     \
    SEEN type name parameters                                                                      \
    {                                                                                              \
        NEXT(name)                                                                                 \
        return meets(fault, CALLER) ? fails : next arguments;                                      \
    }

#define WAITS(type, name, parameters, arguments)                                                   \
    SEEN type name parameters                                                                      \
    {                                                                                              \
        NEXT(name)                                                                                 \
        passes_time(CALLER);                                                                       \
        return next arguments;                                                                     \
    }

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the headers' are reserved */
SEEN int MPI_Init(int *argc, char ***argv)
{
    NEXT(MPI_Init)
    const int error = next(argc, argv);
    begin();
    return error;
}

SEEN int MPI_Init_thread(int *argc, char ***argv, int wanted, int *level)
{
    NEXT(MPI_Init_thread)
    const int error = next(argc, argv, wanted, level);
    begin();
    return error;
}

SEEN int MPI_Finalize(void)
{
    NEXT(MPI_Finalize)
    armed = NONE;
    return next();
}

SEEN void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    (void)meets(NONE, CALLER);
    return memmove(to, from, bytes);
}

void *__libc_calloc(size_t count, size_t size);
void *__libc_malloc(size_t bytes);
void *__libc_realloc(void *block, size_t bytes);

SEEN void *calloc(size_t count, size_t size)
{
    return meets(ALLOC, CALLER) ? NULL : __libc_calloc(count, size);
}

SEEN void *malloc(size_t bytes)
{
    return meets(ALLOC, CALLER) ? NULL : __libc_malloc(bytes);
}

SEEN void *realloc(void *block, size_t bytes)
{
    return meets(ALLOC, CALLER) ? NULL : __libc_realloc(block, bytes);
}

static int no(int error)
{
    errno = error;
    return -1;
}

static void *no_place(void)
{
    errno = ENOMEM;
    return MAP_FAILED;
}

STEPS(void *, MAP, no_place(), mmap,
      (void *at, size_t bytes, int access, int flags, int file, off_t from),
      (at, bytes, access, flags, file, from))
STEPS(int, MAP, no(EMFILE), memfd_create, (const char *name, unsigned flags), (name, flags))
STEPS(int, MAP, no(ENOSPC), ftruncate, (int file, off_t bytes), (file, bytes))
STEPS(int, MAP, ENOSPC, posix_fallocate, (int file, off_t from, off_t bytes), (file, from, bytes))
STEPS(int, MAP, no(ENOMEM), madvise, (void *at, size_t bytes, int advice), (at, bytes, advice))
STEPS(int, MAP, no(EIO), statvfs, (const char *path, struct statvfs *fs), (path, fs))
STEPS(int, MAP, no(EIO), fstat, (int file, struct stat *found), (file, found))
STEPS(int, MAP, no(EPERM), fchmod, (int file, mode_t mode), (file, mode))
STEPS(ssize_t, READ, no(EPERM), process_vm_readv,
      (pid_t process, const struct iovec *here, unsigned long heres, const struct iovec *there,
       unsigned long theres, unsigned long flags),
      (process, here, heres, there, theres, flags))

SEEN int open(const char *path, int flags, ...)
{
    NEXT(open)
    va_list more;
    va_start(more, flags);
    const mode_t mode = va_arg(more, mode_t);
    va_end(more);
    return meets(MAP, CALLER) ? no(EMFILE) : next(path, flags, mode);
}

STEPS(int, MESSAGE, MPI_ERR_OTHER, PMPI_Isend,
      (const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
       MPI_Request *request),
      (buffer, count, type, to, tag, comm, request))
STEPS(int, MESSAGE, MPI_ERR_OTHER, PMPI_Irecv,
      (void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
       MPI_Request *request),
      (buffer, count, type, from, tag, comm, request))
/* NONE: MPI ends the program where it cannot do these, or all ranks see that. */
STEPS(int, NONE, MPI_ERR_OTHER, PMPI_Allreduce,
      (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (from, to, count, type, op, comm))
STEPS(int, NONE, MPI_ERR_OTHER, PMPI_Iallreduce,
      (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
       MPI_Request *request),
      (from, to, count, type, op, comm, request))
STEPS(int, NONE, MPI_ERR_OTHER, PMPI_Bcast,
      (void *at, int count, MPI_Datatype type, int root, MPI_Comm comm),
      (at, count, type, root, comm))
STEPS(int, NONE, MPI_ERR_OTHER, PMPI_Comm_split,
      (MPI_Comm comm, int colour, int key, MPI_Comm *made), (comm, colour, key, made))
STEPS(int, NONE, MPI_ERR_OTHER, PMPI_Comm_free, (MPI_Comm * comm), (comm))

WAITS(int, PMPI_Testsome,
      (int count, MPI_Request *requests, int *done, int *at, MPI_Status *statuses),
      (count, requests, done, at, statuses))
WAITS(int, PMPI_Testall, (int count, MPI_Request *requests, int *done, MPI_Status *statuses),
      (count, requests, done, statuses))
WAITS(int, PMPI_Test, (MPI_Request * request, int *done, MPI_Status *status),
      (request, done, status))
WAITS(int, sched_yield, (void), ())
WAITS(int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left))

SEEN long syscall(long number, ...)
{
    NEXT(syscall)
    va_list more;
    long word[6];
    va_start(more, number);
    for (int i = 0; i < 6; i++) {
        word[i] = va_arg(more, long);
    }
    va_end(more);
    passes_time(CALLER);
    return next(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
