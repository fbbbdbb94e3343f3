#include "core/base/config.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "core/base/config_rows.h"
#include "core/base/name_values.h"
#include "core/base/watched.h"

enum { ROWS = STRATA_CONFIG_ROWS };
static const struct strata_config_row *const rows = strata_config_rows;

static const char prefix[] = "STRATA_";
/* Variables with this prefix are for the programs of tests/, not for Strata. */
static const char tests[] = "STRATA_TEST_";

static int least_of(int a, int b)
{
    return a < b ? a : b;
}

/* The number of letters to insert, delete or change to turn one name into the other, ignoring case.
 * Of long names only the beginning counts. */
static int name_distance(const char *from, const char *to)
{
    enum { LONGEST = 64 };
    int row[LONGEST + 1];
    int width = least_of((int)strlen(to), LONGEST), height = least_of((int)strlen(from), LONGEST);
    for (int j = 0; j <= width; j++) {
        row[j] = j;
    }
    for (int i = 1; i <= height; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= width; j++) {
            int changed = diagonal + (toupper((unsigned char)from[i - 1]) != to[j - 1]);
            diagonal = row[j];
            row[j] = least_of(changed, 1 + least_of(row[j], row[j - 1]));
        }
    }
    return row[width];
}

/* Other software of the same name may have variables of its own. So a variable counts as a misspelt
 * setting only where few of its letters are wrong. */
static bool misspelt(const char *name, const char *variable)
{
    int letters = (int)strlen(name) - (int)(sizeof prefix - 1);
    return name_distance(name, variable) <= 1 + letters / 4;
}

static void complain_unknown(const char *entry, int length,
                             const struct strata_config_reader *reader)
{
    char name[80], sentence[256];
    int closest = 0;
    snprintf(name, sizeof name, "%.*s", length, entry);
    for (int i = 1; i < ROWS; i++) {
        if (name_distance(name, rows[i].variable) < name_distance(name, rows[closest].variable)) {
            closest = i;
        }
    }
    bool close = misspelt(name, rows[closest].variable);
    snprintf(sentence, sizeof sentence, "%s is no setting of Strata and is ignored%s%s", name,
             close ? "; the closest one is " : "", close ? rows[closest].variable : "");
    reader->complain(reader->context, sentence, NULL);
}

static int say_value(const struct strata_config_row *row, const char *text,
                     struct strata_diagnostic *message)
{
    return row->kind == STRATA_KIND_TEXT
               ? strata_fail(message, STRATA_ERR_SYNTAX,
                             "%s is \"%.40s...\", longer than %zu characters", row->variable, text,
                             row->size - 1)
               : strata_fail(message, STRATA_ERR_SYNTAX, "%s is \"%.60s\", but allowed is %s (%s)",
                             row->variable, text, row->allowed, row->meaning);
}

/* Takes a value, or leaves the default and says what is wrong. */
static int take_value(struct strata_config *config, const struct strata_config_row *row,
                      const char *text, const struct strata_config_reader *reader,
                      struct strata_diagnostic *message)
{
    struct strata_diagnostic why = {""};
    if (!strata_config_set(config, row, text)) {
        return say_value(row, text, message);
    }
    if (reader->check && reader->check(row->variable, text, reader->ranks, &why) != STRATA_OK) {
        strata_config_set(config, row, row->value);
        return strata_fail(message, STRATA_ERR_SYNTAX, "%s: %.470s", row->variable, why.text);
    }
    return STRATA_OK;
}

/* Of a wrong value the default stays, and a file may give another. */
static void read_row(struct strata_config *config, int index, const char *text,
                     const struct strata_config_reader *reader)
{
    const struct strata_config_row *row = &rows[index];
    struct strata_diagnostic message;
    char instead[64];
    if (take_value(config, row, text, reader, &message) == STRATA_OK) {
        config->given[index] = STRATA_GIVEN_ENVIRONMENT;
    } else {
        snprintf(instead, sizeof instead, "it counts as not given (default: %s)",
                 *row->value ? row->value : "empty");
        reader->complain(reader->context, message.text, instead);
    }
}

/* The row of "NAME=value"; ROWS when no row has the name. */
static int find_row(const char *entry, size_t length)
{
    int index = 0;
    while (index < ROWS && (strlen(rows[index].variable) != length ||
                            strncmp(rows[index].variable, entry, length) != 0)) {
        index++;
    }
    return index;
}

static void set_defaults(struct strata_config *config)
{
    memset(config, 0, sizeof *config);
    for (int i = 0; i < ROWS; i++) {
        strata_config_set(config, &rows[i], rows[i].value);
    }
}

void strata_config_read_from(struct strata_config *config, const char *const *environment,
                             const struct strata_config_reader *reader)
{
    /* Of a name that is given twice the first value counts, as in getenv. */
    bool seen[ROWS] = {false};
    set_defaults(config);
    for (; *environment; environment++) {
        const char *entry = *environment;
        size_t length = strcspn(entry, "=");
        if (strncmp(entry, prefix, sizeof prefix - 1) != 0 || entry[length] == '\0' ||
            strncmp(entry, tests, sizeof tests - 1) == 0) {
            continue;
        }
        int index = find_row(entry, length);
        if (index == ROWS) {
            complain_unknown(entry, (int)length, reader);
        } else if (entry[length + 1] && !seen[index]) {
            seen[index] = true;
            read_row(config, index, entry + length + 1, reader);
        }
    }
}

