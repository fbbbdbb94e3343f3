/* The file: made in MPI_Init. When MPI_Finalize has ended well, it is marked, and removed unless it
 * shall stay. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "preload/record/recorder.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "core/base/config.h"
#include "core/base/watched.h"
#include "preload/meet.h"
#include "preload/record/clocks.h"
#include "preload/record/communicators.h"

static struct strata_record nowhere; /* what is written before and after the file */
struct strata_record *recorder_record = &nowhere;
struct strata_record_entry *recorder_ring = nowhere.entry;
bool recorder_waits;
STRATA_EACH_THREAD void *recorder_site;
STRATA_EACH_THREAD MPI_Comm recorder_freed = MPI_COMM_NULL;

static struct strata_record_stamp loaded;
static char path[PATH_MAX];
static bool keep;

void recorder_find_next(const struct recorder_next *rows, int count)
{
    for (int i = 0; i < count; i++) {
        *rows[i].next = dlsym(RTLD_NEXT, rows[i].name);
    }
}

struct libraries {
    const char *name[256];
    int count;
};

static int keep_name(struct dl_phdr_info *info, size_t size, void *argument)
{
    struct libraries *all = argument;
    (void)size;
    if (all->count < (int)(sizeof all->name / sizeof *all->name)) {
        all->name[all->count++] = info->dlpi_name;
    }
    return 0;
}

/* The function in a library that is loaded, unless it is this one's own; NULL: there is none. */
static void *find_in(const char *library, const char *name)
{
    Dl_info here, where;
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    void *found = handle ? dlsym(handle, name) : NULL;
    if (handle) {
        dlclose(handle);
    }
    return found && dladdr(&nowhere, &here) && dladdr(found, &where) &&
                   where.dli_fbase != here.dli_fbase
               ? found
               : NULL;
}

/* A library that was loaded for a part of the program is not among the next ones. */
void recorder_find_own(const struct recorder_next *rows, int count)
{
    struct libraries all = {.count = 0};
    recorder_find_next(rows, count);
    dl_iterate_phdr(keep_name, &all);
    for (int i = 0; i < count; i++) {
        for (int l = 0; !*rows[i].next && l < all.count; l++) {
            *rows[i].next = find_in(all.name[l], rows[i].name);
        }
    }
}

__attribute__((constructor)) static void note_time(void)
{
    loaded = strata_record_now();
    nowhere.next = 1;
}

static int random_word(void)
{
    unsigned word = 0;
    if (getrandom(&word, sizeof word, GRND_NONBLOCK) != sizeof word) {
        word = (unsigned)strata_record_ticks();
    }
    return (int)(word >> 1);
}

/* A new file of the user's alone, with all its memory, under a name that nobody foresees. */
static struct strata_record *create(const char *folder)
{
    char absolute[PATH_MAX]; /* the program may change its folder */
    if (!realpath(folder, absolute)) {
        return NULL;
    }
    snprintf(path, sizeof path, "%.*s/" STRATA_RECORD_PREFIX "XXXXXX", (int)sizeof path - 32,
             absolute);
    const int file = mkostemp(path, O_CLOEXEC);
    if (file < 0) {
        return NULL;
    }
    void *memory = MAP_FAILED;
    const int error = posix_fallocate(file, 0, sizeof(struct strata_record));
    if (error == 0) {
        memory =
            mmap(NULL, sizeof(struct strata_record), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    close(file);
    if (memory == MAP_FAILED) {
        unlink(path);
        errno = error ? error : errno;
        return NULL;
    }
    return memory;
}

static bool is_kept(const struct strata_record *record, uint64_t begin)
{
    uint32_t i = 0;
    while (i < record->modules && record->module[i].begin != begin) {
        i++;
    }
    return i < record->modules;
}

/* The name of the program itself is empty. */
static void keep_part(struct strata_record *record, const struct dl_phdr_info *info,
                      const ElfW(Phdr) * part)
{
    const uint32_t kept = record->modules;
    const uint64_t begin = info->dlpi_addr + part->p_vaddr;
    if (kept < STRATA_RECORD_MODULES && !is_kept(record, begin)) {
        struct strata_record_module *module = &record->module[kept];
        module->base = info->dlpi_addr;
        module->begin = begin;
        module->end = begin + part->p_memsz;
        snprintf(module->path, sizeof module->path, "%s",
                 info->dlpi_name[0] ? info->dlpi_name : record->program);
        atomic_store_explicit(&record->modules, kept + 1, memory_order_release);
    }
}

static int keep_module(struct dl_phdr_info *info, size_t size, void *record)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
            keep_part(record, info, part);
        }
    }
    return 0;
}

