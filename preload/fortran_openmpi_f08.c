/* mpi_f08 of Open MPI 6, whose buffers are descriptors of arrays (TS 29113). Open MPI's library for
 * mpi_f08 turns each descriptor into an address, and into a datatype where the array has gaps. Then
 * it calls PMPI in C. PMPI's names cannot be caught: tools and Strata call them, too. So the
 * references of this one library are redirected, as UCX redirects those to malloc: in the table of
 * addresses that the dynamic linker has filled. A library that is loaded after MPI_Init stays as it
 * is. Earlier versions of the library call no collective of PMPI.
 *
 * For the recorder the library of the older bindings is redirected, too, with its calls that do not
 * block: mpi_f08 of Open MPI 4 and 5 goes through it. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "preload/collectives.h"
#include "preload/fortran.h"
#ifdef STRATA_RECORDER
#include "preload/record/waits.h"
#endif

#if defined __x86_64__ || defined __aarch64__

static const char library[] = "/libmpi_usempif08";
static const char older[] = "/libmpi_mpifh";

struct redirection {
    const char *name;
    uintptr_t to;
    bool both; /* in both libraries */
};

#define TO(name, Name)       {"PMPI_" #Name, (uintptr_t)strata_preload_##name, false},
#define TO_LARGE(name, Name) {"PMPI_" #Name "_c", (uintptr_t)strata_preload_##name##_c, false},
#ifdef STRATA_RECORDER
#define SAME(name)        {"PMPI_" #name, (uintptr_t)MPI_##name, true},
#define WAIT(Name, name)  SAME(Name)
#define BEGUN(name, Name) SAME(I##name)
#define NEIGHBORS(kind)   SAME(Neighbor_##kind) SAME(Ineighbor_##kind)
#define MESSAGES                                                                                   \
    SAME(Send)                                                                                     \
    SAME(Ssend)                                                                                    \
    SAME(Rsend)                                                                                    \
    SAME(Recv)                                                                                     \
    SAME(Sendrecv)                                                                                 \
    SAME(Sendrecv_replace)                                                                         \
    SAME(Probe)                                                                                    \
    SAME(Mprobe)                                                                                   \
    SAME(Improbe)                                                                                  \
    SAME(Mrecv)                                                                                    \
    SAME(Imrecv)                                                                                   \
    SAME(Bsend)                                                                                    \
    SAME(Ibsend)                                                                                   \
    SAME(Bsend_init)                                                                               \
    SAME(Isend)                                                                                    \
    SAME(Issend)                                                                                   \
    SAME(Irsend)                                                                                   \
    SAME(Irecv)                                                                                    \
    SAME(Send_init)                                                                                \
    SAME(Ssend_init)                                                                               \
    SAME(Rsend_init)                                                                               \
    SAME(Recv_init)
#if MPI_VERSION >= 4
#define NEWER_MESSAGES                                                                             \
    SAME(Isendrecv)                                                                                \
    SAME(Isendrecv_replace)                                                                        \
    SAME(Psend_init)                                                                               \
    SAME(Precv_init)                                                                               \
    SAME(Parrived)
#else
#define NEWER_MESSAGES
#endif
#endif
static const struct redirection redirections[] = {
    PRELOAD_ALL(TO)
#if MPI_VERSION >= 4
        PRELOAD_MOVING(TO_LARGE)
#endif
#ifdef STRATA_RECORDER
            PRELOAD_ALL(BEGUN) RECORDER_WAITS(WAIT) NEIGHBORS(allgather) NEIGHBORS(allgatherv)
                NEIGHBORS(alltoall) NEIGHBORS(alltoallv) NEIGHBORS(alltoallw)
                    MESSAGES NEWER_MESSAGES
#endif
};
enum { REDIRECTIONS = sizeof redirections / sizeof *redirections };

/* 0: the reference stays as it is. */
static uintptr_t instead_of(const char *name, bool both)
{
    for (int i = 0; i < REDIRECTIONS; i++) {
        if ((redirections[i].both || !both) && strcmp(name, redirections[i].name) == 0) {
            return redirections[i].to;
        }
    }
    return 0;
}

/* The linker makes this part of a library read-only when it has filled it. */
static bool read_only(const struct dl_phdr_info *info, uintptr_t at)
{
    bool found = false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        found = found || (part->p_type == PT_GNU_RELRO &&
                          at - (info->dlpi_addr + part->p_vaddr) < part->p_memsz);
    }
    return found;
}

static void redirect(const struct dl_phdr_info *info, uintptr_t at, uintptr_t to)
{
    const uintptr_t length = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *page = (void *)(at / length * length); /* NOLINT(performance-no-int-to-ptr) */
    const bool locked = read_only(info, at);
    if (!locked || mprotect(page, length, PROT_READ | PROT_WRITE) == 0) {
        *(uintptr_t *)at = to; /* NOLINT(performance-no-int-to-ptr) */
        if (locked) {
            mprotect(page, length, PROT_READ);
        }
    }
}

/* A library's table of this kind. The C library has put addresses in the place of offsets. */
static const void *table(const ElfW(Dyn) * entries, ElfW(Sxword) kind)
{
    for (; entries->d_tag != DT_NULL; entries++) {
        if (entries->d_tag == kind) {
            return (const void *)entries->d_un.d_ptr; /* NOLINT(performance-no-int-to-ptr) */
        }
    }
    return NULL;
}

/* The references of one of the library's two lists: those that are filled at the first call, and
 * those that are filled before. */
static void redirect_list(const struct dl_phdr_info *info, const ElfW(Dyn) * entries,
                          ElfW(Sxword) list, ElfW(Sxword) list_bytes)
{
    const ElfW(Rela) *references = table(entries, list);
    const size_t bytes = (size_t)table(entries, list_bytes);
    const ElfW(Sym) *symbols = table(entries, DT_SYMTAB);
    const char *names = table(entries, DT_STRTAB);
    for (size_t i = 0; references && i < bytes / sizeof *references; i++) {
        const ElfW(Sym) *symbol = &symbols[ELF64_R_SYM(references[i].r_info)];
        const uintptr_t to = instead_of(names + symbol->st_name, strstr(info->dlpi_name, older));
        if (to) {
            redirect(info, info->dlpi_addr + references[i].r_offset, to);
        }
    }
}

static int visit(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    const bool meant = strstr(info->dlpi_name, library) || strstr(info->dlpi_name, older);
    for (int i = 0; meant && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_DYNAMIC) {
            /* NOLINTNEXTLINE(performance-no-int-to-ptr) */
            const ElfW(Dyn) *entries = (const ElfW(Dyn) *)(info->dlpi_addr + part->p_vaddr);
            redirect_list(info, entries, DT_JMPREL, DT_PLTRELSZ);
            redirect_list(info, entries, DT_RELA, DT_RELASZ);
        }
    }
    return 0;
}

void preload_redirect_fortran(void)
{
    dl_iterate_phdr(visit, NULL);
}

#else

void preload_redirect_fortran(void)
{
}

#endif
