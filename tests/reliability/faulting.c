/* Stands before the C library and MPI in one rank (LD_PRELOAD), and makes one fault at a place
 * that is counted:
 *
 *   FAULTING=KIND,RANK,K[,PLACE]
 *
 * KIND is
 *   kill     this rank ends as by kill -9
 *   stop     this rank stands still for two seconds
 *   alloc    the allocation is refused
 *   map      the system refuses a mapping, a file, its length, its name, its memory or its rights
 *   maps     from here on it refuses all of these
 *   read     from here on the system lets this rank read no other rank's memory
 *   message  MPI refuses a message
 * and no fault, but on every rank where RANK is -1,
 *   tick     a signal each millisecond, after which calls of the system end early; ticks: go on
 *
 * Only calls of Strata count, and only those after MPI_Init. The fault comes with the K-th call of
 * its own kind. A kill or a stop comes with the K-th call of PLACE, which is
 *   step     a call that does something: a copy, a message, an allocation, a mapping, a read of
 *            another rank's memory. So it is where nothing is said
 *   message  a message that is sent or awaited
 *   wait     a look for a message, a yield or a sleep
 *   copy     a copy or a read; copies one after the other from the same place in the code, as in a
 *            loop over elements, are one
 *   memory   an allocation or a mapping
 * Memory is counted from the first call that speaks to other ranks. So a rank does not die there
 * while it reads its settings. Where a program has Strata in itself, its own calls count, too,
 * unless FAULTING_CODE is a file that lists the functions whose calls count: "ADDRESS BYTES" a
 * line, as readelf has them. A program that knows this library sets the place itself,
 * by faulting_arm, and asks whether it was reached, by faulting_disarm. Where FAULTING has set it,
 * each rank to which it comes adds a line to the file FAULTING_TELLS: "the fault has come at
 * SECONDS", which count from 1970, and where. A launcher may lose what a dying rank prints. */
#define _GNU_SOURCE
#include "tests/reliability/faulting.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/futex.h>
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

enum fault { NONE, KILL, STOP, REFUSE };

/* What a call does. AGAIN is a copy from where the last one was, and TALK a call to all ranks. */
enum deed {
    ALLOC = 1,
    MAP = 2,
    READ = 4,
    MESSAGE = 8,
    COPY = 16,
    AGAIN = 32,
    TALK = 64,
    WAIT = 128,
};

static const struct place {
    const char *name;
    int deeds;
} places[] = {
    {"step", ALLOC | MAP | READ | MESSAGE | COPY | AGAIN | TALK},
    {"alloc", ALLOC},
    {"map", MAP},
    {"read", READ},
    {"message", MESSAGE},
    {"wait", WAIT},
    {"copy", COPY | READ},
    {"memory", ALLOC | MAP},
};
enum { PLACES = sizeof places / sizeof *places };

static uintptr_t base, first, last; /* Strata's code, and what an address in its file counts from */
enum { GRAIN = 16, GRAINS = 1 << 20 };
static bool listed[GRAINS], lists; /* which sixteen bytes of the code count */
static enum fault armed;
static const struct place *place;
static long aim, step; /* which call it is, and how many are left */
static bool begun;     /* calls count */
static bool lasts;     /* all later ones are refused, too */
static const void *copied;
static bool come;
static int into = -1;               /* FAULTING_TELLS */
static volatile sig_atomic_t tells; /* FAULTING has set the place, and nothing was written yet */

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
            base = object->dlpi_addr;
            first = base + part->p_vaddr;
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

static void strike(const void *caller)
{
    come = true;
    if (tells) {
        struct timespec now;
        tells = 0;
        clock_gettime(CLOCK_REALTIME, &now);
        dprintf(into, "the fault has come at %ld: %s %ld, %#lx\n", (long)now.tv_sec, place->name,
                aim, (unsigned long)((uintptr_t)caller - base));
    }
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
    const uintptr_t at = (uintptr_t)caller;
    const uintptr_t grain = (at - base) / GRAIN;
    return at >= first && at < last && (!lists || (grain < GRAINS && listed[grain]));
}

static void read_list(const char *path)
{
    unsigned long at;
    long bytes;
    FILE *file = path ? fopen(path, "r") : NULL;
    while (file && fscanf(file, "%lx %li", &at, &bytes) == 2) {
        for (unsigned long i = at / GRAIN; i <= (at + (unsigned long)bytes) / GRAIN && i < GRAINS;
             i++) {
            listed[i] = lists = true;
        }
    }
    if (file) {
        fclose(file);
    }
}

static bool counts(enum deed deed, const void *caller)
{
    if (deed == COPY && caller == copied) {
        deed = AGAIN;
    }
    copied = deed & (COPY | AGAIN) ? caller : NULL;
    begun = begun || deed & (MESSAGE | TALK);
    return begun && deed & place->deeds;
}

/* Counts a call, and says whether it fails. */
static bool meets(enum deed deed, const void *caller)
{
    if (armed == NONE || !by_strata(caller) || !counts(deed, caller)) {
        return false;
    }
    if (step > 1) {
        step--;
        return false;
    }
    const bool once = step-- == 1;
    strike(caller);
    return armed == REFUSE && (once || lasts);
}

