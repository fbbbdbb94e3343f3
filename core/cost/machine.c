/* The machine descriptions, and their text form. */
#include "core/cost/machine.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"

/* Orders of magnitude, to select by until a machine is measured. A site describes its own machine
 * with STRATA_MACHINE=name:parameter=value,... The measured parameters were measured with Open MPI
 * 4.1.4 on a two-core Xeon virtual machine under Debian 12, by ping-pong and copy loops
 * (medians). */
/* How many times as long a line takes from farther away, between what Xeons and EPYCs take by the
 * tables of github.com/nviennot/core-to-core-latency. Xeons have one cache in a package, and take
 * 2.1 to 2.8 times as long from the other package. An EPYC 7R13 takes 23 ns in a cache, 107 between
 * caches and 197 between packages.
 *
 * N members that read one line wait alpha + N beta (Ramos and Hoefler, Capability Models for
 * Manycore Memory Systems, IPDPS 2017). Their beta on Xeon Phi KNL is 34 ns, where one member reads
 * another's line in some 110 ns. */
#define LEVELS .between_caches = 2, .between_packages = 4, .readers = 0.3

static const struct strata_machine machines[] = {
    {
        .name = "cluster",
        .alpha = 1.5e-6,        /* one small message over InfiniBand HDR or EDR: 1 to 2 us */
        .beta = 1 / 12.5e9,     /* 100 Gbit/s, the nominal rate of EDR and HDR100 */
        .alpha_node = 0.4e-6,   /* measured: 8 B one way, 0.32 to 0.43 us */
        .beta_node = 1 / 5.7e9, /* measured: 64 KiB one way in 11.5 us */
        .overhead = 0.2e-6, /* a post and a completion through a network library; in memory 0.08 */
        .copy = 1 / 8e9,    /* one core from another's cache to memory: 5 to 10 GB/s; from its own
                               second level 41 GB/s were measured */
        .copy_block = 8e-9, /* measured: 3 ns for 8 B in a row, 8 ns through count tables */
        .signal = 0.14e-6,  /* measured: 0.13 us from store to load on another core */
        .fetch = 1.5e-6,    /* a system call that finds the pages: 1 to 4 us */
        .reduce = 1 / 4e9,  /* a sum of doubles from the second level of the cache: 3 to 6 GB/s */
        .ports = 2,         /* small messages under way at once before they queue at the adapter */
        .turn = 4e-6,       /* measured: a yield to a rank that looks for messages and yields */
        LEVELS,
        .contenders = 1,
    },
    {
        .name = "gigabit",
        .alpha = 30e-6,       /* TCP over switched Ethernet: 25 to 50 us */
        .beta = 1 / 0.125e9,  /* 1 Gbit/s, the nominal rate */
        .alpha_node = 0.4e-6, /* the rest inside a node as above */
        .beta_node = 1 / 5.7e9,
        .overhead = 3e-6, /* a system call for each message and its share of the interrupts */
        .copy = 1 / 8e9,
        .copy_block = 8e-9,
        .signal = 0.14e-6,
        .fetch = 1.5e-6,
        .reduce = 1 / 4e9,
        .ports = 1,   /* one wire */
        .turn = 4e-6, /* measured: a yield to a rank that looks for messages and yields */
        LEVELS,
        .contenders = 1,
    },
    {
        .name = "workstation", /* nodes are emulated: everything goes through shared memory */
        .alpha = 0.4e-6,       /* messages between nodes cost as much as messages inside a node */
        .beta = 1 / 5.7e9,
        .alpha_node = 0.4e-6,
        .beta_node = 1 / 5.7e9,
        .overhead = 0.08e-6, /* measured: ten sends and ten receives of 8 B at once */
        .copy = 1 / 8e9,
        .copy_block = 8e-9,
        .signal = 0.14e-6,
        .fetch = 1.5e-6,
        .reduce = 1 / 4e9,
        .ports = 1,   /* the sender's core copies, one message after another */
        .turn = 4e-6, /* measured: a yield to a rank that looks for messages and yields */
        LEVELS,
        .contenders = 1,
    },
    {
        /* Hosts that are containers of one machine: messages between them go through its kernel's
         * TCP, and all hosts share the cores that move them. Inside a host as below. */
        .name = "containers",
        .alpha = 1e-6,   /* measured: 8 B one way in 7 us, overheads included, with either MPI */
        .beta = 1 / 3e9, /* 32 KiB in 16 us */
        .alpha_node = 0.2e-6,
        .beta_node = 1 / 11e9,
        .overhead = 3e-6, /* system calls */
        .eager = 65472,   /* Open MPI's over TCP: 64 KiB less a header */
        .rendezvous = 15e-6,
        .copy = 1 / 14e9,
        .copy_block = 8e-9,
        .signal = 0.14e-6,
        .fetch = 1.5e-6,
        .reduce = 1 / 20e9,
        .turn = 4e-6,
        .native_reduce = 0.35, /* 64 KiB on 4 x 2 in 320 us, 256 KiB on 4 x 4 in 1.5 ms: leaves */
        .native_scan = 0.3,    /* likewise in 300 and 600 us: the first ranks wait for no other */
        LEVELS,
        .contenders = 1,
    },
    {
        /* All ranks on one host. If they have cores of their own, the host is measured when a
         * communicator is attached (api/attach/host_parameters.c). These parameters serve all other
         * cases. They lie between the times of Open MPI on 2 ranks with a core each, and the times
         * of Open MPI and Strata on 16 ranks that share two cores. */
        .name = "host",
        .alpha = 0.2e-6,  /* 8 B one way in 0.3 to 0.4 us, overheads aside */
        .beta = 1 / 11e9, /* 16 and 64 KiB in one copy: 6 GB/s where cores are shared, else 17 */
        .alpha_node = 0.2e-6,
        .beta_node = 1 / 11e9,
        .overhead = 0.08e-6,  /* measured: ten sends and ten receives of 8 B at once */
        .posting = 0.3e-6,    /* pairwise on 2 ranks and MPI's own, 8 B to 2 KiB: 0.4 and 0.15 */
        .eager = 4032,        /* Open MPI's: 4 KiB less a header */
        .beta_eager = 0.5e-9, /* 1 KiB in 1.2 us where 8 B take 0.4, less for 2 and 4 KiB */
        .rendezvous = 4e-6,   /* 4 KiB in 4.5 us: a system call fetches it */
        .copy = 1 / 14e9,     /* out of slots: 20 GB/s where cores are shared, else 10 */
        .copy_block = 8e-9,
        .signal = 0.14e-6,
        .fetch = 1.5e-6,
        .reduce = 1 / 20e9, /* likewise 27 and 12 GB/s */
        .turn = 4e-6,
        LEVELS,
        .contenders = 1,
    },
};

