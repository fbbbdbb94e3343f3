/* The configuration table: every STRATA_ variable, its default and its allowed values.
 * core/base/config.c is the one file of the library that reads the environment. */
#ifndef STRATA_CORE_BASE_CONFIG_H
#define STRATA_CORE_BASE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/error.h"

/* The row that forces the algorithm of a collective. */
#define STRATA_CHOICE_ROW(ROW, field, name)                                                        \
    ROW(field, TEXT, "STRATA_" name, "auto", AGREED, "auto | [prefer:]NAME[:parameter=value,...]", \
        "algorithm of " #field ", of those that `strata list` names")

/* One row declares a variable: field, C type kind, variable, default as text, allowed values,
 * scope, meaning. A TEXT field is a char[256]. A SIZE value takes K, M, G (strata_config_number).
 * INT and SIZE rows carry a range. A CHOICE value is a word of a list and is kept as text. When a
 * communicator is attached, its ranks take the values of AGREED and EARLY rows from its rank 0, so
 * that all ranks decide alike. EARLY rows count before that, too, so no file gives them
 * (strata_config_read_files). */
#define STRATA_CONFIG_TABLE(ROW)                                                                   \
    ROW(topo, TEXT, "STRATA_TOPO", "", AGREED, "node:4 | node:3,3,2 | node:4:cyclic numa:2",       \
        "emulated nodes, over the ranks of MPI_COMM_WORLD; empty: the real ones")                  \
    ROW(torus, TEXT, "STRATA_TORUS", "", AGREED, "8x8x8 | 4x3:mesh",                               \
        "torus or mesh that the ranks lie on, row by row; for communicators of so many ranks")     \
    STRATA_CHOICE_ROW(ROW, alltoall, "ALLTOALL")                                                   \
    STRATA_CHOICE_ROW(ROW, alltoallv, "ALLTOALLV")                                                 \
    STRATA_CHOICE_ROW(ROW, alltoallw, "ALLTOALLW")                                                 \
    STRATA_CHOICE_ROW(ROW, allgather, "ALLGATHER")                                                 \
    STRATA_CHOICE_ROW(ROW, allgatherv, "ALLGATHERV")                                               \
    STRATA_CHOICE_ROW(ROW, bcast, "BCAST")                                                         \
    STRATA_CHOICE_ROW(ROW, gather, "GATHER")                                                       \
    STRATA_CHOICE_ROW(ROW, gatherv, "GATHERV")                                                     \
    STRATA_CHOICE_ROW(ROW, scatter, "SCATTER")                                                     \
    STRATA_CHOICE_ROW(ROW, scatterv, "SCATTERV")                                                   \
    STRATA_CHOICE_ROW(ROW, reduce, "REDUCE")                                                       \
    STRATA_CHOICE_ROW(ROW, allreduce, "ALLREDUCE")                                                 \
    STRATA_CHOICE_ROW(ROW, reduce_scatter, "REDUCE_SCATTER")                                       \
    STRATA_CHOICE_ROW(ROW, reduce_scatter_block, "REDUCE_SCATTER_BLOCK")                           \
    STRATA_CHOICE_ROW(ROW, scan, "SCAN")                                                           \
    STRATA_CHOICE_ROW(ROW, exscan, "EXSCAN")                                                       \
    STRATA_CHOICE_ROW(ROW, barrier, "BARRIER")                                                     \
    ROW(sizes, TEXT, "STRATA_SIZES", "", AGREED, "64-4K | -1M | 1M-,8",                            \
        "bytes of a block or vector of which plans may serve calls; empty: all")                   \
    ROW(communicators, TEXT, "STRATA_COMMUNICATORS", "", LOCAL, "NAME,NAME*,... | !NAME,...",      \
        "names of communicators that plans may serve, or with ! may not; empty: all")              \
    ROW(same_bits, INT, "STRATA_SAME_BITS", "0", EARLY, "0 .. 1",                                  \
        "1: reductions combine from left to right in the order of ranks: bits depend on data "     \
        "only")                                                                                    \
    ROW(budget, SIZE, "STRATA_BUDGET", "64M", AGREED, "64K .. 64G",                                \
        "staging memory of a node, all communicators together, in bytes")                          \
    ROW(threshold, SIZE, "STRATA_THRESHOLD", "4K", AGREED, "0 .. 1G",                              \
        "blocks above this many bytes go rank to rank")                                            \
    ROW(passes, INT, "STRATA_PASSES", "4", AGREED, "1 .. 1024",                                    \
        "most passes a call is cut into where the budget is small")                                \
    ROW(single_copy, INT, "STRATA_SINGLE_COPY", "1", AGREED, "0 .. 1",                             \
        "0: ranks of a node never read each other's own memory")                                   \
    ROW(attach_after, INT, "STRATA_ATTACH_AFTER", "1", LOCAL, "1 .. 1000000",                      \
        "the call of a communicator that sets its state up; earlier ones are MPI's own")           \
    ROW(split_hosts, INT, "STRATA_SPLIT_HOSTS", "4096", AGREED, "1 .. 1000000000",                 \
        "ranks from which a communicator's hosts are found by splitting it by their names")        \
    ROW(check, INT, "STRATA_CHECK", "0", AGREED, "0 .. 1",                                         \
        "1: prove each plan, send the length of every block and name the pair that disagrees")     \
    ROW(threads, INT, "STRATA_THREADS", "0", LOCAL, "0 .. 1024",                                   \
        "threads that share a rank's copying and combining; 0: as OpenMP says, 1 on shared cores") \
    ROW(team_bytes, SIZE, "STRATA_TEAM_BYTES", "0", LOCAL, "0 .. 1G",                              \
        "bytes from which on a rank's threads share a copy or combination; 0: as is measured")     \
    ROW(wait, CHOICE, "STRATA_WAIT", "auto", AGREED, "auto | spin | yield | sleep",                \
        "how to wait; auto: spin with a core each, else yield, or sleep where that lets none run") \
    ROW(progress, CHOICE, "STRATA_PROGRESS", "calls", LOCAL, "calls | thread | always",            \
        "what moves requests: calls of Strata; a thread, too, where ranks have cores; or "         \
        "anywhere")                                                                                \
    ROW(stall, INT, "STRATA_STALL", "0", LOCAL, "0 .. 1000000",                                    \
        "seconds after which a wait for requests says what it waits for; 0: it does not")          \
    ROW(trial, CHOICE, "STRATA_TRIAL", "agreed", AGREED, "off | agreed | all | reductions",        \
        "early calls that try other ways: those of agreed sizes; all that move data; reductions, " \
        "too")                                                                                     \
    ROW(init_measure, CHOICE, "STRATA_INIT_MEASURE", "off", AGREED, "off | moves | all",           \
        "persistent calls that are timed, on memory of their own, to choose: those that move; "    \
        "all")                                                                                     \
    ROW(settings, TEXT, "STRATA_SETTINGS", "auto", LOCAL, "auto | none | FILE",                    \
        "file of settings that are not in the environment; auto: the user's and the site's")       \
    ROW(strict, INT, "STRATA_STRICT", "0", LOCAL, "0 .. 1",                                        \
        "1: a setting that is wrong ends the program, which else goes on without it")              \
    ROW(explain, CHOICE, "STRATA_EXPLAIN", "none", EARLY, "none | summary | calls | json[:FILE]",  \
        "what rank 0 prints in MPI_Finalize of the calls: by collective, one by one, or all")      \
    ROW(record, TEXT, "STRATA_RECORD", "0", LOCAL, "0 | 1 | FOLDER | keep[:FOLDER]",               \
        "1: calls go into a file of /dev/shm, or of FOLDER; keep: it stays when the job has "      \
        "ended")                                                                                   \
    ROW(record_waits, INT, "STRATA_RECORD_WAITS", "0", LOCAL, "0 .. 1",                            \
        "1: with STRATA_RECORD messages of one rank to another and waits for them are recorded, "  \
        "too")                                                                                     \
    ROW(rollcall, INT, "STRATA_ROLLCALL", "0", LOCAL, "0 .. 1000000",                              \
        "seconds without a call after which a recorded job says who is missing; 0: it does not")   \
    ROW(shadow, CHOICE, "STRATA_SHADOW", "0", AGREED, "0 | 1[:N]",                                 \
        "1: calls that plans serve are compared with MPI's own; 1:N: every N-th of them")          \
    ROW(shadow_operators, INT, "STRATA_SHADOW_OPERATORS", "1", AGREED, "0 .. 1",                   \
        "0: but no reduction by an operator of the program's, which would be called twice")        \
    ROW(machine, TEXT, "STRATA_MACHINE", "auto", AGREED,                                           \
        "auto | NAME[:parameter=value,...] | FILE[:...]",                                          \
        "machine that prices are of (`strata list machines`); auto: a file's, else measured")      \
    ROW(tuned, TEXT, "STRATA_TUNED", "auto", AGREED, "auto | none | FILE",                         \
        "table of choices that `strata tune calls` timed; auto: the user's file or the site's")

#define STRATA_CONFIG_COUNT_ROW(field, kind, variable, value, scope, allowed, meaning) +1
enum { STRATA_CONFIG_ROWS = 0 STRATA_CONFIG_TABLE(STRATA_CONFIG_COUNT_ROW) };
#undef STRATA_CONFIG_COUNT_ROW

struct strata_config {
#define STRATA_FIELD_TEXT(field)   char field[256];
#define STRATA_FIELD_CHOICE(field) char field[256];
#define STRATA_FIELD_SIZE(field)   int64_t field;
#define STRATA_FIELD_INT(field)    int64_t field;
#define STRATA_CONFIG_FIELD(field, kind, variable, value, scope, allowed, meaning)                 \
    STRATA_FIELD_##kind(field)
    STRATA_CONFIG_TABLE(STRATA_CONFIG_FIELD)
#undef STRATA_CONFIG_FIELD
    unsigned char given[STRATA_CONFIG_ROWS]; /* enum strata_given: the source of each value */
};

enum strata_given {
    STRATA_GIVEN_DEFAULT,
    STRATA_GIVEN_ENVIRONMENT,
    STRATA_GIVEN_USER, /* the user's file */
    STRATA_GIVEN_SITE,
    STRATA_GIVEN_NAMED, /* the file that STRATA_SETTINGS names */
};

/* Called for each complaint. For a bad value, `sentence` names the variable, the value and the
 * allowed values, and `instead` says which value is used. For an unknown STRATA_ name, which is
 * ignored, `sentence` names a similar variable if there is one, and `instead` is NULL. Both strings
 * are valid during the call only. */
typedef void strata_complain(void *context, const char *sentence, const char *instead);
/* Says nothing, where others say it. */
strata_complain strata_config_ignore;

/* Looks at a value that is read only when it is needed, as strata_setting_text_check does. */
typedef int strata_config_check(const char *variable, const char *text, int ranks,
                                struct strata_diagnostic *message);

/* How settings are read. */
struct strata_config_reader {
    strata_complain *complain;
    void *context;              /* for complain */
    strata_config_check *check; /* of every value; NULL: texts are taken as they are */
    int ranks;                  /* for check */
};

/* Reads the process's environment. The function never fails: it complains about each mistake. An
 * empty or wrong value counts as not given. */
void strata_config_read_by(struct strata_config *config, const struct strata_config_reader *reader);
/* The same without a check of texts. */
void strata_config_read(struct strata_config *config, strata_complain *complain, void *context);
/* The same from a given environment (NULL-terminated "NAME=value" strings), for tests. */
void strata_config_read_from(struct strata_config *config, const char *const *environment,
                             const struct strata_config_reader *reader);

/* Reads AGREED rows from the file that `which` names, the value of STRATA_SETTINGS, or from the
 * site's and the user's, which overrules it. Lines are "STRATA_NAME = VALUE", and # begins a
 * comment. A name of no row is complained about. STRATA_ERR_SYNTAX, STRATA_ERR_MEMORY, or of a file
 * that is named and cannot be opened STRATA_ERR_UNSUPPORTED: *config has defaults, and message says
 * which file is wrong, where and why. */
int strata_config_read_files(const char *which, struct strata_config *config,
                             const struct strata_config_reader *reader,
                             struct strata_diagnostic *message);
/* The same from the text of one file. */
int strata_config_parse_file(const char *text, size_t size, struct strata_config *config,
                             const struct strata_config_reader *reader,
                             struct strata_diagnostic *message);
/* Takes the values that `files` was given, for the rows that config was not. */
void strata_config_fill(struct strata_config *config, const struct strata_config *files);

/* Whether STRATA_EXPLAIN asks for anything. */
bool strata_config_explains(const struct strata_config *config);

/* The n for which STRATA_SHADOW asks to compare every n-th call; 0: none. */
int64_t strata_config_shadows(const struct strata_config *config);

/* The number of processes of this MPI job that its launcher started on this host, as Open MPI's
 * mpirun and MPICH's Hydra tell it. 0: the launcher is another one, or there is none. */
int strata_config_launched_here(void);

/* The number of processes of this MPI job, as these launchers and Slurm's tell it; 0: none does. */
int strata_config_launched(void);

/* The nodes of this MPI job, as Slurm tells it; 0: it does not. */
int strata_config_launched_nodes(void);

/* The OpenMP threads of a rank at the outermost level, as OMP_NUM_THREADS gives them; 0: it gives
 * none. */
int strata_config_openmp_threads(void);
/* The cores of the Slurm allocation around this process, whose nodes are taken as alike; 0: there
 * is none, or it does not tell. */
int strata_config_slurm_cores(void);
/* Slurm's names of the switches above this node and of the node, and what kinds of things these
 * are; NULL: Slurm tells none. */
void strata_config_slurm_switches(const char **names, const char **kinds);

/* Whether this process is rank 0 of its job, as the same launchers tell it; true where none tells
 * it. */
bool strata_config_launched_first(void);
/* Whether it is the first one of its job on this host; false where none tells it. */
bool strata_config_launched_first_here(void);

/* Where files of Strata lie: the user's folder, XDG_CONFIG_HOME/strata or ~/.config/strata; the
 * site's, /etc/strata. */
enum strata_folder { STRATA_FOLDER_USER, STRATA_FOLDER_SITE, STRATA_FOLDERS };
/* Writes the path of the file of that name. False: there is no such place, or the path is longer
 * than size - 1. */
bool strata_config_path(enum strata_folder place, const char *name, char *path, size_t size);

/* The libraries that are preloaded into programs that this process starts; "" if there are none. */
const char *strata_config_preloaded(void);

/* Copies the rows of `from` that are not LOCAL into config. */
void strata_config_adopt(struct strata_config *config, const struct strata_config *from);

/* The first row but LOCAL ones that was given in `config` and has another value in `from`;
 * STRATA_CONFIG_ROWS if there is none. */
int strata_config_differ(const struct strata_config *config, const struct strata_config *from);

/* Whether both have the same values, each from the same source. */
bool strata_config_same(const struct strata_config *a, const struct strata_config *b);

/* Prints the table for people: variable, value, its source, allowed values; the meaning stands
 * below. */
void strata_config_print(const struct strata_config *config, FILE *file);

/* Reads digits and, where suffixes are allowed, one of K, M, G (powers of 1024; also KB, KiB, and B
 * for 1, in upper or lower case). *end is where the number stops. Every size that people write is
 * read by this function. */
bool strata_config_number(const char *text, bool suffixes, int64_t *value, const char **end);

#endif
