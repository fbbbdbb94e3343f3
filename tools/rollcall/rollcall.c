/* strata rollcall: where the ranks of recorded jobs are, and what is wrong. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/config.h"
#include "tools/command/command.h"
#include "tools/command/options.h"
#include "tools/command/words.h"
#include "tools/rollcall/rollcall.h"

struct asked {
    const struct tool_command *command;
    double after; /* seconds without a call from which on a job stands still */
    bool remove;
};

static int take_after(void *self, const char *option, const char *value)
{
    struct asked *asked = self;
    if (!tool_number(value, 0, INFINITY, &asked->after)) {
        tool_complain(asked->command, "%s is \"%s\", but allowed is seconds", option, value);
        return TOOL_WRONG_USE;
    }
    return TOOL_OK;
}

/* Numbers the hosts, and returns how many there are. A rank's host is often that of the rank before
 * it. */
static int number_hosts(struct roll_rank *ranks, int count)
{
    int hosts = 0;
    for (int i = 0; i < count; i++) {
        const char *name = ranks[i].record->host;
        int other = i - 1;
        while (other >= 0 && strcmp(ranks[other].record->host, name) != 0) {
            other--;
        }
        ranks[i].host = other >= 0 ? ranks[other].host : hosts++;
    }
    return hosts;
}

static void find_times(struct roll_job *job)
{
    const double now = (double)strata_record_now().nanoseconds / 1e9;
    double active = 0;
    job->ended = true;
    for (int i = 0; i < job->count; i++) {
        active = job->ranks[i].active > active ? job->ranks[i].active : active;
        job->ended = job->ended && job->ranks[i].state == ROLL_GONE;
    }
    job->still = now - active;
}

static void print_head(const struct roll_job *job, bool still)
{
    const struct strata_record *first = job->ranks[0].record;
    char time[32];
    printf("job %llx: %d of %d ranks of %s on ", (unsigned long long)first->job, job->count,
           first->ranks, first->program);
    if (job->hosts > 1) {
        printf("%d hosts", job->hosts);
    } else {
        printf("%s", first->host);
    }
    if (job->ended) {
        printf(", which has ended\n");
    } else if (still) {
        printf(", which stands still for %s\n", tool_seconds(job->still, time, sizeof time));
    } else {
        printf(", which goes on\n");
    }
}

/* Ranks at one place have one line. */
static void print_places(const struct roll_job *job)
{
    char(*places)[ROLL_TEXT] = malloc((size_t)job->count * sizeof *places);
    bool said[job->count], here[job->count];
    memset(said, 0, sizeof said);
    for (int i = 0; places && i < job->count; i++) {
        roll_place(&job->ranks[i], places[i]);
    }
    for (int i = 0; places && i < job->count; i++) {
        for (int k = 0; k < job->count; k++) {
            here[k] = !said[i] && strcmp(places[i], places[k]) == 0;
        }
        if (!said[i]) {
            printf("  ");
            roll_print_ranks(job, here);
            printf(": %s\n", places[i]);
        }
        for (int k = 0; k < job->count; k++) {
            said[k] = said[k] || here[k];
        }
    }
    free(places);
}

/* Ranks that left no file on the hosts that have others. */
static int say_absent(const struct roll_job *job)
{
    int there[job->hosts], wrong = 0;
    memset(there, 0, sizeof there);
    for (int i = 0; i < job->count; i++) {
        there[job->ranks[i].host]++;
    }
    for (int i = 0, host = 0; i < job->count; i++) {
        const struct strata_record *record = job->ranks[i].record;
        const int absent = record->ranks_here - there[job->ranks[i].host];
        if (job->ranks[i].host == host && host++ < job->hosts && absent > 0) {
            printf("  wrong: %d rank%s on %s left no file: ended, or not recorded\n", absent,
                   tool_plural(absent), record->host);
            wrong++;
        }
    }
    return wrong;
}

static int report(struct roll_job *job, const struct asked *asked)
{
    job->hosts = number_hosts(job->ranks, job->count);
    find_times(job);
    const bool still = job->ended || job->still >= asked->after;
    print_head(job, still);
    print_places(job);
    const int wrong = say_absent(job) + roll_judge(job, still);
    for (int i = 0; asked->remove && job->ended && i < job->count; i++) {
        unlink(job->ranks[i].path);
    }
    return wrong > 0 ? TOOL_FAILED : TOOL_OK;
}

