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
#include "tools/rollcall/hosts.h"
#include "tools/rollcall/otf2.h"

struct asked {
    const struct tool_command *command;
    double after; /* seconds without a call from which on a job stands still */
    bool remove, late;
    const char *timeline, *page, *otf2; /* the file to write, or the folder; NULL: none */
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

static int report(const struct roll_job *job, const struct asked *asked)
{
    const int wrong = roll_report(job, asked->after);
    if (asked->late) {
        roll_late(job, "  ");
    }
    for (int i = 0; asked->remove && job->ended && i < job->count; i++) {
        if (!job->ranks[i].sent) {
            unlink(job->ranks[i].path);
        }
    }
    return wrong > 0 ? TOOL_FAILED : TOOL_OK;
}

/* Reports each job; of one process only its job. */
static int report_all(struct roll_rank *ranks, int count, int pid, const struct asked *asked)
{
    int code = TOOL_WRONG_USE;
    struct roll_job job = {0};
    while (roll_next_job(ranks, count, pid, &job)) {
        const int one = report(&job, asked);
        code = code == TOOL_WRONG_USE || one > code ? one : code;
    }
    return code;
}

/* Asks the process beside rank 0 of each job that has ranks here for what other hosts have. */
static void ask_hosts(const struct tool_command *command, const struct roll_rank *ranks, int count,
                      struct roll_hosts *hosts)
{
    uint64_t asked = 0; /* a job */
    for (int i = 0; i < count; i++) {
        const struct strata_record *record = ranks[i].record;
        if (record->door.port > 0 && record->job != asked && roll_is_here(record) &&
            ranks[i].state != ROLL_GONE && ranks[i].state != ROLL_ENDED) {
            const bool first = record->rank == 0; /* ranks are in order */
            const int socket = roll_connect(&record->door, first, ROLL_READER);
            asked = record->job;
            if (socket < 0 || !roll_take_records(hosts, socket)) {
                tool_complain(command, "other hosts of job %llx were not heard, or not all",
                              (unsigned long long)record->job);
            }
        }
    }
}

/* Reads all folders, which the words name; without one, that of STRATA_RECORD. Returns the number
 * of files, or -1 where it has complained. */
static int read_all(const struct asked *asked, const char **folders, struct roll_hosts *hosts,
                    struct roll_rank **ranks)
{
    struct strata_config config;
    strata_config_read(&config, strata_config_ignore, NULL);
    bool keep;
    const char *recorded = strata_record_folder(config.record, &keep);
    const char *const one[] = {recorded ? recorded : STRATA_RECORD_FOLDER, NULL};
    const char *wrong;
    int count = roll_read(folders[0] ? folders : one, ranks, &wrong);
    if (count > 0) {
        ask_hosts(asked->command, *ranks, count, hosts);
        roll_add_sent(ranks, &count, hosts);
    }
    if (count < 0) {
        tool_complain(asked->command, "%s: %s", wrong, strerror(errno));
    }
    return count;
}

/* Finds the one job that is meant. */
static int find_one(struct roll_rank *ranks, int count, int pid, const struct asked *asked,
                    struct roll_job *job)
{
    if (!roll_next_job(ranks, count, pid, job)) {
        return TOOL_WRONG_USE;
    }
    struct roll_job other = *job;
    if (roll_next_job(ranks, count, pid, &other)) {
        tool_complain(asked->command,
                      "there are several jobs, and %s is of one: name a process or "
                      "a folder",
                      asked->timeline ? "--timeline"
                      : asked->page   ? "--page"
                                      : "--otf2");
        return TOOL_FAILED;
    }
    return TOOL_OK;
}

static int write_file(const struct roll_job *job, const struct asked *asked, const char *path,
                      int (*write)(const struct roll_job *job, FILE *file))
{
    FILE *file = fopen(path, "w");
    if (file) {
        write(job, file);
    }
    const bool failed = !file || fflush(file) != 0 || ferror(file);
    if ((file && fclose(file) != 0) || failed) {
        tool_complain(asked->command, "cannot write \"%s\": %s", path, strerror(errno));
        return TOOL_FAILED;
    }
    return TOOL_OK;
}

static int write_page(const struct roll_job *job, const struct asked *asked)
{
    if (roll_page(job, NULL) == 0) {
        tool_complain(asked->command,
                      "%s is not written: no collective of several ranks was made by all of them",
                      asked->page);
        return TOOL_FAILED;
    }
    return write_file(job, asked, asked->page, roll_page);
}

static int write_otf2(const struct roll_job *job, const struct asked *asked)
{
    const int left_out = roll_otf2(job, asked->otf2);
    if (left_out == ROLL_OTF2_ABSENT) {
        tool_complain(asked->command, "this command was built without OTF2: install its library "
                                      "with headers (libotf2-trace-dev) and build it again");
    } else if (left_out == ROLL_OTF2_FAILED) {
        tool_complain(asked->command, "cannot write \"%s\"", asked->otf2);
    } else if (left_out > 0) {
        tool_complain(asked->command, "%d call%s of threads that overlap others %s left out",
                      left_out, tool_plural(left_out), left_out == 1 ? "is" : "are");
    }
    return left_out >= 0 ? TOOL_OK : TOOL_FAILED;
}

/* Writes what is asked for, or else reports. */
static int answer(struct roll_rank *ranks, int count, int pid, const struct asked *asked)
{
    struct roll_job job = {0};
    if (!asked->timeline && !asked->page && !asked->otf2) {
        return report_all(ranks, count, pid, asked);
    }
    int code = find_one(ranks, count, pid, asked, &job);
    if (code == TOOL_OK && asked->timeline) {
        code = write_file(&job, asked, asked->timeline, roll_timeline);
    }
    if (code == TOOL_OK && asked->page) {
        code = write_page(&job, asked);
    }
    return code == TOOL_OK && asked->otf2 ? write_otf2(&job, asked) : code;
}

static int call_roll(const struct asked *asked, const char **folders, int pid)
{
    struct roll_rank *ranks = NULL;
    struct roll_hosts hosts = {.door = -1};
    const int count = read_all(asked, folders, &hosts, &ranks);
    if (count < 0) {
        return TOOL_WRONG_USE;
    }
    const int code = answer(ranks, count, pid, asked);
    roll_free(ranks, count);
    roll_free_hosts(&hosts);
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
                                       {"--timeline", TOOL_VALUE, NULL, &asked.timeline},
                                       {"--page", TOOL_VALUE, NULL, &asked.page},
                                       {"--otf2", TOOL_VALUE, NULL, &asked.otf2},
                                       {"--late", TOOL_FLAG, NULL, &asked.late},
                                       {"--remove", TOOL_FLAG, NULL, &asked.remove},
                                       {NULL, TOOL_FLAG, NULL, NULL}};
    const struct tool_options options = {.command = command, .rows = rows, .self = &asked};
    const char *folders[argc + 1];
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
        "  --timeline FILE   writes the last calls of a job's ranks instead, for ui.perfetto.dev\n"
        "  --page FILE       draws the calls that cost most instead, as SVG: who came last, who\n"
        "                    waited how long, and how long the data took\n"
        "  --otf2 FOLDER     writes these calls into FOLDER/traces.otf2 instead, for Vampir and "
        "others\n"
        "  --late            for whom others waited, in the calls that are still recorded\n"
        "  --remove          removes the files of jobs that have ended\n"
        "\n"
        "The exit code is 1 where something is wrong, and 2 where there is no such job.\n",
    .run = run,
};
