/* strata split: runs a method of splitting on virtual ranks, and counts its rounds, messages and
 * bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/split/split_clock.h"
#include "tools/split/split_trial.h"

#include "internode/split/methods.h"
#include "tools/command/options.h"
#include "tools/command/words.h"

enum { MOST_RANKS = 10000000, MOST_TEXT = 256 };

struct options {
    const struct tool_command *command;
    struct split_trial trial;
    struct split_clock clock;
    const char *platform; /* NULL: no time is kept */
    int per_node;         /* ranks; 0: as many as a node has cores */
    const char *ranks;    /* a list, "8,64" */
    bool csv;
};

static int wrong(const struct tool_command *command, const char *option, const char *value,
                 const char *allowed)
{
    tool_complain(command, "%s is \"%s\", but allowed is %s", option, value, allowed);
    return TOOL_WRONG_USE;
}

static bool read_number(const char *text, long least, long most, long *number)
{
    char *end;
    *number = strtol(text, &end, 10);
    return end != text && *end == '\0' && *number >= least && *number <= most;
}

static int take_method(void *self, const char *name, const char *value)
{
    struct options *o = self;
    struct strata_diagnostic message = {""};
    (void)name;
    o->trial.method = value;
    if (strcmp(value, "all") == 0) {
        return TOOL_OK;
    }
    if (strata_split_method_parse(value, &o->trial.choice, &message)) {
        tool_complain(o->command, "--method: %s, all", message.text);
        return TOOL_WRONG_USE;
    }
    return TOOL_OK;
}

static int take_groups(void *self, const char *name, const char *value)
{
    struct options *o = self;
    long number = -1;
    if (strcmp(value, "none") != 0 && !read_number(value, 0, MOST_RANKS, &number)) {
        return wrong(o->command, name, value, "none, 0 (all colours differ) or a number");
    }
    o->trial.groups = (int)number;
    return TOOL_OK;
}

static int take_colour(void *self, const char *name, const char *value)
{
    struct options *o = self;
    long number = 0;
    if (strcmp(value, "int") != 0 &&
        (strncmp(value, "text:", 5) != 0 || !read_number(value + 5, 1, MOST_TEXT, &number))) {
        return wrong(o->command, name, value, "int or text:BYTES, 1 to 256 bytes");
    }
    o->trial.text = (int)number;
    return TOOL_OK;
}

static int take_keys(void *self, const char *name, const char *value)
{
    struct options *o = self;
    o->trial.keys = strcmp(value, "random") == 0;
    return o->trial.keys || strcmp(value, "none") == 0
               ? TOOL_OK
               : wrong(o->command, name, value, "none or random");
}

static int take_per_node(void *self, const char *name, const char *value)
{
    struct options *o = self;
    long number;
    if (!read_number(value, 1, MOST_RANKS, &number)) {
        return wrong(o->command, name, value, "a number from 1");
    }
    o->per_node = (int)number;
    return TOOL_OK;
}

static int take_seed(void *self, const char *name, const char *value)
{
    struct options *o = self;
    long number;
    if (!read_number(value, 0, 1 << 30, &number)) {
        return wrong(o->command, name, value, "a number from 0");
    }
    o->trial.seed = (uint64_t)number;
    return TOOL_OK;
}

static void print_figures(const struct options *o, const struct split_trial *t,
                          const struct split_figures *f)
{
    char groups[16] = "none", colour[16] = "int";
    if (t->groups >= 0) {
        snprintf(groups, sizeof groups, "%d", t->groups);
    }
    if (t->text > 0) {
        snprintf(colour, sizeof colour, "text:%d", t->text);
    }
    printf(o->csv ? "%s,%d,%s,%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%zu"
                  : "%-16s %8d %8s %8s %7s %7" PRIu64 " %9" PRIu64 " %11" PRIu64 " %11" PRIu64
                    " %13" PRIu64 " %11zu",
           t->method, t->ranks, groups, colour, t->keys ? "random" : "none", f->rounds, f->messages,
           f->messages_all, f->bytes, f->bytes_all, f->memory);
    if (o->platform) {
        printf(o->csv ? ",%.9g" : " %11.1f", o->csv ? f->seconds : 1e6 * f->seconds);
    }
    printf("\n");
}

/* Runs one method. A method of `all` that does not support such colours is left out, and the
 * command says so. */
static int run_one(const struct tool_command *command, const struct options *o,
                   const struct split_trial *t, bool one_of_all)
{
    struct split_figures figures;
    struct strata_diagnostic message = {""};
    int error = split_trial_run(t, &figures, &message);
    if (!error) {
        print_figures(o, t, &figures);
        return TOOL_OK;
    }
    tool_complain(command, "%s on %d ranks: %s%s", t->method, t->ranks, message.text,
                  one_of_all && error == STRATA_ERR_UNSUPPORTED ? " (left out)" : "");
    return one_of_all && error == STRATA_ERR_UNSUPPORTED ? TOOL_OK : TOOL_FAILED;
}

static int run_methods(const struct tool_command *command, struct options *o, int ranks)
{
    struct split_trial t = o->trial;
    int worst = TOOL_OK;
    t.ranks = ranks;
    if (o->platform) {
        split_clock_fit(&o->clock, ranks);
        t.clock = &o->clock.clock;
    }
    if (strcmp(t.method, "all") != 0) {
        return run_one(command, o, &t, false);
    }
    for (int i = 0; strata_split_method_at(i); i++) {
        t.choice.method = strata_split_method_at(i);
        t.method = t.choice.method->name;
        int code = run_one(command, o, &t, true);
        worst = code > worst ? code : worst;
    }
    return worst;
}

