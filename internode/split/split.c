/* The beginning of every method: the ranks learn the sizes of each other's items, and agree that
 * all can go on. */
#include "internode/split/split.h"

#include <stdalign.h>
#include <string.h>

#include "internode/chain/scan.h"
#include "internode/split/item.h"
#include "internode/split/methods.h"

/* Memory for methods that need little; more comes from the station, and ranks agree that they
 * got it. */
#define SMALL 2048
/* The most bytes of a value: two values, and the rest of an item, are counted in 32 bits. */
#define MOST_BYTES ((size_t)1 << 29)

enum flag {
    COLOUR = 1,
    KEY = 2,
    HASH = 4,
    INTEGERS = 8,
    WHOLE = 16, /* the chain is all of the station's addresses, in order */
    FLAGS = 5
};

/* The values that are combined over all ranks. */
struct figures {
    int64_t total;              /* bytes of items: a sum */
    int32_t item;               /* the largest */
    int32_t status;             /* the worst */
    uint64_t wish[2];           /* bits that some have, that all have: must be the same on all */
    uint64_t colour[2], key[2]; /* of integers the same */
    uint32_t undefined;
    uint32_t whole; /* all have it */
};

static void combine_bits(uint64_t into[2], const uint64_t from[2])
{
    into[0] |= from[0];
    into[1] &= from[1];
}

static void combine(void *context, const void *left, void *right)
{
    struct figures a, b;
    (void)context;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    b.total += a.total;
    b.item = a.item > b.item ? a.item : b.item;
    b.status = a.status > b.status ? a.status : b.status;
    combine_bits(b.wish, a.wish);
    combine_bits(b.colour, a.colour);
    combine_bits(b.key, a.key);
    b.undefined |= a.undefined;
    b.whole &= a.whole;
    memcpy(right, &b, sizeof b);
}

static int method_number(const struct strata_split_method *method)
{
    int number = 0;
    while (strata_split_method_at(number) && strata_split_method_at(number) != method) {
        number++;
    }
    return method ? number + 1 : 0;
}

/* Unsigned numbers in the same order, with as many digits. */
static uint64_t integer_of(const struct strata_field *field)
{
    int32_t small = 0;
    int64_t large = 0;
    if (field->integer == STRATA_INT32) {
        memcpy(&small, field->bytes, sizeof small);
        return (uint32_t)small ^ (uint32_t)1 << 31;
    }
    if (field->integer == STRATA_INT64) {
        memcpy(&large, field->bytes, sizeof large);
    }
    return (uint64_t)large ^ (uint64_t)1 << 63;
}

uint64_t strata_split_integer(const struct strata_split *split, const struct strata_field *field)
{
    return split->input->undefined && field == &split->input->colour ? 0 : integer_of(field);
}

static bool number_or_nothing(const struct strata_field *field)
{
    return !field->enabled || field->integer != STRATA_NO_INTEGER;
}

static int check(const struct strata_split_input *input, struct strata_diagnostic *message)
{
    const struct strata_field *fields[] = {&input->colour, &input->key};
    static const char *const names[] = {"colour", "key"};
    for (int i = 0; i < 2; i++) {
        const struct strata_field *f = fields[i];
        if (f->enabled && !(i == 0 && input->undefined)) {
            size_t right = f->integer == STRATA_INT32   ? 4
                           : f->integer == STRATA_INT64 ? 8
                                                        : f->size;
            if (f->size > MOST_BYTES || f->size != right || (!f->bytes && f->size > 0)) {
                return strata_fail(message, STRATA_ERR_ARGUMENT,
                                   "%s: %zu bytes cannot be a value of its kind", names[i],
                                   f->size);
            }
        }
    }
    return input->status;
}

static void fill(struct figures *mine, const struct strata_split *split, int status)
{
    const struct strata_split_input *in = split->input;
    const bool colour = in->colour.enabled && !in->undefined;
    uint64_t wish = (in->colour.enabled ? COLOUR : 0) | (in->key.enabled ? KEY : 0) |
                    (in->colour.enabled && in->colour.hash ? HASH : 0) |
                    (number_or_nothing(&in->colour) && number_or_nothing(&in->key) ? INTEGERS : 0);
    wish |= (uint64_t)method_number(in->method) << FLAGS | (uint64_t)in->items << 16;
    *mine = (struct figures){.status = status, .wish = {wish, wish}, .undefined = in->undefined};
    mine->whole = split->chain->size == split->station->addresses &&
                  split->chain->rank == split->chain->address;
    mine->colour[1] = mine->key[1] = UINT64_MAX; /* takes no part */
    if (status == STRATA_OK) {
        mine->item = (int32_t)strata_item_bytes(colour ? in->colour.size : 0,
                                                in->key.enabled ? in->key.size : 0);
        mine->total = mine->item;
    }
    if (status == STRATA_OK && colour) {
        mine->colour[0] = mine->colour[1] = integer_of(&in->colour);
    }
    if (status == STRATA_OK && in->key.enabled) {
        mine->key[0] = mine->key[1] = integer_of(&in->key);
    }
}

