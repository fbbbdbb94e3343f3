#include "tests/internode/splits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internode/split/methods.h"
#include "internode/split/values.h"

/* Orders text in falling order, with upper and lower case equal. */
static int order_odd(const void *a, size_t a_size, const void *b, size_t b_size, void *context)
{
    const unsigned char *x = a, *y = b;
    (void)context;
    for (size_t i = 0; i < a_size && i < b_size; i++) {
        int order = (y[i] | 32) - (x[i] | 32);
        if (order) {
            return order;
        }
    }
    return (a_size < b_size) - (a_size > b_size);
}

static uint64_t hash_odd(const void *bytes, size_t size, unsigned round, void *context)
{
    const unsigned char *x = bytes;
    uint64_t hash = round;
    (void)context;
    for (size_t i = 0; i < size; i++) {
        hash = random_mix(hash * 31 + (x[i] | 32));
    }
    return hash;
}

/* All values collide. */
static uint64_t hash_same(const void *bytes, size_t size, unsigned round, void *context)
{
    (void)bytes;
    (void)size;
    (void)round;
    (void)context;
    return 5;
}

/* Each round separates one colour from the others, which is the slowest way. */
static uint64_t hash_slow(const void *bytes, size_t size, unsigned round, void *context)
{
    const unsigned char *x = bytes;
    (void)context;
    return size > 0 && x[0] % 32 == round % 32 ? UINT64_MAX : 0;
}

/* A kind of values: the number of different colours (0: as many as ranks), their lengths, and their
 * order. */
static const struct kind {
    const char *name;
    int colours, least, most; /* least and most are bytes */
    int (*compare)(const void *, size_t, const void *, size_t, void *);
    uint64_t (*hash)(const void *, size_t, unsigned, void *);
    enum strata_integer integer;
    bool undefined; /* some ranks have no group */
} kinds[SPLIT_KINDS] = {
    {"int32", 4, 4, 4, strata_order_int32, strata_hash_any, STRATA_INT32, false},
    {"int64, all different", 0, 8, 8, strata_order_int64, strata_hash_any, STRATA_INT64, false},
    {"int32, some undefined", 3, 4, 4, strata_order_int32, strata_hash_any, STRATA_INT32, true},
    {"equal", 1, 7, 7, strata_order_bytes, strata_hash_any, STRATA_NO_INTEGER, false},
    {"text, may be empty", 5, 0, 9, strata_order_bytes, strata_hash_any, STRATA_NO_INTEGER, false},
    {"text, all different", 0, 5, 80, strata_order_bytes, strata_hash_any, STRATA_NO_INTEGER,
     false},
    {"long text", 3, 0, 3000, strata_order_bytes, strata_hash_any, STRATA_NO_INTEGER, true},
    {"text, case ignored", 9, 1, 2, order_odd, hash_odd, STRATA_NO_INTEGER, false},
    {"collisions", 6, 1, 6, strata_order_bytes, hash_same, STRATA_NO_INTEGER, true},
    {"slow hash", 30, 2, 6, strata_order_bytes, hash_slow, STRATA_NO_INTEGER, false},
    {"without a hash", 3, 1, 6, strata_order_bytes, NULL, STRATA_NO_INTEGER, false},
    {"disabled", 1, 0, 0, NULL, NULL, STRATA_NO_INTEGER, false},
};

static const struct kind key_kinds[SPLIT_KEY_KINDS] = {
    {"disabled", 1, 0, 0, NULL, NULL, STRATA_NO_INTEGER, false},
    {"int32", 0, 4, 4, strata_order_int32, NULL, STRATA_INT32, false},
    {"int32, ties", 3, 4, 4, strata_order_int32, NULL, STRATA_INT32, false},
    {"int64", 50, 8, 8, strata_order_int64, NULL, STRATA_INT64, false},
    {"text", 20, 0, 12, strata_order_bytes, NULL, STRATA_NO_INTEGER, false},
    {"text downwards", 20, 1, 3, order_odd, NULL, STRATA_NO_INTEGER, false},
};

