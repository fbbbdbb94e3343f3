/* What the applications share: the host, the command line, figures and messages. */
#ifndef STRATA_APPS_COMMON_APP_H
#define STRATA_APPS_COMMON_APP_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define APP_THREADS 1024 /* the most threads of a rank */

/* host.c: what the rank's host offers. */
struct app_host {
    char name[MPI_MAX_PROCESSOR_NAME];
    int hosts, ranks, processors; /* hosts of the run; ranks and processors of my host */
    int asked, threads;           /* threads of a rank: OpenMP's number, and the number in use */
    double available;             /* memory of my host in bytes */
};
/* `threads` is the number that the user insists on, or 0. Collective. */
void app_host_find(struct app_host *host, int threads, MPI_Comm comm);
/* Whether every host has the memory; the message names a host that has not. Collective. */
bool app_host_fits(const struct app_host *host, double bytes_per_rank, MPI_Comm comm, char *message,
                   size_t size);
void app_host_print(const struct app_host *host, int ranks); /* the lines "ranks" and "threads" */

/* options.c: the command line. Every rank reads the same words, with the same result. */
struct app_option {
    const char *name, *value, *meaning; /* value NULL: the option takes none */
    /* Sets the option. Returns NULL, or for a wrong value the allowed ones. */
    const char *(*set)(void *options, const char *value);
};
/* Returns false with a sentence in message. The table ends with a row without a name. */
bool app_options_parse(const struct app_option *table, void *options, char **words, char *message,
                       size_t size);
void app_options_help(const struct app_option *table, FILE *file);
bool app_number(const char *word, long most, int *number); /* from 1 to most */

/* messages.c: all ranks act alike, and rank 0 prints. Collective over MPI_COMM_WORLD. */
int app_refuse(const char *program, const char *message); /* returns 2, the exit code */
/* Opens the file for writing on rank 0. Returns false on all ranks where that fails. A NULL name
 * opens nothing. */
bool app_open(const char *name, FILE **file);

/* terminal.c: whether a person watches rank 0's output. */
bool app_terminal(void);

/* used.c: Strata's report of its last exchange, as a name and in words, and the volume of all calls
 * of all ranks with the messages' headers. app_used_find is collective over comm, which may be a
 * member's handle. */
struct app_used {
    char algorithm[96], words[640];
    struct app_volume {
        uint64_t messages, bytes;           /* to other nodes */
        uint64_t messages_node, bytes_node; /* to ranks of the same node */
        uint64_t copied;                    /* in bytes */
    } volume;
};
void app_used_find(MPI_Comm comm, bool member, struct app_used *used);
void app_used_print(const char *title, const struct app_used *used);

/* spread.c */
struct app_spread {
    double median, least, most;
};
struct app_spread app_spread(double *values, int count); /* sorts the values */

/* json.c */
void app_json_string(FILE *file, const char *text);
void app_json_mpi(FILE *file); /* the line "mpi": the name of the library */

static inline const char *app_plural(int number)
{
    return number == 1 ? "" : "s";
}

#endif
