#include "hier/tuned.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "core/base/buckets.h"
#include "core/base/config_rows.h"
#include "core/base/memory.h"
#include "core/base/name_values.h"
#include "core/base/number.h"
#include "core/plan/formats.h"
#include "hier/registry.h"

/* Layouts and sizes that differ by no more are served. */
static const double LAYOUT = 2, SIZE = 4;
/* From here on blocks are uneven: the longest one is so many times as long as the mean, both
 * rounded to powers of two. Equal blocks reach 2, and random ones of all lengths 4; where one block
 * of many is long, calls of 16 ranks and more reach 8 (docs/decisions/tuned-table.md). */
static const double UNEVEN = 8;

static const char *const names[STRATA_TUNED_BLOCKS] = {"", "uneven", "sparse"};

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

/* A number from 1 on. */
static bool read_count(const char **text, int *count)
{
    int64_t number = 0;
    const bool good = strata_config_number(*text, false, &number, text);
    *count = good && number <= INT_MAX ? (int)number : 0;
    return *count > 0;
}

/* "4x16" or "4x16x2" */
static bool read_layout(const char **text, struct strata_tuned_row *row)
{
    int *const counts[] = {&row->nodes, &row->ranks, &row->threads};
    bool good = read_count(text, counts[0]) && **text == 'x';
    for (size_t i = 1; good && **text == 'x' && i < sizeof counts / sizeof *counts; i++) {
        ++*text;
        good = read_count(text, counts[i]);
    }
    return good && **text == ' ';
}

/* "4x16 1K"; *rest is what stands behind that. */
static bool read_key(const char *text, struct strata_tuned_row *row, const char **rest)
{
    int64_t bytes = 0;
    *rest = text;
    const bool good = read_layout(rest, row) &&
                      strata_config_number(*rest + strspn(*rest, " "), true, &bytes, rest) &&
                      (!**rest || **rest == ' ');
    *rest += strspn(*rest, " ");
    row->bytes = (double)bytes;
    return good && (bytes > 0) == (row->collective != STRATA_BARRIER);
}

/* The kinds of blocks that ranks may agree on: one where all have one length, and sparse ones where
 * ranks know with how many others each has bytes. */
static int kinds_of(enum strata_collective collective)
{
    return !strata_collective_info[collective].varying ? STRATA_EVEN + 1
           : strata_collective_transposes(collective)  ? STRATA_SPARSE + 1
                                                       : STRATA_UNEVEN + 1;
}

static int read_blocks(const char *word, struct strata_tuned_row *row,
                       struct strata_diagnostic *message)
{
    static const char *const allowed[] = {"nothing", "uneven", "uneven or sparse"};
    const int kinds = kinds_of(row->collective);
    int kind = 0;
    while (kind < kinds && strcmp(names[kind], word) != 0) {
        kind++;
    }
    row->blocks = (enum strata_tuned_blocks)kind;
    return kind < kinds
               ? STRATA_OK
               : strata_fail(message, STRATA_ERR_SYNTAX,
                             "\"%.40s\" stands behind the bytes, but of %s allowed is %s", word,
                             strata_collective_name(row->collective), allowed[kinds - 1]);
}

/* Up to three times behind the choice, and the launches. */
static bool read_figures(const char *text, struct strata_tuned_row *row)
{
    static const char launches[] = "launches=";
    const size_t word = sizeof launches - 1;
    double *const times[] = {&row->seconds, &row->untuned, &row->native};
    for (size_t i = 0; *text && strncmp(text, launches, word) != 0; i++) {
        char *end;
        const double time = strata_number(text, &end);
        if (i == sizeof times / sizeof *times || end == text || !(time >= 0 && time < HUGE_VAL)) {
            return false;
        }
        *times[i] = time;
        text = end + strspn(end, " ");
    }
    if (*text) {
        text += word;
        return read_count(&text, &row->launches) && !*text;
    }
    return true;
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
    if (!read_figures(value + length + strspn(value + length, " "), row)) {
        return strata_fail(message, STRATA_ERR_SYNTAX,
                           "\"%.60s\" is more than an algorithm, three times in seconds, and "
                           "launches=N",
                           value);
    }
    return strata_choice_parse(choice, row->collective, &row->choice, message);
}