enum { MACHINES = sizeof machines / sizeof *machines };

const struct strata_machine *strata_machine_at(int index)
{
    return index >= 0 && index < MACHINES ? &machines[index] : NULL;
}

struct strata_machine strata_machine_of_nodes(const struct strata_machine *machine, int ranks,
                                              struct strata_sharing sharing)
{
    struct strata_machine found = *machine;
    if (machine->native_turn == 0) {
        found.native_turn = sharing.native_turn;
    }
    if (machine->cores == 0 && sharing.ranks > 0) {
        found.cores = ranks / sharing.ranks;
        snprintf(found.name, sizeof found.name, "%.20s, crowded", machine->name);
    }
    if (found.cores >= ranks) {
        found.cores = 0;
    } else if (found.cores > 0) {
        found = strata_machine_alone(&found); /* nothing is shared on crowded cores */
        found.contenders = ranks;
    }
    return found;
}

const struct strata_machine *strata_machine_host(void)
{
    return &machines[MACHINES - 1];
}

const struct strata_machine *strata_machine_containers(void)
{
    return &machines[MACHINES - 2];
}

static bool is(const char *text, int length, const char *name)
{
    return (int)strlen(name) == length && strncmp(name, text, (size_t)length) == 0;
}

int strata_machine_file_of(const char *text)
{
    size_t length = strcspn(text, ":");
    return memchr(text, '/', length) ? (int)length : 0;
}

bool strata_machine_is_auto(const char *text)
{
    return is(text, (int)strcspn(text, ":"), "auto");
}

bool strata_machine_names_host(const char *text)
{
    int length = (int)strcspn(text, ":");
    return is(text, length, "auto") || is(text, length, strata_machine_host()->name) ||
           strata_machine_file_of(text) > 0;
}

