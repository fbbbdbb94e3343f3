#include "hier/tuned.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "core/base/config_rows.h"
#include "core/base/memory.h"
#include "core/base/name_values.h"
#include "core/base/number.h"
#include "hier/registry.h"

/* Layouts and sizes that differ by no more are served. */
static const double LAYOUT = 2, SIZE = 4;

static const char *const words[] = {"host", "date", "mpi", "command", "end"};
enum { WORDS = sizeof words / sizeof *words, END = WORDS - 1 };

struct reading {
    struct strata_tuned *tuned;
    bool seen[WORDS];
};

static int take_head(struct reading *r, int word, const char *value,
                     struct strata_diagnostic *message)
{
    if (r->seen[word]) {
        return strata_fail(message, STRATA_ERR_SYNTAX, "%s stands there twice", words[word]);
    }
    if (word == END ? *value != '\0' : *value == '\0') {
        return strata_fail(message, STRATA_ERR_SYNTAX, "%s has %s value", words[word],
                           *value ? "a" : "no");
    }
    r->seen[word] = true;
    return STRATA_OK;
}

/* "4x16 1K" */
static bool read_key(const char *text, struct strata_tuned_row *row)
{
    int64_t nodes, ranks, bytes;
    const char *at;
    bool good = strata_config_number(text, false, &nodes, &at) && *at == 'x' &&
                strata_config_number(at + 1, false, &ranks, &at) && *at == ' ' &&
                strata_config_number(at + strspn(at, " "), true, &bytes, &at) && !*at;
    good = good && nodes > 0 && nodes <= INT_MAX && ranks > 0 && ranks <= INT_MAX;
    row->nodes = good ? (int)nodes : 0;
    row->ranks = good ? (int)ranks : 0;
    row->bytes = good ? (double)bytes : 0;
    return good && (row->bytes > 0) == (row->collective != STRATA_BARRIER);
}

/* Up to three times behind the choice. */
static bool read_times(const char *text, struct strata_tuned_row *row)
{
    double *const times[] = {&row->seconds, &row->untuned, &row->native};
    for (size_t i = 0; *text && i < sizeof times / sizeof *times; i++) {
        char *end;
        *times[i] = strata_number(text, &end);
        if (end == text || !(*times[i] >= 0 && *times[i] < HUGE_VAL)) {
            return false;
        }
        text = end + strspn(end, " ");
    }
    return !*text;
}

static int read_choice(const char *value, struct strata_tuned_row *row,
                       struct strata_diagnostic *message)
{
    char choice[256];
    const size_t length = strcspn(value, " ");
    if (length == 0 || length >= sizeof choice) {
        return strata_fail(message, STRATA_ERR_SYNTAX, "there is no algorithm");
    }
    snprintf(choice, sizeof choice, "%.*s", (int)length, value);
    if (!read_times(value + length + strspn(value + length, " "), row)) {
        return strata_fail(message, STRATA_ERR_SYNTAX,
                           "\"%.60s\" is more than an algorithm and three times in seconds", value);
    }
    return strata_choice_parse(choice, row->collective, &row->choice, message);
}

static bool same_key(const struct strata_tuned_row *a, const struct strata_tuned_row *b)
{
    return a->collective == b->collective && a->nodes == b->nodes && a->ranks == b->ranks &&
           !(a->bytes < b->bytes) && !(a->bytes > b->bytes);
}

struct strata_tuned_row *strata_tuned_like(const struct strata_tuned *tuned,
                                           const struct strata_tuned_row *row)
{
    int i = 0;
    while (i < tuned->count && !same_key(&tuned->row[i], row)) {
        i++;
    }
    return i < tuned->count ? &tuned->row[i] : NULL;
}

static int append(struct strata_tuned *tuned, const struct strata_tuned_row *row)
{
    struct strata_tuned_row *grown =
        strata_reallocate(tuned->row, (size_t)tuned->count + 1, sizeof *grown);
    if (!grown) {
        return STRATA_ERR_MEMORY;
    }
    tuned->row = grown;
    grown[tuned->count++] = *row;
    return STRATA_OK;
}

static int take_row(struct reading *r, const char *name, const char *value,
                    struct strata_diagnostic *message)
{
    struct strata_tuned_row row = {.nodes = 0};
    char collective[64];
    const size_t length = strcspn(name, " ");
    snprintf(collective, sizeof collective, "%.*s", (int)length, name);
    if (!strata_collective_find(collective, &row.collective)) {
        return strata_fail(message, STRATA_ERR_SYNTAX,
                           "\"%.60s\" is no collective, nor host, date, mpi, command, end",
                           collective);
    }
    if (!read_key(name + length + strspn(name + length, " "), &row)) {
        return strata_fail(message, STRATA_ERR_SYNTAX,
                           "\"%.60s\" is not a collective with NODESxRANKS and bytes", name);
    }
    if (strata_tuned_like(r->tuned, &row)) {
        return strata_fail(message, STRATA_ERR_SYNTAX, "\"%.60s\" stands there twice", name);
    }
    const int status = read_choice(value, &row, message);
    return status == STRATA_OK ? append(r->tuned, &row) : status;
}