static bool same_key(const struct strata_tuned_row *a, const struct strata_tuned_row *b)
{
    return a->collective == b->collective && a->nodes == b->nodes && a->ranks == b->ranks &&
           a->threads == b->threads && a->blocks == b->blocks && !(a->bytes < b->bytes) &&
           !(a->bytes > b->bytes);
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
    struct strata_tuned_row row = {.launches = 1};
    const char *rest;
    char collective[64];
    const size_t length = strcspn(name, " ");
    snprintf(collective, sizeof collective, "%.*s", (int)length, name);
    if (!strata_collective_find(collective, &row.collective)) {
        return strata_fail(message, STRATA_ERR_SYNTAX,
                           "\"%.60s\" is no collective, nor host, date, mpi, command, end",
                           collective);
    }
    if (!read_key(name + length + strspn(name + length, " "), &row, &rest)) {
        return strata_fail(message, STRATA_ERR_SYNTAX,
                           "\"%.60s\" is not a collective with NODESxRANKS, or "
                           "NODESxRANKSxTHREADS, and bytes",
                           name);
    }
    int status = read_blocks(rest, &row, message);
    if (status == STRATA_OK && strata_tuned_like(r->tuned, &row)) {
        return strata_fail(message, STRATA_ERR_SYNTAX, "\"%.60s\" stands there twice", name);
    }
    status = status == STRATA_OK ? read_choice(value, &row, message) : status;
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

/* How far one count is from another; HUGE_VAL: too far. One of them stands for itself alone. */
static double distance(int a, int b, bool one)
{
    const double off = factor(a, b);
    return off <= LAYOUT && (!one || (a == 1) == (b == 1)) ? off : HUGE_VAL;
}

/* How far the row's layout is from this one. */
static double layout_distance(const struct strata_tuned_row *row,
                              const struct strata_tuned_layout *at)
{
    return distance(row->nodes, at->topology->nodes, true) *
           distance(row->ranks, at->topology->largest, false) *
           (row->threads > 0 ? distance(row->threads, at->threads, true) : 1);
}

/* The nearest row of such a kind; NULL: none is near. */
static const struct strata_tuned_row *find_nearest(const struct strata_tuned *tuned,
                                                   const struct strata_tuned_row *like,
                                                   const struct strata_tuned_layout *at)
{
    const struct strata_tuned_row *nearest = NULL;
    double least = HUGE_VAL;
    for (int i = 0; i < tuned->count; i++) {
        const struct strata_tuned_row *row = &tuned->row[i];
        const double off = row->collective == like->collective && row->blocks == like->blocks
                               ? layout_distance(row, at)
                               : HUGE_VAL;
        const bool says = nearest && row->threads > 0 && nearest->threads == 0;
        if (off < least || (says && off <= least)) {
            least = off;
            nearest = row;
        }
    }
    return nearest;
}

/* Whether a row is of the nearest layout. Rows that say no threads serve sizes that the others
 * lack. Those others come behind, for the last one of a size serves. */
static bool serves_as(const struct strata_tuned_row *row, const struct strata_tuned_row *nearest)
{
    return row->nodes == nearest->nodes && row->ranks == nearest->ranks &&
           (row->threads == nearest->threads || row->threads == 0);
}

static struct strata_tuned_near near_of(const struct strata_tuned_row *row)
{
    struct strata_tuned_near near = {.bytes = row->bytes,
                                     .collective = (int)row->collective,
                                     .blocks = (int)row->blocks,
                                     .algorithm = strata_registry_number(row->choice.algorithm)};
    memcpy(near.parameter, row->choice.parameter, sizeof near.parameter);
    return near;
}

int strata_tuned_near(const struct strata_tuned *tuned, const struct strata_tuned_layout *at,
                      struct strata_tuned_near *near, int most)
{
    const struct strata_tuned_row *nearest[STRATA_COLLECTIVE_COUNT][STRATA_TUNED_BLOCKS];
    int count = 0;
    for (int k = 0; k < STRATA_COLLECTIVE_COUNT * STRATA_TUNED_BLOCKS; k++) {
        const int c = k / STRATA_TUNED_BLOCKS, b = k % STRATA_TUNED_BLOCKS;
        const struct strata_tuned_row like = {.collective = (enum strata_collective)c,
                                              .blocks = (enum strata_tuned_blocks)b};
        nearest[c][b] = find_nearest(tuned, &like, at);
    }
    for (int say = 0; say < 2; say++) {
        for (int i = 0; i < tuned->count && count < most; i++) {
            const struct strata_tuned_row *row = &tuned->row[i];
            const struct strata_tuned_row *like = nearest[row->collective][row->blocks];
            if (like && serves_as(row, like) && (row->threads > 0) == say) {
                near[count++] = near_of(row);
            }
        }
    }
    return count;
}

unsigned strata_tuned_uneven(const struct strata_tuned_near *near, int count)
{
    unsigned collectives = 0;
    for (int i = 0; i < count; i++) {
        collectives |= near[i].blocks == STRATA_UNEVEN ? 1U << near[i].collective : 0;
    }
    return collectives;
}

const char *strata_tuned_blocks_name(enum strata_tuned_blocks blocks)
{
    return names[blocks];
}

/* unevenness: of the longest block over the mean. */
static enum strata_tuned_blocks blocks_of(double unevenness, bool sparse)
{
    return sparse ? STRATA_SPARSE : unevenness >= UNEVEN ? STRATA_UNEVEN : STRATA_EVEN;
}

void strata_tuned_describe(double mean, size_t longest, int degree, int ranks,
                           struct strata_tuned_row *row)
{
    const int bucket = strata_bucket_of_mean(mean);
    const bool sparse =
        kinds_of(row->collective) > STRATA_SPARSE && strata_degree_is_few((uint64_t)degree, ranks);
    row->bytes = (double)strata_bucket_most(bucket);
    row->blocks = blocks_of(strata_bucket_ratio(strata_bucket_of_bytes(longest), bucket), sparse);
}

/* How far a row is from the problem's size; HUGE_VAL: it is of another collective or of other
 * blocks, or no size is known. A barrier has none. */
static double size_distance(const struct strata_tuned_near *row,
                            const struct strata_problem *problem)
{
    if (row->collective != (int)problem->collective ||
        row->blocks != (int)blocks_of(problem->unevenness, problem->degree > 0)) {
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