struct parameter {
    const char *name;
    size_t offset;
};

static const struct parameter parameters[] = {
#define PARAMETER_ROW(field, meaning) {#field, offsetof(struct strata_machine, field)},
    STRATA_MACHINE_TABLE(PARAMETER_ROW)
#undef PARAMETER_ROW
};

enum { PARAMETERS = sizeof parameters / sizeof *parameters };

static void append(char *list, size_t size, const char *name)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, used ? ", %s" : "%s", name);
}

static int find_machine(const char *text, int length, struct strata_machine *machine,
                        struct strata_diagnostic *message)
{
    char known[128] = "auto";
    if (is(text, length, "auto") || strata_machine_file_of(text) > 0) {
        *machine = machines[0];
        return STRATA_OK;
    }
    for (int i = 0; i < MACHINES; i++) {
        if (is(text, length, machines[i].name)) {
            *machine = machines[i];
            return STRATA_OK;
        }
        append(known, sizeof known, machines[i].name);
    }
    return strata_fail(message, STRATA_ERR_SYNTAX, "machine \"%.*s\" is not known; known are: %s",
                       length < 60 ? length : 60, text, known);
}

static const struct parameter *find_parameter(const char *text, int length)
{
    for (int i = 0; i < PARAMETERS; i++) {
        if (is(text, length, parameters[i].name)) {
            return &parameters[i];
        }
    }
    return NULL;
}

/* Reads "name=value" from text, `length` characters long. */
static int read_parameter(const char *text, int length, struct strata_machine *machine,
                          struct strata_diagnostic *message)
{
    char known[STRATA_DIAGNOSTIC_SIZE] = "", *end;
    int name = (int)strcspn(text, "=,");
    int shown = length < 60 ? length : 60;
    const struct parameter *parameter = find_parameter(text, name);
    if (!parameter || text[name] != '=') {
        for (int i = 0; i < PARAMETERS; i++) {
            append(known, sizeof known, parameters[i].name);
        }
        return strata_fail(message, STRATA_ERR_SYNTAX,
                           "\"%.*s\" is not PARAMETER=VALUE of a machine; parameters are: %s",
                           shown, text, known);
    }
    double value = strata_number(text + name + 1, &end);
    bool ports = parameter->offset == offsetof(struct strata_machine, ports);
    if (end == text + name + 1 || end != text + length || !isfinite(value) ||
        value < (ports ? 1 : 0)) {
        return strata_fail(message, STRATA_ERR_SYNTAX, "\"%.*s\": allowed is %s", shown, text,
                           ports ? "a number of 1 or more" : "a number of 0 or more");
    }
    memcpy((unsigned char *)machine + parameter->offset, &value, sizeof value);
    return STRATA_OK;
}

/* host: the machine of ranks on one host, if the text names it; NULL: the ranks are not on one
 * host. */
static int parse(const struct strata_machine *host, const char *text,
                 struct strata_machine *machine, struct strata_diagnostic *message)
{
    struct strata_machine found;
    int length = (int)strcspn(text, ":");
    int status = find_machine(text, length, &found, message);
    const char *at = text + length;
    if (host && strata_machine_names_host(text)) {
        found = *host;
    }
    while (status == STRATA_OK && *at) {
        at++; /* ':' or ',' */
        length = (int)strcspn(at, ",");
        status = read_parameter(at, length, &found, message);
        at += length;
    }
    if (status == STRATA_OK) {
        *machine = found;
    }
    return status;
}

int strata_machine_parse(const char *text, struct strata_machine *machine,
                         struct strata_diagnostic *message)
{
    return parse(NULL, text, machine, message);
}

int strata_machine_parse_on(const struct strata_machine *host, const char *text,
                            struct strata_machine *machine, struct strata_diagnostic *message)
{
    return parse(host, text, machine, message);
}

void strata_machine_print(const struct strata_machine *machine, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < PARAMETERS; i++) {
        double value;
        memcpy(&value, (const unsigned char *)machine + parameters[i].offset, sizeof value);
        if (value != 0 && used < size) {
            used += (size_t)snprintf(text + used, size - used, "%s%s=%.3g", used ? "," : "",
                                     parameters[i].name, value);
        }
    }
}