static void *need(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory) {
        abort();
    }
    return memory;
}

/* Draws the value of this number from the number alone, so that equal numbers give equal values. */
static size_t draw_value(const struct kind *kind, uint64_t number, unsigned char *out)
{
    struct random r = {number};
    size_t size = (size_t)random_between(&r, kind->least, kind->most);
    for (size_t i = 0; i < size; i++) {
        out[i] = (unsigned char)(kind->integer ? random_next(&r) : 'A' + random_next(&r) % 52);
    }
    if (kind->integer && number % 2) {
        memset(out + 1, number % 4 == 1 ? 0xff : 0, size - 1); /* neighbouring numbers */
    }
    return size;
}

static void draw_values(const struct kind *kind, struct split_case *c, size_t *at, size_t *end)
{
    struct random r = {c->seed ^ (uint64_t)(uintptr_t)kind->name[0] ^
                       (uint64_t)kind->colours << 40};
    uint64_t base = random_next(&r);
    for (int i = 0; i < c->ranks; i++) {
        int many = kind->colours ? kind->colours : 1 << 30;
        uint64_t number = base + (uint64_t)random_below(&r, many);
        at[i] = *end;
        *end += draw_value(kind, number, c->text + *end);
    }
    at[c->ranks] = *end;
}

static void draw_addresses(struct split_case *c, struct random *r)
{
    for (int i = 0; i < c->ranks; i++) {
        c->address[i] = i;
    }
    if (random_one_in(r, 2)) {
        random_shuffle(r, c->address, c->ranks);
    }
    for (int i = 0; i < c->ranks; i++) {
        c->rank_at[c->address[i]] = i;
    }
}

void split_case_init(struct split_case *c, int ranks, int kind, int key_kind, uint64_t seed)
{
    const struct kind *k = &kinds[kind], *key = &key_kinds[key_kind];
    struct random r = {seed};
    size_t n = (size_t)ranks, end = 0;
    *c = (struct split_case){.ranks = ranks, .seed = seed, .failing_rank = -1, .bad_rank = -1};
    c->colour = (struct strata_field){.enabled = k->compare != NULL,
                                      .compare = k->compare,
                                      .hash = k->hash,
                                      .integer = k->integer};
    c->key = (struct strata_field){
        .enabled = key->compare != NULL, .compare = key->compare, .integer = key->integer};
    c->kinds[0] = k->name;
    c->kinds[1] = key->name;
    c->colour_at = need(n + 1, sizeof *c->colour_at);
    c->key_at = need(n + 1, sizeof *c->key_at);
    c->text = need(n, (size_t)k->most + (size_t)key->most);
    c->undefined = need(n, 1);
    c->address = need(n, sizeof *c->address);
    c->rank_at = need(n, sizeof *c->rank_at);
    c->groups = need(n, sizeof *c->groups);
    c->right = need(n, sizeof *c->right);
    c->usage = need(n, sizeof *c->usage);
    c->status = need(n, sizeof *c->status);
    draw_values(k, c, c->colour_at, &end);
    draw_values(key, c, c->key_at, &end);
    for (int i = 0; i < ranks; i++) {
        c->undefined[i] = k->undefined && random_one_in(&r, 4);
    }
    draw_addresses(c, &r);
    c->rendezvous = random_one_in(&r, 2);
}

void split_case_fini(struct split_case *c)
{
    void *all[] = {c->colour_at, c->key_at, c->text,  c->undefined, c->address,
                   c->rank_at,   c->groups, c->right, c->usage,     c->status};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free(all[i]);
    }
}

/* Orders the ranks of the chain as MPI_Comm_split does; text is compared in place. */
static const struct split_case *sorted_case;

static int compare_values(const struct strata_field *field, const size_t *at, int a, int b)
{
    const unsigned char *text = sorted_case->text;
    return !field->enabled ? 0
                           : field->compare(text + at[a], at[a + 1] - at[a], text + at[b],
                                            at[b + 1] - at[b], field->context);
}