static int take(void *context, const char *name, const char *value,
                struct strata_diagnostic *message)
{
    struct reading *r = context;
    int word = 0;
    while (word < WORDS && strcmp(words[word], name) != 0) {
        word++;
    }
    if (r->seen[END]) {
        return strata_fail(message, STRATA_ERR_SYNTAX, "\"%.60s\" stands behind end", name);
    }
    return word < WORDS ? take_head(r, word, value, message) : take_row(r, name, value, message);
}

/* Keeps what was read if it is all there. */
static int finish(struct reading *r, int status, struct strata_diagnostic *message)
{
    for (int word = 0; status == STRATA_OK && word < WORDS; word++) {
        if (!r->seen[word]) {
            status = strata_fail(message, STRATA_ERR_SYNTAX, "%s is missing", words[word]);
        }
    }
    if (status != STRATA_OK) {
        strata_tuned_free(r->tuned);
    }
    return status;
}

void strata_tuned_free(struct strata_tuned *tuned)
{
    strata_release(tuned->row);
    *tuned = (struct strata_tuned){.count = 0};
}

int strata_tuned_parse(const char *text, size_t size, struct strata_tuned *tuned,
                       struct strata_diagnostic *message)
{
    struct reading r = {.tuned = tuned};
    *tuned = (struct strata_tuned){.count = 0};
    return finish(&r, strata_name_values_parse(text, size, take, &r, message), message);
}

static int read_file(void *context, const char *path, struct strata_diagnostic *message)
{
    struct reading r = {.tuned = context};
    return finish(&r, strata_name_values_read(path, take, &r, message), message);
}

int strata_tuned_find(const char *text, struct strata_tuned *tuned,
                      struct strata_diagnostic *message)
{
    const char *named = strchr(text, '/') ? text : NULL;
    *tuned = (struct strata_tuned){.count = 0};
    if (!named && strcmp(text, "auto") != 0) {
        return STRATA_OK;
    }
    const int status = strata_find_file(named, "tuned", read_file, tuned, tuned->path, message);
    if (!tuned->path[0]) { /* a path may be too long */
        strata_tuned_free(tuned);
    }
    return status;
}

/* The factor by which two numbers above 0 differ. */
static double factor(double a, double b)
{
    return a > b ? a / b : b / a;
}

/* How far the row's nodes are from these; HUGE_VAL: they differ too much. */
static double distance(const struct strata_tuned_row *row, const struct strata_topology *t)
{
    const double nodes = factor(row->nodes, t->nodes), ranks = factor(row->ranks, t->largest);
    const bool near = nodes <= LAYOUT && ranks <= LAYOUT && (row->nodes == 1) == (t->nodes == 1);
    return near ? nodes * ranks : HUGE_VAL;
}

/* The nearest row of a collective; NULL: none is near. */
static const struct strata_tuned_row *find_nearest(const struct strata_tuned *tuned,
                                                   enum strata_collective collective,
                                                   const struct strata_topology *topology)
{
    const struct strata_tuned_row *nearest = NULL;
    double least = HUGE_VAL;
    for (int i = 0; i < tuned->count; i++) {
        const double off = distance(&tuned->row[i], topology);
        if (tuned->row[i].collective == collective && off < least) {
            least = off;
            nearest = &tuned->row[i];
        }
    }
    return nearest;
}

int strata_tuned_near(const struct strata_tuned *tuned, const struct strata_topology *topology,
                      struct strata_tuned_near *near, int most)
{
    const struct strata_tuned_row *nearest[STRATA_COLLECTIVE_COUNT];
    int count = 0;
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        nearest[c] = find_nearest(tuned, (enum strata_collective)c, topology);
    }
    for (int i = 0; i < tuned->count && count < most; i++) {
        const struct strata_tuned_row *row = &tuned->row[i], *like = nearest[row->collective];
        if (like && like->nodes == row->nodes && like->ranks == row->ranks) {
            struct strata_tuned_near *one = &near[count++];
            one->bytes = row->bytes;
            one->collective = (int)row->collective;
            one->algorithm = strata_registry_number(row->choice.algorithm);
            memcpy(one->parameter, row->choice.parameter, sizeof one->parameter);
        }
    }
    return count;
}

/* How far a row is from the problem's size; HUGE_VAL: it is of another collective, or no size is
 * known. A barrier has none. */
static double size_distance(const struct strata_tuned_near *row,
                            const struct strata_problem *problem)
{
    if (row->collective != (int)problem->collective) {
        return HUGE_VAL;
    }
    return problem->collective == STRATA_BARRIER ? 1
           : problem->block_bytes > 0            ? factor(row->bytes, problem->block_bytes)
                                                 : HUGE_VAL;
}

bool strata_tuned_choice(const struct strata_tuned_near *near, int count,
                         const struct strata_problem *problem, struct strata_choice *choice)
{
    const struct strata_tuned_near *nearest = NULL;
    double least = SIZE;
    if (problem->degree > 0) { /* a table's blocks are all full */
        return false;
    }
    for (int i = 0; i < count; i++) {
        const double off = size_distance(&near[i], problem);
        if (off <= least) {
            least = off;
            nearest = &near[i];
        }
    }
    if (!nearest || nearest->algorithm < 0) {
        return false;
    }
    *choice = (struct strata_choice){.algorithm = strata_registry_at(nearest->algorithm),
                                     .weight = STRATA_TIMED};
    memcpy(choice->parameter, nearest->parameter, sizeof choice->parameter);
    return true;
}