static uint64_t differing(const uint64_t bits[2])
{
    return bits[0] & ~bits[1];
}

static void learn(struct strata_split *split, const struct figures *all)
{
    uint64_t wish = all->wish[0];
    split->shape = (struct strata_split_shape){.ranks = split->chain->size,
                                               .items = split->input->items,
                                               .item = (size_t)all->item,
                                               .total = (size_t)all->total,
                                               .colour = (wish & COLOUR) != 0,
                                               .key = (wish & KEY) != 0,
                                               .hash = (wish & HASH) != 0,
                                               .undefined = all->undefined,
                                               .integers = (wish & INTEGERS) != 0,
                                               .whole = all->whole,
                                               .colour_bits = differing(all->colour),
                                               .key_bits = differing(all->key)};
}

static int agree(struct strata_split *split, int status, struct strata_diagnostic *message)
{
    alignas(16) unsigned char memory[STRATA_SCAN_MEMORY(sizeof(struct figures))];
    struct strata_scan scan = {.bytes = sizeof(struct figures), .combine = {combine, combine}};
    struct figures mine, left;
    fill(&mine, split, status);
    strata_scan_set_up(&scan, memory);
    memcpy(scan.inclusive[STRATA_LEFT], &mine, sizeof mine);
    memcpy(scan.inclusive[STRATA_RIGHT], &mine, sizeof mine);
    int error = strata_scan_run(&scan, split->station, split->chain);
    if (error) {
        return error;
    }
    memcpy(&left, scan.exclusive[STRATA_LEFT], sizeof left);
    split->before = scan.any[STRATA_LEFT] ? (size_t)left.total : 0;
    memcpy(&mine, strata_scan_total(&scan), sizeof mine);
    learn(split, &mine);
    if (mine.status) {
        return status ? status : strata_fail(message, mine.status, "another rank could not go on");
    }
    return mine.wish[0] == mine.wish[1]
               ? STRATA_OK
               : strata_fail(message, STRATA_ERR_ARGUMENT,
                             "the ranks ask for different methods, or some disable what others do "
                             "not");
}

/* With the method's memory. */
static int run_in(struct strata_split *split, const struct strata_split_method *method,
                  struct strata_chain_links *group, struct strata_diagnostic *message)
{
    alignas(16) unsigned char small[SMALL];
    const size_t most = method->workspace(&split->shape, 0);
    const size_t bytes = method->workspace(&split->shape, split->chain->rank);
    int error = STRATA_OK;
    if (most <= sizeof small) {
        split->memory = small;
        strata_station_count(split->station, (ptrdiff_t)bytes);
        error = method->run(split, group);
        strata_station_count(split->station, -(ptrdiff_t)bytes);
        return error;
    }
    split->memory = strata_station_allocate(split->station, bytes);
    error = strata_chain_agree(split->station, split->chain,
                               split->memory ? STRATA_OK : STRATA_ERR_MEMORY);
    if (error) {
        strata_say(message, "%s: %zu bytes of memory for method %s",
                   split->memory ? "another rank could not go on" : strata_error_text(error), bytes,
                   method->name);
    } else {
        error = method->run(split, group);
    }
    strata_station_release(split->station, split->memory);
    return error;
}

int strata_split_run(struct strata_station *station, const struct strata_chain_links *chain,
                     const struct strata_split_input *input, struct strata_chain_links *group,
                     struct strata_diagnostic *message)
{
    struct strata_split split = {.station = station, .chain = chain, .input = input};
    struct strata_chain_links found = {0};
    int error = agree(&split, check(input, message), message);
    if (error) {
        return error;
    }
    const struct strata_split_method *method =
        input->method ? input->method : strata_split_choose(&split.shape);
    const char *why = method->refuse(&split.shape);
    if (why) {
        return strata_fail(message, STRATA_ERR_UNSUPPORTED, "method %s %s", method->name, why);
    }
    if (method == &strata_split_allgather_mpi && !station->wire->allgather) {
        return strata_fail(message, STRATA_ERR_UNSUPPORTED, "method %s needs MPI", method->name);
    }
    error = run_in(&split, method, &found, message);
    if (!error) {
        *group = found;
    }
    return error;
}
