/* Splits a communicator by every method of Strata and by MPI_Comm_split, in the cases of figures 3,
 * 4 and 5 of A. Moody, D. H. Ahn, B. R. de Supinski, "Exascale Algorithms for Generalized
 * MPI_Comm_split", 2011.
 *
 *   split [--groups N] [--cases C,C,...] [--methods M,M,...] [--calls N] [--repeat N]
 *         [--begin barrier|instant] [--make chain|communicator]
 *
 * Prints CSV, method,case,ranks,seconds: the seconds of a call on the slowest rank, the median of
 * the repeats. Cases:
 *   reorder             one group, random integer keys (figure 3)
 *   split-many|few-N    no keys; colours of N bytes (0: integers), all different or of --groups
 *                       (figure 4)
 *   both-many|few-N     the same with random keys (figure 5)
 * A method that does not serve a case has no line for it: hash needs colours, radix integers.
 *
 * `table` does what MPI libraries do for MPI_Comm_split, without the communicator (MPICH:
 * src/mpi/comm/comm_split.c; Open MPI agrees on the context in another way). SimGrid's own
 * MPI_Comm_split does something else.
 *
 * With --begin instant all ranks begin at one time of a shared clock, as in a simulation, without a
 * call before. Strata's calls make chains, or with --make communicator communicators, too.
 * MPI_Comm_split takes integers only and makes communicators. */
#include <stdbool.h>
#include <stdint.h>

#include <strata.h>

#include "bench/measure.h"

enum { MOST_TEXT = 256, MOST_REPEATS = 101 };

static const char *const methods[] = {"MPI_Comm_split",
                                      "table",
                                      "allgather_group",
                                      "allgather_mpi",
                                      "gather_scatter",
                                      "cheng:items=128",
                                      "cheng:items=512",
                                      "cheng:items=2048",
                                      "cheng:items=8192",
                                      "bitonic",
                                      "radix",
                                      "hash",
                                      "hash64"};

static const char preset_cases[] =
    "reorder,split-many-0,split-many-5,split-many-80,split-few-0,split-few-5,split-few-80,"
    "both-many-0,both-many-5,both-many-80,both-few-0,both-few-5,both-few-80";

struct setting {
    int groups, calls, repeats;
    bool instant, makes;
    const char *methods, *cases; /* lists; methods NULL: all methods */
};

/* One rank's part in a case. */
struct subject {
    const char *method;
    struct strata_chain *chain;
    bool split, many, keys;
    bool makes;   /* communicators, and not chains */
    bool crowded; /* the text of some case is too short to tell its colours apart */
    int bytes;    /* the length of a colour; 0: integers */
    int colour, key, ranks;
    int *table; /* [2 * ranks] */
    char text[MOST_TEXT];
};

static bool is_called(const struct subject *s, const char *method)
{
    return strcmp(s->method, method) == 0;
}

static bool serves(const struct subject *s)
{
    bool radix = is_called(s, "radix"), hash = strncmp(s->method, "hash", 4) == 0;
    return (!radix || !s->split || s->bytes == 0) && (!hash || s->split);
}

