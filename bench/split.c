/* Splitting a communicator: every method of Strata beside MPI_Comm_split, the cases of figures 3, 4 and 5
 * of A. Moody, D. H. Ahn, B. R. de Supinski, "Exascale Algorithms for Generalized MPI_Comm_split", 2011.
 *
 *   split [--groups N] [--text BYTES,BYTES] [--method NAME] [--calls N] [--repeat N]
 *
 * Prints CSV, method,case,ranks,seconds: of a call, of the slowest rank, the median of the repeats. Cases:
 *   reorder             one group, random integer keys (figure 3)
 *   split many|few N    no keys; colours of N bytes (0: integers), all different or of --groups (figure 4)
 *   both many|few N     the same with random keys (figure 5)
 * Strata's calls make chains; MPI_Comm_split, which takes integers only, makes communicators. */
#include <stdbool.h>
#include <stdint.h>

#include <strata.h>

#include "bench/measure.h"

enum { MOST_TEXT = 256, MOST_REPEATS = 101 };

static const char *const methods[] = {"MPI_Comm_split",
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

struct setting {
    int groups, text[2], calls, repeats;
    const char *method; /* NULL: all */
};

/* One rank's part of a case. */
struct subject {
    const char *method;
    struct strata_chain *chain;
    bool split, many, keys;
    int bytes; /* of a colour; 0: an integer */
    int colour, key;
    char text[MOST_TEXT];
};

static bool is_mpi(const struct subject *s)
{
    return strcmp(s->method, "MPI_Comm_split") == 0;
}

static bool serves(const struct subject *s)
{
    bool radix = strcmp(s->method, "radix") == 0, hash = strncmp(s->method, "hash", 4) == 0;
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

static void call_strata(const struct subject *s)
{
    struct strata_chain *group = NULL;
    const bool text = s->bytes > 0;
    const struct strata_split_value colour = {
        text ? (const void *)s->text : &s->colour, text ? (size_t)s->bytes : sizeof s->colour,
        text ? strata_compare_bytes : strata_compare_int32, strata_hash_bytes, NULL};
    const struct strata_split_value key = {&s->key, sizeof s->key, strata_compare_int32, NULL,
                                           NULL};
    if (strata_chain_split(s->chain, s->split ? &colour : NULL, s->keys ? &key : NULL, s->method, 0,
                           &group)) {
        end_job(s->method);
    }
    strata_chain_free(&group);
}

static void call(const void *argument)
{
    const struct subject *s = argument;
    is_mpi(s) ? call_mpi(s) : call_strata(s);
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

static void measure_case(struct subject *s, const struct setting *o, const char *name)
{
    double times[MOST_REPEATS];
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    draw(s, rank, o->groups);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        s->method = methods[m];
        if ((o->method && strcmp(o->method, s->method) != 0) || !serves(s)) {
            continue;
        }
        call(s);
        for (int i = 0; i < o->repeats; i++) {
            times[i] = measure_batch(call, s, o->calls);
        }
        qsort(times, (size_t)o->repeats, sizeof *times, measure_ascending);
        if (rank == 0) {
            printf("%s,%s,%d,%.9g\n", s->method, name, ranks, times[o->repeats / 2]);
            fflush(stdout);
        }
    }
}

static void measure_splits(struct subject *s, const struct setting *o)
{
    char name[64];
    const int sizes[] = {0, o->text[0], o->text[1]};
    s->split = true;
    for (int keys = 0; keys < 2; keys++) {
        for (int few = 0; few < 2; few++) {
            for (int i = 0; i < 3; i++) {
                s->keys = keys;
                s->many = !few;
                s->bytes = sizes[i];
                snprintf(name, sizeof name, "%s %s %d", keys ? "both" : "split",
                         few ? "few" : "many", sizes[i]);
                measure_case(s, o, name);
            }
        }
    }
}

static int wrong(const char *option, const char *allowed)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        fprintf(stderr, "split: %s: allowed is %s\n", option, allowed);
    }
    return 2;
}

static int known_method(const char *name)
{
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        if (strcmp(name, methods[m]) == 0) {
            return 1;
        }
    }
    return 0;
}

static int take(struct setting *o, const char *option, const char *value)
{
    char *end = NULL;
    long number = value ? strtol(value, &end, 10) : 0;
    bool count = value && end != value && *end == '\0' && number >= 1;
    if (strcmp(option, "--groups") == 0) {
        o->groups = (int)number;
        return count && number < 1 << 30 ? 0 : wrong(option, "a number from 1");
    }
    if (strcmp(option, "--calls") == 0) {
        o->calls = (int)number;
        return count && number < 1 << 20 ? 0 : wrong(option, "a number from 1");
    }
    if (strcmp(option, "--repeat") == 0) {
        o->repeats = (int)number;
        return count && number <= MOST_REPEATS ? 0 : wrong(option, "a number from 1 to 101");
    }
    if (strcmp(option, "--text") == 0) {
        bool two = value && sscanf(value, "%d,%d", &o->text[0], &o->text[1]) == 2;
        return two && o->text[0] > 0 && o->text[1] > 0 && o->text[0] <= MOST_TEXT &&
                       o->text[1] <= MOST_TEXT
                   ? 0
                   : wrong(option, "two numbers of bytes from 1 to 256 with a comma");
    }
    if (strcmp(option, "--method") == 0) {
        o->method = value;
        return value && known_method(value) ? 0 : wrong(option, "a name of the first column");
    }
    return wrong(option, "one of --groups, --text, --method, --calls, --repeat");
}

int main(int argc, char **argv)
{
    struct setting o = {.groups = 4, .text = {5, 80}, .calls = 1, .repeats = 11};
    struct subject s = {.keys = true};
    int error = 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; !error && i < argc; i += 2) {
        error = take(&o, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
    }
    if (!error) {
        strata_chain_create(MPI_COMM_WORLD, &s.chain);
        if (rank == 0) {
            printf("method,case,ranks,seconds\n");
        }
        measure_case(&s, &o, "reorder");
        measure_splits(&s, &o);
        strata_chain_free(&s.chain);
    }
    MPI_Finalize();
    return error;
}