/* Settings are not heeded in a program that has more rights than the user who started it. */
static bool heeded(void)
{
    return !getauxval(AT_SECURE);
}

/* The number that a variable of other software begins with; 0: it has no number above 0. */
static int others_number(const char *text)
{
    long count = text && heeded() ? strtol(text, NULL, 10) : 0;
    return count > 0 && count < INT_MAX ? (int)count : 0;
}

/* The value of the first of these variables that is set, up to a NULL; NULL: none is. */
static const char *first_given(const char *const *names)
{
    const char *text = NULL;
    while (!text && *names) {
        text = getenv(*names++);
    }
    return text;
}

int strata_config_launched_here(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", NULL};
    return others_number(first_given(names));
}

int strata_config_launched(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS",
                                        NULL};
    return others_number(first_given(names));
}

int strata_config_launched_nodes(void)
{
    return others_number(getenv("SLURM_STEP_NUM_NODES"));
}

int strata_config_openmp_threads(void)
{
    return others_number(getenv("OMP_NUM_THREADS"));
}

int strata_config_slurm_cores(void)
{
    const int nodes = others_number(getenv("SLURM_JOB_NUM_NODES"));
    const int cores = others_number(getenv("SLURM_CPUS_ON_NODE"));
    return nodes && cores < INT_MAX / nodes ? nodes * cores : 0;
}

void strata_config_slurm_switches(const char **names, const char **kinds)
{
    *names = heeded() ? getenv("SLURM_TOPOLOGY_ADDR") : NULL;
    *kinds = heeded() ? getenv("SLURM_TOPOLOGY_ADDR_PATTERN") : NULL;
}

bool strata_config_explains(const struct strata_config *config)
{
    return strcmp(config->explain, "none") != 0;
}

int64_t strata_config_shadows(const struct strata_config *config)
{
    const char *colon = strchr(config->shadow, ':');
    const char *end;
    int64_t every = 0;
    strata_config_number(colon ? colon + 1 : config->shadow, false, &every, &end);
    return every;
}

bool strata_config_launched_first(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                        "SLURM_PROCID", NULL};
    const char *text = first_given(names);
    return !text || strcmp(text, "0") == 0;
}

bool strata_config_launched_first_here(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                        "SLURM_LOCALID", NULL};
    const char *text = first_given(names);
    return text && strcmp(text, "0") == 0;
}

/* A relative XDG_CONFIG_HOME counts as none, as its specification says. */
bool strata_config_path(enum strata_folder place, const char *name, char *path, size_t size)
{
    const char *folder = "/etc", *between = "";
    if (place == STRATA_FOLDER_USER) {
        const char *home = heeded() ? getenv("HOME") : NULL;
        folder = heeded() ? getenv("XDG_CONFIG_HOME") : NULL;
        if (!folder || *folder != '/') {
            folder = home;
            between = "/.config";
        }
    }
    if (!folder || *folder != '/') {
        return false;
    }
    int length = snprintf(path, size, "%s%s/strata/%s", folder, between, name);
    return length > 0 && (size_t)length < size;
}

const char *strata_config_preloaded(void)
{
    const char *text = getenv("LD_PRELOAD");
    return text ? text : "";
}

/* Not a setting of the user's, so it has another prefix. */
static const char watched[] = "_STRATA_WATCHED";

const char *strata_config_watched(void)
{
    return heeded() ? getenv(watched) : NULL;
}

bool strata_config_watch(const char *text)
{
    return setenv(watched, text, 1) == 0;
}

struct file_reading {
    struct strata_config *config;
    enum strata_given source;
    const struct strata_config_reader *reader;
};

static int take(void *context, const char *name, const char *value,
                struct strata_diagnostic *message)
{
    const struct file_reading *r = context;
    const int index = find_row(name, strlen(name));
    if (index == ROWS) {
        complain_unknown(name, (int)strlen(name), r->reader);
        return STRATA_OK;
    }
    if (rows[index].scope != STRATA_SCOPE_AGREED) {
        return strata_fail(message, STRATA_ERR_SYNTAX,
                           "%s is a setting of the environment alone, for ranks use it before they "
                           "have met, or each its own",
                           name);
    }
    const int status = take_value(r->config, &rows[index], value, r->reader, message);
    if (status == STRATA_OK) {
        r->config->given[index] = (unsigned char)r->source;
    }
    return status;
}

static int read_file(const char *path, const struct file_reading *reading,
                     struct strata_diagnostic *message)
{
    struct file_reading r = *reading;
    struct strata_diagnostic why = {""};
    const int status = strata_name_values_read(path, take, &r, &why);
    return status == STRATA_OK ? STRATA_OK
                               : strata_fail(message, status, "%.200s: %.250s", path, why.text);
}