static void end_job(const char *what)
{
    fprintf(stderr, "split: %s failed\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void call_mpi(const struct subject *s)
{
    MPI_Comm made;
    if (MPI_Comm_split(MPI_COMM_WORLD, s->split ? s->colour : 0, s->keys ? s->key : 0, &made)) {
        end_job("MPI_Comm_split");
    }
    MPI_Comm_free(&made);
}

static int by_key(const void *a, const void *b)
{
    const int *x = a, *y = b;
    const int order = (x[0] > y[0]) - (x[0] < y[0]);
    return order ? order : x[1] - y[1];
}

/* Exchanges colours and keys among all, orders my group, and agrees on a mask of free contexts. */
static void call_table(const struct subject *s)
{
    enum { MASK = 65 };
    int mine[2] = {s->split ? s->colour : 0, s->keys ? s->key : 0}, mask[MASK] = {0}, members = 0;
    if (PMPI_Allgather(mine, 2, MPI_INT, s->table, 2, MPI_INT, MPI_COMM_WORLD)) {
        end_job(s->method);
    }
    for (int i = 0; i < s->ranks; i++) {
        if (s->table[2 * i] == mine[0]) {
            s->table[2 * members] = s->table[2 * i + 1];
            s->table[2 * members++ + 1] = i;
        }
    }
    qsort(s->table, (size_t)members, 2 * sizeof *s->table, by_key);
    if (PMPI_Allreduce(MPI_IN_PLACE, mask, MASK, MPI_INT, MPI_BAND, MPI_COMM_WORLD)) {
        end_job(s->method);
    }
}

static void call_strata(const struct subject *s)
{
    struct strata_chain *group = NULL;
    const bool text = s->bytes > 0;
    const struct strata_split_value colour = {
        text ? (const void *)s->text : &s->colour, text ? (size_t)s->bytes : sizeof s->colour,
        text ? strata_compare_bytes : strata_compare_int32, strata_hash_bytes, NULL};
    const struct strata_split_value key = {&s->key, sizeof s->key, strata_compare_int32, NULL,
                                           NULL};
    MPI_Comm made = MPI_COMM_NULL;
    if (s->makes ? strata_comm_split(MPI_COMM_WORLD, s->split ? &colour : NULL,
                                     s->keys ? &key : NULL, s->method, 0, &made)
                 : strata_chain_split(s->chain, s->split ? &colour : NULL, s->keys ? &key : NULL,
                                      s->method, 0, &group)) {
        end_job(s->method);
    }
    if (s->makes) {
        MPI_Comm_free(&made);
    }
    strata_chain_free(&group);
}

static void call(const void *argument)
{
    const struct subject *s = argument;
    is_called(s, "MPI_Comm_split") ? call_mpi(s)
    : is_called(s, "table")        ? call_table(s)
                                   : call_strata(s);
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static void draw(struct subject *s, int rank, int groups)
{
    s->colour = s->many ? rank : (int)(mix((uint64_t)rank + 1) % (uint64_t)groups);
    s->key = (int)(mix((uint64_t)rank + 77777) >> 34);
    memset(s->text, 'n', sizeof s->text);
    for (int i = s->bytes - 1, left = s->colour; i >= 0 && i >= s->bytes - 10; i--, left /= 10) {
        s->text[i] = (char)('0' + left % 10);
    }
}

/* Whether the list "a,b" has the word. */
static bool has(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ','), at += at != NULL) {
        if (strcspn(at, ",") == length && strncmp(at, word, length) == 0) {
            return true;
        }
    }
    return false;
}

static double median_of(const struct subject *s, const struct setting *o)
{
    double times[MOST_REPEATS];
    if (!o->instant) {
        call(s);
    }
    for (int i = 0; i < o->repeats; i++) {
        times[i] = (o->instant ? measure_instant : measure_batch)(call, s, o->calls);
    }
    return measure_median(times, o->repeats);
}

static void measure_case(struct subject *s, const struct setting *o, const char *name)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    draw(s, rank, o->groups);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        s->method = methods[m];
        if ((o->methods && !has(o->methods, s->method)) || !serves(s)) {
            continue;
        }
        const double seconds = median_of(s, o);
        if (rank == 0) {
            printf("%s,%s,%d,%.9g\n", s->method, name, s->ranks, seconds);
            fflush(stdout);
        }
    }
}

/* Reads the name of a case. Returns false where it is none. */
static bool read_case(struct subject *s, const char *name)
{
    char what[8] = "", groups[8] = "";
    int end = 0;
    s->bytes = 0;
    s->split = strcmp(name, "reorder") != 0;
    if (s->split && (sscanf(name, "%5[a-z]-%4[a-z]-%3d%n", what, groups, &s->bytes, &end) != 3 ||
                     name[end] != '\0')) {
        return false;
    }
    s->keys = !s->split || strcmp(what, "both") == 0;
    s->many = strcmp(groups, "many") == 0;
    return !s->split ||
           ((s->keys || strcmp(what, "split") == 0) && (s->many || strcmp(groups, "few") == 0) &&
            s->bytes >= 0 && s->bytes <= MOST_TEXT);
}