/* Reads the next number of the list, and moves *at behind its comma. Returns 0 where it is
 * wrong. */
static long next_number(const char **at)
{
    char *end;
    long number = strtol(*at, &end, 10);
    bool right = end != *at && (*end == '\0' || (*end == ',' && end[1] != '\0'));
    *at = *end ? end + 1 : end;
    return right && number >= 1 && number <= MOST_RANKS ? number : 0;
}

/* Whether text of so many digits can tell all colours apart. */
static bool text_holds(const struct split_trial *t, long ranks)
{
    long colours = t->groups == 0 ? ranks : t->groups, room = 1;
    for (int i = 0; i < t->text && room < colours; i++) {
        room *= 10;
    }
    return t->text == 0 || room >= colours;
}

static int check_ranks(const struct tool_command *command, const struct options *o)
{
    const char *at = o->ranks;
    do {
        long ranks = next_number(&at);
        if (ranks == 0) {
            return wrong(command, "--ranks", o->ranks, "numbers from 1 to 10000000 with commas");
        }
        if (!text_holds(&o->trial, ranks)) {
            tool_complain(command, "--colour is \"text:%d\", too few digits for that many groups",
                          o->trial.text);
            return TOOL_WRONG_USE;
        }
    } while (*at);
    return TOOL_OK;
}

static int read_platform(const struct tool_command *command, struct options *o)
{
    struct strata_diagnostic message = {""};
    if (o->per_node && !o->platform) {
        tool_complain(command, "--ranks-per-node needs --platform");
        return TOOL_WRONG_USE;
    }
    if (o->platform && split_clock_read(&o->clock, o->platform, o->per_node, &message)) {
        tool_complain(command, "--platform: %s", message.text);
        return TOOL_WRONG_USE;
    }
    return TOOL_OK;
}

static void print_head(const struct options *o)
{
    if (o->csv) {
        printf("method,ranks,groups,colour,keys,rounds,messages,messages_all,bytes,bytes_all,"
               "memory%s\n",
               o->platform ? ",seconds" : "");
    } else {
        printf("%-16s %8s %8s %8s %7s %7s %9s %11s %11s %13s %11s%s\n", "method", "ranks", "groups",
               "colour", "keys", "rounds", "messages", "of all", "bytes", "of all", "memory",
               o->platform ? "    time, us" : "");
    }
}

static int run_ranks(const struct tool_command *command, struct options *o)
{
    int worst = TOOL_OK;
    for (const char *at = o->ranks; *at;) {
        int code = run_methods(command, o, (int)next_number(&at));
        worst = code > worst ? code : worst;
    }
    return worst;
}

static int run(const struct tool_command *command, int argc, char **argv)
{
    struct options o = {
        .command = command, .trial = {.method = "all", .groups = 16}, .ranks = "1000"};
    const struct tool_option rows[] = {{"--method", TOOL_TEXT, take_method, NULL},
                                       {"--ranks", TOOL_TEXT, NULL, &o.ranks},
                                       {"--groups", TOOL_TEXT, take_groups, NULL},
                                       {"--colour", TOOL_TEXT, take_colour, NULL},
                                       {"--keys", TOOL_TEXT, take_keys, NULL},
                                       {"--platform", TOOL_TEXT, NULL, &o.platform},
                                       {"--ranks-per-node", TOOL_TEXT, take_per_node, NULL},
                                       {"--seed", TOOL_TEXT, take_seed, NULL},
                                       {"--rendezvous", TOOL_FLAG, NULL, &o.trial.rendezvous},
                                       {"--csv", TOOL_FLAG, NULL, &o.csv},
                                       {NULL, TOOL_FLAG, NULL, NULL}};
    const struct tool_options all = {command, NULL, rows, NULL, &o};
    (void)argc;
    int code = tool_options_read_all(&all, argv, 1);
    code = code ? code : check_ranks(command, &o);
    code = code ? code : read_platform(command, &o);
    if (code) {
        return code;
    }
    print_head(&o);
    return run_ranks(command, &o);
}

const struct tool_command tool_split = {
    .name = "split",
    .arguments = "[OPTION]...",
    .summary = "Splits virtual ranks by colours and keys, checks each rank's place, and counts",
    .help =
        "  --method NAME       one of `strata list split`, auto, or all (default)\n"
        "  --ranks N,N,...     how many (1000)\n"
        "  --groups N          different colours (16); 0: as many as ranks; none: no split\n"
        "  --colour KIND       int (default), or text:BYTES\n"
        "  --keys KIND         none (default: ranks keep their order), or random\n"
        "  --platform NAME     adds the time on this cluster (`strata list platforms`, or a file)\n"
        "                      without contention for its links; a torus grows with the ranks\n"
        "  --ranks-per-node N  of them on each node (as many as it has cores)\n"
        "  --seed N            draws colours, keys and the order in which ranks run; 0: in turn\n"
        "  --rendezvous        sends wait for their receives\n"
        "  --csv               lines of CSV\n\n"
        "Rounds, messages and bytes sent, and memory in bytes are those of the rank that has\n"
        "most, and `of all` ranks together. Two scans before the method begins are counted:\n"
        "sizes are agreed, and where a method needs more than 2 KiB, that all have got it.\n",
    .run = run,
};