/* Of a file that is wrong nothing counts. */
static int settle(struct strata_config *config, int status)
{
    if (status != STRATA_OK) {
        set_defaults(config);
    }
    return status;
}

int strata_config_read_files(const char *which, struct strata_config *config,
                             const struct strata_config_reader *reader,
                             struct strata_diagnostic *message)
{
    static const enum strata_folder folder[] = {STRATA_FOLDER_SITE, STRATA_FOLDER_USER};
    static const enum strata_given source[] = {STRATA_GIVEN_SITE, STRATA_GIVEN_USER};
    struct file_reading r = {config, STRATA_GIVEN_NAMED, reader};
    char path[PATH_MAX];
    int status = STRATA_OK;
    set_defaults(config);
    if (strcmp(which, "none") != 0 && strcmp(which, "auto") != 0) {
        status = read_file(which, &r, message);
    }
    for (int i = 0; strcmp(which, "auto") == 0 && status == STRATA_OK && i < STRATA_FOLDERS; i++) {
        struct strata_diagnostic why = {""};
        r.source = source[i];
        if (strata_config_path(folder[i], "settings", path, sizeof path)) {
            status = read_file(path, &r, &why);
            status = status == STRATA_ERR_UNSUPPORTED ? STRATA_OK : status; /* there is none */
            strata_say(message, "%s", status == STRATA_OK ? "" : why.text);
        }
    }
    return settle(config, status);
}

int strata_config_parse_file(const char *text, size_t size, struct strata_config *config,
                             const struct strata_config_reader *reader,
                             struct strata_diagnostic *message)
{
    struct file_reading r = {config, STRATA_GIVEN_NAMED, reader};
    set_defaults(config);
    return settle(config, strata_name_values_parse(text, size, take, &r, message));
}

static void copy(struct strata_config *config, const struct strata_config *from, int row)
{
    memcpy((unsigned char *)config + rows[row].offset,
           (const unsigned char *)from + rows[row].offset, rows[row].size);
    config->given[row] = from->given[row];
}

void strata_config_fill(struct strata_config *config, const struct strata_config *files)
{
    for (int i = 0; i < ROWS; i++) {
        if (!config->given[i] && files->given[i]) {
            copy(config, files, i);
        }
    }
}

extern char **environ;

void strata_config_ignore(void *context, const char *sentence, const char *instead)
{
    (void)context;
    (void)sentence;
    (void)instead;
}

void strata_config_read_by(struct strata_config *config, const struct strata_config_reader *reader)
{
    static const char *const nothing[] = {NULL};
    const char *const *given = (const char *const *)environ;
    strata_config_read_from(config, given && heeded() ? given : nothing, reader);
}

void strata_config_read(struct strata_config *config, strata_complain *complain, void *context)
{
    strata_config_read_by(config, &(struct strata_config_reader){complain, context, NULL, 0});
}

void strata_config_adopt(struct strata_config *config, const struct strata_config *from)
{
    for (int i = 0; i < ROWS; i++) {
        if (rows[i].scope != STRATA_SCOPE_LOCAL) {
            copy(config, from, i);
        }
    }
}

static bool same_value(const struct strata_config *a, const struct strata_config *b, int row)
{
    return memcmp((const unsigned char *)a + rows[row].offset,
                  (const unsigned char *)b + rows[row].offset, rows[row].size) == 0;
}

int strata_config_differ(const struct strata_config *config, const struct strata_config *from)
{
    int row = 0;
    while (row < ROWS && (rows[row].scope == STRATA_SCOPE_LOCAL || !config->given[row] ||
                          same_value(config, from, row))) {
        row++;
    }
    return row;
}

bool strata_config_same(const struct strata_config *a, const struct strata_config *b)
{
    bool same = true;
    for (int i = 0; i < ROWS; i++) {
        same = same && a->given[i] == b->given[i] && same_value(a, b, i);
    }
    return same;
}

/* A value that is too long for its column moves the allowed values to a line of their own. */
void strata_config_print(const struct strata_config *config, FILE *file)
{
    static const char *const sources[] = {[STRATA_GIVEN_DEFAULT] = "default",
                                          [STRATA_GIVEN_ENVIRONMENT] = "environment",
                                          [STRATA_GIVEN_USER] = "user's file",
                                          [STRATA_GIVEN_SITE] = "site's file",
                                          [STRATA_GIVEN_NAMED] = "named file"};
    enum { INDENT = 4, NAME = 27, VALUE = 9, SOURCE = 11, ALLOWED = NAME + VALUE + SOURCE + 6 };
    for (int i = 0; i < ROWS; i++) {
        const struct strata_config_row *row = &rows[i];
        char number[32];
        const char *text = strata_config_text(config, row, number, sizeof number);
        const char *source = sources[config->given[i]];
        fprintf(file, "%-*s = %-*s %-*s  ", NAME, row->variable, VALUE, *text ? text : "(empty)",
                SOURCE, source);
        if (strlen(text) > VALUE) {
            fprintf(file, "\n%*s", ALLOWED, "");
        }
        fprintf(file, "%s\n%*s%s\n", row->allowed, INDENT, "", row->meaning);
    }
}
