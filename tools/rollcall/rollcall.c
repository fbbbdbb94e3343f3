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
    printf("job %llx: %d of %d ranks of %s on %s", (unsigned long long)first->job, job->count,
           first->ranks, first->program, first->host);
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

/* Ranks of this host that left no file. */
static int say_absent(const struct roll_job *job)
{
    const int absent = job->ranks[0].record->ranks_here - job->count;
    if (absent > 0) {
        printf("  wrong: %d rank%s of this host left no file: ended, or not recorded\n", absent,
               tool_plural(absent));
    }
    return absent > 0;
}

static int report(struct roll_job *job, const struct asked *asked)
{
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

static int call_roll(const struct asked *asked, const char *folder, int pid)
{
    struct roll_rank *ranks;
    const int count = roll_read(folder, &ranks);
    if (count < 0) {
        tool_complain(asked->command, "%s: %s", folder, strerror(errno));
        return TOOL_WRONG_USE;
    }
    const int code = report_all(ranks, count, pid, asked);
    roll_free(ranks, count);
    if (code == TOOL_WRONG_USE) {
        tool_complain(asked->command,
                      "no job is recorded in %s; mpirun ... strata run --record "
                      "does it",
                      folder);
    }
    return code;
}

/* Without a name of its own, the folder is that of STRATA_RECORD. */
static const char *default_folder(struct strata_config *config)
{
    return strchr(config->record, '/') ? config->record : STRATA_RECORD_FOLDER;
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    struct asked asked = {.command = command, .after = 2};
    const struct tool_option rows[] = {{"--after", TOOL_VALUE, take_after, NULL},
                                       {"--remove", TOOL_FLAG, NULL, &asked.remove},
                                       {NULL, TOOL_FLAG, NULL, NULL}};
    const struct tool_options options = {.command = command, .rows = rows, .self = &asked};
    struct strata_config config;
    const char *word = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
    const int code = tool_options_read_all(&options, argv, word ? 2 : 1);
    strata_config_read(&config, strata_config_ignore, NULL);
    const int pid = word && word[strspn(word, "0123456789")] == '\0' ? atoi(word) : 0;
    return code != TOOL_OK ? code
                           : call_roll(&asked, word && !pid ? word : default_folder(&config), pid);
}

const struct tool_command tool_rollcall = {
    .name = "rollcall",
    .arguments = "[PID|FOLDER] [OPTION]...",
    .summary = "Shows where the ranks of recorded jobs are, and what is wrong",
    .help = "  mpirun -n 8 strata run --record -- ./program    records the calls of each rank\n"
            "  strata rollcall                                 all recorded jobs of this host\n"
            "  strata rollcall 4711                            the job of a rank or of mpirun\n"
            "  strata rollcall FOLDER                          of STRATA_RECORD=FOLDER\n"
            "\n"
            "  --after SECONDS   a job stands still when no rank has begun or left a call for so\n"
            "                    long; 2 by default\n"
            "  --remove          removes the files of jobs that have ended\n"
            "\n"
            "The exit code is 1 where something is wrong, and 2 where there is no such job.\n",
    .run = run,
};