static void arm(const char *kind, const char *where, long at)
{
    if (first == 0) {
        dl_iterate_phdr(find_strata, NULL);
    }
    armed = strcmp(kind, "kill") == 0 ? KILL : strcmp(kind, "stop") == 0 ? STOP : REFUSE;
    lasts = strcmp(kind, "maps") == 0 || strcmp(kind, "read") == 0;
    where = strcmp(kind, "maps") == 0 ? "map" : armed == REFUSE ? kind : where;
    place = NULL;
    for (int i = 0; i < PLACES; i++) {
        place = strcmp(where, places[i].name) == 0 ? &places[i] : place;
    }
    if (!place) {
        fprintf(stderr, "lost: there is no fault %s, %s\n", kind, where);
        exit(2);
    }
    begun = place->deeds != (ALLOC | MAP);
    aim = step = at;
    come = false;
}

SEEN void faulting_arm(const char *kind, long at)
{
    arm(kind, "step", at);
}

SEEN bool faulting_come(void)
{
    return come;
}

SEEN bool faulting_disarm(void)
{
    armed = NONE;
    return come;
}

/* A handler of signals. */
static void tell_tick(int signal)
{
    static const char line[] = "the fault has come\n";
    const int error = errno;
    (void)signal;
    if (tells) {
        tells = 0;
        (void)!write(into, line, sizeof line - 1);
    }
    errno = error;
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
    char kind[16], where[16] = "step";
    long rank, at;
    me = me ? me : getenv("PMI_RANK");
    if (!text || !me || sscanf(text, "%15[a-z],%ld,%ld,%15[a-z]", kind, &rank, &at, where) < 3 ||
        (rank >= 0 && rank != atol(me))) {
        return;
    }
    const char *file = getenv("FAULTING_TELLS");
    into = file ? open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    tells = 1;
    if (strncmp(kind, "tick", 4) == 0) {
        tick(kind[4] == 's');
    } else {
        read_list(getenv("FAULTING_CODE"));
        arm(kind, where, at);
    }
}

/* The next function of that name. */
#define NEXT(name)                                                                                 \
    static __typeof__(&name) next;                                                                 \
    if (!next) {                                                                                   \
        *(void **)&next = dlsym(RTLD_NEXT, #name);                                                 \
    }

#define CALLER __builtin_return_address(0)

#define STEPS(type, deed, fails, name, parameters, arguments)                                      \
    SEEN type name parameters                                                                      \
    {                                                                                              \
        NEXT(name)                                                                                 \
        return meets(deed, CALLER) ? fails : next arguments;                                       \
    }

#define WAITS(type, name, parameters, arguments)                                                   \
    SEEN type name parameters                                                                      \
    {                                                                                              \
        NEXT(name)                                                                                 \
        (void)meets(WAIT, CALLER);                                                                 \
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

/* A compiler that checks sizes (_FORTIFY_SOURCE) makes memmove the memcpy below. */
static void *(*volatile move)(void *, const void *, size_t) = memmove;

SEEN void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    (void)meets(COPY, CALLER);
    return move(to, from, bytes);
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
STEPS(int, MAP, no(ENOMEM), mprotect, (void *at, size_t bytes, int access), (at, bytes, access))
STEPS(int, MAP, no(EPERM), linkat,
      (int folder, const char *path, int to_folder, const char *to_path, int flags),
      (folder, path, to_folder, to_path, flags))
STEPS(ssize_t, READ, no(EPERM), process_vm_readv,
      (pid_t process, const struct iovec *here, unsigned long heres, const struct iovec *there,
       unsigned long theres, unsigned long flags),
      (process, here, heres, there, theres, flags))

SEEN void *mremap(void *at, size_t before, size_t bytes, int flags, ...)
{
    NEXT(mremap)
    va_list more;
    va_start(more, flags);
    void *const to = va_arg(more, void *);
    va_end(more);
    return meets(MAP, CALLER) ? no_place() : next(at, before, bytes, flags, to);
}

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
/* TALK: MPI ends the program where it cannot do these, or all ranks see that. */
STEPS(int, TALK, MPI_ERR_OTHER, PMPI_Allreduce,
      (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (from, to, count, type, op, comm))
STEPS(int, TALK, MPI_ERR_OTHER, PMPI_Iallreduce,
      (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
       MPI_Request *request),
      (from, to, count, type, op, comm, request))
STEPS(int, TALK, MPI_ERR_OTHER, PMPI_Bcast,
      (void *at, int count, MPI_Datatype type, int root, MPI_Comm comm),
      (at, count, type, root, comm))
STEPS(int, TALK, MPI_ERR_OTHER, PMPI_Comm_split,
      (MPI_Comm comm, int colour, int key, MPI_Comm *made), (comm, colour, key, made))
STEPS(int, TALK, MPI_ERR_OTHER, PMPI_Comm_free, (MPI_Comm * comm), (comm))

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
    if (number == SYS_futex && (word[1] & FUTEX_CMD_MASK) == FUTEX_WAIT) {
        (void)meets(WAIT, CALLER);
    }
    return next(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