static bool is_meant(const struct roll_job *job, int pid)
{
    bool found = pid == 0;
    for (int i = 0; i < job->count; i++) {
        found = found || roll_descends(&job->ranks[i], pid);
    }
    return found;
}

/* Reports each job; of one process only its job. */
static int report_all(struct roll_rank *ranks, int count, int pid, const struct asked *asked)
{
    int code = TOOL_WRONG_USE;
    for (int first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && ranks[end].record->job == ranks[first].record->job) {
            end++;
        }
        struct roll_job job = {.ranks = ranks + first, .count = end - first};
        if (is_meant(&job, pid)) {
            const int one = report(&job, asked);
            code = code == TOOL_WRONG_USE || one > code ? one : code;
        }
    }
    return code;
}

/* Reads all folders, which the words name; without one, that of STRATA_RECORD. Returns the number
 * of files, or -1 where it has complained. */
static int read_all(const struct asked *asked, char **folders, struct roll_rank **ranks)
{
    struct strata_config config;
    strata_config_read(&config, strata_config_ignore, NULL);
    static char memory[] = STRATA_RECORD_FOLDER;
    char *one[] = {strchr(config.record, '/') ? config.record : memory, NULL};
    int count = 0;
    for (char **folder = folders[0] ? folders : one; count >= 0 && *folder; folder++) {
        const int more = roll_read(*folder, ranks, count);
        if (more < 0) {
            tool_complain(asked->command, "%s: %s", *folder, strerror(errno));
            roll_free(*ranks, count);
        }
        count = more;
    }
    return count;
}

static int call_roll(const struct asked *asked, char **folders, int pid)
{
    struct roll_rank *ranks = NULL;
    const int count = read_all(asked, folders, &ranks);
    if (count < 0) {
        return TOOL_WRONG_USE;
    }
    const int code = report_all(ranks, count, pid, asked);
    roll_free(ranks, count);
    if (code == TOOL_WRONG_USE) {
        tool_complain(asked->command,
                      "no job is recorded there; mpirun ... strata run --record does it");
    }
    return code;
}

/* The words before the options are folders, or the first of them a process. */
static int run(const struct tool_command *command, int argc, char **argv)
{
    struct asked asked = {.command = command, .after = 2};
    const struct tool_option rows[] = {{"--after", TOOL_VALUE, take_after, NULL},
                                       {"--remove", TOOL_FLAG, NULL, &asked.remove},
                                       {NULL, TOOL_FLAG, NULL, NULL}};
    const struct tool_options options = {.command = command, .rows = rows, .self = &asked};
    char *folders[argc + 1];
    int at = 1, pid = 0, count = 0;
    for (; at < argc && argv[at][0] != '-'; at++) {
        if (at == 1 && argv[at][strspn(argv[at], "0123456789")] == '\0') {
            pid = atoi(argv[at]);
        } else {
            folders[count++] = argv[at];
        }
    }
    folders[count] = NULL;
    const int code = tool_options_read_all(&options, argv, at);
    return code != TOOL_OK ? code : call_roll(&asked, folders, pid);
}

const struct tool_command tool_rollcall = {
    .name = "rollcall",
    .arguments = "[PID] [FOLDER]... [OPTION]...",
    .summary = "Shows where the ranks of recorded jobs are, and what is wrong",
    .help =
        "  mpirun -n 8 strata run --record -- ./program    records the calls of each rank\n"
        "  strata rollcall                                 all recorded jobs of this host\n"
        "  strata rollcall 4711                            the job of a rank or of mpirun\n"
        "  strata rollcall FOLDER...                       of --record=FOLDER, or copies of the\n"
        "                                                  files of other hosts\n"
        "\n"
        "  --after SECONDS   a job stands still when no rank has begun or left a call for so\n"
        "                    long; 2 by default\n"
        "  --remove          removes the files of jobs that have ended\n"
        "\n"
        "The exit code is 1 where something is wrong, and 2 where there is no such job.\n",
    .run = run,
};