static int compare_colours(int a, int b)
{
    const struct split_case *c = sorted_case;
    if (c->undefined[a] || c->undefined[b]) {
        return c->undefined[a] - c->undefined[b];
    }
    return compare_values(&c->colour, c->colour_at, a, b);
}

static int compare_ranks(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    int order = compare_colours(a, b);
    order = order ? order : compare_values(&sorted_case->key, sorted_case->key_at, a, b);
    return order ? order : a - b;
}

void split_case_solve(struct split_case *c)
{
    int *order = need((size_t)c->ranks, sizeof *order);
    for (int i = 0; i < c->ranks; i++) {
        order[i] = i;
    }
    sorted_case = c;
    qsort(order, (size_t)c->ranks, sizeof *order, compare_ranks);
    for (int first = 0, end; first < c->ranks; first = end) {
        end = first + 1;
        while (end < c->ranks && compare_colours(order[first], order[end]) == 0) {
            end++;
        }
        for (int i = first; i < end; i++) {
            struct strata_chain_links *l = &c->right[c->address[order[i]]];
            *l = (struct strata_chain_links){end - first, i - first, c->address[order[i]], -1, -1};
            l->left = i > first ? c->address[order[i - 1]] : STRATA_NOBODY;
            l->right = i + 1 < end ? c->address[order[i + 1]] : STRATA_NOBODY;
        }
    }
    free(order);
}

static int split_one(struct strata_station *station, void *context)
{
    struct split_case *c = context;
    const int rank = c->rank_at[station->address];
    struct strata_chain_links chain = {c->ranks, rank, station->address, STRATA_NOBODY,
                                       STRATA_NOBODY};
    struct strata_split_input input = {.colour = c->colour,
                                       .key = c->key,
                                       .undefined = c->undefined[rank],
                                       .method = c->method,
                                       .items = c->items};
    chain.left = rank > 0 ? c->address[rank - 1] : STRATA_NOBODY;
    chain.right = rank + 1 < c->ranks ? c->address[rank + 1] : STRATA_NOBODY;
    input.colour.bytes = c->text + c->colour_at[rank];
    input.colour.size = c->colour_at[rank + 1] - c->colour_at[rank];
    input.key.bytes = c->text + c->key_at[rank];
    input.key.size = c->key_at[rank + 1] - c->key_at[rank];
    if (rank == c->bad_rank) {
        input.key = (struct strata_field){
            .enabled = c->key.enabled, .size = (size_t)INT32_MAX, .compare = strata_order_bytes};
        input.status = c->key.enabled ? STRATA_OK : STRATA_ERR_ARGUMENT;
    }
    return strata_split_run(station, &chain, &input, &c->groups[station->address], NULL);
}

int split_case_run(struct split_case *c, struct strata_diagnostic *message)
{
    struct strata_virtual_stations run = {.ranks = c->ranks,
                                          .rendezvous = c->rendezvous,
                                          .seed = c->seed,
                                          .failing_rank = c->failing_rank,
                                          .allocations = c->allocations,
                                          .body = split_one,
                                          .context = c,
                                          .status = c->status,
                                          .usage = c->usage};
    memset(c->groups, 0x5a, (size_t)c->ranks * sizeof *c->groups);
    return strata_virtual_stations_run(&run, message);
}

int split_case_wrong(const struct split_case *c)
{
    for (int i = 0; i < c->ranks; i++) {
        if (c->status[i] || memcmp(&c->groups[i], &c->right[i], sizeof c->right[i]) != 0) {
            return i;
        }
    }
    return -1;
}

bool split_case_applies(const struct split_case *c, const struct strata_split_method *method)
{
    bool numbers = (!c->colour.enabled || c->colour.integer) && (!c->key.enabled || c->key.integer);
    if (method == &strata_split_allgather_mpi) {
        return false;
    }
    if (method == &strata_split_radix) {
        return numbers;
    }
    return (method != &strata_split_hash && method != &strata_split_hash64) ||
           (c->colour.enabled && c->colour.hash);
}