void recorder_keep_modules(struct strata_record *record)
{
    dl_iterate_phdr(keep_module, record);
}

/* All ranks know where rank 0's process hears others. Its words do not stay in the environment,
 * which programs print and hand on. Rank 0 may be a child of what `strata run` became, as of a
 * shell. */
static void find_door(struct strata_record_door *door)
{
    const char *text = strata_config_watched();
    const bool has = text && strata_record_door_read(text, door) &&
                     (door->pid == getpid() || door->pid == getppid());
    if (!has) {
        *door = (struct strata_record_door){0};
    }
    if (text) {
        (void)strata_config_watch("1");
    }
    PMPI_Bcast(door, sizeof *door, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void fill(struct strata_record *record, int job)
{
    record->bytes = sizeof *record;
    record->job = (uint64_t)job;
    record->next = 1;
    record->pid = getpid();
    record->started = strata_record_process(record->pid).started;
    record->place = strata_record_place();
    PMPI_Comm_rank(MPI_COMM_WORLD, &record->rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &record->ranks);
    record->ranks_here = strata_config_launched_here();
    record->stamps[0] = loaded;
    record->stamps[1] = strata_record_now();
    gethostname(record->host, sizeof record->host - 1);
    if (readlink("/proc/self/exe", record->program, sizeof record->program - 1) < 0) {
        record->program[0] = '\0';
    }
    recorder_keep_modules(record);
}

static void ask(int signal)
{
    (void)signal;
    atomic_fetch_add_explicit(&recorder_record->asked, 1, memory_order_relaxed);
}

/* Where a process watches (tools/rollcall/watch.c), SIGUSR1 asks it for a roll call, unless the
 * program has something else in mind with that signal. */
static void take_signal(void)
{
    struct sigaction had;
    if (sigaction(SIGUSR1, NULL, &had) == 0 && had.sa_handler == SIG_DFL) {
        struct sigaction mine = {.sa_handler = ask, .sa_flags = SA_RESTART};
        sigemptyset(&mine.sa_mask);
        sigaction(SIGUSR1, &mine, NULL);
    }
}

/* Says once, not on every rank of a host, that there is no file. */
static void say(const char *folder)
{
    if (strata_config_launched_first()) {
        fprintf(stderr, "strata: calls are not recorded, because no file can be made in %s: %s\n",
                folder, strerror(errno));
    }
}

/* From now on calls are written into the file, and `strata rollcall` takes it for one. */
static void publish(struct strata_record *record, const struct strata_config *config)
{
    recorder_communicators_begin(record);
    recorder_waits = config->record_waits != 0;
    if (config->rollcall > 0 && strata_config_watched()) {
        take_signal();
    }
    atomic_thread_fence(memory_order_release);
    memcpy(record->magic, STRATA_RECORD_MAGIC, sizeof STRATA_RECORD_MAGIC);
}

/* All ranks that have met set their clocks together, also those without a file. */
void recorder_begin(void)
{
    struct strata_config config;
    struct strata_record_door door;
    int job = random_word();
    strata_config_read(&config, strata_config_ignore, NULL);
    const char *folder = strata_record_folder(config.record, &keep);
    if (preload_meet(&config, &job) != MPI_SUCCESS) {
        return;
    }
    find_door(&door);
    struct strata_record *record = folder ? create(folder) : NULL;
    if (record) {
        fill(record, job);
        record->door = door;
    } else if (folder) {
        say(folder);
    }
    recorder_clocks_begin(record);
    if (record) {
        publish(record, &config);
    }
}

void recorder_end(void)
{
    struct strata_record *record = recorder_record;
    if (record != &nowhere) {
        recorder_record = &nowhere;
        recorder_ring = nowhere.entry;
        recorder_waits = false;
        record->stamps[2] = strata_record_now();
        atomic_store_explicit(&record->ended, record->stamps[2].ticks, memory_order_release);
    }
    if (record != &nowhere && !keep) {
        unlink(path);
    }
}