/* Calls `act` for each case of the list. Returns false where a name is no case. */
static bool for_cases(struct subject *s, const struct setting *o,
                      void (*act)(struct subject *s, const struct setting *o, const char *name))
{
    char name[32];
    for (const char *at = o->cases; at; at = strchr(at, ','), at += at != NULL) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        if (!read_case(s, name)) {
            return false;
        }
        act(s, o, name);
    }
    return true;
}

static void pass(struct subject *s, const struct setting *o, const char *name)
{
    (void)s;
    (void)o;
    (void)name;
}

static void check_digits(struct subject *s, const struct setting *o, const char *name)
{
    const int colours = s->many ? s->ranks : o->groups;
    const int digits = snprintf(NULL, 0, "%d", colours - 1);
    (void)name;
    s->crowded = s->crowded || (s->split && s->bytes > 0 && s->bytes < digits);
}

static int wrong(const char *option, const char *value, const char *allowed)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        fprintf(stderr, "split: %s '%s': must be %s\n", option, value ? value : "", allowed);
    }
    return 2;
}

static bool known_methods(const char *list)
{
    size_t known = 0, words = 1;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        known += has(list, methods[m]);
    }
    for (const char *at = strchr(list, ','); at; at = strchr(at + 1, ',')) {
        words++;
    }
    return known == words;
}

static int take_word(struct setting *o, const char *option, const char *value)
{
    struct subject s;
    if (strcmp(option, "--methods") == 0) {
        o->methods = value;
        return value && known_methods(value)
                   ? 0
                   : wrong(option, value,
                           "MPI_Comm_split, table, allgather_group, allgather_mpi, gather_scatter, "
                           "cheng:items=128|512|2048|8192, bitonic, radix, hash, hash64");
    }
    if (strcmp(option, "--cases") == 0) {
        o->cases = value;
        return value && for_cases(&s, o, pass)
                   ? 0
                   : wrong(option, value,
                           "reorder and split|both-many|few-N, N from 0 to 256 bytes");
    }
    if (strcmp(option, "--begin") == 0) {
        o->instant = value && strcmp(value, "instant") == 0;
        return o->instant || (value && strcmp(value, "barrier") == 0)
                   ? 0
                   : wrong(option, value, "barrier or instant");
    }
    if (strcmp(option, "--make") == 0) {
        o->makes = value && strcmp(value, "communicator") == 0;
        return o->makes || (value && strcmp(value, "chain") == 0)
                   ? 0
                   : wrong(option, value, "chain or communicator");
    }
    return wrong("option", option,
                 "one of --groups, --cases, --methods, --calls, --repeat, --begin, --make");
}

static int take(struct setting *o, const char *option, const char *value)
{
    char *end = NULL;
    long number = value ? strtol(value, &end, 10) : 0;
    bool count = value && end != value && *end == '\0' && number >= 1;
    if (strcmp(option, "--groups") == 0) {
        o->groups = (int)number;
        return count && number < 1 << 30 ? 0 : wrong(option, value, "a number from 1");
    }
    if (strcmp(option, "--calls") == 0) {
        o->calls = (int)number;
        return count && number < 1 << 20 ? 0 : wrong(option, value, "a number from 1");
    }
    if (strcmp(option, "--repeat") == 0) {
        o->repeats = (int)number;
        return count && number <= MOST_REPEATS ? 0 : wrong(option, value, "a number from 1 to 101");
    }
    return take_word(o, option, value);
}

int main(int argc, char **argv)
{
    struct setting o = {.groups = 4, .calls = 1, .repeats = 11, .cases = preset_cases};
    struct subject s = {.chain = NULL};
    int error = 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; !error && i < argc; i += 2) {
        error = take(&o, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
    }
    MPI_Comm_size(MPI_COMM_WORLD, &s.ranks);
    if (!error && for_cases(&s, &o, check_digits) && s.crowded) {
        error = wrong("--cases", o.cases, "of bytes enough to tell the colours apart");
    }
    s.makes = o.makes;
    if (!error) {
        s.table = measure_need(2 * (size_t)s.ranks * sizeof *s.table);
        strata_chain_create(MPI_COMM_WORLD, &s.chain);
        if (rank == 0) {
            printf("method,case,ranks,seconds\n");
        }
        for_cases(&s, &o, measure_case);
        strata_chain_free(&s.chain);
        free(s.table);
    }
    MPI_Finalize();
    return error;
}
